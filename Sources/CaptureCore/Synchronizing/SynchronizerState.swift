import MediaTypes

/// The state machine that groups the samples of several outputs by their times.
///
/// The first output is the leader. A sample of the leader waits until each other output has delivered a sample with the
/// same or a later time, or cannot deliver one. The leader's sample is then grouped with the nearest sample of each
/// other output within half of its duration. Earlier samples form separate groups before it.
///
/// An output cannot deliver a sample in these cases:
/// - It is not live: it is disabled or has ended.
/// - It has reported that it delivers no samples up to the time of the leader's sample.
/// - Its last sample ends more than half of the leader's duration after the leader's sample begins.
/// - It has stalled: more than `limit` samples of the leader have waited since its last sample.
///
/// Invariant: the waiting samples of an output are in the order of their times.
struct SynchronizerState<Item: Sendable>: Sendable {
    private struct Waiting: Sendable {
        let item: Item
        let time: CMTime
        /// Half of the duration.
        let tolerance: CMTime

        /// Whether a time is within half of the duration.
        func isNear(_ other: CMTime) -> Bool { other >= time - tolerance && other <= time + tolerance }
    }

    private struct Output: Sendable {
        var waiting: [Waiting] = []
        /// The time up to which the output is known to deliver no more samples.
        var skippedTime = CMTime.negativeInfinity
        /// The time of the last sample.
        var last = CMTime.negativeInfinity
        /// The end of the last sample.
        var end = CMTime.negativeInfinity
        /// Whether too many samples of the leader have waited for the output since its last sample.
        var hasStalled = false

        /// Whether the output has delivered its sample for a sample of the leader, or cannot deliver one anymore.
        func isMatchKnown(for leader: Waiting) -> Bool {
            if hasStalled || skippedTime >= leader.time || last >= leader.time { return true }
            return !leader.isNear(last) && end > leader.time + leader.tolerance
        }

        /// Returns the index of the sample that is grouped with a sample of the leader; nil if there is none.
        func match(for leader: Waiting) -> Int? {
            let near = waiting.indices.filter { leader.isNear(waiting[$0].time) }
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
    mutating func add(
        _ item: Item, from index: Int, at time: CMTime, lasting duration: CMTime, isLive: (Int) -> Bool
    ) -> [[Int: Item]] {
        let lasting = duration.isNumeric ? duration : CMTime.zero
        let tolerance = CMTimeMultiplyByRatio(lasting, multiplier: 1, divisor: 2)
        outputs[index].waiting.append(Waiting(item: item, time: time, tolerance: tolerance))
        outputs[index].last = time
        outputs[index].end = time + lasting
        outputs[index].hasStalled = false
        return groups(isLive)
    }

    /// Records that an output delivers no more samples up to and including a time.
    mutating func skip(_ index: Int, _ time: CMTime, isLive: (Int) -> Bool) -> [[Int: Item]] {
        outputs[index].skippedTime = max(outputs[index].skippedTime, time)
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
        guard let leader = outputs[0].waiting.first else { return nextGroupWithoutLeader(isLive) }
        let isFull = outputs[0].waiting.count > Self.limit
        for index in followers where isLive(index) && !outputs[index].isMatchKnown(for: leader) {
            guard isFull else { return nil }
            outputs[index].hasStalled = true
        }
        let matches = followers.map { ($0, outputs[$0].match(for: leader)) }
        // Samples before the leader's sample, or before its match, form groups first.
        let earlier = matches.compactMap { index, match -> (Int, CMTime)? in
            guard let first = outputs[index].waiting.first else { return nil }
            let isEarlier = match.map { $0 > 0 } ?? (first.time < leader.time)
            return isEarlier ? (index, first.time) : nil
        }
        if let group = removeEarliest(of: earlier) { return group }
        var group = [0: outputs[0].waiting.removeFirst().item]
        for (index, match) in matches where match != nil {
            group[index] = outputs[index].waiting.removeFirst().item
        }
        return group
    }

    /// Returns the next group without a sample of the leader, if the leader is not live or too many samples wait.
    private mutating func nextGroupWithoutLeader(_ isLive: (Int) -> Bool) -> [Int: Item]? {
        guard !isLive(0) || outputs.contains(where: { $0.waiting.count > Self.limit }) else { return nil }
        return removeEarliest(
            of: followers.compactMap { index in outputs[index].waiting.first.map { (index, $0.time) } })
    }

    /// Removes the earliest of the given first samples and returns them as a group.
    private mutating func removeEarliest(of firsts: [(index: Int, time: CMTime)]) -> [Int: Item]? {
        guard let earliest = firsts.map(\.time).min() else { return nil }
        var group: [Int: Item] = [:]
        for (index, time) in firsts where time == earliest { group[index] = outputs[index].waiting.removeFirst().item }
        return group
    }
}
