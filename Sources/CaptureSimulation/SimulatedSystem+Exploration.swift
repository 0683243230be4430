/// An order of work in which a test fails.
public struct ExplorationFailure: Error, CustomStringConvertible {
    /// The seed that repeats the order.
    public let seed: UInt64
    /// A description of the failure: the error that the test threw, its misuse, or a failed assertion.
    public let reason: String

    /// The reason, and how to repeat the failure.
    public var description: String {
        "\(reason) (found by seed \(seed); repeat it with SimulatedSystem(interleaving: .seeded(\(seed))))"
    }
}

extension SimulatedSystem {
    /// The order in which a simulated system runs work that is ready at the same time.
    public enum Interleaving: Sendable, Hashable {
        /// In the order of submission.
        case submissionOrder
        /// In another order that Dispatch and Swift concurrency permit, chosen by a random number generator with this
        /// seed.
        case seeded(UInt64)
        /// In the order of random priorities, which finds a race that depends on few decisions with a guaranteed
        /// probability.
        ///
        /// Each serial queue, and each block on a concurrent queue or job of a Swift task, has a random priority. At
        /// `depth` - 1 random steps, the priority of the work that is about to run becomes the lowest. A failure that
        /// depends on the order of `depth` pairs of steps occurs with a probability of at least 1/(n·k^(depth - 1)),
        /// where n is the number of priorities and k the number of steps (S. Burckhardt et al.: "A randomized scheduler
        /// with probabilistic guarantees of finding bugs", ASPLOS 2010).
        ///
        /// - Parameters:
        ///   - seed: The seed of the random number generator.
        ///   - depth: At least 1.
        ///   - steps: The number of blocks, jobs and callbacks that the test runs, or an upper bound of it.
        case priorities(seed: UInt64, depth: Int, steps: Int)
        /// In the order of submission, except that one block, job or callback runs when no other one is ready. It is
        /// numbered in the order of submission, from 1.
        case delaying(Int)
        /// In a regular order, with exceptions. A failure of `exploreRaces` contains them.
        case deviating(from: RegularOrder, [Deviation])
    }

    /// An order of work without random choices.
    public enum RegularOrder: Sendable, Hashable, CaseIterable {
        /// The order in which work became ready.
        case submission
        /// The work of a serial queue runs as long as it is ready; then the work that became ready first.
        case queueByQueue
    }

    /// A step at which a system does not run the work that a regular order selects.
    public struct Deviation: Sendable, Hashable {
        /// The number of the step, from 1. At each step, a block, job or callback begins, or continues after a wait.
        public var step: Int
        /// The position of the work that runs, among the work that is ready in the order of submission, from 0.
        public var position: Int

        public init(step: Int, position: Int) { (self.step, self.position) = (step, position) }
    }

    /// Runs a test in many orders of the work that is ready at the same time, until one fails.
    ///
    /// The order in which independent queues and tasks run is not defined. A test that passes in the order of submission
    /// can fail in another order, because of a race in the code under test.
    /// - Parameters:
    ///   - seeds: The seeds of the orders.
    ///   - create: Creates the system of one run.
    ///   - body: The test. It fails by throwing an error or by a failed assertion.
    /// - Throws: `ExplorationFailure` for the first order in which `body` throws, an assertion fails (in XCTest, and in
    ///   Swift Testing with the trait `simulated`), or misuse occurs that `body` does not claim. Also the errors of
    ///   `create`.
    public static func explore(
        seeds: some Sequence<UInt64>,
        with create: (Interleaving) throws -> SimulatedSystem = { try SimulatedSystem(interleaving: $0) },
        _ body: (SimulatedSystem) throws -> Void
    ) throws {
        for seed in seeds {
            let system = try create(.seeded(seed))
            defer { system.close() }
            system.stopRecordingWork()
            let failureCount = TestReporting.reporter?.failureCount
            let result = Result { try body(system) }
            try system.check(result, seed, failureCount)
        }
    }

    /// Runs an asynchronous test in many orders of the work that is ready at the same time, until one fails.
    ///
    /// - Parameters:
    ///   - seeds: The seeds of the orders.
    ///   - create: Creates the system of one run.
    ///   - isolation: The actor that runs `body`.
    ///   - body: The test. It fails by throwing an error or by a failed assertion.
    /// - Throws: The errors of the synchronous variant.
    public static func explore(
        seeds: some Sequence<UInt64>,
        with create: (Interleaving) throws -> SimulatedSystem = { try SimulatedSystem(interleaving: $0) },
        isolation: isolated (any Actor)? = #isolation, _ body: (SimulatedSystem) async throws -> Void
    ) async throws {
        for seed in seeds {
            let system = try create(.seeded(seed))
            defer { system.close() }
            system.stopRecordingWork()
            let failureCount = TestReporting.reporter?.failureCount
            do { try await body(system) } catch { try system.check(.failure(error), seed, failureCount) }
            try system.check(.success(()), seed, failureCount)
        }
    }

    /// Throws the failure of a run, if any.
    ///
    /// - Parameter failureCount: The number of failures of the running test before the body ran.
    private func check(_ result: Result<Void, any Error>, _ seed: UInt64, _ failureCount: Int?) throws {
        if let reason = failureReason(result, failureCount) { throw ExplorationFailure(seed: seed, reason: reason) }
    }

    /// Returns a description of the failure of a run; nil if it has succeeded.
    ///
    /// - Parameter failureCount: The number of failures of the running test before the body ran.
    func failureReason(_ result: Result<Void, any Error>, _ failureCount: Int?) -> String? {
        // Reading the misuse claims it: the failure reports it.
        let misuses = dequeueMisuses()
        switch result {
        case .failure(let error): return "\(error)"
        case .success where !misuses.isEmpty: return "\(misuses[0])"
        case .success where TestReporting.reporter?.failureCount != failureCount: return Self.failedAssertion
        case .success: return nil
        }
    }

    /// The reason of a failure that a test framework has recorded.
    static var failedAssertion: String { "an assertion failed" }
}
