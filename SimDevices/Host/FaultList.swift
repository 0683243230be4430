import CaptureHAL
import MediaTypes

/// The pending faults of one device, and its thermal state. They persist when a stream stops or the device reconnects.
final class FaultList: Sendable {
    private struct Entry {
        let fault: SimFault
        let trigger: SimFault.Trigger
        /// Index among the device's faults, so that each fault has its own random numbers.
        let ordinal: UInt64
        /// The number of further attempts to open, start or set a control that the fault affects.
        var remainingCount: Int
    }

    private struct State {
        var entries: [Entry] = []
        var addedCount: UInt64 = 0
        /// The number of attempts so far; determines the random numbers of the next attempt.
        var attemptCount: UInt64 = 0
        var onDeviceFault: (@Sendable (SimFault) -> Void)?
    }

    let thermalState = DeviceThermalState()
    /// Seed of the random numbers.
    let seed: UInt64
    private let state = Lock(State())

    init(seed: UInt64) {
        self.seed = seed
    }

    /// Sets the handler that applies faults of the device as a whole.
    func onDeviceFault(_ handler: @escaping @Sendable (SimFault) -> Void) {
        state.withLock { $0.onDeviceFault = handler }
    }

    /// Applies a fault of the device as a whole.
    func applyToDevice(_ fault: SimFault) {
        state.withLock { $0.onDeviceFault }?(fault)
    }

    /// Adds a fault that occurs with a frame or an attempt.
    func add(_ fault: SimFault, _ trigger: SimFault.Trigger) {
        state.withLock { state in
            state.addedCount += 1
            state.entries.append(
                Entry(fault: fault, trigger: trigger, ordinal: state.addedCount, remainingCount: fault.attemptCount))
        }
    }

    /// Whether a pending fault shows part of the previous frame.
    var needsPreviousFrame: Bool {
        state.withLock { state in state.entries.contains { $0.fault.needsPreviousFrame } }
    }

    /// Returns the faults that are due with a frame, in the order in which they were scheduled, and removes those that
    /// occur only once.
    ///
    /// - Parameters:
    ///   - index: The frame's index in its stream.
    ///   - nanoseconds: The frame's time, which determines the random numbers.
    func consumeDueFaults(index: UInt64, atNanoseconds nanoseconds: Int64) -> [SimFault] {
        state.withLock { state in
            guard !state.entries.isEmpty else { return [] }
            var due: [SimFault] = []
            state.entries.removeAll { entry in
                guard entry.fault.target != .attempt else { return false }
                let isDue =
                    switch entry.trigger {
                    case .time(let start): start.nanoseconds <= nanoseconds
                    case .frame(let number): number <= index
                    case .rate(let rate): randomNumber(entry.ordinal, UInt64(bitPattern: nanoseconds)) < rate
                    }
                if isDue { due.append(entry.fault) }
                if case .rate = entry.trigger { return false }
                return isDue
            }
            return due
        }
    }

    /// Returns the first matching fault that affects an attempt at a time, and decrements its remaining count.
    func consumeAttemptFault(atNanoseconds nanoseconds: Int64, where matches: (SimFault) -> Bool) -> SimFault? {
        state.withLock { state in
            guard state.entries.contains(where: { matches($0.fault) }) else { return nil }
            state.attemptCount += 1
            for index in state.entries.indices where matches(state.entries[index].fault) {
                let entry = state.entries[index]
                switch entry.trigger {
                case .time(let start) where start.nanoseconds > nanoseconds: continue
                case .rate(let rate):
                    if randomNumber(entry.ordinal, state.attemptCount) < rate { return entry.fault }
                case .time, .frame:
                    if entry.remainingCount > 1 {
                        state.entries[index].remainingCount -= 1
                    } else {
                        state.entries.remove(at: index)
                    }
                    return entry.fault
                }
            }
            return nil
        }
    }

    /// Returns a random number in 0 ..< 1, determined by the seed, the fault and the frame or attempt.
    ///
    /// - Parameter event: The time of the frame or the number of the attempt.
    private func randomNumber(_ ordinal: UInt64, _ event: UInt64) -> Double {
        var random = SplitMix64(seed: seed ^ (ordinal &* 0x9e37_79b9_7f4a_7c15))
        var second = SplitMix64(seed: random.next() ^ event)
        return Double(second.next() >> 11) / Double(1 << 53)
    }
}

extension FaultList {
    /// Returns whether a fault makes opening the device fail at a time.
    func consumeOpenRefusal(atNanoseconds nanoseconds: Int64) -> Bool {
        consumeAttemptFault(atNanoseconds: nanoseconds) { if case .refuseOpen = $0 { true } else { false } } != nil
    }

    /// Returns the value to which a control is set when a client requests a value; a fault can change it.
    ///
    /// - Throws: `.inputOutput` if a fault makes setting the control fail.
    func appliedValue(
        of control: DeviceControl, requested value: ControlValue, device: String, atNanoseconds nanoseconds: Int64
    ) throws(DeviceError) -> ControlValue {
        let fault = consumeAttemptFault(atNanoseconds: nanoseconds) { fault in
            switch fault {
            case .failControl(control, _), .alterControl(control, _, _): true
            default: false
            }
        }
        switch fault {
        case .alterControl(_, let altered, _): return altered
        case nil: return value
        default:
            throw DeviceError(
                .inputOutput, device: device,
                "\(control) could not be set to \(value.text) because of a scheduled fault")
        }
    }

    /// Returns the delay, in nanoseconds, that a fault adds to the start latency of a stream that starts at a time.
    ///
    /// - Throws: The error with which a fault makes the start fail.
    func startDelay(device: String, atNanoseconds nanoseconds: Int64) throws(DeviceError) -> Int64 {
        let fault = consumeAttemptFault(atNanoseconds: nanoseconds) { fault in
            switch fault {
            case .refuseStart, .slowStart: true
            default: false
            }
        }
        switch fault {
        case .refuseStart(let code, _):
            throw DeviceError(code, device: device, "the stream could not be started because of a scheduled fault")
        case .slowStart(let delay, _): return delay.nanoseconds
        default: return 0
        }
    }
}
