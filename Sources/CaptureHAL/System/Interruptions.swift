import MediaTypes

/// Why the system takes the camera or microphone away; the raw values are those of
/// `AVCaptureSession.InterruptionReason`.
public enum InterruptionReason: Int, Sendable, Hashable, CaseIterable {
    case notAvailableInBackground = 1
    case audioInUseByAnotherClient = 2
    case videoInUseByAnotherClient = 3
    case notAvailableWithMultipleForegroundApps = 4
    case notAvailableDueToSystemPressure = 5
    case sensitiveContentMitigationActivated = 6
}

/// The interruptions that are in force; sessions watch them.
///
/// Several may overlap; one that is begun twice is in force until its end.
/// - Important: Thread-safe. Observers run on the thread that begins or ends an interruption.
public final class Interruptions: Sendable {
    private let state = Lock<[InterruptionReason]>([])
    private let observers = Observers<[InterruptionReason]>()
    private let resets = Observers<Void>()

    public init() {}

    /// The reasons in force, in the order in which they began.
    public var active: [InterruptionReason] { state.withLock { $0 } }

    public func begin(_ reason: InterruptionReason) {
        change { active in
            guard !active.contains(reason) else { return false }
            active.append(reason)
            return true
        }
    }

    public func end(_ reason: InterruptionReason) {
        change { active in
            guard let index = active.firstIndex(of: reason) else { return false }
            active.remove(at: index)
            return true
        }
    }

    /// Calls `handler` with the reasons in force after each change.
    public func observe(_ handler: @escaping @Sendable ([InterruptionReason]) -> Void) -> Observation {
        observers.add(handler)
    }

    /// Lets the system's media services die and come back: sessions that run fail, and their clients start them anew.
    public func resetMediaServices() { resets.notify(()) }

    /// Calls `handler` after each reset of the media services.
    public func observeResets(_ handler: @escaping @Sendable () -> Void) -> Observation {
        resets.add { handler() }
    }

    private func change(_ body: (inout [InterruptionReason]) -> Bool) {
        let changed = state.withLock { active in body(&active) ? active : nil }
        if let changed { observers.notify(changed) }
    }
}
