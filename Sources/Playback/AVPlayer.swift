import CaptureHAL
public import Dispatch
public import Foundation
public import KeyValueObserving
import MediaAssets
public import MediaTypes

/// Plays an item on the clock of the capture system in which the player was created.
///
/// On a virtual clock, times are exact: observers are called when the item's time is reached, and no time passes while
/// media is decoded. Can be observed: `status`, `error`, `rate`, `defaultRate`, `timeControlStatus`,
/// `reasonForWaitingToPlay`, `currentItem`, `volume`, `isMuted`, and the preferences that can be set.
///
/// The sound of all enabled audio tracks goes to the system's `soundOutput`, and with a real clock to its speaker.
/// - Note: Unlike Apple, a player is not confined to the main actor.
/// - Important: Thread-safe.
public class AVPlayer: NSObject, KeyValueObserving, @unchecked Sendable {
    // SAFETY: all state is behind `state`; the constants are thread-safe objects.

    /// Whether a player can play.
    public enum Status: Int, Sendable {
        case unknown = 0
        case readyToPlay = 1
        case failed = 2
    }

    /// Whether a player is paused, waits to play, or plays.
    public enum TimeControlStatus: Int, Sendable {
        case paused = 0
        case waitingToPlayAtSpecifiedRate = 1
        case playing = 2
    }

