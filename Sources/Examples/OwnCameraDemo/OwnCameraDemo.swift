import AVFoundation
import ArgumentParser
import CaptureHAL
import DemoWorld
import OwnCamera

/// Records a movie of the own camera.
@main
struct OwnCameraDemo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "own-camera",
        abstract: "Records two seconds of a camera that this program brings along, in real time.")

    @Option(help: "The folder for movie.mov and frame.png.")
    var demo: String?

    func run() throws {
        guard let demo else { throw CleanExit.helpRequest(self) }
        DemoWorld.run {
            // The only line that knows the camera; all others are those of any app.
            let clock = HostClock.shared
            try CaptureSystem.bootstrap(CaptureSystem(hosts: [BarsHost(clock: clock)], clock: clock))
            let folder = URL(fileURLWithPath: demo, isDirectory: true)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Self.record(to: folder.appendingPathComponent("movie.mov"))
            try Self.saveFrame(
                of: folder.appendingPathComponent("movie.mov"), to: folder.appendingPathComponent("frame.png"))
        }
    }

    private static func record(to url: URL) throws {
        if FileManager.default.fileExists(atPath: url.path) { try FileManager.default.removeItem(at: url) }
        guard let camera = AVCaptureDevice.default(for: .video) else { throw DemoFailure("there is no camera") }
        let session = AVCaptureSession()
        let output = AVCaptureMovieFileOutput()
        session.sessionPreset = .hd1280x720
        session.addInput(try AVCaptureDeviceInput(device: camera))
        session.addOutput(output)
        session.startRunning()
        let recorder = Recorder()
        output.startRecording(to: url, recordingDelegate: recorder)
        Thread.sleep(forTimeInterval: 1)
        try camera.lockForConfiguration()
        camera.videoZoomFactor = 2
        camera.unlockForConfiguration()
        Thread.sleep(forTimeInterval: 1)
        output.stopRecording()
        recorder.finished.wait()
        session.stopRunning()
        if let error = recorder.result.value ?? nil { throw error }
        print("camera: \(camera.localizedName)")
    }

    private static func saveFrame(of movie: URL, to url: URL) throws {
        let asset = AVURLAsset(url: movie)
        let generator = AVAssetImageGenerator(asset: asset)
        let image = try generator.copyCGImage(at: CMTime(value: 1, timescale: 2), actualTime: nil)
        guard let file = CGImageDestinationCreateWithURL(url, "public.png", 1, nil) else {
            throw DemoFailure("\(url.path) cannot be written")
        }
        CGImageDestinationAddImage(file, image, nil)
        guard CGImageDestinationFinalize(file) else { throw DemoFailure("\(url.path) cannot be written") }
        print("done: \(asset.duration.seconds) s (movie.mov, frame.png)")
    }
}

/// Waits for the end of a recording.
private final class Recorder: NSObject, AVCaptureFileOutputRecordingDelegate {
    let finished = DispatchSemaphore(value: 0)
    let result = DemoResult<(any Error)?>()

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection],
        error: (any Error)?
    ) {
        result.value = .some(error)
        finished.signal()
    }
}
