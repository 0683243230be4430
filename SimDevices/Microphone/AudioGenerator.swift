import CSimKernels
import CaptureHAL
import MediaTypes

/// Generates the audio of one microphone stream.
///
/// A tone's phase is an exact function of the clock's time. The time of sample p is t + p / rate for a stream that
/// started at time t, in seconds.
///
/// Sweeps, clicks, files and the sound of the street are aligned to the clock with an error of less than one sample.
final class AudioGenerator: StreamGenerator, @unchecked Sendable {
    // SAFETY: the variables are only used in the generator's calls, which never overlap.
    private let microphone: SimMicrophone
    private let format: AudioStreamFormat
    /// Samples per second.
    private let rate: Int64
    private let seed: UInt64
    /// The time of the first sample, in nanoseconds.
    private var start: Int64 = 0
    /// Position of the next sample, and index of the chunk that begins with it.
    private var position: Int64 = 0
    private var nextIndex: UInt64 = 0
    /// The interleaved samples of a chunk; full scale is 2^31.
    private var samples: [Int32] = []
    /// One channel before clipping, in units of 2^-31 of full scale.
    private var mix: [Int64] = []
    private let sine = SineTable.shared

    init(microphone: SimMicrophone, format: AudioStreamFormat, seed: UInt64) {
        self.microphone = microphone
        self.format = format
        self.seed = seed
        rate = Int64(format.sampleRate)
    }

    func interval(for requested: CMTime) -> (value: Int64, timescale: Int64) {
        (Int64(frames(for: requested)), rate)
    }

    /// Returns the number of sample frames in a chunk.
    ///
    /// - Parameter requested: The duration, limited to 1 … 100 ms. If it is not positive, the profile's default
    ///   applies, or else 10 ms.
    private func frames(for requested: CMTime) -> Int {
        guard requested.isNumeric, requested.value > 0 else {
            return microphone.profile.chunkFrames > 0 ? microphone.profile.chunkFrames : Int(rate / 100)
        }
        let frames = CMTimeConvertScale(requested, timescale: CMTimeScale(rate), method: .roundHalfAwayFromZero).value
        return Int(min(max(frames, rate / 1000), rate / 10))
    }

    /// On a real clock, a chunk is lost if it is late by half a second: sound cards typically buffer some hundred
    /// milliseconds.
    var lateness: Int64 { 500_000_000 }

    func prepare(at nanoseconds: Int64) {}

    func begin(at nanoseconds: Int64) {
        start = nanoseconds
        position = 0
        nextIndex = 0
    }

    func event(at nanoseconds: Int64, index: UInt64, duration: CMTime, followsLoss: Bool) -> StreamEvent {
        let frames = Int(duration.value)
        // Lost chunks have the same length as this one.
        let first = position + Int64(index - nextIndex) * Int64(frames)
        position = first + Int64(frames)
        nextIndex = index + 1
        let channels = format.channelCount
        if samples.count != frames * channels { samples = [Int32](repeating: 0, count: frames * channels) }
        if mix.count != frames { mix = [Int64](repeating: 0, count: frames) }
        let gain = microphone.amplification
        let limit = amplitude(decibels: microphone.profile.clipLevel, gain: 1)
        for channel in 0..<channels {
            mix.withUnsafeMutableBufferPointer { mix in
                mix.update(repeating: 0)
                fill(mix, channel, first, gain)
                samples.withUnsafeMutableBufferPointer { samples in
                    csim_audio_limit(
                        mix.baseAddress, Int64(frames), limit, samples.baseAddress.map { $0 + channel },
                        Int32(channels))
                }
            }
        }
        let chunk = AudioChunk(
            data: block(), format: format, frameCount: frames, presentationTime: CMTime(nanoseconds: nanoseconds),
            samplePosition: first, followsDiscontinuity: followsLoss)
        return .audio(chunk)
    }

    func reportChanges() {}

    func loss(at nanoseconds: Int64, index: UInt64, duration: CMTime, message: String) -> StreamEvent? { nil }

