import CaptureCore
import CaptureHAL
import Foundation
import MediaTypes
import RecordedDevices

/// A session with the devices and formats that a command asks for.
struct CaptureSetup {
    let session = AVCaptureSession()
    let camera: AVCaptureDevice?
    let microphone: AVCaptureDevice?

    /// What a user asks of the camera; nil takes what suits.
    struct Wish {
        var size: PictureSize?
        var preset: PresetName?
        var rate: FrameRate?
        var settings: CameraOptions?
    }

    private let settings: CameraOptions?

    init(_ command: CommandSystem, camera: AVCaptureDevice?, wantsAudio: Bool, _ wish: Wish) throws {
        settings = wish.settings
        let isCamera = camera?.hasMediaType(.video) ?? false
        self.camera = isCamera ? camera : nil
        let ownMicrophone = camera.flatMap { $0.hasMediaType(.audio) && !isCamera ? $0 : nil }
        // To look for microphones takes longer than to start a camera.
        let common = { AVCaptureDevice.default(for: .audio).flatMap { command.canPlay($0) ? $0 : nil } }
        microphone = wantsAudio ? ownMicrophone ?? common() : nil
        guard self.camera != nil || microphone != nil else {
            throw CommandFailure("there is no camera and no microphone; 'obscura devices' shows what is there")
        }
        session.beginConfiguration()
        for device in [self.camera, microphone].compactMap({ $0 }) {
            let input = try AVCaptureDeviceInput(device: device)
            guard session.canAddInput(input) else {
                throw CommandFailure("\(device.localizedName) cannot be captured from")
            }
            session.addInput(input)
        }
        if let preset = wish.preset {
            guard session.canSetSessionPreset(preset.preset) else {
                throw CommandFailure(
                    "\(self.camera?.localizedName ?? "the microphone") does not have the preset \(preset.text); "
                        + "it has \(PresetName.supported(by: session))")
            }
            session.sessionPreset = preset.preset
        }
        session.commitConfiguration()
        guard let camera = self.camera else {
            if let size = wish.size {
                throw CommandFailure("there is no camera to deliver \(size.width)x\(size.height)")
            }
            return
        }
        let playable = command.playableStreams(of: camera)
        if !playable.isEmpty {
            try Self.select(camera, among: playable, wish)
        } else if wish.size != nil || wish.rate != nil {
            try Self.select(camera, wish.size, wish.rate)
        }
    }

    /// Makes active what a trace holds: nothing else can be played.
    private static func select(_ camera: AVCaptureDevice, among playable: [PlayableStream], _ wish: Wish) throws {
        let preset = wish.preset.map { _ in camera.activeFormat.formatDescription.dimensions }
        let size = wish.size.map { CMVideoDimensions(width: $0.width, height: $0.height) } ?? preset
        for stream in playable {
            guard let format = camera.formats.first(where: { $0.stream == stream.format }),
                size.map({ $0 == format.formatDescription.dimensions }) ?? true,
                wish.rate.map({ $0.frameDuration == stream.frameDuration }) ?? true
            else { continue }
            return try activate(camera, format, stream.frameDuration)
        }
        var held: [String] = []
        for case (.video(let format), let duration) in playable.map({ ($0.format, $0.frameDuration) }) {
            let text =
                "--size \(format.dimensions.width)x\(format.dimensions.height) --fps \(plainNumber(1 / duration.seconds))"
            if !held.contains(text) { held.append(text) }
        }
        let option = wish.size != nil ? "--size" : wish.preset != nil ? "--preset" : "--fps"
        throw CommandFailure(
            "the trace of \(camera.localizedName) does not hold what \(option) asks for; it holds "
                + held.joined(separator: ", "))
    }

    /// Starts the session and sets the camera.
    ///
    /// - Parameter failure: Of the session.
    func start(_ failure: SessionFailure) throws {
        session.startRunning()
        try failure.check(self)
        try settings?.apply(to: camera)
    }

    /// How many frames a second the camera is set to; nil where that may vary.
    var steadyRate: Double? {
        guard let camera else { return nil }
        let (shortest, longest) = (camera.activeVideoMinFrameDuration, camera.activeVideoMaxFrameDuration)
        return shortest == longest && shortest.seconds > 0 ? 1 / shortest.seconds : nil
    }

    /// Frames a second of what was captured: the camera's own rate where the count fits that, else the mean.
    func rate(frameCount: Int, seconds: Double) -> Double {
        guard seconds > 0 else { return 0 }
        // A count of whole frames in a length that is no multiple of theirs is up to one too many or too few.
        let steady = steadyRate.flatMap { abs(Double(frameCount) - $0 * seconds) <= 1 && frameCount > 0 ? $0 : nil }
        return ((steady ?? Double(frameCount) / seconds) * 1000).rounded() / 1000
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

    /// Whether the camera came to its end, as a file's pictures do, while sound may go on.
    var hasCameraEnded: Bool {
        session.inputs.flatMap(\.ports).contains { $0.mediaType == .video && $0.endTime != nil }
    }

    /// What is said of a camera that stopped delivering, so long after the first frame.
    func silence(after time: CMTime) -> String {
        "\(camera?.localizedName ?? "the camera") stopped delivering after \(String(format: "%.3f", time.seconds)) s: "
            + "plug it in again or restart its driver"
    }

    /// What is said of a camera that delivered nothing at all.
    func absence(within time: CMTime) -> String {
        "no frame came from \(camera?.localizedName ?? "the source") within \(plainNumber(time.seconds)) s"
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
    private static func select(_ camera: AVCaptureDevice, _ size: PictureSize?, _ rate: FrameRate?) throws {
        let active = camera.activeFormat.formatDescription.dimensions
        let wanted = size.map { CMVideoDimensions(width: $0.width, height: $0.height) } ?? active
        let fitting = camera.formats.filter { $0.formatDescription.dimensions == wanted && $0.mediaType == .video }
        guard !fitting.isEmpty else { throw CommandFailure(nearest(to: wanted, of: camera)) }
        guard let format = fitting.first(where: { format in rate.map { offers(format, $0.frameDuration) } ?? true })
        else {
            var rates: [String] = []
            for rate in fitting.flatMap(\.rates) where !rates.contains(rate) { rates.append(rate) }
            throw CommandFailure(
                "\(camera.localizedName) has no \(plainNumber(rate?.framesPerSecond ?? 0)) frames a second at "
                    + "\(wanted.width)x\(wanted.height); it has \(rates.joined(separator: ", "))")
        }
        try activate(camera, format, rate?.frameDuration)
    }

    private static func activate(
        _ camera: AVCaptureDevice, _ format: AVCaptureDevice.Format, _ frameDuration: CMTime?
    ) throws {
        try camera.lockForConfiguration()
        defer { camera.unlockForConfiguration() }
        camera.activeFormat = format
        if let frameDuration {
            camera.activeVideoMinFrameDuration = frameDuration
            camera.activeVideoMaxFrameDuration = frameDuration
        }
    }

    private static func offers(_ format: AVCaptureDevice.Format, _ duration: CMTime) -> Bool {
        format.videoSupportedFrameRateRanges.contains {
            $0.minFrameDuration <= duration && duration <= $0.maxFrameDuration
        }
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
