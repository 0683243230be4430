import AVFoundation
import ArgumentParser
import CaptureGuide
import CaptureSimulation
import DemoWorld
import UIKit

/// Runs the examples of Apple's capture guide, one after another.
@main
struct CaptureGuideDemo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "capture-guide", abstract: "Runs the examples of Apple's capture guide with a simulated camera.",
        discussion: "With OBSCURA_BACKEND=linux it uses the machine's camera.")

    @Option(help: "The folder for movie.mov, photo.jpg, frame.png and screen.png.")
    var demo: String?

    func run() throws {
        guard let demo else { throw CleanExit.helpRequest(self) }
        DemoWorld.run { try show(in: demo) }
    }

    private func show(in folder: String) throws {
        let world = try DemoWorld(
            folder: folder, results: ["movie.mov", "photo.jpg", "frame.png", "screen.png"]
        ) { try SimulatedSystem(scene: .street, orientation: .landscapeLeft) }
        for line in DeviceList.lines { print(line) }

        let session = AVCaptureSession()
        let recording = DemoResult<MovieRecorder.Result>()
        let still = DemoResult<Result<StillCamera.Still, any Error>>()
        let frame = DemoResult<CMSampleBuffer>()
        let recorder = MovieRecorder { recording.value = $0 }
        let camera = StillCamera()
        let receiver = FrameReceiver { frame.value = $0 }
        try session.configure {
            try session.addInput(forDefaultDeviceOf: .video)
            if AVCaptureDevice.default(for: .audio) != nil { try session.addInput(forDefaultDeviceOf: .audio) }
            try session.usePreset(session.canSetSessionPreset(.hd1280x720) ? .hd1280x720 : .high)
            for output in [recorder.output, camera.output, receiver.output] { try session.add(output) }
        }
        for output in session.outputs { output.connection(with: .video)?.orient(.landscapeRight) }
        let screen = CALayer()
        screen.bounds = CGRect(x: 0, y: 0, width: 640, height: 360)
        let preview = Preview(of: session, on: screen)
        preview.layer.connection?.orient(.landscapeRight)
        for line in SessionConnections(of: session).lines { print("connection \(line)") }

        session.startRunning()
        try world.wait(for: "the first frame") { frame.value != nil }
        try preview.focus(at: CGPoint(x: 320, y: 200))
        recorder.addLocation(latitude: 37.3318, longitude: -122.0312)
        recorder.start(to: world.url(of: "movie.mov"))
        world.wait(seconds: 2)
        recorder.stop()
        try world.wait(for: "the movie") { recording.value != nil }
        guard let movie = recording.value, movie.isPlayable else {
            throw DemoFailure("the movie failed: \(recording.value?.error?.localizedDescription ?? "unknown")")
        }
        let duration = AVURLAsset(url: movie.url).duration.seconds
        print("recorded \(String(format: "%.2f", duration)) s: movie.mov")

        camera.capture { still.value = $0 }
        try world.wait(for: "the still") { still.value != nil }
        guard let photo = try still.value?.get(), let jpeg = photo.jpeg else { throw DemoFailure("no still") }
        try jpeg.write(to: world.url(of: "photo.jpg"))
        print("took a still of \(jpeg.count) bytes, ISO \(photo.exif["ISOSpeedRatings"] ?? "unknown"): photo.jpg")

        try world.write(frame.value.flatMap { UIImage($0) }?.cgImage, to: "frame.png")
        try world.write(preview.layer.renderedImage(scale: 1), to: "screen.png")
        session.stopRunning()
        print("done: a frame as an image (frame.png) and the preview (screen.png)")
    }
}
