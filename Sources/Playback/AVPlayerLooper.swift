import CaptureHAL
public import Foundation
public import KeyValueObserving
import MediaAssets
public import MediaTypes

/// Plays an asset repeatedly in a queue player, without gaps.
///
/// Can be observed: `loopCount`, `status`.
/// - Important: Thread-safe.
public final class AVPlayerLooper: NSObject, KeyValueObserving, @unchecked Sendable {
    // SAFETY: all state is behind `state`; the constants are thread-safe objects.

    /// The state of a looper.
    public enum Status: Int, Sendable {
        case unknown = 0
        case ready = 1
        case failed = 2
        case cancelled = 3
    }

    /// Where the copies are inserted into a queue with other items.
    public enum ItemOrdering: Int, Sendable {
        case loopingItemsPrecedeExistingItems = 0
        case loopingItemsFollowExistingItems = 1
    }

    private struct State {
        var count = 0
        var isEnabled = true
        /// Changes of the player's current item.
        var changes = Changes.none
        var observation: NSKeyValueObservation?
        /// The original `actionAtItemEnd` of the player; nil after it was restored.
        var action: AVPlayer.ActionAtItemEnd?
    }

    private enum Changes {
        case none
        /// A call handles them.
        case handled
        /// As `handled`; others have occurred since.
        case pending
    }

    /// The number of copies in the queue: the current one, and two that are ready before they are needed.
    private static let copyCount = 3

    public let observedProperties: ObservedProperties
    /// The copies of the template that are played in turn.
    public let loopingPlayerItems: [AVPlayerItem]
    private let start: CMTime
    private weak let player: AVQueuePlayer?
    private let state = Lock(State())

    /// Plays a part of an item's asset repeatedly.
    ///
    /// The items are copies of the template with its settings, but without its outputs. The player's `actionAtItemEnd`
    /// is `advance` until the looper ends.
    /// - Parameters:
    ///   - range: The part; invalid for the whole asset. A range that is empty, or not within the asset, is misuse.
    ///   - itemOrdering: Whether items that are in the queue are played after the looper ends, or before it begins.
    public init(
        player: AVQueuePlayer, templateItem itemToLoop: AVPlayerItem, timeRange range: CMTimeRange,
        existingItemsOrdering itemOrdering: ItemOrdering
    ) {
        self.player = player
        observedProperties = ObservedProperties(player.system.reference, player.system.misuse)
        let part = Self.part(range, of: itemToLoop, player.system)
        start = part?.start ?? .zero
        loopingPlayerItems = (0..<Self.copyCount).compactMap { _ in
            let item = itemToLoop.copy() as? AVPlayerItem
            if let part { item?.forwardPlaybackEndTime = part.end }
            return item
        }
        super.init()
        for item in loopingPlayerItems { item.setStartTime(start) }
        if itemOrdering == .loopingItemsPrecedeExistingItems {
            player.insertFirst(loopingPlayerItems)
        } else {
            for item in loopingPlayerItems { player.insert(item, after: nil) }
        }
        let action = player.actionAtItemEnd
        player.actionAtItemEnd = .advance
        let observation = player.observe(\.currentItem) { [weak self] _, _ in self?.currentItemChanged() }
        state.withLock { ($0.observation, $0.action) = (observation, action) }
        currentItemChanged()
    }

    /// Plays a part of an item's asset repeatedly, before the items that are in the queue.
    ///
    /// - Parameter range: The part; invalid for the whole asset.
    public convenience init(player: AVQueuePlayer, templateItem itemToLoop: AVPlayerItem, timeRange range: CMTimeRange)
    {
        self.init(
            player: player, templateItem: itemToLoop, timeRange: range,
            existingItemsOrdering: .loopingItemsPrecedeExistingItems)
    }

    /// Plays an item's asset repeatedly, before the items that are in the queue.
    public convenience init(player: AVQueuePlayer, templateItem itemToLoop: AVPlayerItem) {
        self.init(player: player, templateItem: itemToLoop, timeRange: .invalid)
    }

