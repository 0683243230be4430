import Foundation
import MediaAssets
import MediaEditing
import MediaTypes

@testable import Playback

/// A compositor that returns the frames of the first track and records the requested times.
final class RecordingCompositor: NSObject, AVVideoCompositing {
    let sourcePixelBufferAttributes: [String: any Sendable]? = [
        kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA
    ]
    let requiredPixelBufferAttributesForRenderContext: [String: any Sendable] = [
        kCVPixelBufferPixelFormatTypeKey: [kCVPixelFormatType_32BGRA]
    ]
    let times = Lock<[CMTime]>([])
    /// Called with each request before its frame is finished.
    let willFinish = Lock<(@Sendable () -> Void)?>(nil)

    func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext) {}

    func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {
        times.withLock { $0.append(request.compositionTime) }
        willFinish.withLock { $0 }?()
        guard let track = request.sourceTrackIDs.first, let frame = request.sourceFrame(byTrackID: track.int32Value)
        else { return request.finish(with: CocoaError(.coderReadCorrupt)) }
        request.finish(withComposedVideoFrame: frame)
    }

    /// Returns a composition with a frame for each frame of a movie.
    static func composition(of asset: AVAsset) throws -> AVMutableVideoComposition {
        let composition = AVMutableVideoComposition(propertiesOf: asset)
        composition.customVideoCompositorClass = RecordingCompositor.self
        composition.frameDuration = PlaybackFixture.time(1)
        return composition
    }
}
