/// The outputs of a session that start after the others.
///
/// Deferred start becomes pending when the session starts, or with a commit that adds outputs with deferred start. The
/// waiting outputs receive no media until it has run.
///
/// Invariant: `waiting` is empty unless `isPending`.
struct DeferredStart: Sendable {
    /// An output and whether its start is deferred.
    struct Output: Sendable {
        let id: ObjectIdentifier
        let isDeferred: Bool
    }

    var runsAutomatically = true
    /// Whether the client has requested deferred start since its last run.
    var isRequested = false
    /// Whether deferred start must still run.
    private(set) var isPending = false
    /// The outputs that have not started.
    private(set) var waiting: Set<ObjectIdentifier> = []
    /// The outputs of the running session that have started.
    private var started: Set<ObjectIdentifier> = []
    private var isRunning = false

    /// Whether media that arrive now trigger deferred start.
    var isTriggeredByMedia: Bool { isPending && (runsAutomatically || isRequested) }

    /// Updates the outputs of a session that starts or runs.
    ///
    /// No output waits if the start of all outputs is deferred.
    mutating func prepare(_ outputs: [Output]) {
        let isDeferralUsed = outputs.contains(where: \.isDeferred) && outputs.contains { !$0.isDeferred }
        let new = outputs.filter { isDeferralUsed && $0.isDeferred && !started.contains($0.id) }.map(\.id)
        isPending = isPending && isRunning || !isRunning || !waiting.isSuperset(of: new)
        isRunning = true
        waiting = Set(new)
        started = Set(outputs.map(\.id)).subtracting(waiting)
    }

    /// Records that deferred start runs.
    ///
    /// - Returns: The outputs that waited.
    mutating func run() -> Set<ObjectIdentifier> {
        defer { waiting = [] }
        started.formUnion(waiting)
        isPending = false
        isRequested = false
        return waiting
    }

    /// Records that the session has stopped.
    mutating func stop() {
        isRunning = false
        isPending = false
        waiting = []
        started = []
    }
}