    /// Mixes all sounds of one channel.
    ///
    /// - Parameters:
    ///   - first: The position of the chunk's first sample in the stream.
    ///   - gain: The amplitude factor of the microphone's controls.
    private func fill(_ mix: UnsafeMutableBufferPointer<Int64>, _ channel: Int, _ first: Int64, _ gain: Double) {
        let profile = microphone.profile
        let channelGain =
            gain
            * (profile.channelLevels.isEmpty ? 1 : RepeatableMath.amplitude(decibels: profile.channelLevels[channel]))
        forEachSceneSound(first, count: mix.count) { part, street in
            let (mix, first) = (UnsafeMutableBufferPointer(rebasing: mix[part]), first + Int64(part.lowerBound))
            if let street {
                addStreet(street, mix, channel, first, channelGain)
            } else if !profile.tones.isEmpty {
                let tone = profile.tones[profile.tones.count == 1 ? 0 : channel]
                let (phase, step) = phase(of: tone.millihertz, at: first)
                csim_audio_tone(
                    mix.baseAddress, Int64(mix.count), phase, step, 0,
                    amplitude(decibels: tone.level, gain: channelGain), sine.entries)
            }
        }
        for sound in profile.sounds where sound.channel.map({ $0 == channel }) ?? true {
            let amplitude = amplitude(decibels: sound.level, gain: channelGain)
            switch sound.kind {
            case .sweep(let from, let to, let period):
                addSweep(mix, first, amplitude, from: from, to: to, period: period)
            case .clicks(let period, _): addClicks(mix, first, amplitude, period: period)
            case .file(let path, let loops):
                guard let clip = microphone.device.world.clips[path] else { continue }
                addClip(clip, channel, loops, mix, first, amplitude)
            }
        }
        var random = SplitMix64(seed: seed ^ UInt64(bitPattern: start) &+ UInt64(channel) &* 0x9e37)
        csim_audio_noise(
            mix.baseAddress, Int64(mix.count), amplitude(decibels: profile.noiseFloor, gain: gain), random.next(),
            UInt64(bitPattern: first))
    }

    // MARK: Sounds

    /// Calls `body` for each part of a chunk during which the scene does not change.
    ///
    /// - Parameter body: Receives the part, and the sound of the scene; nil if the microphone captures the tones of its
    ///   profile.
    private func forEachSceneSound(_ first: Int64, count: Int, _ body: (Range<Int>, StreetSound?) -> Void) {
        /// Returns the time of the sample with an index in the chunk.
        func time(_ index: Int) -> Int64 { start + (first + Int64(index)) * 1_000_000_000 / rate }
        let sounds = microphone.device.world.sounds(from: time(0), until: time(count))
        // Each sound begins with the first sample at or after its start time.
        let beginnings =
            sounds.map { sound in (0..<count).first { time($0) >= sound.nanoseconds } ?? count } + [count]
        for (index, sound) in sounds.enumerated() where beginnings[index] < beginnings[index + 1] {
            body(beginnings[index]..<beginnings[index + 1], sound.sound)
        }
    }

    /// Adds the sound of the street. The amplitude and position of each source are interpolated between multiples of
    /// 10 ms of the clock.
    private func addStreet(
        _ street: StreetSound, _ mix: UnsafeMutableBufferPointer<Int64>, _ channel: Int, _ first: Int64, _ gain: Double
    ) {
        // -1 for the left channel, 1 for the right one, 0 for mono.
        let side = format.channelCount == 2 ? Double(2 * channel - 1) : 0
        forEachPeriod(10_000_000, first, count: mix.count) { part in
            for source in street.sources {
                let begin = source.state(Double(part.periodNumber) / 100, side)
                let end = source.state(Double(part.periodNumber + 1) / 100, side)
                // The position in the loop, in samples. The kernel receives positions and steps in units of 2^-32.
                let turns = begin.position / Double(SoundLoop.count)
                let position = (turns - turns.rounded(.down)) * Double(SoundLoop.count)
                let step = Int64((end.position - begin.position) / Double(part.periodLength) * 4_294_967_296)
                csim_audio_loop(
                    mix.baseAddress.map { $0 + part.offset }, Int64(part.length), source.loop.entries,
                    Int64(SoundLoop.count), Int64(position * 4_294_967_296), step,
                    amplitude(begin.amplitude * gain), amplitude(end.amplitude * gain), part.index, part.periodLength)
            }
        }
    }

