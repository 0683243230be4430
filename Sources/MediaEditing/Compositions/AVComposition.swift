import AssetTypes
import CaptureHAL
public import Foundation
import MediaAssets
public import MediaTypes

/// An asset that presents parts of the tracks of other assets.
///
/// - Important: Thread-safe. A reader uses the edits of the tracks at the time when it starts.
public class AVComposition: AVAsset, TypedTracks, @unchecked Sendable {
    // SAFETY: all state is behind `state`; the options are not mutated.
    struct State {
        var tracks: [AVCompositionTrack] = []
        var naturalSize: CGSize?
    }

    let state: Lock<State>
    /// The options that the composition was created with; empty by default.
    public let urlAssetInitializationOptions: [String: Any]

    init(system: CaptureSystem, urlAssetInitializationOptions: [String: Any]) {
        self.urlAssetInitializationOptions = urlAssetInitializationOptions
        let state = Lock(State())
        self.state = state
        super.init(system: system) { state.withLock { $0.tracks } }
    }

    /// Creates an empty composition.
    public convenience init() { self.init(system: CaptureSystem.current, urlAssetInitializationOptions: [:]) }

    override public var duration: CMTime { state.withLock { $0.tracks }.map(\.timeRange.end).max() ?? .zero }
    override public var naturalSize: CGSize { state.withLock { $0.naturalSize } ?? super.naturalSize }

    override public func track(withTrackID trackID: CMPersistentTrackID) -> AVCompositionTrack? {
        state.withLock { $0.tracks.first { $0.trackID == trackID } }
    }

    /// Returns an immutable copy.
    override public func copy() -> Any {
        duplicate(
            into: AVComposition(system: system, urlAssetInitializationOptions: urlAssetInitializationOptions),
            AVCompositionTrack.init)
    }

    /// Returns a mutable copy.
    override public func mutableCopy() -> Any {
        duplicate(
            into: AVMutableComposition(system: system, urlAssetInitializationOptions: urlAssetInitializationOptions),
            AVMutableCompositionTrack.init)
    }

    private func duplicate<Copy: AVComposition>(
        into copy: Copy,
        _ makeTrack: (AVMediaType, CMPersistentTrackID, CompositionTrackContents.State, AVComposition) ->
            AVCompositionTrack
    ) -> Copy {
        let state = state.withLock { $0 }
        let tracks = state.tracks.map { makeTrack($0.mediaType, $0.trackID, $0.state.withLock { $0 }, copy) }
        copy.state.withLock { $0 = State(tracks: tracks, naturalSize: state.naturalSize) }
        return copy
    }
}

/// A composition that can be changed.
public final class AVMutableComposition: AVComposition, @unchecked Sendable {
    // SAFETY: as its superclass.

    /// Creates an empty composition.
    public convenience init() { self.init(urlAssetInitializationOptions: nil) }

    /// Creates an empty composition.
    ///
    /// - Parameter URLAssetInitializationOptions: The options of `AVURLAsset`. Copies have the same options. Segments
    ///   open their files without options.
    public convenience init(urlAssetInitializationOptions URLAssetInitializationOptions: [String: Any]?) {
        self.init(
            system: CaptureSystem.current, urlAssetInitializationOptions: URLAssetInitializationOptions ?? [:])
    }

    /// The display size; until it is set, and after it is set to zero, that of the first video track.
    override public var naturalSize: CGSize {
        get { super.naturalSize }
        set { state.withLock { $0.naturalSize = newValue == .zero ? nil : newValue } }
    }

    override public func track(withTrackID trackID: CMPersistentTrackID) -> AVMutableCompositionTrack? {
        super.track(withTrackID: trackID) as? AVMutableCompositionTrack
    }

    /// Adds an empty track.
    ///
    /// - Parameter preferredTrackID: The ID, or `kCMPersistentTrackID_Invalid` to select an unused one.
    /// - Returns: The track; nil if another track has the ID.
    public func addMutableTrack(
        withMediaType mediaType: AVMediaType, preferredTrackID: CMPersistentTrackID
    ) -> AVMutableCompositionTrack? {
        guard preferredTrackID >= 0 else { return nil }
        return state.withLock { state in
            if state.tracks.contains(where: { $0.trackID == preferredTrackID }) { return nil }
            let unused = (state.tracks.map(\.trackID).max() ?? 0) + 1
            let track = AVMutableCompositionTrack(
                mediaType, preferredTrackID == kCMPersistentTrackID_Invalid ? unused : preferredTrackID,
                CompositionTrackContents.State(), of: self)
            state.tracks.append(track)
            return track
        }
    }

    public func removeTrack(_ track: AVCompositionTrack) {
        state.withLock { state in state.tracks.removeAll { $0 === track } }
    }

    /// Returns a track into which the media of another track can be inserted; nil if there is none.
    public func mutableTrack(compatibleWith track: AVAssetTrack) -> AVMutableCompositionTrack? {
        tracks.first { $0.mediaType == track.mediaType }
    }

