import AssetTypes
import Foundation
public import MediaAssets
import MediaTypes

/// Which tracks of an item are presented.
struct TrackSelections: @unchecked Sendable {
    // SAFETY: values and thread-safe objects.

    /// Tracks that the client enabled or disabled.
    var enabled: [CMPersistentTrackID: Bool] = [:]
    /// The options that the client selected; a nil option for an empty selection.
    var chosen: [AVMediaSelectionGroup: AVMediaSelectionOption?] = [:]
    /// The options that the player's criteria selected.
    var automatic: [AVMediaSelectionGroup: AVMediaSelectionOption?] = [:]

    /// The options that replace those of the asset's preferred selection.
    var all: [AVMediaSelectionGroup: AVMediaSelectionOption?] { automatic.merging(chosen) { $1 } }
}

extension AVPlayerItem {
    /// Selects an option of a group, or none if the group allows it. An option of another group has no effect.
    ///
    /// The selected audio or video is presented immediately. Subtitles can be selected, but are not drawn.
    public func select(
        _ mediaSelectionOption: AVMediaSelectionOption?, in mediaSelectionGroup: AVMediaSelectionGroup
    ) {
        let isAllowed =
            mediaSelectionOption.map(mediaSelectionGroup.options.contains) ?? mediaSelectionGroup.allowsEmptySelection
        if isAllowed { changeSelections { $0.chosen.updateValue(mediaSelectionOption, forKey: mediaSelectionGroup) } }
    }

    /// Discards the selection by `select(_:in:)`. The player's criteria select the option; without criteria, the option
    /// of the asset's preferred selection is selected.
    public func selectMediaOptionAutomatically(in mediaSelectionGroup: AVMediaSelectionGroup) {
        changeSelections { $0.chosen[mediaSelectionGroup] = nil }
        applySelectionCriteria()
    }

    /// The selected option of each group; can be observed.
    public var currentMediaSelection: AVMediaSelection {
        observedProperties.access()
        let preferred = asset.preferredMediaSelection
        guard let selection = preferred.mutableCopy() as? AVMutableMediaSelection else { return preferred }
        for (group, option) in selections.withLock({ $0.all }) { selection.select(option, in: group) }
        return selection.copy() as? AVMediaSelection ?? preferred
    }

    /// Returns the selected option of a group; nil for an empty selection.
    @available(*, deprecated, message: "Use currentMediaSelection")
    public func selectedMediaOption(in mediaSelectionGroup: AVMediaSelectionGroup) -> AVMediaSelectionOption? {
        currentMediaSelection.selectedMediaOption(in: mediaSelectionGroup)
    }

    /// Changes which tracks are presented.
    func changeSelections(_ change: (inout TrackSelections) -> Void) {
        selections.withLock { change(&$0) }
        discardDisplayedFrames()
        observedProperties.changed(["currentMediaSelection", "presentationSize"])
        player?.itemChanged(self)
    }

    /// Selects options by the criteria of the player.
    func applySelectionCriteria() {
        guard isReady || status == .unknown, let player, player.appliesMediaSelectionCriteriaAutomatically
        else { return }
        var automatic: [AVMediaSelectionGroup: AVMediaSelectionOption?] = [:]
        for characteristic in asset.availableMediaCharacteristicsWithMediaSelectionOptions {
            guard let criteria = player.mediaSelectionCriteria(forMediaCharacteristic: characteristic),
                let group = asset.mediaSelectionGroup(forMediaCharacteristic: characteristic),
                let option = criteria.option(of: group)
            else { continue }
            automatic.updateValue(option, forKey: group)
        }
        guard automatic != selections.withLock({ $0.automatic }) else { return }
        changeSelections { $0.automatic = automatic }
    }

    /// Whether a track is presented.
    func isPresented(_ track: AVAssetTrack) -> Bool {
        let selections = selections.withLock { $0 }
        if let isEnabled = selections.enabled[track.trackID] { return isEnabled }
        for (group, option) in selections.all where group.options.contains(where: { $0.track === track }) {
            return option?.track === track
        }
        return track.isEnabled
    }

    /// The tracks with media of a type that are presented.
    func presentedTracks(_ type: AVMediaType) -> [AVAssetTrack] {
        asset.tracks.filter { $0.mediaType == type && isPresented($0) }
    }

    /// The video track that is shown; nil without video.
    var videoTrack: AVAssetTrack? {
        if let track = presentedTracks(.video).first { return track }
        // Without an enabled track the first one is shown, unless the client disabled it.
        let first = asset.tracks.firstVideoTrack
        return selections.withLock { selections in
            first.flatMap { selections.enabled[$0.trackID] == false ? nil : $0 }
        }
    }
}
