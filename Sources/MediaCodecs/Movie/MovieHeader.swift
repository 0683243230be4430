import Foundation
import MediaTypes

/// Builds the `moov` box: the index of a finished movie, or the header of a fragmented one.
struct MovieHeader {
    let container: MovieContainer
    let metadata: MovieMetadata
    let tracks: [MovieTrack]
    /// Whether fragments follow. In that case the sample tables are empty and the durations are 0.
    let isFragmented: Bool
    /// The movie's time scale in ticks per second; 0 for the lowest that represents the durations of all tracks
    /// exactly.
    var movieTimescale: CMTimeScale = 0
    /// The parts of a copied movie.
    var storedBoxes = StoredMovieBoxes()

    private var timescale: CMTimeScale {
        if movieTimescale > 0 { return movieTimescale }
        var common = ExactTimescale()
        for track in tracks {
            guard common.include(Int64(track.timescale)) else { return tracks.map(\.timescale).max() ?? 600 }
        }
        for edit in tracks.compactMap(\.customEdits).joined() { common.includeValue(of: edit.duration) }
        return common.value
    }

    func build() -> [UInt8] {
        var builder = BoxBuilder()
        let timescale = self.timescale
        builder.box("moov") { moov in
            appendMovieHeader(timescale, to: &moov)
            for track in writtenTracks {
                appendTrack(track, timescale, to: &moov)
            }
            if isFragmented { appendExtends(to: &moov) }
            for box in storedBoxes.movieBoxes { moov.data(box) }
            MetadataBoxes(metadata: metadata, container: container).append(to: &moov)
        }
        return builder.bytes
    }

    /// The tracks in the movie.
    private var writtenTracks: [MovieTrack] { tracks.filter { isFragmented || $0.isInFinishedMovie } }

    /// The boxes of a copied track's source; nil for other tracks, and if they are of the other family of files.
    private func storedBoxes(_ track: MovieTrack) -> StoredTrackBoxes? {
        track.configuration.storedBoxes.flatMap { $0.isQuickTime == (container == .mov) ? $0 : nil }
    }

    /// `mvhd` (ISO/IEC 14496-12, 8.2.2).
    private func appendMovieHeader(_ timescale: CMTimeScale, to builder: inout BoxBuilder) {
        let duration =
            isFragmented
            ? 0 : tracks.map { movieDuration(of: $0, timescale) }.max() ?? 0
        let isLong = duration > Int64(UInt32.max)
        builder.fullBox("mvhd", version: isLong ? 1 : 0) { box in
            appendTimes(timescale, duration, isLong: isLong, to: &box)
            if let header = storedBoxes.header {
                box.data(header)
            } else {
                box.fixed(1, fractionBits: 16)
                box.unsigned16(0x100)
                box.zeros(10)
                appendMatrix(.identity, to: &box)
                box.zeros(24)
            }
            box.unsigned32((tracks.map(\.number).max() ?? 0) &+ 1)
        }
    }

    /// Appends creation and modification time, timescale and duration, the common beginning of `mvhd` and `mdhd`.
    private func appendTimes(
        _ timescale: CMTimeScale, _ duration: Int64, isLong: Bool, to builder: inout BoxBuilder
    ) {
        appendCreation(isLong: isLong, to: &builder)
        builder.unsigned32(UInt32(timescale))
        if isLong { builder.signed64(duration) } else { builder.unsigned32(UInt32(duration)) }
    }

    private func appendCreation(isLong: Bool, to builder: inout BoxBuilder) {
        for _ in 0..<2 {
            if isLong {
                builder.unsigned64(metadata.creationTime)
            } else {
                builder.unsigned32(UInt32(clamping: metadata.creationTime))
            }
        }
    }

