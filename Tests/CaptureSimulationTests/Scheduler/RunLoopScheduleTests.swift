// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The functions have the names of Core Foundation.

import Foundation
import XCTest

/// Compares timers and the main run loop in a world with those outside of all worlds. `CI/entry-points.tsv` names
/// the functions that each test covers.
final class RunLoopScheduleTests: XCTestCase {
    func testATimerFiresAtTheDateToWhichItIsMoved() throws {
        try ScheduleRecorder.compare(seconds: 0.5, ["0 in 200 ms", "200 fired"]) { log in
            let date = Date().addingTimeInterval(0.2)
            let timer = Timer.scheduledTimer(withTimeInterval: 0.05, repeats: false) { _ in log.add("fired") }
            timer.fireDate = date
            if abs(timer.fireDate.timeIntervalSince(date)) < 1e-3 { log.add("in 200 ms") }
        }
    }

    func testATimerCanBePausedAndContinued() throws {
        let expected = ["100 fired", "400 fired", "500 fired"]
        try ScheduleRecorder.compare(seconds: 0.55, expected) { log in
            let timer = Timer.scheduledTimer(withTimeInterval: 0.1, repeats: true) { timer in
                log.add("fired")
                timer.fireDate = .distantFuture
            }
            timer.tolerance = 0.01
            // SAFETY: the timer is only used on the main thread.
            nonisolated(unsafe) let moved = timer
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.4) { moved.fireDate = Date() }
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.45) { moved.fireDate = Date() + 0.05 }
        }
    }

    func testATimerThatIsInvalidatedInItsBlockStops() throws {
        try ScheduleRecorder.compare(seconds: 0.4, ["100 fired", "100 invalid"]) { log in
            _ = Timer.scheduledTimer(withTimeInterval: 0.1, repeats: true) { timer in
                log.add("fired")
                timer.invalidate()
                if !timer.isValid { log.add("invalid") }
            }
        }
    }

    func testATimerOfSeveralModesFiresOnce() throws {
        try ScheduleRecorder.compare(seconds: 0.25, ["100 fired"]) { log in
            let timer = Timer(fire: Date() + 0.1, interval: 0, repeats: false) { _ in log.add("fired") }
            RunLoop.main.add(timer, forMode: .common)
            RunLoop.main.add(timer, forMode: .default)
        }
    }

    func testATimerThatFiresLateSkipsTheFiringsThatItMissed() throws {
        try ScheduleRecorder.compare(seconds: 0.65, ["100 fired", "400 woke", "500 fired"]) { log in
            let start = Date()
            let timer = Timer(fire: start.addingTimeInterval(0.1), interval: 0.2, repeats: true) { timer in
                log.add("fired")
                guard Date().timeIntervalSince(start) < 0.4 else { return timer.invalidate() }
                Thread.sleep(until: start.addingTimeInterval(0.4))
                log.add("woke")
            }
            RunLoop.main.add(timer, forMode: .common)
        }
    }

    func testBlocksOfTheRunLoopRunInOrder() throws {
        try ScheduleRecorder.compare(seconds: 0.3, ["0 first", "0 second", "100 later"]) { log in
            RunLoop.main.perform { log.add("first") }
            RunLoop.main.perform(inModes: [.common]) { log.add("second") }
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.1) {
                RunLoop.main.perform { log.add("later") }
            }
        }
    }

    func testTheRunLoopReturnsAfterABlockOfTheMainQueue() throws {
        try ScheduleRecorder.compare(seconds: 0.5, ["80 timer", "160 block", "160 true", "360 timed out"]) { log in
            _ = Timer.scheduledTimer(withTimeInterval: 0.08, repeats: false) { _ in log.add("timer") }
            DispatchQueue(label: "client").asyncAfter(deadline: .now() + 0.16) {
                DispatchQueue.main.async { log.add("block") }
            }
            let isRunning = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 5))
            log.add("\(isRunning)")
            RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.2))
            log.add("timed out")
        }
    }

    func testARunLoopInATimerRunsTheMainQueue() throws {
        let expected = ["50 timer", "50 block", "100 delayed", "150 other timer", "250 timed out", "250 end"]
        try ScheduleRecorder.compare(seconds: 0.5, expected) { log in
            _ = Timer.scheduledTimer(withTimeInterval: 0.05, repeats: false) { _ in
                log.add("timer")
                DispatchQueue.main.async { log.add("block") }
                DispatchQueue.main.asyncAfter(deadline: .now() + 0.05) { log.add("delayed") }
                _ = Timer.scheduledTimer(withTimeInterval: 0.1, repeats: false) { _ in log.add("other timer") }
                if runMainLoop(0.2) == 3 { log.add("timed out") }
                DispatchQueue.main.async { log.add("end") }
            }
        }
    }

    func testARunLoopInABlockOfTheRunLoopRunsTheMainQueue() throws {
        try ScheduleRecorder.compare(seconds: 0.3, ["0 block", "0 nested", "0 stopped"]) { log in
            RunLoop.main.perform {
                log.add("block")
                DispatchQueue.main.async {
                    log.add("nested")
                    CFRunLoopStop(CFRunLoopGetMain())
                }
                if runMainLoop(5) == 2 { log.add("stopped") }
            }
        }
    }

    func testARunLoopInABlockOfTheMainQueueDoesNotRunThatQueue() throws {
        try ScheduleRecorder.compare(seconds: 0.4, ["0 block", "100 timed out", "100 next"]) { log in
            DispatchQueue.main.async {
                log.add("block")
                // The run loop would return immediately if it had nothing to wait for.
                let timer = Timer.scheduledTimer(withTimeInterval: 60, repeats: false) { _ in }
                defer { timer.invalidate() }
                DispatchQueue.main.async { log.add("next") }
                if runMainLoop(0.1) == 3 { log.add("timed out") }
            }
        }
    }

    func testARunLoopIsStopped() throws {
        try ScheduleRecorder.compare(seconds: 0.5, ["100 stop", "100 stopped", "200 timed out"]) { log in
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.1) {
                log.add("stop")
                CFRunLoopStop(CFRunLoopGetMain())
            }
            if runMainLoop(5) == 2 { log.add("stopped") }
            if runMainLoop(0.1) == 3 { log.add("timed out") }
        }
    }
}

/// Runs the main run loop in its default mode for at most a number of seconds, and returns a `CFRunLoopRunResult`.
private func runMainLoop(_ seconds: Double) -> Int32 {
    guard let mode = dlsym(nil, "kCFRunLoopDefaultMode")?.load(as: UnsafeMutableRawPointer.self) else { return 0 }
    return CFRunLoopRunInMode(mode, seconds, 0)
}

// Foundation does not make these functions visible.
@_silgen_name("CFRunLoopGetMain")
private func CFRunLoopGetMain() -> UnsafeMutableRawPointer
@_silgen_name("CFRunLoopStop")
private func CFRunLoopStop(_ loop: UnsafeMutableRawPointer)
@_silgen_name("CFRunLoopRunInMode")
private func CFRunLoopRunInMode(_ mode: UnsafeMutableRawPointer, _ seconds: Double, _ returnsAfterSource: UInt8)
    -> Int32
