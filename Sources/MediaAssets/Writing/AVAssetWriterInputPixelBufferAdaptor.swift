import AssetTypes
import CaptureHAL
public import Foundation
public import MediaTypes

/// Appends pixel buffers to a writer input and provides a pool to allocate them from.
///
/// - Important: Thread-safe, like its input.
public final class AVAssetWriterInputPixelBufferAdaptor: NSObject, @unchecked Sendable {
    // SAFETY: the constants are values; `pool` is a lock.

    public let assetWriterInput: AVAssetWriterInput
    /// The attributes of the pool's buffers, by `kCVPixelBuffer…` keys.
    public var sourcePixelBufferAttributes: [String: Any]? { attributes }
    // SAFETY: a constant.
    private nonisolated(unsafe) let attributes: [String: Any]?
    private let pool = Lock<CVPixelBufferPool?>(nil)

    /// Creates an adaptor.
    ///
    /// - Parameters:
    ///   - input: A video input of a writer that has not started. Any other input is misuse.
    ///   - sourcePixelBufferAttributes: The attributes of the pool's buffers. The width and the height default to those
    ///     of the output. Nil for no pool.
    public init(assetWriterInput input: AVAssetWriterInput, sourcePixelBufferAttributes: [String: Any]? = nil) {
        assetWriterInput = input
        attributes = sourcePixelBufferAttributes
        super.init()
        input.registerAdaptor(
            "AVAssetWriterInputPixelBufferAdaptor initWithAssetWriterInput:sourcePixelBufferAttributes:",
            rejection: input.mediaType == .video
                ? nil : "the input's media type must be \(AVMediaType.video.rawValue)")
    }

    /// The pool of buffers; nil before the writer starts, after it ends, and without attributes.
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

    /// Appends a frame, which is shown until the next one starts.
    ///
    /// - Returns: False if writing has ended or failed; see the writer's `status`.
    @discardableResult
    public func append(_ pixelBuffer: CVPixelBuffer, withPresentationTime presentationTime: CMTime) -> Bool {
        let method = "AVAssetWriterInputPixelBufferAdaptor appendPixelBuffer:withPresentationTime:"
        guard case .video = assetWriterInput.processing else {
            report(
                .invalidArgument, "appendPixelBuffer:withPresentationTime:",
                "pixel buffers can only be appended to video inputs with output settings")
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
