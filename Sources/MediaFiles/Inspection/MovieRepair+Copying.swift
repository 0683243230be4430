import Foundation
import MediaCodecs
import MediaStorage
import MediaTypes

// The copy of the samples to the repaired movie.
extension MovieRepair {
    /// The maximum size in bytes of an `EncodedSample`, if a run contains several samples.
    private static let appendByteLimit = 1 << 20

    /// A track and the position of its next sample.
    private struct Cursor {
        let track: TrackMap
        let id: MovieTrackID
        /// The time that is added to a time of the media to convert it to one of the movie.
        let shift: CMTime
        /// The index of the next run.
        var next = 0

        /// The decode time of the next run on the movie's timeline; nil after the last one.
        var time: CMTime? {
            track.samples.runs.indices.contains(next)
                ? track.time(track.samples.runs[next].decodeTime) + shift : nil
        }
    }

    /// Appends all samples of all tracks to the writer in order of decode time, as a recording does.
    mutating func copy(to writer: MovieFileWriter) throws(MovieError) {
        var cursors: [Cursor] = []
        for track in map.tracks {
            guard !track.sampleEntries.isEmpty || !track.samples.isEmpty else {
                summary.omissions.append("track \(track.number), which has neither samples nor their description")
                continue
            }
            if let entry = track.sampleEntries.first(where: \.isProtected), let protection = entry.protection {
                summary.protectedTracks.append("track \(track.number) \(protection)")
            }
            let id = try writer.addTrack(try configuration(of: track))
            writer.setEdits(track.copiedEdits, of: id)
            let segment = track.segments.first { $0.source != nil }
            let shift = segment.map { $0.target.start - ($0.source?.start ?? .zero) } ?? .zero
            cursors.append(Cursor(track: track, id: id, shift: shift))
        }
        addReferences(cursors, in: writer)
        while let index = Self.next(of: cursors) {
            let cursor = cursors[index]
            try append(cursor.track.samples.runs[cursor.next], cursor, to: writer)
            cursors[index].next += 1
        }
        for cursor in cursors {
            summary.sampleCounts[cursor.track.number] = cursor.track.samples.sampleCount
            let edits = cursor.track.copiedEdits
            let end =
                edits.isEmpty
                ? cursor.track.time(cursor.track.samples.presentationEnd)
                : edits.reduce(.zero) { $0 + $1.duration }
            summary.duration = max(summary.duration, end)
        }
    }

    /// The index of the track with the earliest next sample; nil after the last sample.
    private static func next(of cursors: [Cursor]) -> Int? {
        cursors.indices.lazy.compactMap { index in cursors[index].time.map { (index, $0) } }.min { $0.1 < $1.1 }?.0
    }

    /// Returns the configuration of a copy of a track.
    private func configuration(of track: TrackMap) throws(MovieError) -> MovieTrackConfiguration {
        if let invalid = track.samples.runs.first(where: { !track.sampleEntries.indices.contains(Int($0.entry)) }) {
            throw MovieError(
                .unsupportedFormat,
                "track \(track.number) of \(url.path) cannot be copied: samples refer to sample description "
                    + "\(Int(invalid.entry) + 1), but the track has only \(track.sampleEntries.count)")
        }
        let formats = try track.sampleEntries.map { (entry) throws(MovieError) in
            try track.copiedFormat(of: entry, to: container)
        }
        var configuration = MovieTrackConfiguration(
            format: formats[0], timescale: track.timescale, transform: track.transform,
            language: track.languageCode ?? "und", isEnabled: track.isEnabled)
        configuration.additionalFormats = Array(formats.dropFirst())
        configuration.extendedLanguageTag = track.extendedLanguageTag
        configuration.alternateGroup = track.alternateGroup
        configuration.layer = track.layer
        configuration.volume = track.volume
        configuration.perspective = track.perspective
        configuration.presentationSize = track.size
        configuration.number = track.number
        configuration.storedBoxes = track.storedBoxes
        return configuration
    }

    private func addReferences(_ cursors: [Cursor], in writer: MovieFileWriter) {
        for cursor in cursors {
            for (type, numbers) in cursor.track.references.sorted(by: { $0.key < $1.key }) {
                for number in numbers {
                    guard let other = cursors.first(where: { $0.track.number == number }) else { continue }
                    writer.addReference(from: cursor.id, to: other.id, ofType: type)
                }
            }
        }
    }

    /// Appends the samples of a run.
    private func append(_ run: SampleMap.Run, _ cursor: Cursor, to writer: MovieFileWriter) throws(MovieError) {
        let step = run.count == 1 ? 1 : UInt32(clamping: max(1, Self.appendByteLimit / Int(max(1, run.size))))
        let track = cursor.track
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
                data: Data(bytes), presentationTime: track.time(run.presentationTime + ticks),
                decodeTime: track.time(run.decodeTime + ticks),
                duration: track.time(Int64(run.duration) * Int64(count)), isKeyFrame: run.isSync,
                isDroppable: run.isDroppable, sampleCount: Int(count))
            sample.formatIndex = Int(run.entry)
            try writer.append(sample, to: cursor.id)
            first += count
        }
    }

    /// Compares the tracks of the repaired movie with those that were copied: the number, sizes, sync flags and relative
    /// times of the samples, and the number of sample descriptions. The bytes of the samples are not read again.
    ///
    /// - Throws: `.invalidSample` if they differ, or `.storage`.
    func check(_ url: URL, _ storage: any CaptureStorage) throws(MovieError) {
        let copy: MovieMap
        do throws(StorageError) {
            copy = try MovieMap(reading: storage.open(url, for: .reading))
        } catch {
            throw MovieError(error)
        }
        if let problem = copy.problems.first(where: { $0.severity == .error }) {
            throw MovieError(.invalidSample, "the repaired movie of \(self.url.path) is invalid: \(problem.message)")
        }
        for track in map.tracks where summary.sampleCounts[track.number] != nil {
            guard let written = copy.track(track.number), written.sampleEntries.count == track.sampleEntries.count,
                written.handler == track.handler, written.samples.sampleCount == track.samples.sampleCount,
                written.samples.byteCount == track.samples.byteCount,
                written.hasPresentation(of: track)
            else {
                throw MovieError(
                    .invalidSample,
                    "the repaired movie of \(self.url.path) does not contain all \(track.samples.sampleCount) samples of "
                        + "track \(track.number) with their times and descriptions")
            }
        }
    }
}
