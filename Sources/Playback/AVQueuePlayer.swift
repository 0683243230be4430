import CaptureHAL
import Foundation
import MediaTypes

/// A player of a queue of items, one after the other without a gap.
///
/// An item leaves the queue when it has been played. After the last one the rate is 0.
/// - Important: Thread-safe.
public class AVQueuePlayer: AVPlayer, @unchecked Sendable {
    // SAFETY: all state is behind `queue` and the locks of the base class.
    /// The items; the first one is the current one.
    private let queue = Lock<[AVPlayerItem]>([])

    /// Creates a player of items.
    public convenience init(items: [AVPlayerItem]) {
        self.init(action: .advance)
        for item in items { insert(item, after: nil) }
    }

    /// Creates a player without items.
    public convenience init() { self.init(items: []) }

    /// Creates a player of an item.
    public convenience init(playerItem item: AVPlayerItem?) { self.init(items: item.map { [$0] } ?? []) }

    /// Creates a player of the file at a URL.
    public convenience init(url: URL) { self.init(items: [AVPlayerItem(url: url)]) }

    override init(action: ActionAtItemEnd) { super.init(action: action) }

    deinit { for item in queue.withLock({ $0 }) { item.detach() } }

    override var hasQueue: Bool { true }

    /// The current item and those that follow.
    public func items() -> [AVPlayerItem] { queue.withLock { $0 } }

    /// Whether an item can be inserted: it has no player, it belongs to the same capture system, and `afterItem` is nil
    /// or in the queue.
    public func canInsert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) -> Bool {
        reasonNotToInsert(item, after: afterItem) == nil
    }

    /// Returns why an item cannot be inserted; nil if it can.
    private func reasonNotToInsert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) -> String? {
        let items = items()
        if items.contains(where: { $0 === item }) { return "the item is already in the queue" }
        if item.player != nil { return "the item belongs to another player" }
        if let afterItem, !items.contains(where: { $0 === afterItem }) {
            return "the item after which to insert is not in the queue"
        }
        return system.reference.rejectionReason(
            joining: "the item", of: item.system.reference, to: "the player")
    }

    /// Inserts an item after another one; nil for the end of the queue. Its asset is read immediately.
    public func insert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) {
        if let reason = reasonNotToInsert(item, after: afterItem) {
            return system.misuse.report(.invalidArgument, "-[AVQueuePlayer insertItem:afterItem:] \(reason)")
        }
        guard item.attach(to: self) else { return }
        let isFirst = queue.withLock { queue in
            let index = queue.firstIndex { $0 === afterItem }.map { $0 + 1 } ?? queue.count
            queue.insert(item, at: index)
            return queue.count == 1
        }
        if isFirst { setCurrentItem(item) }
    }

    /// Inserts items before all others. The current item follows them, and keeps its current time.
    func insertFirst(_ items: [AVPlayerItem]) {
        for item in items {
            if let reason = reasonNotToInsert(item, after: nil) {
                return system.misuse.report(.invalidArgument, "-[AVQueuePlayer insertItem:afterItem:] \(reason)")
            }
            guard item.attach(to: self) else { return }
        }
        let previous = currentItem
        queue.withLock { $0 = items + $0 }
        setCurrentItem(items.first ?? previous)
        // `setCurrentItem` has detached the previous item, but it remains in the queue.
        if let previous, !items.isEmpty { _ = previous.attach(to: self) }
    }

    /// Removes an item. If it is the current one, the next one is played.
    public func remove(_ item: AVPlayerItem) {
        if item === currentItem { return advanceToNextItem() }
        let isRemoved = queue.withLock { queue in
            let count = queue.count
            queue.removeAll { $0 === item }
            return queue.count < count
        }
        if isRemoved { item.detach() }
    }

    public func removeAllItems() {
        let old = queue.withLock { queue in
            defer { queue = [] }
            return queue
        }
        setCurrentItem(nil)
        for item in old { item.detach() }
    }

    /// Ends the current item and plays the next one.
    public func advanceToNextItem() { advance(atHostTime: nil) }

    /// Replaces the current item; the following items remain in the queue.
    public override func replaceCurrentItem(with item: AVPlayerItem?) {
        guard let item else { return advanceToNextItem() }
        guard item !== currentItem else { return }
        if let reason = reasonNotToInsert(item, after: nil) {
            return system.misuse.report(
                .invalidArgument, "-[AVQueuePlayer replaceCurrentItemWithPlayerItem:] \(reason)")
        }
        guard item.attach(to: self) else { return }
        queue.withLock { $0.replaceSubrange($0.startIndex..<min(1, $0.count), with: [item]) }
        setCurrentItem(item)
    }

    override func advance(atHostTime hostTime: CMTime?) {
        let next = queue.withLock { queue in
            queue = Array(queue.dropFirst())
            return queue.first
        }
        setCurrentItem(next, atHostTime: hostTime)
    }
}
