import AssetTypes
import MediaAssets
public import MediaTypes

/// Overloads members of `AVAsset` for compositions, with the track classes of compositions as their types.
///
/// A class cannot override a member that returns an array with one that returns an array of a subclass. Overload
/// resolution prefers the members of this protocol to those of `AVAsset`, which are disfavored, and those of
/// `AVMutableComposition` to those of `AVComposition`.
public protocol TypedTracks: AVAsset {}

extension TypedTracks where Self: AVComposition {
    /// All tracks, in the order in which they were added.
    public var tracks: [AVCompositionTrack] { state.withLock { $0.tracks } }

    /// Returns the tracks with media of a type.
    public func tracks(withMediaType mediaType: AVMediaType) -> [AVCompositionTrack] {
        tracks.filter { $0.mediaType == mediaType }
    }

    /// Returns the tracks whose media has a characteristic.
    public func tracks(withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic) -> [AVCompositionTrack] {
        tracks.filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
    }

    /// Returns the track with an ID; nil if there is none.
    public func loadTrack(withTrackID trackID: CMPersistentTrackID) async throws -> AVCompositionTrack? {
        track(withTrackID: trackID)
    }

    /// Returns the tracks with media of a type.
    public func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVCompositionTrack] {
        tracks(withMediaType: mediaType)
    }

    /// Returns the tracks whose media has a characteristic.
    public func loadTracks(
        withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) async throws -> [AVCompositionTrack] {
        tracks(withMediaCharacteristic: mediaCharacteristic)
    }
}

extension TypedTracks where Self: AVMutableComposition {
    /// All tracks, in the order in which they were added.
    public var tracks: [AVMutableCompositionTrack] {
        state.withLock { $0.tracks }.compactMap { $0 as? AVMutableCompositionTrack }
    }

    /// Returns the tracks with media of a type.
    public func tracks(withMediaType mediaType: AVMediaType) -> [AVMutableCompositionTrack] {
        tracks.filter { $0.mediaType == mediaType }
    }

    /// Returns the tracks whose media has a characteristic.
    public func tracks(
        withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) -> [AVMutableCompositionTrack] {
        tracks.filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
    }

    /// Returns the track with an ID; nil if there is none.
    public func loadTrack(withTrackID trackID: CMPersistentTrackID) async throws -> AVMutableCompositionTrack? {
        track(withTrackID: trackID)
    }

    /// Returns the tracks with media of a type.
    public func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVMutableCompositionTrack] {
        tracks(withMediaType: mediaType)
    }

    /// Returns the tracks whose media has a characteristic.
    public func loadTracks(
        withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
    ) async throws -> [AVMutableCompositionTrack] {
        tracks(withMediaCharacteristic: mediaCharacteristic)
    }
}

extension AVPartialAsyncProperty where Root: AVComposition {
    public static var tracks: AVAsyncProperty<Root, [AVCompositionTrack]> {
        AVAsyncProperty("tracks") { $0.tracks }
    }
}

extension AVPartialAsyncProperty where Root: AVMutableComposition {
    public static var tracks: AVAsyncProperty<Root, [AVMutableCompositionTrack]> {
        AVAsyncProperty("tracks") { $0.tracks }
    }
}
