import AVFoundation
import UIKit

/// Observation of the session: start, stop, failures and interruptions.
extension CaptureService {
    func observeSession() {
        let center = NotificationCenter.default
        let observe = { (name: Notification.Name, react: @escaping @Sendable (CaptureService, Notification) -> Void) in
            center.addObserver(forName: name, object: self.session, queue: nil) { [weak self] notification in
                self.map { react($0, notification) }
            }
        }
        observations = [
            observe(.AVCaptureSessionDidStartRunning) { service, _ in service.sessionDidStart() },
            observe(.AVCaptureSessionDidStopRunning) { service, _ in service.sessionDidStop() },
            observe(.AVCaptureSessionRuntimeError) { service, notification in
                service.sessionDidFail(notification.userInfo?[AVCaptureSessionErrorKey] as? any Error)
            },
            observe(.AVCaptureSessionWasInterrupted) { service, _ in service.log("the session was interrupted") },
            observe(.AVCaptureSessionInterruptionEnded) { service, _ in service.log("the interruption has ended") },
            center.addObserver(
                forName: UIApplication.willEnterForegroundNotification, object: nil, queue: nil
            ) { [weak self] _ in self?.enterForeground() },
        ]
    }

    /// Reports the first start; the session also starts after interruptions.
    private func sessionDidStart() {
        let isFirst = lock.withLock {
            defer { shared.isFirstStart = false }
            return shared.isFirstStart
        }
        if isFirst { report { $0.captureServiceDidStart(self) } }
    }

    /// Reports the stop that the client requested; the session also stops in interruptions.
    private func sessionDidStop() {
        if !isRunning { report { $0.captureServiceDidStop(self) } }
    }

    private func sessionDidFail(_ error: (any Error)?) {
        let error = error ?? AVError(.unknown)
        guard (error as? AVError)?.code == .deviceIsNotAvailableInBackground else { return fail(error) }
        log("the camera is not available in the background")
        lock.withLock { shared.startsOnEnteringForeground = shared.isRunning }
    }

    /// Restarts the session once, if it failed in the background.
    private func enterForeground() {
        let starts = lock.withLock {
            defer { shared.startsOnEnteringForeground = false }
            return shared.startsOnEnteringForeground
        }
        if starts { sessionQueue.async { self.session.startRunning() } }
    }
}

/// The preview; on the main thread.
extension CaptureService {
    /// The layer that shows the preview.
    var previewLayer: AVCaptureVideoPreviewLayer? { previewSource?.previewLayer ?? ownPreviewLayer }

    /// Shows the preview in the layer of the source, or in a new layer that is passed to the delegate.
    func showPreview() {
        if let layer = previewSource?.previewLayer {
            if layer.session !== session { layer.session = session }
            layer.videoGravity = .resizeAspectFill
        } else if ownPreviewLayer == nil {
            let layer = AVCaptureVideoPreviewLayer(session: session)
            layer.videoGravity = .resizeAspectFill
            ownPreviewLayer = layer
            delegate?.captureService(self, didCreate: layer)
        }
    }
}
