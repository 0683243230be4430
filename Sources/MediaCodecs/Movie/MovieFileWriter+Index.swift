import Foundation
import MediaStorage
import MediaTypes

/// The end of a movie: its index, first behind the media, then in front of them where that is wished.
///
/// The way to the front keeps a whole index in force at every write:
///
///     ftyp mdat(room … media)                       what is displaced by the index is copied to the end of the media
///     ftyp mdat(room … media) moov                  the index there is in force, and tells of the copies
///     ftyp mdat([moov mdat] … media) moov           the one for the front is written where nothing is needed any more
///     ftyp free moov mdat(… media) free(moov)       one byte makes it the one in force
///     ftyp free moov mdat(… media)                  the other is cut off
extension MovieFileWriter {
    /// What the box in which the index will lie needs before it: the header of a 64-bit `mdat`.
    private static let frontHeaderByteCount: Int64 = 16

    private func makeHeader(_ tracks: [MovieTrack]) -> [UInt8] {
        MovieHeader(
            container: configuration.container, metadata: metadata, tracks: tracks, isFragmented: false,
            movieTimescale: configuration.timescale
        ).build()
    }

    /// Appends the index of the plain movie and makes one `mdat` of all that lies before it.
    func writeIndex() throws(StorageError) {
        guard let headerOffset = mediaHeaderOffset, index != .inForce else { return }
        let header = makeHeader(tracks)
        var builder = BoxBuilder()
        builder.unsigned32(UInt32(header.count + 8))
        builder.code("free")
        builder.data(header)
        try write(builder.bytes, at: end)
        // The size comes first: until the type changes nobody reads it.
        var size = BoxBuilder()
        size.signed64(end + 8 - headerOffset)
        try write(size.bytes, at: headerOffset + 8)
        try file.flush()
        // Torn at any byte, this is the old header, or a large box of an unknown type before a whole index.
        index = .inDoubt
        var boxHeader = BoxBuilder()
        boxHeader.unsigned32(1)
        boxHeader.code("mdat")
        try write(boxHeader.bytes, at: headerOffset)
        index = .inForce
        mediaEnd = end
        end += Int64(builder.bytes.count)
        try file.flush()
    }

    /// Copies the media that lie where the index is to be to the end of the file.
    func makeRoomForIndex() throws(StorageError) {
        guard let headerOffset = mediaHeaderOffset, index == .absent else { return }
        // A larger index displaces more media, and offsets beyond 4 GB make it larger: it settles after a few rounds.
        var moves: [[Range<Int64>]] = []
        var indexByteCount = -1
        var needed = makeHeader(tracks).count
        while needed != indexByteCount {
            indexByteCount = needed
            let limit = headerOffset + 2 * Self.frontHeaderByteCount + Int64(indexByteCount)
            moves = tracks.map { $0.table.chunkRanges(before: limit) }
            needed = max(indexByteCount, indexSize(after: moves))
        }
        let moved = moves.joined().reduce(0) { $0 + Int64($1.count) }
        guard moved > 0 else { return }
        var builder = BoxBuilder()
        builder.unsigned32(UInt32(clamping: moved + 8))
        builder.code("free")
        try write(builder.bytes, at: end)
        var target = end + 8
        for range in moves.joined() { try copy(range, to: &target) }
        for (track, offsets) in zip(tracks, newOffsets(of: moves)) { track.chunksWereMoved(to: offsets) }
        end = target
    }

