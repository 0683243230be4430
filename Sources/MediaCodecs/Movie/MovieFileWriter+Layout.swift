import Foundation
import MediaStorage
import MediaTypes

/// The boxes on disk, and the order in which they change.
extension MovieFileWriter {
    /// The most bytes of media in one fragment, so that offsets in it fit into 31 bits.
    private static var fragmentMediaLimit: Int64 { 1 << 30 }

    private var hasFragments: Bool {
        configuration.fragmentInterval.isNumeric && configuration.fragmentInterval > .zero
    }

    /// Writes the gathered chunk of one track.
    func writeChunk(of track: MovieTrack) throws(StorageError) {
        guard !track.pendingRuns.isEmpty else { return }
        if hasFragments {
            let indexByteCount = MovieFragment.byteCount(of: track.pendingRuns)
            if let open = openFragment,
                open.indexByteCount + indexByteCount > open.room
                    || end + Int64(track.pendingBytes.count) - open.mediaOffset > Self.fragmentMediaLimit
            {
                try commitFragment()
            }
            if openFragment == nil { try beginFragment(firstChunk: indexByteCount) }
            openFragment?.indexByteCount += indexByteCount
        } else if mediaHeaderOffset == nil {
            try beginPlainFile()
        }
        try write(track.pendingBytes, at: end)
        let offset = end
        end += Int64(track.pendingBytes.count)
        track.chunkWasWritten(at: offset, inFragment: hasFragments)
    }

    /// Writes the gathered chunks of all tracks.
    func flushChunks() throws(StorageError) {
        for track in tracks { try writeChunk(of: track) }
    }

    /// The bytes to set aside in front, a multiple of eight.
    private var frontRoomByteCount: Int {
        configuration.putsIndexInFront ? max(0, configuration.frontRoomByteCount) / 8 * 8 : 0
    }

    /// Begins a file without fragments: one `mdat` that reaches to the end, with room for a 64-bit size.
    private func beginPlainFile() throws(StorageError) {
        var builder = BoxBuilder()
        configuration.container.appendFileType(to: &builder)
        let offset = Int64(builder.bytes.count)
        builder.unsigned32(0)
        builder.code("mdat")
        builder.zeros(8 + frontRoomByteCount)
        try write(builder.bytes, at: 0)
        mediaHeaderOffset = offset
        end = Int64(builder.bytes.count)
    }

    /// Sets room aside for a fragment's index and opens its `mdat`.
    private func beginFragment(firstChunk: Int) throws(StorageError) {
        var builder = BoxBuilder()
        let isFirst = mediaHeaderOffset == nil
        var headerByteCount = 0
        if isFirst {
            configuration.container.appendFileType(to: &builder)
            headerMetadata = metadata
            // An edit list may yet grow by two entries.
            headerByteCount = fragmentHeader().count + tracks.count * 64
        }
        // Four bytes at a multiple of eight lie in one sector, so a loss of power does not tear the box's size.
        let misalignment = (end + Int64(builder.bytes.count)) % 8
        if misalignment != 0 {
            builder.unsigned32(UInt32(16 - misalignment))
            builder.code("free")
            builder.zeros(Int(8 - misalignment))
        }
        let offset = end + Int64(builder.bytes.count)
        let prefix = isFirst ? 16 : 8
        let frontRoom = isFirst ? frontRoomByteCount : 0
        let needed = MovieFragment.overhead(trackCount: tracks.count) + firstChunk
        // Eight bytes more, so that what is left over can always be a box.
        let room = max(expectedIndexByteCount, needed) + 8
        let size = prefix + frontRoom + headerByteCount + room
        builder.unsigned32(UInt32(size))
        builder.code("free")
        builder.zeros(size - 8)
        let mediaOffset = end + Int64(builder.bytes.count)
        builder.unsigned32(0)
        builder.code("mdat")
        try write(builder.bytes, at: end)
        if isFirst { mediaHeaderOffset = offset }
        end += Int64(builder.bytes.count)
        openFragment = OpenFragment(
            offset: offset, prefixByteCount: Int64(prefix), frontRoom: Int64(frontRoom), room: room - 8,
            mediaOffset: mediaOffset,
            headerByteCount: headerByteCount,
            indexByteCount: MovieFragment.overhead(trackCount: tracks.count))
    }

