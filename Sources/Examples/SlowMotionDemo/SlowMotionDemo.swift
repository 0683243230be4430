import AVFoundation
import ArgumentParser
import CaptureSimulation
import DemoWorld
import SlowMotion

/// Records one second at 240 frames per second.
@main
struct SlowMotionDemo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slow-motion", abstract: "Records at 240 frames per second with a simulated camera.",
        discussion: "With OBSCURA_BACKEND=linux it uses the machine's camera.")

    @Option(help: "The folder for movie.mov.")
    var demo: String?

    func run() throws {
        guard let demo else { throw CleanExit.helpRequest(self) }
        DemoWorld.run {
            let world = try DemoWorld(folder: demo, results: ["movie.mov"])
            let result = DemoResult<(any Error)?>()
            let recorder = try SlowMotionRecorder { result.value = .some($1) }
            recorder.session.startRunning()
            world.wait(seconds: 0.2)
            recorder.start(to: world.url(of: "movie.mov"))
            world.wait(seconds: 1)
            recorder.stop()
            try world.wait(for: "the movie") { result.value != nil }
            if let error = result.value ?? nil { throw error }
            recorder.session.stopRunning()
            guard let track = AVURLAsset(url: world.url(of: "movie.mov")).tracks(withMediaType: .video).first,
                track.nominalFrameRate > 235
            else { throw DemoFailure("the movie does not have 240 frames per second") }
            print("done: \(track.nominalFrameRate) frames per second (movie.mov)")
        }
    }
}
