import AssetTypes
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
    /// - Parameter input: A metadata input with a source format hint, of a writer that has not started. Any other input
    ///   is misuse.
    public init(assetWriterInput input: AVAssetWriterInput) {
        assetWriterInput = input
        super.init()
        let isMetadata = if case .metadata = input.processing { true } else { false }
        input.registerAdaptor(
            "AVAssetWriterInputMetadataAdaptor initWithAssetWriterInput:",
            rejection: isMetadata ? nil : "the input must be a metadata input with a source format hint")
    }

    /// Appends a group. It must not start before the end of the previous group, or before the start of a previous group
    /// without a duration.
    ///
    /// - Returns: False if writing has ended or failed; see the writer's `status`.
    @discardableResult
    public func append(_ timedMetadataGroup: AVTimedMetadataGroup) -> Bool {
        let range = timedMetadataGroup.timeRange
        return assetWriterInput.append(
            .metadata(timedMetadataGroup), end: range.duration.isNumeric ? range.end : range.start,
            method: "AVAssetWriterInputMetadataAdaptor appendTimedMetadataGroup:")
    }
}
