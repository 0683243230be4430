import CSimKernels
import CaptureHAL
import PixelKernels

/// The rotation of the upright scene into the coordinates of a sensor. It depends on the orientation of the device.
///
/// Scenes are painted and composed upright. Composed planes and the bitmaps of moving layers are rotated into sensor
/// coordinates when they change. Exposure, noise and encoding then run in sensor coordinates: a frame costs the same in
/// every orientation, and rolling shutter, flicker and noise follow the sensor's rows.
extension PixelRotation {
    /// Creates the rotation from the upright scene to the sensor of a camera.
    ///
    /// - Parameter angle: The clockwise rotation in degrees that makes the sensor's frame upright, a multiple of 90.
    ///   The rotation from the scene to the sensor is its inverse.
    init(invertingLevelingAngle angle: Int) {
        guard let rotation = PixelRotation(degrees: -angle) else {
            preconditionFailure("\(angle) degrees are not a multiple of 90")
        }
        self = rotation
    }

    /// The rotation in the opposite direction.
    var inverse: PixelRotation {
        switch self {
        case .none, .clockwise180: self
        case .clockwise90: .clockwise270
        case .clockwise270: .clockwise90
        }
    }

    /// Returns the upright view of the part of the scene that is visible to a sensor: for a quarter turn, width and
    /// height are swapped and the horizontal field of view is adapted.
    func uprightView(of sensor: SceneView) -> SceneView {
        guard swapsWidthAndHeight else { return sensor }
        let ratio = Double(sensor.height) / Double(sensor.width)
        return SceneView(
            width: sensor.height, height: sensor.width, tangentOfHalfView: sensor.tangentOfHalfView * ratio,
            widestTangent: sensor.widestTangent * ratio)
    }

    /// Returns the top left corner, in the rotated image, of a rectangle in the unrotated image.
    ///
    /// All parameters refer to the unrotated image.
    func rotatedOrigin<Length: BinaryInteger>(
        x: Length, y: Length, width: Length, height: Length, imageWidth: Length, imageHeight: Length
    ) -> (x: Length, y: Length) {
        switch self {
        case .none: (x, y)
        case .clockwise90: (imageHeight - y - height, x)
        case .clockwise180: (imageWidth - x - width, imageHeight - y - height)
        case .clockwise270: (y, imageWidth - x - width)
        }
    }

    /// Projects a horizontal speed in the upright scene onto the sensor's rows; positive is to the right, in any unit.
    func speedAlongRows(_ speed: Double) -> Double {
        switch self {
        case .none: speed
        case .clockwise180: -speed
        case .clockwise90, .clockwise270: 0
        }
    }

    /// Rotates a plane into another one, which must not overlap it.
    ///
    /// `width` and `height` are those of `source`; a quarter turn swaps them. Sizes and strides are in samples. A
    /// sample has 1, 2 or 4 bytes.
    func rotate<Sample>(
        _ source: UnsafePointer<Sample>, width: Int, height: Int, stride: Int,
        to target: UnsafeMutablePointer<Sample>, stride targetStride: Int
    ) {
        csim_rotate(
            source, Int32(MemoryLayout<Sample>.size), Int32(width), Int32(height), Int64(stride), Int32(rawValue),
            target, Int64(targetStride))
    }

    /// Rotates the composed planes: green at full size, red and blue at half the width and height.
    ///
    /// The developed planes of `target` do not change.
    func rotate(_ source: csim_planes, to target: csim_planes) {
        let (width, height) = (Int(source.width), Int(source.height))
        let (stride, targetStride) = (Int(source.stride), Int(target.stride))
        rotate(source.green, width: width, height: height, stride: stride, to: target.green, stride: targetStride)
        rotate(
            source.red, width: width / 2, height: height / 2, stride: stride / 2, to: target.red,
            stride: targetStride / 2)
        rotate(
            source.blue, width: width / 2, height: height / 2, stride: stride / 2, to: target.blue,
            stride: targetStride / 2)
    }
}
