import Foundation
import MediaCodecs
import MediaTypes

// The boxes in `moov` that describe the movie and its tracks.
extension MovieMapReader {
    mutating func readMovie(_ movie: MemoryBox) throws(ByteReader.UnexpectedEnd) {
        let boxes = children(of: movie)
        if let header = boxes.first(where: { $0.type == "mvhd" }) {
            read("mvhd", at: header.offset, isEssential: false) { reader throws(ByteReader.UnexpectedEnd) in
                try reader.readHeader(header)
            }
        } else {
            report(.error, "the moov box has no header (mvhd)")
        }
        for box in boxes {
            switch box.type {
            case "trak":
                read("trak", at: box.offset) { reader throws(ByteReader.UnexpectedEnd) in try reader.readTrack(box) }
            case "mvex":
                map.isFragmented = true
                for child in children(of: box) where child.type == "trex" {
                    read("trex", at: child.offset) { reader throws(ByteReader.UnexpectedEnd) in
                        try reader.readDefaults(child)
                    }
                }
            case "udta": map.metadata += MetadataReader(box.body).userData()
            case "meta": map.metadata += MetadataReader(box.body).metadataBox()
            default: break
            }
            keepMovieBox(box)
        }
        renumberTracks()
        if map.tracks.isEmpty { report(.error, "the movie has no tracks") }
    }

    /// Assigns unused numbers to tracks with the number of an earlier one. If other boxes refer to this number, it is not
    /// known which of the tracks they mean; then the later track is a loss.
    private mutating func renumberTracks() {
        var used: Set<UInt32> = []
        let referenced = Set(map.tracks.flatMap { $0.references.values.joined() })
        var last = map.tracks.map(\.number).max() ?? 0
        var tracks: [TrackMap] = []
        for var track in map.tracks {
            let (number, offset) = (track.number, track.offset)
            if !used.insert(number).inserted {
                let what = "the track at byte \(offset) is a second track with number \(number)"
                guard !map.isFragmented, !referenced.contains(number), last < .max else {
                    reportLoss(at: offset, what)
                    continue
                }
                last += 1
                track.number = last
                used.insert(last)
                report(.error, at: offset, "\(what); it is read as number \(last)")
            }
            tracks.append(track)
        }
        map.tracks = tracks
    }

    /// Adds a box of the movie to those that a copy keeps, if it does not describe the tracks.
    private mutating func keepMovieBox(_ box: MemoryBox) {
        switch box.type {
        case "mvhd", "trak", "mvex", "free", "skip", "wide": return
        case "meta" where MetadataReader(box.body).hasItemLocations:
            map.omittedBoxes.append("the movie's 'meta' box, which refers to offsets of the file")
        default: map.storedBoxes.movieBoxes.append(box.bytes)
        }
    }

    /// Reads `mvhd` (ISO/IEC 14496-12, 8.2.2).
    private mutating func readHeader(_ box: MemoryBox) throws(ByteReader.UnexpectedEnd) {
        var box = box
        let isLong = try box.versionAndFlags().version == 1
        let creation = isLong ? Int64(clamping: try box.body.unsigned64()) : Int64(try box.body.unsigned32())
        try box.body.skip(isLong ? 8 : 4)
        map.creationSecondsSince1970 = Self.secondsSince1970(creation)
        let timescale = try box.body.unsigned32()
        if let valid = CMTimeScale(exactly: timescale), valid > 0 {
            map.timescale = valid
        } else {
            report(.error, at: box.offset, "the movie's time scale of \(timescale) ticks per second is invalid")
        }
        try box.body.skip(isLong ? 8 : 4)
        var fields = box.body
        map.storedBoxes.header = try? fields.data(StoredMovieBoxes.headerByteCount)
        map.preferredRate = try box.body.fixed(fractionBits: 16)
        map.preferredVolume = Double(try box.body.signed16()) / 256
    }

    /// Converts a creation time in seconds since 1904-01-01 to seconds since 1970-01-01; nil if it is not set or after the
    /// year 9999.
    ///
    /// A value that would be a time before 1970 is already in seconds since 1970, as some cameras write it. libavformat, with
    /// which the library reads the date, treats it in the same way.
    private static func secondsSince1970(_ creation: Int64) -> Int64? {
        // The seconds from 1904-01-01 to 1970-01-01.
        let epochDistance: Int64 = 2_082_844_800
        let seconds = creation >= epochDistance ? creation - epochDistance : creation
        return (1...253_402_300_799).contains(seconds) ? seconds : nil
    }

    /// Reads `trex` (ISO/IEC 14496-12, 8.8.3).
    private mutating func readDefaults(_ box: MemoryBox) throws(ByteReader.UnexpectedEnd) {
        var box = box
        _ = try box.versionAndFlags()
        let track = try box.body.unsigned32()
        defaults[track] = Defaults(
            entry: try box.body.unsigned32(), duration: try box.body.unsigned32(), size: try box.body.unsigned32(),
            flags: try box.body.unsigned32())
    }

