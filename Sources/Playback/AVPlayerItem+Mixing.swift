import Foundation
import MediaAssets
public import MediaEditing
import MediaTypes

/// A video composition and the instance of its custom compositor.
struct VideoComposition: Sendable {
    let composition: AVVideoComposition
    /// Nil for the built-in compositor.
    let compositor: (any AVVideoCompositing)?
}

extension AVPlayerItem {
    /// How frames are composed from the video tracks; nil, the default, for the frames of the first enabled track.
    ///
    /// Set it on the main thread. An error of the composition fails the item when a frame is displayed. A composition
    /// with an animation tool is misuse.
    public var videoComposition: AVVideoComposition? {
        get {
            observedProperties.access()
            return storedComposition.withLock { $0?.composition }
        }
        set {
            guard newValue?.animationTool == nil else {
                return system.misuse.report(
                    .invalidArgument,
                    "-[AVPlayerItem setVideoComposition:] a video composition with an animation tool cannot be played: "
                        + "AVVideoCompositionCoreAnimationTool is for readers and exports")
            }
            let copy = newValue?.copy() as? AVVideoComposition
            let compositor = AVVideoComposition.compositor(for: copy, replacing: customVideoCompositor)
            storedComposition.withLock { composition in
                composition = copy.map { VideoComposition(composition: $0, compositor: compositor) }
            }
            discardDisplayedFrames()
            observedProperties.changed(["videoComposition", "presentationSize"])
        }
    }

    /// The instance of the composition's compositor class; nil for the built-in compositor.
    public var customVideoCompositor: (any AVVideoCompositing)? { storedComposition.withLock { $0?.compositor } }

    /// How the enabled audio tracks are mixed; nil, the default, for their preferred volumes.
    ///
    /// A change takes effect immediately.
    public var audioMix: AVAudioMix? {
        get {
            observedProperties.access()
            return mix
        }
        set {
            let copy = newValue?.copy() as? AVAudioMix
            storedMix.withLock { $0 = copy }
            observedProperties.changed()
            player?.itemChanged(self)
        }
    }

    /// The mix. Unlike `audioMix`, it does not report an access to `observedProperties`.
    var mix: AVAudioMix? { storedMix.withLock { $0 } }

    /// The size of frames, and the transform for their display; nil without video.
    var displayGeometry: (size: CGSize, transform: CGAffineTransform)? {
        if let composition = storedComposition.withLock({ $0?.composition }) {
            return (composition.renderSize, .identity)
        }
        return videoTrack.map { ($0.naturalSize, $0.preferredTransform) }
    }

    /// Creates a decoder of frames; nil without video.
    func makeFrameLoader(_ settings: [String: any Sendable]) -> VideoFrameLoader? {
        videoTrack.map { VideoFrameLoader(asset, $0, settings, storedComposition.withLock { $0 }) }
    }
}
