import ArgumentParser
import AssetTypes
import MediaAssets
import MediaEditing
import MediaTypes
import StrictYAML

/// Tracks of a movie on the command line: `1,2`, `video,audio`, `all,-gpmd` or `-3`.
struct TrackSelection {
    /// A part of the selection, which adds or removes tracks.
    private struct Item {
        let isExclusion: Bool
        let name: String
    }

    /// The names of kinds of tracks, with the media types that they include.
    private static let kinds: [String: [AVMediaType]] = [
        "video": [.video], "audio": [.audio], "metadata": [.metadata], "timecode": [.timecode],
        "subtitles": [.subtitle, .closedCaption, .text, AVMediaType("subt")],
    ]
    private static let names = ["all", "video", "audio", "subtitles", "chapters", "metadata", "timecode"]

    private let items: [Item]

    /// Parses a selection.
    ///
    /// - Throws: `ValidationError` with the expected form.
    init(argument: String) throws {
        items = try argument.split(separator: ",", omittingEmptySubsequences: false).map { part in
            let isExclusion = part.hasPrefix("-")
            let name = String(isExclusion ? part.dropFirst() : part)
            guard Self.names.contains(name) || UInt32(name) != nil || name.count == 4 else {
                throw ValidationError(
                    "there are no tracks \"\(name)\" (numbers and four-character codes, such as 1 or gpmd, are also "
                        + "valid); \(suggestion(for: name, among: Self.names))")
            }
            return Item(isExclusion: isExclusion, name: name)
        }
    }

    /// Returns the identifiers of the selected tracks of a movie.
    ///
    /// - Throws: `CommandFailure` if a part of the selection matches no track, or if no track is selected.
    func trackIDs(of asset: AVAsset, _ movie: String) throws(CommandFailure) -> Set<CMPersistentTrackID> {
        let tracks = asset.tracks
        let chapters = Set(tracks.flatMap { $0.associatedTracks(ofType: .chapterList) }.map(\.trackID))
        // A selection that begins with an exclusion begins with all tracks.
        var selected = Set(items.first?.isExclusion == true ? tracks.map(\.trackID) : [])
        for item in items {
            let matches = tracks.filter { Self.matches($0, item.name, chapters) }.map(\.trackID)
            guard !matches.isEmpty else {
                let list = tracks.map(\.summary).joined(separator: ", ")
                throw CommandFailure("no track of \(movie) is '\(item.name)'; it has \(list)")
            }
            if item.isExclusion { selected.subtract(matches) } else { selected.formUnion(matches) }
        }
        guard !selected.isEmpty else { throw CommandFailure("--tracks selects no track of \(movie)") }
        return selected
    }

    private static func matches(
        _ track: AVAssetTrack, _ name: String, _ chapters: Set<CMPersistentTrackID>
    ) -> Bool {
        if let number = UInt32(name), number == track.map.number { return true }
        switch name {
        case "all": return true
        case "chapters": return chapters.contains(track.trackID)
        case "subtitles" where chapters.contains(track.trackID): return false
        default:
            if let types = kinds[name] { return types.contains(track.mediaType) }
            return track.mediaType.rawValue == name || track.map.sampleEntries.contains { $0.code == name }
        }
    }
}
