import CaptureHAL
public import Foundation
public import KeyValueObserving
public import MediaAssets
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
    private struct Seek {
        let number: UInt64
        let time: CMTime
        let toleranceBefore: CMTime
        let toleranceAfter: CMTime
        let completion: (@Sendable (Bool) -> Void)?
    }

    private struct State {
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
    private let worker: any ClockWorker
    private let state = Lock(State())
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

    /// The tracks that are played; empty until the item is ready.
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
                error =
                    asset.isPlayable ? nil : AVError(.decoderNotFound, "the asset has no track that can be decoded")
            } catch let failure {
                error = failure
            }
            system.deliver(on: .main) { [weak self] in self?.finishLoading(error) }
        }
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

    // MARK: Time

    /// The current time.
    public func currentTime() -> CMTime {
        let (player, time) = state.withLock { ($0.player, $0.time) }
        return player?.time(of: self) ?? time
    }

    /// A timebase with the item's time and rate; nil until the item is a player's current one.
    public var timebase: CMTimebase? { player?.timebase(of: self) }

    /// Returns the item's time at a time of the host clock.
    func time(atHostTime hostTime: CMTime) -> CMTime {
        player?.time(of: self, atHostTime: hostTime) ?? state.withLock { $0.time }
    }

    /// Seeks to the nearest key frame; see the function with tolerances.
    public func seek(to time: CMTime, completionHandler: (@Sendable (Bool) -> Void)?) {
        seek(
            to: time, toleranceBefore: .positiveInfinity, toleranceAfter: .positiveInfinity,
            completionHandler: completionHandler)
    }

    /// Sets the current time to the nearest key frame within the tolerances, or exactly to `time` if there is none.
    ///
    /// A seek that starts before this one completes cancels it. Until the item is ready, the seek waits.
    /// - Parameter completionHandler: Called on the main thread; false if the seek was cancelled.
    public func seek(
        to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime,
        completionHandler: (@Sendable (Bool) -> Void)?
    ) {
        guard time.isValid, !time.isIndefinite else {
            system.misuse.report(
                .invalidArgument, "-[AVPlayerItem seekToTime:] Seeking is not possible to an invalid time")
            if let completionHandler { system.deliver(on: .main) { completionHandler(false) } }
            return
        }
        let (old, seek, status) = state.withLock { state in
            let seek = Seek(
                number: state.nextSeek, time: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter,
                completion: completionHandler)
            defer { state.seek = seek }
            state.nextSeek += 1
            return (state.seek, seek, state.status)
        }
        complete(old, isFinished: false)
        switch status {
        case .unknown: break
        case .readyToPlay: start(seek)
        case .failed: cancelPendingSeeks()
        }
    }

    @discardableResult
    public func seek(to time: CMTime) async -> Bool {
        await seek(to: time, toleranceBefore: .positiveInfinity, toleranceAfter: .positiveInfinity)
    }

    @discardableResult
    public func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) async -> Bool {
        await withCheckedContinuation { continuation in
            seek(to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter) {
                continuation.resume(returning: $0)
            }
        }
    }

    /// Cancels seeks that have not completed.
    public func cancelPendingSeeks() {
        complete(
            state.withLock { state in
                defer { state.seek = nil }
                return state.seek
            }, isFinished: false)
    }

    private func complete(_ seek: Seek?, isFinished: Bool) {
        guard let completion = seek?.completion else { return }
        system.deliver(on: .main) { completion(isFinished) }
    }

    private func start(_ seek: Seek) {
        worker.submit { [weak self, system] in
            guard let self else { return }
            let target = target(of: seek)
            renderComposition(at: target)
            system.deliver(on: .main) { [weak self] in self?.finish(seek, at: target) }
        }
    }

    /// Returns the time that a seek sets.
    private func target(of seek: Seek) -> CMTime {
        let exact = max(.zero, min(seek.time, asset.duration))
        guard seek.toleranceBefore > .zero || seek.toleranceAfter > .zero, videoTrack != nil else { return exact }
        let generator = AVAssetImageGenerator(asset: asset)
        generator.requestedTimeToleranceBefore = seek.toleranceBefore
        generator.requestedTimeToleranceAfter = seek.toleranceAfter
        // Without a frame within the tolerances, such as after the end of the video, the time is exact.
        guard let actual = try? generator.presentationTime(ofImageAt: exact),
            exact - actual <= seek.toleranceBefore, actual - exact <= seek.toleranceAfter
        else { return exact }
        return actual
    }

    private func finish(_ seek: Seek, at time: CMTime) {
        let isCurrent = state.withLock { state in
            guard state.seek?.number == seek.number else { return false }
            state.seek = nil
            return true
        }
        guard isCurrent else { return }
        jump(to: time)
        seek.completion?(true)
    }

    /// Sets the current time immediately.
    func jump(to time: CMTime) {
        state.withLock { $0.time = time }
        player?.jump(self, to: time)
        postJump()
    }

    /// Reports a change of the current time other than by playback.
    func postJump() {
        system.notifications.post(Self.timeJumpedNotification) { [weak self] in self }
        for output in outputs { output.flush() }
        startSequences()
    }

    /// Reports the current time to the outputs if the item is a player's current one.
    func startSequences() {
        guard let time = player?.time(of: self) else { return }
        for output in outputs { output.sequenceStarted(at: time) }
    }

    /// Composes the frame at a time if seeks wait for it; an error fails the item when the frame is displayed.
    private func renderComposition(at time: CMTime) {
        guard seekingWaitsForVideoCompositionRendering, storedComposition.withLock({ $0 != nil }) else { return }
        // The loader keeps the frame. An error occurs again when the frame is displayed.
        _ = try? displayFrames?.frame(at: time)
    }

    /// Steps by a number of frames, backward if it is negative, to the start of a frame. Has no effect without video.
    public func step(byCount stepCount: Int) {
        guard isReady, let loader = displayFrames else { return }
        var time = currentTime()
        do {
            for _ in 0..<abs(stepCount) {
                guard let frame = try loader.frame(at: time, isReversed: stepCount < 0) else { break }
                if stepCount > 0 {
                    guard frame.timeRange.end < asset.duration else { break }
                    time = frame.timeRange.end
                } else {
                    guard frame.timeRange.start > .zero else { break }
                    // One microsecond earlier, the previous frame is displayed.
                    let before = frame.timeRange.start - CMTime(value: 1, timescale: 1_000_000)
                    time = try loader.frame(at: before, isReversed: true)?.timeRange.start ?? .zero
                }
            }
        } catch {
            return fail(error)
        }
        jump(to: time)
    }

    // MARK: Outputs

    public var outputs: [AVPlayerItemOutput] { state.withLock { $0.outputs } }

    public func add(_ output: AVPlayerItemOutput) {
        guard output.attach(to: self) else {
            return system.misuse.report(
                .invalidArgument, "-[AVPlayerItem addOutput:] the output already belongs to an item")
        }
        state.withLock { $0.outputs.append(output) }
        if isReady { prepare(output) }
    }

    /// Loads the media that an output needs.
    private func prepare(_ output: AVPlayerItemOutput) {
        worker.submit { [weak self, asset, system] in
            do {
                try output.load(asset)
            } catch {
                self?.fail(error)
                return
            }
            system.deliver(on: .main) { [weak self] in
                guard let self, output.item === self else { return }
                player?.outputsChanged(of: self)
                if let time = player?.time(of: self) { output.sequenceStarted(at: time) }
            }
        }
    }

    /// The times at which outputs deliver media, in ascending order.
    var outputBoundaries: [CMTime] { Set(outputs.flatMap(\.boundaries)).sorted() }

    public func remove(_ output: AVPlayerItemOutput) {
        state.withLock { $0.outputs.removeAll { $0 === output } }
        output.detach(from: self)
        player?.outputsChanged(of: self)
    }

    /// The decoder of the frames for layers; nil without video.
    private var displayFrames: VideoFrameLoader? {
        if let existing = state.withLock({ $0.frames }) { return existing }
        let new = makeFrameLoader([kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA])
        return state.withLock { state in
            if state.frames == nil { state.frames = new }
            return state.frames
        }
    }

    /// Discards the decoder of displayed frames, and flushes the outputs.
    func discardDisplayedFrames() {
        state.withLock { $0.frames = nil }
        for output in outputs { output.flush() }
    }

    /// Decodes the frame at the current time on the item's worker.
    ///
    /// - Parameter completion: Called on the worker; false if the frame cannot be decoded.
    func decodeFrame(isReversed: Bool, completion: @escaping @Sendable (Bool) -> Void) {
        worker.submit { [weak self] in
            guard let self else { return completion(false) }
            do {
                _ = try displayFrames?.frame(at: currentTime(), isReversed: isReversed)
                completion(true)
            } catch {
                completion(false)
            }
        }
    }

    /// Returns the frame at the current time in BGRA; nil until the item is ready, or without video.
    func displayedFrame() -> CVPixelBuffer? {
        guard isReady, let loader = displayFrames else { return nil }
        do {
            return try loader.frame(at: currentTime(), isReversed: (player?.rate ?? 0) < 0)?.pixelBuffer
        } catch {
            fail(error)
            return nil
        }
    }

    /// Returns the frame that layers show; nil if a video output suppresses the rendering of layers.
    ///
    /// - Parameter settings: The format; nil for 32BGRA.
    func layerFrame(_ settings: [String: any Sendable]? = nil) -> CVPixelBuffer? {
        guard !outputs.contains(where: { $0 is AVPlayerItemVideoOutput && $0.suppressesPlayerRendering }) else {
            return nil
        }
        guard let settings else { return displayedFrame() }
        guard isReady, let loader = makeFrameLoader(settings) else { return nil }
        do {
            return try loader.frame(at: currentTime())?.pixelBuffer
        } catch {
            fail(error)
            return nil
        }
    }
}
