import AVFoundation
import ArgumentParser
import CaptureHAL
import DemoWorld
import OwnCamera

/// Records a movie with a custom camera.
@main
struct OwnCameraDemo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "own-camera",
        abstract: "Records two seconds in real time with a camera that this program implements.")

    @Option(help: "The folder for movie.mov and frame.png.")
    var demo: String?

    func run() throws {
        guard let demo else { throw CleanExit.helpRequest(self) }
        DemoWorld.run {
            // Only these two lines refer to the custom camera; the others are as in any app.
            let clock = HostClock.shared
            try CaptureSystem.bootstrap(CaptureSystem(hosts: [BarsHost(clock: clock)], clock: clock))
            let world = try DemoWorld(realTimeIn: demo, results: ["movie.mov", "frame.png"])
            try Self.record(in: world)
            let asset = AVURLAsset(url: world.url(of: "movie.mov"))
            let generator = AVAssetImageGenerator(asset: asset)
            let image = try generator.copyCGImage(at: CMTime(value: 1, timescale: 2), actualTime: nil)
            try world.write(image, to: "frame.png")
            print("done: \(asset.duration.seconds) s (movie.mov, frame.png)")
        }
    }

    private static func record(in world: DemoWorld) throws {
        guard let camera = AVCaptureDevice.default(for: .video) else { throw DemoFailure("there is no camera") }
        let session = AVCaptureSession()
        let output = AVCaptureMovieFileOutput()
        session.sessionPreset = .hd1280x720
        session.addInput(try AVCaptureDeviceInput(device: camera))
        session.addOutput(output)
        session.startRunning()
        let recorder = Recorder()
        output.startRecording(to: world.url(of: "movie.mov"), recordingDelegate: recorder)
        world.wait(seconds: 1)
        try camera.lockForConfiguration()
        camera.videoZoomFactor = 2
        camera.unlockForConfiguration()
        world.wait(seconds: 1)
        output.stopRecording()
        try world.wait(for: "the movie") { recorder.result.value != nil }
        session.stopRunning()
        if let error = recorder.result.value ?? nil { throw error }
        print("camera: \(camera.localizedName)")
    }
}

/// Receives the result of a recording.
private final class Recorder: NSObject, AVCaptureFileOutputRecordingDelegate {
    let result = DemoResult<(any Error)?>()

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection],
        error: (any Error)?
    ) {
        result.value = .some(error)
    }
}
