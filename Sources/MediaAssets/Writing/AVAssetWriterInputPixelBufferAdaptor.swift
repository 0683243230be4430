import CaptureHAL
public import Foundation
public import MediaTypes

/// Appends pixel buffers to a writer input without sample buffers around them, and has a pool of such buffers.
///
/// - Important: Thread-safe, as its input.
public final class AVAssetWriterInputPixelBufferAdaptor: NSObject, @unchecked Sendable {
    // SAFETY: the constants are values; `pool` is a lock.

    public let assetWriterInput: AVAssetWriterInput
    /// What the pool's buffers are like, by `kCVPixelBuffer…` keys.
    public var sourcePixelBufferAttributes: [String: Any]? { attributes }
    // SAFETY: never changes.
    private nonisolated(unsafe) let attributes: [String: Any]?
    private let pool = Lock<CVPixelBufferPool?>(nil)

    /// - Parameters:
    ///   - input: One of video that is not yet written; another is misuse.
    ///   - sourcePixelBufferAttributes: What buffers the pool is to make: the pixel format at least. Width and height
    ///     are the output's where not given. nil for no pool.
    public init(assetWriterInput input: AVAssetWriterInput, sourcePixelBufferAttributes: [String: Any]? = nil) {
        assetWriterInput = input
        attributes = sourcePixelBufferAttributes
        super.init()
        let method = "initWithAssetWriterInput:sourcePixelBufferAttributes:"
        if input.mediaType != .video {
            report(.invalidArgument, method, "the input is not of media type \(AVMediaType.video.rawValue)")
        } else if input.place.withLock({ $0.hasStarted }) {
            report(.internalInconsistency, method, "the input's writer has started already")
        } else if !input.claim() {
            report(.invalidArgument, method, "the input has an adaptor already")
        }
    }

    /// Buffers to draw into; nil before the writer has started, after it has ended, and where attributes lack.
    public var pixelBufferPool: CVPixelBufferPool? {
        guard assetWriterInput.writer?.status == .writing, let attributes = poolAttributes else { return nil }
        return pool.withLock { pool in
            if let pool { return pool }
            var new: CVPixelBufferPool?
            CVPixelBufferPoolCreate(nil, nil, attributes, &new)
            pool = new
            return new
        }
    }

    /// Appends a picture; its time counts from the session's start, and it lasts until the next one.
    ///
    /// - Returns: False where the writing is over or has failed: see the writer's `status`.
    @discardableResult
    public func append(_ pixelBuffer: CVPixelBuffer, withPresentationTime presentationTime: CMTime) -> Bool {
        let method = "AVAssetWriterInputPixelBufferAdaptor appendPixelBuffer:withPresentationTime:"
        guard case .video = assetWriterInput.processing else {
            report(
                .invalidArgument, "appendPixelBuffer:withPresentationTime:",
                "pixel buffers can only be appended to inputs with output settings of video")
            return false
        }
        return assetWriterInput.append(
            .pixels(pixelBuffer, at: presentationTime), end: presentationTime, method: method)
    }

    private var poolAttributes: [String: Any]? {
        guard var attributes, case .video(let settings) = assetWriterInput.processing else { return nil }
        if attributes[kCVPixelBufferPixelFormatTypeKey] == nil {
            attributes[kCVPixelBufferPixelFormatTypeKey] = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        }
        let hint = assetWriterInput.sourceFormatHint?.dimensions
        guard let dimensions = settings.dimensions ?? hint else { return attributes }
        if attributes[kCVPixelBufferWidthKey] == nil { attributes[kCVPixelBufferWidthKey] = Int(dimensions.width) }
        if attributes[kCVPixelBufferHeightKey] == nil { attributes[kCVPixelBufferHeightKey] = Int(dimensions.height) }
        return attributes
    }

    private func report(_ exception: Misuse.Exception, _ method: String, _ message: String) {
        assetWriterInput.system.misuse.report(
            exception, "-[AVAssetWriterInputPixelBufferAdaptor \(method)] \(message)")
    }
}
