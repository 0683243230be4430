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
            let failureCount = TestReporting.reporter?.failureCount
            do { try await body(system) } catch { try system.check(.failure(error), seed, failureCount) }
            try system.check(.success(()), seed, failureCount)
        }
    }

    /// Throws the failure of a run, if any.
    ///
    /// - Parameter failureCount: The number of failures of the running test before the body ran.
    private func check(_ result: Result<Void, any Error>, _ seed: UInt64, _ failureCount: Int?) throws {
        // Reading the misuse claims it: the failure reports it.
        let misuses = dequeueMisuses()
        switch result {
        case .failure(let error): throw ExplorationFailure(seed: seed, reason: "\(error)")
        case .success where !misuses.isEmpty: throw ExplorationFailure(seed: seed, reason: "\(misuses[0])")
        case .success where TestReporting.reporter?.failureCount != failureCount:
            throw ExplorationFailure(seed: seed, reason: "an assertion failed")
        case .success: break
        }
    }
}
