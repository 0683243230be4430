import CaptureHAL
import Dispatch
import Foundation
import MediaTypes
import XCTest

final class StreamLifeCycleTests: XCTestCase {
    private static func drop(_ number: UInt64) -> StreamEvent {
        .dropped(DroppedFrame(reason: .discontinuity, presentationTime: .zero, sequenceNumber: number))
    }

    private static func name(_ event: StreamEvent) -> String {
        switch event {
        case .dropped(let frame): "\(frame.sequenceNumber)"
        case .ended: "ended"
        case .video, .audio, .failed: "other"
        }
    }

    /// Records the names of events and then runs an action.
    private final class Recorder: StreamReceiver {
        private let names = Lock<[String]>([])
        private let action: @Sendable () -> Void

        init(_ action: @escaping @Sendable () -> Void = {}) { self.action = action }

        var received: [String] { names.withLock { $0 } }

        func receive(_ event: StreamEvent) {
            names.withLock { $0.append(StreamLifeCycleTests.name(event)) }
            action()
        }
    }

    private func assertCode(
        _ code: DeviceError.Code, line: UInt = #line, _ body: () throws -> Void
    ) {
        XCTAssertThrowsError(try body(), line: line) { XCTAssertEqual(($0 as? DeviceError)?.code, code, line: line) }
    }

    func testOnlyTheRunInProgressDelivers() throws {
        let lifeCycle = StreamLifeCycle(device: "device", clock: SimClock())
        let recorder = Recorder()
        let first = try lifeCycle.start(recorder)
        XCTAssertTrue(lifeCycle.deliver(Self.drop(0), of: first))
        XCTAssertEqual(lifeCycle.stop(), first)
        XCTAssertNil(lifeCycle.stop())
        XCTAssertFalse(lifeCycle.deliver(Self.drop(1), of: first))
        let second = try lifeCycle.start(recorder)
        XCTAssertFalse(lifeCycle.deliver(Self.drop(2), of: first))
        lifeCycle.end(first)
        XCTAssertEqual(lifeCycle.currentRun, second)
        XCTAssertTrue(lifeCycle.deliver(Self.drop(3), of: second))
        lifeCycle.end(second)
        XCTAssertFalse(lifeCycle.isRunning)
        XCTAssertEqual(recorder.received, ["0", "3"])
    }

    func testARunningStreamCannotBeStartedOrRetired() throws {
        let lifeCycle = StreamLifeCycle(device: "device", clock: SimClock())
        _ = try lifeCycle.start(Recorder())
        assertCode(.invalidState) { _ = try lifeCycle.start(Recorder()) }
        XCTAssertFalse(lifeCycle.retire())
        lifeCycle.stop()
        XCTAssertTrue(lifeCycle.retire())
        assertCode(.invalidState) { _ = try lifeCycle.start(Recorder()) }
    }

    func testTheReceiverOfTheLastEventCanStartTheStreamAgain() throws {
        let lifeCycle = StreamLifeCycle(device: "device", clock: SimClock())
        let next = Lock<StreamLifeCycle.Run?>(nil)
        let recorder = Recorder()
        let first = try lifeCycle.start(
            Recorder {
                do {
                    let run = try lifeCycle.start(recorder)
                    next.withLock { $0 = run }
                } catch {
                    XCTFail("\(error)")
                }
            })
        XCTAssertFalse(lifeCycle.deliver(.ended(time: .zero), of: first))
        let second = try XCTUnwrap(next.withLock { $0 })
        XCTAssertTrue(lifeCycle.deliver(Self.drop(0), of: second))
        XCTAssertEqual(recorder.received, ["0"])
    }

    func testTheReceiverIsReleasedWhenTheRunEnds() throws {
        let lifeCycle = StreamLifeCycle(device: "device", clock: SimClock())
        weak var released: Recorder?
        func run(_ end: (StreamLifeCycle.Run) -> Void) throws {
            let recorder = Recorder()
            released = recorder
            end(try lifeCycle.start(recorder))
        }
        try run { _ in lifeCycle.stop() }
        XCTAssertNil(released)
        try run { lifeCycle.end($0) }
        XCTAssertNil(released)
        try run { lifeCycle.deliver(.ended(time: .zero), of: $0) }
        XCTAssertNil(released)
    }

    /// Stops a stream on another thread while this thread delivers an event.
    ///
    /// - Parameter limit: The time that the receiver of the event waits for the stop.
    /// - Returns: Whether the stop returned during the event.
    private func stopsDuringEvent(_ clock: any CaptureClock, limit: DispatchTimeInterval) throws -> Bool? {
        let lifeCycle = StreamLifeCycle(device: "device", clock: clock)
        let stopReturned = DispatchGroup()
        let returnedDuringEvent = Lock<Bool?>(nil)
        let run = try lifeCycle.start(
            Recorder {
                stopReturned.enter()
                Thread.detachNewThread {
                    lifeCycle.stop()
                    stopReturned.leave()
                }
                let result = stopReturned.wait(timeout: .now() + limit)
                returnedDuringEvent.withLock { $0 = result == .success }
            })
        XCTAssertFalse(lifeCycle.deliver(Self.drop(0), of: run), "the stream was stopped during the event")
        // The limit is reached only if the test fails.
        XCTAssertEqual(stopReturned.wait(timeout: .now() + .seconds(60)), .success)
        return returnedDuringEvent.withLock { $0 }
    }

    func testInRealTimeAStopWaitsForAnEventOnAnotherThread() throws {
        // The event ends after the limit.
        XCTAssertEqual(try stopsDuringEvent(HostClock(), limit: .milliseconds(50)), false)
    }

    func testInVirtualTimeAStopDoesNotWaitForItsReceiver() throws {
        XCTAssertEqual(try stopsDuringEvent(SimClock(), limit: .seconds(60)), true)
    }

    func testAStopInsideAnEventDoesNotWait() throws {
        let lifeCycle = StreamLifeCycle(device: "device", clock: HostClock())
        let recorder = Recorder { lifeCycle.stop() }
        let run = try lifeCycle.start(recorder)
        XCTAssertFalse(lifeCycle.deliver(Self.drop(0), of: run))
        XCTAssertFalse(lifeCycle.deliver(Self.drop(1), of: run))
        XCTAssertEqual(recorder.received, ["0"])
    }
}
