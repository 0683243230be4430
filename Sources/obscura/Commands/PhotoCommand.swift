import ArgumentParser
import CaptureCore
import CaptureHAL
import Foundation
import MediaAssets
import MediaTypes

struct PhotoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "photo", abstract: "Takes a JPEG with EXIF.")

    @Argument(help: "The picture to make: .jpg or .jpeg; never overwritten.") var file: String
    @OptionGroup var options: SystemOptions
    @Option(
        parsing: .unconditional, help: "How long the camera runs before, so that its automatic modes settle.",
        transform: Seconds.init(argument:))
    var after = Seconds(time: CMTime(value: 1, timescale: 1))
    @Option(
        parsing: .unconditional, help: "The picture size, as 1920x1080; one that the camera has.",
        transform: PictureSize.init(argument:))
    var size: PictureSize?
    @OptionGroup var settings: CameraOptions
    @Flag(help: "Light the picture by the flash.") var flash = false
    @Option(help: "A picture of how far away all is: .png; for cameras that measure depth.") var depth: String?
    @Flag(help: "Show the depth as it was measured, with its noise and its holes.") var rawDepth = false
    @Flag(help: "Keep the picture in the photo library, too.") var save = false
    @Flag(help: "Print one JSON object.") var json = false

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
            /// The share that was not measured.
            var holes: Double
        }
    }

    func validate() throws {
        try OutputFile.require(file, endsWith: ["jpg", "jpeg"])
        if let depth { try OutputFile.require(depth, endsWith: ["png"]) }
        if rawDepth, depth == nil { throw ValidationError("--raw-depth goes with --depth") }
    }

    func run() throws {
        try OutputFile.check(file)
        if let depth { try OutputFile.check(depth) }
        let command = try options.bootstrap()
        guard let camera = try options.camera(), camera.hasMediaType(.video) else {
            throw CommandFailure("there is no camera to take a picture with")
        }
        // A trace has the pictures that it has; other cameras give their best.
        let isBest = size == nil && command.playableStreams(of: camera).isEmpty
        let setup = try CaptureSetup(
            command, camera: camera, wantsAudio: false,
            CaptureSetup.Wish(size: size, preset: isBest ? PresetName(argument: "photo") : nil, settings: settings))
        let photo = try take(setup, command)
        guard let data = photo.fileDataRepresentation() else { throw CommandFailure("the camera gave no picture") }
        try OutputFile.write(data, to: file)
        var report = Report(
            file: file, width: Int(photo.resolvedSettings.photoDimensions.width),
            height: Int(photo.resolvedSettings.photoDimensions.height), bytes: data.count, time: photo.timestamp.seconds
        )
        var picture: DepthPicture?
        if let depth {
            guard let data = photo.depthData else {
                throw CommandFailure("no depth came; this camera's is there at some zoom factors only")
            }
            let made = try DepthPicture(data)
            try OutputFile.write(made.png(), to: depth)
            report.depth = Report.Depth(
                file: depth, nearestMetres: made.range?.lowerBound, farthestMetres: made.range?.upperBound,
                holes: made.holes)
            picture = made
        }
        if save { report.library = try LibraryStore.save(URL(fileURLWithPath: file), as: .photo) }
        if json { return try printJSON(report) }
        try printLine(
            "\(file): \(report.width)x\(report.height), \(report.bytes) bytes"
                + (report.library.map { ", in the library as \($0)" } ?? ""))
        if let depth, let picture { try printLine("\(depth): \(picture.summary)") }
    }

    private func take(_ setup: CaptureSetup, _ command: CommandSystem) throws -> AVCapturePhoto {
        let output = AVCapturePhotoOutput()
        setup.session.addOutput(output)
        try askForDepth(output, setup)
        let failure = SessionFailure(of: setup.session, ringing: command.bell)
        defer { setup.session.stopRunning() }
        try setup.start(failure)
        let clock = command.system.clock
        let begin = clock.now
        let start = begin + after.time
        command.run { clock.now >= start || failure.hasCome || setup.endTime != nil }
        if let end = setup.endTime {
            throw CommandFailure(
                "\(setup.camera?.localizedName ?? "the source") ended after "
                    + "\(plainNumber((end - begin).seconds)) s, before the \(after) of --after")
        }
        try failure.check(setup)
        try checkPresence(setup, command, failure)
        setup.standUpright(output, command)
        let follower = Follower()
        let settings = AVCapturePhotoSettings()
        settings.isDepthDataDeliveryEnabled = depth != nil
        settings.isDepthDataFiltered = !rawDepth
        if flash {
            guard setup.camera?.hasFlash ?? false else {
                throw CommandFailure("\(setup.camera?.localizedName ?? "the source") has no flash")
            }
            settings.flashMode = .on
        }
        output.capturePhoto(with: settings, delegate: follower)
        command.run(limit: .seconds(Patience.limit.seconds)) { follower.result != nil }
        guard let result = follower.result else {
            try failure.check(setup)
            throw CommandFailure(setup.absence(within: Patience.limit))
        }
        do {
            return try result.get()
        } catch {
            throw CommandFailure(failure.sentence(setup) ?? error.localizedDescription)
        }
    }

    /// Throws where the camera is gone and its session has not heard of it yet.
    private func checkPresence(
        _ setup: CaptureSetup, _ command: CommandSystem, _ failure: SessionFailure
    ) throws(CommandFailure) {
        guard let camera = setup.camera, !camera.isConnected else { return }
        command.run(limit: .seconds(1)) { failure.hasCome }
        try failure.check(setup)
        throw CommandFailure("\(camera.localizedName) has been disconnected: plug it in and try again")
    }

    private func askForDepth(_ output: AVCapturePhotoOutput, _ setup: CaptureSetup) throws {
        guard depth != nil else { return }
        guard output.isDepthDataDeliverySupported else {
            let others = AVCaptureDevice.DiscoverySession.everything.devices
                .filter { device in device.formats.contains { !$0.supportedDepthDataFormats.isEmpty } }
            throw CommandFailure(
                "\(setup.camera?.localizedName ?? "the source") measures no depth, or not in this format"
                    + (others.isEmpty ? "" : "; these do: \(others.map(\.uniqueID).joined(separator: ", "))"))
        }
        output.isDepthDataDeliveryEnabled = true
    }

    private final class Follower: AVCapturePhotoCaptureDelegate, Sendable {
        private let state = Lock<Result<AVCapturePhoto, AVError>?>(nil)
        private let isFinished = Lock(false)

        /// The outcome once the capture is over.
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