    /// Appends the matrix {a b u, c d v, tx ty w}; u, v and w have 30 fraction bits (ISO/IEC 14496-12, 6.2.2).
    private func appendMatrix(
        _ transform: CGAffineTransform,
        perspective: SIMD3<Int32> = MovieTrackConfiguration.affinePerspective, to builder: inout BoxBuilder
    ) {
        let rows = [
            (transform.a, transform.b, perspective.x), (transform.c, transform.d, perspective.y),
            (transform.tx, transform.ty, perspective.z),
        ]
        for (first, second, third) in rows {
            builder.fixed(first, fractionBits: 16)
            builder.fixed(second, fractionBits: 16)
            builder.signed32(third)
        }
    }

    private func appendTrack(_ track: MovieTrack, _ timescale: CMTimeScale, to builder: inout BoxBuilder) {
        let stored = storedBoxes(track)
        builder.box("trak") { trak in
            appendTrackHeader(track, timescale, to: &trak)
            appendEdits(of: track, timescale, to: &trak)
            appendReferences(of: track, to: &trak)
            trak.box("mdia") { mdia in
                let duration = isFragmented ? 0 : track.table.duration
                let isLong = duration > Int64(UInt32.max)
                mdia.fullBox("mdhd", version: isLong ? 1 : 0) { box in
                    appendTimes(track.timescale, duration, isLong: isLong, to: &box)
                    box.unsigned16(stored?.language ?? Self.code(ofLanguage: track.configuration.language))
                    box.unsigned16(0)
                }
                if let tag = track.configuration.extendedLanguageTag {
                    mdia.fullBox("elng") { $0.data(tag.utf8 + [0]) }
                }
                if let handler = stored?.handler {
                    mdia.data(handler)
                } else {
                    appendHandler(track.configuration.format.handler, component: "mhlr", to: &mdia)
                }
                appendMediaInformation(track, to: &mdia)
            }
            for box in stored?.trackBoxes ?? [] { trak.data(box) }
            MetadataBoxes(metadata: track.configuration.metadata, container: container).append(to: &trak)
        }
    }

    /// Returns a language code: three letters of five bits each (ISO/IEC 14496-12, 8.4.2.3); "und" for invalid codes.
    private static func code(ofLanguage language: String) -> UInt16 {
        let letters = Array(language.utf8)
        guard letters.count == 3, letters.allSatisfy({ (0x61...0x7a).contains($0) }) else { return 0x55c4 }
        return letters.reduce(0) { $0 << 5 | UInt16($1 - 0x60) }
    }

    /// Appends `tref` (ISO/IEC 14496-12, 8.3.3) with the references to tracks that are in the movie.
    private func appendReferences(of track: MovieTrack, to builder: inout BoxBuilder) {
        let present = Set(writtenTracks.map(\.number))
        let references = track.references.filter { present.contains($0.number) }
        guard !references.isEmpty else { return }
        builder.box("tref") { tref in
            let known = MovieTrackRelation.allCases.map(\.rawValue)
            for type in known + Set(references.map(\.type)).subtracting(known).sorted() {
                let numbers = references.filter { $0.type == type }.map(\.number)
                guard !numbers.isEmpty else { continue }
                tref.box(type) { box in for number in numbers { box.unsigned32(number) } }
            }
        }
    }

    /// Appends `tkhd` (ISO/IEC 14496-12, 8.3.2) with the flags in movie, in preview and, if it applies, enabled.
    private func appendTrackHeader(_ track: MovieTrack, _ timescale: CMTimeScale, to builder: inout BoxBuilder) {
        let duration = isFragmented ? 0 : movieDuration(of: track, timescale)
        let isLong = duration > Int64(UInt32.max)
        let flags: UInt32 = track.configuration.isEnabled ? 7 : 6
        builder.fullBox("tkhd", version: isLong ? 1 : 0, flags: flags) { box in
            appendCreation(isLong: isLong, to: &box)
            box.unsigned32(track.number)
            box.unsigned32(0)
            if isLong { box.signed64(duration) } else { box.unsigned32(UInt32(duration)) }
            box.zeros(8)
            box.signed16(track.configuration.layer)
            box.signed16(track.configuration.alternateGroup)
            let hasVolume = track.configuration.format.handler == "soun" || track.configuration.storedBoxes != nil
            box.signed16(hasVolume ? Int16(clamping: Int((track.configuration.volume * 256).rounded())) : 0)
            box.unsigned16(0)
            appendMatrix(track.configuration.transform, perspective: track.configuration.perspective, to: &box)
            if let (width, height) = Self.size(of: track.configuration) {
                box.fixed(width, fractionBits: 16)
                box.fixed(height, fractionBits: 16)
            } else {
                box.zeros(8)
            }
        }
    }

