import CaptureHAL
import MediaTypes

/// The times of the events of one run of a stream, and what happens to each event.
///
/// All times are in nanoseconds on the clock of the capture system.
struct StreamPlan {
    private var schedule: PeriodicSchedule
    /// The index of the next event.
    private var next: UInt64 = 0
    private var faultState = StreamFaultState()
    /// Events up to this time are not missed if they are late, because a fault delays them.
    private var backlogEnd: Int64 = .min

    /// Creates the plan of a run with the first event at `first`.
    ///
    /// - Parameter interval: The interval between events, as a fraction of a second.
    init(first: Int64, interval: (value: Int64, timescale: Int64)) {
        schedule = PeriodicSchedule(
            first: first, firstIndex: 0, value: interval.value, timescale: interval.timescale)
    }

    /// The time of the next event.
    var nextTime: Int64 { schedule.time(of: next) }

    /// Whether a fault that affects the next frames shows part of the previous frame.
    var needsPreviousFrame: Bool { faultState.needsPreviousFrame }

    /// Returns the event that is due at `time`, after the events that were missed before it.
    ///
    /// - Parameter interval: The interval from this event on, as a fraction of a second.
    mutating func takeDueEvent(at time: Int64, interval: (value: Int64, timescale: Int64)) -> DueEvent {
        let first = next
        if schedule.value != interval.value || schedule.timescale != interval.timescale {
            schedule = PeriodicSchedule(
                first: schedule.time(of: first), firstIndex: first, value: interval.value,
                timescale: interval.timescale)
        }
        let isDelayed = schedule.time(of: first) <= backlogEnd
        let index = isDelayed ? first : schedule.lastIndex(atOrBefore: time, from: first)
        next = index + 1
        return DueEvent(
            missed: first..<index, index: index,
            duration: CMTime(value: interval.value, timescale: Int32(clamping: interval.timescale)),
            schedule: schedule)
    }

    /// Decides what happens to an event.
    ///
    /// - Parameters:
    ///   - newFaults: The faults that begin with this event.
    ///   - isShutDown: Whether the device is too hot to deliver.
    ///   - now: The time at which the event could be delivered.
    mutating func fate(of event: DueEvent, newFaults: [SimFault], isShutDown: Bool, now: Int64) -> EventFate {
        for fault in newFaults { faultState.activate(fault, at: event.time) }
        let fate = faultState.fate(of: event, isShutDown: isShutDown, now: now)
        if case .delivered(let delivery) = fate, delivery.delay > 0 { backlogEnd = event.time + delivery.delay }
        return fate
    }
}

/// An event that is due, and those that were missed before it.
struct DueEvent {
    /// The indices of the missed events.
    let missed: Range<UInt64>
    let index: UInt64
    /// The time to the next event.
    let duration: CMTime
    private let schedule: PeriodicSchedule

    fileprivate init(missed: Range<UInt64>, index: UInt64, duration: CMTime, schedule: PeriodicSchedule) {
        self.missed = missed
        self.index = index
        self.duration = duration
        self.schedule = schedule
    }

    /// The time of the event, in nanoseconds.
    var time: Int64 { schedule.time(of: index) }

    /// Returns the time of a missed event, in nanoseconds.
    func time(ofMissed index: UInt64) -> Int64 { schedule.time(of: index) }
}

/// What happens to an event that is due.
enum EventFate {
    /// It is not generated.
    case skipped
    /// It is not generated, and no event follows it.
    case halted
    /// It is reported as dropped.
    case lost
    case delivered(EventDelivery)
    /// The stream fails instead.
    case failed(DeviceError.Code)
    /// The device is disconnected at this time in nanoseconds, while it transfers the event.
    case unplugged(at: Int64)
}

/// The way in which faults change an event and its delivery.
struct EventDelivery {
    /// Whether preceding events were lost.
    var followsLoss: Bool
    /// The reported timestamp, in nanoseconds.
    var timestamp: Int64
    /// The time by which the event is delivered late, in nanoseconds.
    var delay: Int64
    /// The number of times that the event is delivered.
    var count: Int
    var corruption: EventCorruption
}
