import CaptureHAL
public import Foundation
public import KeyValueObserving
public import MediaTypes

/// Plays an asset again and again in a queue player, without a gap.
///
/// Can be observed: `loopCount`.
/// - Important: Thread-safe.
public final class AVPlayerLooper: NSObject, KeyValueObserving, @unchecked Sendable {
    // SAFETY: all state is behind `state`; the constants are thread-safe objects.

    /// Whether a looper works.
    public enum Status: Int, Sendable {
        case unknown = 0
        case ready = 1
        case failed = 2
        case cancelled = 3
    }

    private struct State {
        var count = 0
        var isEnabled = true
        var current: AVPlayerItem?
        var observation: NSKeyValueObservation?
    }

    /// The number of copies in the queue: the current one, and two that are ready before they are needed.
    private static let copyCount = 3

    public let observedProperties: ObservedProperties
    /// The copies of the template that are played in turn.
    public let loopingPlayerItems: [AVPlayerItem]
    private let start: CMTime
    private weak let player: AVQueuePlayer?
    private let state = Lock(State())

    /// Plays a part of an item's asset repeatedly, after the items that are in the queue.
    ///
    /// - Parameter range: The part; invalid for all of it.
    public init(player: AVQueuePlayer, templateItem itemToLoop: AVPlayerItem, timeRange range: CMTimeRange) {
        self.player = player
        observedProperties = ObservedProperties(player.system.reference, player.system.misuse)
        let range = range.isValid && range.duration > .zero ? range : nil
        start = range?.start ?? .zero
        loopingPlayerItems = player.system.run {
            (0..<Self.copyCount).map { _ in
                let item = AVPlayerItem(asset: itemToLoop.asset)
                item.audioTimePitchAlgorithm = itemToLoop.audioTimePitchAlgorithm
                item.forwardPlaybackEndTime = range?.end ?? itemToLoop.forwardPlaybackEndTime
                return item
            }
        }
        super.init()
        for item in loopingPlayerItems {
            item.rest(at: start)
            player.insert(item, after: nil)
        }
        let current = player.currentItem
        let observation = player.observe(\.currentItem) { [weak self] _, _ in self?.currentItemChanged() }
        state.withLock { ($0.current, $0.observation) = (current, observation) }
    }

    /// Plays an item's asset repeatedly.
    public convenience init(player: AVQueuePlayer, templateItem itemToLoop: AVPlayerItem) {
        self.init(player: player, templateItem: itemToLoop, timeRange: .invalid)
    }

    public var status: Status { state.withLock { $0.isEnabled } ? .ready : .cancelled }
    /// Always nil: a failure concerns the items.
    public var error: (any Error)? { nil }

    /// The number of times that the asset was played to its end.
    public var loopCount: Int {
        observedProperties.access()
        return state.withLock { $0.count }
    }

    /// Ends the repetition: the current item plays to its end.
    public func disableLooping() {
        let observation = state.withLock { state in
            defer { (state.isEnabled, state.observation) = (false, nil) }
            return state.observation
        }
        observation?.invalidate()
        for item in loopingPlayerItems where item !== player?.currentItem { player?.remove(item) }
    }

    private func currentItemChanged() {
        guard let player else { return }
        let current = player.currentItem
        let finished = state.withLock { state -> AVPlayerItem? in
            defer { state.current = current }
            guard state.isEnabled, let old = state.current, old !== current,
                loopingPlayerItems.contains(where: { $0 === old })
            else { return nil }
            state.count += 1
            return old
        }
        guard let finished else { return }
        finished.rest(at: start)
        player.insert(finished, after: nil)
        observedProperties.changed("loopCount")
    }
}