    /// Returns the display size of a track before its matrix; nil for tracks that have none.
    private static func size(of track: MovieTrackConfiguration) -> (width: Double, height: Double)? {
        let size = track.presentationSize.map { (width: Double($0.width), height: Double($0.height)) }
        return switch track.format {
        case .video(let video): size ?? video.presentationSize
        case .subtitle, .stored: size
        case .audio, .timecode, .metadata, .text: nil
        }
    }

    /// Returns the entries of a track's edit list: durations in ticks of the movie, rounded so that errors do not
    /// accumulate, and media times in ticks of the track; -1 for an empty edit.
    private func edits(
        of track: MovieTrack, _ timescale: CMTimeScale
    ) -> [(duration: Int64, mediaTime: Int64, rate: Double)] {
        var (end, endTicks) = (CMTime.zero, Int64(0))
        var entries: [(duration: Int64, mediaTime: Int64, rate: Double)] = []
        // Fragments contain the composition offsets of the samples unchanged.
        let shift = isFragmented ? 0 : track.table.compositionShift
        for edit in track.edits {
            end = end + edit.duration
            let next = CMTimeConvertScale(end, timescale: timescale, method: .roundHalfAwayFromZero).value
            if edit.mediaTime != nil || next > endTicks {
                let mediaTime = edit.mediaTime.map { max(0, $0 + shift) } ?? -1
                entries.append((next - endTicks, mediaTime, edit.rate))
            }
            endTicks = next
        }
        // In a fragmented movie a duration of 0 means until the end (ISO/IEC 14496-12, 8.6.6.1).
        if isFragmented, let last = entries.indices.last { entries[last].duration = 0 }
        return entries
    }

    /// Appends `edts` (ISO/IEC 14496-12, 8.6.5 and 8.6.6).
    private func appendEdits(of track: MovieTrack, _ timescale: CMTimeScale, to builder: inout BoxBuilder) {
        let entries = edits(of: track, timescale)
        guard !entries.isEmpty, !isFragmented || entries.count > 1 || entries[0].mediaTime != 0 else { return }
        let isLong = entries.contains { $0.duration > Int64(UInt32.max) || $0.mediaTime > Int64(Int32.max) }
        builder.box("edts") { edts in
            edts.fullBox("elst", version: isLong ? 1 : 0) { box in
                box.unsigned32(UInt32(entries.count))
                for entry in entries {
                    if isLong {
                        box.signed64(entry.duration)
                        box.signed64(entry.mediaTime)
                    } else {
                        box.unsigned32(UInt32(entry.duration))
                        box.signed32(Int32(entry.mediaTime))
                    }
                    box.fixed(entry.rate, fractionBits: 16)
                }
            }
        }
    }

    /// Appends `hdlr`: ISO/IEC 14496-12, 8.4.3, or QTFF, "Handler Reference Atoms", with a component type and a counted
    /// name.
    private func appendHandler(_ kind: String, component: String, to builder: inout BoxBuilder) {
        let name =
            switch kind {
            case "vide": "Video"
            case "soun": "Sound"
            case "tmcd": "Time Code"
            case "meta": "Metadata"
            case "text": "Text"
            case "sbtl": "Subtitle"
            default: "Data"
            }
        builder.fullBox("hdlr") { box in
            if container == .mov { box.code(component) } else { box.unsigned32(0) }
            box.code(kind)
            box.zeros(12)
            if container == .mov {
                box.unsigned8(UInt8(name.utf8.count))
                box.data(name.utf8)
            } else {
                box.data(name.utf8)
                box.unsigned8(0)
            }
        }
    }

