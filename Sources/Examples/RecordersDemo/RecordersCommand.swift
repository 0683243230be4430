import AVFoundation
import ArgumentParser
import Foundation
import Recorders
import UIKit

/// Records with one or both recorders, and leaves the movies and a picture of the screen.
@main
struct RecordersCommand: ParsableCommand {
    enum RecorderName: String, CaseIterable, ExpressibleByArgument {
        case dataOutputs = "data-outputs"
        case movieFile = "movie-file"

        /// Creates the recorder in the current world.
        func makeRecorder() -> any Recorder {
            switch self {
            case .dataOutputs: DataOutputRecorder()
            case .movieFile: MovieFileRecorder()
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "recorders",
        abstract: "Records a session with data outputs and an asset writer, and with a movie file output.",
        discussion: """
            The cameras are simulated, in virtual time. With OBSCURA_BACKEND=linux, those of the machine are used.
            """)

    @Option(help: ArgumentHelp("Record, and leave movies and the screen in this folder.", valueName: "folder"))
    var demo: String?

    @Option(help: "The recorder; without it, both record one after the other.")
    var recorder: RecorderName?

    @Option(help: "The length of each movie in seconds.")
    var seconds = 3.0

    @Option(help: "The quality: high, 1280x720 or 640x480.")
    var preset = "high"

    func validate() throws {
        guard seconds > 0, seconds <= 3600 else { throw ValidationError("--seconds must be between 0 and 3600") }
        guard Self.presets[preset] != nil else {
            throw ValidationError("--preset must be \(Self.presets.keys.sorted().joined(separator: ", "))")
        }
    }

    private static let presets: [String: AVCaptureSession.Preset] = [
        "high": .high, "1280x720": .hd1280x720, "640x480": .vga640x480,
    ]

    func run() throws {
        guard let demo else { throw CleanExit.helpRequest(self) }
        let folder = URL(fileURLWithPath: demo, isDirectory: true)
        let recorders = recorder.map { [$0] } ?? RecorderName.allCases
        do {
            for name in recorders { try record(name, to: folder) }
        } catch {
            print("The demo failed: \(error.localizedDescription)")
            throw ExitCode.failure
        }
        print("\(recorders.count == 1 ? "A movie" : "\(recorders.count) movies") and screen.png are in \(demo).")
    }

    /// Runs the app with a recorder: starts the session, records a movie and saves the screen.
    private func record(_ name: RecorderName, to folder: URL) throws {
        let world = try DemoWorld()
        let controller = CameraController(
            recorder: name.makeRecorder(), preset: Self.presets[preset] ?? .high, movieFolder: MovieFolder(url: folder)
        ) { print("  \($0)") }
        controller.previewLayer.frame = CGRect(x: 0, y: 0, width: 640, height: 360)
        print("\(name.rawValue), \(world.name):")
        controller.start()
        guard world.wait(until: { controller.isRunning || controller.message != nil }), controller.isRunning else {
            throw DemoError(controller.message ?? "The session does not start.")
        }
        // The exposure and the focus settle.
        world.wait(1)

        let preview = world.measure { world.wait(seconds) }
        let recording = try world.measure {
            controller.startRecording()
            world.wait(seconds)
            try saveScreen(of: controller, to: folder.appendingPathComponent("screen.png"))
            controller.stopRecording()
            guard world.wait(until: { !controller.isRecording }) else {
                throw DemoError("The recording does not end.")
            }
        }
        guard let movie = controller.lastMovie else { throw DemoError(controller.message ?? "There is no movie.") }
        world.wait(1)
        controller.stop()
        world.wait(until: { !controller.isRunning })
        try describe(movie)
        print(String(format: "  CPU time: %.2f s of preview, %.2f s with the recording", preview, recording))
    }

    private func describe(_ url: URL) throws {
        let asset = AVURLAsset(url: url)
        guard asset.isPlayable, let video = asset.tracks(withMediaType: .video).first else {
            throw DemoError("\(url.lastPathComponent) cannot be played.")
        }
        let byteCount = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        let hasSound = !asset.tracks(withMediaType: .audio).isEmpty
        print(
            String(
                format: "  %@: %.2f s, %.0f x %.0f, %@, %d bytes", url.lastPathComponent, asset.duration.seconds,
                video.naturalSize.width, video.naturalSize.height, hasSound ? "with sound" : "silent", byteCount))
    }

    private func saveScreen(of controller: CameraController, to url: URL) throws {
        guard let image = controller.previewLayer.renderedImage(scale: 1),
            let data = UIImage(cgImage: image).pngData()
        else { throw DemoError("The preview shows nothing.") }
        try data.write(to: url)
    }
}
