import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import QuartzCore

/// An object that the closure of a display link retains.
private final class RetainedObject: Sendable {}

final class CADisplayLinkTests: XCTestCase {
    func testALinkFollowsTheClockOfItsSystem() {
        let clock = SimClock()
        let system = CaptureSystem(hosts: [], clock: clock)
        let times = Lock<[Double]>([], order: .client)
        let link = system.run {
            CADisplayLink { link in times.withLock { [time = link.timestamp] in $0.append(time) } }
        }
        clock.advance(by: .seconds(1))
        XCTAssertEqual(times.withLock { $0 }, [], "the link is not added to a run loop")
        link.add(to: .main, forMode: .common)
        clock.advance(by: .milliseconds(100))
        XCTAssertEqual(times.withLock { $0 }, (61...66).map { Double($0) / 60 })
        link.preferredFramesPerSecond = 20
        link.isPaused = true
        clock.advance(by: .seconds(1))
        XCTAssertEqual(times.withLock { $0.count }, 6)
        link.isPaused = false
        clock.advance(by: .seconds(1))
        XCTAssertEqual(times.withLock { $0.count }, 26)
        link.invalidate()
        clock.advance(by: .seconds(1))
        XCTAssertEqual(times.withLock { $0.count }, 26)
    }

    func testAnInvalidatedLinkReleasesItsClosure() {
        let system = CaptureSystem(hosts: [], clock: SimClock())
        weak var released: RetainedObject?
        let link = system.run {
            let object = RetainedObject()
            released = object
            return CADisplayLink { _ in withExtendedLifetime(object) {} }
        }
        XCTAssertNotNil(released)
        link.invalidate()
        XCTAssertNil(released)
    }

    func testATransactionCallsItsBlockAfterTheCommit() {
        let clock = SimClock()
        let system = CaptureSystem(hosts: [], clock: clock)
        let calls = Lock(0, order: .client)
        system.run {
            CATransaction.begin()
            CATransaction.setDisableActions(true)
            CATransaction.setCompletionBlock { calls.withLock { $0 += 1 } }
            XCTAssertTrue(CATransaction.disableActions())
            clock.advance(by: .zero)
            XCTAssertEqual(calls.withLock { $0 }, 0)
            CATransaction.commit()
        }
        clock.advance(by: .zero)
        XCTAssertEqual(calls.withLock { $0 }, 1)
        XCTAssertFalse(CATransaction.disableActions())
    }
}
