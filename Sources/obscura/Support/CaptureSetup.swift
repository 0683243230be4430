import Capture
import CaptureHAL
import Foundation
import MediaTypes

/// A session with the devices and formats that a command asks for.
struct CaptureSetup {
    let session = AVCaptureSession()
    let camera: AVCaptureDevice?
    let microphone: AVCaptureDevice?

    /// The presets by their names on the command line.
    static let presets: [String: AVCaptureSession.Preset] = [
        "high": .high, "medium": .medium, "low": .low, "photo": .photo, "352x288": .cif352x288, "640x480": .vga640x480,
        "960x540": .iFrame960x540, "1280x720": .hd1280x720, "1920x1080": .hd1920x1080, "3840x2160": .hd4K3840x2160,
    ]

    init(
        camera: AVCaptureDevice?, wantsAudio: Bool, size: PictureSize?, preset: String?, framesPerSecond: Double?
    ) throws {
        let isCamera = camera?.hasMediaType(.video) ?? false
        self.camera = isCamera ? camera : nil
        let ownMicrophone = camera.flatMap { $0.hasMediaType(.audio) && !isCamera ? $0 : nil }
        microphone = wantsAudio ? ownMicrophone ?? AVCaptureDevice.default(for: .audio) : nil
        guard self.camera != nil || microphone != nil else {
            throw CommandFailure("there is no camera and no microphone; 'obscura devices' shows what is there")
        }
        session.beginConfiguration()
        if let preset = preset.flatMap({ Self.presets[$0] }) { session.sessionPreset = preset }
        for device in [self.camera, microphone].compactMap({ $0 }) {
            let input = try AVCaptureDeviceInput(device: device)
            guard session.canAddInput(input) else {
                throw CommandFailure(
                    "\(device.localizedName) does not support the preset \(preset ?? ""); 'obscura devices' shows its formats"
                )
            }
            session.addInput(input)
        }
        session.commitConfiguration()
        if let camera = self.camera, size != nil || framesPerSecond != nil {
            try Self.select(camera, size, framesPerSecond)
        } else if self.camera == nil, let size {
            throw CommandFailure("there is no camera to deliver \(size.width)x\(size.height)")
        }
    }

    /// When the last of the sources came to its end; nil while more may come.
    var endTime: CMTime? {
        var last: CMTime?
        for port in session.inputs.flatMap(\.ports) {
            guard let end = port.endTime else { return nil }
            last = max(last ?? end, end)
        }
        return last
    }

    /// Lets an output turn the picture as a recorded file says that it was held; simulated and real cameras stay as
    /// they are mounted.
    func standUpright(_ output: AVCaptureOutput, _ command: CommandSystem) {
        guard case .file = command.backend, let angle = camera?.hardware.descriptor.mountingAngle,
            let connection = output.connection(with: .video), connection.isVideoRotationAngleSupported(CGFloat(angle))
        else { return }
        connection.videoRotationAngle = CGFloat(angle)
    }

    /// Makes the format of that size and rate the active one.
    private static func select(_ camera: AVCaptureDevice, _ size: PictureSize?, _ framesPerSecond: Double?) throws {
        let active = camera.activeFormat.formatDescription.dimensions
        let wanted = size.map { CMVideoDimensions(width: $0.width, height: $0.height) } ?? active
        let fitting = camera.formats.filter { $0.formatDescription.dimensions == wanted && $0.mediaType == .video }
        guard !fitting.isEmpty else { throw CommandFailure(nearest(to: wanted, of: camera)) }
        let duration = framesPerSecond.map(frameDuration)
        guard let format = fitting.first(where: { format in duration.map { offers(format, $0) } ?? true }) else {
            var rates: [String] = []
            for rate in fitting.flatMap(\.rates) where !rates.contains(rate) { rates.append(rate) }
            throw CommandFailure(
                "\(camera.localizedName) has no \(plainNumber(framesPerSecond ?? 0)) frames a second at "
                    + "\(wanted.width)x\(wanted.height); it has \(rates.joined(separator: ", "))")
        }
        try camera.lockForConfiguration()
        defer { camera.unlockForConfiguration() }
        camera.activeFormat = format
        if let duration {
            camera.activeVideoMinFrameDuration = duration
            camera.activeVideoMaxFrameDuration = duration
        }
    }

    private static func offers(_ format: AVCaptureDevice.Format, _ duration: CMTime) -> Bool {
        format.videoSupportedFrameRateRanges.contains {
            $0.minFrameDuration <= duration && duration <= $0.maxFrameDuration
        }
    }

    /// One frame's time: exact for whole rates and for those of television, as 29.97.
    private static func frameDuration(_ framesPerSecond: Double) -> CMTime {
        let whole = framesPerSecond.rounded()
        if abs(framesPerSecond - whole) < 1e-9 { return CMTime(value: 1, timescale: CMTimeScale(whole)) }
        let television = (framesPerSecond * 1.001).rounded()
        if abs(framesPerSecond - television / 1.001) < 0.005 {
            return CMTime(value: 1001, timescale: CMTimeScale(television * 1000))
        }
        return CMTime(seconds: 1 / framesPerSecond, preferredTimescale: 1_000_000_000)
    }

    /// Says which sizes the camera has that come next to the one that it lacks.
    private static func nearest(to wanted: CMVideoDimensions, of camera: AVCaptureDevice) -> String {
        var sizes: [CMVideoDimensions] = []
        for format in camera.formats where format.mediaType == .video {
            let size = format.formatDescription.dimensions
            if !sizes.contains(size) { sizes.append(size) }
        }
        func distance(_ size: CMVideoDimensions) -> Int64 {
            let (dx, dy) = (Int64(size.width - wanted.width), Int64(size.height - wanted.height))
            return dx * dx + dy * dy
        }
        let names = sizes.sorted { distance($0) < distance($1) }.prefix(3).map { "\($0.width)x\($0.height)" }
        return "\(camera.localizedName) has no \(wanted.width)x\(wanted.height); the nearest are "
            + names.joined(separator: ", ")
    }
}
