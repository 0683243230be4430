import AssetTypes
public import Foundation
import MediaCodecs
import MediaTypes

/// Mutually exclusive options of an asset: alternative audio or video tracks, or all subtitle tracks.
///
/// - Important: Thread-safe, immutable.
public class AVMediaSelectionGroup: NSObject, NSCopying, @unchecked Sendable {
    // SAFETY: constants.
    public let options: [AVMediaSelectionOption]
    /// The option of the enabled track; the first one if several are enabled. Nil if none is enabled.
    public let defaultOption: AVMediaSelectionOption?
    /// Whether it is possible to select no option: true for subtitles, false for audio and video.
    public let allowsEmptySelection: Bool

    init(_ options: [AVMediaSelectionOption], allowsEmptySelection: Bool) {
        self.options = options
        self.allowsEmptySelection = allowsEmptySelection
        defaultOption = options.first { $0.track.isEnabled }
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    override public func isEqual(_ object: Any?) -> Bool {
        (object as? AVMediaSelectionGroup).map { $0.options == options } ?? false
    }

    override public var hash: Int { options.hashValue }

    /// Returns the option with a given `propertyList()`; nil if there is none.
    public func mediaSelectionOption(withPropertyList plist: Any) -> AVMediaSelectionOption? {
        guard let plist = plist as? [String: Any] else { return nil }
        return options.first { $0.matches(plist) }
    }

    public class func playableMediaSelectionOptions(
        from mediaSelectionOptions: [AVMediaSelectionOption]
    ) -> [AVMediaSelectionOption] {
        mediaSelectionOptions.filter(\.isPlayable)
    }

    /// Returns the options that match a preferred language, each once, in the order of the preferred languages.
    ///
    /// - Parameter preferredLanguages: BCP 47 language tags.
    public class func mediaSelectionOptions(
        from mediaSelectionOptions: [AVMediaSelectionOption],
        filteredAndSortedAccordingToPreferredLanguages preferredLanguages: [String]
    ) -> [AVMediaSelectionOption] {
        mediaSelectionOptions.filteredAndSorted(byPreferredLanguages: preferredLanguages, \.language)
    }

    public class func mediaSelectionOptions(
        from mediaSelectionOptions: [AVMediaSelectionOption], with locale: Locale
    ) -> [AVMediaSelectionOption] {
        let language = LanguageTag(locale.identifier)
        return mediaSelectionOptions.filter { $0.language?.matches(language) ?? false }
    }

    public class func mediaSelectionOptions(
        from mediaSelectionOptions: [AVMediaSelectionOption],
        withMediaCharacteristics mediaCharacteristics: [AVMediaCharacteristic]
    ) -> [AVMediaSelectionOption] {
        mediaSelectionOptions.filter { mediaCharacteristics.allSatisfy($0.hasMediaCharacteristic) }
    }

    public class func mediaSelectionOptions(
        from mediaSelectionOptions: [AVMediaSelectionOption],
        withoutMediaCharacteristics mediaCharacteristics: [AVMediaCharacteristic]
    ) -> [AVMediaSelectionOption] {
        mediaSelectionOptions.filter { !mediaCharacteristics.contains(where: $0.hasMediaCharacteristic) }
    }
}

/// An option for the presentation of an asset, such as the audio track of a language.
///
/// - Important: Thread-safe, immutable.
public class AVMediaSelectionOption: NSObject, NSCopying, @unchecked Sendable {
    // SAFETY: the constant is thread-safe.
    package let track: AVAssetTrack

    init(_ track: AVAssetTrack) { self.track = track }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public var mediaType: AVMediaType { track.mediaType }
    /// The media subtypes of the track's formats.
    public var mediaSubTypes: [NSNumber] {
        track.typedFormatDescriptions.map { NSNumber(value: CMFormatDescriptionGetMediaSubType($0)) }
    }
    public func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool {
        track.hasMediaCharacteristic(mediaCharacteristic)
    }
    public var isPlayable: Bool { track.isPlayable }
    /// The BCP 47 language tag, also for a file with only an ISO 639-2/T code; nil for no language.
    public var extendedLanguageTag: String? { track.languageTag }
    public var locale: Locale? { extendedLanguageTag.map(Locale.init(identifier:)) }
    public var commonMetadata: [AVMetadataItem] { track.commonMetadata }
    public var availableMetadataFormats: [String] { track.availableMetadataFormats.map(\.rawValue) }
    public func metadata(forFormat format: String) -> [AVMetadataItem] {
        track.metadata(forFormat: AVMetadataFormat(rawValue: format))
    }

    /// Returns the option of another group that is to be selected together with this one, according to a track
    /// reference of type `selectionFollower`; nil if there is none.
    public func associatedMediaSelectionOption(
        in mediaSelectionGroup: AVMediaSelectionGroup
    ) -> AVMediaSelectionOption? {
        let followers = track.associatedTracks(ofType: .selectionFollower).map(\.trackID)
        return mediaSelectionGroup.options.first { followers.contains($0.track.trackID) }
    }

