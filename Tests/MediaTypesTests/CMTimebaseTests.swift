import Dispatch
import Foundation
import Glibc
import XCTest

@testable import MediaTypes

final class CMTimebaseTests: XCTestCase {
    private let now = Lock(CMTime(value: 100, timescale: 1), order: .primitive)
    private lazy var clock = CMClock(label: "test") { [now] in now.withLock { $0 } }

    private func time(_ value: Int64, _ timescale: Int32 = 1) -> CMTime { CMTime(value: value, timescale: timescale) }

    private func advance(_ seconds: Int64) { now.withLock { $0 = $0 + CMTime(value: seconds, timescale: 1) } }

    func testATimebaseRunsAtItsRate() throws {
        let timebase = try CMTimebase(sourceClock: clock)
        XCTAssertEqual(timebase.time, .zero)
        advance(1)
        XCTAssertEqual(timebase.time, .zero)
        try timebase.setRate(2)
        advance(3)
        XCTAssertEqual(timebase.time, time(6))
        try timebase.setTime(time(50))
        advance(1)
        XCTAssertEqual(timebase.time, time(52))
        try timebase.setRate(-1)
        advance(10)
        XCTAssertEqual(timebase.time, time(42))
        try timebase.setRateAndAnchorTime(rate: 0.5, anchorTime: time(0), referenceTime: time(100))
        XCTAssertEqual(timebase.time(withTimescale: 10), time(75, 10))
        XCTAssertEqual(timebase.timeAndRate.rate, 0.5)
        XCTAssertTrue(timebase.sourceClock === clock)
        XCTAssertNil(timebase.sourceTimebase)
        XCTAssertThrowsError(try timebase.setTime(.invalid)) {
            XCTAssertEqual(($0 as NSError).code, Int(kCMTimebaseError_InvalidParameter))
        }
        XCTAssertThrowsError(try timebase.setRate(.nan))
    }

    func testATimebaseFollowsItsSourceTimebase() throws {
        let leader = try CMTimebase(sourceClock: clock)
        let follower = try CMTimebase(sourceTimebase: leader)
        try leader.setRate(2)
        try follower.setRate(3)
        XCTAssertEqual(follower.effectiveRate, 6)
        XCTAssertTrue(follower.ultimateSourceClock === clock)
        advance(2)
        XCTAssertEqual(follower.time, time(12))
        XCTAssertEqual(CMSyncConvertTime(time(12), from: follower, to: leader), time(4))
        XCTAssertEqual(clock.convertTime(time(103), to: follower), time(18))
        XCTAssertEqual(CMSyncGetRelativeRate(follower, relativeTo: leader), 3)
        XCTAssertEqual(follower.rate(relativeTo: clock), 6)
        XCTAssertFalse(CMSyncMightDrift(follower, leader))
        XCTAssertEqual(CMTimebaseSetSourceTimebase(leader, follower), kCMTimebaseError_InvalidParameter)
        XCTAssertEqual(CMTimebaseSetSourceClock(follower, clock), noErr)
        XCTAssertEqual(follower.time, time(12))
        XCTAssertEqual(follower.effectiveRate, 3)
        try leader.setRate(0)
        XCTAssertTrue(CMSyncGetRelativeRate(follower, relativeTo: leader).isNaN)
        XCTAssertFalse(CMSyncConvertTime(time(1), from: leader, to: clock).isValid)
    }

    func testChangesAreNotified() throws {
        let leader = try CMTimebase(sourceClock: clock)
        let follower = try CMTimebase(sourceTimebase: leader)
        try follower.setRate(2)
        let notifications = Lock<[String]>([])
        let observers = [CMTimebase.effectiveRateChanged, CMTimebase.timeJumped].flatMap { name in
            [leader, follower].map { timebase in
                NotificationCenter.default.addObserver(forName: name, object: timebase, queue: nil) { notification in
                    let text = name == CMTimebase.timeJumped ? "time" : "rate"
                    let isLeader = notification.object as? CMTimebase === leader
                    XCTAssertNotNil(notification.userInfo?[kCMTimebaseNotificationKey_EventTime])
                    notifications.withLock { $0.append("\(isLeader ? "leader" : "follower") \(text)") }
                }
            }
        }
        defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
        try leader.setRate(1)
        try follower.setTime(time(3))
        XCTAssertEqual(notifications.withLock { $0 }, ["leader rate", "follower rate", "follower time"])
    }

