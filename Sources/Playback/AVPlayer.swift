import AssetTypes
import CaptureHAL
public import Foundation
public import KeyValueObserving
public import MediaTypes

/// Plays an item on the clock of the capture system in which the player was created.
///
/// On a virtual clock, times are exact: observers are called when the item's time is reached, and no time passes while
/// media is decoded. Can be observed: `status`, `error`, `rate`, `defaultRate`, `timeControlStatus`,
/// `reasonForWaitingToPlay`, `currentItem`, `volume`, `isMuted`, and the preferences that can be set.
///
/// The sound of all enabled audio tracks goes to the `soundOutput` of the capture system, and with a real clock to the
/// speaker of the capture system.
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

    public let observedProperties: ObservedProperties
    let system: CaptureSystem
    private let timebase: CMTimebase?
    let state: Lock<PlayerState>
    /// Prerolls that have not completed.
    let prerolls = Lock<[Preroll]>([])
    /// Properties that do not affect the timing of playback.
    let preferences = Lock(Preferences())
    /// Observes transitions of the app to the background.
    private let transitions = Lock<ObserverToken?>(nil)

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
        state = Lock(PlayerState(action: action, timeline: PlaybackTimeline(hostTime: system.clock.now)))
        super.init()
        let observation = BackgroundExecution.of(system).observeTransitions { [weak self] isInBackground in
            if isInBackground { self?.pauseInBackground() }
        }
        transitions.withLock { $0 = observation }
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
    public var timeControlStatus: TimeControlStatus { read { $0.control.status } }
    /// Why the player waits; nil if it does not.
    public var reasonForWaitingToPlay: WaitingReason? { read { $0.control.waitingReason } }
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
        get { read { $0.waitsToMinimizeStalling } }
        set { change { $0.waitsToMinimizeStalling = newValue } }
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

    /// Pauses if the app has entered the background and does not play there.
    private func pauseInBackground() {
        let (item, layers) = state.withLock { ($0.item, $0.layers) }
        let hasVideo = item?.videoTrack != nil
        let continues =
            switch audiovisualBackgroundPlaybackPolicy {
            case .automatic: !(hasVideo && layers.contains { $0.object != nil })
            case .pauses: !hasVideo
            case .continuesIfPossible: true
            }
        guard !continues || !system.backgroundModes.contains(.audio) else { return }
        update { state, _ in
            if state.rate != 0 { (state.rate, state.rateReason) = (0, .appBackgrounded) }
        }
    }

    private static func clamped(_ rate: Float) -> Float { max(-maximumRate, min(maximumRate, rate)) }

    /// Sets the rate, and aligns a time of the item with a time of the host clock.
    ///
    /// - Parameters:
    ///   - itemTime: The item's time at `hostClockTime`; invalid for the current time.
    ///   - hostClockTime: A time of the clock of the capture system; invalid for now.
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

    /// Replaces the current item with an item of this player. In a player with a queue, nil also sets the rate to 0.
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

    private func read<Value>(_ name: String = #function, _ body: (PlayerState) -> Value) -> Value {
        observedProperties.access(name)
        return state.withLock { body($0) }
    }

    /// Changes a property that does not affect the timing of playback.
    private func change(_ name: String = #function, _ body: (inout PlayerState) -> Void) {
        state.withLock { body(&$0) }
        observedProperties.changed(name)
    }

    /// Changes the state, schedules the next event, and notifies observers.
    ///
    /// - Parameter jumps: Whether periodic observers receive the new time.
    @discardableResult
    func update<Result>(jumps: Bool = false, _ body: (inout PlayerState, CMTime) -> Result) -> Result {
        let now = system.clock.now
        let (result, effects) = state.withLock { state in
            let old = state
            let result = body(&state, now)
            return (result, state.update(since: old, at: now, jumps: jumps))
        }
        perform(effects)
        return result
    }

    private func perform(_ effects: PlayerState.Effects) {
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
        let result = state.withLock { $0.handleEvent(generation, at: now) }
        guard let result else { return }
        perform(result.effects)
        if let time = result.advance { advance(atHostTime: time) }
    }
}
