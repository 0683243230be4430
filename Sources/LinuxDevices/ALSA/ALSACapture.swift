import CaptureHAL
import Glibc
import MediaTypes

/// Sound from one open PCM.
final class ALSACapture: StreamDriver {
    let device: String
    let wake: KernelEvent
    private let pcm: any CapturePCM
    private let format: AudioStreamFormat
    private let periodFrames: Int
    private let kernel: any KernelCalls
    private let clock: any CaptureClock
    private let isMuted: @Sendable () -> Bool
    private let state = Lock(State())

    private struct State {
        /// The moment of the first frame, where the device told it.
        var startNanoseconds: Int64?
        var isClosed = false
    }

    /// - Parameter isMuted: Whether silence is delivered instead of the sound; asked for once a chunk.
    init(
        _ pcm: any CapturePCM, format: AudioStreamFormat, chunkFrames: Int, device: String, kernel: any KernelCalls,
        clock: any CaptureClock, isMuted: @escaping @Sendable () -> Bool
    ) throws(KernelError) {
        self.pcm = pcm
        self.format = format
        self.device = device
        self.kernel = kernel
        self.clock = clock
        self.isMuted = isMuted
        wake = try KernelEvent(kernel)
        periodFrames = max(1, try pcm.configure(format, periodFrames: chunkFrames))
    }

    let patience = CMTime(value: 3, timescale: 1)
    let isExcused = false

    func begin() throws(KernelError) {
        let start = try pcm.start()
        state.withLock { $0.startNanoseconds = start }
    }

    func end() { pcm.drop() }

    func close() {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        if isFirst { pcm.close() }
    }

    func pump(_ run: StreamRun) throws(KernelError) -> StreamEvent? {
        let driverClock = DriverClock(clock, kernel)
        var timeline = SampleTimeline(sampleRate: format.sampleRate)
        if let start = state.withLock(\.startNanoseconds) {
            timeline.report(available: 0, nanoseconds: driverClock.nanoseconds(start))
        }
        var followsDiscontinuity = false
        while true {
            do {
                try pcm.wait(wake.descriptor)
                // A look at the event comes first: it may be all that there is.
                switch run.turn() {
                case .goOn: break
                case .stopped: return nil
                case .stalled:
                    let message = "the device delivered nothing for \(patience.seconds) s; plug it in anew"
                    return .failed(DeviceError(.inputOutput, device: device, message), time: clock.now)
                }
                let position = try pcm.position()
                timeline.report(
                    available: position.available,
                    nanoseconds: position.nanoseconds.map(driverClock.nanoseconds) ?? clock.now.nanoseconds)
                var available = position.available
                while available >= periodFrames {
                    let data = CMBlockBuffer(length: periodFrames * format.bytesPerFrame)
                    let count = try read(into: data)
                    if count == 0 { break }
                    available -= count
                    let chunk = try chunk(of: data, count, timeline.take(count), followsDiscontinuity)
                    followsDiscontinuity = false
                    if !run.deliver(.audio(chunk)) { return nil }
                }
            } catch  where error.number == EPIPE || error.number == ESTRPIPE {
                // The buffer ran over, or the machine slept: what was in it is lost, and counted.
                let start = try pcm.start().map(driverClock.nanoseconds) ?? clock.now.nanoseconds
                if timeline.restart(at: start) > 0 { followsDiscontinuity = true }
            }
        }
    }

    private func read(into data: CMBlockBuffer) throws(KernelError) -> Int {
        var result: Result<Int, KernelError> = .success(0)
        do {
            try data.withUnsafeMutableBytes { bytes in
                do throws(KernelError) {
                    result = .success(try pcm.read(into: bytes, frameCount: periodFrames))
                } catch {
                    // Fewer frames than told: the rest comes at the next turn.
                    result = error.number == EAGAIN ? .success(0) : .failure(error)
                }
            }
        } catch {
            throw KernelError("a block buffer of \(data.dataLength) bytes", ENOMEM)
        }
        return try result.get()
    }

    private func chunk(
        of data: CMBlockBuffer, _ count: Int, _ place: (position: Int64, nanoseconds: Int64), _ followsLoss: Bool
    ) throws(KernelError) -> AudioChunk {
        var data = data
        if isMuted() {
            data = CMBlockBuffer(length: count * format.bytesPerFrame)
        } else if count < periodFrames {
            let byteCount = count * format.bytesPerFrame
            data = data.withUnsafeBytes {
                CMBlockBuffer(copying: UnsafeRawBufferPointer(rebasing: $0.prefix(byteCount)))
            }
        }
        return AudioChunk(
            data: data, format: format, frameCount: count, presentationTime: CMTime(nanoseconds: place.nanoseconds),
            samplePosition: place.position, followsDiscontinuity: followsLoss)
    }
}
