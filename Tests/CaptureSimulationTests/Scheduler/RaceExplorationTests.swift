import CaptureSimulation
import Dispatch
import Foundation
import MediaTypes
import XCTest

/// Tests the orders by priorities, delays and decisions, and the explanation of a race.
final class RaceExplorationTests: XCTestCase {
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static func create(_ interleaving: SimulatedSystem.Interleaving) throws -> SimulatedSystem {
        try SimulatedSystem(profile: "webcam", scene: .grey, interleaving: interleaving)
    }

    private static func failure(
        _ strategy: SimulatedSystem.RaceStrategy, runs: Int, seed: UInt64 = 1,
        _ body: (SimulatedSystem) throws -> Void
    ) throws -> RaceFailure? {
        do {
            try SimulatedSystem.exploreRaces(strategy, runs: runs, seed: seed, with: create, body)
            return nil
        } catch let failure as RaceFailure {
            return failure
        }
    }

    // MARK: A race that depends on three decisions

    /// Two serial queues that each run `steps` blocks, one submitted by the other. The writer must run until it has
    /// opened a file, then the reader until it has begun to read, then the writer until it closes the file: an order of
    /// three pairs of steps.
    private final class File: @unchecked Sendable {
        // SAFETY: the simulated system runs one block at a time.
        static let padding = 10
        static let window = 5

        private let writer = DispatchQueue(label: "file.writer")
        private let reader = DispatchQueue(label: "file.reader")
        private var isOpen = false
        private var isReading = false
        private var hasReadClosedFile = false
        private(set) var failure: String?

        func use() {
            writer.async { self.write(1) }
            reader.async { self.read(1) }
        }

        private func write(_ step: Int) {
            let (padding, window) = (Self.padding, Self.window)
            if step == padding { isOpen = true }
            // While the writer finishes its file, the reader must be reading.
            if step > padding + window, !isReading { return }
            if step == 2 * padding + window {
                if isReading { failure = "the file was closed while it was read" }
                return
            }
            writer.async { self.write(step + 1) }
        }

        private func read(_ step: Int) {
            let (padding, window) = (Self.padding, Self.window)
            if !isOpen { hasReadClosedFile = true }
            if step == padding, !hasReadClosedFile { isReading = true }
            if step == padding + window {
                isReading = false
                return
            }
            reader.async { self.read(step + 1) }
        }

        /// The number of blocks.
        static let stepCount = 2 * padding + window + padding + window
    }

    private static func useFile(_ simulated: SimulatedSystem) throws {
        let file = File()
        file.use()
        simulated.advance(by: .milliseconds(1))
        if let failure = file.failure { throw Failure(description: failure) }
    }

    func testPrioritiesFindARaceOfDepthThreeInThePromisedNumberOfRuns() throws {
        // With two queues and k steps, a run finds it with a probability of at least 1/(2·k²). In three times as many
        // runs, it is missed with a probability of at most e⁻³.
        let runs = 3 * 2 * File.stepCount * File.stepCount
        let failure = try XCTUnwrap(Self.failure(.priorities(depth: 3), runs: runs, Self.useFile))
        print("found in run \(failure.runCount) of \(runs): \(failure)")
        XCTAssertEqual(failure.reason, "the file was closed while it was read")
        XCTAssertLessThanOrEqual(failure.decisions.count, 3)
        XCTAssertFalse(failure.decisions.isEmpty)
        for decision in failure.decisions {
            XCTAssertTrue("\(decision)".contains("file.writer"), "\(decision)")
            XCTAssertTrue("\(decision)".contains("file.reader"), "\(decision)")
            XCTAssertTrue("\(decision)".contains("RaceExplorationTests.swift:"), "\(decision)")
        }
        // The order repeats the failure.
        let system = try Self.create(failure.interleaving)
        defer { system.close() }
        XCTAssertThrowsError(try Self.useFile(system))
    }

    func testTheRandomWalkMissesARaceOfDepthThree() throws {
        XCTAssertNil(try Self.failure(.random, runs: 1000, Self.useFile))
    }

    // MARK: Races that depend on one decision

    /// A value that one queue sets and another one reads.
    private static func readBeforeSetting(_ simulated: SimulatedSystem) throws {
        let value = Lock<Int?>(nil)
        let hasRead = Lock<Int?>(nil)
        DispatchQueue(label: "settings").async { value.withLock { $0 = 1 } }
        DispatchQueue(label: "screen").async {
            let current = value.withLock { $0 }
            hasRead.withLock { $0 = current }
        }
        simulated.advance(by: .milliseconds(1))
        guard hasRead.withLock({ $0 }) != nil else { throw Failure(description: "nothing was set") }
    }

