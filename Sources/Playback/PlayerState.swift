import CaptureHAL
import MediaTypes

/// The state of a player, which decides when observers are called, when playback stops, and when the next event is due.
///
/// A value without locks and callbacks: the player changes its properties, calls `update(since:at:jumps:)`, and
/// performs the resulting effects.
struct PlayerState {
    /// The actions that result from a change of the state. The player performs them without a lock.
    struct Effects {
        /// The names of the changed properties.
        var names: Set<String> = []
        var rateReason: AVPlayer.RateDidChangeReason?
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

    var item: AVPlayerItem?
    var rate: Float = 0
    /// Why the current update changes the rate; nil outside of an update.
    var rateReason: AVPlayer.RateDidChangeReason?
    var defaultRate: Float = 1
    var action = AVPlayer.ActionAtItemEnd.pause
    var waitsToMinimizeStalling = true
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
    var control: (status: AVPlayer.TimeControlStatus, waitingReason: AVPlayer.WaitingReason?) {
        if rate == 0 { return (.paused, nil) }
        if item == nil { return (.waitingToPlayAtSpecifiedRate, .noItemToPlay) }
        if limits == nil { return (.waitingToPlayAtSpecifiedRate, .evaluatingBufferingRate) }
        return (.playing, nil)
    }

    /// The times of all events except the end of playback.
    var schedules: [TimeObserver.Schedule] { observers.map(\.schedule) + [.boundaries(outputBoundaries)] }

    /// The rate at which the item's time passes.
    var effectiveRate: Double { limits == nil || isAtEnd ? 0 : Double(rate) }

    /// Updates the timeline to the other properties, and finds the next event.
    ///
    /// - Returns: The actions that result from the differences between the states.
    mutating func update(since old: PlayerState, at now: CMTime, jumps: Bool) -> Effects {
        var effects = Effects()
        if timeline.rate != effectiveRate {
            timeline.setRate(effectiveRate, atHostTime: now)
            position = timeline.time(atHostTime: now)
        }
        let timeline = timeline
        if jumps || (timeline.rate == 0) != (old.timeline.rate == 0) {
            let time = timeline.time(atHostTime: now)
            effects.calls = observers.filter(\.isPeriodic).map { ($0, time) }
        }
        let (wasPlaying, isPlaying) = (old.timeline.rate != 0, timeline.rate != 0)
        if let oldItem = old.item, wasPlaying, !isPlaying || oldItem !== item {
            effects.playbackChanges.append((oldItem, false))
        }
        if let item, isPlaying, !wasPlaying || item !== old.item {
            effects.playbackChanges.append((item, true))
        }
        effects.endsPrerolls = jumps || rate != old.rate || item !== old.item
        if rate != old.rate {
            effects.names.insert("rate")
            effects.rateReason = rateReason
        }
        rateReason = nil
        if control.status != old.control.status { effects.names.insert("timeControlStatus") }
        if control.waitingReason != old.control.waitingReason { effects.names.insert("reasonForWaitingToPlay") }
        if item !== old.item { effects.names.insert("currentItem") }
        if hasBeenReady != old.hasBeenReady { effects.names.insert("status") }
        effects.changesDisplay = itemStatus != old.itemStatus || item !== old.item
        effects.mapping = (timeline.rate, timeline.time(atHostTime: now), now)

        effects.oldTimer = timer
        (timer, next) = (nil, nil)
        generation += 1
        if let limits, timeline.rate != 0 {
            let isReversed = timeline.rate < 0
            let end = isReversed ? min(limits.start, position) : max(limits.end, position)
            let times = schedules.compactMap { $0.next(after: position, isReversed: isReversed) } + [end]
            next = isReversed ? times.max() : times.min()
            effects.due = next.flatMap(timeline.hostTime).map { ($0, generation) }
        }
        return effects
    }

    /// Handles the event for which a timer was scheduled: playback has reached `next`.
    ///
    /// - Parameters:
    ///   - generation: The number of the timer.
    ///   - now: The time of the clock.
    /// - Returns: The resulting actions, and the time of the clock at which the next item of a queue starts, nil if the
    ///   player does not advance. Nil if the timer is outdated.
    mutating func handleEvent(_ generation: UInt64, at now: CMTime) -> (effects: Effects, advance: CMTime?)? {
        guard generation == self.generation, let time = next, let limits else { return nil }
        let old = self
        let isReversed = timeline.rate < 0
        let reached = observers.filter { $0.schedule.next(after: old.position, isReversed: isReversed) == time }
        timeline.recordEvent(at: time)
        position = time
        let isEnd = isReversed ? time <= limits.start : time >= limits.end
        let endHostTime = timeline.hostTime(at: time)
        let advances = isEnd && action == .advance && !isReversed
        if isEnd {
            if action == .none || advances {
                isAtEnd = true
            } else {
                rate = 0
                if isReversed { rateReason = .reversePlaybackReachedStartOfSeekableRange }
            }
            timeline.setRate(0, atHostTime: now)
            timeline.setTime(time, atHostTime: now)
        }
        var effects = update(since: old, at: now, jumps: false)
        let called = effects.calls.map { ObjectIdentifier($0.0) }
        effects.calls += reached.filter { !called.contains(ObjectIdentifier($0)) }.map { ($0, time) }
        effects.ended = isEnd ? item : nil
        if let item, outputBoundaries.contains(time) { effects.outputs = (item, time, isReversed) }
        return (effects, advances ? endHostTime : nil)
    }
}