    /// A property list that identifies the option in its group; see
    /// `AVMediaSelectionGroup.mediaSelectionOption(withPropertyList:)`.
    public func propertyList() -> Any { identification }

    private var identification: [String: Any] {
        var identification: [String: Any] = ["MediaType": mediaType.rawValue, "TrackID": Int(track.trackID)]
        identification["Language"] = extendedLanguageTag
        return identification
    }

    func matches(_ plist: [String: Any]) -> Bool {
        plist["MediaType"] as? String == mediaType.rawValue && plist["TrackID"] as? Int == Int(track.trackID)
            && (plist["Language"] as? String).map(LanguageTag.init) == language
    }

    /// The language; nil for no language.
    fileprivate var language: LanguageTag? { extendedLanguageTag.map(LanguageTag.init) }

    /// The name to display: the title in the metadata, or the name of the language in the current locale.
    public var displayName: String { displayName(with: .current) }

    /// Returns the name to display: the title in the metadata, or the name of the language in a locale.
    public func displayName(with locale: Locale) -> String {
        let title = AVMetadataItem.metadataItems(
            from: commonMetadata, filteredByIdentifier: .commonIdentifierTitle
        ).first?.stringValue
        if let title { return title }
        let language = extendedLanguageTag.flatMap { locale.localizedString(forIdentifier: $0) }
        return language ?? extendedLanguageTag ?? mediaType.rawValue
    }

    override public func isEqual(_ object: Any?) -> Bool {
        (object as? AVMediaSelectionOption).map { $0.track === track } ?? false
    }

    override public var hash: Int { ObjectIdentifier(track).hashValue }
}

extension AVAsset {
    /// The characteristics for which the asset has a group: a subset of `audible`, `visual` and `legible`.
    public var availableMediaCharacteristicsWithMediaSelectionOptions: [AVMediaCharacteristic] {
        [.audible, .visual, .legible].filter { mediaSelectionGroup(forMediaCharacteristic: $0) != nil }
    }

    /// Returns the group of options with a characteristic; nil if the asset has no alternatives of that kind.
    ///
    /// Audio and video have a group if several tracks are in one alternate group; of several such groups, the one with
    /// the lowest number is used. Subtitles have a group if there is any track.
    public func mediaSelectionGroup(
        forMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) -> AVMediaSelectionGroup? {
        let tracks = tracks(withMediaCharacteristic: mediaCharacteristic)
        switch mediaCharacteristic {
        case .legible:
            return tracks.isEmpty
                ? nil : AVMediaSelectionGroup(tracks.map(AVMediaSelectionOption.init), allowsEmptySelection: true)
        case .audible, .visual:
            let grouped = Dictionary(grouping: tracks.filter { $0.map.alternateGroup != 0 }, by: \.map.alternateGroup)
            let alternatives = grouped.filter { $0.value.count > 1 }.min { $0.key < $1.key }
            return alternatives.map { group in
                AVMediaSelectionGroup(group.value.map(AVMediaSelectionOption.init), allowsEmptySelection: false)
            }
        default: return nil
        }
    }

    public func loadMediaSelectionGroup(
        for mediaCharacteristic: AVMediaCharacteristic
    ) async throws -> AVMediaSelectionGroup? {
        try loadValues()
        return mediaSelectionGroup(forMediaCharacteristic: mediaCharacteristic)
    }

    /// The default option of each group.
    public var preferredMediaSelection: AVMediaSelection { AVMediaSelection(of: self) }

    /// Each combination of options, the preferred one first.
    public var allMediaSelections: [AVMediaSelection] {
        let groups = availableMediaCharacteristicsWithMediaSelectionOptions.compactMap(
            mediaSelectionGroup(forMediaCharacteristic:))
        var selections = [AVMutableMediaSelection(of: self)]
        for group in groups {
            let choices = group.options.map(Optional.some) + (group.allowsEmptySelection ? [nil] : [])
            // The default option first.
            let ordered = choices.filter { $0 == group.defaultOption } + choices.filter { $0 != group.defaultOption }
            selections = selections.flatMap { selection in
                ordered.compactMap { choice in
                    guard let copy = selection.mutableCopy() as? AVMutableMediaSelection else { return nil }
                    copy.select(choice, in: group)
                    return copy
                }
            }
        }
        return selections.compactMap { $0.copy() as? AVMediaSelection }
    }
}

extension AVPartialAsyncProperty where Root: AVAsset {
    public static var availableMediaCharacteristicsWithMediaSelectionOptions:
        AVAsyncProperty<Root, [AVMediaCharacteristic]>
    {
        AVAsyncProperty("availableMediaCharacteristicsWithMediaSelectionOptions") {
            $0.availableMediaCharacteristicsWithMediaSelectionOptions
        }
    }
    public static var preferredMediaSelection: AVAsyncProperty<Root, AVMediaSelection> {
        AVAsyncProperty("preferredMediaSelection") { $0.preferredMediaSelection }
    }
    public static var allMediaSelections: AVAsyncProperty<Root, [AVMediaSelection]> {
        AVAsyncProperty("allMediaSelections") { $0.allMediaSelections }
    }
}
