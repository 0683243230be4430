public import Foundation
import MediaCodecs
public import MediaTypes
import PixelKernels

/// Replaces or removes parts of a photo's file. All methods are optional; a part without an
/// implemented method is kept.
public protocol AVCapturePhotoFileDataRepresentationCustomizer: AnyObject {
    /// The metadata to store under Image I/O's keys; nil removes the metadata.
    func replacementMetadata(for photo: AVCapturePhoto) -> [String: Any]?
    /// The pixels of the thumbnail.
    ///
    /// - Parameter replacementEmbeddedThumbnailPhotoFormatOut: Set it to video settings for the returned pixels, or to
    ///   the photo's `embeddedThumbnailPhotoFormat` and return nil to keep the thumbnail. Nil, its initial value,
    ///   removes the thumbnail.
    /// - Returns: An unretained buffer, which must exist until the photo has been written.
    func replacementEmbeddedThumbnailPixelBuffer(
        withPhotoFormat replacementEmbeddedThumbnailPhotoFormatOut: AutoreleasingUnsafeMutablePointer<NSDictionary?>,
        for photo: AVCapturePhoto
    ) -> Unmanaged<CVPixelBuffer>?
    /// Not called: files contain no depth.
    func replacementDepthData(for photo: AVCapturePhoto) -> AVDepthData?
    /// Not called: files contain no mattes.
    func replacementPortraitEffectsMatte(for photo: AVCapturePhoto) -> AVPortraitEffectsMatte?
    /// Not called: files contain no mattes.
    func replacementSemanticSegmentationMatte(
        ofType semanticSegmentationMatteType: AVSemanticSegmentationMatte.MatteType, for photo: AVCapturePhoto
    ) -> AVSemanticSegmentationMatte?
    /// Not called: RAW photos are not supported.
    func replacementAppleProRAWCompressionSettings(
        for photo: AVCapturePhoto, defaultSettings: [String: Any], maximumBitDepth: Int
    ) -> [String: Any]
}

extension AVCapturePhotoFileDataRepresentationCustomizer {
    public func replacementMetadata(for photo: AVCapturePhoto) -> [String: Any]? { photo.metadata }

    public func replacementEmbeddedThumbnailPixelBuffer(
        withPhotoFormat replacementEmbeddedThumbnailPhotoFormatOut: AutoreleasingUnsafeMutablePointer<NSDictionary?>,
        for photo: AVCapturePhoto
    ) -> Unmanaged<CVPixelBuffer>? {
        replacementEmbeddedThumbnailPhotoFormatOut.pointee = photo.embeddedThumbnailPhotoFormat.map {
            NSDictionary(dictionary: $0)
        }
        return nil
    }

    public func replacementDepthData(for photo: AVCapturePhoto) -> AVDepthData? { photo.depthData }

    public func replacementPortraitEffectsMatte(for photo: AVCapturePhoto) -> AVPortraitEffectsMatte? { nil }

    public func replacementSemanticSegmentationMatte(
        ofType semanticSegmentationMatteType: AVSemanticSegmentationMatte.MatteType, for photo: AVCapturePhoto
    ) -> AVSemanticSegmentationMatte? { nil }

    public func replacementAppleProRAWCompressionSettings(
        for photo: AVCapturePhoto, defaultSettings: [String: Any], maximumBitDepth: Int
    ) -> [String: Any] { defaultSettings }
}

extension AVCapturePhoto {
    /// Returns the contents of a JPEG file with the customizer's replacements. The image is not compressed again.
    ///
    /// - Returns: Nil for an uncompressed photo, after an error, or if a replacement cannot be stored.
    public func fileDataRepresentation(with customizer: any AVCapturePhotoFileDataRepresentationCustomizer) -> Data? {
        var format: NSDictionary?
        let pixels = customizer.replacementEmbeddedThumbnailPixelBuffer(withPhotoFormat: &format, for: self)
        return fileData(
            metadata: customizer.replacementMetadata(for: self), thumbnailFormat: format as? [String: Any],
            thumbnail: pixels?.takeUnretainedValue())
    }

    /// Returns the contents of a JPEG file with other metadata and another thumbnail. The image is not compressed
    /// again.
    ///
    /// - Parameters:
    ///   - replacementMetadata: Nil removes the metadata; `metadata` keeps it.
    ///   - replacementEmbeddedThumbnailPhotoFormat: Nil removes the thumbnail; `embeddedThumbnailPhotoFormat` without
    ///     pixels keeps it.
    ///   - replacementEmbeddedThumbnailPixelBuffer: The pixels of another thumbnail.
    ///   - replacementDepthData: Ignored: files contain no depth.
    /// - Returns: Nil for an uncompressed photo, after an error, or if a replacement cannot be stored.
    public func fileDataRepresentation(
        withReplacementMetadata replacementMetadata: [String: Any]?,
        replacementEmbeddedThumbnailPhotoFormat: [String: Any]?,
        replacementEmbeddedThumbnailPixelBuffer: CVPixelBuffer?, replacementDepthData: AVDepthData?
    ) -> Data? {
        fileData(
            metadata: replacementMetadata, thumbnailFormat: replacementEmbeddedThumbnailPhotoFormat,
            thumbnail: replacementEmbeddedThumbnailPixelBuffer)
    }

    private func fileData(
        metadata: [String: Any]?, thumbnailFormat: [String: Any]?, thumbnail: CVPixelBuffer?
    ) -> Data? {
        guard let file = contents.file else { return nil }
        do throws(ImageError) {
            var segments = try JPEGSegments(file)
            var exif = metadata.map { EXIF(imageProperties: $0) }
            if let thumbnailFormat {
                let data: Data?
                if let thumbnail {
                    let pixels = (CVPixelBufferGetWidth(thumbnail), CVPixelBufferGetHeight(thumbnail))
                    data = try PhotoThumbnail.encode(thumbnail, PhotoThumbnail.size(thumbnailFormat, of: pixels))
                } else {
                    data = try segments.exif()?.thumbnail
                }
                if let data {
                    exif = exif ?? EXIF()
                    exif?.thumbnail = data
                }
            }
            try segments.setEXIF(exif)
            return segments.data
        } catch {
            return nil
        }
    }
}
