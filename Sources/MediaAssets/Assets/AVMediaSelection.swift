public import Foundation

/// The selected option of each media selection group of an asset.
///
/// - Important: Thread-safe, immutable.
public class AVMediaSelection: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    // SAFETY: the asset is thread-safe; only the subclass, which is confined, changes `selected`.
    private weak var owner: AVAsset?
    /// The selected option of each group that was changed; a nil option for an empty selection.
    fileprivate var selected: [AVMediaSelectionGroup: AVMediaSelectionOption?] = [:]

    init(of asset: AVAsset?) { owner = asset }

    fileprivate init(_ other: AVMediaSelection) {
        owner = other.owner
        selected = other.selected
    }

    /// The asset; a weak reference.
    public var asset: AVAsset? { owner }

    /// Returns the selected option of a group; nil for an empty selection.
    public func selectedMediaOption(in mediaSelectionGroup: AVMediaSelectionGroup) -> AVMediaSelectionOption? {
        if let choice = selected[mediaSelectionGroup] { return choice }
        return mediaSelectionGroup.defaultOption
    }

    /// Whether no option of the group was selected explicitly, so that selection criteria apply.
    public func mediaSelectionCriteriaCanBeApplied(
        automaticallyTo mediaSelectionGroup: AVMediaSelectionGroup
    ) -> Bool {
        selected[mediaSelectionGroup] == nil
    }

    public func copy(with zone: NSZone? = nil) -> Any { AVMediaSelection(self) }
    public func mutableCopy(with zone: NSZone? = nil) -> Any { AVMutableMediaSelection(self) }
}

/// A selection that can be changed.
///
/// - Important: Confined to one thread at a time.
public class AVMutableMediaSelection: AVMediaSelection, @unchecked Sendable {
    // SAFETY: as its superclass.
    /// Selects an option of a group, or none if the group allows it. An option of another group has no effect.
    public func select(
        _ mediaSelectionOption: AVMediaSelectionOption?, in mediaSelectionGroup: AVMediaSelectionGroup
    ) {
        let isAllowed =
            mediaSelectionOption.map(mediaSelectionGroup.options.contains)
            ?? mediaSelectionGroup.allowsEmptySelection
        if isAllowed { selected.updateValue(mediaSelectionOption, forKey: mediaSelectionGroup) }
    }
}
