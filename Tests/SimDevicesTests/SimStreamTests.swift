import CaptureHAL
import Dispatch
import Foundation
import MediaTypes
import XCTest

@testable import SimDevices

final class SimStreamTests: XCTestCase {
    /// A generator of drop reports.
    private struct LossGenerator: StreamGenerator {
        let lateness: Int64 = 0
        func interval(for requested: CMTime) -> (value: Int64, timescale: Int64) { (1, 10) }
        func prepare(at nanoseconds: Int64) {}
        func begin(at nanoseconds: Int64) {}
        func event(at nanoseconds: Int64, index: UInt64, duration: CMTime, followsLoss: Bool) -> StreamEvent {
            .dropped(
                DroppedFrame(
                    reason: .discontinuity, presentationTime: CMTime(nanoseconds: nanoseconds), sequenceNumber: index,
                    message: "generated"))
        }
        func reportChanges() {}
        func loss(at nanoseconds: Int64, index: UInt64, duration: CMTime, message: String) -> StreamEvent? { nil }
    }

    func testAStreamThatStopsBeforeItsFailureCanStartAgain() throws {
        let configuration = try SimDeviceFixture().stream.configuration
        let clock = SimClock()
        let faults = FaultList(seed: 1)
        let stream = SimStream(
            configuration: configuration, deviceID: "device", clock: clock, generator: LossGenerator(), faults: faults,
            history: StreamHistory(), startLatency: 0, deliveryLatency: 0, check: {}, accepts: { _ in true })
        // The fault of the device is applied between the timer and the failure of the same event.
        faults.onDeviceFault { _ in stream.stop() }
        faults.add(.pressure(.serious), .frame(2))
        faults.add(.fail(.inputOutput), .frame(2))
        let received = Lock<[StreamEvent]>([])
        try stream.start { event in received.withLock { $0.append(event) } }
        clock.advance(by: .seconds(1))
        XCTAssertEqual(received.withLock { $0.count }, 2)
        XCTAssertFalse(stream.isRunning)
        try stream.start { event in received.withLock { $0.append(event) } }
        clock.advance(by: .milliseconds(350))
        XCTAssertEqual(received.withLock { $0.count }, 6)
        stream.stop()
    }

    func testTimesAreRelativeToTheStart() throws {
        let fixture = try SimDeviceFixture(frameDuration: CMTime(value: 1001, timescale: 30000))
        fixture.clock.advance(by: .milliseconds(5))
        try fixture.start(keeping: true)
        fixture.clock.advance(by: .seconds(1))
        XCTAssertEqual(fixture.eventLog.count, 16 + 14)
        XCTAssertEqual(fixture.frames.map(\.sequenceNumber), Array(0..<16))
        for frame in fixture.frames {
            let exact = 5_000_000 + (Int64(frame.sequenceNumber) * 1001 * 1_000_000_000 + 15000) / 30000
            XCTAssertEqual(frame.presentationTime, CMTime(nanoseconds: exact))
            XCTAssertEqual(frame.duration, CMTime(value: 1001, timescale: 30000))
        }
        // All sixteen buffers are in use, so that the remaining frames are dropped.
        XCTAssertEqual(fixture.eventLog.last, "dropped 29 outOfBuffers")
    }

    func testTenSecondsAreThreeHundredFrames() throws {
        let fixture = try SimDeviceFixture()
        let count = Lock(0)
        try fixture.start(keeping: false) { event in
            if case .video = event { count.withLock { $0 += 1 } }
        }
        fixture.clock.advance(to: CMTime(nanoseconds: 9_999_999_999))
        XCTAssertEqual(count.withLock { $0 }, 300)
    }

