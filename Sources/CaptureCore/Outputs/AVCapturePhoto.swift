public import Foundation
public import MediaTypes

/// A captured photo and its metadata.
public class AVCapturePhoto: NSObject, @unchecked Sendable {
    // SAFETY: all properties are immutable, and the dictionaries contain only numbers, strings and dictionaries.
    let contents: EncodedPhoto
    public let resolvedSettings: AVCaptureResolvedPhotoSettings
    /// The time at which the exposure began, on the session's clock; invalid after an error.
    public let timestamp: CMTime
    /// The 1-based index of the photo in its capture: a RAW photo precedes the processed one.
    public let photoCount: Int
    /// The exposure of a photo of a bracket; nil for other photos.
    public let bracketSettings: AVCaptureBracketedStillImageSettings?
    /// The 1-based index of the exposure of a photo in its bracket; 0 for other photos.
    public let sequenceCount: Int
    /// The type of the camera; nil if it was released.
    public let sourceDeviceType: AVCaptureDevice.DeviceType?

    required init(
        _ contents: EncodedPhoto, resolvedSettings: AVCaptureResolvedPhotoSettings, timestamp: CMTime = .invalid,
        sourceDeviceType: AVCaptureDevice.DeviceType? = nil, photoCount: Int = 1,
        bracketSettings: AVCaptureBracketedStillImageSettings? = nil, sequenceCount: Int = 0
    ) {
        self.contents = contents
        self.resolvedSettings = resolvedSettings
        self.timestamp = timestamp
        self.sourceDeviceType = sourceDeviceType
        self.photoCount = photoCount
        self.bracketSettings = bracketSettings
        self.sequenceCount = sequenceCount
    }

    /// The pixels of an uncompressed photo, or the samples of a RAW photo, as captured, without rotation; nil for a
    /// compressed one. Those of Apple ProRAW are linear, from 0 for black.
    public var pixelBuffer: CVPixelBuffer? { contents.pixelBuffer }
    /// The pixels of the preview, without rotation; nil if the settings have no `previewPhotoFormat`.
    public var previewPixelBuffer: CVPixelBuffer? { contents.previewPixelBuffer }
    /// The codec, width and height of the thumbnail in the file; nil if there is none.
    public var embeddedThumbnailPhotoFormat: [String: Any]? { contents.thumbnailFormat }
    /// The metadata under Image I/O's keys: `{Exif}`, `{TIFF}`, `Orientation`, and the keys of the settings'
    /// `metadata`.
    public var metadata: [String: Any] { contents.metadata }
    /// The depth map, as captured, without rotation; nil if the settings did not request depth, or the camera measured
    /// none.
    public var depthData: AVDepthData? { contents.depthData }

    /// The matte of the people in the foreground, as captured, without rotation; nil if the settings did not request it,
    /// or if there is no person in the foreground.
    public var portraitEffectsMatte: AVPortraitEffectsMatte? { contents.mattes.portraitEffects }

    /// Returns the matte of a feature of the people, as captured, without rotation; nil if the settings did not request
    /// it, or if the photo does not show the feature.
    public func semanticSegmentationMatte(
        for semanticSegmentationMatteType: AVSemanticSegmentationMatte.MatteType
    ) -> AVSemanticSegmentationMatte? {
        contents.mattes.semantic.first { $0.matteType == semanticSegmentationMatteType }
    }

    /// Returns the contents of a JPEG, HEIF or, for a RAW photo, DNG file with EXIF; nil for an uncompressed photo or
    /// after an error.
    ///
    /// The orientation is in the metadata, and in a HEIF file also in the properties of its images. The file contains the
    /// depth map and the mattes that the settings embed.
    public func fileDataRepresentation() -> Data? { contents.file }

    /// Whether the photo contains the samples of the sensor.
    public var isRawPhoto: Bool { contents.isRAW }

    // Photo outputs do not deliver the following data.

    /// Always nil; `depthData` has the calibration of a camera with depth.
    public var cameraCalibrationData: AVCameraCalibrationData? { nil }
    public var constantColorConfidenceMap: CVPixelBuffer? { nil }
    public var constantColorCenterWeightedMeanConfidenceLevel: Float { 0 }
    public var isConstantColorFallbackPhoto: Bool { false }
    public var lensStabilizationStatus: AVCaptureDevice.LensStabilizationStatus { .unsupported }
}

/// A photo that is processed later.
///
/// Its file shows a small version of the photo. Save it with `PHAssetResourceType.photoProxy`: the photo library then
/// finishes the photo. As a `.photo`, it remains small.
public final class AVCaptureDeferredPhotoProxy: AVCapturePhoto, @unchecked Sendable {
    // SAFETY: as for the superclass.
}
