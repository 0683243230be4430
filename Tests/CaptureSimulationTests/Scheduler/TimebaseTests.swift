import AVFoundation
import CaptureTesting
import XCTest

/// Tests timebases of the host time clock in a simulated world.
final class TimebaseTests: XCTestCase {
    func testATimebaseAndItsTimerFollowVirtualTime() throws {
        let simulated = try SimulatedSystem()
        let timebase = try CMTimebase(sourceClock: .hostTimeClock)
        try timebase.setRate(2)
        let timer = DispatchSource.makeTimerSource(queue: .main)
        var firings: [Double] = []
        timer.setEventHandler { firings.append(timebase.time.seconds) }
        timer.resume()
        try timebase.addTimer(timer)
        try timebase.setTimerNextFireTime(timer, fireTime: CMTime(value: 3, timescale: 1))
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(timebase.time.seconds, 2, accuracy: 1e-6)
        XCTAssertEqual(firings, [])
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(timebase.time.seconds, 4, accuracy: 1e-6)
        XCTAssertEqual(firings.count, 1)
        XCTAssertEqual(try XCTUnwrap(firings.first), 3, accuracy: 1e-6)
        try timebase.removeTimer(timer)
        timer.cancel()
    }

    func testATimerFiresOnceForEachTimeThatIsSet() throws {
        let simulated = try SimulatedSystem()
        let timebase = try CMTimebase(sourceClock: .hostTimeClock)
        try timebase.setRate(1)
        let timer = DispatchSource.makeTimerSource(queue: .main)
        var firings: [Double] = []
        timer.setEventHandler {
            firings.append(timebase.time.seconds)
            CMTimebaseSetRate(timebase, rate: 2)
        }
        timer.resume()
        try timebase.addTimer(timer)
        try timebase.setTimerNextFireTime(timer, fireTime: CMTime(value: 1, timescale: 1))
        simulated.advance(by: .seconds(2))
        XCTAssertEqual(firings, [1])
        try timebase.setTime(.zero)
        try timebase.setRate(1)
        simulated.advance(by: .seconds(2))
        XCTAssertEqual(firings, [1], "the time was not set again")
        try timebase.setTimerNextFireTime(timer, fireTime: CMTime(value: 3, timescale: 1))
        simulated.advance(by: .seconds(2))
        XCTAssertEqual(firings, [1, 3])
        try timebase.setTimerToFireImmediately(timer)
        try timebase.setRate(4)
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(firings.count, 3, "a change of the rate does not cancel the timer")
        try timebase.removeTimer(timer)
        timer.cancel()
    }
}
