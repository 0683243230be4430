public import Foundation
public import MediaTypes
public import QuartzCore

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The begin of an animation at the start of a movie, because 0 means the time when the animation is added.
public let AVCoreAnimationBeginTimeAtZero: CFTimeInterval = 1e-100

/// Draws layers of Core Animation, with their animations, in the frames of a video composition.
///
/// Readers, image generators and exports use it; it cannot be used in an `AVPlayerItem`. Time is that of the asset.
/// Animations should begin at `AVCoreAnimationBeginTimeAtZero` or later, and stay on completion.
///
/// Layers have the coordinates of the render size with the origin at the lower left corner and the y axis up, unless
/// `isGeometryFlipped` turns it down. Images and text are upright in both cases.
/// - Note: Unlike Apple, image generators use it, too.
/// - Important: Thread-safe. Layers are drawn on the threads that read frames; do not change them meanwhile.
public class AVVideoCompositionCoreAnimationTool: NSObject, @unchecked Sendable {
    // SAFETY: immutable; layers are thread-safe.

    /// What the layers are drawn for.
    enum Use {
        /// The layer is drawn over black in place of the composed frame, which the video layers show.
        case postProcessing(videoLayers: [CALayer], animationLayer: CALayer)
        /// The layer is the picture of a track.
        case track(CALayer, id: CMPersistentTrackID)
    }

    let use: Use

    /// Creates a tool that shows composed frames in a layer.
    ///
    /// - Parameters:
    ///   - videoLayer: Shows the frames as its contents; it should be a part of the other layer's tree.
    ///   - animationLayer: The root of the tree that results in the frames of the movie.
    public convenience init(postProcessingAsVideoLayer videoLayer: CALayer, in animationLayer: CALayer) {
        self.init(postProcessingAsVideoLayers: [videoLayer], in: animationLayer)
    }

    /// Creates a tool that shows composed frames in several layers.
    public init(postProcessingAsVideoLayers videoLayers: [CALayer], in animationLayer: CALayer) {
        use = .postProcessing(videoLayers: videoLayers, animationLayer: animationLayer)
    }

    /// Creates a tool that adds a layer as a track of the render size.
    ///
    /// - Parameter trackID: An ID that no track of the asset has, as `AVAsset.unusedTrackID()` returns it. Layer
    ///   instructions with this ID show the layer.
    public init(additionalLayer layer: CALayer, asTrackID trackID: CMPersistentTrackID) {
        use = .track(layer, id: trackID)
    }

    /// The ID of the track that the tool adds; nil if it adds none.
    var trackID: CMPersistentTrackID? {
        if case .track(_, let id) = use { id } else { nil }
    }
}
