import AssetTypes
public import Foundation
public import MediaAssets
import MediaTypes

/// A track of an item.
///
/// - Important: Thread-safe.
public final class AVPlayerItemTrack: NSObject, Sendable {
    /// The track of the asset.
    public let assetTrack: AVAssetTrack?
    private let owner: WeakReference<AVPlayerItem>

    init(_ track: AVAssetTrack, of item: AVPlayerItem) {
        assetTrack = track
        owner = WeakReference(item)
    }

    /// Whether the track is presented.
    ///
    /// By default, the tracks that are enabled in the asset are presented. Of alternative tracks, the selected one is
    /// presented.
    public var isEnabled: Bool {
        get {
            guard let assetTrack, let item = owner.object else { return false }
            return item.isPresented(assetTrack)
        }
        set {
            guard let assetTrack, let item = owner.object else { return }
            item.changeSelections { $0.enabled[assetTrack.trackID] = newValue }
        }
    }

    /// The number of video frames that are presented per second; 0 while the item does not play, and for other media.
    public var currentVideoFrameRate: Float {
        guard let assetTrack, assetTrack.mediaType == .video, let item = owner.object, let player = item.player,
            player.currentItem === item, player.timeControlStatus == .playing
        else { return 0 }
        return assetTrack.nominalFrameRate * abs(player.rate)
    }
}
