import MediaTypes

/// Which samples of several outputs belong together: a rule over times, and nothing else.
///
/// The first output leads. Its sample waits until each of the others has one that is not earlier, or can have none; with
/// it goes, from each other output, the one within half of its duration. What is earlier goes before it.
///
/// Invariant: the samples that wait of one output are in the order of their times.
struct SynchronizerState<Item: Sendable>: Sendable {
    private struct Waiting: Sendable {
        let item: Item
        let time: CMTime
        let reach: CMTime
    }

    /// The most samples of one output that wait for others.
    static var limit: Int { 8 }

    private var queues: [[Waiting]]
    /// Up to when an output is known to give no more.
    private var passed: [CMTime]

    init(outputCount: Int) {
        queues = Array(repeating: [], count: outputCount)
        passed = Array(repeating: .negativeInfinity, count: outputCount)
    }

    /// Takes a sample.
    ///
    /// - Parameters:
    ///   - index: Its output's place.
    ///   - duration: How long it lasts, for a sample of the first output.
    ///   - isLive: Whether an output can still have samples.
    /// - Returns: What belongs together, by the outputs' places, in the order in which it is to be told.
    mutating func take(
        _ item: Item, from index: Int, at time: CMTime, lasting duration: CMTime, isLive: (Int) -> Bool
    ) -> [[Int: Item]] {
        let reach =
            duration.isNumeric ? CMTimeMultiplyByRatio(duration, multiplier: 1, divisor: 2) : CMTime.zero
        queues[index].append(Waiting(item: item, time: time, reach: reach))
        return groups(isLive)
    }

    /// Learns that an output gives no more up to a time, that time included.
    mutating func pass(_ index: Int, _ time: CMTime, isLive: (Int) -> Bool) -> [[Int: Item]] {
        passed[index] = max(passed[index], time)
        return groups(isLive)
    }

    private mutating func groups(_ isLive: (Int) -> Bool) -> [[Int: Item]] {
        var groups: [[Int: Item]] = []
        while let group = nextGroup(isLive) { groups.append(group) }
        return groups
    }

    /// Gives all that waits, as nothing more will come.
    mutating func flush() -> [[Int: Item]] {
        groups { _ in false }
    }

    private mutating func nextGroup(_ isLive: (Int) -> Bool) -> [Int: Item]? {
        guard let leader = queues[0].first else { return nextWithoutLeader(isLive) }
        let earliest = leader.time - leader.reach
        let isFull = queues[0].count > Self.limit
        for index in queues.indices.dropFirst() where !isFull && isLive(index) {
            guard passed[index] >= leader.time || queues[index].last.map({ $0.time >= earliest }) ?? false else {
                return nil
            }
        }
        if let group = takeEarliest(before: earliest) { return group }
        var group = [0: queues[0].removeFirst().item]
        for index in queues.indices.dropFirst() {
            guard let first = queues[index].first, first.time <= leader.time + leader.reach else { continue }
            group[index] = queues[index].removeFirst().item
        }
        return group
    }

    /// Samples that nothing leads wait for the next leader, but not without end.
    private mutating func nextWithoutLeader(_ isLive: (Int) -> Bool) -> [Int: Item]? {
        let mustGo = !isLive(0) || queues.contains { $0.count > Self.limit }
        return mustGo ? takeEarliest(before: .positiveInfinity) : nil
    }

    /// The samples of the other outputs with the earliest time, where that is before `time`.
    private mutating func takeEarliest(before time: CMTime) -> [Int: Item]? {
        let firsts = queues.indices.dropFirst().compactMap { index in queues[index].first.map { (index, $0.time) } }
        guard let earliest = firsts.map(\.1).min(), earliest < time else { return nil }
        var group: [Int: Item] = [:]
        for (index, first) in firsts where first == earliest { group[index] = queues[index].removeFirst().item }
        return group
    }
}
