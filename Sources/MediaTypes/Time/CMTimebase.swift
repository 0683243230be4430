import Foundation

/// A timeline with a rate and a time that the client controls, relative to a clock or to another timebase.
///
/// It begins at time zero with rate 0.
///
/// - Important: Thread-safe.
public final class CMTimebase: @unchecked Sendable {
    // SAFETY: `state` is only accessed while holding `lock`.

    /// The linear mapping between the time of the source and the time of the timebase.
    struct Mapping: Sendable {
        /// The rate relative to the source.
        var rate = 0.0
        /// The time of the timebase at the source time `sourceAnchor`.
        var anchor = CMTime.zero
        var sourceAnchor: CMTime

        /// Converts a time of the source to a time of the timebase.
        func time(atSourceTime time: CMTime) -> CMTime { anchor + Self.scaled(time - sourceAnchor, by: rate) }

        /// Converts a time of the timebase to a time of the source; invalid if the rate is 0.
        func sourceTime(at time: CMTime) -> CMTime {
            rate == 0 ? .invalid : sourceAnchor + Self.scaled(time - anchor, by: 1 / rate)
        }

        private static func scaled(_ time: CMTime, by factor: Double) -> CMTime {
            switch factor {
            case 0: .zero
            case 1: time
            case -1: .zero - time
            default: CMTimeMultiplyByFloat64(time, multiplier: factor)
            }
        }
    }

    private struct State {
        var source: any CMSyncProtocol
        var mapping: Mapping
        /// The rate relative to the ultimate clock after the last change. Observers are notified when it changes.
        var effectiveRate = 0.0
        /// The timebases whose source is this timebase.
        var followers: [WeakReference<CMTimebase>] = []
        var timers: [TimebaseTimer] = []
    }

    /// Protects the state of all timebases, because the time and rate of a timebase depend on the timebases that it
    /// follows.
    ///
    /// The times of clocks are read under the lock, so that mappings do not change between the read and the conversion.
    private static let lock = Lock(())
    /// Held while timers are scheduled, so that concurrent changes schedule timers in the order of the changes.
    private static let scheduling = Lock((), order: .timebaseScheduling)
    private var state: State

    /// Creates a timebase that follows a clock.
    public convenience init(sourceClock: CMClock) throws { self.init(following: sourceClock) }

    /// Creates a timebase that follows another timebase.
    public convenience init(sourceTimebase: CMTimebase) throws { self.init(following: sourceTimebase) }

    /// Creates a timebase that follows a clock.
    public convenience init(masterClock: CMClock) throws { self.init(following: masterClock) }

    /// Creates a timebase that follows another timebase.
    public convenience init(masterTimebase: CMTimebase) throws { self.init(following: masterTimebase) }

    init(following source: any CMSyncProtocol) {
        state = State(source: source, mapping: Mapping(sourceAnchor: source.time))
        guard let timebase = source as? CMTimebase else { return }
        Self.lock.withLock { _ in timebase.addFollower(self) }
    }

    /// Adds a follower while the caller holds the lock.
    private func addFollower(_ follower: CMTimebase) {
        removeFollower(follower)
        state.followers.append(WeakReference(follower))
    }

    /// Removes a follower while the caller holds the lock.
    private func removeFollower(_ follower: CMTimebase) {
        state.followers.removeAll { $0.object == nil || $0.object === follower }
    }

    /// Returns the time of a clock or timebase while the caller holds the lock.
    private static func currentTime(of source: any CMSyncProtocol) -> CMTime {
        guard let timebase = source as? CMTimebase else { return source.time }
        return timebase.state.mapping.time(atSourceTime: currentTime(of: timebase.state.source))
    }

    /// Returns the rate of a clock or timebase relative to its ultimate clock while the caller holds the lock.
    private static func currentRate(of source: any CMSyncProtocol) -> Double {
        guard let timebase = source as? CMTimebase else { return 1 }
        return timebase.state.mapping.rate * currentRate(of: timebase.state.source)
    }

    /// The source and the mapping of its time.
    var sourceAndMapping: (any CMSyncProtocol, Mapping) { Self.lock.withLock { _ in (state.source, state.mapping) } }

    /// The clock or timebase that the timebase follows.
    public var source: any CMSyncProtocol { Self.lock.withLock { _ in state.source } }
    /// The clock that the timebase follows directly; nil if it follows another timebase.
    public var sourceClock: CMClock? { source as? CMClock }
    /// The timebase that the timebase follows directly; nil if it follows a clock.
    public var sourceTimebase: CMTimebase? { source as? CMTimebase }
    /// The clock that the timebase follows, directly or through other timebases.
    public var ultimateSourceClock: CMClock {
        var source = source
        while let timebase = source as? CMTimebase { source = timebase.source }
        return source as? CMClock ?? .monotonic
    }

