import CaptureHAL
import MediaTypes

/// Checks of frames and audio: order, times, buffers.
extension DeviceCheckContext {
    /// Checks that the sequence numbers of a run start at 0 and ascend.
    func checkSequenceNumbers(_ received: [ConformanceReceiver.ReceivedEvent], _ format: StreamFormat) {
        switch format.media {
        case .audio:
            let chunks = received.filter { $0.kind == .audio }
            expect(
                chunks.first?.samplePosition ?? 0 == 0,
                "the first audio chunk is at sample \(chunks[0].samplePosition)", format)
        case .video, .depth:
            let numbers = received.compactMap(\.sequenceNumber)
            expect(numbers.first ?? 0 == 0, "the first frame has the number \(numbers[0])", format)
            expect(
                zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 },
                "the sequence numbers do not ascend: \(numbers)",
                format)
        }
    }

    func eventsArriveInOrder() throws {
        let format = try testFormat()
        let opened = try open()
        let begin = time.clock.now
        let received = try run(stream(opened, format), format, frames: 12)
        checkSequenceNumbers(received, format)
        let events = received.filter { !$0.isLast }
        for (event, next) in zip(events, events.dropFirst()) {
            // A dropped frame can have the time of another event.
            let areFrames = event.isPayload && next.isPayload
            if areFrames ? next.time > event.time : next.time >= event.time { continue }
            fail("an event at \(next.time.seconds) s arrived after one at \(event.time.seconds) s", format)
        }
        // The timestamp of a driver is the start, the middle or the end of a frame.
        let tolerance = CMTime(seconds: testDuration(format).seconds, preferredTimescale: 1_000_000_000)
        for event in events {
            expect(event.time.isNumeric, "an event has no time", format)
            expect(
                event.time <= event.arrival + tolerance,
                "an event with the time \(event.time.seconds) s arrived earlier, at \(event.arrival.seconds) s", format)
            expect(
                event.time >= begin - tolerance,
                "an event has the time \(event.time.seconds) s; the stream was started at \(begin.seconds) s", format)
            if event.kind == .video {
                expect(event.duration.isNumeric && event.duration > .zero, "a frame has no duration", format)
            }
        }
        opened.close()
    }

    func frameTimesMatchTheDuration() throws {
        let format = try testFormat(.video)
        let opened = try open()
        for duration in [testDuration(format), alternativeDuration(format)].compactMap({ $0 }) {
            let stream = try opened.makeStream(configuration(format, duration: duration))
            checkIntervals(try run(stream, format, frames: 8), duration, format)
        }
        opened.close()
    }

    /// Checks that frame times match the sequence numbers and the duration.
    private func checkIntervals(
        _ received: [ConformanceReceiver.ReceivedEvent], _ duration: CMTime, _ format: StreamFormat
    ) {
        let frames = received.filter { $0.kind == .video }
        let tolerance = duration.seconds * traits.frameTolerance
        if traits.hasExactTimes {
            checkEachInterval(frames, duration, tolerance, format)
        } else if traits.followsFrameDuration {
            let positions = frames.compactMap { frame in
                frame.sequenceNumber.map { (Double($0), frame.time.seconds) }
            }
            if let average = Self.averageStep(positions) {
                expect(
                    abs(average - duration.seconds) <= tolerance,
                    "frames are \(average) s apart on average; requested were \(duration.seconds) s", format)
            }
        }
        for frame in frames where traits.followsFrameDuration {
            expect(
                abs(frame.duration.seconds - duration.seconds) <= tolerance,
                "a frame has the duration \(frame.duration.seconds) s; requested were \(duration.seconds) s",
                format)
        }
    }

    /// Returns the time per unit of position; nil for less than four items.
    ///
    /// It is the median of the steps over half of the items, so that a few delayed items do not change it.
    static func averageStep(_ items: [(position: Double, seconds: Double)]) -> Double? {
        guard items.count >= 4 else { return nil }
        let steps = zip(items, items.dropFirst(items.count / 2)).map { first, second in
            (second.seconds - first.seconds) / (second.position - first.position)
        }
        return steps.sorted()[steps.count / 2]
    }

    private func checkEachInterval(
        _ frames: [ConformanceReceiver.ReceivedEvent], _ duration: CMTime, _ tolerance: Double, _ format: StreamFormat
    ) {
        for (index, next) in frames.enumerated().dropFirst() {
            // Relative to the first frame, so that the error of a wrong rate accumulates. A source with its own times
            // is checked from frame to frame.
            let frame = traits.followsFrameDuration ? frames[0] : frames[index - 1]
            guard let number = frame.sequenceNumber, let nextNumber = next.sequenceNumber, nextNumber > number else {
                continue
            }
            if !traits.followsFrameDuration && nextNumber > number + 1 { continue }
            let secondsPerFrame = traits.followsFrameDuration ? duration.seconds : frame.duration.seconds
            let step = (next.time - frame.time).seconds
            expect(
                abs(step - secondsPerFrame * Double(nextNumber - number)) <= tolerance,
                "frames \(number) and \(nextNumber) are \(step) s apart; expected are \(secondsPerFrame) s per frame",
                format)
        }
    }

    func frameDurationCanChange() throws {
        let format = try testFormat(.video)
        guard case .video(let video) = format else { return }
        let opened = try open()
        let stream = try stream(opened, format)
        let (first, other) = (testDuration(format), alternativeDuration(format))
        let longest = video.frameDurations.map(\.maximum).max() ?? .zero
        let slower = CMTime(value: longest.value * 3, timescale: longest.timescale)
        func expectRefusals() {
            for duration in [slower, .zero, .invalid] {
                expectRefusal(.unsupportedFormat, "setFrameDuration(\(duration.seconds) s)", format) {
                    try stream.setFrameDuration(duration)
                }
            }
        }
        expectRefusals()
        // Every stopped stream accepts a change.
        try stream.setFrameDuration(other ?? first)
        checkIntervals(try run(stream, format, frames: 8), other ?? first, format)
        let receiver = try start(stream)
        try wait(receiver, 2, format)
        expectRefusals()
        do {
            try stream.setFrameDuration(first)
            // Frames that were already queued can have the old duration.
            let skippedCount = receiver.events.count + 3
            try wait(receiver, receiver.payloadCount + 11, format)
            stop(stream, receiver, format)
            checkIntervals(Array(receiver.events.dropFirst(skippedCount)), first, format)
        } catch let error as DeviceError where error.code == .invalidState {
            stop(stream, receiver, format)
        }
        opened.close()
    }

    func retainedFramesStayUnchanged() throws {
        let format = try testFormat(.video)
        let opened = try open()
        let stream = try stream(opened, format)
        let receiver = try start(stream, retaining: 2)
        func expectIntact(_ when: String) {
            let changed = receiver.changedRetainedFrames
            expect(changed.isEmpty, "retained frames \(changed) changed \(when)", format)
        }
        try wait(receiver, 10, format)
        expectIntact("when later frames arrived")
        stop(stream, receiver, format)
        expectIntact("when the stream stopped")
        try run(stream, format, frames: 4)
        expectIntact("when the stream ran again")
        try run(self.stream(opened, format), format, frames: 4)
        expectIntact("when another stream ran")
        opened.close()
        expectIntact("when the device was closed")
        expect(receiver.retainedCount == 2, "only \(receiver.retainedCount) frames could be retained", format)
        receiver.release()
    }

    func bufferExhaustionIsReported() throws {
        let format = try testFormat(.video)
        guard case .video(let video) = format, case .pixels = video.encoding else {
            throw ConformanceSkip("the device lists no uncompressed format")
        }
        let opened = try open()
        let stream = try opened.makeStream(configuration(format, bufferCount: 3))
        let receiver = try start(stream, retaining: .max)
        try wait(receiver, 3, format)
        // A device can have more buffers than requested.
        advanceFrames(12, format)
        expect(
            receiver.retainedCount < 11, "with 3 buffers, \(receiver.retainedCount) frames could be retained", format)
        let changed = receiver.changedRetainedFrames
        expect(changed.isEmpty, "retained frames \(changed) changed when the pool was exhausted", format)
        receiver.release()
        try wait(receiver, receiver.payloadCount + 3, format)
        let drops = receiver.drops
        expect(drops.contains(.outOfBuffers), "no frame was reported as dropped with .outOfBuffers: \(drops)", format)
        stop(stream, receiver, format)
        checkSequenceNumbers(receiver.events, format)
        // Without retained frames the pool is never exhausted.
        let steady = try start(stream)
        try wait(steady, 13, format)
        stop(stream, steady, format)
        expect(!steady.drops.contains(.outOfBuffers), "released buffers did not return to the pool", format)
        opened.close()
    }

    func audioHasNoGaps() throws {
        let format = try testFormat(.audio)
        guard case .audio(let audio) = format else { return }
        let opened = try open()
        let received = try run(stream(opened, format), format, frames: 20)
        let chunks = received.filter { $0.kind == .audio }
        var next: Int64 = 0
        for chunk in chunks {
            let hasGap = !traits.hasExactTimes && chunk.samplePosition > next
            expect(
                hasGap || chunk.samplePosition == next,
                "an audio chunk is at sample \(chunk.samplePosition); expected was \(next)", format)
            expect(
                chunk.followsDiscontinuity == hasGap,
                hasGap
                    ? "an audio chunk after a gap does not have followsDiscontinuity"
                    : "an audio chunk without a gap has followsDiscontinuity", format)
            next = chunk.samplePosition + Int64(chunk.frameCount)
            guard traits.hasExactTimes else { continue }
            let expectedTime = Double(chunk.samplePosition) / audio.sampleRate
            let time = (chunk.time - chunks[0].time).seconds
            expect(
                abs(time - expectedTime) <= traits.audioToleranceSeconds,
                "the time of an audio chunk is \(time) s; its sample position corresponds to \(expectedTime) s", format)
        }
        let positions = chunks.map { (Double($0.samplePosition), $0.time.seconds) }
        if !traits.hasExactTimes, let average = Self.averageStep(positions) {
            expect(
                abs(average * audio.sampleRate - 1) <= traits.frameTolerance,
                "the times of audio chunks correspond to \(1 / average) samples per second", format)
        }
        opened.close()
    }

    func endIsReported() throws {
        guard traits.endsByItself else { throw ConformanceSkip("the source has no end") }
        let format = try testFormat()
        let opened = try open()
        let stream = try stream(opened, format)
        for _ in 0..<2 {
            let receiver = try start(stream)
            expect(
                time.advance(until: { receiver.isOver }, limit: .seconds(600)), "no .ended arrived within ten minutes",
                format)
            advanceFrames(3, format)
            reportProblems(of: receiver, format)
            let received = receiver.events
            guard let last = received.last, last.kind == .ended else {
                return fail("the last event was \(received.last.map { "\($0.kind)" } ?? "none"), not the end", format)
            }
            expect(receiver.payloadCount > 0, ".ended arrived before any frame", format)
            checkSequenceNumbers(received, format)
            for event in received.dropLast() {
                expect(event.time <= last.time, "the end is at \(last.time.seconds) s, before a frame", format)
            }
        }
        // Stopping an ended stream has no effect.
        stream.stop()
        opened.close()
    }
}
