import AssetTypes
import CaptureCore
import CaptureHAL
import CapturePreview
import Foundation
import MediaTypes
import PixelKernels
import RecordedDevices

/// A session with the devices and formats that a command requests.
struct CaptureSetup {
    let session = AVCaptureSession()
    let camera: AVCaptureDevice?
    let microphone: AVCaptureDevice?

    /// The requested settings of the camera; nil is the default.
    struct Requirements {
        var size: PixelSize?
        var preset: PresetName?
        var rate: FrameRate?
        var settings: CameraOptions?
    }

    private let settings: CameraOptions?

    /// Creates a session and configures its devices.
    ///
    /// - Parameter camera: The selected device, which can also be a microphone; nil if there is no camera.
    init(_ command: CommandSystem, camera: AVCaptureDevice?, wantsAudio: Bool, _ requirements: Requirements) throws {
        settings = requirements.settings
        let isCamera = camera?.hasMediaType(.video) ?? false
        self.camera = isCamera ? camera : nil
        let selectedMicrophone = camera.flatMap { $0.hasMediaType(.audio) && !isCamera ? $0 : nil }
        // Evaluated only if needed: discovering microphones takes longer than starting a camera.
        let defaultMicrophone = { AVCaptureDevice.default(for: .audio).flatMap { command.canPlay($0) ? $0 : nil } }
        microphone = wantsAudio ? selectedMicrophone ?? defaultMicrophone() : nil
        guard self.camera != nil || microphone != nil else {
            throw CommandFailure("there is no camera and no microphone\(command.missingDeviceAdvice)")
        }
        session.beginConfiguration()
        for device in [self.camera, microphone].compactMap({ $0 }) {
            let input = try AVCaptureDeviceInput(device: device)
            guard session.canAddInput(input) else {
                throw CommandFailure("\(device.localizedName) cannot be added to a session")
            }
            session.addInput(input)
        }
        if let preset = requirements.preset {
            guard session.canSetSessionPreset(preset.preset) else {
                throw CommandFailure(
                    "\(self.camera?.localizedName ?? "the microphone") does not support the preset \(preset.text); "
                        + "it supports \(PresetName.supported(by: session))")
            }
            session.sessionPreset = preset.preset
        }
        session.commitConfiguration()
        guard let camera = self.camera else {
            if let size = requirements.size {
                throw CommandFailure("there is no camera to deliver \(size.width)x\(size.height)")
            }
            return
        }
        let playable = command.playableStreams(of: camera)
        if !playable.isEmpty {
            try Self.select(camera, among: playable, requirements)
        } else if requirements.size != nil || requirements.rate != nil {
            try Self.select(camera, requirements.size, requirements.rate)
        }
    }

    /// Activates a requested format and frame duration that the trace contains; others cannot be replayed.
    private static func select(
        _ camera: AVCaptureDevice, among playable: [PlayableStream], _ requirements: Requirements
    ) throws {
        let presetSize = requirements.preset.map { _ in camera.activeFormat.formatDescription.dimensions.pixelSize }
        let size = requirements.size ?? presetSize
        for stream in playable {
            guard let format = camera.formats.first(where: { $0.stream == stream.format }),
                size.map({ $0 == format.formatDescription.dimensions.pixelSize }) ?? true,
                requirements.rate.map({ $0.frameDuration == stream.frameDuration }) ?? true
            else { continue }
            return try activate(camera, format, stream.frameDuration)
        }
        var available: [String] = []
        for case (.video(let format), let duration) in playable.map({ ($0.format, $0.frameDuration) }) {
            let text =
                "--size \(format.dimensions.width)x\(format.dimensions.height) --fps \(plainNumber(1 / duration.seconds))"
            if !available.contains(text) { available.append(text) }
        }
        let option = requirements.size != nil ? "--size" : requirements.preset != nil ? "--preset" : "--fps"
        throw CommandFailure(
            "the trace of \(camera.localizedName) does not contain the requested \(option); it contains "
                + available.joined(separator: ", "))
    }

    /// Starts the session and applies the camera options.
    ///
    /// - Parameter failure: The observer of the session.
    func start(_ failure: SessionFailure) throws {
        session.startRunning()
        if !session.isRunning { failure.waitForReason() }
        try failure.check(self)
        try settings?.apply(to: camera)
    }

    /// Whether the frames of the camera have 10 bits per component.
    var hasTenBits: Bool {
        let code = camera?.activeFormat.formatDescription.mediaSubType.rawValue
        return code.map { PixelLayout.tenBitPixelFormats.contains($0) } ?? false
    }

