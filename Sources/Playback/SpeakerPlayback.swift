import CaptureHAL
import MediaTypes

/// Plays the sound of a capture system on a speaker, synchronized with the clock of the capture system.
///
/// Every 20 ms the speaker's buffer is filled up to 60 ms ahead of the clock. The delay that the speaker reports is
/// compensated, so that each frame is heard at its time of the clock. The speaker is open only while sound is played.
/// - Important: Thread-safe.
final class SpeakerPlayback: Sendable {
    static let interval = CMTime(value: 20, timescale: 1000)
    /// How far the speaker's buffer is filled ahead of the clock, in audio frames.
    static let aheadFrameCount: Int64 = 2880
    /// The size of the speaker's buffer, in audio frames.
    private static let bufferFrameCount = 4800
    /// The maximum deviation of the sound from the clock that is not corrected, in audio frames: 20 ms.
    private static let toleratedDeviation: Int64 = 960
    /// The speaker is closed after this number of silent frames, which is more than it buffers.
    private static let closingFrameCount: Int64 = 24_000

    /// The state of uninterrupted writing to the open speaker.
    private struct Run {
        /// The clock's frame at which the next written frame would be heard if the speaker had no delay of its own.
        var next: Int64
        /// The speaker's own delay, in frames: the next written frame contains the sound of `next + delay`.
        var delay: Int64 = 0
        /// The delay of the frames that were written last. A change of the delay is crossfaded.
        var writtenDelay: Int64 = 0
    }

    private struct State: Sendable {
        /// Whether a call of `feed` is submitted, scheduled or running.
        var isActive = false
        var hasReportedSpeaker = false
        var hasReportedMedia = false
        // Only `feed` uses the following properties.
        var stream: (any SpeakerStream)?
        var run: Run?
        /// The first frame of the current silence; nil while sound is played.
        var silentFrom: Int64?
    }

    private let speaker: any Speaker
    private let clock: any CaptureClock
    private let worker: any ClockWorker
    private let state = Lock(State())

    init(_ speaker: any Speaker, clock: any CaptureClock) {
        self.speaker = speaker
        self.clock = clock
        worker = clock.makeWorker(label: "SpeakerPlayback")
    }

    /// Starts playback, which stops when the sound output is silent.
    func start(_ sound: SoundOutput) {
        let isFirst = state.withLock { state in
            defer { state.isActive = true }
            return !state.isActive
        }
        if isFirst { submit(sound) }
    }

    private func submit(_ sound: SoundOutput) {
        worker.submit { [weak self, weak sound] in
            if let self, let sound { feed(sound) }
        }
    }

    /// Fills the speaker's buffer, and schedules the next call.
    private func feed(_ sound: SoundOutput) {
        do throws(DeviceError) {
            let stream = try openStream()
            try write(sound, to: stream)
        } catch {
            close()
            let isFirst = state.withLock { state in
                defer { (state.hasReportedSpeaker, state.isActive) = (true, false) }
                return !state.hasReportedSpeaker
            }
            if isFirst { CaptureSystem.log("the sound of players is not heard: \(error.message)") }
            return
        }
        guard shouldClose(sound) else {
            clock.schedule(at: clock.now + Self.interval) { [weak self, weak sound] in
                if let self, let sound { submit(sound) }
            }
            return
        }
        close()
        state.withLock { $0.isActive = false }
        // A player may have started since the decision.
        if !sound.isSilent(from: SoundOutput.frame(at: clock.now)) { start(sound) }
    }

    private func openStream() throws(DeviceError) -> any SpeakerStream {
        if let stream = state.withLock({ $0.stream }) { return stream }
        let format = AudioStreamFormat(
            sampleRate: Double(SoundOutput.sampleRate), channelCount: SoundOutput.channelCount, sample: .float32)
        let stream = try speaker.open(format, bufferFrameCount: Self.bufferFrameCount)
        state.withLock { ($0.stream, $0.run, $0.silentFrom) = (stream, nil, nil) }
        return stream
    }

    private func close() {
        let stream = state.withLock { state in
            defer { (state.stream, state.run, state.silentFrom) = (nil, nil, nil) }
            return state.stream
        }
        stream?.close()
    }

    /// Whether the sound output has been silent for `closingFrameCount` frames.
    private func shouldClose(_ sound: SoundOutput) -> Bool {
        let now = SoundOutput.frame(at: clock.now)
        let isSilent = sound.isSilent(from: now)
        return state.withLock { state in
            state.silentFrom = isSilent ? state.silentFrom ?? now : nil
            return state.silentFrom.map { now - $0 >= Self.closingFrameCount } ?? false
        }
    }

    private func write(_ sound: SoundOutput, to stream: any SpeakerStream) throws(DeviceError) {
        let now = SoundOutput.frame(at: clock.now)
        let queued = try stream.queuedFrameCount()
        var run = state.withLock { $0.run } ?? Run(next: now)
        if let queued {
            let delay = Int64(queued) - (run.next - now)
            // A speaker that queues no frames, such as a file, has no delay.
            if queued > 0, abs(delay - run.delay) > Self.toleratedDeviation { run.delay = delay }
        } else {
            // The speaker starts, or restarts after an underrun.
            run = Run(next: now)
        }
        let count = now + Self.aheadFrameCount - run.next
        if count > 0 {
            let accepted = try stream.write(samples(sound, count, run))
            run.next += Int64(accepted)
            if accepted > 0 { run.writtenDelay = run.delay }
        }
        sound.discardSegments(before: now - Int64(SoundOutput.sampleRate))
        let written = run
        state.withLock { $0.run = written }
    }

    /// Returns the next frames. If the delay has changed, the sound is crossfaded from the old delay to the new one.
    private func samples(_ sound: SoundOutput, _ count: Int64, _ run: Run) -> [Float] {
        var samples = mix(sound, from: run.next + run.delay, count)
        guard run.delay != run.writtenDelay else { return samples }
        let fading = min(count, SoundOutput.rampFrameCount)
        let old = mix(sound, from: run.next + run.writtenDelay, fading)
        for index in old.indices {
            let rise = Float(index / SoundOutput.channelCount) / Float(fading)
            samples[index] = samples[index] * rise + old[index] * (1 - rise)
        }
        return samples
    }

    private func mix(_ sound: SoundOutput, from frame: Int64, _ count: Int64) -> [Float] {
        sound.samples(frame..<frame + count) { error in
            let isFirst = state.withLock { state in
                defer { state.hasReportedMedia = true }
                return !state.hasReportedMedia
            }
            if isFirst { CaptureSystem.log("sound of a player is not heard: \(error.localizedDescription)") }
        }.map { max(-1, min(1, $0)) }
    }
}
