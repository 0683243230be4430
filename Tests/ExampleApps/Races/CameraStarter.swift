import AVFoundation

/// Configures and starts a camera for several callers.
///
/// The racy version checks whether the session is configured, and then waits for the user's consent. Another task can
/// pass the check in the meantime, and both add an input, which is misuse.
actor CameraStarter {
    struct NotAuthorized: Error {}

    private let queue = DispatchSerialQueue(label: "starter.session")
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    nonisolated let session = AVCaptureSession()
    private let isFixed: Bool
    private var isConfigured = false
    private var startTask: Task<Void, any Error>?

    init(isFixed: Bool) {
        self.isFixed = isFixed
    }

    func start() async throws {
        guard isFixed else { return try await configureOnce() }
        let task = startTask ?? Task { try await configureOnce() }
        startTask = task
        try await task.value
    }

    func stop() {
        session.stopRunning()
    }

    private func configureOnce() async throws {
        guard !isConfigured else { return }
        guard await AVCaptureDevice.requestAccess(for: .video), let camera = AVCaptureDevice.default(for: .video) else {
            throw NotAuthorized()
        }
        session.beginConfiguration()
        session.sessionPreset = .cif352x288
        session.addInput(try AVCaptureDeviceInput(device: camera))
        session.addOutput(AVCaptureVideoDataOutput())
        session.commitConfiguration()
        session.startRunning()
        isConfigured = true
    }
}

/// A screen that starts the camera when it appears and when the app becomes active.
final class CameraScreen: Sendable {
    private let starter: CameraStarter
    private let lifecycleQueue = DispatchQueue(label: "starter.lifecycle")
    private let settingsQueue = DispatchQueue(label: "starter.settings")

    init(_ starter: CameraStarter) {
        self.starter = starter
    }

    func didAppear() {
        Task { try await starter.start() }
    }

    /// Starts the camera after the settings of the last use have been read.
    func appDidBecomeActive() {
        lifecycleQueue.async {
            self.settingsQueue.async {
                DispatchQueue.main.async {
                    Task { try await self.starter.start() }
                }
            }
        }
    }
}
