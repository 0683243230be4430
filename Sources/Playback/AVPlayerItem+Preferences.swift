public import Foundation
public import MediaTypes

/// The formats of sound to which spatial audio may be applied.
public struct AVAudioSpatializationFormats: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let monoAndStereo = AVAudioSpatializationFormats(rawValue: 3)
    public static let multichannel = AVAudioSpatializationFormats(rawValue: 4)
    public static let monoStereoAndMultichannel = AVAudioSpatializationFormats(rawValue: 7)
}

/// Preferences among the variants of a stream.
public struct AVVariantPreferences: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let scalabilityToLosslessAudio = AVVariantPreferences(rawValue: 1)
}

extension AVPlayerItem {
    /// Properties that do not affect the timing of playback.
    struct Preferences {
        var waitsForComposition = false
        var perFrameMetadata = true
        var spatialFormats = AVAudioSpatializationFormats.multichannel
        var usesNetworkWhilePaused = false
        var forwardBuffer: TimeInterval = 0
        var peakBitRate = 0.0
        var expensivePeakBitRate = 0.0
        var resolution = CGSize.zero
        var expensiveResolution = CGSize.zero
        var startsOnFirstVariant = false
        var variants: AVVariantPreferences = []
        var offsetFromLive = CMTime.invalid
        var preservesOffset = false
    }

    /// Whether a seek completes only when the frame of the `videoComposition` at its time is composed; false by
    /// default.
    public var seekingWaitsForVideoCompositionRendering: Bool {
        get { observedProperties.value(\.waitsForComposition, in: preferences) }
        set { observedProperties.set(\.waitsForComposition, in: preferences, to: newValue) }
    }
    /// Whether HDR metadata is applied to each frame; true by default. Has no effect: there is no display.
    public var appliesPerFrameHDRDisplayMetadata: Bool {
        get { observedProperties.value(\.perFrameMetadata, in: preferences) }
        set { observedProperties.set(\.perFrameMetadata, in: preferences, to: newValue) }
    }
    /// The formats to which spatial audio may be applied; `multichannel` by default. Has no effect: the sound output is
    /// stereo.
    public var allowedAudioSpatializationFormats: AVAudioSpatializationFormats {
        get { observedProperties.value(\.spatialFormats, in: preferences) }
        set { observedProperties.set(\.spatialFormats, in: preferences, to: newValue) }
    }
    /// Whether spatial audio may be applied to mono and stereo.
    @available(*, deprecated, message: "Use allowedAudioSpatializationFormats")
    public var isAudioSpatializationAllowed: Bool {
        get { allowedAudioSpatializationFormats.contains(.monoAndStereo) }
        set { allowedAudioSpatializationFormats = newValue ? .monoStereoAndMultichannel : .multichannel }
    }

    // MARK: Network

    /// Seconds of media to load ahead; 0, the default, lets the player decide. Has no effect: media is read in blocks
    /// when it is needed.
    public var preferredForwardBufferDuration: TimeInterval {
        get { observedProperties.value(\.forwardBuffer, in: preferences) }
        set { observedProperties.set(\.forwardBuffer, in: preferences, to: newValue) }
    }
    /// Whether live streams are loaded while paused; false by default. Has no effect: there are no live streams.
    public var canUseNetworkResourcesForLiveStreamingWhilePaused: Bool {
        get { observedProperties.value(\.usesNetworkWhilePaused, in: preferences) }
        set { observedProperties.set(\.usesNetworkWhilePaused, in: preferences, to: newValue) }
    }
    /// The maximum bit rate of a variant, in bits per second; 0, the default, for no limit. Has no effect: files have
    /// no variants.
    public var preferredPeakBitRate: Double {
        get { observedProperties.value(\.peakBitRate, in: preferences) }
        set { observedProperties.set(\.peakBitRate, in: preferences, to: newValue) }
    }
    /// Like `preferredPeakBitRate`, for expensive networks.
    public var preferredPeakBitRateForExpensiveNetworks: Double {
        get { observedProperties.value(\.expensivePeakBitRate, in: preferences) }
        set { observedProperties.set(\.expensivePeakBitRate, in: preferences, to: newValue) }
    }
    /// The maximum size of a variant in pixels; zero, the default, for no limit. Has no effect: files have no variants.
    public var preferredMaximumResolution: CGSize {
        get { observedProperties.value(\.resolution, in: preferences) }
        set { observedProperties.set(\.resolution, in: preferences, to: newValue) }
    }
    /// Like `preferredMaximumResolution`, for expensive networks.
    public var preferredMaximumResolutionForExpensiveNetworks: CGSize {
        get { observedProperties.value(\.expensiveResolution, in: preferences) }
        set { observedProperties.set(\.expensiveResolution, in: preferences, to: newValue) }
    }
    /// Whether playback starts with the first variant; false by default. Has no effect: files have no variants.
    public var startsOnFirstEligibleVariant: Bool {
        get { observedProperties.value(\.startsOnFirstVariant, in: preferences) }
        set { observedProperties.set(\.startsOnFirstVariant, in: preferences, to: newValue) }
    }
    /// The preferred variants. Has no effect: files have no variants.
    public var variantPreferences: AVVariantPreferences {
        get { observedProperties.value(\.variants, in: preferences) }
        set { observedProperties.set(\.variants, in: preferences, to: newValue) }
    }

    // MARK: Live streams and dates

    /// The offset from the live time; invalid by default. Has no effect: files are not live.
    public var configuredTimeOffsetFromLive: CMTime {
        get { observedProperties.value(\.offsetFromLive, in: preferences) }
        set { observedProperties.set(\.offsetFromLive, in: preferences, to: newValue) }
    }
    /// Always invalid: files are not live.
    public var recommendedTimeOffsetFromLive: CMTime { .invalid }
    /// Whether the offset from the live time is preserved after buffering. Has no effect: files are not live.
    public var automaticallyPreservesTimeOffsetFromLive: Bool {
        get { observedProperties.value(\.preservesOffset, in: preferences) }
        set { observedProperties.set(\.preservesOffset, in: preferences, to: newValue) }
    }
    /// Always nil: the times of files have no dates.
    public func currentDate() -> Date? { nil }

    /// Does not seek, because the times of files have no dates.
    ///
    /// - Parameter completionHandler: Not called.
    /// - Returns: False.
    public func seek(to date: Date, completionHandler: (@Sendable (Bool) -> Void)?) -> Bool { false }
}

extension AVPlayerItem: NSCopying {
    /// Returns an item of the same asset with the same settings, at time zero, without outputs and without a player.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = system.run { AVPlayerItem(asset: asset, automaticallyLoadedAssetKeys: automaticallyLoadedAssetKeys) }
        copy.forwardPlaybackEndTime = forwardPlaybackEndTime
        copy.reversePlaybackEndTime = reversePlaybackEndTime
        copy.audioTimePitchAlgorithm = pitchAlgorithm
        copy.videoComposition = videoComposition
        copy.audioMix = mix
        let (preferences, selections) = (preferences.withLock { $0 }, selections.withLock { $0 })
        copy.preferences.withLock { $0 = preferences }
        copy.selections.withLock { $0.enabled = selections.enabled }
        copy.selections.withLock { $0.chosen = selections.chosen }
        return copy
    }
}