    func testTheExplanationNamesTheTwoPiecesOfWork() throws {
        for strategy in [SimulatedSystem.RaceStrategy.random, .priorities(depth: 1), .delays] {
            let failure = try XCTUnwrap(Self.failure(strategy, runs: 50, Self.readBeforeSetting), "\(strategy)")
            XCTAssertEqual(failure.decisions.count, 1, "\(failure)")
            let decision = try XCTUnwrap(failure.decisions.first)
            XCTAssertTrue(decision.first.contains("queue \"screen\""), "\(failure)")
            XCTAssertTrue(decision.second.contains("queue \"settings\""), "\(failure)")
            XCTAssertTrue(decision.first.contains("RaceExplorationTests.swift:"), "\(failure)")
        }
    }

    func testAFailureInTheOrderOfSubmissionNeedsNoDecision() throws {
        let failure = try XCTUnwrap(
            Self.failure(.random, runs: 5) { _ in throw Failure(description: "always") })
        XCTAssertEqual(failure.interleaving, .submissionOrder)
        XCTAssertEqual(failure.runCount, 1)
    }

    func testMisuseIsClaimedByTheFailure() throws {
        let failure = try XCTUnwrap(
            Self.failure(.random, runs: 1) { simulated in
                simulated.system.misuse.report(.invalidArgument, "a wrong argument")
            })
        XCTAssertTrue(failure.reason.contains("a wrong argument"), failure.reason)
    }

    func testEachOrderIsRepeatable() throws {
        func order(_ interleaving: SimulatedSystem.Interleaving) throws -> [Int] {
            let system = try Self.create(interleaving)
            defer { system.close() }
            let order = Lock<[Int]>([])
            for number in 0..<6 {
                let queue = DispatchQueue(label: "queue \(number)")
                queue.async {
                    order.withLock { $0.append(10 * number) }
                    queue.async { order.withLock { $0.append(10 * number + 1) } }
                }
            }
            system.advance(by: .milliseconds(1))
            return order.withLock { $0 }
        }
        let submission = try order(.submissionOrder)
        XCTAssertEqual(submission, [0, 10, 20, 30, 40, 50, 1, 11, 21, 31, 41, 51])
        for interleaving in [
            SimulatedSystem.Interleaving.priorities(seed: 4, depth: 3, steps: 12), .delaying(2),
            .deviating(from: .submission, [.init(step: 1, position: 3)]),
        ] {
            let first = try order(interleaving)
            XCTAssertEqual(try order(interleaving), first)
            XCTAssertNotEqual(first, submission)
            XCTAssertEqual(first.sorted(), submission.sorted())
        }
        XCTAssertEqual(
            try order(.deviating(from: .queueByQueue, [])), [0, 1, 10, 11, 20, 21, 30, 31, 40, 41, 50, 51])
    }

    // MARK: Waits of the main thread

    /// Records the waits of the main thread that are longer than 0.5 s.
    private func longWaits(_ body: (SimulatedSystem) -> Void) throws -> [String] {
        let system = try Self.create(.submissionOrder)
        defer { system.close() }
        let waits = Lock<[String]>([])
        system.limitMainThreadWaits(to: .milliseconds(500)) { wait in waits.withLock { $0.append(wait) } }
        body(system)
        system.advance(by: .seconds(3))
        XCTAssertEqual(system.dequeueMisuses(), [])
        return waits.withLock { $0 }
    }

    func testADeadlockOfTheMainThreadIsReportedAndEnds() throws {
        let hasContinued = Lock(false)
        let waits = try longWaits { _ in
            let queue = DispatchQueue(label: "work")
            queue.async {
                Thread.sleep(forTimeInterval: 0.1)
                DispatchQueue.main.sync {}
            }
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.05) {
                queue.sync { hasContinued.withLock { $0 = true } }
            }
        }
        XCTAssertEqual(waits, ["queue \"work\""])
        XCTAssertTrue(hasContinued.withLock { $0 })
    }

    func testAWaitForASemaphoreOnTheMainThreadIsReportedAndEnds() throws {
        let hasContinued = Lock(false)
        let waits = try longWaits { _ in
            DispatchQueue.main.async {
                DispatchSemaphore(value: 0).wait()
                hasContinued.withLock { $0 = true }
            }
        }
        XCTAssertEqual(waits, ["a semaphore"])
        XCTAssertTrue(hasContinued.withLock { $0 })
    }

    func testShortWaitsOfTheMainThreadAndLongOnesOfOthersAreNotReported() throws {
        let waits = try longWaits { _ in
            let queue = DispatchQueue(label: "work")
            queue.async { Thread.sleep(forTimeInterval: 0.1) }
            DispatchQueue.main.async { queue.sync {} }
            DispatchQueue(label: "other").async { Thread.sleep(forTimeInterval: 2) }
        }
        XCTAssertEqual(waits, [])
    }
}
