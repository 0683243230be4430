import CaptureHAL
import MediaTypes

/// Asks every half a second whether a device is free, while another program has it.
///
/// The kernel tells nobody: a driver may give its buffers back without a file being closed, and inotify hears of a file
/// that is closed before the driver has let go of it.
/// - Important: Thread-safe. Observers are told on the clock.
final class OccupationWatch: Sendable {
    private static let pause = CMTime(value: 1, timescale: 2)

    private let clock: any CaptureClock
    private let observers = Observers<DeviceCondition>()
    private let isAsking = Lock(false)

    init(clock: any CaptureClock) { self.clock = clock }

    func observe(_ handler: @escaping @Sendable (DeviceCondition) -> Void) -> Observation {
        observers.add(handler)
    }

    /// Asks now; where the device is taken, goes on asking, and tells when it is free.
    ///
    /// - Parameter isTaken: Asks the device, and says no for one that is gone. Called on any thread.
    func condition(_ isTaken: @escaping @Sendable () -> Bool) -> DeviceCondition {
        guard isTaken() else { return DeviceCondition() }
        let isFirst = isAsking.withLock { isAsking in
            defer { isAsking = true }
            return !isAsking
        }
        if isFirst { askLater(isTaken) }
        return DeviceCondition(isInUseByAnotherApplication: true)
    }

    private func askLater(_ isTaken: @escaping @Sendable () -> Bool) {
        clock.schedule(at: clock.now + Self.pause) { [weak self] in
            guard let self else { return }
            if isTaken() { return askLater(isTaken) }
            isAsking.withLock { $0 = false }
            observers.notify(DeviceCondition())
        }
    }
}
