import AssetTypes
public import Foundation
import MediaCodecs
import MediaFiles
import MediaTypes

extension AVAsset {
    /// The languages of the chapter titles; empty without chapters.
    public var availableChapterLocales: [Locale] {
        chapterTracks.map { Locale(identifier: $0.languageTag ?? "und") }
    }

    /// Returns the chapters with titles in the first available preferred language, else in the first language.
    ///
    /// - Parameter preferredLanguages: BCP 47 language tags.
    public func chapterMetadataGroups(bestMatchingPreferredLanguages preferredLanguages: [String])
        -> [AVTimedMetadataGroup]
    {
        let tracks = chapterTracks
        let preferred = tracks.filteredAndSorted(byPreferredLanguages: preferredLanguages) { track in
            track.languageTag.map(LanguageTag.init)
        }
        return (preferred.first ?? tracks.first).map(Self.chapters(of:)) ?? []
    }

    /// Returns the chapters with titles in a language.
    ///
    /// - Note: Unlike Apple, the groups contain only titles: `commonKeys` has no effect.
    public func chapterMetadataGroups(
        withTitleLocale locale: Locale, containingItemsWithCommonKeys commonKeys: [AVMetadataKey]
    ) -> [AVTimedMetadataGroup] {
        let language = LanguageTag(locale.identifier)
        let track = chapterTracks.first { LanguageTag($0.languageTag ?? "und") == language }
        return track.map(Self.chapters(of:)) ?? []
    }

    public func loadChapterMetadataGroups(
        bestMatchingPreferredLanguages preferredLanguages: [String]
    ) async throws -> [AVTimedMetadataGroup] {
        _ = try open()
        return chapterMetadataGroups(bestMatchingPreferredLanguages: preferredLanguages)
    }

    /// The text tracks that other tracks reference as their chapters.
    private var chapterTracks: [AVAssetTrack] {
        var seen: Set<CMPersistentTrackID> = []
        return tracks.flatMap { $0.associatedTracks(ofType: .chapterList) }.filter {
            $0.mediaType == .text && seen.insert($0.trackID).inserted
        }
    }

    private static func chapters(of track: AVAssetTrack) -> [AVTimedMetadataGroup] {
        TimelineSegment.segments(of: track, in: [track.timeRange]).flatMap { segment in
            segment.media.map.samples.runs.compactMap { run -> AVTimedMetadataGroup? in
                let start = max(segment.trackTime(ofTick: run.presentationTime), segment.target.start)
                let end = min(
                    segment.trackTime(ofTick: run.presentationTime + run.totalDuration), segment.target.end)
                // Samples that cannot be read are skipped.
                guard start < end, let bytes = try? segment.media.file.bytes(of: run), let title = title(bytes)
                else { return nil }
                let item = AVMutableMetadataItem()
                item.identifier = .commonIdentifierTitle
                item.value = title as NSString
                item.dataType = kCMMetadataBaseDataType_UTF8
                item.time = start
                item.duration = end - start
                item.extendedLanguageTag = track.languageTag
                return AVTimedMetadataGroup(items: [item], timeRange: CMTimeRange(start: start, end: end))
            }
        }
    }

    /// Returns the text of a sample: a 16-bit big-endian length in bytes, then the text, in UTF-16 if it starts with a
    /// byte order mark and in UTF-8 otherwise (QTFF, "Text Sample Data").
    private static func title(_ bytes: [UInt8]) -> String? {
        guard bytes.count >= 2 else { return nil }
        let text = bytes.dropFirst(2).prefix(Int(bytes[0]) << 8 | Int(bytes[1]))
        if text.starts(with: [0xfe, 0xff]) || text.starts(with: [0xff, 0xfe]) {
            return String(data: Data(text), encoding: .utf16)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
