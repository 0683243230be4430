import AssetTypes
import CaptureHAL
public import Foundation
public import KeyValueObserving
public import MediaAssets
import MediaEditing
public import MediaTypes

/// An asset that a player plays: its state, its time, and its outputs.
///
/// The asset is read when the item is first attached to a player. Can be observed: `status`, `error`, `duration`,
/// `tracks`, `presentationSize`, `loadedTimeRanges`, `seekableTimeRanges`; they change on the main thread.
/// `currentMediaSelection` and the preferences change on the thread that sets them.
/// - Note: Unlike Apple, an item is not confined to the main actor.
/// - Important: Thread-safe.
public class AVPlayerItem: NSObject, KeyValueObserving, @unchecked Sendable {
    // SAFETY: all state is behind `state`; the constants are thread-safe objects.

    /// Whether an item can be played.
    public enum Status: Int, Sendable {
        case unknown = 0
        case readyToPlay = 1
        case failed = 2
    }

    /// A seek that has not completed.
    struct Seek {
        let number: UInt64
        let time: CMTime
        let toleranceBefore: CMTime
        let toleranceAfter: CMTime
        let completion: (@Sendable (Bool) -> Void)?
    }

    struct State {
        var status = Status.unknown
        var error: (any Error)?
        var hasStartedLoading = false
        /// The time while the item is not a player's current one.
        var time = CMTime.zero
        weak var player: AVPlayer?
        var seek: Seek?
        var nextSeek: UInt64 = 0
        var forwardEnd = CMTime.invalid
        var reverseEnd = CMTime.invalid
        var pitchAlgorithm = AVAudioTimePitchAlgorithm.timeDomain
        var outputs: [AVPlayerItemOutput] = []
        /// The decoder of displayed frames, created on first use.
        var frames: VideoFrameLoader?
    }

    public let asset: AVAsset
    public let automaticallyLoadedAssetKeys: [String]
    public let observedProperties: ObservedProperties
    let system: CaptureSystem
    /// Reads the asset and finds key frames.
    let worker: any ClockWorker
    let state = Lock(State())
    /// How frames are composed; nil for the frames of one track.
    let storedComposition = Lock<VideoComposition?>(nil)
    /// How audio tracks are mixed; nil for their preferred volumes.
    let storedMix = Lock<AVAudioMix?>(nil)
    /// Properties that do not affect the timing of playback.
    let preferences = Lock(Preferences())
    /// Which tracks are presented.
    let selections = Lock(TrackSelections())
    /// The statistics of playback and the errors, for the logs.
    let record = Lock(PlaybackRecord())

    /// Creates an item for the file at a URL.
    public convenience init(url: URL) { self.init(asset: AVURLAsset(url: url)) }

    /// Creates an item at time zero.
    public convenience init(asset: AVAsset) { self.init(asset: asset, automaticallyLoadedAssetKeys: []) }

    /// Creates an item at time zero.
    ///
    /// - Parameter automaticallyLoadedAssetKeys: Has no effect, because an asset loads all values together.
    public init(asset: AVAsset, automaticallyLoadedAssetKeys: [String]?) {
        self.asset = asset
        self.automaticallyLoadedAssetKeys = automaticallyLoadedAssetKeys ?? []
        system = .current
        observedProperties = ObservedProperties(system.reference, system.misuse)
        worker = system.clock.makeWorker(label: "AVPlayerItem")
    }

    public var status: Status {
        observedProperties.access()
        return state.withLock { $0.status }
    }

    /// Why the item cannot be played, an `AVError`; nil unless `status` is `.failed`.
    public var error: (any Error)? {
        observedProperties.access()
        return state.withLock { $0.error }
    }

    var isReady: Bool { state.withLock { $0.status == .readyToPlay } }

    /// The duration of the asset; indefinite until the item is ready.
    public var duration: CMTime {
        observedProperties.access("status")
        return isReady ? asset.duration : .indefinite
    }

    /// The size of the displayed video in pixels, after its preferred transform; zero without video, or until ready.
    public var presentationSize: CGSize {
        observedProperties.access("status")
        guard isReady, let (size, transform) = displayGeometry else { return .zero }
        return CGRect(origin: .zero, size: size).applying(transform).standardized.size
    }

    /// All tracks of the asset; empty until the item is ready.
    public var tracks: [AVPlayerItemTrack] {
        observedProperties.access("status")
        return isReady ? asset.tracks.map { AVPlayerItemTrack($0, of: self) } : []
    }

    /// The whole item once it is ready, because files are read on demand.
    public var loadedTimeRanges: [NSValue] { seekableTimeRanges }

    /// The whole item once it is ready.
    public var seekableTimeRanges: [NSValue] {
        observedProperties.access("status")
        return isReady ? [NSValue(timeRange: CMTimeRange(start: .zero, duration: asset.duration))] : []
    }

    public var isPlaybackLikelyToKeepUp: Bool {
        observedProperties.access("status")
        return isReady
    }
    public var isPlaybackBufferFull: Bool { false }
    public var isPlaybackBufferEmpty: Bool {
        observedProperties.access("status")
        return !isReady
    }