    /// The former name of `source`.
    public var master: any CMSyncProtocol { source }
    /// The former name of `sourceClock`.
    public var masterClock: CMClock? { sourceClock }
    /// The former name of `sourceTimebase`.
    public var masterTimebase: CMTimebase? { sourceTimebase }
    /// The former name of `ultimateSourceClock`.
    public var ultimateMasterClock: CMClock { ultimateSourceClock }

    /// The current time.
    public var time: CMTime { Self.lock.withLock { _ in Self.currentTime(of: self) } }

    /// Returns the current time at a timescale.
    public func time(withTimescale timescale: CMTimeScale, rounding: CMTimeRoundingMethod = .default) -> CMTime {
        CMTimeConvertScale(time, timescale: timescale, method: rounding)
    }

    /// The rate relative to the source; 0 while the timebase is stopped.
    public var rate: Float64 { sourceAndMapping.1.rate }

    /// The current time and the rate, read atomically.
    public var timeAndRate: (time: CMTime, rate: Float64) {
        Self.lock.withLock { _ in (Self.currentTime(of: self), state.mapping.rate) }
    }

    /// The rate relative to the ultimate clock.
    public var effectiveRate: Float64 { Self.lock.withLock { _ in Self.currentRate(of: self) } }

    /// Sets the current time.
    ///
    /// - Throws: `kCMTimebaseError_InvalidParameter` if it is not numeric.
    public func setTime(_ time: CMTime) throws {
        try check(time)
        changeMapping { mapping, sourceTime in (mapping.anchor, mapping.sourceAnchor) = (time, sourceTime) }
    }

    /// Sets the time of the timebase at the source time `referenceTime`.
    public func setAnchorTime(_ anchorTime: CMTime, referenceTime: CMTime) throws {
        try check(anchorTime, referenceTime)
        changeMapping { mapping, _ in (mapping.anchor, mapping.sourceAnchor) = (anchorTime, referenceTime) }
    }

    /// Sets the rate from now on.
    ///
    /// - Throws: `kCMTimebaseError_InvalidParameter` if it is not finite.
    public func setRate(_ rate: Float64) throws {
        try check(rate: rate)
        changeMapping(jumps: false) { mapping, sourceTime in
            mapping = Mapping(
                rate: rate, anchor: mapping.time(atSourceTime: sourceTime), sourceAnchor: sourceTime)
        }
    }

    /// Sets the rate, and the time of the timebase at the source time `referenceTime`.
    public func setRateAndAnchorTime(rate: Float64, anchorTime: CMTime, referenceTime: CMTime) throws {
        try check(rate: rate)
        try check(anchorTime, referenceTime)
        changeMapping { mapping, _ in mapping = Mapping(rate: rate, anchor: anchorTime, sourceAnchor: referenceTime) }
    }

    /// Follows another clock or timebase from now on, without a change of time or rate.
    ///
    /// - Returns: False if the source is this timebase or a timebase that follows it.
    @discardableResult
    func setSource(_ source: any CMSyncProtocol) -> Bool {
        var isAccepted = true
        // Retained until the lock is released, because a `deinit` may run any code.
        let old = self.source
        change(jumps: false) {
            var next: (any CMSyncProtocol)? = source
            while let timebase = next as? CMTimebase {
                guard timebase !== self else {
                    isAccepted = false
                    return
                }
                next = timebase.state.source
            }
            state.mapping.anchor = Self.currentTime(of: self)
            state.mapping.sourceAnchor = Self.currentTime(of: source)
            (state.source as? CMTimebase)?.removeFollower(self)
            (source as? CMTimebase)?.addFollower(self)
            state.source = source
        }
        withExtendedLifetime(old) {}
        return isAccepted
    }

    private func check(_ times: CMTime...) throws {
        guard times.allSatisfy(\.isNumeric) else {
            throw mediaError(kCMTimebaseError_InvalidParameter, "the times of a timebase must be numeric")
        }
    }

    private func check(rate: Float64) throws {
        guard rate.isFinite else {
            throw mediaError(kCMTimebaseError_InvalidParameter, "the rate of a timebase must be finite, not \(rate)")
        }
    }

    /// Changes the mapping of the source's time.
    ///
    /// - Parameter jumps: Whether the current time changes.
    private func changeMapping(jumps: Bool = true, _ body: (inout Mapping, _ sourceTime: CMTime) -> Void) {
        change(jumps: jumps) { body(&state.mapping, Self.currentTime(of: state.source)) }
    }

    /// A timebase that is affected by a change.
    private struct Affected {
        let timebase: CMTimebase
        /// Whether the effective rate changed.
        var hasNewRate = false
    }

