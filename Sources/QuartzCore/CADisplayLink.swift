import CaptureHAL
import Dispatch
public import Foundation
public import MediaTypes

/// A range of frame rates in hertz.
public struct CAFrameRateRange: Hashable, Sendable {
    public var minimum: Float
    public var maximum: Float
    /// Nil or 0 if no rate is preferred.
    public var preferred: Float?

    public static let `default` = CAFrameRateRange()

    public init() { self.init(minimum: 0, maximum: 0, preferred: 0) }

    public init(minimum: Float, maximum: Float, preferred: Float? = nil) {
        self.minimum = minimum
        self.maximum = maximum
        self.preferred = preferred
    }
}

/// A timer with the refresh rate of a display, 60 Hz, on the clock of the capture system in which it was created.
///
/// A link that is late skips frames. It runs until it is invalidated.
/// - Note: Unlike Apple, it calls a closure instead of a selector, on the main queue.
public final class CADisplayLink: NSObject, Sendable {
    private struct State {
        var isAdded = false
        var isPaused = false
        var isRunning = false
        var rate = CAFrameRateRange.default
        /// The number of the display frame of the last call, counted from time 0 of the clock.
        var frame: Int64 = 0
        /// Nil after the link was invalidated.
        var handler: (@Sendable (CADisplayLink) -> Void)?
    }

    /// In hertz.
    private static let displayRate: Int64 = 60

    private let system: SystemReference
    private let clock: any CaptureClock
    private let state: Lock<State>

    /// Creates a link; `add(to:forMode:)` starts it.
    ///
    /// - Parameter handler: Runs on the main queue for each frame.
    public init(handler: @escaping @Sendable @MainActor (CADisplayLink) -> Void) {
        let current = CaptureSystem.current
        state = Lock(State(handler: { link in MainActor.assumeIsolated { handler(link) } }))
        system = current.reference
        clock = current.clock
    }

    /// The time of the frame in seconds, as `CACurrentMediaTime()`.
    public var timestamp: CFTimeInterval { Double(state.withLock { $0.frame }) / Double(Self.displayRate) }
    /// The time of the next frame.
    public var targetTimestamp: CFTimeInterval {
        state.withLock { Double($0.frame + Self.step($0.rate)) / Double(Self.displayRate) }
    }
    /// The time between two frames of the display.
    public var duration: CFTimeInterval { 1 / Double(Self.displayRate) }

    public var isPaused: Bool {
        get { state.withLock { $0.isPaused } }
        set {
            state.withLock { $0.isPaused = newValue }
            scheduleIfNeeded()
        }
    }

    /// The link calls its closure at the refresh rate of the display divided by an integer. It is the lowest such rate
    /// that is not below the preferred rate or, without a preferred rate, the maximum.
    public var preferredFrameRateRange: CAFrameRateRange {
        get { state.withLock { $0.rate } }
        set { state.withLock { $0.rate = newValue } }
    }

    public var preferredFramesPerSecond: Int {
        get { state.withLock { Int($0.rate.preferred ?? 0) } }
        set {
            preferredFrameRateRange = CAFrameRateRange(
                minimum: Float(newValue), maximum: Float(newValue), preferred: Float(newValue))
        }
    }

    /// Starts the link. The run loop and mode have no effect.
    public func add(to runloop: RunLoop, forMode mode: RunLoop.Mode) {
        state.withLock { $0.isAdded = true }
        scheduleIfNeeded()
    }

    public func remove(from runloop: RunLoop, forMode mode: RunLoop.Mode) { state.withLock { $0.isAdded = false } }

    /// Ends the link and releases its closure; it cannot be started again.
    public func invalidate() {
        let handler = state.withLock { state in
            defer { state.handler = nil }
            return state.handler
        }
        // Objects that the closure retains are released here, without the lock held.
        withExtendedLifetime(handler) {}
    }

    /// The number of frames of the display for each call.
    private static func step(_ rate: CAFrameRateRange) -> Int64 {
        let preferred = [rate.preferred ?? 0, rate.maximum].first { $0 > 0 } ?? 0
        return preferred > 0 ? max(1, displayRate / max(1, Int64(preferred))) : 1
    }

    private static func isActive(_ state: State) -> Bool { state.isAdded && !state.isPaused && state.handler != nil }

    private func scheduleIfNeeded() {
        let isStarting = state.withLock { state in
            guard !state.isRunning, Self.isActive(state) else { return false }
            state.isRunning = true
            return true
        }
        if isStarting { schedule() }
    }

    /// Schedules the next frame; the clock retains the link, as a run loop does.
    private func schedule() {
        let now = clock.now.nanoseconds
        let step = state.withLock { Self.step($0.rate) }
        let last = now * Self.displayRate / 1_000_000_000
        let frame = (last / step + 1) * step
        let due = CMTime(nanoseconds: (frame * 1_000_000_000 + Self.displayRate - 1) / Self.displayRate)
        clock.schedule(at: due) { [self] in
            system.deliver(on: .main, { self.call(frame) }, finished: { self.continueOrEnd() })
        }
    }

    private func call(_ frame: Int64) {
        let handler = state.withLock { state in
            guard Self.isActive(state) else { return nil as (@Sendable (CADisplayLink) -> Void)? }
            state.frame = frame
            return state.handler
        }
        handler?(self)
    }

    private func continueOrEnd() {
        let continues = state.withLock { state in
            state.isRunning = Self.isActive(state)
            return state.isRunning
        }
        if continues { schedule() }
    }
}