    func testANewFrameDurationAppliesFromTheNextFrameOn() throws {
        let fixture = try SimDeviceFixture()
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(40))
        try fixture.stream.setFrameDuration(CMTime(value: 1, timescale: 10))
        fixture.clock.advance(by: .milliseconds(240))
        XCTAssertEqual(
            fixture.frames.map(\.presentationTime.nanoseconds), [0, 33_333_333, 66_666_667, 166_666_667, 266_666_667])
        XCTAssertEqual(fixture.frames.last?.duration, CMTime(value: 1, timescale: 10))
        XCTAssertThrowsError(try fixture.stream.setFrameDuration(CMTime(value: 1, timescale: 500))) { error in
            XCTAssertEqual((error as? DeviceError)?.code, .unsupportedFormat)
        }
    }

    func testStoppingInACallbackEndsDeliveryAndRestartsTheSequence() throws {
        let fixture = try SimDeviceFixture()
        let stream = fixture.stream
        try fixture.start { event in
            if case .video(let frame) = event, frame.sequenceNumber == 2 { stream.stop() }
        }
        fixture.clock.advance(by: .seconds(1))
        XCTAssertEqual(fixture.eventLog, ["frame 0", "frame 1", "frame 2"])
        fixture.stream.stop()
        try fixture.start()
        XCTAssertThrowsError(try fixture.start()) { error in
            XCTAssertEqual((error as? DeviceError)?.code, .invalidState)
        }
        fixture.clock.advance(by: .milliseconds(40))
        XCTAssertEqual(fixture.eventLog.suffix(2), ["frame 0", "frame 1"])
        XCTAssertEqual(fixture.frames.last?.presentationTime.nanoseconds, 1_033_333_333)
        fixture.stream.stop()
        fixture.clock.advance(by: .seconds(1))
        XCTAssertEqual(fixture.eventLog.count, 5)
    }

    func testReleasedBuffersEndTheDrops() throws {
        let fixture = try SimDeviceFixture(bufferCount: 2)
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(90))
        XCTAssertEqual(fixture.eventLog, ["frame 0", "frame 1", "dropped 2 outOfBuffers"])
        fixture.clear()
        fixture.clock.advance(by: .milliseconds(20))
        XCTAssertEqual(fixture.eventLog, ["frame 3"])
    }

    func testFaultsOccurOnceAtTheirFrameOrTime() throws {
        let fixture = try SimDeviceFixture()
        let id = "phone.back-wide"
        try fixture.host.schedule(.dropFrames(count: 2), uniqueID: id, at: .frame(1))
        try fixture.host.schedule(
            .stall(duration: CMTime(value: 1, timescale: 10)), uniqueID: id, at: .time(CMTime(value: 4, timescale: 30)))
        try fixture.host.schedule(.fail(.inputOutput), uniqueID: id, at: .frame(9))
        try fixture.start()
        fixture.clock.advance(by: .seconds(1))
        XCTAssertEqual(
            fixture.eventLog,
            [
                "frame 0", "dropped 1 discontinuity", "dropped 2 discontinuity", "frame 3", "frame 7", "frame 8",
                "failed inputOutput",
            ])
        fixture.clear()
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(50))
        XCTAssertEqual(fixture.eventLog, ["frame 0", "frame 1"])
    }

    func testAnEndlessStallLastsUntilTheStreamIsStopped() throws {
        let fixture = try SimDeviceFixture()
        try fixture.host.schedule(.stall(duration: nil), uniqueID: "phone.back-wide", at: .frame(2))
        try fixture.start()
        fixture.clock.advance(by: .seconds(2))
        XCTAssertEqual(fixture.eventLog, ["frame 0", "frame 1"])
        fixture.stream.stop()
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(1))
        XCTAssertEqual(fixture.eventLog.last, "frame 0")
    }

    func testALateTimerReportsMissedFramesAndShiftsNoTimestamps() throws {
        let clock = ManualClock()
        let host = try SimHost(scene: .grey, clock: clock)
        let hardware = try XCTUnwrap(host.devices.first)
        let format = try XCTUnwrap(
            hardware.formats.first {
                if case .video(let video) = $0 { video.dimensions.width == 640 } else { false }
            })
        let stream = try hardware.open().makeStream(
            StreamConfiguration(format: format, frameDuration: CMTime(value: 1, timescale: 10)))
        let eventLog = Lock<[String]>([])
        try stream.start { event in
            eventLog.withLock { eventLog in
                switch event {
                case .video(let frame):
                    eventLog.append("frame \(frame.sequenceNumber) \(frame.presentationTime.nanoseconds)")
                case .dropped(let drop): eventLog.append("\(drop.reason) \(drop.sequenceNumber)")
                default: eventLog.append("other")
                }
            }
        }
        for now in [0, 130_000_000, 455_000_000, 500_000_000] as [Int64] { clock.fire(atNanoseconds: now) }
        XCTAssertEqual(
            eventLog.withLock { $0 },
            [
                "frame 0 0", "frame 1 100000000", "discontinuity 2", "discontinuity 3", "frame 4 400000000",
                "frame 5 500000000",
            ])
        stream.stop()
    }
}

extension SimStreamTests {
    func testAudioIsBufferedForALateTimer() throws {
        let clock = ManualClock()
        let host = try SimHost(clock: clock)
        let hardware = try XCTUnwrap(host.devices.last)
        let stream = try hardware.open().makeStream(
            StreamConfiguration(format: hardware.formats[0], frameDuration: .invalid))
        let eventLog = Lock<[String]>([])
        try stream.start { event in
            guard case .audio(let chunk) = event else { return }
            eventLog.withLock {
                $0.append("\(chunk.samplePosition)\(chunk.followsDiscontinuity ? " after a gap" : "")")
            }
        }
        for now in [0, 45_000_000, 45_000_000, 700_000_000] as [Int64] { clock.fire(atNanoseconds: now) }
        // Chunks last 10 ms, and each firing delivers one: at 45 ms, the second and third are due. The generator buffers
        // 0.5 s: at 0.7 s, everything before 0.2 s is lost.
        XCTAssertEqual(eventLog.withLock { $0 }, ["0", "480", "960", "9600 after a gap"])
        stream.stop()
    }
}

/// A clock in real-time mode with one timer, which fires only when the test calls `fire(atNanoseconds:)`.
///
/// Deadlines and cancellation are ignored.
private final class ManualClock: CaptureClock {
    private struct State {
        var now: Int64 = 0
        var action: (@Sendable () -> Void)?
    }

    private let state = Lock(State())

    var now: CMTime { CMTime(nanoseconds: state.withLock { $0.now }) }
    var isVirtual: Bool { false }

    func date(at time: CMTime) -> Date { Date(timeIntervalSince1970: time.seconds) }

    func schedule(at deadline: CMTime, _ action: @escaping @Sendable () -> Void) -> ClockTimer {
        state.withLock { $0.action = action }
        return ClockTimer {}
    }

    func fire(atNanoseconds now: Int64) {
        let action = state.withLock { state in
            state.now = now
            defer { state.action = nil }
            return state.action
        }
        action?()
    }

    func deliver(
        on queue: DispatchQueue, _ callback: @escaping @Sendable () -> Void, finished: @escaping @Sendable () -> Void
    ) {
        callback()
        finished()
    }

    func spend(_ cost: Duration) {}

    func makeWorker(label: String) -> any ClockWorker { SimClock().makeWorker(label: label) }
}
