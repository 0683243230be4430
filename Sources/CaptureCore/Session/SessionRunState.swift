import CaptureHAL

/// Whether a session is started, whether it runs, and what interrupts it.
///
/// `start()` and `stop()` record the request of the client. An interruption does not change the request: a session that
/// was started runs again when the interruption ends.
///
/// Invariant: after the session performed `action`, `isRunning` implies `shouldRun`.
struct SessionRunState: Equatable, Sendable {
    /// Whether the client has started the session and neither the client nor an error has stopped it.
    private(set) var isStarted = false
    /// Whether the session delivers media.
    private(set) var isRunning = false
    /// The reason for the interruption; nil if there is none.
    private(set) var interruption: CaptureHAL.InterruptionReason?

    /// A change that clients are notified of.
    enum Event: Equatable, Sendable {
        case didStartRunning
        case didStopRunning
        case wasInterrupted(CaptureHAL.InterruptionReason)
        case interruptionEnded
    }

    /// The work that brings the devices to this state.
    enum Action: Equatable, Sendable {
        /// Start the devices that the configuration needs and stop the others.
        case run
        /// Stop all devices.
        case stop
        case none
    }

    /// Why the media stopped.
    enum StopCause: Equatable, Sendable {
        case stopped
        case interrupted(CaptureHAL.InterruptionReason)
    }

    /// Whether the session must deliver media.
    var shouldRun: Bool { isStarted && interruption == nil }

    /// The work that is left to do.
    var action: Action {
        if shouldRun { return .run }
        return isRunning ? .stop : .none
    }

    /// Records that the client started the session.
    mutating func start() { isStarted = true }

    /// Records that the client stopped the session, or that an error ended it; it does not restart automatically.
    mutating func stop() { isStarted = false }

    /// Updates the current reason for an interruption.
    ///
    /// An interruption begins with the first reason and ends when no reason is left. According to Apple's header, it
    /// ends when "hardware resources needed to run the session are again available". A reason that replaces another one
    /// causes no event. A session that is not started cannot be interrupted; a session that is stopped during an
    /// interruption stays interrupted until the interruption ends.
    mutating func update(_ reason: CaptureHAL.InterruptionReason?) -> Event? {
        let new = isStarted || interruption != nil ? reason : nil
        defer { interruption = new }
        if let new, interruption == nil { return .wasInterrupted(new) }
        return new == nil && interruption != nil ? .interruptionEnded : nil
    }

    /// Records that the devices of the configuration stream.
    ///
    /// - Returns: Nil if the session was already running.
    mutating func devicesDidStart() -> Event? {
        defer { isRunning = true }
        return isRunning ? nil : .didStartRunning
    }

    /// Records that no device streams.
    ///
    /// - Returns: Why the session stopped; nil if it was not running.
    mutating func devicesDidStop() -> StopCause? {
        defer { isRunning = false }
        guard isRunning else { return nil }
        return interruption.map { .interrupted($0) } ?? .stopped
    }
}
