import MediaTypes

/// The order in which a world runs its ready items. Used only while the scheduler's monitor is locked.
struct WorkOrder {
    /// The rule that chooses among the ready items of a world.
    private enum Rule {
        case submission
        case randomWalk(SplitMix64)
        case priorities(WorkPriorities)
        case delaying(item: Int)
        case deviating(SimulatedSystem.RegularOrder, [Int: Int])
    }

    private var rule: Rule
    /// The number of items that the world has chosen.
    private(set) var stepCount = 0
    /// The choices of another item than that of a regular order.
    private var deviations: [SimulatedSystem.RegularOrder: [SimulatedSystem.Deviation]] = [:]
    /// The serial queue of the last item; nil if it had none.
    private var lastQueue: WorkQueue?
    /// The steps for which both items are recorded, and the regular order.
    private var explainedSteps: Set<Int> = []
    private var explainedOrder = SimulatedSystem.RegularOrder.submission
    /// The recorded choices.
    private(set) var explained: [Choice] = []

    /// A choice of another item than that of a regular order.
    struct Choice {
        let deviation: SimulatedSystem.Deviation
        /// The virtual time in seconds.
        let time: Double
        let chosen: WorkItem
        let regular: WorkItem
    }

    init(_ interleaving: SimulatedSystem.Interleaving) {
        switch interleaving {
        case .submissionOrder: rule = .submission
        case .seeded(let seed): rule = .randomWalk(SplitMix64(seed: seed))
        case .priorities(let seed, let depth, let steps):
            rule = .priorities(WorkPriorities(seed: seed, depth: depth, stepCount: steps))
        case .delaying(let item): rule = .delaying(item: item)
        case .deviating(let order, let deviations):
            rule = .deviating(order, Dictionary(deviations.map { ($0.step, $0.position) }) { first, _ in first })
        }
    }

    /// Records the items of the deviations from a regular order at some steps, and the calls that submit items.
    mutating func explain(_ steps: some Sequence<Int>, _ order: SimulatedSystem.RegularOrder) {
        explainedSteps = Set(steps)
        explainedOrder = order
    }

    /// Whether the calls that submit items are recorded.
    var recordsCalls: Bool { !explainedSteps.isEmpty }

    /// Returns the choices of another item than that of a regular order.
    func deviations(from order: SimulatedSystem.RegularOrder) -> [SimulatedSystem.Deviation] {
        deviations[order] ?? []
    }

    /// Chooses one of the ready items of the world.
    ///
    /// - Parameters:
    ///   - ready: The ready items, which are not empty, in the order of their numbers.
    ///   - isOnlyChoice: Whether no other item of any world is ready.
    /// - Returns: The position of the item.
    mutating func position(in ready: ItemList, isOnlyChoice: Bool) -> Int {
        stepCount += 1
        let position =
            switch rule {
            case .submission: 0
            case .randomWalk(var generator): random(&generator, ready.count, isOnlyChoice)
            case .priorities(var priorities): position(&priorities, in: ready)
            case .delaying(let item): ready.count > 1 && ready.first?.ordinal == item ? 1 : 0
            case .deviating(let order, let positions):
                min(positions[stepCount] ?? regularPosition(in: ready, order), ready.count - 1)
            }
        if ready.count > 1 { record(position, in: ready) }
        lastQueue = ready[position]?.serialQueue
        return position
    }

    private mutating func record(_ position: Int, in ready: ItemList) {
        for order in SimulatedSystem.RegularOrder.allCases {
            let regular = regularPosition(in: ready, order)
            guard position != regular else { continue }
            let deviation = SimulatedSystem.Deviation(step: stepCount, position: position)
            deviations[order, default: []].append(deviation)
            guard order == explainedOrder, explainedSteps.contains(stepCount), let chosen = ready[position],
                let regular = ready[regular]
            else { continue }
            explained.append(
                Choice(
                    deviation: deviation, time: chosen.world.clock.now.seconds, chosen: chosen, regular: regular))
        }
    }

    private func regularPosition(in ready: ItemList, _ order: SimulatedSystem.RegularOrder) -> Int {
        switch order {
        case .submission: return 0
        case .queueByQueue:
            guard let lastQueue else { return 0 }
            return (0..<ready.count).first { ready[$0]?.workQueue === lastQueue } ?? 0
        }
    }

    private mutating func random(_ generator: inout SplitMix64, _ count: Int, _ isOnlyChoice: Bool) -> Int {
        guard !isOnlyChoice else { return 0 }
        let position = generator.index(below: count)
        rule = .randomWalk(generator)
        return position
    }

    private mutating func position(_ priorities: inout WorkPriorities, in ready: ItemList) -> Int {
        let position = priorities.position(in: ready, step: stepCount)
        rule = .priorities(priorities)
        return position
    }
}

extension WorkItem {
    /// The serial queue that orders the item with others; nil for an item on a concurrent queue.
    fileprivate var serialQueue: WorkQueue? { workQueue.flatMap { $0.isConcurrent ? nil : $0 } }
}

/// The priorities of probabilistic concurrency testing (S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatti: "A
/// randomized scheduler with probabilistic guarantees of finding bugs", ASPLOS 2010).
///
/// Each serial queue, and each item on a concurrent queue or of a Swift task, has a random priority, and the ready item
/// with the highest one runs. At `depth` - 1 random steps, the priority of the item that is about to run becomes lower
/// than all others.
struct WorkPriorities {
    private var generator: SplitMix64
    /// The steps at which a priority is lowered, with the priority.
    private var changes: [Int: UInt64] = [:]

    /// - Parameter stepCount: The expected number of steps.
    init(seed: UInt64, depth: Int, stepCount: Int) {
        generator = SplitMix64(seed: seed)
        var steps = Array(1...max(1, stepCount))
        for priority in 0..<max(0, min(depth - 1, steps.count)) {
            changes[steps.remove(at: generator.index(below: steps.count))] = UInt64(priority)
        }
    }

    /// Returns the position of the item to run.
    mutating func position(in ready: ItemList, step: Int) -> Int {
        let position = highest(in: ready)
        guard let priority = changes[step], let item = ready[position] else { return position }
        if let queue = item.serialQueue { queue.priority = priority } else { item.priority = priority }
        return highest(in: ready)
    }

    private mutating func highest(in ready: ItemList) -> Int {
        var best = (position: 0, priority: UInt64(0))
        for position in 0..<ready.count {
            guard let item = ready[position] else { continue }
            let priority = priority(of: item)
            if position == 0 || priority > best.priority { best = (position, priority) }
        }
        return best.position
    }

    private mutating func priority(of item: WorkItem) -> UInt64 {
        let queue = item.serialQueue
        if let priority = queue?.priority ?? item.priority { return priority }
        // Greater than the priorities of the change points.
        let bits: UInt64 = generator.next()
        let priority = bits >> 1 | 1 << 62
        if let queue { queue.priority = priority } else { item.priority = priority }
        return priority
    }
}
