import MediaTypes

/// The state machine that groups the samples of several outputs by their times.
///
/// The first output leads. A sample of the leader waits until each other output has delivered a sample that is not
/// earlier, or cannot deliver one. It is grouped with the nearest sample of each other output within half of its
/// duration. Earlier samples form groups before it.
///
/// An output cannot deliver a sample if it is not live, if it has reported this, if its last sample lasts until long
/// after that of the leader, or if it has stalled: if more than `limit` samples of the leader have waited for it
/// without any sample from it.
///
/// Invariant: the waiting samples of an output are in the order of their times.
struct SynchronizerState<Item: Sendable>: Sendable {
    private struct Waiting: Sendable {
        let item: Item
        let time: CMTime
        /// Half of the duration.
        let reach: CMTime

        /// Whether a time is within half of the duration.
        func reaches(_ other: CMTime) -> Bool { other >= time - reach && other <= time + reach }
    }

    private struct Output: Sendable {
        var waiting: [Waiting] = []
        /// The time up to which the output is known to deliver no more samples.
        var passed = CMTime.negativeInfinity
        /// The time of the last sample.
        var last = CMTime.negativeInfinity
        /// The end of the last sample.
        var end = CMTime.negativeInfinity
        /// Whether too many samples of the leader have waited for the output since its last sample.
        var hasStalled = false

        /// Whether the output's sample for a sample of the leader is known, or known to be missing.
        func isDecided(at leader: Waiting) -> Bool {
            if hasStalled || passed >= leader.time || last >= leader.time { return true }
            return !leader.reaches(last) && end > leader.time + leader.reach
        }

        /// Returns the index of the sample that is grouped with a sample of the leader; nil if there is none.
        func partner(of leader: Waiting) -> Int? {
            let near = waiting.indices.filter { leader.reaches(waiting[$0].time) }
            return near.min { distance($0, leader) < distance($1, leader) }
        }

        private func distance(_ index: Int, _ leader: Waiting) -> CMTime {
            let time = waiting[index].time
            return time < leader.time ? leader.time - time : time - leader.time
        }
    }

    /// The maximum number of waiting samples of one output.
    static var limit: Int { 8 }

    private var outputs: [Output]

    init(outputCount: Int) {
        outputs = Array(repeating: Output(), count: outputCount)
    }

    /// Processes a sample.
    ///
    /// - Parameters:
    ///   - index: The index of its output.
    ///   - duration: Its duration; invalid if unknown.
    ///   - isLive: Whether an output can still deliver samples.
    /// - Returns: The completed groups in order, as samples by the index of their output.
    mutating func receive(
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

    /// Records that an output delivers no more samples up to and including a time.
    mutating func skip(_ index: Int, _ time: CMTime, isLive: (Int) -> Bool) -> [[Int: Item]] {
        outputs[index].passed = max(outputs[index].passed, time)
        outputs[index].hasStalled = false
        return groups(isLive)
    }

    /// Returns the groups that are complete, given the outputs that are live.
    mutating func groups(_ isLive: (Int) -> Bool) -> [[Int: Item]] {
        var groups: [[Int: Item]] = []
        while let group = nextGroup(isLive) { groups.append(group) }
        return groups
    }

    /// Returns all waiting samples in groups, since no more will follow.
    mutating func flush() -> [[Int: Item]] {
        groups { _ in false }
    }

    private var followers: Range<Int> { 1..<max(1, outputs.count) }

    /// Returns the next complete group.
    private mutating func nextGroup(_ isLive: (Int) -> Bool) -> [Int: Item]? {
        guard let leader = outputs[0].waiting.first else { return nextWithoutLeader(isLive) }
        let isFull = outputs[0].waiting.count > Self.limit
        for index in followers where isLive(index) && !outputs[index].isDecided(at: leader) {
            guard isFull else { return nil }
            outputs[index].hasStalled = true
        }
        let partners = followers.map { ($0, outputs[$0].partner(of: leader)) }
        // Samples before the leader's sample, or before its partner, form groups first.
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

    /// Returns the next group without a sample of the leader, if the leader is not live or too many samples wait.
    private mutating func nextWithoutLeader(_ isLive: (Int) -> Bool) -> [Int: Item]? {
        guard !isLive(0) || outputs.contains(where: { $0.waiting.count > Self.limit }) else { return nil }
        return takeEarliest(
            of: followers.compactMap { index in outputs[index].waiting.first.map { (index, $0.time) } })
    }

    /// Removes the earliest ones of the first samples of the outputs, and returns them as a group.
    private mutating func takeEarliest(of firsts: [(index: Int, time: CMTime)]) -> [Int: Item]? {
        guard let earliest = firsts.map(\.time).min() else { return nil }
        var group: [Int: Item] = [:]
        for (index, time) in firsts where time == earliest { group[index] = outputs[index].waiting.removeFirst().item }
        return group
    }
}
