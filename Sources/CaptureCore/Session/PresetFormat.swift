import CaptureHAL
import MediaTypes

extension AVCaptureSession.Preset {
    /// The width and height in the preset's name; nil if it has none.
    var exactDimensions: (width: Int32, height: Int32)? {
        switch self {
        case .cif352x288: (352, 288)
        case .qvga320x240: (320, 240)
        case .vga640x480: (640, 480)
        case .hd1280x720, .iFrame1280x720: (1280, 720)
        case .hd1920x1080: (1920, 1080)
        case .hd4K3840x2160: (3840, 2160)
        case .qHD960x540, .iFrame960x540: (960, 540)
        default: nil
        }
    }

    /// Returns the device's format for the preset; nil if the device does not support it.
    ///
    /// `high` selects the largest format up to 1920x1080, or the smallest if all are larger. `medium` and `low` select
    /// the format with the number of pixels nearest to 480x360 and 192x144, `photo` the format with the largest
    /// stills, and among these the largest frames.
    /// Equally good formats are ranked by whether they support 30 frames per second, then by the device's order.
    func format(for device: AVCaptureDevice) -> AVCaptureDevice.Format? {
        let formats = device.formats.filter { $0.video != nil }
        if let exact = exactDimensions {
            return best(formats.filter { $0.width == exact.width && $0.height == exact.height })
        }
        switch self {
        case .photo:
            return best(formats) { -($0.photoArea << 32 + $0.area) }
        case .high:
            let fitting = formats.filter { $0.width <= 1920 && $0.height <= 1080 }
            return best(fitting.isEmpty ? formats : fitting) { fitting.isEmpty ? $0.area : -$0.area }
        case .medium:
            return best(formats) { abs($0.area - 480 * 360) }
        case .low:
            return best(formats) { abs($0.area - 192 * 144) }
        default:
            return nil
        }
    }

    /// Returns the format with the lowest cost; nil if `formats` is empty.
    private func best(
        _ formats: [AVCaptureDevice.Format], by cost: (AVCaptureDevice.Format) -> Int64 = { _ in 0 }
    ) -> AVCaptureDevice.Format? {
        let ranked = formats.enumerated().map { index, format in
            let reaches30 = format.video?.supports(frameDuration: CMTime(value: 1, timescale: 30)) ?? false
            return (cost(format), reaches30 ? 0 : 1, index)
        }
        return ranked.min { $0 < $1 }.map { formats[$0.2] }
    }
}

extension AVCaptureDevice.Format {
    fileprivate var width: Int32 { video?.dimensions.width ?? 0 }
    fileprivate var height: Int32 { video?.dimensions.height ?? 0 }
    fileprivate var area: Int64 { Int64(width) * Int64(height) }
    /// The number of pixels of the largest still.
    fileprivate var photoArea: Int64 { video?.photoDimensions.last.map { Int64($0.width) * Int64($0.height) } ?? 0 }
}
