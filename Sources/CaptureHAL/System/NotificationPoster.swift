import Dispatch
package import Foundation
import MediaTypes

/// Posts the notifications of a capture system on the main thread, in the order of the calls.
///
/// With a real clock, the poster reports once if the main thread does not run its queue. A virtual clock waits for the
/// main queue and makes this report itself.
/// - Important: Thread-safe.
package final class NotificationPoster: Sendable {
    private struct State {
        /// The number of notifications that were submitted to the main queue.
        var submitted = 0
        /// The number of notifications that the main queue has begun to post.
        var posted = 0
        /// Whether a check is scheduled.
        var isWatching = false
        /// Whether the main thread was reported as stalled.
        var isReported = false
    }

    /// The time after which a main thread that does not run its queue is reported.
    package static let timeoutSeconds: Int64 = 10

    private let system: SystemReference
    private let clock: any CaptureClock
    private let center: NotificationCenter
    private let report: @Sendable (String) -> Void
    private let state = Lock(State())
    private let observers = Observers<(Notification.Name, [String: any Sendable]?)>()

    /// Creates a poster.
    ///
    /// - Parameter report: Called once with a message if the main thread does not run its queue.
    package init(
        system: SystemReference, clock: any CaptureClock, center: NotificationCenter,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.system = system
        self.clock = clock
        self.center = center
        self.report = report
    }

    /// Calls `handler` before each notification, on the main thread, until the token is cancelled or released.
    package func observe(
        _ handler: @escaping @Sendable (Notification.Name, [String: any Sendable]?) -> Void
    ) -> ObserverToken {
        observers.add { handler($0.0, $0.1) }
    }

    /// Posts a notification.
    ///
    /// - Parameter object: Returns the object of the notification, on the main thread. Nothing is posted if it returns
    ///   nil because the object was released.
    package func post(
        _ name: Notification.Name, userInfo: [String: any Sendable]? = nil,
        object: @escaping @Sendable () -> (any AnyObject & Sendable)?
    ) {
        state.withLock { $0.submitted += 1 }
        system.deliver(on: .main) { [self] in
            state.withLock { $0.posted += 1 }
            guard let object = object() else { return }
            observers.notify((name, userInfo))
            center.post(name: name, object: object, userInfo: userInfo)
        }
        if !clock.isVirtual { watch() }
    }

    /// Schedules a check of the notifications submitted so far, unless one is scheduled.
    private func watch() {
        let submitted = state.withLock { state -> Int? in
            guard !state.isWatching, !state.isReported else { return nil }
            state.isWatching = true
            return state.submitted
        }
        guard let submitted else { return }
        clock.schedule(at: clock.now + CMTime(value: Self.timeoutSeconds, timescale: 1)) { [weak self] in
            self?.check(submitted)
        }
    }

    private func check(_ submitted: Int) {
        let isStalled = state.withLock { state in
            state.isWatching = false
            state.isReported = state.posted < submitted
            return state.isReported
        }
        guard isStalled else { return }
        report(
            "notifications of capture sessions wait for the main thread, which has not run its queue for "
                + "\(Self.timeoutSeconds) s; call dispatchMain(), or run the main run loop")
    }
}