    private mutating func readTrack(_ box: MemoryBox) throws(ByteReader.UnexpectedEnd) {
        let boxes = children(of: box)
        guard let header = boxes.first(where: { $0.type == "tkhd" }) else {
            return reportLoss(at: box.offset, "the track at byte \(box.offset) has no header (tkhd)")
        }
        var track = try trackHeader(header)
        track.offset = box.offset
        track.movieTimescale = map.timescale
        track.storedBoxes = StoredTrackBoxes(isQuickTime: map.isQuickTime)
        if !boxes.contains(where: { $0.type == "mdia" }) {
            reportLoss(at: box.offset, "track \(track.number) has no media (mdia)")
        }
        for child in boxes {
            switch child.type {
            case "edts":
                for list in children(of: child) where list.type == "elst" {
                    read("elst", at: list.offset) { _ throws(ByteReader.UnexpectedEnd) in
                        track.edits = try Self.edits(list)
                    }
                }
            case "tref":
                for reference in child.body.boxes() {
                    var body = reference.body
                    // The list fills the box.
                    while let number = try? body.unsigned32() {
                        track.references[reference.type, default: []].append(number)
                    }
                }
            case "mdia":
                read("mdia", at: child.offset) { reader throws(ByteReader.UnexpectedEnd) in
                    try reader.readMedia(child, &track)
                }
            case "udta": track.metadata += MetadataReader(child.body).userData()
            case "meta": track.metadata += MetadataReader(child.body).metadataBox()
            default: break
            }
            keepTrackBox(child, &track)
        }
        if !track.edits.isEmpty, map.timescale == 0 {
            reportLoss(
                at: box.offset,
                "the edit list of track \(track.number) has unknown durations, because the movie has no valid time scale"
            )
        }
        map.tracks.append(track)
    }

    /// Adds a box of a track to those that a copy keeps, if it does not depend on the samples.
    private func keepTrackBox(_ box: MemoryBox, _ track: inout TrackMap) {
        switch box.type {
        case "tkhd", "edts", "tref", "mdia", "free", "skip", "wide": return
        case "meta" where MetadataReader(box.body).hasItemLocations:
            track.copyRejectionReasons.append("its 'meta' box refers to data at other offsets of the file")
        case _ where Self.auxiliaryTypes.contains(box.type): Self.rejectAuxiliary(box, &track)
        default: track.storedBoxes?.trackBoxes.append(box.bytes)
        }
    }

    /// The types of the boxes that describe data outside of the samples, such as initialization vectors (ISO/IEC
    /// 14496-12, 8.7.8; ISO/IEC 23001-7, 7.2).
    static let auxiliaryTypes: Set<String> = ["senc", "saiz", "saio"]

    /// Records that a track cannot be copied because one of its boxes describes data outside of the samples.
    static func rejectAuxiliary(_ box: MemoryBox, _ track: inout TrackMap) {
        track.copyRejectionReasons.append("its '\(box.type)' box refers to data outside of the samples")
    }

    /// Reads `tkhd` (ISO/IEC 14496-12, 8.3.2).
    private func trackHeader(_ box: MemoryBox) throws(ByteReader.UnexpectedEnd) -> TrackMap {
        var box = box
        let (version, flags) = try box.versionAndFlags()
        let isLong = version == 1
        try box.body.skip(isLong ? 16 : 8)
        var track = TrackMap(number: try box.body.unsigned32())
        track.isEnabled = flags & 1 != 0
        try box.body.skip(4)
        track.headerDuration = try Self.duration(&box.body, isLong: isLong)
        try box.body.skip(8)
        track.layer = try box.body.signed16()
        track.alternateGroup = try box.body.signed16()
        track.volume = Double(try box.body.signed16()) / 256
        try box.body.skip(2)
        (track.transform, track.perspective) = try Self.matrix(&box.body)
        track.size = CGSize(
            width: Double(try box.body.unsigned32()) / 65536, height: Double(try box.body.unsigned32()) / 65536)
        return track
    }

    /// Reads a duration of a header; nil if all of its bits are set, which specifies that it is unknown (8.2.2.3).
    private static func duration(
        _ body: inout ByteReader, isLong: Bool
    ) throws(ByteReader.UnexpectedEnd) -> Int64? {
        if isLong {
            let duration = try body.unsigned64()
            return duration == .max ? nil : Int64(clamping: duration)
        }
        let duration = try body.unsigned32()
        return duration == .max ? nil : Int64(duration)
    }

