import CLinuxDevices
public import CaptureHAL
import Glibc
public import MediaTypes

/// The default audio output of alsa-lib: a sound card or a sound server.
public final class ALSASpeaker: Speaker {
    public let name = "ALSA's default output"
    private let openPCM: @Sendable () throws(KernelError) -> OpaquePointer

    /// Creates a speaker.
    ///
    /// Disables the library's error output to the terminal for the complete process.
    public convenience init() {
        clinuxdevices_silence_alsa()
        self.init { () throws(KernelError) in try Self.open("default") }
    }

    /// Creates a speaker that opens its PCM with a function, without blocking.
    package init(openPCM: @escaping @Sendable () throws(KernelError) -> OpaquePointer) { self.openPCM = openPCM }

    /// Opens a PCM for playback without blocking.
    package static func open(_ name: String) throws(KernelError) -> OpaquePointer {
        var handle: OpaquePointer?
        let result = snd_pcm_open(&handle, name, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK))
        guard result >= 0, let handle else { throw KernelError("snd_pcm_open \(name)", result < 0 ? -result : ENODEV) }
        return handle
    }

    public func open(
        _ format: AudioStreamFormat, bufferFrameCount: Int
    ) throws(DeviceError) -> any SpeakerStream {
        do throws(KernelError) {
            return try ALSASpeakerStream(try openPCM(), name: name, format, bufferFrameCount: bufferFrameCount)
        } catch {
            throw DeviceError(error, device: name, "\(name) cannot be opened")
        }
    }
}

/// A PCM of alsa-lib that is open for playback.
final class ALSASpeakerStream: SpeakerStream, @unchecked Sendable {
    // SAFETY: `SpeakerStream` requires that only one thread at a time uses it, so `close` frees the handle only once.
    private var handle: OpaquePointer?
    private let name: String
    private let channelCount: Int

    /// Creates a stream that owns `handle`.
    init(
        _ handle: OpaquePointer, name: String, _ format: AudioStreamFormat, bufferFrameCount: Int
    ) throws(KernelError) {
        self.handle = handle
        self.name = name
        channelCount = format.channelCount
        let microseconds = UInt32(Double(bufferFrameCount) / format.sampleRate * 1_000_000)
        try check(
            snd_pcm_set_params(
                handle, SND_PCM_FORMAT_FLOAT_LE, SND_PCM_ACCESS_RW_INTERLEAVED, UInt32(channelCount),
                UInt32(format.sampleRate), 1, microseconds), "snd_pcm_set_params")
        try setStartThreshold(handle)
    }

    deinit { close() }

    /// Configures the device to start with the first written frame. By default, it starts when its buffer is full.
    private func setStartThreshold(_ handle: OpaquePointer) throws(KernelError) {
        var parameters: OpaquePointer?
        try check(snd_pcm_sw_params_malloc(&parameters), "snd_pcm_sw_params_malloc")
        guard let parameters else { return }
        defer { snd_pcm_sw_params_free(parameters) }
        try check(snd_pcm_sw_params_current(handle, parameters), "snd_pcm_sw_params_current")
        try check(
            snd_pcm_sw_params_set_start_threshold(handle, parameters, 1), "snd_pcm_sw_params_set_start_threshold")
        try check(snd_pcm_sw_params(handle, parameters), "snd_pcm_sw_params")
    }

    func queuedFrameCount() throws(DeviceError) -> Int? {
        guard let handle else { throw closed }
        // Also updates the state after an underrun.
        let available = snd_pcm_avail_update(handle)
        switch snd_pcm_state(handle) {
        case SND_PCM_STATE_RUNNING: break
        case SND_PCM_STATE_DISCONNECTED: throw failure("snd_pcm_avail_update", ENODEV)
        case SND_PCM_STATE_XRUN, SND_PCM_STATE_SUSPENDED:
            try recover(handle)
            return nil
        default:
            if available < 0 { throw failure("snd_pcm_avail_update", Int32(clamping: -available)) }
            return nil
        }
        var delay: snd_pcm_sframes_t = 0
        let result = snd_pcm_delay(handle, &delay)
        if result == -EPIPE || result == -ESTRPIPE {
            try recover(handle)
            return nil
        }
        if result < 0 { throw failure("snd_pcm_delay", -result) }
        return max(0, Int(delay))
    }

    func write(_ samples: [Float]) throws(DeviceError) -> Int {
        guard let handle else { throw closed }
        let count = samples.withUnsafeBytes {
            snd_pcm_writei(handle, $0.baseAddress, snd_pcm_uframes_t(samples.count / channelCount))
        }
        switch Int32(clamping: count) {
        case -EAGAIN: return 0
        case -EPIPE, -ESTRPIPE:
            try recover(handle)
            return 0
        case let error where error < 0: throw failure("snd_pcm_writei", -error)
        default: return Int(count)
        }
    }

    /// Prepares the device to start again after an underrun or a suspension.
    private func recover(_ handle: OpaquePointer) throws(DeviceError) {
        if snd_pcm_state(handle) == SND_PCM_STATE_SUSPENDED { _ = snd_pcm_resume(handle) }
        let result = snd_pcm_prepare(handle)
        if result < 0 { throw failure("snd_pcm_prepare", -result) }
    }

    func close() {
        guard let handle else { return }
        snd_pcm_drop(handle)
        snd_pcm_close(handle)
        self.handle = nil
    }

    private var closed: DeviceError { DeviceError(.invalidState, device: name, "\(name) is closed") }

    private func failure(_ call: String, _ number: Int32) -> DeviceError {
        DeviceError(KernelError(call, number), device: name, "\(name) cannot play")
    }

    /// Throws if a function of alsa-lib returned a negative error number.
    private func check(_ result: Int32, _ call: StaticString) throws(KernelError) {
        if result < 0 { throw KernelError("\(call) \(name)", -result) }
    }
}
