import Dispatch
import MediaTypes
import XCTest

@testable import CaptureHAL

final class SystemReferenceTests: XCTestCase {
    private let queue = DispatchQueue(label: "client")
    private let recorder = Recorder()

    private final class Recorder: Sendable {
        private let list = Lock<[String?]>([])

        /// The names of the systems in which callbacks ran.
        var names: [String?] { list.withLock { $0 } }

        func record() { list.withLock { $0.append(CaptureSystem.innermostRun?.name) } }
    }

    func testCallbacksAndActionsOfAVirtualClockRunInItsSystem() {
        let clock = SimClock()
        let system = CaptureSystem(name: "a", hosts: [], clock: clock)
        clock.deliver(on: queue) { [recorder] in recorder.record() }
        clock.schedule(at: CMTime(value: 1, timescale: 1)) { [recorder] in recorder.record() }
        clock.advance(by: .seconds(1))
        XCTAssertEqual(recorder.names, ["a", "a"])
        XCTAssertNil(CaptureSystem.innermostRun)
        XCTAssertTrue(clock.owner === system)
    }

    func testASystemOwnsItsVirtualClockUntilItIsReleased() {
        let clock = SimClock()
        var first: CaptureSystem? = CaptureSystem(hosts: [], clock: clock)
        let second = CaptureSystem(hosts: [], clock: clock)
        XCTAssertTrue(clock.owner === first)
        first = nil
        XCTAssertNil(clock.owner)
        let third = CaptureSystem(hosts: [], clock: clock)
        XCTAssertTrue(clock.owner === third)
        withExtendedLifetime(second) {}
    }

    func testACallbackRunsInTheSystemThatDeliversItIfSystemsShareAClock() {
        let clock = SimClock()
        let systems = ["a", "b"].map { CaptureSystem(name: $0, hosts: [], clock: clock) }
        for system in systems { system.deliver(on: queue) { [recorder] in recorder.record() } }
        systems[0].run { systems[1].reference.run { recorder.record() } }
        clock.settle()
        XCTAssertEqual(recorder.names, ["b", "a", "b"])
    }

    func testACallbackInRealTimeRunsInItsSystem() {
        let system = CaptureSystem(name: "real", hosts: [], clock: HostClock.shared)
        let isDone = expectation(description: "finished")
        system.deliver(on: queue) { [recorder] in
            recorder.record()
        } finished: {
            isDone.fulfill()
        }
        wait(for: [isDone], timeout: 30)
        XCTAssertEqual(recorder.names, ["real"])
    }

    func testACallbackOfAReleasedSystemRunsWithoutASystem() {
        let clock = SimClock()
        var system: CaptureSystem? = CaptureSystem(name: "a", hosts: [], clock: clock)
        system?.deliver(on: queue) { [recorder] in recorder.record() }
        system = nil
        clock.settle()
        XCTAssertEqual(recorder.names, [nil])
    }

    func testANotificationIsPostedInItsSystem() {
        let clock = SimClock()
        let center = NotificationCenter()
        let system = CaptureSystem(name: "a", hosts: [], clock: clock, notificationCenter: center)
        let name = Notification.Name("SystemReferenceTests")
        let token = center.addObserver(forName: name, object: nil, queue: nil) { [recorder] _ in recorder.record() }
        system.notifications.post(name) { system }
        clock.settle()
        center.removeObserver(token)
        XCTAssertEqual(recorder.names, ["a"])
    }

    func testTheNameOfASystemDefaultsToADescriptionOfItsDevices() {
        XCTAssertEqual(CaptureSystem(name: "a", hosts: [], clock: SimClock()).name, "a")
        XCTAssertEqual(CaptureSystem(hosts: [], clock: SimClock()).name, "capture system without devices")
    }

    func testTheMessageAboutObjectsOfTwoSystemsNamesBoth() {
        let systems = ["a", "b", "b"].map { CaptureSystem(name: $0, hosts: [], clock: SimClock()).reference }
        XCTAssertNil(systems[0].rejectionReason(joining: "the input", of: systems[0], to: "the session"))
        XCTAssertEqual(
            systems[0].rejectionReason(joining: "the input", of: systems[1], to: "the session"),
            "the input belongs to b, but the session belongs to a")
        XCTAssertEqual(
            systems[1].rejectionReason(joining: "the input", of: systems[2], to: "the session"),
            "the input belongs to another b, but the session belongs to b")
    }
}
