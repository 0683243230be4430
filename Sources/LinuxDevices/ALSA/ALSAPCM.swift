import CLinuxDevices
import CaptureHAL
import Glibc
import MediaTypes

/// An open PCM of alsa-lib.
final class ALSAPCM: CapturePCM, @unchecked Sendable {
    // SAFETY: `CapturePCM` requires that only one thread at a time uses it, so `close` frees the handle only once.
    private var handle: OpaquePointer?
    private let name: String
    private var periodFrames = 0

    /// The sample rates to test, in order of preference.
    private static let rates: [UInt32] = [48_000, 44_100, 96_000, 32_000, 16_000, 22_050, 8000, 88_200, 192_000]
    /// The sample formats to test, in order of preference.
    private static let sampleFormats: [(AudioStreamFormat.Sample, snd_pcm_format_t)] = [
        (.int16, SND_PCM_FORMAT_S16_LE), (.int32, SND_PCM_FORMAT_S32_LE), (.float32, SND_PCM_FORMAT_FLOAT_LE),
    ]

    /// Creates a PCM that owns `handle`.
    init(_ handle: OpaquePointer, name: String) {
        self.handle = handle
        self.name = name
    }

    /// Opens a PCM without blocking.
    convenience init(opening name: String) throws(KernelError) {
        var handle: OpaquePointer?
        let result = snd_pcm_open(&handle, name, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK))
        guard result >= 0, let handle else { throw KernelError("snd_pcm_open \(name)", result < 0 ? -result : ENODEV) }
        self.init(handle, name: name)
    }

    deinit { close() }

    func formats() -> [AudioStreamFormat] {
        guard let handle, let parameters = HardwareParameters(handle) else { return [] }
        let rates = Self.rates.filter { snd_pcm_hw_params_test_rate(handle, parameters.pointer, $0, 0) == 0 }
        let sampleFormats = Self.sampleFormats.filter {
            snd_pcm_hw_params_test_format(handle, parameters.pointer, $0.1) == 0
        }
        var minimum: UInt32 = 0
        var maximum: UInt32 = 0
        snd_pcm_hw_params_get_channels_min(parameters.pointer, &minimum)
        snd_pcm_hw_params_get_channels_max(parameters.pointer, &maximum)
        // Plugins and virtual cards report thousands of channels.
        let channels = [2, 1, minimum, min(maximum, 8)].filter {
            $0 > 0 && snd_pcm_hw_params_test_channels(handle, parameters.pointer, $0) == 0
        }
        var formats: [AudioStreamFormat] = []
        for (sample, _) in sampleFormats {
            for rate in rates {
                for count in channels {
                    let format = AudioStreamFormat(
                        sampleRate: Double(rate), channelCount: Int(count), sample: sample)
                    if !formats.contains(format) { formats.append(format) }
                }
            }
        }
        return formats
    }

    func configure(_ format: AudioStreamFormat, periodFrames requested: Int) throws(KernelError) -> Int {
        guard let handle, let parameters = HardwareParameters(handle),
            let sampleFormat = Self.sampleFormats.first(where: { $0.0 == format.sample })?.1
        else { throw KernelError("snd_pcm_hw_params_any \(name)", ENODEV) }
        let pointer = parameters.pointer
        try check(
            snd_pcm_hw_params_set_access(handle, pointer, SND_PCM_ACCESS_RW_INTERLEAVED), "snd_pcm_hw_params_set_access"
        )
        try check(snd_pcm_hw_params_set_format(handle, pointer, sampleFormat), "snd_pcm_hw_params_set_format")
        try check(
            snd_pcm_hw_params_set_channels(handle, pointer, UInt32(format.channelCount)),
            "snd_pcm_hw_params_set_channels")
        try check(
            snd_pcm_hw_params_set_rate(handle, pointer, UInt32(format.sampleRate), 0), "snd_pcm_hw_params_set_rate")
        var period = snd_pcm_uframes_t(max(16, requested))
        try check(
            snd_pcm_hw_params_set_period_size_near(handle, pointer, &period, nil),
            "snd_pcm_hw_params_set_period_size_near")
        // At least two seconds, so that a busy machine does not lose audio. The period, not the buffer, determines the
        // latency.
        var bufferFrames = snd_pcm_uframes_t(max(Double(period) * 4, format.sampleRate * 2))
        try check(
            snd_pcm_hw_params_set_buffer_size_near(handle, pointer, &bufferFrames),
            "snd_pcm_hw_params_set_buffer_size_near")
        try check(snd_pcm_hw_params(handle, pointer), "snd_pcm_hw_params")
        try check(snd_pcm_hw_params_get_period_size(pointer, &period, nil), "snd_pcm_hw_params_get_period_size")
        periodFrames = Int(period)
        try setSoftwareParameters(handle, period)
        return periodFrames
    }

    func start() throws(KernelError) -> Int64? {
        guard let handle else { throw KernelError("snd_pcm_start \(name)", ENODEV) }
        if snd_pcm_state(handle) == SND_PCM_STATE_SUSPENDED {
            // If the hardware cannot resume, the following call of snd_pcm_prepare restarts it.
            _ = snd_pcm_resume(handle)
        }
        try check(snd_pcm_prepare(handle), "snd_pcm_prepare")
        try check(snd_pcm_start(handle), "snd_pcm_start")
        var status: OpaquePointer?
        guard snd_pcm_status_malloc(&status) == 0, let status else { return nil }
        defer { snd_pcm_status_free(status) }
        guard snd_pcm_status(handle, status) == 0 else { return nil }
        var timestamp = snd_htimestamp_t()
        snd_pcm_status_get_trigger_htstamp(status, &timestamp)
        return Self.nanoseconds(timestamp)
    }

    func wait(_ wake: Int32) throws(KernelError) {
        guard let handle else { throw KernelError("poll \(name)", ENODEV) }
        let count = snd_pcm_poll_descriptors_count(handle)
        try check(count, "snd_pcm_poll_descriptors_count")
        var descriptors = [pollfd](repeating: pollfd(), count: Int(count) + 1)
        descriptors[Int(count)] = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
        try check(snd_pcm_poll_descriptors(handle, &descriptors, UInt32(count)), "snd_pcm_poll_descriptors")
        while true {
            if poll(&descriptors, nfds_t(descriptors.count), -1) < 0 {
                if errno == EINTR { continue }
                throw KernelError("poll \(name)", errno)
            }
            if descriptors[Int(count)].revents != 0 { return }
            var events: UInt16 = 0
            try check(
                snd_pcm_poll_descriptors_revents(handle, &descriptors, UInt32(count), &events),
                "snd_pcm_poll_descriptors_revents")
            // Plugins may wake poll() without an event.
            if events != 0 { return }
        }
    }

    func position() throws(KernelError) -> PCMPosition {
        guard let handle else { throw KernelError("snd_pcm_avail \(name)", ENODEV) }
        let available = snd_pcm_avail(handle)
        try check(Int32(clamping: available), "snd_pcm_avail")
        switch snd_pcm_state(handle) {
        case SND_PCM_STATE_DISCONNECTED: throw KernelError("snd_pcm_avail \(name)", ENODEV)
        case SND_PCM_STATE_XRUN: throw KernelError("snd_pcm_avail \(name)", EPIPE)
        default: break
        }
        var availableAtTimestamp: snd_pcm_uframes_t = 0
        var timestamp = snd_htimestamp_t()
        guard snd_pcm_htimestamp(handle, &availableAtTimestamp, &timestamp) == 0,
            let time = Self.nanoseconds(timestamp)
        else {
            return PCMPosition(available: Int(available), nanoseconds: nil)
        }
        return PCMPosition(available: Int(availableAtTimestamp), nanoseconds: time)
    }

    func read(into memory: UnsafeMutableRawBufferPointer, frameCount: Int) throws(KernelError) -> Int {
        guard let handle else { throw KernelError("snd_pcm_readi \(name)", ENODEV) }
        let count = snd_pcm_readi(handle, memory.baseAddress, snd_pcm_uframes_t(frameCount))
        try check(Int32(clamping: count), "snd_pcm_readi")
        return Int(count)
    }

    func drop() {
        if let handle { snd_pcm_drop(handle) }
    }

    func close() {
        if let handle { snd_pcm_close(handle) }
        handle = nil
    }

    // MARK: Private

    private func setSoftwareParameters(_ handle: OpaquePointer, _ period: snd_pcm_uframes_t) throws(KernelError) {
        var parameters: OpaquePointer?
        try check(snd_pcm_sw_params_malloc(&parameters), "snd_pcm_sw_params_malloc")
        guard let parameters else { return }
        defer { snd_pcm_sw_params_free(parameters) }
        try check(snd_pcm_sw_params_current(handle, parameters), "snd_pcm_sw_params_current")
        try check(snd_pcm_sw_params_set_avail_min(handle, parameters, period), "snd_pcm_sw_params_set_avail_min")
        try check(
            snd_pcm_sw_params_set_tstamp_mode(handle, parameters, SND_PCM_TSTAMP_ENABLE),
            "snd_pcm_sw_params_set_tstamp_mode")
        try check(
            snd_pcm_sw_params_set_tstamp_type(handle, parameters, SND_PCM_TSTAMP_TYPE_MONOTONIC),
            "snd_pcm_sw_params_set_tstamp_type")
        try check(snd_pcm_sw_params(handle, parameters), "snd_pcm_sw_params")
    }

    /// Throws if a function of alsa-lib returned a negative error number.
    private func check(_ result: Int32, _ call: StaticString) throws(KernelError) {
        if result < 0 { throw KernelError("\(call) \(name)", -result) }
    }

    /// Returns a time of the monotonic clock; nil for zero, which means that the device does not report it.
    private static func nanoseconds(_ timestamp: snd_htimestamp_t) -> Int64? {
        let time = Int64(timestamp.tv_sec) * 1_000_000_000 + Int64(timestamp.tv_nsec)
        return time > 0 ? time : nil
    }

    /// The complete configuration space of a PCM.
    private final class HardwareParameters {
        let pointer: OpaquePointer

        init?(_ handle: OpaquePointer) {
            var pointer: OpaquePointer?
            guard snd_pcm_hw_params_malloc(&pointer) == 0, let pointer else { return nil }
            self.pointer = pointer
            if snd_pcm_hw_params_any(handle, pointer) < 0 { return nil }
        }

        deinit { snd_pcm_hw_params_free(pointer) }
    }
}
