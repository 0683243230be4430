import CLinuxDevices
import Foundation

@testable import LinuxDevices

/// What a fake camera is pointed at: its pictures follow its exposure, gain, color balances and focus.
///
/// The picture is of stripes; out of focus they fade. It is YUYV of 64x48 by BT.601, and linear light through BT.709's
/// transfer.
final class FakeScene {
    /// The controls that form a picture.
    private struct Settings {
        var exposure = 100.0
        var gain = 1.0
        var red = 1.0
        var blue = 1.0
        var focus = 0.0
    }

    /// The mean of linear light at an exposure of 10 ms and the least gain.
    var light = 0.22
    /// Of the light's color.
    var red = 1.0
    var blue = 1.0
    /// By how much the left half is lit more than the right one.
    var leftLight = 1.0
    /// The number of focus at which stripes are sharpest.
    var sharpest = 0.0
    /// Frames by which a control acts late.
    var lag = 2
    /// The mean linear light of the last picture, and its red and blue over green.
    private(set) var mean = 0.0
    private(set) var redOverGreen = 0.0
    private(set) var blueOverGreen = 0.0
    private var past: [Settings] = []

    /// Takes a picture; nil bytes where the camera's controls are not those of `manualCamera`.
    func picture(of camera: FakeV4L2Device) -> [UInt8] {
        func number(_ id: Int32) -> Double? { camera.number(of: id).map { Double($0) } }
        past.append(
            Settings(
                exposure: number(V4L2_CID_EXPOSURE_ABSOLUTE) ?? 100,
                // A law that the loop does not know.
                gain: 1 + (number(V4L2_CID_GAIN) ?? 0) / 10, red: (number(V4L2_CID_RED_BALANCE) ?? 128) / 128,
                blue: (number(V4L2_CID_BLUE_BALANCE) ?? 128) / 128, focus: number(V4L2_CID_FOCUS_ABSOLUTE) ?? 0))
        let now = past[max(0, past.count - 1 - lag)]
        let level = light * now.exposure / 100 * now.gain
        let offset = (now.focus - sharpest) / 25
        let swing = number(V4L2_CID_FOCUS_ABSOLUTE) == nil ? 0.3 : 0.02 + 0.4 / (1 + offset * offset)
        mean = level * (leftLight + 1) / 2
        redOverGreen = red * now.red
        blueOverGreen = blue * now.blue
        var row: [UInt8] = []
        for x in stride(from: 0, to: 64, by: 2) {
            let part = level * (x < 32 ? leftLight : 1) * (x / 4 % 2 == 0 ? 1 + swing : 1 - swing)
            let (r, g, b) = (code(part * redOverGreen), code(part), code(part * blueOverGreen))
            let luma = 0.299 * r + 0.587 * g + 0.114 * b
            func byte(_ value: Double) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
            let y = byte(16 + luma * 219)
            row += [y, byte(128 + (b - luma) / 1.772 * 224), y, byte(128 + (r - luma) / 1.402 * 224)]
        }
        return Array(repeatElement(row, count: 48).joined())
    }

    /// By Rec. ITU-R BT.709, 0 … 1.
    private func code(_ light: Double) -> Double {
        let light = min(light, 1)
        return light < 0.018 ? 4.5 * light : 1.099 * pow(light, 0.45) - 0.099
    }
}

extension FakeV4L2Device {
    /// A camera whose every control is to be set by hand.
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
