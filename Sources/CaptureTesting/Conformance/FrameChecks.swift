import CaptureHAL
import MediaTypes

/// Pictures and sound: their order, their times, their buffers.
extension DeviceBench {
    /// Checks that the numbers of a run begin at 0 and rise.
    func checkNumbers(_ seen: [ConformanceReceiver.Seen], _ format: StreamFormat) {
        switch format.media {
        case .audio:
            let sound = seen.filter { $0.kind == .audio }
            expect(sound.first?.samplePosition ?? 0 == 0, "the first sound is at \(sound[0].samplePosition)", format)
        case .video, .depth:
            let numbers = seen.compactMap(\.sequenceNumber)
            expect(numbers.first ?? 0 == 0, "the first frame has the number \(numbers[0])", format)
            expect(
                zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 },
                "the numbers of frames do not rise: \(numbers)",
                format)
        }
    }

    func eventsComeInOrder() throws {
        let format = try handyFormat()
        let opened = try open()
        let begin = time.clock.now
        let seen = try run(stream(opened, format), format, frames: 12)
        checkNumbers(seen, format)
        let events = seen.filter { !$0.isLast }
        for (event, next) in zip(events, events.dropFirst()) {
            // A frame may be lost or damaged at no time of its own.
            let areFrames = event.isPayload && next.isPayload
            if areFrames ? next.time > event.time : next.time >= event.time { continue }
            fail("an event at \(next.time.seconds) s came after one at \(event.time.seconds) s", format)
        }
        // A driver may stamp the middle of a frame, or its end.
        let slack = CMTime(seconds: handyDuration(format).seconds, preferredTimescale: 1_000_000_000)
        for event in events {
            expect(event.time.isNumeric, "an event has no time", format)
            expect(
                event.time <= event.arrival + slack,
                "an event of \(event.time.seconds) s came at \(event.arrival.seconds) s, before its time", format)
            expect(
                event.time >= begin - slack,
                "an event has the time \(event.time.seconds) s; the stream was started at \(begin.seconds) s", format)
            if event.kind == .video {
                expect(event.duration.isNumeric && event.duration > .zero, "a frame has no duration", format)
            }
        }
        opened.close()
    }

    func framesKeepTheirTimes() throws {
        let format = try handyFormat(.video)
        let opened = try open()
        for duration in [handyDuration(format), otherDuration(format)].compactMap({ $0 }) {
            let stream = try opened.makeStream(configuration(format, duration: duration))
            checkIntervals(try run(stream, format, frames: 8), duration, format)
        }
        opened.close()
    }

    /// Checks that frames are `duration` apart, by their numbers.
    private func checkIntervals(
        _ seen: [ConformanceReceiver.Seen], _ duration: CMTime, _ format: StreamFormat
    ) {
        let frames = seen.filter { $0.kind == .video }
        let slack = duration.seconds * traits.frameTolerance
        for (index, next) in frames.enumerated().dropFirst() {
            // All from the first on, so that a wrong rate adds up; a source with times of its own tells each step before.
            let frame = traits.followsFrameDuration ? frames[0] : frames[index - 1]
            guard let one = frame.sequenceNumber, let two = next.sequenceNumber, two > one else { continue }
            if !traits.followsFrameDuration && two > one + 1 { continue }
            let each = traits.followsFrameDuration ? duration.seconds : frame.duration.seconds
            let step = (next.time - frame.time).seconds
            expect(
                abs(step - each * Double(two - one)) <= slack,
                "frames \(one) and \(two) are \(step) s apart where \(each) s a frame were to come", format)
        }
        for frame in frames where traits.followsFrameDuration {
            expect(
                abs(frame.duration.seconds - duration.seconds) <= slack,
                "a frame tells a duration of \(frame.duration.seconds) s where \(duration.seconds) s were asked for",
                format)
        }
    }

    func frameDurationCanChange() throws {
        let format = try handyFormat(.video)
        guard case .video(let video) = format else { return }
        let opened = try open()
        let stream = try stream(opened, format)
        let (first, other) = (handyDuration(format), otherDuration(format))
        let most = video.frameDurations.map(\.maximum).max() ?? .zero
        let slower = CMTime(value: most.value * 3, timescale: most.timescale)
        func expectRefusals() {
            for duration in [slower, .zero, .invalid] {
                expectRefusal(.unsupportedFormat, "setFrameDuration(\(duration.seconds) s)", format) {
                    try stream.setFrameDuration(duration)
                }
            }
        }
        expectRefusals()
        // While it is stopped, every stream can change.
        try stream.setFrameDuration(other ?? first)
        checkIntervals(try run(stream, format, frames: 4), other ?? first, format)
        let receiver = try start(stream)
        try wait(receiver, 2, format)
        expectRefusals()
        do {
            try stream.setFrameDuration(first)
            // Frames that were under way may still come as they were.
            let before = receiver.seen.count + 3
            try wait(receiver, receiver.payloadCount + 7, format)
            stop(stream, receiver, format)
            checkIntervals(Array(receiver.seen.dropFirst(before)), first, format)
        } catch let error as DeviceError where error.code == .invalidState {
            stop(stream, receiver, format)
        }
        opened.close()
    }

    func heldFramesStayIntact() throws {
        let format = try handyFormat(.video)
        let opened = try open()
        let stream = try stream(opened, format)
        let receiver = try start(stream, holding: 2)
        func expectIntact(_ when: String) {
            let changed = receiver.changedHeldFrames
            expect(changed.isEmpty, "held frames \(changed) changed while \(when)", format)
        }
        try wait(receiver, 10, format)
        expectIntact("later ones came")
        stop(stream, receiver, format)
        expectIntact("the stream stopped")
        try run(stream, format, frames: 4)
        expectIntact("the stream ran again")
        try run(self.stream(opened, format), format, frames: 4)
        expectIntact("another stream ran")
        opened.close()
        expectIntact("the device was closed")
        expect(receiver.heldCount == 2, "only \(receiver.heldCount) frames could be held", format)
        receiver.release()
    }

    func buffersRunOutAndReturn() throws {
        let format = try handyFormat(.video)
        guard case .video(let video) = format, case .pixels = video.encoding else {
            throw ConformanceSkip("the device lists no uncompressed format")
        }
        let opened = try open()
        let stream = try opened.makeStream(configuration(format, bufferCount: 3))
        let receiver = try start(stream, holding: .max)
        try wait(receiver, 3, format)
        // A device may give some more than it was asked for.
        passFrames(12, format)
        expect(receiver.heldCount < 11, "of 3 buffers \(receiver.heldCount) could be held", format)
        let held = receiver.changedHeldFrames
        expect(held.isEmpty, "held frames \(held) changed when buffers ran out", format)
        receiver.release()
        try wait(receiver, receiver.payloadCount + 3, format)
        let drops = receiver.drops
        expect(drops.contains(.outOfBuffers), "no frame was reported as dropped for want of buffers: \(drops)", format)
        stop(stream, receiver, format)
        checkNumbers(receiver.seen, format)
        // Buffers that are let go at once never run out.
        let steady = try start(stream)
        try wait(steady, 13, format)
        stop(stream, steady, format)
        expect(!steady.drops.contains(.outOfBuffers), "buffers that were let go did not come back", format)
        opened.close()
    }

    func soundHasNoGaps() throws {
        let format = try handyFormat(.audio)
        guard case .audio(let audio) = format else { return }
        let opened = try open()
        let seen = try run(stream(opened, format), format, frames: 20)
        let sound = seen.filter { $0.kind == .audio }
        var next: Int64 = 0
        for chunk in sound {
            expect(
                chunk.samplePosition == next, "sound is at \(chunk.samplePosition) where \(next) was to come", format)
            expect(!chunk.followsDiscontinuity, "sound without a gap says that there is one", format)
            let place = Double(chunk.samplePosition) / audio.sampleRate
            let time = (chunk.time - sound[0].time).seconds
            expect(
                abs(time - place) <= traits.soundTolerance,
                "sound at \(place) s of the samples is at \(time) s of the clock", format)
            next = chunk.samplePosition + Int64(chunk.frameCount)
        }
        opened.close()
    }

    func endIsTold() throws {
        guard traits.endsByItself else { throw ConformanceSkip("the device never ends by itself") }
        let format = try handyFormat()
        let opened = try open()
        let stream = try stream(opened, format)
        for _ in 0..<2 {
            let receiver = try start(stream)
            expect(time.pass(until: { receiver.isOver }, limit: .seconds(600)), "no end came in ten minutes", format)
            passFrames(3, format)
            tell(receiver, format)
            let seen = receiver.seen
            guard let last = seen.last, last.kind == .ended else {
                return fail("the last event was \(seen.last.map { "\($0.kind)" } ?? "none"), not the end", format)
            }
            expect(receiver.payloadCount > 0, "the end came before anything else", format)
            checkNumbers(seen, format)
            for event in seen.dropLast() {
                expect(event.time <= last.time, "the end is at \(last.time.seconds) s, before a frame", format)
            }
        }
        // Over is stopped: no harm in saying so.
        stream.stop()
        opened.close()
    }
}
