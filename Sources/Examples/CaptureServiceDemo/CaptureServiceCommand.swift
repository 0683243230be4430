import AVFoundation
import ArgumentParser
import CaptureService
import CaptureSimulation
import DemoWorld
import UIKit

/// Runs a capture service and writes the media that it delivers.
@main
struct CaptureServiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "capture-service",
        abstract: "Shows frames, faces, a photo, a movie and depth of a capture service with a simulated camera.",
        discussion: "With OBSCURA_BACKEND=linux it uses the machine's camera.")

    @Option(help: "The folder for screen.png, photo.jpg, movie.mp4 and depth.png.")
    var demo: String?

    func run() throws {
        guard let demo else { throw CleanExit.helpRequest(self) }
        DemoWorld.run {
            let results = ["screen.png", "photo.jpg", "movie.mp4", "depth.png"]
            let world = try DemoWorld(folder: demo, results: results) {
                try SimulatedSystem(scene: .portrait, sound: .tone)
            }
            let client = Client()
            try client.showCamera(in: world)
            try client.showDepth(in: world)
            print("done: \(results.filter { FileManager.default.fileExists(atPath: world.url(of: $0).path) })")
        }
    }
}