    /// The frame rate that the camera is set to; nil if it is variable.
    var steadyRate: Double? {
        guard let camera else { return nil }
        let (shortest, longest) = (camera.activeVideoMinFrameDuration, camera.activeVideoMaxFrameDuration)
        return shortest == longest && shortest.seconds > 0 ? 1 / shortest.seconds : nil
    }

    /// Returns the frame rate of a capture: the camera's own rate if the frame count matches it, else the mean.
    func rate(frameCount: Int, seconds: Double) -> Double {
        guard seconds > 0 else { return 0 }
        // The count may differ by one if the length is not a multiple of the frame duration.
        let steady = steadyRate.flatMap { abs(Double(frameCount) - $0 * seconds) <= 1 && frameCount > 0 ? $0 : nil }
        return ((steady ?? Double(frameCount) / seconds) * 1000).rounded() / 1000
    }

    /// The time at which the last source ended; nil while a source is still delivering.
    var endTime: CMTime? {
        var last: CMTime?
        for port in session.inputs.flatMap(\.ports) {
            guard let end = port.endTime else { return nil }
            last = max(last ?? end, end)
        }
        return last
    }

    /// Whether the video has ended, as at the end of the video track of a file; audio can continue.
    var hasCameraEnded: Bool {
        session.inputs.flatMap(\.ports).contains { $0.mediaType == .video && $0.endTime != nil }
    }

    /// Returns the message for a camera that stopped delivering frames some time after the start of the capture.
    func stallMessage(after time: CMTime) -> String {
        "\(camera?.localizedName ?? "the camera") stopped delivering after \(String(format: "%.3f", time.seconds)) s: "
            + "reconnect it or reload its driver"
    }

    /// Returns the message for a camera that delivered no frame.
    func noFrameMessage(within time: CMTime) -> String {
        "no frame arrived from \(camera?.localizedName ?? "the source") within \(plainNumber(time.seconds)) s"
    }

    /// Rotates the images of an output so that they are upright: those of a media file by the rotation in its
    /// metadata, those of a camera by the orientation of its machine.
    func rotateUpright(_ output: AVCaptureOutput, _ command: CommandSystem) {
        guard let camera, let connection = output.connection(with: .video) else { return }
        let angle =
            if case .file = command.backend {
                CGFloat(camera.hardware.descriptor.mountingAngle)
            } else {
                AVCaptureDevice.RotationCoordinator(device: camera, previewLayer: nil)
                    .videoRotationAngleForHorizonLevelCapture
            }
        guard connection.isVideoRotationAngleSupported(angle) else { return }
        connection.videoRotationAngle = angle
    }

    /// Activates the format with the size and rate.
    private static func select(_ camera: AVCaptureDevice, _ size: PixelSize?, _ rate: FrameRate?) throws {
        let wanted = size ?? camera.activeFormat.formatDescription.dimensions.pixelSize
        let matching = camera.formats.filter {
            $0.formatDescription.dimensions.pixelSize == wanted && $0.mediaType == .video
        }
        guard !matching.isEmpty else { throw CommandFailure(nearestSizesMessage(to: wanted, of: camera)) }
        guard let format = matching.first(where: { format in rate.map { supports(format, $0.frameDuration) } ?? true })
        else {
            throw CommandFailure(
                "\(camera.localizedName) does not support \(plainNumber(rate?.framesPerSecond ?? 0)) fps at "
                    + "\(wanted.width)x\(wanted.height); it supports \(FrameRateRanges(of: matching))")
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

    private static func supports(_ format: AVCaptureDevice.Format, _ duration: CMTime) -> Bool {
        format.videoSupportedFrameRateRanges.contains {
            $0.minFrameDuration <= duration && duration <= $0.maxFrameDuration
        }
    }

    /// Returns a message with the sizes of the camera that are nearest to an unsupported one.
    private static func nearestSizesMessage(to wanted: PixelSize, of camera: AVCaptureDevice) -> String {
        var sizes: [PixelSize] = []
        for format in camera.formats where format.mediaType == .video {
            let size = format.formatDescription.dimensions.pixelSize
            if !sizes.contains(size) { sizes.append(size) }
        }
        func distance(_ size: PixelSize) -> Int64 {
            let (dx, dy) = (Int64(size.width - wanted.width), Int64(size.height - wanted.height))
            return dx * dx + dy * dy
        }
        let names = sizes.sorted { distance($0) < distance($1) }.prefix(3).map { "\($0.width)x\($0.height)" }
        return "\(camera.localizedName) does not support \(wanted.width)x\(wanted.height); the nearest sizes are "
            + names.joined(separator: ", ")
    }
}
