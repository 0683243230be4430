public import Foundation
public import MediaAssets
import MediaTypes

/// What happens to playback of video when the app enters the background.
public enum AVPlayerAudiovisualBackgroundPlaybackPolicy: Int, Sendable {
    case automatic = 1
    case pauses = 2
    case continuesIfPossible = 3
}

extension AVPlayer {
    /// Formats of high dynamic range that a display supports.
    public struct HDRMode: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let hlg = HDRMode(rawValue: 1 << 0)
        public static let hdr10 = HDRMode(rawValue: 1 << 1)
        public static let dolbyVision = HDRMode(rawValue: 1 << 2)
    }

    /// How important the requests of a player are among those of other players.
    public enum NetworkResourcePriority: Int, Sendable {
        case `default` = 0
        case low = 1
        case high = 2
    }

    /// Properties without influence on time.
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

    /// Posted when `eligibleForHDRPlayback` changes; never here.
    public static let eligibleForHDRPlaybackDidChangeNotification = Notification.Name(
        "AVPlayerEligibleForHDRPlaybackDidChangeNotification")

    /// None: there is no display.
    @available(*, deprecated, message: "Use eligibleForHDRPlayback")
    public class var availableHDRModes: HDRMode { [] }
    /// False: there is no display.
    public class var eligibleForHDRPlayback: Bool { false }

    /// Whether other devices may play instead; true by default. There are none.
    public var allowsExternalPlayback: Bool {
        get { observedProperties.value(\.allowsExternalPlayback, in: preferences) }
        set { observedProperties.set(\.allowsExternalPlayback, in: preferences, to: newValue) }
    }
    /// False: there are no other devices that could play.
    public var isExternalPlaybackActive: Bool { false }
    public var usesExternalPlaybackWhileExternalScreenIsActive: Bool {
        get { observedProperties.value(\.usesExternalScreen, in: preferences) }
        set { observedProperties.set(\.usesExternalScreen, in: preferences, to: newValue) }
    }
    public var externalPlaybackVideoGravity: AVLayerVideoGravity {
        get { observedProperties.value(\.externalGravity, in: preferences) }
        set { observedProperties.set(\.externalGravity, in: preferences, to: newValue) }
    }
    /// False: there is no protected content.
    public var outputObscuredDueToInsufficientExternalProtection: Bool { false }
    /// False: the route of the sound can be mixed.
    public var audioOutputSuppressedDueToNonMixableAudioRoute: Bool { false }

    /// Whether a display stays on during playback of video; true by default. There is none.
    public var preventsDisplaySleepDuringVideoPlayback: Bool {
        get { observedProperties.value(\.preventsSleep, in: preferences) }
        set { observedProperties.set(\.preventsSleep, in: preferences, to: newValue) }
    }
    /// Whether the app stays in the foreground during playback of video; true by default. No system sends it elsewhere.
    public var preventsAutomaticBackgroundingDuringVideoPlayback: Bool {
        get { observedProperties.value(\.preventsBackgrounding, in: preferences) }
        set { observedProperties.set(\.preventsBackgrounding, in: preferences, to: newValue) }
    }
    /// What happens to playback of video when the app enters the background; `automatic` by default.
    ///
    /// - Note: Unlike Apple, playback continues with each policy.
    public var audiovisualBackgroundPlaybackPolicy: AVPlayerAudiovisualBackgroundPlaybackPolicy {
        get { observedProperties.value(\.backgroundPolicy, in: preferences) }
        set { observedProperties.set(\.backgroundPolicy, in: preferences, to: newValue) }
    }
    /// The importance of the player's requests; each is sent at once.
    public var networkResourcePriority: NetworkResourcePriority {
        get { observedProperties.value(\.priority, in: preferences) }
        set { observedProperties.set(\.priority, in: preferences, to: newValue) }
    }

    // MARK: Dates

    /// Seeks to a date, which the movie does not have: its times have no dates. Has no effect.
    public func seek(to date: Date) { _ = currentItem?.seek(to: date, completionHandler: nil) }

    /// Seeks to a date, which the movie does not have: its times have no dates.
    ///
    /// - Parameter completionHandler: Called on the main thread with false.
    public func seek(to date: Date, completionHandler: @escaping @Sendable (Bool) -> Void) {
        system.deliver(on: .main) { completionHandler(false) }
    }
}
