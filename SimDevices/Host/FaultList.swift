import CaptureHAL
import MediaTypes

/// The pending faults of one device, and its thermal state. They are independent of its streams and instances.
final class FaultList: Sendable {
    private struct Entry {
        let fault: SimFault
        let trigger: SimFault.Trigger
        /// Index among the device's faults, so that each fault has its own random numbers.
        let ordinal: UInt64
        /// Number of attempts that it still affects.
        var countLeft: Int
    }

    private struct State {
        var entries: [Entry] = []
        var addedCount: UInt64 = 0
        /// Number of attempts so far; determines the random number of the next.
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

    /// Adds a fault that affects frames or attempts.
    func add(_ fault: SimFault, _ trigger: SimFault.Trigger) {
        state.withLock { state in
            state.addedCount += 1
            state.entries.append(
                Entry(fault: fault, trigger: trigger, ordinal: state.addedCount, countLeft: fault.attemptCount))
        }
    }

    /// Whether a pending fault shows part of the previous frame.
    var needsPreviousFrame: Bool {
        state.withLock { state in state.entries.contains { $0.fault.needsPreviousFrame } }
    }

    /// Returns the faults that are due with a frame, in the order in which they were scheduled.
    ///
    /// - Parameters:
    ///   - index: The frame's index in its stream.
    ///   - time: The frame's time in nanoseconds, which determines the random numbers.
    func takeDue(index: UInt64, time: Int64) -> [SimFault] {
        state.withLock { state in
            guard !state.entries.isEmpty else { return [] }
            var due: [SimFault] = []
            state.entries.removeAll { entry in
                guard entry.fault.target != .attempt else { return false }
                let isDue =
                    switch entry.trigger {
                    case .time(let start): start.nanoseconds <= time
                    case .frame(let number): number <= index
                    case .rate(let rate): randomNumber(entry.ordinal, UInt64(bitPattern: time)) < rate
                    }
                if isDue { due.append(entry.fault) }
                if case .rate = entry.trigger { return false }
                return isDue
            }
            return due
        }
    }

    /// Returns the first matching fault that affects an attempt made now, and counts it.
    func takeAttempt(time: Int64, where matches: (SimFault) -> Bool) -> SimFault? {
        state.withLock { state in
            guard state.entries.contains(where: { matches($0.fault) }) else { return nil }
            state.attemptCount += 1
            for index in state.entries.indices where matches(state.entries[index].fault) {
                let entry = state.entries[index]
                switch entry.trigger {
                case .time(let start) where start.nanoseconds > time: continue
                case .rate(let rate):
                    if randomNumber(entry.ordinal, state.attemptCount) < rate { return entry.fault }
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
    /// Returns whether a fault refuses opening the device now.
    func takeRefusal(time: Int64) -> Bool {
        takeAttempt(time: time) { if case .refuseOpen = $0 { true } else { false } } != nil
    }

    /// Returns the value that a control takes on when a client sets it.
    ///
    /// - Throws: `.inputOutput` if a fault makes setting the control fail.
    func resolve(
        _ control: DeviceControl, set value: ControlValue, device: String, time: Int64
    ) throws(DeviceError) -> ControlValue {
        let fault = takeAttempt(time: time) { fault in
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
                .inputOutput, device: device, "\(control) could not be set to \(value) because of a scheduled fault")
        }
    }

    /// Returns the additional latency of a stream that starts now, in nanoseconds.
    ///
    /// - Throws: The error with which a fault makes the start fail.
    func resolveStart(device: String, time: Int64) throws(DeviceError) -> Int64 {
        let fault = takeAttempt(time: time) { fault in
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