    deinit { end(removingCopies: state.withLock { $0.isEnabled }) }

    /// Returns the part to play; nil for the whole asset.
    private static func part(_ range: CMTimeRange, of item: AVPlayerItem, _ system: CaptureSystem) -> CMTimeRange? {
        let method = "-[AVPlayerLooper initWithPlayer:templateItem:timeRange:existingItemsOrdering:]"
        // An asset that cannot be read fails its items.
        let duration = item.asset.duration
        if (try? item.asset.loadValues()) != nil, duration == .zero {
            system.misuse.report(.invalidArgument, "\(method) the duration of the template item is zero")
        }
        guard range.isValid else { return nil }
        guard range.duration > .zero, range.start >= .zero, range.end <= duration || !duration.isNumeric else {
            system.misuse.report(
                .invalidArgument, "\(method) the time range must be within the template item's duration")
            return nil
        }
        return range
    }

    public var status: Status {
        observedProperties.access()
        return state.withLock { $0.isEnabled } ? .ready : .cancelled
    }
    /// Always nil: failures are reported by the items.
    public var error: (any Error)? { nil }

    /// The number of times that the asset was played to its end.
    public var loopCount: Int {
        observedProperties.access()
        return state.withLock { $0.count }
    }

    /// Ends the repetition: the current copy plays to its end. Then the player's `actionAtItemEnd` is restored.
    public func disableLooping() {
        let isFirst = state.withLock { state in
            defer { state.isEnabled = false }
            return state.isEnabled
        }
        guard isFirst else { return }
        let current = player?.currentItem
        for item in loopingPlayerItems where item !== current { player?.remove(item) }
        if !isLooping(current) { end(removingCopies: false) }
        observedProperties.changed("status")
    }

    private func isLooping(_ item: AVPlayerItem?) -> Bool { loopingPlayerItems.contains { $0 === item } }

    /// Stops observing the player, and restores its `actionAtItemEnd`.
    private func end(removingCopies removesCopies: Bool) {
        let (observation, action) = state.withLock { state in
            defer { (state.observation, state.action) = (nil, nil) }
            return (state.observation, state.action)
        }
        observation?.invalidate()
        guard let player, let action else { return }
        if removesCopies {
            // The current copy is removed last, so that none of the others becomes the current item.
            for item in player.items().reversed() where isLooping(item) { player.remove(item) }
        }
        player.actionAtItemEnd = action
    }

    /// Inserts the copies that were played to their end again.
    ///
    /// Calls from observers of the player, and from other threads, are combined: one of them handles all changes.
    private func currentItemChanged() {
        let isFirst = state.withLock { state in
            defer { state.changes = state.changes == .none ? .handled : .pending }
            return state.changes == .none
        }
        guard isFirst else { return }
        repeat {
            insertFinishedCopies()
        } while state.withLock { state in
            state.changes = state.changes == .pending ? .handled : .none
            return state.changes == .handled
        }
    }

    private func insertFinishedCopies() {
        guard let player else { return }
        let queue = player.items()
        // The copies are played in turn, beginning after the last one in the queue.
        let next = loopingPlayerItems.firstIndex { $0 === queue.last(where: isLooping) }.map { $0 + 1 } ?? 0
        let inOrder = loopingPlayerItems[next...] + loopingPlayerItems[..<next]
        for item in inOrder where !queue.contains(where: { $0 === item }) {
            guard state.withLock({ $0.isEnabled }) else { break }
            item.setStartTime(start)
            player.insert(item, after: player.items().last { isLooping($0) })
            let isEnabled = state.withLock { state in
                if state.isEnabled { state.count += 1 }
                return state.isEnabled
            }
            guard isEnabled else {
                // `disableLooping` can have removed the copies before this one was inserted.
                player.remove(item)
                break
            }
            observedProperties.changed("loopCount")
        }
        if !state.withLock({ $0.isEnabled }), !isLooping(player.currentItem) { end(removingCopies: false) }
    }
}
