import MediaTypes

/// The reason why the system interrupts capture; the raw values match
/// `AVCaptureSession.InterruptionReason`.
public enum InterruptionReason: Int, Sendable, Hashable, CaseIterable {
    case notAvailableInBackground = 1
    case audioInUseByAnotherClient = 2
    case videoInUseByAnotherClient = 3
    case notAvailableWithMultipleForegroundApps = 4
    case notAvailableDueToSystemPressure = 5
    case sensitiveContentMitigationActivated = 6
}

/// The active interruptions; sessions observe them.
///
/// Several may be active at the same time. Beginning an active interruption and ending an inactive one have no effect.
/// - Important: Thread-safe. Observers run on the thread that begins or ends an interruption.
public final class Interruptions: Sendable {
    private struct State {
        var active: [InterruptionReason] = []
        var shouldResume = true
    }

    private let state = Lock(State())
    private let observers = Observers<[InterruptionReason]>()
    private let resets = Observers<Void>()

    /// Creates an object without active interruptions.
    public init() {}

    /// The active reasons, in the order in which they began.
    public var active: [InterruptionReason] { state.withLock { $0.active } }

    /// Begins an interruption.
    public func begin(_ reason: InterruptionReason) {
        change { state in
            guard !state.active.contains(reason) else { return false }
            state.active.append(reason)
            return true
        }
    }

    /// Whether the app should resume audio after the interruption that ended last.
    public var shouldResume: Bool { state.withLock { $0.shouldResume } }

    /// Ends an interruption.
    ///
    /// - Parameters:
    ///   - reason: The reason of the interruption that ends.
    ///   - shouldResume: Whether the app should resume audio without an action of the user. It is false, for example,
    ///     if the user started music in the other client.
    public func end(_ reason: InterruptionReason, shouldResume: Bool = true) {
        change { state in
            guard let index = state.active.firstIndex(of: reason) else { return false }
            state.active.remove(at: index)
            state.shouldResume = shouldResume
            return true
        }
    }

    /// Calls `handler` with the active reasons after each change, until the token is cancelled or released.
    public func observe(_ handler: @escaping @Sendable ([InterruptionReason]) -> Void) -> ObserverToken {
        observers.add(handler)
    }

    /// Simulates a crash of the operating system's media services: running sessions fail, and clients must start them
    /// again.
    public func resetMediaServices() { resets.notify(()) }

    /// Calls `handler` after each reset of the media services, until the token is cancelled or released.
    public func observeResets(_ handler: @escaping @Sendable () -> Void) -> ObserverToken {
        resets.add { handler() }
    }

    private func change(_ body: (inout State) -> Bool) {
        let changed = state.withLock { state in body(&state) ? state.active : nil }
        if let changed { observers.notify(changed) }
    }
}
