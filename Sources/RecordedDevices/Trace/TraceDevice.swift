import CaptureHAL
import MediaTypes

/// A device of a trace.
final class TraceDevice: HardwareDevice {
    private struct State {
        var host = WeakTraceHost(nil)
        var isConnected = true
        var isOpen = false
        var openingCount = 0
        var inUseCount = 0
    }

    let number: Int
    let trace: Trace
    let clock: any CaptureClock
    let player: TracePlayer
    private let state = Lock(State())

    init(_ number: Int, of trace: Trace, clock: any CaptureClock, player: TracePlayer) {
        self.number = number
        self.trace = trace
        self.clock = clock
        self.player = player
    }

    var host: WeakTraceHost {
        get { state.withLock { $0.host } }
        set { state.withLock { $0.host = newValue } }
    }

    var descriptor: DeviceDescriptor { trace.devices[number].descriptor }
    var formats: [StreamFormat] { Array(trace.devices[number].formats.prefix(trace.devices[number].formatCount)) }
    var isConnected: Bool { state.withLock { $0.isConnected } }

    /// As recorded, answer by answer; then the last one again.
    var isInUseByAnotherApplication: Bool {
        let answers = trace.devices[number].inUseAnswers
        let count = state.withLock { state in
            defer { state.inUseCount += 1 }
            return state.inUseCount
        }
        return count < answers.count ? answers[count] : answers.last ?? false
    }

    func open() throws(DeviceError) -> any OpenDevice {
        let answers = trace.devices[number].openings
        let id = descriptor.uniqueID
        let opening = try state.withLock { state throws(DeviceError) -> Int in
            guard state.isConnected else {
                throw DeviceError(.disconnected, device: id, "the device has been disconnected in the trace")
            }
            let answer: TraceAnswer<Int>
            if state.openingCount < answers.count {
                answer = answers[state.openingCount]
            } else {
                // Those that worked begin again.
                let good = answers.filter(\.isSuccess)
                guard !good.isEmpty else {
                    throw refusal(
                        .invalidSource, "open()",
                        answers.isEmpty ? "no opening of this device" : "refused openings of this device only")
                }
                answer = good[(state.openingCount - answers.count) % good.count]
            }
            if answer.isSuccess, state.isOpen {
                throw DeviceError(.busy, device: id, "the device is open already; close it first")
            }
            state.openingCount += 1
            switch answer {
            case .success(let opening):
                state.isOpen = true
                return opening
            case .failure(let error): throw error
            }
        }
        return OpenTraceDevice(self, opening)
    }

    /// Takes note that its opened device was closed.
    func didClose() {
        state.withLock { $0.isOpen = false }
    }

    /// The plug was pulled.
    func disconnect() {
        let host = state.withLock { state in
            state.isConnected = false
            return state.host
        }
        host.host?.remove(self)
    }

    /// Says that the trace does not hold what was asked, and what it does hold.
    func refusal(_ code: DeviceError.Code, _ call: String, _ held: String) -> DeviceError {
        DeviceError(
            code, device: descriptor.uniqueID,
            "\(call) is not in the trace \(trace.folder.path), which holds \(held)")
    }
}

extension TraceAnswer {
    var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