    /// Reads the matrix {a b u, c d v, tx ty w} (ISO/IEC 14496-12, 6.2.2): the transform and the perspective terms.
    private static func matrix(
        _ body: inout ByteReader
    ) throws(ByteReader.UnexpectedEnd) -> (CGAffineTransform, SIMD3<Int32>) {
        var rows: [(Double, Double)] = []
        var perspective = SIMD3<Int32>()
        for row in 0..<3 {
            rows.append((try body.fixed(fractionBits: 16), try body.fixed(fractionBits: 16)))
            perspective[row] = try body.signed32()
        }
        let transform = CGAffineTransform(
            a: rows[0].0, b: rows[0].1, c: rows[1].0, d: rows[1].1, tx: rows[2].0, ty: rows[2].1)
        return (transform, perspective)
    }

    /// Reads `elst` (ISO/IEC 14496-12, 8.6.6).
    private static func edits(_ box: MemoryBox) throws(ByteReader.UnexpectedEnd) -> [TrackMap.Edit] {
        var box = box
        let isLong = try box.versionAndFlags().version == 1
        let count = try box.body.unsigned32()
        var edits: [TrackMap.Edit] = []
        for _ in 0..<count {
            let duration = isLong ? Int64(clamping: try box.body.unsigned64()) : Int64(try box.body.unsigned32())
            let mediaTime = isLong ? try box.body.signed64() : Int64(try box.body.signed32())
            edits.append(
                TrackMap.Edit(
                    duration: duration, mediaTime: mediaTime, rate: try box.body.fixed(fractionBits: 16)))
        }
        return edits
    }

    /// Reads `mdia`: the headers of the media and the sample table.
    private mutating func readMedia(_ box: MemoryBox, _ track: inout TrackMap) throws(ByteReader.UnexpectedEnd) {
        let boxes = children(of: box)
        guard let header = boxes.first(where: { $0.type == "mdhd" }),
            var handler = boxes.first(where: { $0.type == "hdlr" })
        else {
            return reportLoss(at: box.offset, "the media of track \(track.number) has no mdhd or hdlr box")
        }
        try readMediaHeader(header, &track)
        track.storedBoxes?.handler = handler.bytes
        try handler.body.skip(8)
        track.handler = try handler.body.code()
        if var extended = boxes.first(where: { $0.type == "elng" }) {
            _ = try extended.versionAndFlags()
            track.extendedLanguageTag = MetadataReader.text(extended.body.rest())
        }
        let information = boxes.filter { $0.type == "minf" }.flatMap { children(of: $0) }
        for child in information {
            switch child.type {
            case "vmhd", "smhd", "gmhd", "nmhd", "sthd", "hmhd":
                track.storedBoxes?.mediaHeader = child.bytes
                // Only audio tracks have this header (12.2.2). Some cameras write another handler type.
                if child.type == "smhd", track.handler != "soun" {
                    report(
                        .warning, at: handler.offset,
                        "track \(track.number): its handler type is '\(track.handler)', its media header that of audio")
                    track.handler = "soun"
                }
            case "dinf":
                for list in children(of: child) where list.type == "dref" {
                    read("dref", at: list.offset, isEssential: false) { _ throws(ByteReader.UnexpectedEnd) in
                        track.dataReferences = try Self.dataReferences(list)
                    }
                }
            default: continue
            }
        }
        guard let table = information.first(where: { $0.type == "stbl" }) else {
            return reportLoss(at: box.offset, "track \(track.number) has no sample table (stbl)")
        }
        read("stbl", at: table.offset) { reader throws(ByteReader.UnexpectedEnd) in
            try reader.readSampleTable(table, &track)
        }
    }

    /// Reads `mdhd` (ISO/IEC 14496-12, 8.4.2).
    private mutating func readMediaHeader(
        _ box: MemoryBox, _ track: inout TrackMap
    ) throws(ByteReader.UnexpectedEnd) {
        var header = box
        let isLong = try header.versionAndFlags().version == 1
        try header.body.skip(isLong ? 16 : 8)
        let timescale = try header.body.unsigned32()
        if let valid = CMTimeScale(exactly: timescale), valid > 0 {
            track.timescale = valid
        } else {
            reportLoss(
                at: header.offset,
                "track \(track.number): its time scale of \(timescale) ticks per second is invalid")
        }
        track.mediaDuration = try Self.duration(&header.body, isLong: isLong)
        let language = try header.body.unsigned16()
        track.languageCode = MetadataReader.language(language)
        track.storedBoxes?.language = language
    }

    /// Reads `dref` (ISO/IEC 14496-12, 8.7.2).
    private static func dataReferences(
        _ box: MemoryBox
    ) throws(ByteReader.UnexpectedEnd) -> [TrackMap.DataReference] {
        var box = box
        _ = try box.versionAndFlags()
        _ = try box.body.unsigned32()
        return try box.body.boxes().map { (entry) throws(ByteReader.UnexpectedEnd) in
            var entry = entry
            let flags = try entry.versionAndFlags().flags
            return TrackMap.DataReference(type: entry.type, isSelfContained: flags & 1 != 0)
        }
    }
}
