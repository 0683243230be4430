import AssetTypes
import Foundation
import MediaAssets
import MediaTypes
import PixelKernels
import QuartzCore
import VectorGraphics

/// Draws the layers of an animation tool.
///
/// - Important: Confined to one thread at a time.
final class AnimationLayerRenderer {
    private let tool: AVVideoCompositionCoreAnimationTool
    private let context: AVVideoCompositionRenderContext
    private let converter = PixelConverter()
    private var framePool = FramePool()
    private var convertedPool = FramePool()

    init(_ tool: AVVideoCompositionCoreAnimationTool, _ context: AVVideoCompositionRenderContext) {
        self.tool = tool
        self.context = context
    }

    /// Whether the tool processes composed frames.
    var isPostProcessor: Bool { tool.trackID == nil }

    /// The ID of the additional track; nil if the tool adds none.
    var trackID: CMPersistentTrackID? { tool.trackID }

    /// Returns the tool's frame in 32BGRA; the composed frame itself if the tool adds a track instead.
    ///
    /// - Parameter frame: The composed frame, which video layers show. Its pixels must not change afterward.
    func process(_ frame: CVPixelBuffer, at time: CMTime) throws(AVError) -> CVPixelBuffer {
        guard case .postProcessing(let videoLayers, let animationLayer) = tool.use else { return frame }
        let image = CGImage(pixelBuffer: try converted(frame, to: kCVPixelFormatType_32BGRA))
        let result = try newFrame()
        let images = Dictionary(videoLayers.map { ($0, image) }) { first, _ in first }
        try draw(into: result, clear: .black) { graphics in
            animationLayer.render(in: graphics, at: time.seconds, replacingContentsOf: images)
        }
        return result
    }

    /// Returns the frame of the additional track.
    ///
    /// - Parameter format: The pixel format. 32BGRA has premultiplied alpha; other formats have no alpha.
    func trackFrame(at time: CMTime, _ format: OSType) throws(AVError) -> CVPixelBuffer {
        let frame = try newFrame()
        try draw(into: frame, clear: .clear) { self.drawTrack(in: $0, at: time) }
        return try converted(frame, to: format)
    }

    /// Draws the additional track over a buffer in 32BGRA.
    ///
    /// - Parameters:
    ///   - crop: The part that is drawn, in coordinates of the render size with the origin at the top left corner.
    ///   - transform: The transform from these coordinates to those of the composed frame, at the render size.
    ///   - opacity: From 0 to 1.
    func drawTrack(
        at time: CMTime, crop: CGRect, transform: CGAffineTransform, opacity: Float, over target: CVPixelBuffer
    ) throws(AVError) {
        let height = context.videoComposition.renderSize.height
        let flip = CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: height)
        try draw(into: target, clear: nil) { graphics in
            graphics.concatenate(flip.concatenating(transform).concatenating(flip))
            if !crop.isInfinite { graphics.clip(to: crop.applying(flip)) }
            graphics.setAlpha(CGFloat(opacity))
            graphics.beginTransparencyLayer(auxiliaryInfo: nil)
            self.drawTrack(in: graphics, at: time)
            graphics.endTransparencyLayer()
        }
    }

    private func drawTrack(in graphics: CGContext, at time: CMTime) {
        guard case .track(let layer, _) = tool.use else { return }
        graphics.clip(to: CGRect(origin: .zero, size: context.videoComposition.renderSize))
        layer.render(in: graphics, at: time.seconds)
    }

    /// Draws into a buffer. The coordinates are those of the render size, with the origin at the lower left corner.
    ///
    /// - Parameter color: The color with which the buffer is filled first; nil to draw over its contents.
    private func draw(
        into buffer: CVPixelBuffer, clear color: CGColor?, _ body: (CGContext) -> Void
    ) throws(AVError) {
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
        guard let base = CVPixelBufferGetBaseAddress(buffer),
            let graphics = CGContext(
                data: base, width: width, height: height, bitsPerComponent: 8,
                bytesPerRow: CVPixelBufferGetBytesPerRow(buffer), space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGBitmapInfo.byteOrder32Little.rawValue | CGImageAlphaInfo.premultipliedFirst.rawValue)
        else {
            throw AVError(
                .invalidVideoComposition, "the layers of the animation tool cannot be drawn: cairo cannot be loaded")
        }
        let bounds = CGRect(x: 0, y: 0, width: width, height: height)
        if let color {
            graphics.clear(bounds)
            graphics.setFillColor(color)
            graphics.fill(bounds)
        }
        let size = context.videoComposition.renderSize
        graphics.scaleBy(x: CGFloat(width) / size.width, y: CGFloat(height) / size.height)
        body(graphics)
        graphics.flush()
    }

    private func converted(_ frame: CVPixelBuffer, to format: OSType) throws(AVError) -> CVPixelBuffer {
        guard CVPixelBufferGetPixelFormatType(frame) != format else { return frame }
        let (width, height) = (CVPixelBufferGetWidth(frame), CVPixelBufferGetHeight(frame))
        guard let result = convertedPool.buffer(width, height, format) else {
            throw AVError(.outOfMemory, "cannot allocate a frame of \(width)x\(height) pixels")
        }
        do throws(ImageError) {
            try converter.convert(frame, to: result)
        } catch {
            throw AVError(composing: error)
        }
        return result
    }

    private func newFrame() throws(AVError) -> CVPixelBuffer {
        let (width, height) = (Int(context.size.width), Int(context.size.height))
        guard let frame = framePool.buffer(width, height, kCVPixelFormatType_32BGRA) else {
            throw AVError(.outOfMemory, "cannot allocate a frame of \(width)x\(height) pixels")
        }
        context.tag(frame)
        return frame
    }
}
