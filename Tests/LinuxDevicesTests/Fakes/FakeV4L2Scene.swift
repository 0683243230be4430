import CLinuxDevices
import Foundation

@testable import LinuxDevices

/// A striped scene that renders the frames of a fake camera according to its exposure, gain, color balance and focus
/// controls.
///
/// Frames are 64x48 YUYV by BT.601, with the transfer function of BT.709. Defocus reduces the contrast of the stripes.
final class FakeV4L2Scene {
    /// The values of the controls that affect a frame.
    private struct Settings {
        /// In units of 100 µs.
        var exposure = 100.0
        /// The factor by which the gain multiplies linear light.
        var gain = 1.0
        /// The gains of red and blue relative to green.
        var red = 1.0
        var blue = 1.0
        var focus = 0.0
    }

    /// The mean linear light of a frame's right half at an exposure of 10 ms and the minimum gain, relative to white.
    var light = 0.22
    /// The red component of the light, relative to green.
    var red = 1.0
    /// The blue component of the light, relative to green.
    var blue = 1.0
    /// The light on the left half relative to the right half.
    var leftLight = 1.0
    /// The value of the focus control at which the stripes are sharpest.
    var sharpestFocus = 0.0
    /// The number of frames between a change of a control and its effect.
    var delayFrameCount = 2
    /// The mean linear light of the last frame before clipping.
    private(set) var mean = 0.0
    /// The ratio of red to green in the last frame.
    private(set) var redOverGreen = 0.0
    /// The ratio of blue to green in the last frame.
    private(set) var blueOverGreen = 0.0
    /// The settings at each frame so far.
    private var history: [Settings] = []

    /// Renders the next frame with the camera's controls. A missing control has its neutral value.
    func frame(of camera: FakeV4L2Device) -> [UInt8] {
        func number(_ id: Int32) -> Double? { camera.number(of: id).map { Double($0) } }
        history.append(
            Settings(
                exposure: number(V4L2_CID_EXPOSURE_ABSOLUTE) ?? 100,
                // V4L2 defines no unit for the gain, so automatic exposure cannot rely on this relation.
                gain: 1 + (number(V4L2_CID_GAIN) ?? 0) / 10, red: (number(V4L2_CID_RED_BALANCE) ?? 128) / 128,
                blue: (number(V4L2_CID_BLUE_BALANCE) ?? 128) / 128, focus: number(V4L2_CID_FOCUS_ABSOLUTE) ?? 0))
        let settings = history[max(0, history.count - 1 - delayFrameCount)]
        let level = light * settings.exposure / 100 * settings.gain
        let defocus = (settings.focus - sharpestFocus) / 25
        let contrast = number(V4L2_CID_FOCUS_ABSOLUTE) == nil ? 0.3 : 0.02 + 0.4 / (1 + defocus * defocus)
        mean = level * (leftLight + 1) / 2
        redOverGreen = red * settings.red
        blueOverGreen = blue * settings.blue
        var row: [UInt8] = []
        for x in stride(from: 0, to: 64, by: 2) {
            let linear = level * (x < 32 ? leftLight : 1) * (x / 4 % 2 == 0 ? 1 + contrast : 1 - contrast)
            let (r, g, b) = (encoded(linear * redOverGreen), encoded(linear), encoded(linear * blueOverGreen))
            let luma = 0.299 * r + 0.587 * g + 0.114 * b
            func byte(_ value: Double) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
            let y = byte(16 + luma * 219)
            row += [y, byte(128 + (b - luma) / 1.772 * 224), y, byte(128 + (r - luma) / 1.402 * 224)]
        }
        return Array(repeatElement(row, count: 48).joined())
    }

    /// Applies the transfer function of Rec. ITU-R BT.709; the result is 0 … 1.
    private func encoded(_ light: Double) -> Double {
        let light = min(light, 1)
        return light < 0.018 ? 4.5 * light : 1.099 * pow(light, 0.45) - 0.099
    }
}

extension FakeV4L2Device {
    /// Creates a camera without automatic modes.
    static func manual() -> FakeV4L2Device {
        let camera = FakeV4L2Device(modes: [.yuyv([(64, 48)])])
        camera.controls = [
            .menu(V4L2_CID_EXPOSURE_AUTO, [nil, 1], 1), .integer(V4L2_CID_EXPOSURE_ABSOLUTE, 1...5000, 157),
            .integer(V4L2_CID_GAIN, 0...150, 0), .integer(V4L2_CID_RED_BALANCE, 1...400, 128),
            .integer(V4L2_CID_BLUE_BALANCE, 1...400, 128), .integer(V4L2_CID_FOCUS_ABSOLUTE, 0...250, 0),
        ]
        return camera
    }
}
