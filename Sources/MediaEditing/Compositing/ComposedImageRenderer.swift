import AssetTypes
import Foundation
import MediaAssets
import MediaTypes
import PixelKernels

/// Renders single images of a video composition.
///
/// - Important: Confined to one thread at a time.
final class ComposedImageRenderer: ImageRenderer {
    private let path: String
    private let frames: ComposedFrameSource
    private let converter = PixelConverter()

    init(
        _ asset: AVAsset, _ composition: AVVideoComposition, _ custom: (any AVVideoCompositing)?
    ) throws(AVError) {
        path = asset.path
        frames = try ComposedFrameSource(composition, of: asset, custom: custom, highQuality: true)
    }

    func image(at time: CMTime, _ options: AVAssetImageGenerator.Options) throws(AVError) -> (CGImage, CMTime) {
        let index = try index(at: time, options)
        let frame = try frames.frame(index)
        let size = options.fit(
            CGSize(width: CVPixelBufferGetWidth(frame), height: CVPixelBufferGetHeight(frame)))
        guard
            let image = CVPixelBuffer(
                width: Int(size.width), height: Int(size.height), pixelFormat: kCVPixelFormatType_32BGRA)
        else { throw AVError(.outOfMemory, "cannot allocate an image of \(size.width)x\(size.height) pixels") }
        do throws(ImageError) {
            try converter.convert(frame, to: image)
        } catch {
            throw AVError(composing: error)
        }
        return (CGImage(pixelBuffer: image), frames.timeRange(of: index).start)
    }

    func presentationTime(at time: CMTime, _ options: AVAssetImageGenerator.Options) throws(AVError) -> CMTime {
        frames.timeRange(of: try index(at: time, options)).start
    }

    /// Returns the index of the frame at a time; after the end, that of the last frame if it is within the tolerance.
    private func index(at time: CMTime, _ options: AVAssetImageGenerator.Options) throws(AVError) -> Int {
        guard time.isNumeric, let index = frames.index(at: time) else { throw AVError(noImageAt: time, of: path) }
        let range = frames.timeRange(of: index)
        guard time < range.end || time - range.start <= options.toleranceBefore else {
            throw AVError(noImageAt: time, of: path)
        }
        return index
    }
}