    /// The bytes beside the media that the next fragment will put into the file, the header included.
    var nextFragmentByteCount: Int64 {
        guard configuration.fragmentInterval.isNumeric, configuration.fragmentInterval > .zero else { return 0 }
        return Int64(expectedIndexByteCount) + 2048
    }

    /// The bytes that the index of one interval, or of a minute, takes at the expected rates, and a quarter more.
    ///
    /// A fragment that outgrows its room ends early.
    private var expectedIndexByteCount: Int {
        let seconds = min(configuration.fragmentInterval.seconds + 1, 60)
        var count = Double(MovieFragment.overhead(trackCount: tracks.count))
        for track in tracks {
            count += seconds * 2 * 20
            if case .audio(let audio) = track.configuration.format, audio.framesPerPacket == 1 { continue }
            count += seconds * track.configuration.expectedSampleRate * 16
        }
        return Int(count * 1.25)
    }

    private func fragmentHeader() -> [UInt8] {
        MovieHeader(
            container: configuration.container, metadata: headerMetadata, tracks: tracks, isFragmented: true,
            movieTimescale: configuration.timescale
        ).build()
    }

    /// Brings the index of the open fragment to light.
    func commitFragment() throws(StorageError) {
        guard let open = openFragment, tracks.contains(where: { !$0.fragmentChunks.isEmpty }) else { return }
        var index = BoxBuilder()
        if fragmentCount == 0 {
            for track in tracks {
                // A track that is still silent begins at the movie's zero; its fragments tell when.
                track.fragmentOrigin = track.table.isEmpty ? 0 : track.origin
            }
            index.data(fragmentHeader())
        }
        let fragment = MovieFragment(sequenceNumber: fragmentCount + 1, tracks: tracks)
        let indexOffset = open.offset + open.prefixByteCount + open.frontRoom
        index.data(fragment.build(at: indexOffset + Int64(index.bytes.count)))
        let rest = open.headerByteCount + open.room + 8 - index.bytes.count
        index.unsigned32(UInt32(rest))
        index.code("free")
        try write(index.bytes, at: indexOffset)
        if open.frontRoom > 0 {
            var box = BoxBuilder()
            box.unsigned32(UInt32(open.frontRoom))
            box.code("free")
            try write(box.bytes, at: open.offset + open.prefixByteCount)
        }
        try write32(UInt32(end - open.mediaOffset), at: open.mediaOffset)
        try file.flush()
        // From here on the fragment is part of the movie.
        try write32(UInt32(open.prefixByteCount), at: open.offset)
        fragmentCount += 1
        openFragment = nil
        for track in tracks { track.fragmentWasCommitted() }
        try file.flush()
        if fragmentCount == 1 { try storage.flushDirectory(url.deletingLastPathComponent()) }
    }

    /// After a storage error: brings what was written to light as far as the storage still works.
    func salvage(after error: StorageError) -> MovieError {
        for track in tracks { track.discardPending() }
        // Each step is worth trying by itself, and the first error is the one to report.
        if index == .absent { try? file.truncate(to: end) }
        try? commitFragment()
        if tracks.contains(where: { !$0.table.isEmpty }) { try? writeIndex() }
        if index == .absent { try? file.truncate(to: end) }
        let isPlayable = index == .inForce || fragmentCount > 0
        let result = MovieError(error, hasPlayableContent: isPlayable)
        state = .failed(result)
        if isPlayable {
            try? file.flush()
            try? file.close()
        } else {
            removeFile()
        }
        return result
    }

    /// Closes and removes a file that nobody could play.
    func removeFile() {
        // The error that led here, or the wish to cancel, is what counts.
        try? file.close()
        try? storage.remove(url)
    }

    func write(_ bytes: [UInt8], at offset: Int64) throws(StorageError) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(StorageError) in try file.write(bytes, at: offset) }
        }
        try result.get()
    }

    private func write32(_ value: UInt32, at offset: Int64) throws(StorageError) {
        var builder = BoxBuilder()
        builder.unsigned32(value)
        try write(builder.bytes, at: offset)
    }
}
