package import CaptureHAL
public import Foundation
import MediaCodecs
public import MediaTypes
package import PixelKernels

/// A map of how far away is what a picture shows, with what is known of it.
///
/// Not a number stands for what could not be measured.
/// - Important: Thread-safe, immutable; a map that came from a camera goes back to it with the last reference.
public final class AVDepthData: NSObject, @unchecked Sendable {
    // SAFETY: constant, but for the map of a shell, which is behind a lock.
    /// How good the numbers are in all.
    public enum Quality: Int, Sendable, Hashable {
        case low = 0
        case high = 1
    }

    /// What the numbers say.
    public enum Accuracy: Int, Sendable, Hashable {
        /// Their order is right, and their proportions to each other.
        case relative = 0
        /// They are true to scale.
        case absolute = 1
    }

    /// What the object holds.
    package struct Contents: Sendable {
        package var map: CVPixelBuffer
        package var accuracy: Accuracy
        package var quality: Quality
        package var isFiltered: Bool
        package var calibration: CameraCalibration?

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

    private let contents: Lock<Contents?>
    /// Of a map that was dropped: what it would have been.
    private let shell: (format: DepthStreamFormat, accuracy: Accuracy)?
    package let misuse: MisuseHandler

    package init(_ contents: Contents, misuse: MisuseHandler) {
        self.contents = Lock(contents)
        self.misuse = misuse
        shell = nil
    }

    /// The data as they are told once they were dropped.
    package var dropped: AVDepthData {
        let size = CMVideoDimensions(
            width: Int32(CVPixelBufferGetWidth(depthDataMap)), height: Int32(CVPixelBufferGetHeight(depthDataMap)))
        return AVDepthData(
            dropped: DepthStreamFormat(dimensions: size, pixelFormat: depthDataType, frameDurations: []),
            accuracy: depthDataAccuracy, misuse: misuse)
    }

    /// What stands for a map that was dropped.
    package init(dropped format: DepthStreamFormat, accuracy: Accuracy, misuse: MisuseHandler) {
        contents = Lock(nil)
        self.misuse = misuse
        shell = (format, accuracy)
    }

    /// `kCVPixelFormatType_DisparityFloat16`, `…DisparityFloat32`, `…DepthFloat16` or `…DepthFloat32`.
    public var depthDataType: OSType {
        shell?.format.pixelFormat ?? CVPixelBufferGetPixelFormatType(depthDataMap)
    }

    /// The numbers: metres, or 1/metres.
    ///
    /// - Note: Unlike Apple, the map of depth data that were dropped is there, and holds nothing but not-a-numbers.
    public var depthDataMap: CVPixelBuffer { present.map }

    public var depthDataQuality: Quality { shell == nil ? present.quality : .low }
    /// Whether holes were filled and noise taken off.
    public var isDepthDataFiltered: Bool { shell == nil && present.isFiltered }
    public var depthDataAccuracy: Accuracy { shell?.accuracy ?? present.accuracy }
    /// The camera over whose picture the map lies; nil where unknown.
    public var cameraCalibrationData: AVCameraCalibrationData? {
        shell == nil ? present.calibration.map(AVCameraCalibrationData.init) : nil
    }

    /// The types to which the map can be converted: all four.
    public var availableDepthDataTypes: [OSType] { DepthMap.pixelFormats }

    package var present: Contents {
        contents.withLock { contents in
            if let contents { return contents }
            let new = Contents(map: Self.empty(shell?.format), accuracy: shell?.accuracy ?? .relative, quality: .low)
            contents = new
            return new
        }
    }

    /// The data in another type; one that is not among `availableDepthDataTypes` is misuse.
    public func converting(toDepthDataType depthDataType: OSType) -> Self {
        guard DepthMap.pixelFormats.contains(depthDataType) else {
            misuse.report(
                .invalidArgument,
                "-[AVDepthData depthDataByConvertingToDepthDataType:] unrecognized depthDataType "
                    + "\(fourCharacterText(depthDataType)); use availableDepthDataTypes")
            return self
        }
        guard depthDataType != self.depthDataType else { return self }
        return derived(as: depthDataType) { $0 }
    }

    /// The data as they lie over the picture once an orientation was applied to it: map and calibration are turned.
    public func applyingExifOrientation(_ exifOrientation: CGImagePropertyOrientation) -> Self {
        turned(exifOrientation.rotation, isMirrored: exifOrientation.isMirrored)
    }

    /// The data with another map, in one of the four types, and without a calibration.
    ///
    /// - Throws: `AVError.malformedDepth` where the buffer holds no depth.
    public func replacingDepthDataMap(with pixelBuffer: CVPixelBuffer) throws -> Self {
        guard DepthMap.pixelFormats.contains(CVPixelBufferGetPixelFormatType(pixelBuffer)) else {
            throw AVError(
                .malformedDepth,
                "a buffer of pixel format \(fourCharacterText(CVPixelBufferGetPixelFormatType(pixelBuffer))) holds no "
                    + "depth: make it one of hdis, fdis, hdep and fdep")
        }
        var contents = present
        contents.map = pixelBuffer
        contents.calibration = nil
        return Self(contents, misuse: misuse)
    }

    /// The data turned clockwise, then mirrored.
    package func turned(_ rotation: PixelRotation, isMirrored: Bool) -> Self {
        guard rotation != .none || isMirrored else { return self }
        let turned = derived(as: depthDataType) { $0.turned(rotation, isMirrored: isMirrored) }
        var contents = turned.present
        contents.calibration = contents.calibration?.turned(rotation.rawValue / 90, isMirrored: isMirrored)
        return Self(contents, misuse: misuse)
    }

    /// The data with a changed map.
    private func derived(as type: OSType, _ change: (DepthMap) -> DepthMap) -> Self {
        var contents = present
        do throws(PixelError) {
            let map = change(try DepthMap(contents.map, asDisparity: DepthMap.isDisparity(depthDataType)))
            guard let buffer = CVPixelBuffer(width: map.width, height: map.height, pixelFormat: type) else {
                return self
            }
            try map.write(to: buffer)
            contents.map = buffer
        } catch {
            // Only buffers of the four types come in here, and the new one has the map's size.
            preconditionFailure("a depth map of \(fourCharacterText(depthDataType)) cannot be read: \(error)")
        }
        return Self(contents, misuse: misuse)
    }

    private static func empty(_ format: DepthStreamFormat?) -> CVPixelBuffer {
        let size = format?.dimensions ?? CMVideoDimensions(width: 1, height: 1)
        let type = format?.pixelFormat ?? kCVPixelFormatType_DisparityFloat32
        let map = DepthMap(
            width: Int(size.width), height: Int(size.height), isDisparity: DepthMap.isDisparity(type),
            values: [Float](repeating: .nan, count: Int(size.width) * Int(size.height)))
        guard let buffer = CVPixelBuffer(width: map.width, height: map.height, pixelFormat: type) else {
            fatalError("there is no memory for a depth map of \(map.width)x\(map.height)")
        }
        // The buffer has just been made to fit.
        try? map.write(to: buffer)
        return buffer
    }
}