    func testOnlyChangesOfTheEffectiveRateAreNotified() throws {
        let leader = try CMTimebase(sourceClock: clock)
        let follower = try CMTimebase(sourceTimebase: leader)
        let rates = Lock<[Double]>([])
        let observer = NotificationCenter.default.addObserver(
            forName: CMTimebase.effectiveRateChanged, object: follower, queue: nil
        ) { _ in
            let rate = follower.effectiveRate
            rates.withLock { $0.append(rate) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try leader.setRate(1)
        try leader.setRate(0)
        try follower.setRate(2)
        XCTAssertEqual(rates.withLock { $0 }, [], "the follower stands still")
        try leader.setRate(3)
        XCTAssertEqual(CMTimebaseSetSourceClock(follower, clock), noErr)
        XCTAssertEqual(CMTimebaseSetSourceTimebase(follower, try CMTimebase(sourceClock: clock)), noErr)
        XCTAssertEqual(CMTimebaseSetSourceTimebase(follower, leader), noErr)
        try leader.setRate(1)
        XCTAssertEqual(CMTimebaseSetSourceClock(follower, clock), noErr)
        XCTAssertEqual(rates.withLock { $0 }, [6, 2, 0, 6, 2])
    }

    func testTheTimeOfAForwardRunningTimebaseNeverDecreases() throws {
        let reads = Lock<Int64>(0, order: .primitive)
        let clock = CMClock(label: "reads") {
            let count = reads.withLock { reads in
                reads += 1
                return reads
            }
            sched_yield()
            return CMTime(value: count, timescale: 1)
        }
        let timebase = try CMTimebase(sourceClock: clock)
        let decreases = Lock(0)
        DispatchQueue.concurrentPerform(iterations: 3) { index in
            var last = CMTime.zero
            for count in 1...2000 {
                if index == 0 { CMTimebaseSetRate(timebase, rate: count % 2 == 0 ? 1 : 1000) }
                let time = timebase.time
                if time < last { decreases.withLock { $0 += 1 } }
                last = time
            }
        }
        XCTAssertEqual(decreases.withLock { $0 }, 0)
    }

    func testATimerFiresAtItsTime() throws {
        let timebase = try CMTimebase(sourceClock: .monotonic)
        let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "timer"))
        let fired = expectation(description: "the timer fires")
        source.setEventHandler { fired.fulfill() }
        source.resume()
        XCTAssertEqual(CMTimebaseAddTimerDispatchSource(timebase, timerSource: source), noErr)
        XCTAssertEqual(
            CMTimebaseSetTimerDispatchSourceNextFireTime(
                timebase, timerSource: source, fireTime: time(1, 100), flags: 0), noErr)
        try timebase.setRate(1)
        wait(for: [fired], timeout: 10)
        XCTAssertGreaterThanOrEqual(timebase.time, time(1, 100))
        XCTAssertEqual(CMTimebaseRemoveTimerDispatchSource(timebase, timerSource: source), noErr)
        XCTAssertEqual(
            CMTimebaseSetTimerDispatchSourceToFireImmediately(timebase, timerSource: source),
            kCMTimebaseError_InvalidParameter)
        source.cancel()
        let short = Timer(timeInterval: 1, repeats: true) { _ in }
        XCTAssertEqual(
            CMTimebaseAddTimer(timebase, timer: short, runloop: .main), kCMTimebaseError_TimerIntervalTooShort)
    }

    func testHostTimeIsInNanoseconds() {
        XCTAssertEqual(CMClockConvertHostTimeToSystemUnits(time(3, 2)), 1_500_000_000)
        XCTAssertEqual(CMClockMakeHostTimeFromSystemUnits(1_500_000_000), time(3, 2))
    }
}
