import CaptureHAL
import MediaTypes

/// A device that returns the recorded results of a trace.
final class TraceDevice: HardwareDevice {
    private struct State {
        var host = WeakReference<TraceHost>(nil)
        var isConnected = true
        var isOpen = false
        var openingCount = 0
        var inUseCount = 0
    }

    /// The index of the device in `Trace.devices`.
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

    var host: WeakReference<TraceHost> {
        get { state.withLock { $0.host } }
        set { state.withLock { $0.host = newValue } }
    }

    var descriptor: DeviceDescriptor { trace.devices[number].descriptor }
    var formats: [StreamFormat] { Array(trace.devices[number].formats.prefix(trace.devices[number].formatCount)) }
    var isConnected: Bool { state.withLock { $0.isConnected } }

    /// The recorded values in their order. After that, the last one is repeated.
    var isInUseByAnotherApplication: Bool {
        let answers = trace.devices[number].inUseAnswers
        let count = state.withLock { state in
            defer { state.inUseCount += 1 }
            return state.inUseCount
        }
        return count < answers.count ? answers[count] : answers.last ?? false
    }

    func open() throws(DeviceError) -> any OpenDevice {
        let results = trace.devices[number].openings
        let id = descriptor.uniqueID
        let opening = try state.withLock { state throws(DeviceError) -> Int in
            guard state.isConnected else {
                throw DeviceError(.disconnected, device: id, "the device has been disconnected in the trace")
            }
            let result: TraceResult<Int>
            if state.openingCount < results.count {
                result = results[state.openingCount]
            } else {
                // The successful openings are repeated.
                let successes = results.filter(\.isSuccess)
                guard !successes.isEmpty else {
                    throw notInTrace(
                        .invalidSource, "open()",
                        available: results.isEmpty
                            ? "no opening of this device" : "only failed openings of this device")
                }
                result = successes[(state.openingCount - results.count) % successes.count]
            }
            if result.isSuccess, state.isOpen {
                throw DeviceError(.busy, device: id, "the device is already open; close it first")
            }
            state.openingCount += 1
            switch result {
            case .success(let opening):
                state.isOpen = true
                return opening
            case .failure(let error): throw error
            }
        }
        return OpenTraceDevice(self, opening)
    }

    /// Marks the device as closed. The opened device calls it.
    func didClose() {
        state.withLock { $0.isOpen = false }
    }

    /// Marks the device as disconnected and removes it from its host.
    func disconnect() {
        let host = state.withLock { state in
            state.isConnected = false
            return state.host
        }
        host.object?.remove(self)
    }

    /// Returns the error of a call that the trace does not contain.
    ///
    /// - Parameter available: A description of the recorded alternatives.
    func notInTrace(_ code: DeviceError.Code, _ call: String, available: String) -> DeviceError {
        DeviceError(
            code, device: descriptor.uniqueID,
            "\(call) is not in the trace \(trace.folder.path), which contains \(available)")
    }
}

extension TraceResult {
    var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
