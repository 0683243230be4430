import AVFoundation
import ArgumentParser
import CaptureSimulation
import DemoWorld
import Foundation
import Recorders
import UIKit

/// Records with one or both recorders, and writes the movies and an image of the screen.
@main
struct RecordersCommand: ParsableCommand {
    enum RecorderName: String, CaseIterable, ExpressibleByArgument {
        case dataOutputs = "data-outputs"
        case movieFile = "movie-file"

        /// Creates the recorder in the current capture system.
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

    @Option(
        help: ArgumentHelp(
            "Record, and write the movies and an image of the screen to this folder.", valueName: "folder"))
    var demo: String?

    @Option(help: "The recorder; without it, both record one after the other.")
    var recorder: RecorderName?

    @Option(help: "The length of each movie in seconds.")
    var seconds = 3.0

    @Option(help: "The session preset: high, 1280x720 or 640x480.")
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
        let recorders = recorder.map { [$0] } ?? RecorderName.allCases
        DemoWorld.run {
            for name in recorders { try record(name, to: demo) }
            print("\(recorders.count == 1 ? "A movie" : "\(recorders.count) movies") and screen.png are in \(demo).")
        }
    }

    /// Runs the app with a recorder: starts the session, records a movie and saves the screen.
    private func record(_ name: RecorderName, to folder: String) throws {
        // In this orientation, the home button of the phone is on the right.
        let world = try DemoWorld(folder: folder, results: []) {
            try SimulatedSystem(scene: .street, orientation: .landscapeLeft)
        }
        let controller = CameraController(
            recorder: name.makeRecorder(), preset: Self.presets[preset] ?? .high,
            movieFolder: MovieFolder(url: world.folder)
        ) { print("  \($0)") }
        controller.previewLayer.frame = CGRect(x: 0, y: 0, width: 640, height: 360)
        print("\(name.rawValue), \(world.simulated == nil ? "with the machine's camera" : "with a simulated camera"):")
        controller.start()
        try world.wait(for: "the start") { controller.isRunning || controller.message != nil }
        guard controller.isRunning else { throw DemoFailure(controller.message ?? "the session does not start") }
        // The exposure and the focus settle.
        world.wait(seconds: 1)

        let preview = measureProcessTime { world.wait(seconds: seconds) }
        let recording = try measureProcessTime {
            controller.startRecording()
            world.wait(seconds: seconds)
            try world.write(controller.previewLayer.renderedImage(scale: 1), to: "screen.png")
            controller.stopRecording()
            try world.wait(for: "the end of the recording") { !controller.isRecording }
        }
        guard let movie = controller.lastMovie else { throw DemoFailure(controller.message ?? "there is no movie") }
        world.wait(seconds: 1)
        controller.stop()
        try world.wait(for: "the stop") { !controller.isRunning }
        try describe(movie)
        print(String(format: "  CPU time: %.2f s during the preview, %.2f s during the recording", preview, recording))
    }

    private func describe(_ url: URL) throws {
        let asset = AVURLAsset(url: url)
        guard asset.isPlayable, let video = asset.tracks(withMediaType: .video).first else {
            throw DemoFailure("\(url.lastPathComponent) cannot be played.")
        }
        let byteCount = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        let hasSound = !asset.tracks(withMediaType: .audio).isEmpty
        print(
            String(
                format: "  %@: %.2f s, %.0f x %.0f, %@, %d bytes", url.lastPathComponent, asset.duration.seconds,
                video.naturalSize.width, video.naturalSize.height, hasSound ? "with sound" : "silent", byteCount))
    }

    /// Runs a block and returns the CPU time in seconds that the process has used meanwhile.
    private func measureProcessTime(_ body: () throws -> Void) rethrows -> Double {
        let start = Self.processTime
        try body()
        return Self.processTime - start
    }

    private static var processTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
