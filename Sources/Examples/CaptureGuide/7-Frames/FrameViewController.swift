import AVFoundation
import UIKit

/// A screen that shows the frames of the default camera as images, fifteen per second.
public final class FrameViewController: UIViewController {
    /// The session; nil before it is set up, and without permission or a camera.
    public private(set) var session: AVCaptureSession?
    /// The displayed image.
    public private(set) var image: UIImage?
    /// The reason why the session was not set up.
    public private(set) var setupError: (any Error)?
    private var receiver: FrameReceiver?

    /// Asks for permission when the screen appears, and then starts the camera.
    public override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        AVCaptureDevice.requestAccess(for: .video) { isGranted in
            DispatchQueue.main.async {
                if isGranted { self.startCamera() } else { self.explainMissingPermission() }
            }
        }
    }

    /// Stops the camera when the screen disappears.
    public override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        session?.stopRunning()
    }

    private func startCamera() {
        do {
            if session == nil { session = try makeSession() }
            session?.startRunning()
        } catch {
            setupError = error
        }
    }

    /// Creates a session with the default camera and an output for its frames.
    private func makeSession() throws -> AVCaptureSession {
        let session = AVCaptureSession()
        let receiver = FrameReceiver { [weak self] sampleBuffer in
            // The image is created before this closure returns, because the camera reuses the buffer.
            guard let image = UIImage(sampleBuffer) else { return }
            DispatchQueue.main.async { self?.show(image) }
        }
        let input = try session.configure {
            let input = try session.addInput(forDefaultDeviceOf: .video)
            try session.usePreset(.medium)
            try session.add(receiver.output)
            return input
        }
        // Set after the commit, because a new preset changes the camera's format, which resets the frame rate.
        try input.device.limitFrameRate(to: 15)
        self.receiver = receiver
        return session
    }

    private func show(_ image: UIImage) {
        self.image = image
        view.layer.contents = image.cgImage
    }

    private func explainMissingPermission() {
        let alert = UIAlertController(
            title: "AVCam!",
            message: "AVCam doesn't have permission to use the camera. Please change the privacy settings.",
            preferredStyle: .alert)
        alert.addAction(UIAlertAction(title: "OK", style: .default))
        present(alert, animated: true)
    }
}
