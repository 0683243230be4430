import CaptureSimulation
import Dispatch
import Foundation
import MediaTypes
import XCTest

/// Tests that tasks and actors run in their simulated world, in virtual time.
final class SwiftConcurrencyTests: XCTestCase {
    private actor Counter {
        private(set) var count = 0

        func count(every interval: Duration, times: Int) async throws {
            for _ in 0..<times {
                try await Task.sleep(for: interval)
                count += 1
            }
        }
    }

    func testTasksOfASynchronousTestRunWhileTimeAdvances() throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        defer { simulated.close() }
        let counter = Counter()
        let result = Lock<[Double]>([])
        let start = Date()
        let task = Task.detached {
            try await counter.count(every: .seconds(1), times: 3)
            try await Task.sleep(nanoseconds: 500_000_000)
            await MainActor.run {
                XCTAssertTrue(CaptureSystemProbe.current === simulated.system)
                result.withLock { $0.append(Date().timeIntervalSince(start)) }
            }
        }
        simulated.advance(by: .seconds(3))
        XCTAssertEqual(result.withLock { $0 }, [])
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(result.withLock { $0 }.first ?? 0, 3.5, accuracy: 1e-6)
        task.cancel()
    }

    func testTimeAdvancesWhileAnAsynchronousTestIsSuspended() async throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        defer { simulated.close() }
        let counter = Counter()
        let start = ContinuousClock.now
        try await counter.count(every: .seconds(60), times: 10)
        XCTAssertEqual(ContinuousClock.now - start, .seconds(600))
        XCTAssertEqual(simulated.clock.now.seconds, 600)
        let count = await counter.count
        XCTAssertEqual(count, 10)
        simulated.advance(by: .seconds(5))
        XCTAssertEqual(simulated.clock.now.seconds, 605)
    }

    @MainActor
    func testTimeAdvancesWhileATestOnTheMainActorIsSuspended() async throws {
        let simulated = try SimulatedSystem(profile: "webcam")
        defer { simulated.close() }
        try await Task.sleep(for: .seconds(5))
        XCTAssertTrue(Thread.isMainThread)
        XCTAssertEqual(simulated.clock.now.seconds, 5)
        let values = AsyncStream<Int> { continuation in
            for index in 1...3 {
                DispatchQueue.main.asyncAfter(deadline: .now() + Double(index)) { continuation.yield(index) }
            }
        }
        var sum = 0
        for await value in values {
            sum += value
            if value == 3 { break }
        }
        XCTAssertEqual(sum, 6)
        XCTAssertEqual(simulated.clock.now.seconds, 8)
    }

    func testTimeAdvancesInAllWorldsWhileAnAsynchronousTestIsSuspended() async throws {
        let first = try SimulatedSystem(profile: "webcam")
        first.advance(by: .seconds(10))
        let second = try SimulatedSystem(profile: "webcam")
        defer {
            first.close()
            second.close()
        }
        await first.wait(for: .seconds(3))
        XCTAssertEqual(first.clock.now.seconds, 13)
        await second.wait(for: .seconds(2))
        XCTAssertEqual(second.clock.now.seconds, 2)
        async let later: Void = first.wait(for: .seconds(7))
        await second.wait(for: .seconds(5))
        XCTAssertEqual(second.clock.now.seconds, 7)
        XCTAssertLessThan(first.clock.now.seconds, 20, "the worlds' clocks advance at the same rate")
        await later
        XCTAssertEqual(first.clock.now.seconds, 20)
    }
}