    /// Changes the state, reschedules the timers of this timebase and of its followers, and notifies observers.
    ///
    /// - Parameters:
    ///   - jumps: Whether the current time changes, so that `timeJumped` is posted.
    ///   - body: Changes the state; runs while the lock is held.
    private func change(jumps: Bool, _ body: () -> Void) {
        // Timers are released outside the locks.
        let (affected, timers) = Self.scheduling.withLock { _ in
            let clock = CMClock.hostTimeClock
            let result = Self.lock.withLock { _ in
                var affected = withFollowers.map { Affected(timebase: $0) }
                for timebase in affected.map(\.timebase) { timebase.disarmDueTimers() }
                body()
                for index in affected.indices {
                    let timebase = affected[index].timebase
                    let rate = Self.currentRate(of: timebase)
                    affected[index].hasNewRate = rate != timebase.state.effectiveRate
                    timebase.state.effectiveRate = rate
                }
                return (affected, affected.flatMap { $0.timebase.armTimers(clock) })
            }
            for timer in result.1 { timer.schedule() }
            return result
        }
        withExtendedLifetime(timers) {}
        let eventTime = CMTimeCopyAsDictionary(CMClock.hostTimeClock.time, allocator: nil) as Any
        for entry in affected {
            var names: [Notification.Name] = []
            if entry.hasNewRate { names.append(Self.effectiveRateChanged) }
            if jumps { names.append(Self.timeJumped) }
            for name in names {
                NotificationCenter.default.post(
                    name: name, object: entry.timebase, userInfo: [kCMTimebaseNotificationKey_EventTime: eventTime])
            }
        }
    }

    /// This timebase and all timebases that follow it, directly or not, while the caller holds the lock.
    private var withFollowers: [CMTimebase] {
        [self] + state.followers.compactMap(\.object).flatMap(\.withFollowers)
    }
}

/// Timers that fire at times of the timebase.
extension CMTimebase {
    /// Adds a timer, which does not fire before its time is set.
    func add(_ timer: TimebaseTimer) {
        let old = Self.scheduling.withLock { _ in
            let old = Self.lock.withLock { _ in
                defer {
                    state.timers.removeAll { $0.object === timer.object }
                    state.timers.append(timer)
                }
                return state.timers
            }
            timer.schedule()
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// Removes a timer, which no longer fires.
    ///
    /// - Returns: False if the timer was not added.
    func remove(_ object: AnyObject) -> Bool {
        changeTimer(object) { timer, _ in
            timer.disarm()
            return false
        }
    }

    /// Sets the time at which a timer fires; it never fires if the time is not numeric.
    ///
    /// - Returns: False if the timer was not added.
    func setFireTime(_ time: CMTime, of object: AnyObject) -> Bool {
        changeTimer(object) { timer, clock in
            timer.disarm()
            timer.fireTime = time
            timer.arm(after: delay(of: timer), clock)
            return true
        }
    }

    /// Fires a timer now and clears its fire time.
    ///
    /// - Returns: False if the timer was not added.
    func fireImmediately(_ object: AnyObject) -> Bool {
        changeTimer(object) { timer, clock in
            timer.disarm()
            timer.arm(after: 0, clock)
            return true
        }
    }

    /// Changes a timer and schedules it.
    ///
    /// - Parameter body: Runs while the lock is held, and returns whether the timer remains.
    /// - Returns: False if the timer was not added.
    private func changeTimer(_ object: AnyObject, _ body: (inout TimebaseTimer, CMClock) -> Bool) -> Bool {
        Self.scheduling.withLock { _ in
            let clock = CMClock.hostTimeClock
            let changed = Self.lock.withLock { _ -> TimebaseTimer? in
                guard let index = state.timers.firstIndex(where: { $0.object === object }) else { return nil }
                var timer = state.timers[index]
                if body(&timer, clock) { state.timers[index] = timer } else { state.timers.remove(at: index) }
                return timer
            }
            changed?.schedule()
            return changed != nil
        }
    }

    /// Returns the number of seconds on the ultimate clock until a timer fires, while the caller holds the lock; nil if
    /// it does not fire.
    private func delay(of timer: TimebaseTimer) -> Double? {
        let rate = Self.currentRate(of: self)
        guard timer.fireTime.isNumeric, rate != 0 else { return nil }
        return max(0, (timer.fireTime - Self.currentTime(of: self)).seconds / rate)
    }

    /// Disarms the timers that have fired or are about to fire, while the caller holds the lock.
    private func disarmDueTimers() {
        for index in state.timers.indices where state.timers[index].isDue { state.timers[index].disarm() }
    }

    /// Sets the deadlines of the timers that have a fire time, while the caller holds the lock.
    ///
    /// - Returns: The timers to schedule.
    private func armTimers(_ clock: CMClock) -> [TimebaseTimer] {
        for index in state.timers.indices where state.timers[index].fireTime.isNumeric {
            state.timers[index].arm(after: delay(of: state.timers[index]), clock)
        }
        return state.timers.filter(\.fireTime.isNumeric)
    }
}
