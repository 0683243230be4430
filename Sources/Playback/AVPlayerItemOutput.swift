import CaptureHAL
public import Foundation
import MediaAssets
public import MediaTypes

/// An output of an item.
///
/// - Important: Thread-safe.
public class AVPlayerItemOutput: NSObject, @unchecked Sendable {
    // SAFETY: all state is behind `owner` and `suppresses`, and behind the locks of subclasses.
    private let owner = Lock(WeakReference<AVPlayerItem>(nil))
    private let suppresses = Lock(false)

    /// The item, held weakly.
    var item: AVPlayerItem? { owner.withLock { $0.object } }

    /// Returns the item's time at a host time in seconds, as returned by `CACurrentMediaTime()`.
    public func itemTime(forHostTime hostTimeInSeconds: CFTimeInterval) -> CMTime {
        guard let item, hostTimeInSeconds.isFinite else { return .invalid }
        return item.time(atHostTime: CMTime(seconds: hostTimeInSeconds, preferredTimescale: 1_000_000_000))
    }

    /// Whether the output replaces the rendering of the player; false by default.
    ///
    /// Layers show no frames of an item with such an output for video.
    public var suppressesPlayerRendering: Bool {
        get { suppresses.withLock { $0 } }
        set { suppresses.withLock { $0 = newValue } }
    }

    func attach(to item: AVPlayerItem) -> Bool {
        let reference = WeakReference(item)
        return owner.withLock { owner in
            guard owner.object == nil else { return false }
            owner = reference
            return true
        }
    }

    func detach(from item: AVPlayerItem) {
        owner.withLock { owner in
            if owner.object === item { owner = WeakReference(nil) }
        }
    }

    // Overridden by subclasses.

    /// Reports that the item's time jumped.
    func flush() {}
    /// Loads the media that the output needs, once the item is ready.
    func load(_ asset: AVAsset) throws {}
    /// The times of the item at which the output delivers media, in ascending order.
    var boundaries: [CMTime] { [] }
    /// Reports that playback reached one of the boundaries.
    func playbackReached(_ time: CMTime, isReversed: Bool) {}
    /// Reports the time of an item that became the current one, or whose time jumped.
    func sequenceStarted(at time: CMTime) {}
}
