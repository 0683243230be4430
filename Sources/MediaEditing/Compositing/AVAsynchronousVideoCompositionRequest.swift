import AssetTypes
import Dispatch
public import Foundation
public import ImageTypes
import MediaAssets
import MediaCodecs
public import MediaTypes

/// A request to a custom compositor for one frame.
///
/// - Important: Thread-safe. Only the first call of a `finish` method has an effect.
public final class AVAsynchronousVideoCompositionRequest: NSObject, @unchecked Sendable {
    // SAFETY: the constants are values and thread-safe objects, and the result is behind a lock.

    /// The result of a request.
    enum Outcome: Sendable {
        case composed(CVPixelBuffer)
        case failed(any Error)
        case cancelled
    }

    public let renderContext: AVVideoCompositionRenderContext
    /// The time of the frame.
    public let compositionTime: CMTime
    public let videoCompositionInstruction: any AVVideoCompositionInstructionProtocol
    private let frames: [CMPersistentTrackID: CVPixelBuffer]
    private let samples: [CMPersistentTrackID: CMSampleBuffer]
    /// The formats of the samples that are timed metadata, by track ID.
    private let metadataFormats: [CMPersistentTrackID: TimedMetadataFormat]
    private let outcome = Lock<Outcome?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    init(
        _ context: AVVideoCompositionRenderContext, _ instruction: any AVVideoCompositionInstructionProtocol,
        at time: CMTime, frames: [CMPersistentTrackID: CVPixelBuffer],
        samples: [CMPersistentTrackID: CMSampleBuffer],
        metadataFormats: [CMPersistentTrackID: TimedMetadataFormat] = [:]
    ) {
        renderContext = context
        videoCompositionInstruction = instruction
        compositionTime = time
        self.frames = frames
        self.samples = samples
        self.metadataFormats = metadataFormats
    }

    /// The IDs of the tracks that have a frame at the time.
    public var sourceTrackIDs: [NSNumber] { frames.keys.sorted().map { NSNumber(value: $0) } }

    /// The IDs of the tracks that have a sample at the time.
    public var sourceSampleDataTrackIDs: [NSNumber] { samples.keys.sorted().map { NSNumber(value: $0) } }

    /// Returns the frame of a track; nil if the track has none at the time, or the instruction does not require it.
    public func sourceFrame(byTrackID trackID: CMPersistentTrackID) -> CVPixelBuffer? { frames[trackID] }

    /// Returns the sample of a track; nil if the track has none at the time, or the instruction does not require it.
    public func sourceSampleBuffer(byTrackID trackID: CMPersistentTrackID) -> CMSampleBuffer? { samples[trackID] }

    /// Returns the timed metadata of a track; nil if the track has none at the time, or if the instruction does not
    /// require it.
    public func sourceTimedMetadata(byTrackID trackID: CMPersistentTrackID) -> AVTimedMetadataGroup? {
        guard let sample = samples[trackID], let format = metadataFormats[trackID] else { return nil }
        return format.group(in: sample)
    }

    /// Finishes the request with a composed frame.
    public func finish(withComposedVideoFrame composedVideoFrame: CVPixelBuffer) {
        finish(.composed(composedVideoFrame))
    }

    /// Finishes the request with an error. The reader, player item, image generation or export that needs the frame
    /// fails.
    public func finish(with error: any Error) { finish(.failed(error)) }

    /// Finishes a request after `cancelAllPendingVideoCompositionRequests()`.
    public func finishCancelledRequest() { finish(.cancelled) }

    private func finish(_ new: Outcome) {
        let isFirst = outcome.withLock { outcome in
            guard outcome == nil else { return false }
            outcome = new
            return true
        }
        if isFirst { isDone.signal() }
    }

    /// Waits until a `finish` method is called.
    func wait() -> Outcome {
        isDone.wait()
        return outcome.withLock { $0 } ?? .cancelled
    }
}

/// A request to a Core Image handler for one frame.
///
/// - Important: Thread-safe.
public final class AVAsynchronousCIImageFilteringRequest: NSObject, @unchecked Sendable {
    // SAFETY: the constants are values and thread-safe objects.

    /// The size of the frame in pixels.
    public let renderSize: CGSize
    /// The time of the frame.
    public let compositionTime: CMTime
    /// The frame of the first enabled video track, upright.
    public let sourceImage: CIImage
    private let request: AVAsynchronousVideoCompositionRequest

    init(_ request: AVAsynchronousVideoCompositionRequest, _ image: CIImage) {
        renderSize = request.renderContext.size
        compositionTime = request.compositionTime
        sourceImage = image
        self.request = request
    }

    /// Finishes the request with an image. It is cropped to the render size; the area that it does not cover is black.
    ///
    /// - Parameter context: Renders the image; nil for a new context.
    public func finish(with filteredImage: CIImage, context: CIContext?) {
        do throws(AVError) {
            let frame = try Self.render(filteredImage, context ?? CIContext(), request.renderContext)
            request.finish(withComposedVideoFrame: frame)
        } catch {
            request.finish(with: error)
        }
    }

    /// Finishes the request with an error. The reader, player item, image generation or export that needs the frame
    /// fails.
    public func finish(with error: any Error) { request.finish(with: error) }

    private static func render(
        _ image: CIImage, _ context: CIContext, _ target: AVVideoCompositionRenderContext
    ) throws(AVError) -> CVPixelBuffer {
        guard let rendered = context.createCGImage(image, from: image.extent), let frame = target.newPixelBuffer()
        else { throw AVError(.outOfMemory, "cannot allocate a filtered frame") }
        // The y axis of the image points up from the bottom of the frame.
        let offset = CGAffineTransform(
            translationX: image.extent.minX, y: target.size.height - image.extent.maxY)
        let compositor = BuiltInCompositor()
        try compositor.fill(frame, with: nil)
        try compositor.draw(rendered.pixelBuffer, transform: offset, over: frame)
        return frame
    }
}
