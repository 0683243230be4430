import CaptureHAL
public import Foundation
import MediaTypes

/// Appends groups of timed metadata to a writer input.
///
/// - Important: Thread-safe, like its input.
public final class AVAssetWriterInputMetadataAdaptor: NSObject, @unchecked Sendable {
    // SAFETY: the only property is constant.
    public let assetWriterInput: AVAssetWriterInput

    /// Creates an adaptor.
    ///
    /// - Parameter input: A metadata input with a source format hint, of a writer that has not started; other inputs
    ///   are misuse.
    public init(assetWriterInput input: AVAssetWriterInput) {
        assetWriterInput = input
        super.init()
        let method = "initWithAssetWriterInput:"
        guard case .metadata = input.processing else {
            report(.invalidArgument, method, "the input must be a metadata input with a source format hint")
            return
        }
        if input.attachment.withLock({ $0.hasStarted }) {
            report(.internalInconsistency, method, "the input's writer has already started")
        } else if !input.registerAdaptor() {
            report(.invalidArgument, method, "the input already has an adaptor")
        }
    }

    /// Appends a group. Its time range must not start before that of the previous group.
    ///
    /// - Returns: False if writing has ended or failed; see the writer's `status`.
    @discardableResult
    public func append(_ timedMetadataGroup: AVTimedMetadataGroup) -> Bool {
        let range = timedMetadataGroup.timeRange
        return assetWriterInput.append(
            .metadata(timedMetadataGroup), end: range.duration.isNumeric ? range.end : range.start,
            method: "AVAssetWriterInputMetadataAdaptor appendTimedMetadataGroup:")
    }

    private func report(_ exception: Misuse.Exception, _ method: String, _ message: String) {
        assetWriterInput.system.misuse.report(exception, "-[AVAssetWriterInputMetadataAdaptor \(method)] \(message)")
    }
}
