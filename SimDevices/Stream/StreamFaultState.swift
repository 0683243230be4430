import CaptureHAL
import MediaTypes

/// The effect of faults on one run of a stream, from its start to its end. It decides what happens to each event.
struct StreamFaultState {
    /// The way in which a fault ends the stream.
    private enum End {
        /// The stream fails with an error.
        case failure(DeviceError.Code)
        /// The device is disconnected halfway through the frame that is due.
        case unpluggedInFrame
    }

    // The numbers of frames that the active faults still affect.
    private var dropsLeft = 0
    private var delaysLeft = 0
    /// Nanoseconds.
    private var delay: Int64 = 0
    private var duplicatesLeft = 0
    private var swapsLeft = 0
    /// The timestamp of the next frame if it was swapped with the previous one.
    private var swappedTime: Int64?
    private var tearsLeft = 0
    private var greensLeft = 0
    private var freezesLeft = 0
    private var resizesLeft = 0
    // Times on the clock of the capture system, in nanoseconds; see `EventCorruption`.
    private var noisyUntil: Int64 = .min
    private var silentUntil: Int64 = .min
    private var lostUntil: Int64 = .min
    /// Time before which nothing is delivered; `.max` if the stream stalls until it ends, nil if it does not stall.
    private var stalledUntil: Int64?
    /// Whether events were lost since the last delivery.
    private var hasLostEvents = false
    /// The total by which faults have advanced the device's clock, without the current drift, in nanoseconds.
    private var jump: Int64 = 0
    /// The current drift, and the time in nanoseconds at which it began.
    private var drift: (since: Int64, partsPerMillion: Double)?
    private var end: End?

    /// Whether a fault that affects the next frames shows part of the previous frame.
    var needsPreviousFrame: Bool { tearsLeft > 0 || freezesLeft > 0 }

    /// Activates a fault that begins with the event at `time`, in nanoseconds.
    mutating func activate(_ fault: SimFault, at time: Int64) {
        switch fault {
        case .dropFrames(let count): dropsLeft += count
        case .delayFrames(let count, let by): (delaysLeft, delay) = (delaysLeft + count, by.nanoseconds)
        case .duplicateFrames(let count): duplicatesLeft += count
        case .swapTimes(let count): swapsLeft += count
        case .tearFrames(let count): tearsLeft += count
        case .greenFrames(let count): greensLeft += count
        case .freezeFrames(let count): freezesLeft += count
        case .resizeFrames(let count): resizesLeft += count
        case .noiseBurst(let duration): noisyUntil = time + duration.nanoseconds
        case .silence(let duration): silentUntil = time + duration.nanoseconds
        case .overrun(let duration): lostUntil = time + duration.nanoseconds
        case .stall(let duration): stalledUntil = duration.map { time + $0.nanoseconds } ?? .max
        case .fail(let code): end = end ?? .failure(code)
        case .driftClock(let partsPerMillion):
            jump += drifted(time)
            drift = (time, partsPerMillion)
        case .jumpClock(let by): jump += by.nanoseconds
        case .disconnect: end = end ?? .unpluggedInFrame
        case .pressure, .refuseOpen, .refuseStart, .slowStart, .failControl, .alterControl: break
        }
    }

    /// Decides what happens to an event; see `StreamPlan`.
    mutating func fate(of event: DueEvent, isShutDown: Bool, now: Int64) -> EventFate {
        let (time, duration) = (event.time, event.duration.nanoseconds)
        switch end {
        case .failure(let code): return .failed(code)
        case .unpluggedInFrame: return .unplugged(at: time + duration / 2)
        case nil: break
        }
        if !event.missed.isEmpty || isShutDown { hasLostEvents = true }
        if isShutDown { return .skipped }
        if let stalledUntil {
            hasLostEvents = true
            if stalledUntil == .max { return .halted }
            if time < stalledUntil { return .skipped }
            self.stalledUntil = nil
        }
        if Self.consume(&dropsLeft) || time + duration <= lostUntil {
            hasLostEvents = true
            return .lost
        }
        defer { hasLostEvents = false }
        let isDelayed = Self.consume(&delaysLeft) && delay > 0 && time + delay > now
        let isDuplicated = Self.consume(&duplicatesLeft)
        return .delivered(
            EventDelivery(
                followsLoss: hasLostEvents, timestamp: timestamp(time, duration),
                delay: isDelayed ? delay : 0,
                // A delayed event is delivered once.
                count: isDuplicated && !isDelayed ? 2 : 1,
                corruption: EventCorruption(
                    isTorn: Self.consume(&tearsLeft), isGreen: Self.consume(&greensLeft),
                    isFrozen: Self.consume(&freezesLeft),
                    isResized: Self.consume(&resizesLeft), noisyUntil: noisyUntil, silentUntil: silentUntil,
                    lostUntil: lostUntil)))
    }

    /// Returns the timestamp of the event at `time`, both in nanoseconds.
    private mutating func timestamp(_ time: Int64, _ duration: Int64) -> Int64 {
        let unswapped = time + jump + drifted(time)
        if let swapped = swappedTime {
            swappedTime = nil
            return swapped
        }
        guard Self.consume(&swapsLeft) else { return unswapped }
        swappedTime = unswapped
        return unswapped + duration
    }

    /// Returns the accumulated drift of the device's clock, in nanoseconds.
    private func drifted(_ time: Int64) -> Int64 {
        guard let drift else { return 0 }
        return Int64((Double(time - drift.since) * drift.partsPerMillion / 1e6).rounded())
    }

    /// Decrements a count; returns false if it is 0.
    private static func consume(_ count: inout Int) -> Bool {
        guard count > 0 else { return false }
        count -= 1
        return true
    }
}
