import Foundation
import MediaStorage
import MediaTypes

// The completion of a movie: the index is written after the media, and then moved before the media if requested.
//
// The file has a complete, valid index after each step. After the first step, this is still the index of the fragments,
// if there are any:
//
//     ftyp mdat(reserved … media)                   media at the future location of the index is copied to the end
//     ftyp mdat(reserved … media) moov              the index at the end is valid and refers to the copies
//     ftyp mdat([moov mdat] … media) moov           the index before the media is written to the unused space
//     ftyp free moov mdat(… media) free(moov)       changing one byte makes it the valid index
//     ftyp free moov mdat(… media)                  the index after the media is truncated
extension MovieFileWriter {
    /// The number of bytes before an index in front of the media: the header of a 64-bit `mdat`.
    private static let frontHeaderByteCount: Int64 = 16

    private func makeHeader(_ tracks: [MovieTrack]) -> [UInt8] {
        let boxes = configuration.storedBoxes
        return MovieHeader(
            container: configuration.container, metadata: metadata, tracks: tracks, isFragmented: false,
            movieTimescale: configuration.timescale, storedBoxes: boxes
        ).build() + boxes.fileBoxes.joined()
    }

    /// Appends the index of the movie and converts everything before it to one `mdat`.
    func writeIndex() throws(StorageError) {
        guard let headerOffset = mediaHeaderOffset, index != .valid else { return }
        let header = makeHeader(tracks)
        var builder = BoxBuilder()
        builder.unsigned32(UInt32(header.count + 8))
        builder.code("free")
        builder.data(header)
        try write(builder.bytes, at: end)
        // The size is written first: it has no effect until the type changes.
        var size = BoxBuilder()
        size.signed64(end + 8 - headerOffset)
        try write(size.bytes, at: headerOffset + 8)
        try file.flush()
        // If this write is incomplete, the result is the old header, or a large box of an unknown type before a
        // complete index.
        index = .undetermined
        var boxHeader = BoxBuilder()
        boxHeader.unsigned32(1)
        boxHeader.code("mdat")
        try write(boxHeader.bytes, at: headerOffset)
        index = .valid
        didCommitSamples()
        mediaEnd = end
        end += Int64(builder.bytes.count)
        try file.flush()
    }

    /// Copies the media at the future location of the index to the end of the file.
    func reserveSpaceForIndex() throws(StorageError) {
        guard let headerOffset = mediaHeaderOffset, index == .absent else { return }
        // A larger index displaces more media, and offsets beyond 4 GiB make the index larger. The loop ends after a
        // few iterations.
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
        for (track, offsets) in zip(tracks, newOffsets(of: moves)) { track.moveFirstChunks(to: offsets) }
        end = target
    }

    /// Writes a copy of the index before the media, makes it the valid one, and truncates the one after the media.
    func moveIndexToFront() throws(StorageError) {
        guard let headerOffset = mediaHeaderOffset, let mediaEnd, index == .valid else { return }
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
        // Changing the size from 1 (64-bit size follows) to 16 changes one byte: if this write is incomplete, one of
        // the two indexes is valid.
        var boxHeader = BoxBuilder()
        boxHeader.unsigned32(UInt32(Self.frontHeaderByteCount))
        boxHeader.code("free")
        try write(boxHeader.bytes, at: headerOffset)
        try file.flush()
        try file.truncate(to: mediaEnd)
        end = mediaEnd
        try file.flush()
    }

    /// Writes a track with the titles and start times of the chapters.
    func writeChapters() throws(StorageError) {
        let chapters = metadata.chapters
        guard index == .absent, !chapters.isEmpty, let reference = tracks.first(where: \.isVideo) ?? tracks.first
        else { return }
        let track = MovieTrack(
            number: nextTrackNumber,
            MovieTrackConfiguration(format: .text, timescale: reference.timescale, isEnabled: false))
        let movieEnd = track.ticks(reference.presentationEnd)
        // In ticks of the track, on the movie's timeline.
        let starts = chapters.map { max(0, min(track.ticks($0.start), movieEnd)) }
        for (number, chapter) in chapters.enumerated() {
            let next = number + 1 < starts.count ? starts[number + 1] : movieEnd
            guard next > starts[number] else { continue }
            _ = track.endLastSample(at: starts[number] - (track.origin ?? starts[number]))
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
        reference.references.append((MovieTrackRelation.chapters.rawValue, track.number))
    }

    /// Returns a text sample (QTFF, "Text Sample Data"): the length, the text, and an atom that specifies UTF-8.
    private static func textSample(_ text: String) -> Data {
        let bytes = text.utf8.prefix(Int(UInt16.max))
        var builder = BoxBuilder()
        builder.unsigned16(UInt16(bytes.count))
        builder.data(bytes)
        builder.box("encd") { $0.unsigned32(0x100) }
        return Data(builder.bytes)
    }

    /// Returns the new chunk offsets of each track; the moved chunks are contiguous after the end of the file.
    private func newOffsets(of moves: [[Range<Int64>]]) -> [[Int64]] {
        var target = end + 8
        return moves.map { ranges in
            ranges.map { range in
                defer { target += Int64(range.count) }
                return target
            }
        }
    }

    /// Returns the size of the index in bytes after chunks have moved.
    private func indexSize(after moves: [[Range<Int64>]]) -> Int {
        let copies = zip(tracks, newOffsets(of: moves)).map { track, offsets in track.copy(withChunksAt: offsets) }
        return makeHeader(copies).count
    }

    /// Copies a range of the file to an offset and advances that offset.
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
