import CaptureCore
import CaptureHAL
import Foundation
import MediaTypes

/// Counts the frames and audio samples of a session without writing a file.
struct CaptureCounter {
    let command: CommandSystem
    let setup: CaptureSetup
    /// The duration to count; nil to count until the sources end.
    let limit: CMTime?
    /// The label of the progress bar.
    let label: String

    /// Runs the session and counts.
    ///
    /// - Returns: The counts, and in `error` the reason if capture ended early.
    func count() throws -> RecordCommand.Report {
        let videoCounter = VideoCounter(command.system.clock)
        let video = AVCaptureVideoDataOutput()
        let videoQueue = DispatchQueue(label: "obscura.count.video")
        video.setSampleBufferDelegate(videoCounter, queue: videoQueue)
        let audio = AVCaptureAudioDataOutput()
        let audioCounter = AudioCounter()
        let audioQueue = DispatchQueue(label: "obscura.count.audio")
        audio.setSampleBufferDelegate(audioCounter, queue: audioQueue)
        setup.session.addOutput(video)
        setup.session.addOutput(audio)
        let interrupt = Interrupt(waking: command.wakeUp)
        let failure = SessionFailure(of: setup.session, in: command)
        try setup.start(failure)
        let clock = command.system.clock
        let begin = clock.now
        if let limit {
            videoQueue.sync { videoCounter.end = begin + limit }
            audioCounter.end(at: begin + limit)
        }
        let setup = setup
        let bar = ProgressBar(label)
        let limit = limit
        // In virtual time the condition is evaluated after each event, so that no timeout is needed.
        let wait = command.virtualClock == nil ? limit.map { Duration.nanoseconds($0.nanoseconds) } : nil
        // Without a progress bar, a source without an end needs no frequent polling: failures and signals end the wait.
        command.run(limit: wait, pollingEvery: bar.isShown || command.ends ? 0.1 : 10) {
            let elapsed = clock.now - begin
            if let limit { bar.show(elapsed.seconds / limit.seconds) } else { bar.show(seconds: elapsed.seconds) }
            return interrupt.isRaised || failure.hasOccurred || setup.endTime != nil
                || (limit.map { elapsed >= $0 } ?? false)
        }
        bar.finish()
        let stop = clock.now
        setup.session.stopRunning()
        // Wait for queued callbacks.
        videoQueue.sync {}
        audioQueue.sync {}
        let tally = videoQueue.sync { videoCounter.tally }
        // A source that ended determines the duration itself; otherwise the clock does.
        let first = [tally.first, audioCounter.first].compactMap(\.self).min() ?? begin
        let seconds = (setup.endTime.map { $0 - first } ?? stop - begin).seconds
        let end = limit.flatMap { interrupt.isRaised ? nil : begin + $0 } ?? stop
        return RecordCommand.Report(
            duration: seconds, videoFrames: tally.frames, droppedFrames: tally.drops, audioSamples: audioCounter.count,
            width: tally.width, height: tally.height,
            fps: setup.rate(frameCount: tally.frames, seconds: seconds), codec: "none",
            error: failure.message(setup) ?? stall(tally, from: begin, to: end))
    }

    /// Returns the message for a camera that had stopped delivering before the end; nil if it had not.
    private func stall(_ tally: VideoCounter.Tally, from begin: CMTime, to end: CMTime) -> String? {
        guard setup.camera != nil, setup.endTime == nil, !setup.hasCameraEnded,
            StallDetector.hadStalled(at: end, last: tally.last ?? begin, duration: tally.duration)
        else { return nil }
        if let last = tally.last { return setup.stallMessage(after: last - begin) }
        return setup.noFrameMessage(within: end - begin)
    }

    /// Counts frames. Confined to the queue of its callbacks.
    fileprivate final class VideoCounter: AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
        // SAFETY: `tally` and `end` are only accessed on that queue.
        struct Tally {
            var frames = 0
            var drops = 0
            var width = 0
            var height = 0
            /// The time of the first frame, delivered or dropped.
            var first: CMTime?
            /// The timestamp of the last delivered frame, or the time at which the last drop was reported.
            var last: CMTime?
            /// The duration of the first frame.
            var duration = CMTime.zero
        }

        private(set) var tally = Tally()
        /// Frames from this time on are not counted. The frame that is due exactly at the end is still delivered.
        var end: CMTime?
        private let clock: any CaptureClock

        init(_ clock: any CaptureClock) { self.clock = clock }

        func captureOutput(
            _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
        ) {
            let time = sampleBuffer.presentationTimeStamp
            tally.last = time
            if let end, time >= end { return }
            // All frames of a run have the same size and duration.
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
            // A dropped frame does not always have a valid time.
            let time = sampleBuffer.presentationTimeStamp
            if tally.first == nil, time.isNumeric { tally.first = time }
            tally.last = clock.now
            tally.drops += 1
        }
    }

    /// Counts audio samples. Thread-safe.
    private final class AudioCounter: AVCaptureAudioDataOutputSampleBufferDelegate, Sendable {
        /// Samples from the time `end` on are not counted.
        private let state = Lock<(count: Int64, first: CMTime?, end: CMTime?)>((0, nil, nil))

        func end(at time: CMTime) {
            state.withLock { $0.end = time }
        }

        var count: Int64 { state.withLock { $0.count } }
        var first: CMTime? { state.withLock { $0.first } }

        func captureOutput(
            _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
        ) {
            state.withLock { state in
                state.first = state.first ?? sampleBuffer.presentationTimeStamp
                var count = Int64(sampleBuffer.numSamples)
                let rate = sampleBuffer.formatDescription?.audioStreamBasicDescription?.mSampleRate ?? 0
                if let end = state.end, rate > 0 {
                    let rest = ((end - sampleBuffer.presentationTimeStamp).seconds * rate).rounded()
                    count = min(count, Int64(max(0, rest)))
                }
                state.count += count
            }
        }
    }
}
