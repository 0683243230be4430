import AVFoundation
import ArgumentParser
import CaptureSimulation
import DemoWorld
import DepthViewer

/// Measures the distances of three people in a room.
@main
struct DepthViewerDemo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "depth-viewer", abstract: "Writes a frame and its depth map with a simulated camera.",
        discussion: "With OBSCURA_BACKEND=linux it uses the machine's camera, if that measures depth.")

    @Option(help: "The folder for picture.png and depth.png.")
    var demo: String?

    func run() throws {
        guard let demo else { throw CleanExit.helpRequest(self) }
        DemoWorld.run {
            let world = try DemoWorld(folder: demo, results: ["picture.png", "depth.png"]) {
                try SimulatedSystem(scene: .portrait)
            }
            let viewer: DepthViewer
            do {
                viewer = try DepthViewer()
            } catch DepthViewerError.noDepthCamera {
                throw DemoFailure("no camera of this machine measures depth")
            }
            print("camera \(viewer.camera.localizedName)")
            viewer.session.startRunning()
            try world.wait(for: "depth") { viewer.lastFrame != nil }
            world.wait(seconds: 0.5)
            viewer.session.stopRunning()
            guard let frame = viewer.lastFrame else { throw DemoFailure("no frame arrived") }
            for (name, x) in [("left", 0.2), ("center", 0.5), ("right", 0.8)] {
                let distance = frame.map.distance(at: CGPoint(x: x, y: 0.5)).map { String(format: "%.2f m", $0) }
                print("\(name): \(distance ?? "not measured")")
            }
            try world.write(frame.color, to: "picture.png")
            try world.write(frame.depth, to: "depth.png")
            print("done: a frame (picture.png) and its depth map, near is bright (depth.png)")
        }
    }
}
