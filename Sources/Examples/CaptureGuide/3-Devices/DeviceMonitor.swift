import AVFoundation

/// Reports devices that are connected and disconnected.
public final class DeviceMonitor {
    private let center = NotificationCenter.default
    private var tokens: [any NSObjectProtocol] = []

    /// Calls the handlers on the main queue until the monitor is released.
    public init(
        connected: @escaping @Sendable (AVCaptureDevice) -> Void,
        disconnected: @escaping @Sendable (AVCaptureDevice) -> Void
    ) {
        observe(.AVCaptureDeviceWasConnected, connected)
        observe(.AVCaptureDeviceWasDisconnected, disconnected)
    }

    deinit {
        for token in tokens { center.removeObserver(token) }
    }

    private func observe(_ name: Notification.Name, _ handle: @escaping @Sendable (AVCaptureDevice) -> Void) {
        tokens.append(
            center.addObserver(forName: name, object: nil, queue: .main) { notification in
                if let device = notification.object as? AVCaptureDevice { handle(device) }
            })
    }
}
