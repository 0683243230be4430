import CaptureHAL
import MediaTypes

/// The faults that are still to strike one device, and its heat; they outlive its streams and instances.
final class FaultList: Sendable {
    private struct Entry {
        let fault: SimFault
        let trigger: SimFault.Trigger
        /// Which of the device's faults this is: each has chances of its own.
        let ordinal: UInt64
        /// Attempts that it still spoils.
        var countLeft: Int
    }

    private struct State {
        var entries: [Entry] = []
        var addedCount: UInt64 = 0
        /// Attempts so far, for the chance of the next.
        var attemptCount: UInt64 = 0
        var onDeviceFault: (@Sendable (SimFault) -> Void)?
    }

    let heat = DeviceHeat()
    /// What chance follows from.
    let seed: UInt64
    private let state = Lock(State())

    init(seed: UInt64) {
        self.seed = seed
    }

    /// Sets who carries out faults of the device as a whole.
    func onDeviceFault(_ handler: @escaping @Sendable (SimFault) -> Void) {
        state.withLock { $0.onDeviceFault = handler }
    }

    /// Lets a fault of the device as a whole happen now.
    func strikeDevice(_ fault: SimFault) {
        state.withLock { $0.onDeviceFault }?(fault)
    }

    func add(_ fault: SimFault, _ trigger: SimFault.Trigger) {
        state.withLock { state in
            state.addedCount += 1
            state.entries.append(
                Entry(fault: fault, trigger: trigger, ordinal: state.addedCount, countLeft: fault.attemptCount))
        }
    }

    /// Whether a fault to come shows a part of the frame before.
    var needsPreviousFrame: Bool {
        state.withLock { state in state.entries.contains { $0.fault.needsPreviousFrame } }
    }

    /// The faults that a frame brings, in the order in which they were scheduled.
    ///
    /// - Parameters:
    ///   - index: The frame's number in its stream.
    ///   - time: The frame's time in nanoseconds; its chances follow from it.
    func takeDue(index: UInt64, time: Int64) -> [SimFault] {
        state.withLock { state in
            guard !state.entries.isEmpty else { return [] }
            var due: [SimFault] = []
            state.entries.removeAll { entry in
                guard entry.fault.target != .attempt else { return false }
                let isDue =
                    switch entry.trigger {
                    case .time(let moment): moment.nanoseconds <= time
                    case .frame(let number): number <= index
                    case .rate(let rate): chance(entry.ordinal, UInt64(bitPattern: time)) < rate
                    }
                if isDue { due.append(entry.fault) }
                if case .rate = entry.trigger { return false }
                return isDue
            }
            return due
        }
    }

    /// The first fault of a kind that spoils an attempt made now; counts it.
    func takeAttempt(time: Int64, where isMeant: (SimFault) -> Bool) -> SimFault? {
        state.withLock { state in
            guard state.entries.contains(where: { isMeant($0.fault) }) else { return nil }
            state.attemptCount += 1
            for index in state.entries.indices where isMeant(state.entries[index].fault) {
                let entry = state.entries[index]
                switch entry.trigger {
                case .time(let moment) where moment.nanoseconds > time: continue
                case .rate(let rate):
                    if chance(entry.ordinal, state.attemptCount) < rate { return entry.fault }
                case .time, .frame:
                    if entry.countLeft > 1 {
                        state.entries[index].countLeft -= 1
                    } else {
                        state.entries.remove(at: index)
                    }
                    return entry.fault
                }
            }
            return nil
        }
    }

    /// A number from 0 up to 1 that follows from the seed, the fault and the occasion alone.
    private func chance(_ ordinal: UInt64, _ occasion: UInt64) -> Double {
        var dice = SceneDice(seed: seed ^ (ordinal &* 0x9e37_79b9_7f4a_7c15))
        var second = SceneDice(seed: dice.next() ^ occasion)
        return Double(second.next() >> 11) / Double(1 << 53)
    }
}

extension FaultList {
    /// Whether opening is to be refused now.
    func takeRefusal(time: Int64) -> Bool {
        takeAttempt(time: time) { if case .refuseOpen = $0 { true } else { false } } != nil
    }

    /// What becomes of a control that a client sets: the value that it takes on.
    ///
    /// - Throws: `.inputOutput` where the script lets it fail.
    func answer(
        _ control: DeviceControl, set value: ControlValue, device: String, time: Int64
    ) throws(DeviceError) -> ControlValue {
        let fault = takeAttempt(time: time) { fault in
            switch fault {
            case .failControl(control, _), .alterControl(control, _, _): true
            default: false
            }
        }
        switch fault {
        case .alterControl(_, let other, _): return other
        case nil: return value
        default:
            throw DeviceError(
                .inputOutput, device: device, "\(control) could not be set to \(value), as the script says")
        }
    }

    /// How much later than usual a stream that starts now brings its first frame, in nanoseconds.
    ///
    /// - Throws: The error by which the script lets the start fail.
    func answerStart(device: String, time: Int64) throws(DeviceError) -> Int64 {
        let fault = takeAttempt(time: time) { fault in
            switch fault {
            case .refuseStart, .slowStart: true
            default: false
            }
        }
        switch fault {
        case .refuseStart(let code, _):
            throw DeviceError(code, device: device, "the stream could not be started, as the script says")
        case .slowStart(let delay, _): return delay.nanoseconds
        default: return 0
        }
    }
}
