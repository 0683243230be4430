import CaptureHAL
import Glibc
import MediaTypes

/// The stream driver of an open PCM.
final class ALSACapture: StreamDriver {
    let device: String
    let wake: KernelEvent
    let logCategory = CaptureLog.Category.alsa
    private let pcm: any CapturePCM
    private let format: AudioStreamFormat
    private let periodFrames: Int
    private let blocks: BlockPool
    private let kernel: any KernelCalls
    private let clock: any CaptureClock
    private let isMuted: @Sendable () -> Bool
    private let state = Lock(State())

    private struct State {
        /// The time of the first frame on the kernel's monotonic clock; nil if the device does not report it.
        var startNanoseconds: Int64?
        var isClosed = false
    }

    /// Configures a PCM for capture.
    ///
    /// - Parameters:
    ///   - chunkFrames: The preferred number of frames in a chunk.
    ///   - isMuted: Returns whether silence replaces the audio; called once per chunk.
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
        CaptureLog.write(
            .alsa, .info, clock,
            "\(device): \(format.sampleRate) Hz, \(format.channelCount) channels, \(format.sample); period of "
                + "\(periodFrames) frames, \(chunkFrames) requested")
        blocks = BlockPool(blockByteCount: periodFrames * format.bytesPerFrame)
    }

    let timeout = CMTime(value: 3, timescale: 1)
    let maySuspendDelivery = false

    func start() throws(KernelError) {
        let start = try pcm.start()
        state.withLock { $0.startNanoseconds = start }
    }

    func stop() { pcm.drop() }

    func close() {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        if isFirst { pcm.close() }
    }

    func capture(_ run: StreamRun) throws(KernelError) -> StreamEvent? {
        let driverClock = DriverClock(clock, kernel)
        var timeline = SampleTimeline(sampleRate: format.sampleRate)
        if let start = state.withLock(\.startNanoseconds) {
            timeline.report(available: 0, nanoseconds: driverClock.nanoseconds(start))
        }
        var followsDiscontinuity = false
        while true {
            do {
                try pcm.wait(wake.descriptor)
                // Check the status first, since `wait` may have returned only because of the wake event.
                switch run.checkStatus() {
                case .running: break
                case .stopped: return nil
                case .stalled:
                    let message = "the device delivered nothing for \(timeout.seconds) s; reconnect it"
                    CaptureLog.write(.alsa, .error, clock, "\(device): \(message)")
                    return .failed(DeviceError(.inputOutput, device: device, message), time: clock.now)
                }
                let position = try pcm.position()
                timeline.report(
                    available: position.available,
                    nanoseconds: position.nanoseconds.map(driverClock.nanoseconds) ?? clock.now.nanoseconds)
                var available = position.available
                while available >= periodFrames {
                    let (data, count) = try read()
                    if count == 0 { break }
                    available -= count
                    let chunkStart = timeline.advance(by: count)
                    let chunk = AudioChunk(
                        data: data, format: format, frameCount: count,
                        presentationTime: CMTime(nanoseconds: chunkStart.nanoseconds),
                        samplePosition: chunkStart.position, followsDiscontinuity: followsDiscontinuity)
                    followsDiscontinuity = false
                    if !run.deliver(.audio(chunk)) { return nil }
                }
            } catch  where error.number == EPIPE || error.number == ESTRPIPE {
                // The buffer overran, or the machine was suspended. The frames in the buffer are lost, and their
                // positions are skipped.
                let start = try pcm.start().map(driverClock.nanoseconds) ?? clock.now.nanoseconds
                let lostCount = timeline.restart(at: start)
                CaptureLog.write(
                    .alsa, .info, clock, "\(device): \(error.logText); restarted, \(lostCount) frames lost")
                if lostCount > 0 { followsDiscontinuity = true }
            }
        }
    }

    /// Reads at most one period of the available frames; silence if the microphone is muted.
    private func read() throws(KernelError) -> (data: CMBlockBuffer, frameCount: Int) {
        var count = 0
        let data = try blocks.makeBlock { bytes throws(KernelError) in
            do throws(KernelError) {
                count = try pcm.read(into: bytes, frameCount: periodFrames)
            } catch {
                // Fewer frames were available than reported. The next iteration reads the others.
                guard error.number == EAGAIN else { throw error }
            }
            let byteCount = count * format.bytesPerFrame
            if isMuted() { UnsafeMutableRawBufferPointer(rebasing: bytes[..<byteCount]).zero() }
            return byteCount
        }
        return (data, count)
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Sets all bytes to 0, which is silence in all supported sample formats.
    fileprivate func zero() { initializeMemory(as: UInt8.self, repeating: 0) }
}
