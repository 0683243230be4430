import AssetTypes
public import Foundation
public import MediaTypes

/// Which references to other files an asset does not follow.
public struct AVAssetReferenceRestrictions: OptionSet, Sendable, Hashable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let forbidRemoteReferenceToLocal = AVAssetReferenceRestrictions(rawValue: 1 << 0)
    public static let forbidLocalReferenceToRemote = AVAssetReferenceRestrictions(rawValue: 1 << 1)
    public static let forbidCrossSiteReference = AVAssetReferenceRestrictions(rawValue: 1 << 2)
    public static let forbidLocalReferenceToLocal = AVAssetReferenceRestrictions(rawValue: 1 << 3)
    public static let forbidAll = AVAssetReferenceRestrictions(rawValue: 0xFFFF)
}

/// Alternative tracks of an asset, such as the languages of an audio track.
///
/// - Important: Thread-safe, immutable.
public final class AVAssetTrackGroup: NSObject, Sendable {
    /// The `CMPersistentTrackID`s of the tracks.
    public let trackIDs: [NSNumber]

    init(_ trackIDs: [CMPersistentTrackID]) {
        self.trackIDs = trackIDs.map { NSNumber(value: $0) }
    }
}

extension AVAsset {
    /// Whether the photo library accepts the file: a movie with a video track that can be decoded.
    public var isCompatibleWithSavedPhotosAlbum: Bool {
        tracks(withMediaType: .video).contains { $0.isDecodable }
    }

    /// False: there is no AirPlay.
    public var isCompatibleWithAirPlayVideo: Bool { false }

    /// All restrictions: no references to other files are followed.
    public var referenceRestrictions: AVAssetReferenceRestrictions { .forbidAll }

    /// The groups of alternative tracks, as the file defines them.
    public var trackGroups: [AVAssetTrackGroup] {
        let tracks = tracks
        let groups = Set(tracks.map(\.map.alternateGroup)).subtracting([0]).sorted()
        return groups.map { group in
            AVAssetTrackGroup(tracks.filter { $0.map.alternateGroup == group }.map(\.trackID))
        }.filter { $0.trackIDs.count > 1 }
    }

    /// Returns an identifier that no track of the asset has.
    public func unusedTrackID() -> CMPersistentTrackID { (tracks.map(\.trackID).max() ?? 0) + 1 }

    /// Finds an identifier that no track of the asset has.
    @preconcurrency
    public func findUnusedTrackID(
        completionHandler: @escaping @Sendable (CMPersistentTrackID, (any Error)?) -> Void
    ) {
        do throws(AVError) {
            _ = try open()
            completionHandler(unusedTrackID(), nil)
        } catch {
            completionHandler(0, error)
        }
    }
}
