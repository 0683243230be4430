import CaptureHAL
import Dispatch
import Foundation
import MediaTypes

/// Checks of starting and stopping.
extension DeviceCheckContext {
    func stopIsIdempotent() throws {
        let format = try testFormat()
        let opened = try open()
        let stream = try stream(opened, format)
        stream.stop()
        stream.stop()
        try run(stream, format)
        stream.stop()
        stream.stop()
        try run(stream, format)
        opened.close()
        stream.stop()
    }

    func startTwiceIsRefused() throws {
        let format = try testFormat()
        let opened = try open()
        let stream = try stream(opened, format)
        let receiver = try start(stream)
        let other = ConformanceReceiver(format, time.clock)
        expectRefusal(.invalidState, "start of a running stream", format) { try stream.start { other.receive($0) } }
        try wait(receiver, 2, format)
        expectRefusal(.invalidState, "start of a running stream", format) { try stream.start { other.receive($0) } }
        try wait(receiver, receiver.payloadCount + 2, format)
        stop(stream, receiver, format)
        expect(other.events.isEmpty, "the receiver of the refused start received events", format)
        checkSequenceNumbers(receiver.events, format)
        opened.close()
    }

    func stopIsFinal() throws {
        let format = try testFormat()
        let opened = try open()
        let stream = try stream(opened, format)
        // At a different phase of the frame in each round.
        for round in 0..<5 {
            let receiver = try start(stream)
            if round > 0 { try wait(receiver, round, format) }
            time.advance(.nanoseconds(testDuration(format).nanoseconds * Int64(round) / 5))
            stop(stream, receiver, format)
        }
        opened.close()
    }

    func stopInsideAnEvent() throws {
        let format = try testFormat()
        let opened = try open()
        let stream = try stream(opened, format)
        for last in 1...2 {
            let receiver = try startEnding(stream, at: last) { [weak stream] in stream?.stop() }
            // Wait until the call inside the event has returned.
            _ = time.advance(until: { receiver.events.count >= last && !receiver.isReceiving }, limit: traits.timeout)
            advanceFrames(3, format)
            expect(
                receiver.events.count == last,
                "\(receiver.events.count) events arrived; event \(last) stopped the stream",
                format)
        }
        try run(stream, format)
        opened.close()
    }

    func stopOnAnotherThread() throws {
        let format = try testFormat()
        let opened = try open()
        let stream = try stream(opened, format)
        let isSimulated = time.isSimulated
        // In virtual time the limit is reached only if the check fails.
        let limit = DispatchTimeInterval.nanoseconds(
            isSimulated ? Int(traits.checkTimeout.nanoseconds / 2) : 50_000_000)
        let stopReturned = DispatchGroup()
        let returnedDuringEvent = Lock<Bool?>(nil)
        let receiver = try startEnding(stream, at: 2) { [weak stream] in
            stopReturned.enter()
            Thread.detachNewThread {
                stream?.stop()
                stopReturned.leave()
            }
            let result = stopReturned.wait(timeout: .now() + limit)
            returnedDuringEvent.withLock { $0 = result == .success }
        }
        _ = time.advance(
            until: { returnedDuringEvent.withLock { $0 } != nil && !receiver.isReceiving }, limit: traits.timeout)
        switch (returnedDuringEvent.withLock { $0 }, isSimulated) {
        case (false, true):
            return fail(
                "in virtual time, stop() waits for an event, and the receiver of the event waits for stop()", format)
        case (true, false): fail("stop() returned while another thread delivered an event", format)
        case (nil, _): fail("fewer than 2 events arrived", format)
        case (true, true), (false, false): break
        }
        if stopReturned.wait(timeout: .now() + .seconds(10)) == .timedOut { return fail("stop() hangs", format) }
        receiver.close()
        advanceFrames(3, format)
        expect(receiver.events.count == 2, "an event arrived after another thread stopped the stream", format)
        reportProblems(of: receiver, format)
        try run(stream, format)
        opened.close()
    }

    func closeInsideAnEvent() throws {
        let format = try testFormat()
        let opened = try open()
        let stream = try stream(opened, format)
        let receiver = try startEnding(stream, at: 2) { [weak opened] in opened?.close() }
        _ = time.advance(until: { receiver.events.count >= 2 && !receiver.isReceiving }, limit: traits.timeout)
        advanceFrames(3, format)
        expect(
            receiver.events.count == 2, "\(receiver.events.count) events arrived; the second one closed the device",
            format)
        expectRefusal(.invalidState, "makeStream after close()", format) { try self.stream(opened, format) }
        let reopened = try open()
        try run(self.stream(reopened, format), format)
        reopened.close()
    }

    /// Starts a stream and calls `end` inside the event with the number `last`, from 1.
    private func startEnding(
        _ stream: any DeviceStream, at last: Int, _ end: @escaping @Sendable () -> Void
    ) throws -> ConformanceReceiver {
        try start(stream) { count in if count == last { end() } }
    }

    func restartResetsTheCounters() throws {
        let format = try testFormat()
        let opened = try open()
        let stream = try stream(opened, format)
        var latest = CMTime.negativeInfinity
        for round in 0..<3 {
            let received = try run(stream, format, frames: 4)
            checkSequenceNumbers(received, format)
            if let first = received.first, first.time <= latest {
                fail("run \(round) starts at a time of an earlier run", format)
            }
            latest = received.filter { !$0.isLast }.map(\.time).max() ?? latest
        }
        opened.close()
    }

    func callsFromManyThreads() throws {
        let format = try testFormat()
        let opened = try open()
        let stream = try stream(opened, format)
        let controls = opened.controls.keys.sorted { $0.rawValue < $1.rawValue }
        let duration = testDuration(format)
        let running = DispatchGroup()
        for _ in 0..<3 {
            running.enter()
            Thread.detachNewThread {
                for iteration in 0..<40 {
                    // The order of calls is random, so any of them can fail.
                    switch iteration % 4 {
                    case 0: try? stream.start { _ in }
                    case 1: try? stream.setFrameDuration(duration)
                    case 2: for control in controls { _ = try? opened.value(of: control) }
                    default: stream.stop()
                    }
                }
                running.leave()
            }
        }
        while running.wait(timeout: .now()) == .timedOut { advanceFrames(1, format) }
        stream.stop()
        checkSequenceNumbers(try run(stream, format), format)
        opened.close()
    }
}
