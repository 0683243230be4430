import AVFoundation
import Observation
import Photos

/// The state of the camera screen.
@MainActor
@Observable
public final class CameraModel {
    /// The state of the camera, which the screen shows instead of the preview or on top of it.
    public enum Status: Equatable {
        case idle
        case notAuthorized
        case running
        case interrupted(AVCaptureSession.InterruptionReason)
        case disconnected
        case failed
    }

    public private(set) var status = Status.idle
    public private(set) var cameraName = ""
    public private(set) var isFocusLocked = false
    /// The number of received frames of the video data output.
    public private(set) var frameCount = 0
    /// The time of the last of these frames.
    public private(set) var frameTime = CMTime.invalid
    /// The remaining seconds of the self-timer; nil if it is off.
    public private(set) var countdown: Int?
    /// The recorded time, such as `00:12.5`; nil if no recording is running.
    public private(set) var recordedTime: String?
    /// The values that the user has set with the Camera Control. The bias is in EV.
    public private(set) var zoomFactor: CGFloat = 1
    public private(set) var exposureBias: Float = 0
    /// The delay of the self-timer in seconds; 0 is off.
    public private(set) var selfTimer = 0
    /// Whether the overlay of the Camera Control fills the screen, so that the app's buttons must be hidden.
    public private(set) var hidesButtons = false
    /// The last message to the user.
    public private(set) var message: String?

    @ObservationIgnored private let service: CaptureService
    @ObservationIgnored private let library = MediaLibrary()
    @ObservationIgnored private let log: @Sendable (String) -> Void
    @ObservationIgnored private var readers: [Task<Void, Never>] = []
    private var recording: Task<Void, Never>?

    /// - Parameter log: Receives a line for each event.
    public init(settings: CaptureSettings = CaptureSettings(), log: @escaping @Sendable (String) -> Void = { _ in }) {
        self.log = log
        service = CaptureService(settings: settings, log: log)
    }

    /// Requests access if the user has not decided yet, and starts the camera.
    public func start() async {
        guard await service.requestAccess() else { return set(.notAuthorized) }
        readEvents()
        do {
            try await service.start()
            set(.running)
        } catch {
            show(error)
            set(.failed)
        }
    }

    public func stop() async {
        await service.stop()
        set(.idle)
    }

    /// Uses the next camera.
    public func switchCamera() async {
        do { try await service.switchCamera() } catch { show(error) }
    }

    /// Focuses at a point from (0, 0) at the top left to (1, 1) at the bottom right of the unrotated frame.
    public func focus(at point: CGPoint) async {
        do { try await service.focus(at: point) } catch { show(error) }
    }

    /// Takes a photo and saves it.
    ///
    /// - Parameter delay: The delay in seconds; nil for the one that the user has selected. Canceling the task ends the
    ///   countdown.
    public func takePhoto(after delay: Int? = nil) async {
        do {
            try await countDown(from: delay ?? selfTimer)
            let photo = try await service.capturePhoto()
            log("photo captured")
            try await library.save(photo)
            log("photo saved")
        } catch is CancellationError {
            log("self-timer cancelled")
        } catch {
            show(error)
        }
    }

    private func countDown(from seconds: Int) async throws {
        defer { countdown = nil }
        for remaining in stride(from: seconds, to: 0, by: -1) {
            countdown = remaining
            log("countdown \(remaining)")
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// Shows the camera in a layer.
    public func showPreview(in layer: AVCaptureVideoPreviewLayer) { layer.session = service.session }

    // MARK: Recording

    public var isRecording: Bool { recording != nil }

    public func startRecording() {
        guard recording == nil else { return }
        recording = Task {
            await recordMovie()
            recording = nil
            recordedTime = nil
        }
    }

    /// Stops the recording and returns when the movie is saved.
    public func stopRecording() async {
        await service.stopRecording()
        await recording?.value
    }

    private func recordMovie() async {
        do {
            let movie = try await service.recordMovie()
            log("movie of \(movie.duration.seconds) s, \(movie.endReason.map { "\($0.code)" } ?? "stopped")")
            if let reason = movie.endReason { show(reason) }
            try await library.save(movie)
            log("movie saved")
        } catch {
            show(error)
        }
    }

    // MARK: Events

    private func readEvents() {
        guard readers.isEmpty else { return }
        readers = [
            Task { [weak self, events = service.events] in
                for await event in events { self?.handle(event) }
            },
            Task { [weak self, frames = service.frames] in
                for await frame in frames { self?.show(frame) }
            },
        ]
    }

    private func handle(_ event: CaptureEvent) {
        switch event {
        case .interrupted(let reason): set(.interrupted(reason))
        case .interruptionEnded, .restarted: set(.running)
        case .failed(let code):
            show(AVError(code))
            set(.failed)
        case .cameraChanged(let name):
            (cameraName, zoomFactor, exposureBias) = (name, 1, 0)
            if status == .disconnected { set(.running) }
        case .cameraDisconnected: set(.disconnected)
        case .focusLocked: isFocusLocked = true
        case .focusReleased: isFocusLocked = false
        case .zoomed(let factor): zoomFactor = factor
        case .exposureBiased(let bias): exposureBias = bias
        case .selfTimerSelected(let seconds): selfTimer = seconds
        case .controlsCoverScreen(let isCovered): hidesButtons = isCovered
        case .recordedTime(let time):
            guard isRecording else { return }
            let text = format(time)
            recordedTime = text
            log("display \(text)")
        }
    }

    private func show(_ frame: CMSampleBuffer) {
        frameCount += 1
        frameTime = frame.presentationTimeStamp
        log("frame \(frameCount)")
    }

    private func show(_ error: any Error) {
        let text =
            switch error {
            case let error as AVError: "AVError \(error.code)"
            case let error as PHPhotosError: "PHPhotosError \(error.code)"
            default: "\(error)"
            }
        message = text
        log("message \(text)")
    }

    private func set(_ new: Status) {
        status = new
        log("status \(new)")
    }

    private func format(_ time: Duration) -> String {
        let tenths = Int((time / .milliseconds(100)).rounded())
        return String(format: "%02d:%02d.%d", tenths / 600, tenths / 10 % 60, tenths % 10)
    }
}
