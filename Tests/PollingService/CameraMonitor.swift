import AVFoundation

/// A service as in an app for a home camera. It receives frames on a queue, polls in a task, as to detect movement, and
/// fires a dispatch timer, as to update a time display. It counts all three.
final class CameraMonitor: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
    // SAFETY: the counts are protected by the lock; the timers are used by the main thread, the session by its queue.
    private let session = AVCaptureSession()
    private let sessionQueue = DispatchQueue(label: "monitor.session")
    private let frameQueue = DispatchQueue(label: "monitor.frames")
    private let lock = NSLock()
    private var counts = Counts()
    private var pollingTask: Task<Void, Never>?
    private var displayTimer: (any DispatchSourceTimer)?

    struct Counts: Encodable {
        var videoFrames = 0
        var polls = 0
        var displayUpdates = 0
        var framesAtLastPoll = 0
    }

    var currentCounts: Counts { lock.withLock { counts } }

    /// Starts the timers, and the session if the camera is used.
    func start(usesCamera: Bool) {
        if usesCamera { sessionQueue.async { self.startSession() } }
        pollingTask = Task { [weak self] in
            while (try? await Task.sleep(for: .milliseconds(100))) != nil { self?.poll() }
        }
        let displayTimer = DispatchSource.makeTimerSource(queue: .main)
        displayTimer.schedule(deadline: .now(), repeating: .milliseconds(500))
        displayTimer.setEventHandler { [weak self] in self?.updateCounts { $0.displayUpdates += 1 } }
        displayTimer.resume()
        self.displayTimer = displayTimer
    }

    func stop() {
        pollingTask?.cancel()
        displayTimer?.cancel()
        sessionQueue.async { self.session.stopRunning() }
    }

    private func startSession() {
        guard let camera = AVCaptureDevice.default(for: .video), let input = try? AVCaptureDeviceInput(device: camera)
        else { return }
        let output = AVCaptureVideoDataOutput()
        output.setSampleBufferDelegate(self, queue: frameQueue)
        session.beginConfiguration()
        session.sessionPreset = .hd1920x1080
        session.addInput(input)
        session.addOutput(output)
        session.commitConfiguration()
        session.startRunning()
    }

    private func poll() {
        updateCounts {
            $0.polls += 1
            $0.framesAtLastPoll = $0.videoFrames
        }
    }

    private func updateCounts(_ change: (inout Counts) -> Void) { lock.withLock { change(&counts) } }

    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        updateCounts { $0.videoFrames += 1 }
    }
}
