import AssetTypes
import Foundation
import ImageTypes
import MediaAssets
import MediaTypes

/// The instruction of a composition that filters one track with a handler.
final class FilterInstruction: NSObject, AVVideoCompositionInstructionProtocol {
    /// Draws the frames of the track with its preferred transform.
    let upright: AVVideoCompositionInstruction
    let layer: AVVideoCompositionLayerInstruction
    private let handler: @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void

    init(
        _ upright: AVVideoCompositionInstruction, _ layer: AVVideoCompositionLayerInstruction,
        _ handler: @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void
    ) {
        self.upright = upright
        self.layer = layer
        self.handler = handler
    }

    var timeRange: CMTimeRange { upright.timeRange }
    var enablePostProcessing: Bool { true }
    var containsTweening: Bool { true }
    var requiredSourceTrackIDs: [NSValue]? { [NSNumber(value: layer.trackID)] }
    var passthroughTrackID: CMPersistentTrackID { kCMPersistentTrackID_Invalid }

    /// Passes an upright frame to the handler.
    func filter(_ request: AVAsynchronousVideoCompositionRequest, _ frame: CVPixelBuffer) {
        handler(AVAsynchronousCIImageFilteringRequest(request, CIImage(cvPixelBuffer: frame)))
    }
}

extension AVVideoComposition {
    /// Creates a composition that filters the frames of the first enabled video track.
    ///
    /// The composed frames have the times of the track's frames, and the track's size after its preferred transform.
    /// - Parameter applier: Called for each frame, on the thread that reads the frame. It must call a `finish` method
    ///   of the request, immediately or later.
    @preconcurrency
    public convenience init(
        asset: AVAsset,
        applyingCIFiltersWithHandler applier: @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void
    ) {
        self.init()
        filter(asset, applier)
    }

    /// Creates a composition that filters frames; see `init(asset:applyingCIFiltersWithHandler:)`.
    ///
    /// - Throws: An `AVError` if the asset cannot be read or has no video.
    @preconcurrency
    public class func videoComposition(
        with asset: AVAsset,
        applyingCIFiltersWithHandler applier: @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void
    ) async throws -> Self {
        try asset.loadValues()
        guard asset.tracks.firstVideoTrack != nil else {
            throw AVError(.noSourceTrack, "\(asset.path) has no video track to filter")
        }
        let composition = Self()
        composition.filter(asset, applier)
        return composition
    }

    private func filter(
        _ asset: AVAsset, _ applier: @escaping @Sendable (AVAsynchronousCIImageFilteringRequest) -> Void
    ) {
        guard let track = asset.tracks.firstVideoTrack else { return }
        let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
        layer.setTransform([track].layerTransforms[0], at: .zero)
        let upright = AVMutableVideoCompositionInstruction()
        upright.timeRange = CMTimeRange(start: .zero, duration: asset.duration)
        upright.layerInstructions = [layer]
        let (duration, size) = ([track].frameDuration, [track].enclosingSize)
        state.withLock { state in
            state.timingTrackID = track.trackID
            state.frameDuration = duration
            state.renderSize = size
            state.instructions = [FilterInstruction(upright, layer, applier)]
        }
    }
}
