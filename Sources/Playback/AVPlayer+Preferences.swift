public import AssetTypes
public import Foundation
import MediaAssets
import MediaTypes

/// What happens to playback of video when the app enters the background.
public enum AVPlayerAudiovisualBackgroundPlaybackPolicy: Int, Sendable {
    case automatic = 1
    case pauses = 2
    case continuesIfPossible = 3
}

extension AVPlayer {
    /// The HDR formats that a display supports.
    public struct HDRMode: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let hlg = HDRMode(rawValue: 1 << 0)
        public static let hdr10 = HDRMode(rawValue: 1 << 1)
        public static let dolbyVision = HDRMode(rawValue: 1 << 2)
    }

    /// The priority of a player's network requests among those of all players.
    public enum NetworkResourcePriority: Int, Sendable {
        case `default` = 0
        case low = 1
        case high = 2
    }

    /// Properties that do not affect the timing of playback.
    struct Preferences {
        var appliesCriteria = true
        var criteria: [AVMediaCharacteristic: AVPlayerMediaSelectionCriteria] = [:]
        var allowsExternalPlayback = true
        var usesExternalScreen = false
        var externalGravity = AVLayerVideoGravity.resizeAspect
        var preventsSleep = true
        var preventsBackgrounding = true
        var backgroundPolicy = AVPlayerAudiovisualBackgroundPlaybackPolicy.automatic
        var priority = NetworkResourcePriority.default
    }

    /// Never posted: `eligibleForHDRPlayback` does not change.
    public static let eligibleForHDRPlaybackDidChangeNotification = Notification.Name(
        "AVPlayerEligibleForHDRPlaybackDidChangeNotification")

    /// Always empty: there is no display.
    @available(*, deprecated, message: "Use eligibleForHDRPlayback")
    public class var availableHDRModes: HDRMode { [] }
    /// Always false: there is no display.
    public class var eligibleForHDRPlayback: Bool { false }

    /// Whether playback may move to an external device; true by default. Has no effect: there are no external devices.
    public var allowsExternalPlayback: Bool {
        get { observedProperties.value(\.allowsExternalPlayback, in: preferences) }
        set { observedProperties.set(\.allowsExternalPlayback, in: preferences, to: newValue) }
    }
    /// Always false: there are no external devices.
    public var isExternalPlaybackActive: Bool { false }
    public var usesExternalPlaybackWhileExternalScreenIsActive: Bool {
        get { observedProperties.value(\.usesExternalScreen, in: preferences) }
        set { observedProperties.set(\.usesExternalScreen, in: preferences, to: newValue) }
    }
    public var externalPlaybackVideoGravity: AVLayerVideoGravity {
        get { observedProperties.value(\.externalGravity, in: preferences) }
        set { observedProperties.set(\.externalGravity, in: preferences, to: newValue) }
    }
    /// Always false: there is no protected content.
    public var outputObscuredDueToInsufficientExternalProtection: Bool { false }
    /// Always false: the audio route is mixable.
    public var audioOutputSuppressedDueToNonMixableAudioRoute: Bool { false }

    /// Whether the display stays on during playback of video; true by default. Has no effect: there is no display.
    public var preventsDisplaySleepDuringVideoPlayback: Bool {
        get { observedProperties.value(\.preventsSleep, in: preferences) }
        set { observedProperties.set(\.preventsSleep, in: preferences, to: newValue) }
    }
    /// Whether the app stays in the foreground during playback of video; true by default. Has no effect: the system
    /// never moves it to the background.
    public var preventsAutomaticBackgroundingDuringVideoPlayback: Bool {
        get { observedProperties.value(\.preventsBackgrounding, in: preferences) }
        set { observedProperties.set(\.preventsBackgrounding, in: preferences, to: newValue) }
    }
    /// What happens to playback of video when the app enters the background; `automatic` by default.
    ///
    /// An app without the background mode `audio` (`CaptureSystem.backgroundModes`) never plays in the background. With
    /// it, `automatic` pauses items with video that a layer shows, as Apple's Technical Q&A QA1668 describes.
    public var audiovisualBackgroundPlaybackPolicy: AVPlayerAudiovisualBackgroundPlaybackPolicy {
        get { observedProperties.value(\.backgroundPolicy, in: preferences) }
        set { observedProperties.set(\.backgroundPolicy, in: preferences, to: newValue) }
    }
    /// The priority of the player's network requests. Has no effect: each request is sent immediately.
    public var networkResourcePriority: NetworkResourcePriority {
        get { observedProperties.value(\.priority, in: preferences) }
        set { observedProperties.set(\.priority, in: preferences, to: newValue) }
    }

    // MARK: Dates

    /// Has no effect: the times of a movie have no dates.
    public func seek(to date: Date) { _ = currentItem?.seek(to: date, completionHandler: nil) }

    /// Does not seek, because the times of a movie have no dates.
    ///
    /// - Parameter completionHandler: Called on the main thread with false.
    public func seek(to date: Date, completionHandler: @escaping @Sendable (Bool) -> Void) {
        system.deliver(on: .main) { completionHandler(false) }
    }
}
