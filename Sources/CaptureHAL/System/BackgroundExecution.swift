package import MediaTypes

/// Whether the work of the app continues while the app is in the background.
///
/// The app is in the background while the capture system has the interruption `notAvailableInBackground`. There its
/// media work is suspended, unless a background task protects it: after the callbacks of the transition, when the last
/// task ends, and when the time for tasks is over. The code of the app itself continues to run.
///
/// Each system has one instance.
/// - Important: Thread-safe. Observers of transitions and expiration handlers run on the main thread; observers of
///   suspensions run on the thread that causes the suspension.
package final class BackgroundExecution: Sendable {
    /// The time for background tasks after the app has entered the background.
    package static let taskDuration = CMTime(value: 30, timescale: 1)

    private struct State {
        var isInBackground: Bool
        /// Whether the callbacks of the transition to the background are running.
        var isEntering = false
        /// Whether the time for background tasks is over.
        var isExpired = false
        /// The expiration handlers of the active tasks.
        var tasks: [Int: @Sendable () -> Void] = [:]
        var lastTask = 0
        var expiry: CMTime?
        var expiryTimer: ClockTimer?
        /// Whether the observers were notified of the current suspension.
        var isSuspensionReported: Bool
        var observation: ObserverToken?

        var isSuspended: Bool { isInBackground && !isEntering && (tasks.isEmpty || isExpired) }
    }

    private let system: SystemReference
    private let clock: any CaptureClock
    private let state: Lock<State>
    private let transitions = Observers<Bool>()
    private let suspensions = Observers<Void>()

    /// Returns the instance of a system.
    package static func of(_ system: CaptureSystem) -> BackgroundExecution {
        system.component(BackgroundExecution.self) { BackgroundExecution(system) }
    }

    private init(_ system: CaptureSystem) {
        self.system = system.reference
        clock = system.clock
        let isInBackground = system.interruptions.active.contains(.notAvailableInBackground)
        state = Lock(State(isInBackground: isInBackground, isSuspensionReported: isInBackground))
        let observation = system.interruptions.observe { [weak self] active in
            let isInBackground = active.contains(.notAvailableInBackground)
            self?.system.deliver(on: .main) { self?.setInBackground(isInBackground) }
        }
        state.withLock { $0.observation = observation }
    }

    /// Whether the app is in the background.
    package var isInBackground: Bool { state.withLock { $0.isInBackground } }

    /// Whether media work is suspended.
    package var isSuspended: Bool { state.withLock { $0.isSuspended } }

    /// When the time for background tasks is over; nil in the foreground.
    package var expiry: CMTime? { state.withLock { $0.expiry } }

    /// Calls `handler` on the main thread when the app enters (`true`) or leaves the background, until the token is
    /// cancelled or released. A background task that begins in the handler still protects the app's work.
    package func observeTransitions(_ handler: @escaping @Sendable (Bool) -> Void) -> ObserverToken {
        transitions.add(handler)
    }

    /// Calls `handler` when media work is suspended, until the token is cancelled or released.
    package func observeSuspensions(_ handler: @escaping @Sendable () -> Void) -> ObserverToken {
        suspensions.add { handler() }
    }

    /// Begins a background task.
    ///
    /// - Parameter handler: Called on the main thread if the task is active when the time for tasks is over.
    /// - Returns: The number of the task, from 1.
    package func beginTask(expirationHandler handler: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.lastTask += 1
            state.tasks[state.lastTask] = handler
            if !state.isSuspended { state.isSuspensionReported = false }
            return state.lastTask
        }
    }

    /// Ends a background task; no effect for an unknown number.
    package func endTask(_ number: Int) {
        state.withLock { _ = $0.tasks.removeValue(forKey: number) }
        reportSuspension()
    }

    /// Changes the state; called on the main thread.
    private func setInBackground(_ isInBackground: Bool) {
        let due = clock.now + Self.taskDuration
        let (hasChanged, oldTimer) = state.withLock { state -> (Bool, ClockTimer?) in
            guard isInBackground != state.isInBackground else { return (false, nil) }
            state.isInBackground = isInBackground
            state.isEntering = isInBackground
            state.isExpired = false
            state.isSuspensionReported = false
            state.expiry = isInBackground ? due : nil
            defer { state.expiryTimer = nil }
            return (true, state.expiryTimer)
        }
        guard hasChanged else { return }
        oldTimer?.cancel()
        if isInBackground {
            let timer = clock.schedule(at: due) { [weak self] in
                self?.system.deliver(on: .main) { self?.expire(at: due) }
            }
            state.withLock { $0.expiryTimer = timer }
        }
        transitions.notify(isInBackground)
        state.withLock { $0.isEntering = false }
        reportSuspension()
    }

    /// Calls the expiration handlers and suspends the work; called on the main thread.
    private func expire(at due: CMTime) {
        let handlers = state.withLock { state in
            state.expiry == due ? state.tasks.sorted { $0.key < $1.key }.map(\.value) : nil
        }
        guard let handlers else { return }
        for handler in handlers { handler() }
        state.withLock { $0.isExpired = $0.expiry == due }
        reportSuspension()
    }

    /// Notifies the observers if work is suspended now and they were not yet notified.
    private func reportSuspension() {
        let isNew = state.withLock { state in
            guard state.isSuspended, !state.isSuspensionReported else { return false }
            state.isSuspensionReported = true
            return true
        }
        if isNew { suspensions.notify(()) }
    }
}
