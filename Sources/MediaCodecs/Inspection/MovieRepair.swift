package import Foundation
package import MediaStorage
package import MediaTypes

/// Converts an interrupted recording to a complete movie. The movie contains all complete fragments, and the samples of
/// the unfinished fragment that are in the index written so far.
///
/// The samples are written to a new file by `MovieFileWriter`; the source is not changed.
package struct MovieRepair {
    /// The result of a repair.
    package struct Summary: Sendable, Hashable {
        /// The duration of the movie.
        package var duration = CMTime.zero
        /// The number of samples by track number.
        package var sampleCounts: [UInt32: Int64] = [:]
        /// The number of samples that were removed: damaged or incomplete ones, and all later ones of their tracks.
        package var lostSampleCount: Int64 = 0
        /// One message for each track that cannot be written: the track and the reason.
        package var lostTracks: [String] = []
    }

    /// The maximum size in bytes of an `EncodedSample`, if a run contains several samples.
    private static let appendByteLimit = 1 << 20

    private let url: URL
    private let file: any StorageFile
    private var map: MovieMap
    private var summary = Summary()

    private init(_ url: URL, _ storage: any CaptureStorage) throws(MovieError) {
        self.url = url
        let isMovie: Bool
        do throws(StorageError) {
            file = try storage.open(url, for: .reading)
            isMovie = try MovieMap.canRead(file)
            map = try isMovie ? MovieMap(reading: file, includesHiddenBoxes: true) : MovieMap()
        } catch {
            throw MovieError(error)
        }
        guard isMovie else {
            throw MovieError(.unsupportedFormat, "\(url.path) is not a QuickTime or MPEG-4 file")
        }
    }

    /// Whether a file is a complete movie: without fragments and without errors.
    package static func isComplete(_ url: URL, in storage: any CaptureStorage) throws(MovieError) -> Bool {
        do throws(StorageError) {
            let file = try storage.open(url, for: .reading)
            let map = try MovieMap(reading: file)
            guard map.fragments.isEmpty, !map.isFragmented, map.tracks.contains(where: { !$0.samples.isEmpty }) else {
                return false
            }
            return try MovieChecker.problems(of: map, in: file).allSatisfy { $0.severity != .error }
        } catch {
            throw MovieError(error)
        }
    }

    /// Writes the repaired movie.
    ///
    /// - Parameter destination: A file that does not exist.
    /// - Throws: `.empty` if there is no complete sample, `.unsupportedFormat`, or `.storage`; then `destination` does
    ///   not exist.
    package static func repair(
        _ source: URL, to destination: URL, in storage: any CaptureStorage
    ) throws(MovieError) -> Summary {
        var repair = try MovieRepair(source, storage)
        try repair.removeDamagedSamples()
        guard repair.map.tracks.contains(where: { !$0.samples.isEmpty }) else {
            let reason = repair.map.problems.first { $0.severity == .error }?.message ?? "no track has samples"
            throw MovieError(.empty, "\(source.path) contains nothing that can be repaired: \(reason)")
        }
        let writer = try MovieFileWriter(
            url: destination, storage: storage,
            configuration: .init(
                container: repair.container, fragmentInterval: .invalid),
            metadata: repair.metadata)
        do throws(MovieError) {
            try repair.copy(to: writer)
            try writer.finish()
            try check(destination, storage)
        } catch {
            writer.cancel()
            // A further error is ignored: `error` is the one to report.
            if storage.fileExists(at: destination) { try? storage.remove(destination) }
            throw error
        }
        return repair.summary
    }

    /// Removes the first incomplete or damaged sample of each track, or the first without a sample description, and all
    /// later samples of that track.
    private mutating func removeDamagedSamples() throws(MovieError) {
        let damaged: Set<Int64>
        do throws(StorageError) {
            damaged = try MovieChecker.damagedFrames(of: map, in: file)
        } catch {
            throw MovieError(error)
        }
        for index in map.tracks.indices {
            let (byteCount, entryCount) = (map.byteCount, map.tracks[index].sampleEntries.count)
            let limit = map.tracks[index].samples.runs.first { run in
                // A track without any description is reported as lost.
                damaged.contains(run.offset) || run.end > byteCount || entryCount > 0 && Int(run.entry) >= entryCount
            }
            guard let limit else { continue }
            let before = map.tracks[index].samples.sampleCount
            map.tracks[index].samples.keep { $0.decodeTime < limit.decodeTime }
            summary.lostSampleCount += before - map.tracks[index].samples.sampleCount
        }
    }

    private var container: MovieContainer {
        switch map.majorBrand {
        case "", "qt  ": .mov
        case "M4A ": .m4a
        case "M4V ": .m4v
        default: .mp4
        }
    }

    private var metadata: MovieMetadata {
        var metadata = MovieMetadata(creationSecondsSince1970: map.creationSecondsSince1970)
        for entry in map.metadata {
            let value: MovieMetadata.Entry.Value =
                switch entry.value {
                case .text(let text): .text(text)
                case .integer(let number): .integer(number)
                case .real(let number): .real(number)
                case .data(let data, let type): .data(data, type: type)
                }
            if case .text(let text) = value {
                switch entry.key {
                case "com.apple.quicktime.creationdate", "©day":
                    metadata.creationDate = text
                    continue
                case "com.apple.quicktime.location.ISO6709", "©xyz":
                    metadata.location = text
                    continue
                case "com.apple.quicktime.make", "©mak":
                    metadata.make = text
                    continue
                case "com.apple.quicktime.model", "©mod":
                    metadata.model = text
                    continue
                case "com.apple.quicktime.software", "©too", "©swr":
                    metadata.software = text
                    continue
                default: break
                }
            }
            if entry.space == .quickTimeMetadata {
                metadata.custom.append(MovieMetadata.Entry(key: entry.key, value: value))
            }
        }
        return metadata
    }

    /// Appends all samples of all tracks to the writer in order of decode time, as a recording does.
    private mutating func copy(to writer: MovieFileWriter) throws(MovieError) {
        // `shift` is added to the times of samples to convert them to times on the movie's timeline; `next` is the
        // index of the next run; `entries` are the indices of the sample entries of the track's formats.
        var cursors: [(track: TrackMap, id: MovieTrackID, shift: CMTime, next: Int, entries: [UInt16])] = []
        var ids: [UInt32: MovieTrackID] = [:]
        for track in map.tracks where !track.samples.isEmpty {
            do throws(MovieError) {
                let entries = Set(track.samples.runs.map(\.entry)).sorted()
                guard entries.allSatisfy({ track.sampleEntries.indices.contains(Int($0)) }) else {
                    throw MovieError(.unsupportedFormat, "it has samples without a description")
                }
                let formats = try entries.map { (index) throws(MovieError) in
                    try track.sampleEntries[Int(index)].makeSampleFormat(
                        handler: track.handler, timescale: track.timescale)
                }
                var configuration = MovieTrackConfiguration(
                    format: formats[0], timescale: track.timescale, transform: track.transform,
                    language: track.languageCode ?? "und", isEnabled: track.isEnabled)
                configuration.additionalFormats = Array(formats.dropFirst())
                configuration.extendedLanguageTag = track.extendedLanguageTag
                let id = try writer.addTrack(configuration)
                let segment = track.segments.first { $0.source != nil }
                let shift = segment.map { $0.target.start - ($0.source?.start ?? .zero) } ?? .zero
                cursors.append((track, id, shift, 0, entries))
                ids[track.number] = id
            } catch {
                summary.lostTracks.append("track \(track.number): \(error.message)")
            }
        }
        guard !cursors.isEmpty else {
            throw MovieError(.unsupportedFormat, summary.lostTracks.joined(separator: "; "))
        }
        relate(ids, in: writer)
        while true {
            var best: (cursor: Int, time: CMTime)?
            for (index, cursor) in cursors.enumerated() where cursor.next < cursor.track.samples.runs.count {
                let time = cursor.track.time(cursor.track.samples.runs[cursor.next].decodeTime) + cursor.shift
                if best.map({ time < $0.time }) ?? true { best = (index, time) }
            }
            guard let best else { break }
            let cursor = cursors[best.cursor]
            let run = cursor.track.samples.runs[cursor.next]
            let formatIndex = cursor.entries.firstIndex(of: run.entry) ?? 0
            try append(run, cursor.track, cursor.shift, formatIndex, cursor.id, to: writer)
            cursors[best.cursor].next += 1
        }
        for cursor in cursors {
            summary.sampleCounts[cursor.track.number] = cursor.track.samples.sampleCount
            let end = cursor.track.time(cursor.track.samples.presentationEnd) + cursor.shift
            summary.duration = max(summary.duration, end)
        }
    }

    private func relate(_ ids: [UInt32: MovieTrackID], in writer: MovieFileWriter) {
        for track in map.tracks {
            for (kind, numbers) in track.references.sorted(by: { $0.key < $1.key }) {
                guard let relation = MovieTrackRelation(rawValue: kind), let own = ids[track.number] else { continue }
                for number in numbers {
                    guard let other = ids[number] else { continue }
                    // For `.describes`, `relate` expects the metadata track first; otherwise the referenced track.
                    let (first, second) = relation == .describes ? (own, other) : (other, own)
                    writer.relate(first, to: second, as: relation)
                }
            }
        }
    }

    private func append(
        _ run: SampleMap.Run, _ track: TrackMap, _ shift: CMTime, _ formatIndex: Int, _ id: MovieTrackID,
        to writer: MovieFileWriter
    ) throws(MovieError) {
        let step = run.count == 1 ? 1 : UInt32(clamping: max(1, Self.appendByteLimit / Int(max(1, run.size))))
        var first: UInt32 = 0
        while first < run.count {
            let count = min(step, run.count - first)
            let bytes: [UInt8]
            do throws(StorageError) {
                bytes = try file.bytes(
                    at: run.offset + Int64(run.size) * Int64(first), count: Int(run.size) * Int(count))
            } catch {
                throw MovieError(error)
            }
            let ticks = Int64(first) * Int64(run.duration)
            var sample = EncodedSample(
                data: Data(bytes), presentationTime: track.time(run.presentationTime + ticks) + shift,
                decodeTime: track.time(run.decodeTime + ticks) + shift,
                duration: track.time(Int64(run.duration) * Int64(count)), isKeyFrame: run.isSync,
                isDroppable: run.isDroppable, sampleCount: Int(count))
            sample.formatIndex = formatIndex
            try writer.append(sample, to: id)
            first += count
        }
    }

    /// Checks the repaired movie.
    private static func check(_ url: URL, _ storage: any CaptureStorage) throws(MovieError) {
        let errors: [MovieProblem]
        do throws(StorageError) {
            let file = try storage.open(url, for: .reading)
            errors = try MovieChecker.problems(of: MovieMap(reading: file), in: file).filter { $0.severity == .error }
        } catch {
            throw MovieError(error)
        }
        if let first = errors.first {
            throw MovieError(.invalidSample, "the repaired movie is invalid: \(first.message)")
        }
    }
}