    /// Adds a linear frequency sweep, which starts again at each multiple of `period` on the clock.
    ///
    /// - Parameters:
    ///   - from: The frequency at the start of a period, in millihertz.
    ///   - to: The frequency at the end of a period, in millihertz.
    ///   - period: The length of a period in nanoseconds.
    private func addSweep(
        _ mix: UnsafeMutableBufferPointer<Int64>, _ first: Int64, _ amplitude: Int64, from: Int64, to: Int64,
        period: Int64
    ) {
        forEachPeriod(period, first, count: mix.count) { part in
            // The phase advances by `step` per sample, and `step` by `growth`, both in units of 2^-64 of a turn.
            let step = Self.turns(UInt64(from), 1, over: UInt64(rate) * 1000)
            let slope = Self.turns(UInt64(abs(to - from)), 1, over: UInt64(rate) * 1000 * UInt64(part.periodLength))
            let growth = to >= from ? slope : 0 &- slope
            let n = UInt64(part.index)
            // The sum of the numbers 0 … n - 1, which is n (n - 1) / 2. The even factor is halved.
            let sum = n % 2 == 0 ? (n / 2) &* (n &- 1) : n &* ((n &- 1) / 2)
            csim_audio_tone(
                mix.baseAddress.map { $0 + part.offset }, Int64(part.length), n &* step &+ sum &* growth,
                step &+ n &* growth, growth, amplitude, sine.entries)
        }
    }

    /// Frequency of the tone of a click, in hertz.
    private static let clickFrequency: UInt64 = 2000
    /// The length of a click is 1 s divided by this number: 5 ms.
    private static let clickLengthReciprocal: Int64 = 200

    /// Adds a short tone at each multiple of `period` on the clock.
    ///
    /// - Parameter period: The length of a period in nanoseconds.
    private func addClicks(
        _ mix: UnsafeMutableBufferPointer<Int64>, _ first: Int64, _ amplitude: Int64, period: Int64
    ) {
        forEachPeriod(period, first, count: mix.count) { part in
            let sampleCount = min(Int64(part.length), rate / Self.clickLengthReciprocal - part.index)
            guard sampleCount > 0 else { return }
            let step = Self.turns(Self.clickFrequency, 1, over: UInt64(rate))
            csim_audio_tone(
                mix.baseAddress.map { $0 + part.offset }, sampleCount, UInt64(part.index) &* step, step, 0, amplitude,
                sine.entries)
        }
    }

    /// Adds the audio of a file, which starts when the host is created.
    private func addClip(
        _ clip: AudioClip, _ channel: Int, _ loops: Bool, _ mix: UnsafeMutableBufferPointer<Int64>, _ first: Int64,
        _ amplitude: Int64
    ) {
        let elapsed = start - microphone.device.world.startNanoseconds
        let elapsedSamples =
            Self.divided(UInt64(max(0, elapsed)), UInt64(rate), over: 1_000_000_000).quotient + UInt64(first)
        let clipPosition = Self.divided(elapsedSamples, UInt64(clip.sampleRate), over: UInt64(rate))
        let length = UInt64(clip.frameCount)
        guard loops || clipPosition.quotient < length else { return }
        let fraction = (clipPosition.remainder << 32) / UInt64(rate)
        clip.channels[min(channel, clip.channels.count - 1)].withUnsafeBufferPointer { samples in
            csim_audio_clip(
                samples.baseAddress, Int64(length), (clipPosition.quotient % length) << 32 | fraction,
                (UInt64(clip.sampleRate) << 32) / UInt64(rate), loops ? 1 : 0, amplitude, mix.baseAddress,
                Int64(mix.count))
        }
    }

    /// The part of a chunk that is within one period.
    private struct PeriodPart {
        /// The position of the first sample in the chunk.
        var offset: Int
        /// The position of the first sample in the period.
        var index: Int64
        /// The length in samples.
        var length: Int
        /// The length of the period in samples.
        var periodLength: Int64
        /// The number of the period, which is 0 at time 0 of the clock.
        var periodNumber: UInt64
    }

