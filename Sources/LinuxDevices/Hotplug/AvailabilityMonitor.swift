import CaptureHAL
import MediaTypes

/// A monitor that polls a device every half second while another program uses it, and reports when it is available.
///
/// Polling is necessary because the kernel does not report this: a driver may release its buffers while its file stays
/// open, and inotify reports the closing of a file before the driver has released the device.
/// - Important: Thread-safe. Observers are called on the clock.
final class AvailabilityMonitor: Sendable {
    private static let interval = CMTime(value: 1, timescale: 2)

    private let clock: any CaptureClock
    private let observers = Observers<DeviceCondition>()
    private let isPolling = Lock(false)

    init(clock: any CaptureClock) { self.clock = clock }

    func observe(_ handler: @escaping @Sendable (DeviceCondition) -> Void) -> ObserverToken {
        observers.add(handler)
    }

    /// Returns the current condition. If the device is in use, starts polling until it is available.
    ///
    /// - Parameter isInUse: Returns whether another program uses the device; false for a disconnected device. Called on
    ///   any thread.
    func condition(_ isInUse: @escaping @Sendable () -> Bool) -> DeviceCondition {
        guard isInUse() else { return DeviceCondition() }
        let isFirst = isPolling.withLock { isPolling in
            defer { isPolling = true }
            return !isPolling
        }
        if isFirst { schedulePoll(isInUse) }
        return DeviceCondition(isInUseByAnotherApplication: true)
    }

    private func schedulePoll(_ isInUse: @escaping @Sendable () -> Bool) {
        clock.schedule(at: clock.now + Self.interval) { [weak self] in
            guard let self else { return }
            if isInUse() { return schedulePoll(isInUse) }
            isPolling.withLock { $0 = false }
            observers.notify(DeviceCondition())
        }
    }
}