    private func appendMediaInformation(_ track: MovieTrack, to builder: inout BoxBuilder) {
        builder.box("minf") { minf in
            if let header = storedBoxes(track)?.mediaHeader {
                minf.data(header)
            } else {
                appendMediaHeader(track.configuration.format, to: &minf)
            }
            if container == .mov { appendHandler("url ", component: "dhlr", to: &minf) }
            minf.box("dinf") { dinf in
                dinf.fullBox("dref") { dref in
                    dref.unsigned32(1)
                    dref.fullBox("url ", flags: 1) { _ in }
                }
            }
            minf.box("stbl") { stbl in
                SampleDescription(track.configuration, container).appendBox(to: &stbl)
                if isFragmented {
                    SampleTable.appendEmptyBoxes(to: &stbl)
                } else {
                    let stored = storedBoxes(track)
                    track.table.appendBoxes(to: &stbl, includesDependencies: !(stored?.hasDependencies ?? false))
                    for box in stored?.sampleBoxes ?? [] { stbl.data(box) }
                }
            }
        }
    }

    /// Appends the media header of a media type (ISO/IEC 14496-12, 12; QTFF, "Base Media Information Atoms").
    private func appendMediaHeader(_ format: MovieSampleFormat, to builder: inout BoxBuilder) {
        switch format.handler {
        case "vide": builder.fullBox("vmhd", flags: 1) { $0.zeros(8) }
        case "soun": builder.fullBox("smhd") { $0.zeros(4) }
        default:
            guard container == .mov else { return builder.fullBox("nmhd") { _ in } }
            builder.box("gmhd") { gmhd in
                gmhd.fullBox("gmin") { box in
                    box.unsigned16(0x40)  // dithered copy
                    for _ in 0..<3 { box.unsigned16(0x8000) }
                    box.zeros(4)
                }
                if format.handler == "tmcd" { appendTimecodeInformation(to: &gmhd) }
                if case .text = format { gmhd.box("text") { appendMatrix(.identity, to: &$0) } }
            }
        }
    }

    /// Appends `tmcd` with `tcmi` (QTFF, "Timecode Media Information Atom"): the appearance of a displayed timecode.
    private func appendTimecodeInformation(to builder: inout BoxBuilder) {
        builder.box("tmcd") { tmcd in
            tmcd.fullBox("tcmi") { box in
                box.zeros(4)  // font, face
                box.unsigned16(12)  // size in points
                box.zeros(2)
                box.zeros(6)  // black
                for _ in 0..<3 { box.unsigned16(0xffff) }  // on white
                let font = "Lucida Grande"
                box.unsigned8(UInt8(font.utf8.count))
                box.data(font.utf8)
            }
        }
    }

    /// Appends `mvex` (ISO/IEC 14496-12, 8.8.1 and 8.8.3) without defaults; the fragments contain all values.
    private func appendExtends(to builder: inout BoxBuilder) {
        builder.box("mvex") { mvex in
            for track in tracks {
                mvex.fullBox("trex") { box in
                    box.unsigned32(track.number)
                    box.unsigned32(1)
                    box.zeros(12)
                }
            }
        }
    }

    private func movieDuration(of track: MovieTrack, _ timescale: CMTimeScale) -> Int64 {
        let entries = edits(of: track, timescale)
        guard entries.isEmpty else { return entries.reduce(0) { $0 + $1.duration } }
        // Without an edit list, the track lasts as long as its samples.
        return CMTimeConvertScale(
            CMTime(value: track.table.duration, timescale: track.timescale), timescale: timescale,
            method: .roundHalfAwayFromZero
        ).value
    }
}
