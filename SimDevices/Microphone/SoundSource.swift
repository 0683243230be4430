import CSimKernels
import CaptureHAL
import MediaTypes

/// Makes the sound of one microphone stream.
///
/// A tone's phase is a function of the clock's time alone, by exact arithmetic: sample p of a stream that began at t is
/// at t + p / rate, for ever.
final class SoundSource: StreamSource, @unchecked Sendable {
    // SAFETY: the variables are used in the source's turn alone, which one thread at a time has.
    private let microphone: SimMicrophone
    private let format: AudioStreamFormat
    private let rate: Int64
    private let seed: UInt64
    private var start: Int64 = 0
    /// The next sample's position, and the chunk that begins with it.
    private var position: Int64 = 0
    private var nextIndex: UInt64 = 0
    private var samples: [Int32] = []
    private let sine = SineTable.shared

    init(microphone: SimMicrophone, format: AudioStreamFormat, seed: UInt64) {
        self.microphone = microphone
        self.format = format
        self.seed = seed
        rate = Int64(format.sampleRate)
    }

    func spacing(for wish: CMTime) -> (value: Int64, timescale: Int64) {
        (Int64(frames(for: wish)), rate)
    }

    /// Frames of a chunk: the wish within 1 … 100 ms, else the profile's length, else 10 ms.
    private func frames(for wish: CMTime) -> Int {
        guard wish.isNumeric, wish.value > 0 else {
            return microphone.profile.chunkFrames > 0 ? microphone.profile.chunkFrames : Int(rate / 100)
        }
        let frames = CMTimeConvertScale(wish, timescale: CMTimeScale(rate), method: .roundHalfAwayFromZero).value
        return Int(min(max(frames, rate / 1000), rate / 10))
    }

    /// Sound cards buffer some hundred milliseconds.
    var lateness: Int64 { 500_000_000 }

    func prepare(at nanoseconds: Int64) {}

    func begin(at nanoseconds: Int64) {
        start = nanoseconds
        position = 0
        nextIndex = 0
    }

    func event(at nanoseconds: Int64, index: UInt64, duration: CMTime, lost: Bool) -> StreamEvent {
        let frames = Int(duration.value)
        // Chunks that were lost were as long as this one.
        let first = position + Int64(index - nextIndex) * Int64(frames)
        position = first + Int64(frames)
        nextIndex = index + 1
        let channels = format.channelCount
        if samples.count != frames * channels { samples = [Int32](repeating: 0, count: frames * channels) }
        let state = microphone.state.withLock { $0 }
        let gain = state.isMuted ? 0 : state.gain
        let noise = amplitude(decibels: microphone.profile.noiseFloor, gain: gain)
        let tones = microphone.profile.tones
        samples.withUnsafeMutableBufferPointer { samples in
            for channel in 0..<channels {
                let tone = tones.isEmpty ? nil : tones[tones.count == 1 ? 0 : channel]
                let phase = tone.map { self.phase(of: $0.millihertz, at: first) } ?? (phase: 0, step: 0)
                var dice = SceneDice(seed: seed ^ UInt64(bitPattern: start) &+ UInt64(channel) &* 0x9e37)
                csim_sound(
                    samples.baseAddress.map { $0 + channel }, Int32(frames), Int32(channels), phase.phase, phase.step,
                    tone.map { amplitude(decibels: $0.level, gain: gain) } ?? 0, noise, dice.next(),
                    UInt64(bitPattern: first), sine.entries)
            }
        }
        let chunk = AudioChunk(
            data: block(), format: format, frameCount: frames, presentationTime: CMTime(nanoseconds: nanoseconds),
            samplePosition: first, followsDiscontinuity: lost)
        return .audio(chunk)
    }

    func tellChanges() {}

    func loss(at nanoseconds: Int64, index: UInt64, message: String) -> StreamEvent? { nil }

    /// The samples in the stream's format.
    private func block() -> CMBlockBuffer {
        let block = CMBlockBuffer(length: samples.count * format.sample.byteCount)
        let count = Int64(samples.count)
        samples.withUnsafeBufferPointer { samples in
            // A new buffer has all its bytes from offset 0 on, so that this cannot throw.
            try? block.withUnsafeMutableBytes { bytes in
                switch format.sample {
                case .int16:
                    csim_sound_to_int16(samples.baseAddress, count, bytes.bindMemory(to: Int16.self).baseAddress)
                case .float32:
                    csim_sound_to_float(samples.baseAddress, count, bytes.bindMemory(to: Float.self).baseAddress)
                case .int32:
                    bytes.copyMemory(from: UnsafeRawBufferPointer(samples))
                }
            }
        }
        return block
    }

    private func amplitude(decibels: Double, gain: Double) -> Int32 {
        Int32(min((Optics.amplitude(decibels: decibels) * gain * 2_147_483_647).rounded(), 2_147_483_647))
    }

    /// The phase of a tone at a sample, and its advance a sample, where 2^64 is one turn.
    private func phase(of millihertz: Int64, at position: Int64) -> (phase: UInt64, step: UInt64) {
        let frequency = UInt64(millihertz)
        let ticks = UInt64(rate) * 1000
        let atStart = Self.turns(frequency, UInt64(max(0, start)), over: 1_000_000_000_000)
        return (atStart &+ Self.turns(frequency, UInt64(position), over: ticks), Self.turns(frequency, 1, over: ticks))
    }

    /// The fraction of a × b / divisor, in 2^-64.
    private static func turns(_ a: UInt64, _ b: UInt64, over divisor: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        let rest = divisor.dividingFullWidth((product.high % divisor, product.low)).remainder
        return divisor.dividingFullWidth((rest, 0)).quotient
    }
}

/// One turn of a sine, 2^30 is 1.
final class SineTable: @unchecked Sendable {
    // SAFETY: the memory is written by `init` only; after that everyone just reads.
    static let shared = SineTable()
    let entries: UnsafePointer<Int32>

    private init() {
        let memory = UnsafeMutablePointer<Int32>.allocate(capacity: 4097)
        for index in 0...4096 {
            memory[index] = Int32((Circle.sine(turns: Double(index) / 4096) * 1_073_741_824).rounded())
        }
        entries = UnsafePointer(memory)
    }
}
