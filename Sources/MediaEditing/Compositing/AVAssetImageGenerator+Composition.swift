import AssetTypes
import MediaAssets

extension AVAssetImageGenerator {
    private struct Composition: ImageComposition {
        let videoComposition: AVVideoComposition
        /// Nil for the built-in compositor.
        let compositor: (any AVVideoCompositing)?

        func makeRenderer(of asset: AVAsset) throws(AVError) -> any ImageRenderer {
            try ComposedImageRenderer(asset, videoComposition, compositor)
        }
    }

    /// How images are composed from the video tracks; nil, the default, for images of a single track.
    ///
    /// Composed images have the times of the composition's frames. The preferred transform and the aperture mode have
    /// no effect.
    public var videoComposition: AVVideoComposition? {
        get { (composition as? Composition)?.videoComposition }
        set {
            let copy = newValue?.copy() as? AVVideoComposition
            let compositor = AVVideoComposition.compositor(for: copy, replacing: customVideoCompositor)
            composition = copy.map { Composition(videoComposition: $0, compositor: compositor) }
        }
    }

    /// The instance of the composition's compositor class; nil for the built-in compositor.
    public var customVideoCompositor: (any AVVideoCompositing)? { (composition as? Composition)?.compositor }
}
