public import Foundation
import MediaAssets
public import MediaTypes

/// The formats of sound to which spatial audio may be applied.
public struct AVAudioSpatializationFormats: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let monoAndStereo = AVAudioSpatializationFormats(rawValue: 3)
    public static let multichannel = AVAudioSpatializationFormats(rawValue: 4)
    public static let monoStereoAndMultichannel = AVAudioSpatializationFormats(rawValue: 7)
}

/// Variants of a stream that are preferred.
public struct AVVariantPreferences: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let scalabilityToLosslessAudio = AVVariantPreferences(rawValue: 1)
}

extension AVPlayerItem {
    /// Properties without influence on time.
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

    private func preference<Value>(_ path: KeyPath<Preferences, Value>, _ name: String = #function) -> Value {
        observedProperties.access(name)
        return preferences.withLock { $0[keyPath: path] }
    }

    private func setPreference<Value>(
        _ path: WritableKeyPath<Preferences, Value>, _ value: Value, _ name: String = #function
    ) {
        preferences.withLock { $0[keyPath: path] = value }
        observedProperties.changed(name)
    }

    /// Whether a seek completes only when the frame of the `videoComposition` at its time is composed; false by default.
    public var seekingWaitsForVideoCompositionRendering: Bool {
        get { preference(\.waitsForComposition) }
        set { setPreference(\.waitsForComposition, newValue) }
    }
    /// Whether metadata of high dynamic range is applied to each frame; true by default. There is no display.
    public var appliesPerFrameHDRDisplayMetadata: Bool {
        get { preference(\.perFrameMetadata) }
        set { setPreference(\.perFrameMetadata, newValue) }
    }
    /// The formats to which spatial audio may be applied; `multichannel` by default. The sound output is stereo.
    public var allowedAudioSpatializationFormats: AVAudioSpatializationFormats {
        get { preference(\.spatialFormats) }
        set { setPreference(\.spatialFormats, newValue) }
    }
    /// Whether spatial audio may be applied to mono and stereo.
    @available(*, deprecated, message: "Use allowedAudioSpatializationFormats")
    public var isAudioSpatializationAllowed: Bool {
        get { allowedAudioSpatializationFormats.contains(.monoAndStereo) }
        set { allowedAudioSpatializationFormats = newValue ? .monoStereoAndMultichannel : .multichannel }
    }

    // MARK: Network

    /// How many seconds of media are loaded ahead; 0, the default, leaves it to the player.
    ///
    /// Media is read when it is needed, in blocks.
    public var preferredForwardBufferDuration: TimeInterval {
        get { preference(\.forwardBuffer) }
        set { setPreference(\.forwardBuffer, newValue) }
    }
    /// Whether live streams are loaded while paused; false by default. There are no live streams.
    public var canUseNetworkResourcesForLiveStreamingWhilePaused: Bool {
        get { preference(\.usesNetworkWhilePaused) }
        set { setPreference(\.usesNetworkWhilePaused, newValue) }
    }
    /// The greatest bit rate of a variant; 0, the default, for no limit. Files have no variants.
    public var preferredPeakBitRate: Double {
        get { preference(\.peakBitRate) }
        set { setPreference(\.peakBitRate, newValue) }
    }
    /// As `preferredPeakBitRate`, on expensive networks.
    public var preferredPeakBitRateForExpensiveNetworks: Double {
        get { preference(\.expensivePeakBitRate) }
        set { setPreference(\.expensivePeakBitRate, newValue) }
    }
    /// The greatest size of a variant; zero, the default, for no limit. Files have no variants.
    public var preferredMaximumResolution: CGSize {
        get { preference(\.resolution) }
        set { setPreference(\.resolution, newValue) }
    }
    /// As `preferredMaximumResolution`, on expensive networks.
    public var preferredMaximumResolutionForExpensiveNetworks: CGSize {
        get { preference(\.expensiveResolution) }
        set { setPreference(\.expensiveResolution, newValue) }
    }
    /// Whether playback starts with the first variant; false by default. Files have no variants.
    public var startsOnFirstEligibleVariant: Bool {
        get { preference(\.startsOnFirstVariant) }
        set { setPreference(\.startsOnFirstVariant, newValue) }
    }
    /// Variants that are preferred. Files have no variants.
    public var variantPreferences: AVVariantPreferences {
        get { preference(\.variants) }
        set { setPreference(\.variants, newValue) }
    }

    // MARK: Live streams and dates

    /// The distance from the live time; without effect, because files are not live. Invalid by default.
    public var configuredTimeOffsetFromLive: CMTime {
        get { preference(\.offsetFromLive) }
        set { setPreference(\.offsetFromLive, newValue) }
    }
    /// Invalid: files are not live.
    public var recommendedTimeOffsetFromLive: CMTime { .invalid }
    /// Whether the distance from the live time stays after waiting; without effect, because files are not live.
    public var automaticallyPreservesTimeOffsetFromLive: Bool {
        get { preference(\.preservesOffset) }
        set { setPreference(\.preservesOffset, newValue) }
    }
    /// The date of the current time: nil, because the times of files have no dates.
    public func currentDate() -> Date? { nil }

    /// Seeks to a date, which the item does not have: the times of files have no dates.
    ///
    /// - Parameter completionHandler: Not called, because the seek does not start.
    /// - Returns: False.
    public func seek(to date: Date, completionHandler: (@Sendable (Bool) -> Void)?) -> Bool { false }
}

extension AVPlayerItem: NSCopying {
    /// Returns an item of the same asset with the same settings, at time zero; without outputs and a player.
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
