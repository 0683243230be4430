import AVFoundation

// Observers of the session and its devices; added and removed on the session queue.
extension CameraController {
    func addObservers() {
        guard observations.isEmpty else { return }
        observations = [
            session.observe(\.isRunning, options: .new) { [weak self] _, change in
                guard change.newValue == true else { return }
                self?.show(.running)
            }
        ]
        observe(.AVCaptureSessionWasInterrupted, of: session, on: .main) { controller, notification in
            let value = notification.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int
            guard let reason = value.flatMap(AVCaptureSession.InterruptionReason.init) else { return }
            controller.show(.interrupted(reason))
        }
        observe(.AVCaptureSessionInterruptionEnded, of: session, on: .main) { controller, _ in
            controller.log("interruption ended")
        }
        observe(.AVCaptureSessionRuntimeError, of: session, on: nil) { controller, notification in
            guard let error = notification.userInfo?[AVCaptureSessionErrorKey] as? AVError else { return }
            controller.show(error)
            guard error.code == .mediaServicesWereReset else { return }
            controller.sessionQueue.async { controller.restart() }
        }
        observe(.AVCaptureDeviceWasConnected, of: nil, on: nil) { controller, _ in
            controller.sessionQueue.async { controller.useConnectedCamera() }
        }
    }

    func removeObservers() {
        observations = []
        for token in notificationTokens { NotificationCenter.default.removeObserver(token) }
        notificationTokens = []
    }

    func observeFocus(of camera: AVCaptureDevice) {
        focusObservation = camera.observe(\.isAdjustingFocus, options: .new) { [weak self] _, change in
            if let isAdjusting = change.newValue { self?.showFocus(isAdjusting: isAdjusting) }
        }
    }

    private func observe(
        _ name: Notification.Name, of object: AVCaptureSession?, on queue: OperationQueue?,
        _ handle: @escaping @Sendable (CameraController, Notification) -> Void
    ) {
        notificationTokens.append(
            NotificationCenter.default.addObserver(forName: name, object: object, queue: queue) {
                [weak self] notification in
                if let self { handle(self, notification) }
            })
    }

    /// Uses a camera that is connected after the last one was disconnected.
    private func useConnectedCamera() {
        guard videoInput?.device.isConnected == false, let camera = Self.cameras.first else { return }
        session.beginConfiguration()
        _ = use(camera)
        session.commitConfiguration()
        if !session.isRunning { session.startRunning() }
    }
}
