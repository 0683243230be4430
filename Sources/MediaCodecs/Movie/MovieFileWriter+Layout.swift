import Foundation
import MediaStorage
import MediaTypes

// The layout of the boxes in the file, and the order in which they are written.
extension MovieFileWriter {
    /// The maximum number of media bytes in a fragment, so that its offsets fit into 31 bits.
    private static var fragmentMediaLimit: Int64 { 1 << 30 }

    var hasFragments: Bool {
        configuration.fragmentInterval.isNumeric && configuration.fragmentInterval > .zero
    }

    /// Writes the pending chunk of a track.
    func writeChunk(of track: MovieTrack) throws(StorageError) {
        guard !track.pendingRuns.isEmpty else { return }
        if hasFragments {
            let indexByteCount = MovieFragment.runByteCount(of: track.pendingRuns)
            if let open = openFragment,
                open.indexByteCount + indexByteCount > open.indexCapacity
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

    /// Writes the pending chunks of all tracks.
    func flushChunks() throws(StorageError) {
        for track in tracks { try writeChunk(of: track) }
    }

    /// The number of bytes to reserve for an index before the media, a multiple of eight.
    private var reservedIndexByteCount: Int {
        configuration.putsIndexInFront ? max(0, configuration.reservedIndexByteCount) / 8 * 8 : 0
    }

    /// Writes the beginning of a file without fragments: one `mdat` that extends to the end of the file, with space for
    /// a 64-bit size.
    private func beginPlainFile() throws(StorageError) {
        var builder = BoxBuilder()
        if let fileType = configuration.storedBoxes.fileType {
            builder.data(fileType)
        } else {
            configuration.container.appendFileType(to: &builder)
        }
        let offset = Int64(builder.bytes.count)
        builder.unsigned32(0)
        builder.code("mdat")
        builder.zeros(8 + reservedIndexByteCount)
        try write(builder.bytes, at: 0)
        mediaHeaderOffset = offset
        end = Int64(builder.bytes.count)
    }

    /// Reserves space for the index of a fragment and writes the header of its `mdat`.
    ///
    /// - Parameter firstChunk: The size of the first chunk's index in bytes.
    private func beginFragment(firstChunk: Int) throws(StorageError) {
        var builder = BoxBuilder()
        let isFirst = mediaHeaderOffset == nil
        var headerByteCount = 0
        if isFirst {
            configuration.container.appendFileType(to: &builder)
            headerMetadata = metadata
            // 64 bytes are reserved for two more entries in each edit list.
            headerByteCount = fragmentHeader().count + tracks.count * 64
        }
        // Four bytes at a multiple of eight are within one sector, so that a power failure cannot split the box's size.
        let misalignment = (end + Int64(builder.bytes.count)) % 8
        if misalignment != 0 {
            builder.unsigned32(UInt32(16 - misalignment))
            builder.code("free")
            builder.zeros(Int(8 - misalignment))
        }
        let offset = end + Int64(builder.bytes.count)
        let prefix = isFirst ? 16 : 8
        let reservedByteCount = isFirst ? reservedIndexByteCount : 0
        let needed = MovieFragment.headerByteCount(trackCount: tracks.count) + firstChunk
        // Eight more bytes, so that a `free` box can always cover the remaining space.
        let capacity = max(expectedIndexByteCount, needed) + 8
        let size = prefix + reservedByteCount + headerByteCount + capacity
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
            offset: offset, prefixByteCount: Int64(prefix), reservedByteCount: Int64(reservedByteCount),
            indexCapacity: capacity - 8,
            mediaOffset: mediaOffset,
            headerByteCount: headerByteCount,
            indexByteCount: MovieFragment.headerByteCount(trackCount: tracks.count))
    }

    /// An estimate of the bytes other than media that the next fragment adds to the file, including the movie header.
    var nextFragmentByteCount: Int64 {
        guard configuration.fragmentInterval.isNumeric, configuration.fragmentInterval > .zero else { return 0 }
        // 2048 bytes for the movie header.
        return Int64(expectedIndexByteCount) + 2048
    }

    /// The size in bytes to reserve for the index of a fragment: an estimate for one fragment interval, of at most one
    /// minute, at the expected sample rates, plus a quarter.
    ///
    /// A fragment ends early if its index reaches this size.
    private var expectedIndexByteCount: Int {
        let seconds = min(configuration.fragmentInterval.seconds + 1, 60)
        var count = Double(MovieFragment.headerByteCount(trackCount: tracks.count))
        for track in tracks {
            // Two chunks per second with a `trun` box of 20 bytes and, except for PCM, up to 16 bytes for each sample.
            count += seconds * 2 * 20
            if track.configuration.format.isUncompressed { continue }
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

    /// Completes the open fragment: writes its index and makes it part of the movie.
    func commitFragment() throws(StorageError) {
        guard let open = openFragment, tracks.contains(where: { !$0.fragmentChunks.isEmpty }) else { return }
        var index = BoxBuilder()
        if fragmentCount == 0 {
            for track in tracks {
                // A track that has no samples yet starts at time zero; its fragments contain the actual times.
                track.fragmentOrigin = track.table.isEmpty ? 0 : track.origin
            }
            index.data(fragmentHeader())
        }
        let fragment = MovieFragment(sequenceNumber: fragmentCount + 1, tracks: tracks)
        let indexOffset = open.offset + open.prefixByteCount + open.reservedByteCount
        index.data(fragment.build(at: indexOffset + Int64(index.bytes.count)))
        let rest = open.headerByteCount + open.indexCapacity + 8 - index.bytes.count
        index.unsigned32(UInt32(rest))
        index.code("free")
        try write(index.bytes, at: indexOffset)
        if open.reservedByteCount > 0 {
            var box = BoxBuilder()
            box.unsigned32(UInt32(open.reservedByteCount))
            box.code("free")
            try write(box.bytes, at: open.offset + open.prefixByteCount)
        }
        try write32(UInt32(end - open.mediaOffset), at: open.mediaOffset)
        try file.flush()
        // This write makes the fragment part of the movie.
        try write32(UInt32(open.prefixByteCount), at: open.offset)
        fragmentCount += 1
        didCommitSamples()
        openFragment = nil
        for track in tracks { track.clearFragmentChunks() }
        try file.flush()
        if fragmentCount == 1 { try storage.flushDirectory(url.deletingLastPathComponent()) }
    }

    /// After a storage error, makes as much of the file playable as the storage permits, and closes or removes it.
    func closeAfterFailure(_ error: StorageError) -> MovieError {
        for track in tracks { track.discardPending() }
        guard configuration.keepsPartialMovie else {
            let result = MovieError(error)
            state = .failed(result)
            removeFile()
            return result
        }
        // The steps are independent of each other, and `error` is the error to report.
        if index == .absent { try? file.truncate(to: end) }
        try? commitFragment()
        if tracks.contains(where: { !$0.table.isEmpty }) { try? writeIndex() }
        if index == .absent { try? file.truncate(to: end) }
        let isPlayable = index == .valid || fragmentCount > 0
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

    /// Closes and removes an unplayable file.
    func removeFile() {
        // Further errors are ignored: the file is discarded.
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
