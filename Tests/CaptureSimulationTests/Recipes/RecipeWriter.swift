import AVFoundation
import UIKit

/// The recorder of a small app, which writes the frames of the camera with an asset writer. When the app enters the
/// background, it finishes the movie.
final class RecipeWriter: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
    // SAFETY: the session and the result are used on the main queue, the writer on `queue`.

    /// The status of the writer at the end; nil before.
    private(set) var result: AVAssetWriter.Status?
    private(set) var error: AVError?
    private let beginsBackgroundTask: Bool
    private let session = AVCaptureSession()
    private let queue = DispatchQueue(label: "recorder.frames")
    private let input = AVAssetWriterInput(
        mediaType: .video,
        outputSettings: [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 640, AVVideoHeightKey: 480])
    private var writer: AVAssetWriter?
    private var observation: (any NSObjectProtocol)?

    /// - Parameter beginsBackgroundTask: Whether a background task protects the writer in the background.
    init(beginsBackgroundTask: Bool = true) {
        self.beginsBackgroundTask = beginsBackgroundTask
        super.init()
    }

    /// Starts the camera and the movie; called on the main queue.
    func start(writingTo url: URL) {
        guard let camera = AVCaptureDevice.default(for: .video), let device = try? AVCaptureDeviceInput(device: camera),
            let writer = try? AVAssetWriter(outputURL: url, fileType: .mov)
        else { return }
        self.writer = writer
        input.expectsMediaDataInRealTime = true
        writer.add(input)
        let output = AVCaptureVideoDataOutput()
        output.setSampleBufferDelegate(self, queue: queue)
        session.sessionPreset = .vga640x480
        session.addInput(device)
        session.addOutput(output)
        MainActor.assumeIsolated { UIApplication.shared.isIdleTimerDisabled = true }
        observation = NotificationCenter.default.addObserver(
            forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil
        ) { [weak self] _ in MainActor.assumeIsolated { self?.finish() } }
        session.startRunning()
    }

    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        guard let writer else { return }
        if writer.status == .unknown, writer.startWriting() {
            writer.startSession(atSourceTime: sampleBuffer.presentationTimeStamp)
        }
        if writer.status == .writing, input.isReadyForMoreMediaData { input.append(sampleBuffer) }
    }

    deinit { observation.map(NotificationCenter.default.removeObserver) }

    /// Finishes the movie while a background task gives the app the time.
    @MainActor
    private func finish() {
        let task: UIBackgroundTaskIdentifier =
            beginsBackgroundTask ? UIApplication.shared.beginBackgroundTask() : .invalid
        queue.async { [self] in
            guard let writer, writer.status == .writing else { return end(task) }
            writer.finishWriting { self.end(task) }
        }
    }

    /// Reports the result of the writer on the main queue.
    private func end(_ task: UIBackgroundTaskIdentifier) {
        DispatchQueue.main.async { [self] in
            (result, error) = (writer?.status, writer?.error as? AVError)
            if task != .invalid { MainActor.assumeIsolated { UIApplication.shared.endBackgroundTask(task) } }
        }
    }
}
