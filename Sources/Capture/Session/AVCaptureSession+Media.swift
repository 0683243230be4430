import CaptureHAL
import MediaTypes

extension AVCaptureSession {
    /// Takes what a port's stream delivers; runs on the device's thread.
    func handle(_ event: StreamEvent, from port: AVCaptureInput.Port, of runner: InputRunner) {
        guard runner.isLater(event) else { return }
        if case .ended(let time) = event { port.endTime = time }
        let id = ObjectIdentifier(port)
        // A handful: to look through them costs less than to hash.
        let connections = routes.withLock { $0.first { $0.port == id }?.connections ?? [] }
        let isOpen = port.isEnabled
        switch event {
        case .video(let frame):
            guard isOpen else { return }
            var media: CapturedMedia?
            for connection in connections where connection.carries {
                if media == nil {
                    guard let shown = isAllowed(port) ? frame : runner.blackout.conceal(frame, of: port) else {
                        return drop(frame, on: connections)
                    }
                    media = CapturedMedia(shown, runner.converter)
                }
                if let media { connection.consumer?.receive(media, from: connection) }
            }
        case .audio(let chunk):
            guard isOpen, connections.contains(where: \.carries) else { return }
            let heard = isAllowed(port) ? chunk : runner.blackout.conceal(chunk)
            let media = CapturedMedia(heard)
            for connection in connections where connection.carries {
                connection.measure(heard)
                connection.consumer?.receive(media, from: connection)
            }
        case .dropped(let drop):
            guard isOpen else { return }
            for connection in connections where connection.carries {
                connection.consumer?.receiveDrop(drop, from: connection)
            }
        case .failed(let error, _):
            // Not here: stopping the device from inside its own event would wait for the event to end.
            system.clock.schedule(at: system.clock.now) { [weak self, weak runner] in
                if let runner { self?.runnerFailed(runner, error) }
            }
        case .ended(let time):
            for connection in connections { connection.consumer?.sourceDidEnd(connection, at: time) }
        }
    }

    /// Whether the user has allowed what the port delivers.
    private func isAllowed(_ port: AVCaptureInput.Port) -> Bool {
        guard let resource = port.resource else { return true }
        return system.authorization.state(of: resource) == .authorized
    }

    private func drop(_ frame: VideoFrame, on connections: [AVCaptureConnection]) {
        let drop = DroppedFrame(
            reason: .outOfBuffers, presentationTime: frame.presentationTime, sequenceNumber: frame.sequenceNumber)
        for connection in connections where connection.carries {
            connection.consumer?.receiveDrop(drop, from: connection)
        }
    }
}
