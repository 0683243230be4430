import CaptureHAL
import Dispatch
import Foundation
import MediaTypes

/// An observer that a player calls at times of its item.
///
/// The player does not retain the client's token: when the token is released, the calls end.
/// - Important: Thread-safe.
final class TimeObserver: Sendable {
    /// The object that the client retains, and passes to `removeTimeObserver(_:)`.
    final class Token: Sendable {
        let observer: TimeObserver

        init(_ observer: TimeObserver) { self.observer = observer }

        deinit { observer.tokenWasReleased() }
    }

    private enum State {
        case active
        case removed
        /// The token was released, but the observer was not removed.
        case abandoned
    }

    /// The times of the calls.
    enum Schedule: Sendable {
        /// Whole multiples of an interval.
        case periodic(CMTime)
        /// These times, in ascending order.
        case boundaries([CMTime])

        /// Returns the first scheduled time after `time` in the direction of playback; nil if there is none.
        func next(after time: CMTime, isReversed: Bool) -> CMTime? {
            switch self {
            case .periodic(let interval):
                var count = Int64((time.seconds / interval.seconds).rounded())
                func multiple(_ count: Int64) -> CMTime {
                    CMTime(value: interval.value * count, timescale: interval.timescale)
                }
                if isReversed {
                    while multiple(count) < time { count += 1 }
                    while multiple(count) >= time { count -= 1 }
                } else {
                    while multiple(count) > time { count -= 1 }
                    while multiple(count) <= time { count += 1 }
                }
                return multiple(count)
            case .boundaries(let times):
                return isReversed ? times.last { $0 < time } : times.first { $0 > time }
            }
        }
    }

    let schedule: Schedule
    private let queue: DispatchQueue
    private let block: @Sendable (CMTime) -> Void
    private let state = Lock(State.active, order: .primitive)

    init(_ schedule: Schedule, on queue: DispatchQueue?, _ block: @escaping @Sendable (CMTime) -> Void) {
        self.schedule = schedule
        self.queue = queue ?? .main
        self.block = block
    }

    /// Whether the observer is also called when playback starts, stops or jumps.
    var isPeriodic: Bool { if case .periodic = schedule { true } else { false } }

    /// Calls the block on its queue, unless the observer is removed first.
    func notify(at time: CMTime, in system: CaptureSystem) {
        system.deliver(on: queue) { [self] in
            switch state.withLock({ $0 }) {
            case .active: block(time)
            case .removed: break
            case .abandoned:
                system.warnings.report(
                    "the object that a player returned for a time observer was released without removeTimeObserver, so "
                        + "the observer is not called any more; the player does not retain the object, the app must")
            }
        }
    }

    func remove() { state.withLock { $0 = .removed } }

    private func tokenWasReleased() {
        state.withLock { if $0 == .active { $0 = .abandoned } }
    }
}