    /// Inserts a time range of all tracks of an asset. Media at and after the start time moves later.
    ///
    /// Each source track is inserted into a compatible track, or into a new track if there is none. Properties such as
    /// the preferred transform are not copied. The other tracks of the composition are empty for the inserted time.
    /// - Parameter startTime: The time of the insertion; invalid for the end of the composition.
    /// - Throws: An error if the asset cannot be read, or `.invalidSourceMedia` if the range has no media.
    public func insertTimeRange(_ timeRange: CMTimeRange, of asset: AVAsset, at startTime: CMTime) throws {
        let sources = try asset.open().tracks.filter { $0.timeRange.end > timeRange.start }
        guard !sources.isEmpty, timeRange.start.isNumeric, timeRange.duration.isNumeric, timeRange.duration > .zero
        else { throw AVError(.invalidSourceMedia, "\(asset.path) has no media in the time range to insert") }
        let start = startTime.isNumeric ? startTime : duration
        var unused = tracks
        for source in sources {
            let index = unused.firstIndex { $0.mediaType == source.mediaType }
            let track =
                index.map { unused.remove(at: $0) }
                ?? addMutableTrack(withMediaType: source.mediaType, preferredTrackID: kCMPersistentTrackID_Invalid)
            guard let track else { continue }
            let end = start + min(timeRange.duration, source.timeRange.end - timeRange.start)
            let gap = CMTimeRangeFromTimeToTime(start: end, end: start + timeRange.duration)
            try track.insertTimeRange(timeRange, of: source, at: start)
            if gap.duration > .zero { track.insertEmptyTimeRange(gap) }
        }
        for track in unused { track.insertEmptyTimeRange(CMTimeRange(start: start, duration: timeRange.duration)) }
    }

    /// Inserts a part of an asset; see the synchronous method.
    public func insertTimeRange(_ timeRange: CMTimeRange, of asset: AVAsset, at startTime: CMTime) async throws {
        // The type of the closure selects the synchronous method.
        let insert: () throws -> Void = { try self.insertTimeRange(timeRange, of: asset, at: startTime) }
        try insert()
    }

    /// Inserts a part of an asset; see the synchronous method.
    ///
    /// - Parameter completionHandler: Called before the method returns; receives nil, or the error if nothing was
    ///   inserted.
    @preconcurrency
    public func insertTimeRange(
        _ timeRange: CMTimeRange, of asset: AVAsset, at startTime: CMTime,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        do {
            try insertTimeRange(timeRange, of: asset, at: startTime)
            completionHandler(nil)
        } catch {
            completionHandler(error)
        }
    }

    /// Inserts all tracks of an asset with their media, identifiers, properties and references.
    ///
    /// A track without media is not inserted.
    /// - Precondition: The composition is empty.
    package func insertTracks(of asset: AVAsset) throws {
        for source in try asset.open().tracks where source.timeRange.duration > .zero {
            guard let track = addMutableTrack(withMediaType: source.mediaType, preferredTrackID: source.trackID)
            else { throw AVError(.invalidSourceMedia, "\(asset.path) has no valid identifier for \(source.summary)") }
            try track.insertTimeRange(
                CMTimeRangeFromTimeToTime(start: .zero, end: source.timeRange.end), of: source, at: .zero)
            track.copyProperties(of: source)
        }
    }

    /// Inserts an empty range in all tracks.
    public func insertEmptyTimeRange(_ timeRange: CMTimeRange) {
        for track in tracks { track.insertEmptyTimeRange(timeRange) }
    }

    /// Removes a time range from all tracks.
    public func removeTimeRange(_ timeRange: CMTimeRange) {
        for track in tracks { track.removeTimeRange(timeRange) }
    }

    /// Changes the duration of a time range of all tracks.
    public func scaleTimeRange(_ timeRange: CMTimeRange, toDuration duration: CMTime) {
        for track in tracks { track.scaleTimeRange(timeRange, toDuration: duration) }
    }
}

extension AVAsset {
    /// Returns a track whose media can be inserted into a track of a composition; nil if there is none.
    public func compatibleTrack(for compositionTrack: AVCompositionTrack) -> AVAssetTrack? {
        tracks.first { $0.mediaType == compositionTrack.mediaType }
    }

    /// Finds a track whose media can be inserted into a track of a composition.
    ///
    /// - Parameter completionHandler: Called before the method returns; receives the track, or nil without a compatible
    ///   track, or nil and an error if the asset cannot be read.
    @preconcurrency
    public func findCompatibleTrack(
        for compositionTrack: AVCompositionTrack,
        completionHandler: @escaping @Sendable (AVAssetTrack?, (any Error)?) -> Void
    ) {
        do throws(AVError) {
            let tracks = try open().tracks
            completionHandler(tracks.first { $0.mediaType == compositionTrack.mediaType }, nil)
        } catch {
            completionHandler(nil, error)
        }
    }

    /// Returns a track whose media can be inserted into a track of a composition; nil if there is none.
    public func findCompatibleTrack(for compositionTrack: AVCompositionTrack) async throws -> AVAssetTrack? {
        try open().tracks.first { $0.mediaType == compositionTrack.mediaType }
    }
}
