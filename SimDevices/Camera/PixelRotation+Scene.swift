import CSimKernels
import CaptureHAL
import PixelKernels

// The rotation from the upright scene to the frame of a sensor, which is fixed in a machine that is held in some
// orientation.
//
// Scenes are painted and composed upright. Composed planes and the bitmaps of moving layers are rotated to the sensor
// when they change, and are developed in its coordinates: a frame costs the same in every orientation, and rolling
// shutter, flicker and noise follow the sensor's rows.
extension PixelRotation {
    /// Creates the rotation from the upright scene to the sensor of a camera.
    ///
    /// - Parameter leveling: Clockwise degrees that level the sensor's frame, a multiple of 90.
    init(leveling: Int) { self = PixelRotation(degrees: -leveling) ?? .none }

    /// The rotation in the opposite direction.
    var inverse: PixelRotation {
        switch self {
        case .none, .clockwise180: self
        case .clockwise90: .clockwise270
        case .clockwise270: .clockwise90
        }
    }

    /// Returns the view of an upright camera that sees the same part of the scene as a sensor.
    func uprightView(of sensor: SceneView) -> SceneView {
        guard swapsWidthAndHeight else { return sensor }
        let ratio = Double(sensor.height) / Double(sensor.width)
        return SceneView(
            width: sensor.height, height: sensor.width, tangentOfHalfView: sensor.tangentOfHalfView * ratio,
            widestTangent: sensor.widestTangent * ratio)
    }

    /// Returns the top left corner that a rectangle of an image has after the rotation of the image.
    func corner<Length: BinaryInteger>(
        x: Length, y: Length, width: Length, height: Length, imageWidth: Length, imageHeight: Length
    ) -> (x: Length, y: Length) {
        switch self {
        case .none: (x, y)
        case .clockwise90: (imageHeight - y - height, x)
        case .clockwise180: (imageWidth - x - width, imageHeight - y - height)
        case .clockwise270: (y, imageWidth - x - width)
        }
    }

    /// Returns the component along the sensor's rows of a horizontal speed in the scene.
    func speedAlongRows(_ speed: Double) -> Double {
        switch self {
        case .none: speed
        case .clockwise180: -speed
        case .clockwise90, .clockwise270: 0
        }
    }

    /// Rotates a plane. The size is that of `source`; sizes and strides are in samples of 1, 2 or 4 bytes.
    func rotate<Sample>(
        _ source: UnsafePointer<Sample>, width: Int, height: Int, stride: Int,
        to target: UnsafeMutablePointer<Sample>, stride targetStride: Int
    ) {
        csim_rotate(
            source, Int32(MemoryLayout<Sample>.size), Int32(width), Int32(height), Int64(stride), Int32(rawValue),
            target, Int64(targetStride))
    }

    /// Rotates composed planes.
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
