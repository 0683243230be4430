import CaptureHAL
import MediaTypes

extension AVCaptureSession {
    /// Takes what a port's stream delivers; runs on the device's thread.
    func handle(_ event: StreamEvent, from port: AVCaptureInput.Port) {
        if case .ended(let time) = event { port.endTime = time }
        guard port.isEnabled else { return }
        let connections = routes.withLock { $0[ObjectIdentifier(port)] ?? [] }.filter(\.isEnabled)
        switch event {
        case .video(let frame):
            let media = CapturedMedia(.video(frame))
            for connection in connections { connection.output?.receive(media, from: connection) }
        case .audio(let chunk):
            let media = CapturedMedia(.audio(chunk))
            for connection in connections {
                connection.measure(chunk)
                connection.output?.receive(media, from: connection)
            }
        case .dropped(let drop):
            for connection in connections { connection.output?.receiveDrop(drop, from: connection) }
        case .failed(let error, _):
            // Not here: stopping the device from inside its own event would wait for the event to end.
            system.clock.schedule(at: system.clock.now) { [weak self] in
                guard let input = port.ownerIfAlive as? AVCaptureDeviceInput else { return }
                self?.deviceFailed(input.device, error)
            }
        case .ended(let time):
            for connection in connections { connection.output?.sourceDidEnd(connection, at: time) }
        }
    }
}
