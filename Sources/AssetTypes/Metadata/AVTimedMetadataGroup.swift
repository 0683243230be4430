public import Foundation
public import MediaTypes

/// A group of related metadata items.
open class AVMetadataGroup: NSObject, @unchecked Sendable {
    // SAFETY: subclasses keep their state behind locks.

    open var items: [AVMetadataItem] { [] }
}

/// A group of metadata items for a time range, such as a chapter title.
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

    /// Returns a format description of all items, as required for the `sourceFormatHint` of a writer input; nil if an
    /// item has no identifier or no data type.
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

/// A mutable group of timed metadata.
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