    /// Makes a copy of the index, in front of the media, the one in force, and cuts off that behind them.
    func moveIndexToFront() throws(StorageError) {
        guard let headerOffset = mediaHeaderOffset, let mediaEnd, index == .inForce else { return }
        let header = makeHeader(tracks)
        let indexOffset = headerOffset + Self.frontHeaderByteCount
        let mediaOffset = indexOffset + Int64(header.count)
        var builder = BoxBuilder()
        builder.data(header)
        builder.unsigned32(1)
        builder.code("mdat")
        builder.signed64(mediaEnd - mediaOffset)
        try write(builder.bytes, at: indexOffset)
        try file.flush()
        // From 1 for a 64-bit size to the size 16 is one byte: torn anywhere, one of the two indexes is in force.
        var boxHeader = BoxBuilder()
        boxHeader.unsigned32(UInt32(Self.frontHeaderByteCount))
        boxHeader.code("free")
        try write(boxHeader.bytes, at: headerOffset)
        try file.flush()
        try file.truncate(to: mediaEnd)
        end = mediaEnd
        try file.flush()
    }

    /// Writes the titles of the chapters, and a track that tells when they begin.
    func writeChapters() throws(StorageError) {
        let chapters = metadata.chapters
        guard index == .absent, !chapters.isEmpty, let reference = tracks.first(where: \.isVideo) ?? tracks.first,
            let edit = reference.edit
        else { return }
        let track = MovieTrack(
            number: UInt32(tracks.count + 1),
            MovieTrackConfiguration(format: .text, timescale: reference.timescale, isEnabled: false))
        let movieEnd = edit.emptyDuration + edit.duration
        let starts = chapters.map { max(0, min(track.ticks($0.start), movieEnd)) }
        for (number, chapter) in chapters.enumerated() {
            let next = number + 1 < starts.count ? starts[number + 1] : movieEnd
            guard next > starts[number] else { continue }
            _ = track.close(at: starts[number] - (track.origin ?? starts[number]))
            track.append(
                EncodedSample(
                    data: Self.textSample(chapter.title),
                    presentationTime: CMTime(value: starts[number], timescale: track.timescale),
                    duration: CMTime(value: next - starts[number], timescale: track.timescale)),
                at: starts[number] - (track.origin ?? starts[number]))
        }
        guard !track.pendingRuns.isEmpty else { return }
        var builder = BoxBuilder()
        builder.unsigned32(UInt32(8 + track.pendingBytes.count))
        builder.code("free")
        builder.data(track.pendingBytes)
        try write(builder.bytes, at: end)
        track.chunkWasWritten(at: end + 8, inFragment: false)
        end += Int64(builder.bytes.count)
        tracks.append(track)
        reference.references.append((.chapters, track.number))
    }

    /// QTFF, "Text Sample Data": the length, the text, and an atom that says that it is UTF-8.
    private static func textSample(_ text: String) -> Data {
        let bytes = text.utf8.prefix(Int(UInt16.max))
        var builder = BoxBuilder()
        builder.unsigned16(UInt16(bytes.count))
        builder.data(bytes)
        builder.box("encd") { $0.unsigned32(0x100) }
        return Data(builder.bytes)
    }

    /// Where the chunks will lie, track by track, one after the other behind the end.
    private func newOffsets(of moves: [[Range<Int64>]]) -> [[Int64]] {
        var target = end + 8
        return moves.map { ranges in
            ranges.map { range in
                defer { target += Int64(range.count) }
                return target
            }
        }
    }

    private func indexSize(after moves: [[Range<Int64>]]) -> Int {
        let copies = zip(tracks, newOffsets(of: moves)).map { track, offsets in track.copy(withChunksAt: offsets) }
        return makeHeader(copies).count
    }

    private func copy(_ range: Range<Int64>, to target: inout Int64) throws(StorageError) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            var bytes = [UInt8](repeating: 0, count: Int(min(1 << 20, range.upperBound - offset)))
            let result = bytes.withUnsafeMutableBytes { bytes in
                Result { () throws(StorageError) in try file.read(into: bytes, at: offset) }
            }
            guard try result.get() == bytes.count else {
                throw StorageError(.inputOutput, .read, path: url.path)
            }
            try write(bytes, at: target)
            offset += Int64(bytes.count)
            target += Int64(bytes.count)
        }
    }
}
