/// The outputs of a session that start after the others.
///
/// Deferred start is pending from the start of the session, or from a commit that added outputs that wait, until it
/// runs. Until then the outputs that wait receive no media.
///
/// Invariant: `waiting` is empty unless `isPending`.
struct DeferredStart: Sendable {
    /// An output and whether its start is deferred.
    struct Output: Sendable {
        let id: ObjectIdentifier
        let isDeferred: Bool
    }

    var runsAutomatically = true
    /// Whether the client has requested it since it ran last.
    var isRequested = false
    /// Whether it must run.
    private(set) var isPending = false
    /// The outputs that have not started.
    private(set) var waiting: Set<ObjectIdentifier> = []
    /// The outputs of the running session that have started.
    private var started: Set<ObjectIdentifier> = []
    private var isRunning = false

    /// Whether media that arrive now lead to deferred start.
    var runsWithMedia: Bool { isPending && (runsAutomatically || isRequested) }

    /// Updates the outputs of a session that starts or runs.
    ///
    /// If the start of all outputs is deferred, none waits.
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
