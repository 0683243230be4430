import CaptureHAL
import MediaTypes

/// What faults do to one run of a stream: a value that decides moment by moment.
struct StreamScript {
    /// How a stream ends by script.
    enum End {
        case failure(DeviceError.Code)
        /// The plug is pulled halfway through the frame that is due.
        case unpluggedInFrame
    }

    /// What becomes of a moment.
    enum Way {
        /// Nothing is delivered.
        case stall
        /// Nothing will ever be delivered.
        case halt
        /// The moment is reported as lost.
        case drop
        case deliver(Delivery)
        case end(End)
    }

    /// How a moment's event is delivered.
    struct Delivery {
        /// Whether moments before were lost.
        var lost: Bool
        /// The time that it tells, in nanoseconds.
        var time: Int64
        /// Nanoseconds by which it is late.
        var delay: Int64
        var isDoubled: Bool
        var damage: EventDamage
    }

    private var dropsLeft = 0
    private var delaysLeft = 0
    private var delay: Int64 = 0
    private var doublesLeft = 0
    private var swapsLeft = 0
    /// The time that the next frame tells, where it carries that of the one before.
    private var borrowedTime: Int64?
    private var tearsLeft = 0
    private var greensLeft = 0
    private var freezesLeft = 0
    private var resizesLeft = 0
    private var noisyUntil: Int64 = .min
    private var silentUntil: Int64 = .min
    private var lostUntil: Int64 = .min
    /// Nothing is delivered before this time.
    private var stalledUntil: Int64?
    private var hasLost = false
    private var jump: Int64 = 0
    private var drift: (since: Int64, partsPerMillion: Double)?
    private var end: End?

    /// Whether a frame to come shows a part of the one before.
    var needsPreviousFrame: Bool { tearsLeft > 0 || freezesLeft > 0 }

    /// Takes on a fault that strikes with the frame of `time`.
    mutating func strike(_ fault: SimFault, at time: Int64) {
        switch fault {
        case .dropFrames(let count): dropsLeft += count
        case .delayFrames(let count, let by): (delaysLeft, delay) = (delaysLeft + count, by.nanoseconds)
        case .duplicateFrames(let count): doublesLeft += count
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

    /// What becomes of the moment at `time`.
    ///
    /// - Parameters:
    ///   - duration: Nanoseconds to the next.
    ///   - lost: Whether moments before it passed unseen.
    ///   - isShutDown: Whether the device is too hot to deliver.
    mutating func way(at time: Int64, duration: Int64, lost: Bool, isShutDown: Bool) -> Way {
        if let end { return .end(end) }
        if lost || isShutDown { hasLost = true }
        if isShutDown { return .stall }
        if let stalledUntil {
            hasLost = true
            if stalledUntil == .max { return .halt }
            if time < stalledUntil { return .stall }
            self.stalledUntil = nil
        }
        if Self.take(&dropsLeft) || time + duration <= lostUntil {
            hasLost = true
            return .drop
        }
        defer { hasLost = false }
        return .deliver(
            Delivery(
                lost: hasLost, time: told(time, duration), delay: Self.take(&delaysLeft) ? delay : 0,
                isDoubled: Self.take(&doublesLeft),
                damage: EventDamage(
                    isTorn: Self.take(&tearsLeft), isGreen: Self.take(&greensLeft), isFrozen: Self.take(&freezesLeft),
                    isResized: Self.take(&resizesLeft), noisyUntil: noisyUntil, silentUntil: silentUntil,
                    lostUntil: lostUntil)))
    }

    /// The time that a frame of `time` tells.
    private mutating func told(_ time: Int64, _ duration: Int64) -> Int64 {
        let own = time + jump + drifted(time)
        if let borrowed = borrowedTime {
            borrowedTime = nil
            return borrowed
        }
        guard Self.take(&swapsLeft) else { return own }
        borrowedTime = own
        return own + duration
    }

    /// By how much drift has moved the device's clock since it began, in nanoseconds.
    private func drifted(_ time: Int64) -> Int64 {
        guard let drift else { return 0 }
        return Int64((Double(time - drift.since) * drift.partsPerMillion / 1e6).rounded())
    }

    private static func take(_ count: inout Int) -> Bool {
        guard count > 0 else { return false }
        count -= 1
        return true
    }
}
