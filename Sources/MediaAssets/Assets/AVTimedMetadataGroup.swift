public import Foundation
public import MediaTypes

/// Metadata that belong together.
open class AVMetadataGroup: NSObject, @unchecked Sendable {
    // SAFETY: subclasses keep their state behind locks.

    open var items: [AVMetadataItem] { [] }
}

/// Metadata that hold for a stretch of time, as a chapter's title.
///
/// - Important: Thread-safe.
open class AVTimedMetadataGroup: AVMetadataGroup, @unchecked Sendable {
    // SAFETY: all state is behind `content`.
    let content: Lock<(items: [AVMetadataItem], timeRange: CMTimeRange)>

    public init(items: [AVMetadataItem], timeRange: CMTimeRange) {
        content = Lock((items, timeRange))
        super.init()
    }

    open override var items: [AVMetadataItem] { content.withLock { $0.items } }
    open var timeRange: CMTimeRange { content.withLock { $0.timeRange } }

    /// A format that tells of all items, as a writer input needs it for a hint; nil where one has no data type.
    public func copyFormatDescription() -> CMMetadataFormatDescription? {
        var specifications: [[String: Any]] = []
        for item in items {
            guard let identifier = item.identifier?.rawValue, let type = item.dataType else { return nil }
            var specification: [String: Any] = [
                kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier: identifier,
                kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType: type,
            ]
            specification[kCMMetadataFormatDescriptionMetadataSpecificationKey_ExtendedLanguageTag] =
                item.extendedLanguageTag
            specifications.append(specification)
        }
        var description: CMFormatDescription?
        CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
            allocator: nil, metadataType: kCMMetadataFormatType_Boxed, metadataSpecifications: specifications,
            formatDescriptionOut: &description)
        return description
    }
}

/// Timed metadata that can be changed.
public final class AVMutableTimedMetadataGroup: AVTimedMetadataGroup, @unchecked Sendable {
    // SAFETY: as its superclass.

    public override var items: [AVMetadataItem] {
        get { super.items }
        set { content.withLock { $0.items = newValue } }
    }

    public override var timeRange: CMTimeRange {
        get { super.timeRange }
        set { content.withLock { $0.timeRange = newValue } }
    }
}
