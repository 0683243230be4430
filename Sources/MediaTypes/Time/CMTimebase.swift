import Foundation

/// A timeline with a rate and a time that the client controls, relative to a clock or to another timebase.
///
/// It begins at time zero with rate 0.
///
/// - Important: Thread-safe.
public final class CMTimebase: @unchecked Sendable {
    // SAFETY: all state is behind `state`.

    /// The relation of the timebase's time to that of its source.
    struct Mapping: Sendable {
        var rate = 0.0
        /// The time of the timebase when the source showed `sourceAnchor`.
        var anchor = CMTime.zero
        var sourceAnchor: CMTime

        func time(atSourceTime time: CMTime) -> CMTime { anchor + Self.scaled(time - sourceAnchor, by: rate) }

        /// Returns the source's time when the timebase shows `time`; invalid if it stands still.
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
        var followers: [WeakReference<CMTimebase>] = []
        var timers: [TimebaseTimer] = []
    }

    private let state: Lock<State>

    /// Creates a timebase that follows a clock.
    public convenience init(sourceClock: CMClock) throws { self.init(following: sourceClock) }

    /// Creates a timebase that follows another timebase.
    public convenience init(sourceTimebase: CMTimebase) throws { self.init(following: sourceTimebase) }

    /// Creates a timebase that follows a clock.
    public convenience init(masterClock: CMClock) throws { self.init(following: masterClock) }

    /// Creates a timebase that follows another timebase.
    public convenience init(masterTimebase: CMTimebase) throws { self.init(following: masterTimebase) }

    init(following source: any CMSyncProtocol) {
        state = Lock(State(source: source, mapping: Mapping(sourceAnchor: source.time)))
        (source as? CMTimebase)?.addFollower(self)
    }

    private func addFollower(_ follower: CMTimebase) {
        state.withLock { state in
            state.followers.removeAll { $0.object == nil || $0.object === follower }
            state.followers.append(WeakReference(follower))
        }
    }

    private func removeFollower(_ follower: CMTimebase) {
        state.withLock { state in state.followers.removeAll { $0.object == nil || $0.object === follower } }
    }

    /// The source and the relation to its time.
    var sourceAndMapping: (any CMSyncProtocol, Mapping) { state.withLock { ($0.source, $0.mapping) } }

    /// The clock or timebase that the timebase follows.
    public var source: any CMSyncProtocol { state.withLock { $0.source } }
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
    public var time: CMTime {
        let (source, mapping) = sourceAndMapping
        return mapping.time(atSourceTime: source.time)
    }

    /// Returns the current time at a timescale.
    public func time(withTimescale timescale: CMTimeScale, rounding: CMTimeRoundingMethod = .default) -> CMTime {
        CMTimeConvertScale(time, timescale: timescale, method: rounding)
    }

    /// The rate relative to the source; 0 while the timebase stands still.
    public var rate: Float64 { sourceAndMapping.1.rate }

    /// The current time and the rate, consistent with each other.
    public var timeAndRate: (time: CMTime, rate: Float64) {
        let (source, mapping) = sourceAndMapping
        return (mapping.time(atSourceTime: source.time), mapping.rate)
    }

    /// The rate relative to the ultimate clock.
    public var effectiveRate: Float64 {
        let (source, mapping) = sourceAndMapping
        return mapping.rate * source.rateOfUltimateClock
    }

    /// Sets the current time.
    ///
    /// - Throws: `kCMTimebaseError_InvalidParameter` if it is not numeric.
    public func setTime(_ time: CMTime) throws {
        try check(time)
        change { mapping, sourceTime in (mapping.anchor, mapping.sourceAnchor) = (time, sourceTime) }
    }

    /// Sets the time that the timebase shows when its source shows `referenceTime`.
    public func setAnchorTime(_ anchorTime: CMTime, referenceTime: CMTime) throws {
        try check(anchorTime, referenceTime)
        change { mapping, _ in (mapping.anchor, mapping.sourceAnchor) = (anchorTime, referenceTime) }
    }

