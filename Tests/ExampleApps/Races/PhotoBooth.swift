import AVFoundation

/// A photo booth: takes photos with a camera that another caller may stop, such as at the end of the paid time.
///
/// The racy version checks whether the camera runs, and captures after that. If the camera is stopped in between, the
/// capture is misuse, no delegate is called, and the task never continues.
actor PhotoBooth {
    private let queue = DispatchSerialQueue(label: "booth")
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    private let isFixed: Bool
    private let camera: BoothCamera

    init(_ camera: BoothCamera, isFixed: Bool) {
        self.camera = camera
        self.isFixed = isFixed
    }

    func takePhoto() async throws -> Data {
        if isFixed { return try await camera.capture() }
        guard await camera.isRunning else { throw BoothCamera.NotRunning() }
        return try await capturePhoto(with: camera.output)
    }
}

/// The camera of a photo booth.
actor BoothCamera {
    struct NotRunning: Error {}

    private let queue = DispatchSerialQueue(label: "booth.camera")
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    nonisolated let output = AVCapturePhotoOutput()
    private(set) var isRunning = false
    private let session = AVCaptureSession()

    func start() throws {
        guard let device = AVCaptureDevice.default(for: .video) else { throw NotRunning() }
        session.beginConfiguration()
        session.sessionPreset = .cif352x288
        session.addInput(try AVCaptureDeviceInput(device: device))
        session.addOutput(output)
        session.commitConfiguration()
        session.startRunning()
        isRunning = true
    }

    func stop() {
        isRunning = false
        session.stopRunning()
    }

    /// Checks and captures without a suspension in between. A photo that is interrupted by `stop()` fails.
    func capture() async throws -> Data {
        guard isRunning else { throw NotRunning() }
        return try await capturePhoto(with: output, isolation: self)
    }
}

/// Captures a photo, from the caller's actor.
private func capturePhoto(
    with output: AVCapturePhotoOutput, isolation: isolated (any Actor)? = #isolation
) async throws -> Data {
    var receiver: PhotoReceiver?
    // The output does not retain its delegate.
    defer { withExtendedLifetime(receiver) {} }
    return try await withCheckedThrowingContinuation { continuation in
        let newReceiver = PhotoReceiver(continuation)
        receiver = newReceiver
        output.capturePhoto(with: AVCapturePhotoSettings(), delegate: newReceiver)
    }
}

/// Receives one photo.
private final class PhotoReceiver: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
    private let continuation: CheckedContinuation<Data, any Error>

    init(_ continuation: CheckedContinuation<Data, any Error>) {
        self.continuation = continuation
    }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
    ) {
        if let data = photo.fileDataRepresentation() {
            continuation.resume(returning: data)
        } else {
            continuation.resume(throwing: error ?? BoothCamera.NotRunning())
        }
    }
}
