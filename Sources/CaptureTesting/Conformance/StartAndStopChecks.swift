import CaptureHAL
import Dispatch
import Foundation
import MediaTypes

/// Start and stop in every order.
extension DeviceBench {
    func stopIsIdempotent() throws {
        let format = try handyFormat()
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
        let format = try handyFormat()
        let opened = try open()
        let stream = try stream(opened, format)
        let receiver = try start(stream)
        let other = ConformanceReceiver(format, time.clock)
        expectRefusal(.invalidState, "start of a running stream", format) { try stream.start { other.receive($0) } }
        try wait(receiver, 2, format)
        expectRefusal(.invalidState, "start of a running stream", format) { try stream.start { other.receive($0) } }
        try wait(receiver, receiver.payloadCount + 2, format)
        stop(stream, receiver, format)
        expect(other.seen.isEmpty, "a start that was refused got events", format)
        checkNumbers(receiver.seen, format)
        opened.close()
    }

    func stopIsFinal() throws {
        let format = try handyFormat()
        let opened = try open()
        let stream = try stream(opened, format)
        // At another part of a frame each time.
        for round in 0..<5 {
            let receiver = try start(stream)
            if round > 0 { try wait(receiver, round, format) }
            time.pass(.nanoseconds(handyDuration(format).nanoseconds * Int64(round) / 5))
            stop(stream, receiver, format)
        }
        opened.close()
    }

    func stopInsideAnEvent() throws {
        let format = try handyFormat()
        let opened = try open()
        let stream = try stream(opened, format)
        for last in 1...2 {
            let receiver = try startEnding(stream, at: last) { [weak stream] in stream?.stop() }
            // What was called inside must have returned.
            _ = time.pass(until: { receiver.seen.count >= last && !receiver.isInside }, limit: traits.patience)
            passFrames(3, format)
            expect(
                receiver.seen.count == last,
                "\(receiver.seen.count) events came; the one that stopped was number \(last)",
                format)
        }
        try run(stream, format)
        opened.close()
    }

    func closeInsideAnEvent() throws {
        let format = try handyFormat()
        let opened = try open()
        let stream = try stream(opened, format)
        let receiver = try startEnding(stream, at: 2) { [weak opened] in opened?.close() }
        _ = time.pass(until: { receiver.seen.count >= 2 && !receiver.isInside }, limit: traits.patience)
        passFrames(3, format)
        expect(receiver.seen.count == 2, "\(receiver.seen.count) events came; the second one closed the device", format)
        expectRefusal(.invalidState, "makeStream after close()", format) { try self.stream(opened, format) }
        let again = try open()
        try run(self.stream(again, format), format)
        again.close()
    }

    /// Starts a stream that is ended from inside an event.
    private func startEnding(
        _ stream: any DeviceStream, at last: Int, _ end: @escaping @Sendable () -> Void
    ) throws -> ConformanceReceiver {
        try start(stream) { count in if count == last { end() } }
    }

    func restartCountsAnew() throws {
        let format = try handyFormat()
        let opened = try open()
        let stream = try stream(opened, format)
        var latest = CMTime.negativeInfinity
        for round in 0..<3 {
            let seen = try run(stream, format, frames: 4)
            checkNumbers(seen, format)
            if let first = seen.first, first.time <= latest {
                fail("run \(round) begins at a time that an earlier one had reached", format)
            }
            latest = seen.filter { !$0.isLast }.map(\.time).max() ?? latest
        }
        opened.close()
    }

    func callsFromManyThreads() throws {
        let format = try handyFormat()
        let opened = try open()
        let stream = try stream(opened, format)
        let controls = opened.controls.keys.sorted { $0.rawValue < $1.rawValue }
        let duration = handyDuration(format)
        let running = DispatchGroup()
        for _ in 0..<3 {
            running.enter()
            Thread.detachNewThread {
                for turn in 0..<40 {
                    // Who comes first is a matter of chance, and so is what is refused.
                    switch turn % 4 {
                    case 0: try? stream.start { _ in }
                    case 1: try? stream.setFrameDuration(duration)
                    case 2: for control in controls { _ = try? opened.value(of: control) }
                    default: stream.stop()
                    }
                }
                running.leave()
            }
        }
        while running.wait(timeout: .now()) == .timedOut { passFrames(1, format) }
        stream.stop()
        checkNumbers(try run(stream, format), format)
        opened.close()
    }
}
