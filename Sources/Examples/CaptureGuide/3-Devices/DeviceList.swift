import AVFoundation

/// The capture devices of the machine.
public enum DeviceList {
    /// All cameras and microphones, except virtual cameras and depth cameras.
    public static var devices: [AVCaptureDevice] {
        AVCaptureDevice.DiscoverySession(
            deviceTypes: [
                .builtInWideAngleCamera, .builtInUltraWideCamera, .builtInTelephotoCamera, .external, .microphone,
            ], mediaType: nil, position: .unspecified
        ).devices
    }

    /// The name of each device, and the position of each camera.
    public static var lines: [String] {
        devices.flatMap { device in
            var lines = ["Device name: \(device.localizedName)"]
            if device.hasMediaType(.video) {
                switch device.position {
                case .back: lines.append("Device position : back")
                case .front: lines.append("Device position : front")
                default: lines.append("Device position : unspecified")
                }
            }
            return lines
        }
    }

    /// The camera at a position; nil if there is none.
    public static func camera(at position: AVCaptureDevice.Position) -> AVCaptureDevice? {
        devices.first { $0.hasMediaType(.video) && $0.position == position }
    }

    /// The cameras with a torch that support a preset.
    public static func camerasWithTorch(supporting preset: AVCaptureSession.Preset) -> [AVCaptureDevice] {
        devices.filter { $0.hasTorch && $0.supportsSessionPreset(preset) }
    }
}
