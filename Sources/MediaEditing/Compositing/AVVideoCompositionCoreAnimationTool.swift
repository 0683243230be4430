public import Foundation
import MediaAssets
public import MediaTypes
public import QuartzCore

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The `beginTime` of an animation that starts with the movie. It is not 0, because 0 means the time at which the
/// animation is added to its layer.
public let AVCoreAnimationBeginTimeAtZero: CFTimeInterval = 1e-100

/// Draws Core Animation layers and their animations in the frames of a video composition.
///
/// Readers, image generators and exports use it; it cannot be used in an `AVPlayerItem`. Times of animations are on the
/// asset's timeline. Animations should begin at `AVCoreAnimationBeginTimeAtZero` or later, and should not be removed on
/// completion.
///
/// Layers have the coordinates of the render size with the origin at the lower left corner and the y axis up, unless
/// `isGeometryFlipped` is set. Images and text are upright in both cases.
/// - Note: Unlike Apple, image generators use it, too.
/// - Important: Thread-safe. Layers are drawn on the threads that read frames; do not change them at the same time.
public class AVVideoCompositionCoreAnimationTool: NSObject, @unchecked Sendable {
    // SAFETY: immutable; layers are thread-safe.

    /// How the tool uses its layers.
    enum Use {
        /// The animation layer, drawn over black, replaces the composed frame. The video layers show the composed
        /// frame.
        case postProcessing(videoLayers: [CALayer], animationLayer: CALayer)
        /// The layer provides the frames of an additional track.
        case track(CALayer, id: CMPersistentTrackID)
    }

    let use: Use

    /// Creates a tool that shows the composed frames in a layer.
    ///
    /// - Parameters:
    ///   - videoLayer: The layer with the composed frames as its contents; usually in the tree of `animationLayer`.
    ///   - animationLayer: The root of the layer tree that is rendered to the frames of the movie.
    public convenience init(postProcessingAsVideoLayer videoLayer: CALayer, in animationLayer: CALayer) {
        self.init(postProcessingAsVideoLayers: [videoLayer], in: animationLayer)
    }

    /// Creates a tool that shows the composed frames in several layers.
    public init(postProcessingAsVideoLayers videoLayers: [CALayer], in animationLayer: CALayer) {
        use = .postProcessing(videoLayers: videoLayers, animationLayer: animationLayer)
    }

    /// Creates a tool that adds a layer as a track of the render size.
    ///
    /// - Parameter trackID: An ID that no track of the asset has; see `AVAsset.unusedTrackID()`. Layer instructions
    ///   with this ID show the layer.
    public init(additionalLayer layer: CALayer, asTrackID trackID: CMPersistentTrackID) {
        use = .track(layer, id: trackID)
    }

    /// The ID of the track that the tool adds; nil if it adds none.
    var trackID: CMPersistentTrackID? {
        if case .track(_, let id) = use { id } else { nil }
    }
}
