import MediaTypes

/// Which samples of several outputs belong together: a rule over times, and nothing else.
///
/// The first output leads. Its sample waits until each of the others has one that is not earlier, or can have none; with
/// it goes, from each other output, the nearest one within half of its duration. What is earlier goes before it.
///
/// An output can have none where it is not live, where it has said so, where its last sample lasts until long after the
/// leader's, and where it has stalled: where more than `limit` of the leader's samples have waited for it and it has given
/// nothing since.
///
/// Invariant: the samples that wait of one output are in the order of their times.
struct SynchronizerState<Item: Sendable>: Sendable {
    private struct Waiting: Sendable {
        let item: Item
        let time: CMTime
        let reach: CMTime

        func reaches(_ other: CMTime) -> Bool { other >= time - reach && other <= time + reach }
    }

    private struct Output: Sendable {
        var waiting: [Waiting] = []
        /// Up to when it is known to give no more.
        var passed = CMTime.negativeInfinity
        /// The time of its last sample, and when that ends.
        var last = CMTime.negativeInfinity
        var end = CMTime.negativeInfinity
        /// Whether too much has waited for it since its last sample.
        var hasStalled = false

        /// Whether it is known what it has at the time of a leader's sample.
        func isDecided(at leader: Waiting) -> Bool {
            if hasStalled || passed >= leader.time || last >= leader.time { return true }
            return !leader.reaches(last) && end > leader.time + leader.reach
        }

        /// The place of the sample that goes with a leader's, where there is one.
        func partner(of leader: Waiting) -> Int? {
            let near = waiting.indices.filter { leader.reaches(waiting[$0].time) }
            return near.min { distance($0, leader) < distance($1, leader) }
        }

        private func distance(_ index: Int, _ leader: Waiting) -> CMTime {
            let time = waiting[index].time
            return time < leader.time ? leader.time - time : time - leader.time
        }
    }

    /// The most samples of one output that wait for others.
    static var limit: Int { 8 }

    private var outputs: [Output]

    init(outputCount: Int) {
        outputs = Array(repeating: Output(), count: outputCount)
    }

    /// Takes a sample.
    ///
    /// - Parameters:
    ///   - index: Its output's place.
    ///   - duration: How long it lasts; invalid where unknown.
    ///   - isLive: Whether an output can still have samples.
    /// - Returns: What belongs together, by the outputs' places, in the order in which it is to be told.
    mutating func take(
        _ item: Item, from index: Int, at time: CMTime, lasting duration: CMTime, isLive: (Int) -> Bool
    ) -> [[Int: Item]] {
        let lasting = duration.isNumeric ? duration : CMTime.zero
        let reach = CMTimeMultiplyByRatio(lasting, multiplier: 1, divisor: 2)
        outputs[index].waiting.append(Waiting(item: item, time: time, reach: reach))
        outputs[index].last = time
        outputs[index].end = time + lasting
        outputs[index].hasStalled = false
        return groups(isLive)
    }

    /// Learns that an output gives no more up to a time, that time included.
    mutating func pass(_ index: Int, _ time: CMTime, isLive: (Int) -> Bool) -> [[Int: Item]] {
        outputs[index].passed = max(outputs[index].passed, time)
        outputs[index].hasStalled = false
        return groups(isLive)
    }

    /// Looks again which outputs are live.
    mutating func groups(_ isLive: (Int) -> Bool) -> [[Int: Item]] {
        var groups: [[Int: Item]] = []
        while let group = nextGroup(isLive) { groups.append(group) }
        return groups
    }

    /// Gives all that waits, as nothing more will come.
    mutating func flush() -> [[Int: Item]] {
        groups { _ in false }
    }

    private var followers: Range<Int> { 1..<max(1, outputs.count) }

    private mutating func nextGroup(_ isLive: (Int) -> Bool) -> [Int: Item]? {
        guard let leader = outputs[0].waiting.first else { return nextWithoutLeader(isLive) }
        let isFull = outputs[0].waiting.count > Self.limit
        for index in followers where isLive(index) && !outputs[index].isDecided(at: leader) {
            guard isFull else { return nil }
            outputs[index].hasStalled = true
        }
        let partners = followers.map { ($0, outputs[$0].partner(of: leader)) }
        // What is earlier than the leader's sample, or than the one that goes with it, goes first.
        let earlier = partners.compactMap { index, partner -> (Int, CMTime)? in
            guard let first = outputs[index].waiting.first else { return nil }
            return partner.map { $0 > 0 } ?? (first.time < leader.time) ? (index, first.time) : nil
        }
        if let group = takeEarliest(of: earlier) { return group }
        var group = [0: outputs[0].waiting.removeFirst().item]
        for (index, partner) in partners where partner != nil {
            group[index] = outputs[index].waiting.removeFirst().item
        }
        return group
    }

    /// Samples that nothing leads wait for the next leader, but not without end.
    private mutating func nextWithoutLeader(_ isLive: (Int) -> Bool) -> [Int: Item]? {
        guard !isLive(0) || outputs.contains(where: { $0.waiting.count > Self.limit }) else { return nil }
        return takeEarliest(
            of: followers.compactMap { index in outputs[index].waiting.first.map { (index, $0.time) } })
    }

    /// Takes the first samples of the outputs, where they have the earliest time of all.
    private mutating func takeEarliest(of firsts: [(index: Int, time: CMTime)]) -> [Int: Item]? {
        guard let earliest = firsts.map(\.time).min() else { return nil }
        var group: [Int: Item] = [:]
        for (index, time) in firsts where time == earliest { group[index] = outputs[index].waiting.removeFirst().item }
        return group
    }
}
