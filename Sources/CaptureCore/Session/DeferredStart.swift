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
    /// Whether deferred start has been triggered, and prepares the waiting outputs.
    private(set) var isPreparing = false
    /// Whether the delegate knows that deferred start runs.
    private var isAnnounced = false
    /// The outputs that have not started.
    private(set) var waiting: Set<ObjectIdentifier> = []
    /// The outputs of the running session that have started.
    private var started: Set<ObjectIdentifier> = []
    private var isRunning = false

    /// Whether media that arrive now trigger deferred start.
    var isTriggeredByMedia: Bool { isPending && !isPreparing && (runsAutomatically || isRequested) }

    /// Returns the outputs that wait for deferred start: none if the start of all outputs is deferred.
    static func deferred(_ outputs: [Output]) -> [Output] {
        let deferred = outputs.filter(\.isDeferred)
        return deferred.count < outputs.count ? deferred : []
    }

    /// Updates the outputs of a session that starts or runs.
    mutating func prepare(_ outputs: [Output]) {
        let new = Self.deferred(outputs).map(\.id).filter { !started.contains($0) }
        isPending = isPending && isRunning || !isRunning || !waiting.isSuperset(of: new)
        isRunning = true
        waiting = Set(new)
        started = Set(outputs.map(\.id)).subtracting(waiting)
    }

    /// Records that deferred start is triggered.
    ///
    /// - Parameter outputDuration: The time to prepare an output.
    /// - Returns: The time to prepare the waiting outputs; nil if deferred start is not pending, or was already triggered.
    ///   If it is not zero, the delegate must be called.
    mutating func trigger(outputDuration: Duration) -> Duration? {
        guard isPending, !isPreparing else { return nil }
        isPreparing = true
        let duration = outputDuration * waiting.count
        isAnnounced = duration > .zero
        return duration
    }

    /// Records that deferred start runs.
    ///
    /// - Returns: The outputs that waited, and whether the delegate was already called.
    mutating func run() -> (outputs: Set<ObjectIdentifier>, wasAnnounced: Bool) {
        defer { (waiting, isAnnounced) = ([], false) }
        started.formUnion(waiting)
        isPending = false
        isPreparing = false
        isRequested = false
        return (waiting, isAnnounced)
    }

    /// Records that the session has stopped.
    mutating func stop() {
        isRunning = false
        isPending = false
        isPreparing = false
        isAnnounced = false
        waiting = []
        started = []
    }
}
