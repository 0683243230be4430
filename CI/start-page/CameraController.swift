import AVFoundation

/// The camera code of a small app, with which `CI/platforms --start-page` follows `docs/start.md`.
public final class CameraController: NSObject {
    public let session = AVCaptureSession()

    private let queue = DispatchQueue(label: "camera")
    private let movieOutput = AVCaptureMovieFileOutput()

    /// Asks for the permission, then configures and starts the session.
    ///
    /// - Parameter completion: Called on the main queue with an error, or nil.
    public func start(_ completion: @escaping (Error?) -> Void) {
        AVCaptureDevice.requestAccess(for: .video) { isGranted in
            self.queue.async {
                var failure: Error? = isGranted ? nil : AVError(.applicationIsNotAuthorizedToUseDevice)
                if failure == nil {
                    do {
                        try self.configure()
                        self.session.startRunning()
                    } catch {
                        failure = error
                    }
                }
                DispatchQueue.main.async { completion(failure) }
            }
        }
    }

    private func configure() throws {
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        guard let camera = AVCaptureDevice.default(for: .video) else { throw AVError(.deviceNotConnected) }
        let input = try AVCaptureDeviceInput(device: camera)
        if session.canAddInput(input) { session.addInput(input) }
        if session.canAddOutput(movieOutput) { session.addOutput(movieOutput) }
    }
}
