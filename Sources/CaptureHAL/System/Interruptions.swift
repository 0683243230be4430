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
/// Several may be active at the same time. Beginning an active interruption has no effect.
/// - Important: Thread-safe. Observers run on the thread that begins or ends an interruption.
public final class Interruptions: Sendable {
    private let state = Lock<[InterruptionReason]>([])
    private let resumption = Lock(true)
    private let observers = Observers<[InterruptionReason]>()
    private let resets = Observers<Void>()

    /// Creates an object without active interruptions.
    public init() {}

    /// The active reasons, in the order in which they began.
    public var active: [InterruptionReason] { state.withLock { $0 } }

    /// Begins an interruption.
    public func begin(_ reason: InterruptionReason) {
        change { active in
            guard !active.contains(reason) else { return false }
            active.append(reason)
            return true
        }
    }

    /// Whether the app should resume audio after the interruption that ended last.
    public var shouldResume: Bool { resumption.withLock { $0 } }

    /// Ends an interruption.
    ///
    /// - Parameter shouldResume: Whether the app should resume audio without an action of the user. It is false, for
    ///   example, if the user started music in the other client.
    public func end(_ reason: InterruptionReason, shouldResume: Bool = true) {
        resumption.withLock { $0 = shouldResume }
        change { active in
            guard let index = active.firstIndex(of: reason) else { return false }
            active.remove(at: index)
            return true
        }
    }

    /// Calls `handler` with the active reasons after each change, until the token is cancelled or released.
    public func observe(_ handler: @escaping @Sendable ([InterruptionReason]) -> Void) -> ObserverToken {
        observers.add(handler)
    }

    /// Simulates a crash of the system's media services: running sessions fail, and their clients restart them.
    public func resetMediaServices() { resets.notify(()) }

    /// Calls `handler` after each reset of the media services, until the token is cancelled or released.
    public func observeResets(_ handler: @escaping @Sendable () -> Void) -> ObserverToken {
        resets.add { handler() }
    }

    private func change(_ body: (inout [InterruptionReason]) -> Bool) {
        let changed = state.withLock { active in body(&active) ? active : nil }
        if let changed { observers.notify(changed) }
    }
}
