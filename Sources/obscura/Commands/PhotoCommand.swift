import ArgumentParser
import AssetTypes
import CaptureCore
import CaptureHAL
import CaptureScenarios
import Foundation
import MediaTypes

/// `obscura photo`.
struct PhotoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photo", abstract: "Takes a JPEG photo with EXIF metadata.")

    @Argument(help: "The photo to write: .jpg or .jpeg; an existing file is never overwritten.") var file: String
    @OptionGroup var options: SystemOptions
    @Option(
        parsing: .unconditional,
        help: "The time that the camera runs before the photo, so that its automatic modes settle. (default: 1s)",
        transform: DurationArgument.init(argument:))
    var after = DurationArgument(time: CMTime(value: 1, timescale: 1))
    @Option(
        parsing: .unconditional, help: "A size that the camera supports, such as 1920x1080. (default: the largest)",
        transform: PixelSize.init(argument:))
    var size: PixelSize?
    @OptionGroup var settings: CameraOptions
    @Flag(help: "Fire the flash. (default: off)") var flash = false
    @Option(help: "Write the depth map as an image: .png; for cameras that measure depth. (default: none)") var depth:
        String?
    @Flag(help: "Do not filter the depth map; requires --depth. (default: off)") var rawDepth = false
    @OptionGroup var saving: SaveOptions
    @Flag(help: "Print one JSON object. (default: off)") var json = false

    private struct Report: Encodable {
        var file: String
        var width: Int
        var height: Int
        var bytes: Int
        var time: Double
        var library: String?
        var depth: Depth?

        struct Depth: Encodable {
            var file: String
            var nearestMetres: Double?
            var farthestMetres: Double?
            /// The fraction that was not measured.
            var holes: Double
        }
    }

    func validate() throws {
        try OutputFile.require(file, endsWith: ["jpg", "jpeg"])
        if let depth { try OutputFile.require(depth, endsWith: ["png"]) }
        if rawDepth, depth == nil { throw ValidationError("--raw-depth requires --depth") }
    }

    func run() throws {
        try OutputFile.check(file)
        if let depth { try OutputFile.check(depth) }
        let command = try options.bootstrap(library: saving.library)
        guard let camera = try options.camera(), camera.hasMediaType(.video) else {
            throw CommandFailure("there is no camera to take a photo with\(command.missingDeviceAdvice)")
        }
        // The photo preset selects the best format; a trace contains only the recorded formats.
        let usesPhotoPreset = size == nil && command.playableStreams(of: camera).isEmpty
        let setup = try CaptureSetup(
            command, camera: camera, wantsAudio: false,
            CaptureSetup.Requirements(
                size: size, preset: usesPhotoPreset ? PresetName(argument: "photo") : nil, settings: settings))
        let photo = try capture(setup, command)
        guard let data = photo.fileDataRepresentation() else { throw CommandFailure("the camera delivered no photo") }
        try OutputFile.write(data, to: file)
        var report = Report(
            file: file, width: Int(photo.resolvedSettings.photoDimensions.width),
            height: Int(photo.resolvedSettings.photoDimensions.height), bytes: data.count, time: photo.timestamp.seconds
        )
        var image: DepthImage?
        if let depth {
            guard let data = photo.depthData else {
                throw CommandFailure("no depth data arrived; this camera delivers depth only at some zoom factors")
            }
            // A depth map is not rotated, unlike the photo, which has a rotation in its metadata.
            let orientation = (photo.metadata["Orientation"] as? Int)
                .flatMap { CGImagePropertyOrientation(rawValue: UInt32($0)) }
            let rendered = try DepthImage(orientation.map { data.applyingExifOrientation($0) } ?? data)
            try OutputFile.write(rendered.png(), to: depth)
            report.depth = Report.Depth(
                file: depth, nearestMetres: rendered.range?.lowerBound, farthestMetres: rendered.range?.upperBound,
                holes: rendered.holes)
            image = rendered
        }
        if saving.save { report.library = try LibraryAccess.save(URL(fileURLWithPath: file), as: .photo) }
        if json { return try printJSON(report) }
        try printLine(
            "\(file): \(report.width)x\(report.height), \(report.bytes) bytes"
                + (report.library.map { ", saved to the library as \($0)" } ?? ""))
        if let depth, let image { try printLine("\(depth): \(image.summary)") }
    }

    private func capture(_ setup: CaptureSetup, _ command: CommandSystem) throws -> AVCapturePhoto {
        let output = AVCapturePhotoOutput()
        setup.session.addOutput(output)
        try enableDepth(output, setup)
        let failure = SessionFailure(of: setup.session, in: command)
        defer { setup.session.stopRunning() }
        try setup.start(failure)
        let clock = command.system.clock
        let begin = clock.now
        let start = begin + after.time
        let bar = ProgressBar("taking a photo")
        let total = after.time.seconds
        command.run {
            if total > 0 { bar.show((clock.now - begin).seconds / total) }
            return clock.now >= start || failure.hasOccurred || setup.endTime != nil
        }
        bar.finish()
        if let end = setup.endTime {
            throw CommandFailure(
                "\(setup.camera?.localizedName ?? "the source") ended after "
                    + "\(plainNumber((end - begin).seconds)) s, before the \(after) of --after")
        }
        try failure.check(setup)
        try checkConnection(setup, command, failure)
        setup.rotateUpright(output, command)
        let delegate = PhotoDelegate()
        let settings = AVCapturePhotoSettings()
        settings.isDepthDataDeliveryEnabled = depth != nil
        settings.isDepthDataFiltered = !rawDepth
        if flash {
            guard setup.camera?.hasFlash ?? false else {
                throw CommandFailure("\(setup.camera?.localizedName ?? "the source") has no flash")
            }
            settings.flashMode = .on
        }
        output.capturePhoto(with: settings, delegate: delegate)
        command.run(limit: .seconds(StallDetector.timeout.seconds)) { delegate.result != nil }
        guard let result = delegate.result else {
            try failure.check(setup)
            throw CommandFailure(setup.noFrameMessage(within: StallDetector.timeout))
        }
        do {
            return try result.get()
        } catch {
            throw CommandFailure(failure.message(setup) ?? errorReason(error))
        }
    }

    /// Throws if the camera is disconnected, also if the session has not reported it yet.
    private func checkConnection(
        _ setup: CaptureSetup, _ command: CommandSystem, _ failure: SessionFailure
    ) throws(CommandFailure) {
        guard let camera = setup.camera, !camera.isConnected else { return }
        command.run(limit: .seconds(1)) { failure.hasOccurred }
        try failure.check(setup)
        throw CommandFailure("\(camera.localizedName) has been disconnected: connect it and try again")
    }

    private func enableDepth(_ output: AVCapturePhotoOutput, _ setup: CaptureSetup) throws {
        guard depth != nil else { return }
        guard output.isDepthDataDeliverySupported else {
            let others = AVCaptureDevice.DiscoverySession.everything.devices
                .filter { device in device.formats.contains { !$0.supportedDepthDataFormats.isEmpty } }
            throw CommandFailure(
                "\(setup.camera?.localizedName ?? "the source") measures no depth in this format"
                    + (others.isEmpty ? "" : "; these cameras do: \(others.map(\.uniqueID).joined(separator: ", "))"))
        }
        output.isDepthDataDeliveryEnabled = true
    }

    /// Stores the result of a capture. Thread-safe.
    private final class PhotoDelegate: AVCapturePhotoCaptureDelegate, Sendable {
        private let state = Lock<Result<AVCapturePhoto, AVError>?>(nil)
        private let isFinished = Lock(false)

        /// The result after the capture has finished.
        var result: Result<AVCapturePhoto, AVError>? {
            isFinished.withLock { $0 } ? state.withLock { $0 } : nil
        }

        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
        ) {
            state.withLock { $0 = (error as? AVError).map { .failure($0) } ?? .success(photo) }
        }

        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
            error: (any Error)?
        ) {
            isFinished.withLock { $0 = true }
        }
    }
}