    /// Why a player waits.
    public struct WaitingReason: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let toMinimizeStalls = WaitingReason(rawValue: "AVPlayerWaitingToMinimizeStallsReason")
        /// The item is being read.
        public static let evaluatingBufferingRate = WaitingReason(
            rawValue: "AVPlayerWaitingWhileEvaluatingBufferingRateReason")
        public static let noItemToPlay = WaitingReason(rawValue: "AVPlayerWaitingWithNoItemToPlayReason")
        /// Never the reason: there is no coordinated playback.
        public static let waitingForCoordinatedPlayback = WaitingReason(
            rawValue: "AVPlayerWaitingForCoordinatedPlaybackReason")
    }

    /// What happens at the end of an item.
    public enum ActionAtItemEnd: Int, Sendable {
        /// The next item of an `AVQueuePlayer` is played.
        case advance = 0
        case pause = 1
        /// The rate stays, and playback continues after a seek.
        case none = 2
    }

    /// The maximum magnitude of a rate. Greater rates are limited to it.
    private static let maximumRate: Float = 8

    private struct State {
        var item: AVPlayerItem?
        var rate: Float = 0
        /// Why the current update changes the rate; nil outside of an update.
        var rateReason: RateDidChangeReason?
        var defaultRate: Float = 1
        var action = ActionAtItemEnd.pause
        var waits = true
        var volume: Float = 1
        var isMuted = false
        /// The times at which reverse and forward playback of the item end; nil until it is ready.
        var limits: (start: CMTime, end: CMTime)?
        var itemStatus = AVPlayerItem.Status.unknown
        var hasBeenReady = false
        /// Whether playback has stopped at the end of the item without a change of `rate`.
        var isAtEnd = false
        var timeline: PlaybackTimeline
        /// The item's time at the last event, such as a jump or the call of an observer.
        var position = CMTime.zero
        /// The item's time at the next event; nil if none is scheduled.
        var next: CMTime?
        var timer: ClockTimer?
        /// Identifies the scheduled timer; timers with other numbers are ignored.
        var generation: UInt64 = 0
        var observers: [TimeObserver] = []
        /// The times at which outputs of the item deliver media, in ascending order.
        var outputBoundaries: [CMTime] = []
        var layers: [WeakReference<AVPlayerLayer>] = []

        /// The status, and why the player waits; nil if it does not wait.
        var control: (TimeControlStatus, WaitingReason?) {
            if rate == 0 { return (.paused, nil) }
            if item == nil { return (.waitingToPlayAtSpecifiedRate, .noItemToPlay) }
            if limits == nil { return (.waitingToPlayAtSpecifiedRate, .evaluatingBufferingRate) }
            return (.playing, nil)
        }

        /// The times of all events except the end of playback.
        var schedules: [TimeObserver.Schedule] { observers.map(\.schedule) + [.boundaries(outputBoundaries)] }

        /// The rate at which the item's time passes.
        var effectiveRate: Double { limits == nil || isAtEnd ? 0 : Double(rate) }
    }

    /// The actions that result from a change of the state. They are performed after `state` is unlocked.
    private struct Effects {
        /// The names of the changed properties.
        var names: Set<String> = []
        var rateReason: RateDidChangeReason?
        /// Whether layers may become ready for display, or cease to be.
        var changesDisplay = false
        var endsPrerolls = false
        /// The item's time at which its outputs deliver media, and the direction of playback.
        var outputs: (item: AVPlayerItem, time: CMTime, isReversed: Bool)?
        /// The observers to call, and the item's time for each.
        var calls: [(TimeObserver, CMTime)] = []
        /// The item that has played to its end.
        var ended: AVPlayerItem?
        /// The items whose playback starts or stops.
        var playbackChanges: [(item: AVPlayerItem, isPlaying: Bool)] = []
        var oldTimer: ClockTimer?
        /// The clock's time of the next event, and the number of its timer.
        var due: (CMTime, UInt64)?
        /// The rate and the anchor times of the timebase.
        var mapping: (rate: Double, anchor: CMTime, host: CMTime)?
    }

    public let observedProperties: ObservedProperties
    let system: CaptureSystem
    private let timebase: CMTimebase?
    private let state: Lock<State>
    /// Prerolls that have not completed.
    let prerolls = Lock<[Preroll]>([])
    /// Properties that do not affect the timing of playback.
    let preferences = Lock(Preferences())

    /// Creates a player without an item.
    public override convenience init() { self.init(playerItem: nil) }

    /// Creates a player of the file at a URL.
    public convenience init(url: URL) { self.init(playerItem: AVPlayerItem(url: url)) }

    /// Creates a player of an item.
    public convenience init(playerItem item: AVPlayerItem?) {
        self.init(action: .pause)
        if item != nil { replaceCurrentItem(with: item) }
    }

    /// Creates a player without an item.
    init(action: ActionAtItemEnd) {
        system = .current
        observedProperties = ObservedProperties(system.reference, system.misuse)
        // A clock is always accepted as the source.
        timebase = try? CMTimebase(sourceClock: system.mediaClock)
        state = Lock(State(action: action, timeline: PlaybackTimeline(hostTime: system.clock.now)))
        super.init()
    }

    deinit {
        let (item, timer, timeline) = state.withLock { ($0.item, $0.timer, $0.timeline) }
        timer?.cancel()
        system.soundOutput.play(nil, gain: 0, by: self, atHostTime: system.clock.now)
        item?.setStartTime(timeline.time(atHostTime: system.clock.now))
        item?.detach()
        cancelPendingPrerolls()
    }

    /// `.readyToPlay` once an item has been ready.
    public var status: Status { read { $0.hasBeenReady ? .readyToPlay : .unknown } }
    /// Always nil: failures are reported by the item.
    public var error: (any Error)? { read { _ in nil } }
    public var timeControlStatus: TimeControlStatus { read { $0.control.0 } }
    /// Why the player waits; nil if it does not.
    public var reasonForWaitingToPlay: WaitingReason? { read { $0.control.1 } }
    public var currentItem: AVPlayerItem? { read { $0.item } }

    /// The requested rate: 0 while paused, negative for reverse playback; at most 8 in either direction.
    public var rate: Float {
        get { read { $0.rate } }
        set { setRate(newValue) }
    }

    /// The rate of `play()`; 1 by default.
    public var defaultRate: Float {
        get { read { $0.defaultRate } }
        set { change { $0.defaultRate = newValue } }
    }

    /// The volume, 0 to 1.
    public var volume: Float {
        get { read { $0.volume } }
        set {
            change { $0.volume = max(0, min(1, newValue)) }
            playSound()
        }
    }

    public var isMuted: Bool {
        get { read { $0.isMuted } }
        set {
            change { $0.isMuted = newValue }
            playSound()
        }
    }

    /// Whether the player may wait for media; true by default. `setRate(_:time:atHostTime:)` requires false.
    public var automaticallyWaitsToMinimizeStalling: Bool {
        get { read { $0.waits } }
        set { change { $0.waits = newValue } }
    }

    /// What happens at the end of an item; `.pause` by default.
    public var actionAtItemEnd: ActionAtItemEnd {
        get { read { $0.action } }
        set {
            guard newValue != .advance || hasQueue else {
                return system.misuse.report(
                    .invalidArgument, "-[AVPlayer setActionAtItemEnd:] only AVQueuePlayer can advance to a next item")
            }
            change { $0.action = newValue }
        }
    }

    /// Whether the player has a queue of items, to which it can advance.
    var hasQueue: Bool { false }

    /// Plays at the default rate.
    public func play() { setRate(defaultRate) }

    public func pause() { setRate(0) }

    /// Plays at a rate.
    public func playImmediately(atRate rate: Float) { setRate(rate) }

    private func setRate(_ rate: Float) {
        guard rate.isFinite else {
            return system.misuse.report(.invalidArgument, "-[AVPlayer setRate:] the rate must be finite, not \(rate)")
        }
        update { state, _ in
            (state.rate, state.rateReason) = (Self.clamped(rate), .setRateCalled)
            state.isAtEnd = false
        }
    }

    private static func clamped(_ rate: Float) -> Float { max(-maximumRate, min(maximumRate, rate)) }

    /// Sets the rate, and aligns a time of the item with a time of the host clock.
    ///
    /// - Parameters:
    ///   - itemTime: The item's time at `hostClockTime`; invalid for the current time.
    ///   - hostClockTime: A time of the system's clock; invalid for now.
    public func setRate(_ rate: Float, time itemTime: CMTime, atHostTime hostClockTime: CMTime) {
        guard !automaticallyWaitsToMinimizeStalling, rate.isFinite else {
            return system.misuse.report(
                .invalidArgument,
                "-[AVPlayer setRate:time:atHostTime:] requires a finite rate and automaticallyWaitsToMinimizeStalling "
                    + "== NO")
        }
        let item = update(jumps: itemTime.isNumeric) { state, now in
            let time = itemTime.isNumeric ? itemTime : state.timeline.time(atHostTime: now)
            (state.rate, state.rateReason) = (Self.clamped(rate), .setRateCalled)
            state.isAtEnd = false
            state.timeline.setRate(state.effectiveRate, atHostTime: now)
            state.timeline.setTime(time, atHostTime: hostClockTime.isNumeric ? hostClockTime : now)
            state.position = state.timeline.time(atHostTime: now)
            return state.item
        }
        if itemTime.isNumeric { item?.postJump() }
    }

    /// Replaces the current item. The replaced item keeps its current time.
    ///
    /// An item of another player is misuse.
    public func replaceCurrentItem(with item: AVPlayerItem?) {
        guard item !== currentItem else { return }
        if let item {
            if let message = system.reference.rejectionReason(
                joining: "the item", of: item.system.reference, to: "the player")
            {
                return system.misuse.report(
                    .invalidArgument, "-[AVPlayer replaceCurrentItemWithPlayerItem:] \(message)")
            }
            guard item.attach(to: self) else {
                return system.misuse.report(
                    .invalidArgument,
                    "-[AVPlayer replaceCurrentItemWithPlayerItem:] An AVPlayerItem cannot be associated with more than "
                        + "one instance of AVPlayer")
            }
        }
        setCurrentItem(item)
    }

    /// Replaces the current item by an item of this player. In a player with a queue, nil also sets the rate to 0.
    ///
    /// The old item is detached at its current time, before observers of the player are notified.
    /// - Parameter hostTime: The time of the clock at which the new item starts; nil for now.
    func setCurrentItem(_ item: AVPlayerItem?, atHostTime hostTime: CMTime? = nil) {
        if let old = state.withLock({ $0.item }) {
            old.setStartTime(currentTime())
            old.detach()
        }
        let (status, limits) = (item?.status ?? .unknown, item?.playbackLimits)
        let time = item?.startTime ?? .zero
        let boundaries = item?.outputBoundaries ?? []
        update { state, now in
            state.outputBoundaries = boundaries
            (state.item, state.limits, state.itemStatus, state.isAtEnd) = (item, limits, status, false)
            if item == nil, hasQueue { state.rate = 0 }
            state.timeline = PlaybackTimeline(at: time, hostTime: hostTime ?? now)
            state.timeline.setRate(state.effectiveRate, atHostTime: hostTime ?? now)
            state.position = time
        }
        item?.startSequences()
    }

    /// Called when the current item has played to its end and the player advances. Overridden by `AVQueuePlayer`.
    ///
    /// - Parameter hostTime: The time of the clock at which the item ended; nil for now.
    func advance(atHostTime hostTime: CMTime?) {}

    // MARK: Time

    /// The time of the current item; zero without one.
    public func currentTime() -> CMTime {
        let now = system.clock.now
        return state.withLock { $0.item == nil ? .zero : $0.timeline.time(atHostTime: now) }
    }

    /// Returns the time of an item; nil if it is not the current one.
    ///
    /// - Parameter hostTime: A time of the clock; nil for now.
    func time(of item: AVPlayerItem, atHostTime hostTime: CMTime? = nil) -> CMTime? {
        let hostTime = hostTime ?? system.clock.now
        return state.withLock { $0.item === item ? $0.timeline.time(atHostTime: hostTime) : nil }
    }

    func timebase(of item: AVPlayerItem) -> CMTimebase? { state.withLock { $0.item } === item ? timebase : nil }

    /// Calls a block at each whole multiple of an interval on the item's timeline, and whenever playback starts, stops
    /// or jumps.
    ///
    /// - Parameters:
    ///   - queue: A serial queue; nil for the main queue.
    ///   - block: Receives the item's time.
    /// - Returns: The observer, for `removeTimeObserver(_:)`.
    public func addPeriodicTimeObserver(
        forInterval interval: CMTime, queue: DispatchQueue?, using block: @escaping @Sendable (CMTime) -> Void
    ) -> Any {
        if !interval.isNumeric || interval <= .zero {
            system.misuse.report(
                .invalidArgument, "-[AVPlayer addPeriodicTimeObserverForInterval:] the interval must be positive")
        }
        return add(
            TimeObserver(.periodic(max(interval, CMTime(value: 1, timescale: 1000))), on: queue, block),
            isValid: interval.isNumeric && interval > .zero)
    }

    /// Calls a block when playback reaches any of the times, in either direction. Seeks do not call it.
    ///
    /// - Parameters:
    ///   - times: `NSValue`s of times.
    ///   - queue: A serial queue; nil for the main queue.
    /// - Returns: The observer, for `removeTimeObserver(_:)`.
    public func addBoundaryTimeObserver(
        forTimes times: [NSValue], queue: DispatchQueue?, using block: @escaping @Sendable () -> Void
    ) -> Any {
        let sorted = times.map(\.timeValue).filter(\.isNumeric).sorted()
        if sorted.isEmpty {
            system.misuse.report(
                .invalidArgument, "-[AVPlayer addBoundaryTimeObserverForTimes:] there must be at least one time")
        }
        return add(TimeObserver(.boundaries(sorted), on: queue) { _ in block() }, isValid: !sorted.isEmpty)
    }

    private func add(_ observer: TimeObserver, isValid: Bool) -> TimeObserver {
        if isValid { update { state, _ in state.observers.append(observer) } }
        return observer
    }

    /// Removes an observer. If this is called on the observer's queue, its block is not called afterwards.
    public func removeTimeObserver(_ observer: Any) {
        let isRemoved = (observer as? TimeObserver).map { observer in
            observer.remove()
            return update { state, _ in
                let count = state.observers.count
                state.observers.removeAll { $0 === observer }
                return state.observers.count < count
            }
        }
        if isRemoved != true {
            system.misuse.report(
                .invalidArgument,
                "-[AVPlayer removeTimeObserver:] An instance of AVPlayer cannot remove a time observer that was added "
                    + "by a different instance of AVPlayer.")
        }
    }

    // MARK: Layers and items

    func add(_ layer: AVPlayerLayer) {
        let reference = WeakReference(layer)
        state.withLock { $0.layers.append(reference) }
    }

    func remove(_ layer: AVPlayerLayer) {
        state.withLock { $0.layers.removeAll { $0.object == nil || $0.object === layer } }
    }

    /// Called when the status, the end times, or the presented media of an item have changed.
    func itemChanged(_ item: AVPlayerItem) {
        let (status, limits) = (item.status, item.playbackLimits)
        update { state, _ in
            guard state.item === item else { return }
            (state.itemStatus, state.limits, state.isAtEnd) = (status, limits, false)
            if status == .readyToPlay { state.hasBeenReady = true }
            if status == .failed { state.rate = 0 }
        }
    }

    /// Called when the times at which outputs of an item deliver media have changed.
    func outputsChanged(of item: AVPlayerItem) {
        let boundaries = item.outputBoundaries
        update { state, _ in
            if state.item === item { state.outputBoundaries = boundaries }
        }
    }

    /// Sets the time of an item; does nothing if it is not the current one.
    func jump(_ item: AVPlayerItem, to time: CMTime) {
        update(jumps: true) { state, now in
            guard state.item === item else { return }
            state.timeline.setTime(time, atHostTime: now)
            state.position = time
            state.isAtEnd = false
        }
    }

    // MARK: State

    private func read<Value>(_ name: String = #function, _ body: (State) -> Value) -> Value {
        observedProperties.access(name)
        return state.withLock { body($0) }
    }

    /// Changes a property that does not affect the timing of playback.
    private func change(_ name: String = #function, _ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        observedProperties.changed(name)
    }

    /// Changes the state, schedules the next event, and notifies observers.
    ///
    /// - Parameter jumps: Whether periodic observers receive the new time.
    @discardableResult
    private func update<Result>(jumps: Bool = false, _ body: (inout State, CMTime) -> Result) -> Result {
        let now = system.clock.now
        let (result, effects) = state.withLock { state in
            let old = state
            let result = body(&state, now)
            return (result, Self.updateTimeline(&state, since: old, at: now, jumps: jumps))
        }
        perform(effects)
        return result
    }

    /// Updates the timeline to the state, and finds the next event.
    ///
    /// - Returns: The actions that result from the differences between the states.
    private static func updateTimeline(_ state: inout State, since old: State, at now: CMTime, jumps: Bool) -> Effects {
        var effects = Effects()
        if state.timeline.rate != state.effectiveRate {
            state.timeline.setRate(state.effectiveRate, atHostTime: now)
            state.position = state.timeline.time(atHostTime: now)
        }
        let timeline = state.timeline
        if jumps || (timeline.rate == 0) != (old.timeline.rate == 0) {
            let time = timeline.time(atHostTime: now)
            effects.calls = state.observers.filter(\.isPeriodic).map { ($0, time) }
        }
        let (wasPlaying, isPlaying) = (old.timeline.rate != 0, timeline.rate != 0)
        if let item = old.item, wasPlaying, !isPlaying || item !== state.item {
            effects.playbackChanges.append((item, false))
        }
        if let item = state.item, isPlaying, !wasPlaying || item !== old.item {
            effects.playbackChanges.append((item, true))
        }
        effects.endsPrerolls = jumps || state.rate != old.rate || state.item !== old.item
        if state.rate != old.rate {
            effects.names.insert("rate")
            effects.rateReason = state.rateReason
        }
        state.rateReason = nil
        if state.control.0 != old.control.0 { effects.names.insert("timeControlStatus") }
        if state.control.1 != old.control.1 { effects.names.insert("reasonForWaitingToPlay") }
        if state.item !== old.item { effects.names.insert("currentItem") }
        if state.hasBeenReady != old.hasBeenReady { effects.names.insert("status") }
        effects.changesDisplay = state.itemStatus != old.itemStatus || state.item !== old.item
        effects.mapping = (timeline.rate, timeline.time(atHostTime: now), now)

        effects.oldTimer = state.timer
        (state.timer, state.next) = (nil, nil)
        state.generation += 1
        if let limits = state.limits, timeline.rate != 0 {
            let isReversed = timeline.rate < 0
            let end = isReversed ? min(limits.start, state.position) : max(limits.end, state.position)
            let times = state.schedules.compactMap { $0.next(after: state.position, isReversed: isReversed) } + [end]
            state.next = isReversed ? times.max() : times.min()
            effects.due = state.next.flatMap(timeline.hostTime).map { ($0, state.generation) }
        }
        return effects
    }

    private func perform(_ effects: Effects) {
        effects.oldTimer?.cancel()
        for change in effects.playbackChanges { change.item.recordPlayback(isPlaying: change.isPlaying) }
        playSound()
        if let (rate, anchor, host) = effects.mapping {
            // Setting fails only if a time or the rate is not numeric.
            try? timebase?.setRateAndAnchorTime(rate: rate, anchorTime: anchor, referenceTime: host)
        }
        if let (due, generation) = effects.due {
            let timer = system.clock.schedule(at: due) { [weak self] in self?.handleEvent(generation) }
            state.withLock { state in
                if state.generation == generation { state.timer = timer }
            }
        }
        if effects.endsPrerolls { cancelPendingPrerolls() }
        for (observer, time) in effects.calls { observer.notify(at: time, in: system) }
        if let (item, time, isReversed) = effects.outputs {
            for output in item.outputs { output.playbackReached(time, isReversed: isReversed) }
        }
        if let item = effects.ended {
            system.notifications.post(AVPlayerItem.didPlayToEndTimeNotification) { item }
        }
        if effects.names.contains("rate") { postRateChange(effects.rateReason) }
        if effects.changesDisplay {
            let layers = state.withLock { $0.layers }
            for layer in layers { layer.object?.observedProperties.changed("isReadyForDisplay") }
        }
        if !effects.names.isEmpty { observedProperties.changed(effects.names) }
    }

    /// Passes the sound that is played from now on to the sound output.
    private func playSound() {
        let now = system.clock.now
        let (item, timeline, gain) = state.withLock {
            ($0.item, $0.timeline, $0.isMuted ? 0 : $0.volume)
        }
        let source = item.flatMap { item in
            timeline.rate == 0
                ? nil
                : SoundSource(
                    item.asset, hostStart: now, assetStart: timeline.time(atHostTime: now), rate: timeline.rate,
                    pitchAlgorithm: item.pitchAlgorithm, tracks: item.presentedTracks(.audio), mix: item.mix)
        }
        system.soundOutput.play(source, gain: gain, by: self, atHostTime: now)
    }

    /// Calls the observers of the time that playback has reached, and stops playback at the end of the item.
    private func handleEvent(_ generation: UInt64) {
        let now = system.clock.now
        let outcome = state.withLock { state -> (effects: Effects, end: CMTime?)? in
            guard state.generation == generation, let time = state.next, let limits = state.limits else { return nil }
            let old = state
            let isReversed = state.timeline.rate < 0
            let reached = state.observers.filter {
                $0.schedule.next(after: old.position, isReversed: isReversed) == time
            }
            state.timeline.recordEvent(at: time)
            state.position = time
            let isEnd = isReversed ? time <= limits.start : time >= limits.end
            let end = state.timeline.hostTime(at: time)
            let advances = isEnd && state.action == .advance && !isReversed
            if isEnd {
                if state.action == .none || advances {
                    state.isAtEnd = true
                } else {
                    state.rate = 0
                    if isReversed { state.rateReason = .reversePlaybackReachedStartOfSeekableRange }
                }
                state.timeline.setRate(0, atHostTime: now)
                state.timeline.setTime(time, atHostTime: now)
            }
            var effects = Self.updateTimeline(&state, since: old, at: now, jumps: false)
            let called = effects.calls.map { ObjectIdentifier($0.0) }
            effects.calls += reached.filter { !called.contains(ObjectIdentifier($0)) }.map { ($0, time) }
            effects.ended = isEnd ? state.item : nil
            if let item = state.item, state.outputBoundaries.contains(time) {
                effects.outputs = (item, time, isReversed)
            }
            return (effects, advances ? end : nil)
        }
        guard let outcome else { return }
        perform(outcome.effects)
        if let end = outcome.end { advance(atHostTime: end) }
    }
}
