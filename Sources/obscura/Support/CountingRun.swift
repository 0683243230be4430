import CaptureCore
import CaptureHAL
import Foundation
import MediaTypes

/// A session whose data outputs count what comes and drop it, for measuring.
struct CountingRun {
    let command: CommandSystem
    let setup: CaptureSetup
    /// How long to count; nil is until nothing comes any more.
    let limit: CMTime?

    /// - Returns: What came; with the reason where it broke off.
    func count() throws -> RecordCommand.Report {
        let counter = Counter(command.system.clock)
        let video = AVCaptureVideoDataOutput()
        let videoQueue = DispatchQueue(label: "obscura.count.video")
        video.setSampleBufferDelegate(counter, queue: videoQueue)
        let audio = AVCaptureAudioDataOutput()
        let sound = SoundCounter()
        let audioQueue = DispatchQueue(label: "obscura.count.audio")
        audio.setSampleBufferDelegate(sound, queue: audioQueue)
        setup.session.addOutput(video)
        setup.session.addOutput(audio)
        let interrupt = Interrupt(ringing: command.bell)
        let failure = SessionFailure(of: setup.session, ringing: command.bell)
        try setup.start(failure)
        let clock = command.system.clock
        let begin = clock.now
        if let limit {
            videoQueue.sync { counter.end = begin + limit }
            sound.end(at: begin + limit)
        }
        let setup = setup
        let bar = ProgressBar("counting")
        let limit = limit
        // In virtual time the look after each event is exact.
        let wait = command.virtualClock == nil ? limit.map { Duration.nanoseconds($0.nanoseconds) } : nil
        // A source that has no end rings when there is something to see.
        command.run(limit: wait, lookingEvery: bar.isShown || command.ends ? 0.1 : 10) {
            let passed = clock.now - begin
            if let limit { bar.show(passed.seconds / limit.seconds) }
            return interrupt.isRaised || failure.hasCome || setup.endTime != nil
                || (limit.map { passed >= $0 } ?? false)
        }
        bar.finish()
        let stop = clock.now
        setup.session.stopRunning()
        // What was under way to the counters arrives.
        videoQueue.sync {}
        audioQueue.sync {}
        // The session has stopped: nothing comes to the queue any more.
        let tally = videoQueue.sync { counter.tally }
        // A source that ended is as long as what came of it; else the clock tells.
        let first = [tally.first, sound.first].compactMap(\.self).min() ?? begin
        let passed = (setup.endTime.map { $0 - first } ?? stop - begin).seconds
        let isWhole = limit == nil || interrupt.isRaised
        return RecordCommand.Report(
            duration: passed, videoFrames: tally.frames, droppedFrames: tally.drops, audioSamples: sound.count,
            width: tally.width, height: tally.height,
            fps: setup.rate(frameCount: tally.frames, seconds: passed), codec: "none",
            error: failure.sentence(setup) ?? stall(tally, from: begin, to: isWhole ? stop : begin + (limit ?? .zero)))
    }

    /// What to say of a camera that had stopped delivering before the end.
    private func stall(_ tally: Counter.Tally, from begin: CMTime, to end: CMTime) -> String? {
        guard setup.camera != nil, setup.endTime == nil, !setup.hasCameraEnded,
            Patience.hadStopped(at: end, last: tally.last ?? begin, duration: tally.duration)
        else { return nil }
        if let last = tally.last { return setup.silence(after: last - begin) }
        return setup.absence(within: end - begin)
    }

    /// Confined to the queue of its callbacks, so that counting costs next to nothing.
    fileprivate final class Counter: AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
        // SAFETY: `tally` and `end` are only touched on that queue.
        struct Tally {
            var frames = 0
            var drops = 0
            var width = 0
            var height = 0
            /// The time of the first frame, dropped or not.
            var first: CMTime?
            /// When the last one was taken or came to be dropped.
            var last: CMTime?
            /// That of the first frame.
            var duration = CMTime.zero
        }

        private(set) var tally = Tally()
        /// Frames from this time on do not count: the one due at the very end is delivered still.
        var end: CMTime?
        private let clock: any CaptureClock

        init(_ clock: any CaptureClock) { self.clock = clock }

        func captureOutput(
            _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
        ) {
            let time = sampleBuffer.presentationTimeStamp
            tally.last = time
            if let end, time >= end { return }
            // All of a run are of one size and duration.
            if tally.frames == 0 { begin(with: sampleBuffer) }
            tally.frames += 1
        }

        @inline(never)
        private func begin(with sample: CMSampleBuffer) {
            tally.first = tally.first ?? sample.presentationTimeStamp
            tally.duration = sample.duration
            guard let pixels = sample.imageBuffer else { return }
            (tally.width, tally.height) = (CVPixelBufferGetWidth(pixels), CVPixelBufferGetHeight(pixels))
        }

        func captureOutput(
            _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
        ) {
            // A loss may have no time.
            let time = sampleBuffer.presentationTimeStamp
            if tally.first == nil, time.isNumeric { tally.first = time }
            tally.last = clock.now
            tally.drops += 1
        }
    }

    private final class SoundCounter: AVCaptureAudioDataOutputSampleBufferDelegate, Sendable {
        /// Samples from the time `end` on do not count.
        private let state = Lock<(count: Int64, first: CMTime?, end: CMTime?)>((0, nil, nil))

        func end(at time: CMTime) {
            state.withLock { $0.end = time }
        }

        var count: Int64 { state.withLock { $0.count } }
        var first: CMTime? { state.withLock { $0.first } }

        func captureOutput(
            _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
        ) {
            state.withLock { sound in
                sound.first = sound.first ?? sampleBuffer.presentationTimeStamp
                var count = Int64(sampleBuffer.numSamples)
                let rate = sampleBuffer.formatDescription?.audioStreamBasicDescription?.mSampleRate ?? 0
                if let end = sound.end, rate > 0 {
                    let rest = ((end - sampleBuffer.presentationTimeStamp).seconds * rate).rounded()
                    count = min(count, Int64(max(0, rest)))
                }
                sound.count += count
            }
        }
    }
}
