import CaptureHAL
public import Foundation
public import MediaTypes

/// How a camera draws the world.
public final class AVCameraCalibrationData: NSObject, Sendable {
    let calibration: CameraCalibration

    init(_ calibration: CameraCalibration) { self.calibration = calibration }

    /// The pinhole camera: the focal length in pixels on the diagonal, and in the last column where the optical axis
    /// meets the picture, from its left top corner.
    public var intrinsicMatrix: matrix_float3x3 {
        let focal = Float(calibration.focalLength)
        return matrix_float3x3(
            [focal, 0, 0], [0, focal, 0], [Float(calibration.centreX), Float(calibration.centreY), 1])
    }

    /// The picture in which `intrinsicMatrix` counts pixels.
    public var intrinsicMatrixReferenceDimensions: CGSize {
        CGSize(
            width: CGFloat(calibration.referenceDimensions.width),
            height: CGFloat(calibration.referenceDimensions.height))
    }

    /// The camera's attitude to the reference camera, and in the last column its place, in millimetres.
    public var extrinsicMatrix: matrix_float4x3 {
        let place = calibration.place
        return matrix_float4x3(
            [1, 0, 0], [0, 1, 0], [0, 0, 1], [Float(place.x), Float(place.y), Float(place.z)])
    }

    /// The side of one pixel at `intrinsicMatrixReferenceDimensions`, in millimetres; 0 where unknown.
    public var pixelSize: Float { Float(calibration.pixelSizeMillimetres) }

    /// 32-bit floats, native endian: at even steps from the centre of distortion to the farthest corner, by what share of
    /// its distance from there a point is to be moved to be where a pinhole camera has it; nil where unknown.
    public var lensDistortionLookupTable: Data? { table { $0 } }

    /// As `lensDistortionLookupTable`, for the way back; nil where unknown.
    public var inverseLensDistortionLookupTable: Data? {
        // A point at the radius r (1 + d) came from r.
        table { -$0 / (1 + $0) }
    }

    /// From the left top corner of `intrinsicMatrixReferenceDimensions`; zero where the lens is not known.
    public var lensDistortionCenter: CGPoint {
        calibration.distortion.isEmpty
            ? .zero : CGPoint(x: CGFloat(calibration.centreX), y: CGFloat(calibration.centreY))
    }

    private func table(_ value: (Float) -> Float) -> Data? {
        guard !calibration.distortion.isEmpty else { return nil }
        return calibration.distortion.map(value).withUnsafeBytes { Data($0) }
    }
}

extension CameraCalibration {
    /// The camera whose picture is turned clockwise, then mirrored.
    func turned(_ quarters: Int, isMirrored: Bool) -> CameraCalibration {
        var result = self
        for _ in 0..<(quarters & 3) {
            let size = result.referenceDimensions
            (result.centreX, result.centreY) = (Double(size.height) - result.centreY, result.centreX)
            result.referenceDimensions = CMVideoDimensions(width: size.height, height: size.width)
        }
        if isMirrored { result.centreX = Double(result.referenceDimensions.width) - result.centreX }
        return result
    }
}
