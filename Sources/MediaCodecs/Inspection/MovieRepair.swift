package import Foundation
package import MediaStorage
package import MediaTypes

/// Makes one plain movie of a recording that broke off: every complete fragment, and what the index of the unfinished
/// one tells where the recorder had written it already.
///
/// The samples go through the movie writer into a new file; the broken one stays as it is.
package struct MovieRepair {
    /// What came out.
    package struct Summary: Sendable, Hashable {
        package var duration = CMTime.zero
        /// Samples by the number of their track.
        package var sampleCounts: [UInt32: Int64] = [:]
        /// Samples that the index tells of and that are not whole.
        package var lostSampleCount: Int64 = 0
        /// Tracks that cannot be written again, and why.
        package var lostTracks: [String] = []
    }

    /// Bytes of media in one sample that is handed on, for runs of many.
    private static let portion = 1 << 20

    private let url: URL
    private let file: any StorageFile
    private var map: MovieMap
    private var summary = Summary()

    private init(_ url: URL, _ storage: any CaptureStorage) throws(MovieError) {
        self.url = url
        do throws(StorageError) {
            file = try storage.open(url, for: .reading)
            guard try MovieMap.canRead(file) else {
                throw StorageError(.inputOutput, .read, path: url.path)
            }
            map = try MovieMap(reading: file, findsHidden: true)
        } catch {
            guard error.code == .inputOutput, error.operation == .read else { throw MovieError(error) }
            throw MovieError(.unsupportedFormat, "\(url.path) is no QuickTime or MPEG-4 file")
        }
    }

    /// Whether a file is one plain movie in which nothing is wrong.
    package static func isWhole(_ url: URL, in storage: any CaptureStorage) throws(MovieError) -> Bool {
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

    /// Writes the plain movie.
    ///
    /// - Parameter destination: A file that does not exist.
    /// - Throws: `.empty` where there is not one complete sample, `.unsupportedFormat`, or `.storage`; then nothing is
    ///   left at `destination`.
    package static func repair(
        _ source: URL, to destination: URL, in storage: any CaptureStorage
    ) throws(MovieError) -> Summary {
        var repair = try MovieRepair(source, storage)
        try repair.dropBroken()
        guard repair.map.tracks.contains(where: { !$0.samples.isEmpty }) else {
            let reason = repair.map.problems.first { $0.severity == .error }?.message ?? "no track has samples"
            throw MovieError(.empty, "\(source.path) holds nothing that can be saved: \(reason)")
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
            // The error that led here is what counts.
            if storage.fileExists(at: destination) { try? storage.remove(destination) }
            throw error
        }
        return repair.summary
    }

    /// Leaves out samples that are not whole in the file, and from a picture that does not add up all behind it.
    private mutating func dropBroken() throws(MovieError) {
        let broken: Set<Int64>
        do throws(StorageError) {
            broken = try MovieChecker.brokenPictures(of: map, in: file)
        } catch {
            throw MovieError(error)
        }
        for index in map.tracks.indices {
            let byteCount = map.byteCount
            let limit = map.tracks[index].samples.runs.first { broken.contains($0.offset) || $0.end > byteCount }
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

    /// Hands all samples to the writer in order of decode time, as a recording would.
    private mutating func copy(to writer: MovieFileWriter) throws(MovieError) {
        var lanes: [(track: TrackMap, id: MovieTrackID, shift: CMTime, next: Int)] = []
        var ids: [UInt32: MovieTrackID] = [:]
        for track in map.tracks where !track.samples.isEmpty {
            do throws(MovieError) {
                guard let entry = track.sampleEntries.first else {
                    throw MovieError(.unsupportedFormat, "it does not say what its samples are")
                }
                let configuration = MovieTrackConfiguration(
                    format: try entry.makeSampleFormat(handler: track.handler, timescale: track.timescale),
                    timescale: track.timescale, transform: track.transform, language: track.languageCode ?? "und",
                    isEnabled: track.isEnabled)
                let id = try writer.addTrack(configuration)
                let segment = track.segments.first { $0.source != nil }
                let shift = segment.map { $0.target.start - ($0.source?.start ?? .zero) } ?? .zero
                lanes.append((track, id, shift, 0))
                ids[track.number] = id
            } catch {
                summary.lostTracks.append("track \(track.number): \(error.message)")
            }
        }
        guard !lanes.isEmpty else {
            throw MovieError(.unsupportedFormat, summary.lostTracks.joined(separator: "; "))
        }
        relate(ids, in: writer)
        while true {
            var best: (lane: Int, time: CMTime)?
            for (index, lane) in lanes.enumerated() where lane.next < lane.track.samples.runs.count {
                let time = lane.track.time(lane.track.samples.runs[lane.next].decodeTime) + lane.shift
                if best.map({ time < $0.time }) ?? true { best = (index, time) }
            }
            guard let best else { break }
            let lane = lanes[best.lane]
            try append(lane.track.samples.runs[lane.next], lane.track, lane.shift, lane.id, to: writer)
            lanes[best.lane].next += 1
        }
        for lane in lanes {
            summary.sampleCounts[lane.track.number] = lane.track.samples.sampleCount
            let end = lane.track.time(lane.track.samples.presentationEnd) + lane.shift
            summary.duration = max(summary.duration, end)
        }
    }

    private func relate(_ ids: [UInt32: MovieTrackID], in writer: MovieFileWriter) {
        for track in map.tracks {
            for (kind, numbers) in track.references.sorted(by: { $0.key < $1.key }) {
                guard let relation = MovieTrackRelation(rawValue: kind), let own = ids[track.number] else { continue }
                for number in numbers {
                    guard let other = ids[number] else { continue }
                    // The file tells of timed metadata in the track that describes, else in the one that has.
                    let (first, second) = relation == .describes ? (own, other) : (other, own)
                    writer.relate(first, to: second, as: relation)
                }
            }
        }
    }

    private func append(
        _ run: SampleMap.Run, _ track: TrackMap, _ shift: CMTime, _ id: MovieTrackID, to writer: MovieFileWriter
    ) throws(MovieError) {
        let step = run.count == 1 ? 1 : UInt32(clamping: max(1, Self.portion / Int(max(1, run.size))))
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
            try writer.append(
                EncodedSample(
                    data: Data(bytes), presentationTime: track.time(run.presentationTime + ticks) + shift,
                    decodeTime: track.time(run.decodeTime + ticks) + shift,
                    duration: track.time(Int64(run.duration) * Int64(count)), isKeyFrame: run.isSync,
                    isDroppable: run.isDroppable, sampleCount: Int(count)),
                to: id)
            first += count
        }
    }

    /// Reads the new movie before it takes the place of the old one.
    private static func check(_ url: URL, _ storage: any CaptureStorage) throws(MovieError) {
        let errors: [MovieProblem]
        do throws(StorageError) {
            let file = try storage.open(url, for: .reading)
            errors = try MovieChecker.problems(of: MovieMap(reading: file), in: file).filter { $0.severity == .error }
        } catch {
            throw MovieError(error)
        }
        if let first = errors.first {
            throw MovieError(.invalidSample, "the repaired movie would be wrong: \(first.message)")
        }
    }
}
