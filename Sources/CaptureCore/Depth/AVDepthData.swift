import AssetTypes
package import CaptureHAL
public import Foundation
import MediaCodecs
public import MediaTypes
package import PixelKernels

/// A depth or disparity map of an image, with its accuracy and calibration.
///
/// Values that could not be measured are NaN.
/// - Important: Thread-safe, immutable. Releasing the last reference to a map from a camera recycles its buffer.
public final class AVDepthData: NSObject, @unchecked Sendable {
    // SAFETY: constants, except for the map of a dropped frame, which is created behind a lock.
    /// The overall quality of the map's values.
    public enum Quality: Int, Sendable, Hashable {
        case low = 0
        case high = 1
    }

    /// Whether values are absolute distances.
    public enum Accuracy: Int, Sendable, Hashable {
        /// Values are correct only in relation to each other within the map.
        case relative = 0
        /// Values are correct in meters or 1/meters.
        case absolute = 1
    }

    /// The map and its properties.
    package struct Contents: Sendable {
        package var map: CVPixelBuffer
        package var accuracy: Accuracy
        package var quality: Quality
        package var isFiltered: Bool
        package var calibration: CameraCalibration?

        /// Creates contents. By default, the accuracy is relative and the quality high.
        package init(
            map: CVPixelBuffer, accuracy: Accuracy = .relative, quality: Quality = .high, isFiltered: Bool = false,
            calibration: CameraCalibration? = nil
        ) {
            self.map = map
            self.accuracy = accuracy
            self.quality = quality
            self.isFiltered = isFiltered
            self.calibration = calibration
        }
    }

    private let storedContents: Lock<Contents?>
    /// The format of a dropped map; nil if the map was delivered.
    private let droppedFormat: (format: DepthStreamFormat, accuracy: Accuracy)?
    package let misuse: MisuseHandler

    /// Creates depth data; `misuse` receives reports of invalid calls.
    package init(_ contents: Contents, misuse: MisuseHandler) {
        storedContents = Lock(contents)
        self.misuse = misuse
        droppedFormat = nil
    }

    /// A placeholder of the same format and accuracy, to report that this data was dropped.
    package var dropped: AVDepthData {
        let size = CMVideoDimensions(
            width: Int32(CVPixelBufferGetWidth(depthDataMap)), height: Int32(CVPixelBufferGetHeight(depthDataMap)))
        return AVDepthData(
            dropped: DepthStreamFormat(dimensions: size, pixelFormat: depthDataType, frameDurations: []),
            accuracy: depthDataAccuracy, misuse: misuse)
    }

    /// Creates the placeholder for a dropped map.
    package init(dropped format: DepthStreamFormat, accuracy: Accuracy, misuse: MisuseHandler) {
        storedContents = Lock(nil)
        self.misuse = misuse
        droppedFormat = (format, accuracy)
    }

    /// `kCVPixelFormatType_DisparityFloat16`, `…DisparityFloat32`, `…DepthFloat16` or `…DepthFloat32`.
    public var depthDataType: OSType {
        droppedFormat?.format.pixelFormat ?? CVPixelBufferGetPixelFormatType(depthDataMap)
    }

    /// The values, in meters (depth) or 1/meters (disparity).
    ///
    /// - Note: Unlike Apple, the map of dropped depth data exists; all its values are NaN.
    public var depthDataMap: CVPixelBuffer { contents.map }

    public var depthDataQuality: Quality { droppedFormat == nil ? contents.quality : .low }
    /// Whether holes are filled and noise is smoothed.
    public var isDepthDataFiltered: Bool { droppedFormat == nil && contents.isFiltered }
    public var depthDataAccuracy: Accuracy { droppedFormat?.accuracy ?? contents.accuracy }
    /// The calibration of the camera that captured the image to which the map is aligned; nil if unknown.
    public var cameraCalibrationData: AVCameraCalibrationData? {
        droppedFormat == nil ? contents.calibration.map(AVCameraCalibrationData.init) : nil
    }

    /// The types to which the map can be converted: all four depth and disparity types.
    public var availableDepthDataTypes: [OSType] { DepthMap.pixelFormats }