    /// Whether rates above 1 are possible.
    public var canPlayFastForward: Bool { canPlay }
    /// Whether rates between 0 and 1 are possible.
    public var canPlaySlowForward: Bool { canPlay }
    /// Whether the rate −1 is possible.
    public var canPlayReverse: Bool { canPlay }
    /// Whether rates between −1 and 0 are possible.
    public var canPlaySlowReverse: Bool { canPlay }
    /// Whether rates below −1 are possible.
    public var canPlayFastReverse: Bool { canPlay }
    public var canStepForward: Bool { canPlay && videoTrack != nil }
    public var canStepBackward: Bool { canPlay && videoTrack != nil }
    private var canPlay: Bool {
        observedProperties.access("status")
        return isReady
    }

    /// The time at which forward playback ends; invalid, the default, for the end of the item.
    public var forwardPlaybackEndTime: CMTime {
        get { state.withLock { $0.forwardEnd } }
        set {
            state.withLock { $0.forwardEnd = newValue }
            player?.itemChanged(self)
        }
    }

    /// The time at which reverse playback ends; invalid, the default, for the start of the item.
    public var reversePlaybackEndTime: CMTime {
        get { state.withLock { $0.reverseEnd } }
        set {
            state.withLock { $0.reverseEnd = newValue }
            player?.itemChanged(self)
        }
    }

    /// The times at which reverse and forward playback end; nil until the item is ready.
    var playbackLimits: (start: CMTime, end: CMTime)? {
        let (status, first, last) = state.withLock { ($0.status, $0.reverseEnd, $0.forwardEnd) }
        guard status == .readyToPlay else { return nil }
        let duration = asset.duration
        return (first.isNumeric ? max(.zero, first) : .zero, last.isNumeric ? min(duration, last) : duration)
    }

    /// How audio keeps its pitch at rates other than 1; `timeDomain` by default.
    public var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
        get {
            observedProperties.access()
            return state.withLock { $0.pitchAlgorithm }
        }
        set {
            state.withLock { $0.pitchAlgorithm = newValue }
            observedProperties.changed()
            player?.itemChanged(self)
        }
    }

    /// The algorithm. Unlike `audioTimePitchAlgorithm`, it does not report an access to `observedProperties`.
    var pitchAlgorithm: AVAudioTimePitchAlgorithm { state.withLock { $0.pitchAlgorithm } }

    // MARK: Loading

    var player: AVPlayer? { state.withLock { $0.player } }

    /// Attaches the item to a player. The first call starts loading.
    ///
    /// - Returns: False if the item is attached to another player.
    func attach(to player: AVPlayer) -> Bool {
        let (isAccepted, isFirst) = state.withLock { state in
            guard state.player == nil || state.player === player else { return (false, false) }
            state.player = player
            defer { state.hasStartedLoading = true }
            return (true, !state.hasStartedLoading)
        }
        if isFirst { load() }
        return isAccepted
    }

    /// The time at which the item starts when it becomes the current one.
    var startTime: CMTime { state.withLock { $0.time } }

    /// Sets the time at which the item starts when it becomes the current one.
    func setStartTime(_ time: CMTime) { state.withLock { $0.time = time } }

    /// Detaches the item from its player.
    func detach() { state.withLock { $0.player = nil } }

    private func load() {
        worker.submit { [weak self, asset, system] in
            let error: (any Error)?
            do {
                try asset.loadValues()
                error = asset.isPlayable ? nil : Self.undecodable(asset)
            } catch let failure {
                error = failure
            }
            system.deliver(on: .main) { [weak self] in self?.finishLoading(error) }
        }
    }

    /// The error for an asset without a track that can be decoded.
    private static func undecodable(_ asset: AVAsset) -> AVError {
        for track in asset.tracks {
            guard let protection = track.protection else { continue }
            return AVError(.contentIsProtected, "track \(track.trackID) of \(track.path) \(protection)")
        }
        return AVError(.decoderNotFound, "the asset has no track that can be decoded")
    }

    private func finishLoading(_ error: (any Error)?) {
        if error == nil { applySelectionCriteria() }
        let seek = state.withLock { state in
            (state.status, state.error) = (error == nil ? .readyToPlay : .failed, error)
            return state.seek
        }
        observedProperties.changed(["status", "error"])
        player?.itemChanged(self)
        if let error { recordFailure(error) }
        if error == nil { for output in outputs { prepare(output) } }
        guard let seek else { return }
        if error == nil { start(seek) } else { cancelPendingSeeks() }
    }

    /// Fails the item, because its media cannot be decoded.
    func fail(_ error: any Error) {
        system.deliver(on: .main) { [self] in
            let isFirst = state.withLock { state in
                guard state.status != .failed else { return false }
                (state.status, state.error) = (.failed, error)
                return true
            }
            guard isFirst else { return }
            observedProperties.changed(["status", "error"])
            player?.itemChanged(self)
            recordFailure(error)
            system.notificationCenter.post(
                name: Self.failedToPlayToEndTimeNotification, object: self,
                userInfo: [AVPlayerItemFailedToPlayToEndTimeErrorKey: error])
        }
    }
}
