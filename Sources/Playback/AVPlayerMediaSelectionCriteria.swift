public import Foundation
public import MediaAssets
import MediaTypes

/// Languages and characteristics by which a player selects the options of its items.
///
/// - Important: Thread-safe, immutable.
public final class AVPlayerMediaSelectionCriteria: NSObject, Sendable {
    /// BCP 47 language tags, the most preferred one first; nil for any.
    public let preferredLanguages: [String]?
    /// Characteristics that options should have, the most important one first; nil for any.
    public let preferredMediaCharacteristics: [AVMediaCharacteristic]?
    /// Characteristics that take precedence over languages; nil for none.
    public let principalMediaCharacteristics: [AVMediaCharacteristic]?

    public convenience init(
        preferredLanguages: [String]?, preferredMediaCharacteristics: [AVMediaCharacteristic]?
    ) {
        self.init(
            principalMediaCharacteristics: nil, preferredLanguages: preferredLanguages,
            preferredMediaCharacteristics: preferredMediaCharacteristics)
    }

    public init(
        principalMediaCharacteristics: [AVMediaCharacteristic]?, preferredLanguages: [String]?,
        preferredMediaCharacteristics: [AVMediaCharacteristic]?
    ) {
        self.principalMediaCharacteristics = principalMediaCharacteristics
        self.preferredLanguages = preferredLanguages
        self.preferredMediaCharacteristics = preferredMediaCharacteristics
    }

    /// Returns the option that matches the criteria best; nil to keep the asset's preferred selection.
    func option(of group: AVMediaSelectionGroup) -> AVMediaSelectionOption? {
        var options = AVMediaSelectionGroup.playableMediaSelectionOptions(from: group.options)
        if let principal = principalMediaCharacteristics {
            let fitting = AVMediaSelectionGroup.mediaSelectionOptions(
                from: options, withMediaCharacteristics: principal)
            if !fitting.isEmpty { options = fitting }
        }
        if let languages = preferredLanguages {
            options = AVMediaSelectionGroup.mediaSelectionOptions(
                from: options, filteredAndSortedAccordingToPreferredLanguages: languages)
            // The options of the best language are first. Characteristics select one of them.
            if let first = options.first { options = options.filter { $0.hasSameLanguage(as: first) } }
        }
        for characteristic in preferredMediaCharacteristics ?? [] {
            let fitting = options.filter { $0.hasMediaCharacteristic(characteristic) }
            if !fitting.isEmpty { options = fitting }
        }
        if let own = group.defaultOption, options.contains(own) { return own }
        return options.first
    }
}

extension AVMediaSelectionOption {
    fileprivate func hasSameLanguage(as other: AVMediaSelectionOption) -> Bool {
        extendedLanguageTag == other.extendedLanguageTag
    }
}

extension AVPlayer {
    /// Whether options of items are selected by criteria; true by default.
    public var appliesMediaSelectionCriteriaAutomatically: Bool {
        get { observedProperties.value(\.appliesCriteria, in: preferences) }
        set {
            observedProperties.set(\.appliesCriteria, in: preferences, to: newValue)
            currentItem?.applySelectionCriteria()
        }
    }

    /// Sets the criteria by which options with a characteristic are selected; nil for the asset's preferred selection.
    ///
    /// They apply to the current item and to later items, except for groups with an option that the client selected.
    /// - Parameter mediaCharacteristic: `audible`, `visual` or `legible`.
    public func setMediaSelectionCriteria(
        _ criteria: AVPlayerMediaSelectionCriteria?, forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) {
        preferences.withLock { $0.criteria[mediaCharacteristic] = criteria }
        currentItem?.applySelectionCriteria()
    }

    /// Returns the criteria by which options with a characteristic are selected; nil for none.
    public func mediaSelectionCriteria(
        forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) -> AVPlayerMediaSelectionCriteria? {
        preferences.withLock { $0.criteria[mediaCharacteristic] }
    }
}