    /// Sets the rate from now on.
    ///
    /// - Throws: `kCMTimebaseError_InvalidParameter` if it is not finite.
    public func setRate(_ rate: Float64) throws {
        try check(rate: rate)
        change(jumps: false) { mapping, sourceTime in
            mapping = Mapping(
                rate: rate, anchor: mapping.time(atSourceTime: sourceTime), sourceAnchor: sourceTime)
        }
    }

    /// Sets the rate, and the time that the timebase shows when its source shows `referenceTime`.
    public func setRateAndAnchorTime(rate: Float64, anchorTime: CMTime, referenceTime: CMTime) throws {
        try check(rate: rate)
        try check(anchorTime, referenceTime)
        change { mapping, _ in mapping = Mapping(rate: rate, anchor: anchorTime, sourceAnchor: referenceTime) }
    }

    /// Follows another clock or timebase from now on, without a change of time or rate.
    func setSource(_ source: any CMSyncProtocol) {
        let (old, oldTime, newTime) = (self.source, self.source.time, source.time)
        state.withLock { state in
            state.mapping.anchor = state.mapping.time(atSourceTime: oldTime)
            state.mapping.sourceAnchor = newTime
            state.source = source
        }
        (old as? CMTimebase)?.removeFollower(self)
        (source as? CMTimebase)?.addFollower(self)
        didChange(rate: true, jumps: false)
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

    /// Changes the relation to the source's time.
    private func change(jumps: Bool = true, _ body: (inout Mapping, _ sourceTime: CMTime) -> Void) {
        let sourceTime = source.time
        let hasNewRate = state.withLock { state in
            let rate = state.mapping.rate
            body(&state.mapping, sourceTime)
            return state.mapping.rate != rate
        }
        didChange(rate: hasNewRate, jumps: jumps)
    }

    /// Schedules the timers of this timebase and of its followers anew, and notifies observers.
    private func didChange(rate hasNewRate: Bool, jumps: Bool) {
        let (timers, followers) = state.withLock { ($0.timers, $0.followers) }
        for timer in timers { schedule(timer) }
        var names: [Notification.Name] = []
        if hasNewRate { names.append(Self.effectiveRateChanged) }
        if jumps { names.append(Self.timeJumped) }
        let eventTime = CMTimeCopyAsDictionary(CMClock.hostTimeClock.time, allocator: nil) as Any
        for name in names {
            NotificationCenter.default.post(
                name: name, object: self, userInfo: [kCMTimebaseNotificationKey_EventTime: eventTime])
        }
        for follower in followers { follower.object?.didChange(rate: hasNewRate, jumps: jumps) }
    }
}

/// Timers that fire at times of the timebase.
extension CMTimebase {
    /// Adds a timer, which does not fire before its time is set.
    func add(_ timer: TimebaseTimer) {
        state.withLock { state in
            state.timers.removeAll { $0.object === timer.object }
            state.timers.append(timer)
        }
        schedule(timer)
    }

    /// Removes a timer, which no longer fires.
    ///
    /// - Returns: False if the timer was not added.
    func remove(_ object: AnyObject) -> Bool {
        let timer = state.withLock { state in
            defer { state.timers.removeAll { $0.object === object } }
            return state.timers.first { $0.object === object }
        }
        timer?.schedule(after: nil)
        return timer != nil
    }

    /// Sets the time at which a timer fires; not numeric for never.
    ///
    /// - Returns: False if the timer was not added.
    func setFireTime(_ time: CMTime, of object: AnyObject) -> Bool {
        let timer = state.withLock { state -> TimebaseTimer? in
            guard let index = state.timers.firstIndex(where: { $0.object === object }) else { return nil }
            state.timers[index].fireTime = time
            return state.timers[index]
        }
        if let timer { schedule(timer) }
        return timer != nil
    }

    /// Fires a timer now, and not at the time that was set.
    ///
    /// - Returns: False if the timer was not added.
    func fireImmediately(_ object: AnyObject) -> Bool {
        guard setFireTime(.invalid, of: object) else { return false }
        state.withLock { $0.timers.first { $0.object === object } }?.schedule(after: 0)
        return true
    }

    private func schedule(_ timer: TimebaseTimer) {
        let rate = effectiveRate
        guard timer.fireTime.isNumeric, rate != 0 else { return timer.schedule(after: nil) }
        timer.schedule(after: max(0, (timer.fireTime - time).seconds / rate))
    }
}
