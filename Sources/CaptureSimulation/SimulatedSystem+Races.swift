import MediaTypes

extension SimulatedSystem {
    /// The orders that `exploreRaces` tries after the order of submission.
    public enum RaceStrategy: Sendable, Hashable {
        /// Random orders.
        case random
        /// Orders by priorities: see `Interleaving.priorities(seed:depth:steps:)`. The number of steps is that of the
        /// run in the order of submission.
        case priorities(depth: Int)
        /// The order of submission with one delayed piece of work, for each piece in turn.
        case delays
    }

    /// Runs a test in many orders of the work that is ready at the same time, until one fails, and finds the decisions
    /// that the failure depends on.
    ///
    /// A failure repeats `body` up to some hundred times. So that the repetitions record no further failures, let `body`
    /// throw an error instead of using assertions.
    ///
    /// ```swift
    /// try SimulatedSystem.exploreRaces(runs: 500) { simulated in
    ///     let camera = CameraController()
    ///     camera.start()
    ///     camera.stop()
    ///     simulated.advance(by: .seconds(1))
    ///     guard !camera.isRunning else { throw CameraIsRunning() }
    /// }
    /// ```
    /// - Parameters:
    ///   - strategy: The orders.
    ///   - runs: The largest number of orders.
    ///   - seed: The seed of the first random order. Each further order has the next seed.
    ///   - create: Creates the system of one run.
    ///   - body: The test. It fails by throwing an error, by misuse, or by a failed assertion.
    /// - Throws: `RaceFailure` for the first order in which `body` fails. Also the errors of `create`.
    public static func exploreRaces(
        _ strategy: RaceStrategy = .priorities(depth: 3), runs: Int = 1000, seed: UInt64 = 1,
        with create: (Interleaving) throws -> SimulatedSystem = { try SimulatedSystem(interleaving: $0) },
        _ body: (SimulatedSystem) throws -> Void
    ) throws {
        func run(
            _ interleaving: Interleaving, explaining steps: [Int] = [], of order: RegularOrder = .submission
        ) throws -> RaceRun {
            let system = try create(interleaving)
            defer { system.close() }
            system.stopRecordingWork()
            Scheduler.shared.monitor.update { _ in system.world.order.explain(steps, order) }
            let failureCount = TestReporting.reporter?.failureCount
            let reason = system.failureReason(Result { try body(system) }, failureCount)
            return Scheduler.shared.monitor.read { _ in RaceRun(reason: reason, system.world) }
        }
        let first = try run(.submissionOrder)
        if let reason = first.reason {
            throw RaceFailure(reason: reason, interleaving: .submissionOrder, decisions: [], runCount: 1)
        }
        for number in 0..<max(0, runs - 1) {
            let interleaving: Interleaving
            switch strategy {
            case .random: interleaving = .seeded(seed &+ UInt64(number))
            case .priorities(let depth):
                interleaving = .priorities(seed: seed &+ UInt64(number), depth: depth, steps: first.stepCount)
            case .delays:
                guard number < first.itemCount else { return }
                interleaving = .delaying(number + 1)
            }
            let result = try run(interleaving)
            guard let reason = result.reason else { continue }
            guard reason != failedAssertion else {
                throw RaceFailure(reason: reason, interleaving: interleaving, decisions: [], runCount: number + 2)
            }
            // The regular order from which the failure deviates least explains it best.
            let reductions = try RegularOrder.allCases.map { order in
                let deviations = try reduced(result.deviations(from: order)) {
                    try run(.deviating(from: order, $0)).reason == reason
                }
                return (order: order, deviations: deviations)
            }
            guard
                let (order, deviations) = reductions.filter({ !$0.deviations.isEmpty }).min(by: {
                    $0.deviations.count < $1.deviations.count
                }) ?? reductions.first
            else { continue }
            let explained = try run(
                .deviating(from: order, deviations), explaining: deviations.map(\.step), of: order)
            throw RaceFailure(
                reason: reason, interleaving: .deviating(from: order, deviations), decisions: explained.decisions,
                runCount: number + 2)
        }
    }

    /// Removes the deviations that a failure does not depend on: first halves, then smaller parts (A. Zeller, R.
    /// Hildebrandt: "Simplifying and isolating failure-inducing input", IEEE Trans. Software Eng. 28 (2002)).
    private static func reduced(
        _ deviations: [Deviation], _ fails: ([Deviation]) throws -> Bool
    ) rethrows -> [Deviation] {
        var best = deviations
        var size = max(1, best.count / 2)
        while true {
            var start = 0
            var isReduced = false
            while start < best.count {
                var candidate = best
                candidate.removeSubrange(start..<min(start + size, best.count))
                if try fails(candidate) {
                    best = candidate
                    isReduced = true
                } else {
                    start += size
                }
            }
            if size == 1, !isReduced { return best }
            size = max(1, size / 2)
        }
    }
}

/// What a run in one order results in.
private struct RaceRun {
    /// The description of the failure; nil if the run has succeeded.
    let reason: String?
    let stepCount: Int
    let itemCount: Int
    private let order: WorkOrder
    private let choices: [WorkOrder.Choice]

    init(reason: String?, _ world: SimulatedWorld) {
        self.reason = reason
        stepCount = world.order.stepCount
        itemCount = world.itemCount
        order = world.order
        choices = world.order.explained
    }

    func deviations(from regularOrder: SimulatedSystem.RegularOrder) -> [SimulatedSystem.Deviation] {
        order.deviations(from: regularOrder)
    }

    /// The explained choices.
    var decisions: [RaceFailure.Decision] {
        choices.map { choice in
            RaceFailure.Decision(
                deviation: choice.deviation, time: choice.time, first: choice.chosen.origin,
                second: choice.regular.origin)
        }
    }
}

extension WorkItem {
    /// The item, its queue, and the call that submitted it.
    fileprivate var origin: String {
        let kind =
            switch action {
            case .work: "the block"
            case .call: "the event"
            case .job: "the Swift task"
            case .sync: "the synchronous block"
            }
        return "\(kind) on \(queueName)" + (submittingLine.map { " that \($0.function) submits at \($0.text)" } ?? "")
    }

    /// The innermost call outside of the scheduler; nil if it is not known.
    private var submittingLine: (function: String, text: String)? {
        let line = callStack?.lines().first { line in
            !["/CaptureSimulation/Scheduler/", "/CWorld/", "/swift-generated-sources/"].contains {
                line.path.contains($0)
            } && line.path.hasPrefix("/") && !line.path.contains("/swift-corelibs") && line.number > 0
        }
        guard let line else { return nil }
        let file = line.path.split(separator: "/").last.map(String.init) ?? line.path
        return (line.function, "\(file):\(line.number)")
    }
}
