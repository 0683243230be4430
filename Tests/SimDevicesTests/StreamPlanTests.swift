import CaptureHAL
import MediaTypes
import XCTest

@testable import SimDevices

final class StreamPlanTests: XCTestCase {
    /// The interval of the events, in nanoseconds.
    private let interval: Int64 = 100_000_000

    private func makePlan() -> StreamPlan { StreamPlan(first: 0, interval: (value: 1, timescale: 10)) }

    /// Returns the fate of the event that is due at a time, without a description of its delivery.
    private func fate(
        _ plan: inout StreamPlan, at time: Int64, _ faults: [SimFault] = [], isShutDown: Bool = false
    ) -> String {
        let event = plan.takeDueEvent(at: time, interval: (value: 1, timescale: 10))
        let fate = plan.fate(of: event, newFaults: faults, isShutDown: isShutDown, now: time)
        return switch fate {
        case .skipped: "skipped"
        case .halted: "halted"
        case .lost: "lost"
        case .failed(let code): "failed \(code)"
        case .unplugged(let time): "unplugged at \(time)"
        case .delivered(let delivery):
            "delivered \(delivery.count) at +\(delivery.delay)" + (delivery.followsLoss ? " after loss" : "")
        }
    }

    func testEventsBeforeALateTimerAreMissed() {
        var plan = makePlan()
        _ = plan.takeDueEvent(at: 0, interval: (value: 1, timescale: 10))
        let event = plan.takeDueEvent(at: 3 * interval + 1, interval: (value: 1, timescale: 10))
        XCTAssertEqual(event.missed, 1..<3)
        XCTAssertEqual(event.index, 3)
        XCTAssertEqual(event.time, 3 * interval)
        XCTAssertEqual(event.time(ofMissed: 2), 2 * interval)
        XCTAssertEqual(plan.nextTime, 4 * interval)
        let delivered = plan.fate(of: event, newFaults: [], isShutDown: false, now: event.time)
        guard case .delivered(let delivery) = delivered else { return XCTFail("\(delivered)") }
        XCTAssertTrue(delivery.followsLoss)
    }

    func testANewIntervalAppliesFromTheNextEventOn() {
        var plan = makePlan()
        _ = plan.takeDueEvent(at: 0, interval: (value: 1, timescale: 10))
        let event = plan.takeDueEvent(at: interval, interval: (value: 1, timescale: 20))
        XCTAssertEqual(event.time, interval)
        XCTAssertEqual(event.duration, CMTime(value: 1, timescale: 20))
        XCTAssertEqual(plan.nextTime, interval + interval / 2)
    }

    func testFaultsDecideTheFateOfEvents() {
        var plan = makePlan()
        XCTAssertEqual(fate(&plan, at: 0), "delivered 1 at +0")
        XCTAssertEqual(fate(&plan, at: interval, [.dropFrames(count: 1)]), "lost")
        XCTAssertEqual(fate(&plan, at: 2 * interval, [.duplicateFrames(count: 1)]), "delivered 2 at +0 after loss")
        XCTAssertEqual(fate(&plan, at: 3 * interval, isShutDown: true), "skipped")
        XCTAssertEqual(fate(&plan, at: 4 * interval), "delivered 1 at +0 after loss")
        XCTAssertEqual(
            fate(&plan, at: 5 * interval, [.stall(duration: CMTime(value: 150, timescale: 1000))]), "skipped")
        XCTAssertEqual(fate(&plan, at: 6 * interval), "skipped")
        XCTAssertEqual(fate(&plan, at: 7 * interval), "delivered 1 at +0 after loss")
        XCTAssertEqual(fate(&plan, at: 8 * interval, [.stall(duration: nil)]), "halted")
    }

    func testADelayedEventIsDeliveredOnceAndDelaysTheFollowingOnes() {
        var plan = makePlan()
        let faults: [SimFault] = [
            .delayFrames(count: 1, by: CMTime(value: 250, timescale: 1000)), .duplicateFrames(count: 1),
        ]
        XCTAssertEqual(fate(&plan, at: 0, faults), "delivered 1 at +250000000")
        // Events 1 and 2 are due during the delay and are not missed.
        let event = plan.takeDueEvent(at: 250_000_000, interval: (value: 1, timescale: 10))
        XCTAssertEqual(event.missed, 1..<1)
        XCTAssertEqual(event.index, 1)
    }

    func testTheFirstFaultThatEndsAStreamDecides() {
        var plan = makePlan()
        XCTAssertEqual(
            fate(&plan, at: 0, [.disconnect(inFrame: true), .fail(.inputOutput)]), "unplugged at \(interval / 2)")
        var failing = makePlan()
        XCTAssertEqual(fate(&failing, at: 0, [.fail(.inputOutput), .disconnect(inFrame: true)]), "failed inputOutput")
    }
}
