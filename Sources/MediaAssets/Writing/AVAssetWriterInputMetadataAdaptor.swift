import CaptureHAL
public import Foundation
import MediaTypes

/// Appends groups of timed metadata to a writer input.
///
/// - Important: Thread-safe, as its input.
public final class AVAssetWriterInputMetadataAdaptor: NSObject, @unchecked Sendable {
    // SAFETY: the one property is constant.
    public let assetWriterInput: AVAssetWriterInput

    /// - Parameter input: One of metadata with a source format hint, not yet written; another is misuse.
    public init(assetWriterInput input: AVAssetWriterInput) {
        assetWriterInput = input
        super.init()
        let method = "initWithAssetWriterInput:"
        guard case .metadata = input.processing else {
            report(.invalidArgument, method, "the input is not one of metadata with a source format hint")
            return
        }
        if input.place.withLock({ $0.hasStarted }) {
            report(.internalInconsistency, method, "the input's writer has started already")
        } else if !input.claim() {
            report(.invalidArgument, method, "the input has an adaptor already")
        }
    }

    /// Appends metadata that hold for the group's time range, after that of the group before.
    ///
    /// - Returns: False where the writing is over or has failed: see the writer's `status`.
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
