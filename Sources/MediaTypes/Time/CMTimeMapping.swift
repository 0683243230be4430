// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// A mapping from a segment of one timeline, the source, to a segment of another, the target.
///
/// In a movie's edit list, the source is the media and the target is the track. An empty edit has an invalid source
/// start.
public struct CMTimeMapping: Sendable {
    /// The range on the source timeline.
    public var source: CMTimeRange
    /// The range on the target timeline; if its duration differs, the source's playback is scaled.
    public var target: CMTimeRange

    /// Creates an invalid mapping.
    public init() {
        self.source = .invalid
        self.target = .invalid
    }

    /// Creates a mapping; see `CMTimeMappingMake`.
    public init(source: CMTimeRange, target: CMTimeRange) {
        self = CMTimeMappingMake(source: source, target: target)
    }

    fileprivate init(uncheckedSource source: CMTimeRange, target: CMTimeRange) {
        self.source = source
        self.target = target
    }

    /// The invalid mapping.
    public static let invalid = CMTimeMapping()

    /// Whether the target is valid.
    public var isValid: Bool { target.isValid }
    /// Whether the mapping is valid and has no source.
    public var isEmpty: Bool { isValid && !source.start.isValid }
}

extension CMTimeMapping: CustomStringConvertible {
    /// Source and target as text.
    public var description: String { "{\(source) -> \(target)}" }
}

/// The invalid mapping.
public let kCMTimeMappingInvalid = CMTimeMapping.invalid

/// Returns a mapping from a source to a target; `.invalid` if a duration's epoch is not 0.
public func CMTimeMappingMake(source: CMTimeRange, target: CMTimeRange) -> CMTimeMapping {
    guard source.duration.epoch == 0 && target.duration.epoch == 0 else { return .invalid }
    return CMTimeMapping(uncheckedSource: source, target: target)
}

/// Returns a mapping without a source; `.invalid` if the duration's epoch is not 0.
public func CMTimeMappingMakeEmpty(target: CMTimeRange) -> CMTimeMapping {
    CMTimeMappingMake(source: .invalid, target: target)
}

/// Whether the mapping is valid.
public func CMTIMEMAPPING_IS_VALID(_ mapping: CMTimeMapping) -> Bool { mapping.isValid }
/// Whether the mapping is not valid.
public func CMTIMEMAPPING_IS_INVALID(_ mapping: CMTimeMapping) -> Bool { !mapping.isValid }
/// Whether the mapping has no source.
public func CMTIMEMAPPING_IS_EMPTY(_ mapping: CMTimeMapping) -> Bool { mapping.isEmpty }

/// The key of a mapping's source in a dictionary.
public let kCMTimeMappingSourceKey: CFString = "source"
/// The key of a mapping's target in a dictionary.
public let kCMTimeMappingTargetKey: CFString = "target"

/// Returns the mapping as a dictionary of two range dictionaries.
public func CMTimeMappingCopyAsDictionary(_ mapping: CMTimeMapping, allocator: CFAllocator?) -> CFDictionary? {
    [
        kCMTimeMappingSourceKey: CMTimeRangeCopyAsDictionary(mapping.source, allocator: allocator) ?? [:],
        kCMTimeMappingTargetKey: CMTimeRangeCopyAsDictionary(mapping.target, allocator: allocator) ?? [:],
    ]
}

/// Returns the mapping in a dictionary of `CMTimeMappingCopyAsDictionary`; `.invalid` if an entry is missing.
public func CMTimeMappingMakeFromDictionary(_ dictionaryRepresentation: CFDictionary) -> CMTimeMapping {
    guard let source = dictionaryRepresentation[kCMTimeMappingSourceKey] as? CFDictionary,
        let target = dictionaryRepresentation[kCMTimeMappingTargetKey] as? CFDictionary
    else { return .invalid }
    return CMTimeMappingMake(
        source: CMTimeRangeMakeFromDictionary(source), target: CMTimeRangeMakeFromDictionary(target))
}

/// Returns the mapping as text.
public func CMTimeMappingCopyDescription(allocator: CFAllocator?, mapping: CMTimeMapping) -> CFString? {
    mapping.description
}

/// Prints the mapping to standard output.
public func CMTimeMappingShow(_ mapping: CMTimeMapping) { print(mapping) }