    /// The contents; for a dropped map, a map of NaN values that is created on first use.
    package var contents: Contents {
        storedContents.withLock { contents in
            if let contents { return contents }
            let new = Contents(
                map: Self.nanMap(droppedFormat?.format), accuracy: droppedFormat?.accuracy ?? .relative, quality: .low)
            contents = new
            return new
        }
    }

    /// Returns the data converted to another type.
    ///
    /// A type that is not in `availableDepthDataTypes` is misuse, and the data is returned unchanged.
    public func converting(toDepthDataType depthDataType: OSType) -> Self {
        guard DepthMap.pixelFormats.contains(depthDataType) else {
            misuse.report(
                .invalidArgument,
                "-[AVDepthData depthDataByConvertingToDepthDataType:] unrecognized depthDataType "
                    + "\(fourCharacterText(depthDataType)); use availableDepthDataTypes")
            return self
        }
        guard depthDataType != self.depthDataType else { return self }
        guard let contents = transformedContents(as: depthDataType, { $0 }) else { return self }
        return Self(contents, misuse: misuse)
    }

    /// Returns the data aligned to the image after an orientation is applied to it: rotates the map and the
    /// calibration.
    public func applyingExifOrientation(_ exifOrientation: CGImagePropertyOrientation) -> Self {
        rotated(exifOrientation.rotation, isMirrored: exifOrientation.isMirrored)
    }

    /// Returns the data with its map replaced and without a calibration.
    ///
    /// - Parameter pixelBuffer: A map in one of the four depth and disparity types.
    /// - Throws: `AVError.malformedDepth` if the pixel format is not a depth or disparity type.
    public func replacingDepthDataMap(with pixelBuffer: CVPixelBuffer) throws -> Self {
        guard DepthMap.pixelFormats.contains(CVPixelBufferGetPixelFormatType(pixelBuffer)) else {
            throw AVError(
                .malformedDepth,
                "a buffer of pixel format \(fourCharacterText(CVPixelBufferGetPixelFormatType(pixelBuffer))) is not a "
                    + "depth map: use hdis, fdis, hdep or fdep")
        }
        var contents = contents
        contents.map = pixelBuffer
        contents.calibration = nil
        return Self(contents, misuse: misuse)
    }

    /// Returns the data rotated clockwise, then mirrored; the unchanged data if out of memory.
    package func rotated(_ rotation: PixelRotation, isMirrored: Bool) -> Self {
        guard rotation != .none || isMirrored else { return self }
        let rotated = transformedContents(as: depthDataType) { $0.rotated(rotation, isMirrored: isMirrored) }
        guard var contents = rotated else { return self }
        contents.calibration = contents.calibration?.rotated(
            quarterTurns: rotation.rawValue / 90, isMirrored: isMirrored)
        return Self(contents, misuse: misuse)
    }

    /// Returns the contents with a transformed map in a pixel format; nil if out of memory.
    private func transformedContents(as type: OSType, _ transform: (DepthMap) -> DepthMap) -> Contents? {
        var contents = contents
        do throws(ImageError) {
            let map = transform(try DepthMap(contents.map, asDisparity: DepthMap.isDisparity(depthDataType)))
            guard let buffer = CVPixelBuffer(width: map.width, height: map.height, pixelFormat: type) else {
                return nil
            }
            try map.write(to: buffer)
            contents.map = buffer
        } catch {
            // Initializers only accept buffers of the four types, and the new buffer has the map's size.
            preconditionFailure("a depth map of \(fourCharacterText(depthDataType)) cannot be read: \(error)")
        }
        return contents
    }

    private static func nanMap(_ format: DepthStreamFormat?) -> CVPixelBuffer {
        let size = format?.dimensions ?? CMVideoDimensions(width: 1, height: 1)
        let type = format?.pixelFormat ?? kCVPixelFormatType_DisparityFloat32
        let map = DepthMap(
            width: Int(size.width), height: Int(size.height), isDisparity: DepthMap.isDisparity(type),
            values: [Float](repeating: .nan, count: Int(size.width) * Int(size.height)))
        guard let buffer = CVPixelBuffer(width: map.width, height: map.height, pixelFormat: type) else {
            fatalError("cannot allocate a depth map of \(map.width)x\(map.height)")
        }
        // The buffer was allocated with the map's size and type.
        try? map.write(to: buffer)
        return buffer
    }
}