    /// Calls `body` for each part of a chunk that is within one period. Periods begin at the multiples of `period` on
    /// the clock.
    ///
    /// - Parameters:
    ///   - period: The length of a period in nanoseconds.
    ///   - first: The position of the chunk's first sample in the stream.
    ///   - count: The length of the chunk in samples.
    private func forEachPeriod(_ period: Int64, _ first: Int64, count: Int, _ body: (PeriodPart) -> Void) {
        // Samples are counted from time 0 of the clock. The start of the stream is rounded up to a whole sample.
        let origin = Self.divided(UInt64(max(0, start)), UInt64(rate), over: 1_000_000_000)
        let base = origin.quotient + (origin.remainder > 0 ? 1 : 0) + UInt64(first)
        // In billionths of a sample interval. The period in samples may be fractional.
        let scaledPeriod = UInt64(period) * UInt64(rate)
        /// Returns the first sample at or after the start of a period, counted from time 0.
        func begin(_ number: UInt64) -> UInt64 {
            let exact = Self.divided(number, scaledPeriod, over: 1_000_000_000)
            return exact.quotient + (exact.remainder > 0 ? 1 : 0)
        }
        var offset = 0
        while offset < count {
            let sample = base + UInt64(offset)
            let number = Self.divided(sample, 1_000_000_000, over: scaledPeriod).quotient
            let (from, to) = (begin(number), begin(number + 1))
            let part = PeriodPart(
                offset: offset, index: Int64(sample - from), length: min(count - offset, Int(to - sample)),
                periodLength: Int64(to - from), periodNumber: number)
            body(part)
            offset += part.length
        }
    }

    // MARK: Arithmetic

    /// Returns the samples in the stream's format.
    private func block() -> CMBlockBuffer {
        let block = CMBlockBuffer(length: samples.count * format.sample.byteCount)
        let count = Int64(samples.count)
        samples.withUnsafeBufferPointer { samples in
            // Does not throw: the bytes of a new buffer are contiguous.
            try? block.withUnsafeMutableBytes { bytes in
                switch format.sample {
                case .int16:
                    csim_audio_to_int16(samples.baseAddress, count, bytes.bindMemory(to: Int16.self).baseAddress)
                case .float32:
                    csim_audio_to_float(samples.baseAddress, count, bytes.bindMemory(to: Float.self).baseAddress)
                case .int32:
                    bytes.copyMemory(from: UnsafeRawBufferPointer(samples))
                }
            }
        }
        return block
    }

    /// Returns an amplitude in units of 2^-31 of full scale. Amplitudes above full scale are clipped later.
    private func amplitude(decibels: Double, gain: Double) -> Int64 {
        amplitude(RepeatableMath.amplitude(decibels: decibels) * gain)
    }

    /// Converts a fraction of full scale to units of 2^-31.
    private func amplitude(_ factor: Double) -> Int64 { Int64(min((factor * 2_147_483_647).rounded(), 1e15)) }

    /// Returns the phase of a tone at a sample and its increment per sample, in units of 2^-64 of a turn.
    private func phase(of millihertz: Int64, at position: Int64) -> (phase: UInt64, step: UInt64) {
        let frequency = UInt64(millihertz)
        let rateMillihertz = UInt64(rate) * 1000
        let atStart = Self.turns(frequency, UInt64(max(0, start)), over: 1_000_000_000_000)
        let sinceStart = Self.turns(frequency, UInt64(position), over: rateMillihertz)
        return (atStart &+ sinceStart, Self.turns(frequency, 1, over: rateMillihertz))
    }

    /// Returns the fractional part of a × b / divisor, in units of 2^-64.
    private static func turns(_ a: UInt64, _ b: UInt64, over divisor: UInt64) -> UInt64 {
        divisor.dividingFullWidth((divided(a, b, over: divisor).remainder, 0)).quotient
    }

    /// Returns a × b / divisor, with the quotient modulo 2^64.
    private static func divided(
        _ a: UInt64, _ b: UInt64, over divisor: UInt64
    ) -> (quotient: UInt64, remainder: UInt64) {
        let product = a.multipliedFullWidth(by: b)
        return divisor.dividingFullWidth((product.high % divisor, product.low))
    }
}

/// One period of a sine in 4,096 steps, in units of 2^-30.
final class SineTable: @unchecked Sendable {
    // SAFETY: the memory is only written in `init`, and only read afterwards.
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
