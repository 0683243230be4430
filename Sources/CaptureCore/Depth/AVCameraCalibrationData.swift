import CaptureHAL
public import Foundation
public import MediaTypes

/// The intrinsic and extrinsic parameters of a camera and its lens distortion.
public final class AVCameraCalibrationData: NSObject, Sendable {
    let calibration: CameraCalibration

    init(_ calibration: CameraCalibration) { self.calibration = calibration }

    /// The pinhole model: the focal length in pixels on the diagonal, and the principal point in the last column.
    ///
    /// The principal point is measured in pixels from the image's top-left corner.
    public var intrinsicMatrix: matrix_float3x3 {
        let focal = Float(calibration.focalLength)
        return matrix_float3x3(
            [focal, 0, 0], [0, focal, 0], [Float(calibration.centerX), Float(calibration.centerY), 1])
    }

    /// The image size to which the pixel units of `intrinsicMatrix` refer.
    public var intrinsicMatrixReferenceDimensions: CGSize {
        CGSize(
            width: CGFloat(calibration.referenceDimensions.width),
            height: CGFloat(calibration.referenceDimensions.height))
    }

    /// The camera's pose relative to the reference camera: the rotation, which is always the identity, and the
    /// translation in millimeters in the last column.
    public var extrinsicMatrix: matrix_float4x3 {
        let position = calibration.position
        return matrix_float4x3(
            [1, 0, 0], [0, 1, 0], [0, 0, 1], [Float(position.x), Float(position.y), Float(position.z)])
    }

    /// The side length of one pixel at `intrinsicMatrixReferenceDimensions`, in millimeters; 0 if unknown.
    public var pixelSize: Float { Float(calibration.pixelSizeMillimeters) }

    /// The radial magnification that removes the lens distortion, as 32-bit floats in native byte order; nil if
    /// unknown.
    ///
    /// Entries are equally spaced from the distortion center to the farthest corner. A point at radius r in the
    /// distorted image is at radius r × (1 + entry) in the image of a pinhole camera.
    public var lensDistortionLookupTable: Data? { table { $0 } }

    /// The inverse of `lensDistortionLookupTable`: applies the lens distortion; nil if unknown.
    public var inverseLensDistortionLookupTable: Data? {
        // If R = r (1 + d), then r = R (1 - d / (1 + d)).
        table { -$0 / (1 + $0) }
    }

    /// The distortion center in pixels, from the top-left corner; zero if the distortion is unknown.
    public var lensDistortionCenter: CGPoint {
        calibration.distortion.isEmpty
            ? .zero : CGPoint(x: CGFloat(calibration.centerX), y: CGFloat(calibration.centerY))
    }

    /// Returns a table with a converted value for each entry of the distortion; nil if the distortion is unknown.
    private func table(_ value: (Float) -> Float) -> Data? {
        guard !calibration.distortion.isEmpty else { return nil }
        return calibration.distortion.map(value).withUnsafeBytes { Data($0) }
    }
}

extension CameraCalibration {
    /// Returns the calibration for images rotated clockwise by a number of quarter turns, then mirrored.
    func rotated(quarterTurns: Int, isMirrored: Bool) -> CameraCalibration {
        var result = self
        for _ in 0..<(quarterTurns & 3) {
            let size = result.referenceDimensions
            (result.centerX, result.centerY) = (Double(size.height) - result.centerY, result.centerX)
            result.referenceDimensions = CMVideoDimensions(width: size.height, height: size.width)
        }
        if isMirrored { result.centerX = Double(result.referenceDimensions.width) - result.centerX }
        return result
    }
}
