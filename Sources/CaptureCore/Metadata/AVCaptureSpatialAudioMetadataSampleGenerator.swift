public import Foundation
public import MediaTypes

/// Computes the metadata of spatial audio, which no backend records.
public final class AVCaptureSpatialAudioMetadataSampleGenerator: NSObject, Sendable {
    public override init() { super.init() }

    /// The format of the samples: boxed metadata.
    public var timedMetadataSampleBufferFormatDescription: CMFormatDescription {
        var description: CMFormatDescription?
        let specification: [String: Any] = [
            kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier: "mdta/com.apple.quicktime.spatial-audio",
            kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType: kCMMetadataBaseDataType_RawData,
        ]
        CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
            allocator: nil, metadataType: kCMMetadataFormatType_Boxed, metadataSpecifications: [specification],
            formatDescriptionOut: &description)
        guard let description else { fatalError("the specification of spatial audio metadata is invalid") }
        return description
    }

    /// Analyzes spatial audio.
    ///
    /// - Returns: Always `kCMSampleBufferError_InvalidMediaFormat`, since no audio is spatial.
    public func analyzeAudioSample(_ sbuf: CMSampleBuffer) -> OSStatus { kCMSampleBufferError_InvalidMediaFormat }

    /// Creates the sample of the analyzed audio; nil, since there is none.
    public func newTimedMetadataSampleBufferAndResetAnalyzer() -> Unmanaged<CMSampleBuffer>? { nil }

    /// Discards the analyzed audio.
    public func resetAnalyzer() {}
}
