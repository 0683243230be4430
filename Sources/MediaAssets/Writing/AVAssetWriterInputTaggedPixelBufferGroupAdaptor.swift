import CaptureHAL
public import Foundation
public import MediaTypes

/// Appends groups of pixel buffers, such as the views of stereo video, to a writer input.
///
/// - Note: No encoder of this package writes several views: appending is misuse.
/// - Important: Thread-safe, like its input.
public final class AVAssetWriterInputTaggedPixelBufferGroupAdaptor: NSObject, @unchecked Sendable {
    // SAFETY: constants.
    private let adaptor: AVAssetWriterInputPixelBufferAdaptor

    /// Creates an adaptor.
    ///
    /// - Parameters:
    ///   - input: A video input of a writer that has not started. Any other input is misuse.
    ///   - sourcePixelBufferAttributes: The attributes of the pool's buffers; nil for no pool.
    public init(assetWriterInput input: AVAssetWriterInput, sourcePixelBufferAttributes: [String: Any]? = nil) {
        adaptor = AVAssetWriterInputPixelBufferAdaptor(
            assetWriterInput: input, sourcePixelBufferAttributes: sourcePixelBufferAttributes)
    }

    public var assetWriterInput: AVAssetWriterInput { adaptor.assetWriterInput }
    /// The attributes of the pool's buffers, by `kCVPixelBuffer…` keys.
    public var sourcePixelBufferAttributes: [String: Any]? { adaptor.sourcePixelBufferAttributes }
    /// The pool of buffers; nil before the writer starts, after it ends, and without attributes.
    public var pixelBufferPool: CVPixelBufferPool? { adaptor.pixelBufferPool }

    /// Reports misuse and returns false.
    @discardableResult
    public func appendTaggedBuffers(
        _ taggedBuffers: [CMTaggedBuffer], withPresentationTime presentationTime: CMTime
    ) -> Bool {
        assetWriterInput.system.misuse.report(
            .invalidArgument,
            "-[AVAssetWriterInputTaggedPixelBufferGroupAdaptor appendTaggedPixelBufferGroup:withPresentationTime:] "
                + "the output settings of the input do not encode several views")
        return false
    }
}
