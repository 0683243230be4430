import AssetTypes
import Foundation
import MediaAssets
import MediaCodecs
import MediaFiles
import MediaTypes

/// An exported track with the samples as stored in the source files.
final class StoredTrack: ExportTrack {
    /// The maximum number of bytes that are read at once.
    private static let maximumReadByteCount: Int64 = 1 << 20
    /// The maximum number of samples of a linear PCM run that are written at once.
    private static let maximumSampleCount: UInt32 = 8192

    let configuration: MovieTrackConfiguration
    let omittedBoxes: [String]
    private let layout: StoredTrackLayout
    private let range: CMTimeRange
    /// The formats of `configuration`.
    private let formats: [StoredTrackFormat]
    /// For each source, the indices of its sample descriptions in `formats`.
    private let formatIndexes: [ObjectIdentifier: [Int]]
    /// The index of the current part of the layout.
    private var partIndex = 0
    /// The index of the current run within the runs of the part.
    private var runOffset = 0
    /// The index of the next sample in the current run.
    private var nextSample: UInt32 = 0
    /// The bytes that were read last, with their source and their offset in its file.
    private var buffer: (media: MediaSource, offset: Int64, bytes: Data)?

    /// Creates a track; nil if the source track presents nothing in the range.
    ///
    /// - Throws: `.operationNotSupportedForAsset` for samples that the container cannot contain, or of different codecs.
    init?(
        _ track: AVAssetTrack, in range: CMTimeRange, to container: MovieContainer
    ) throws(AVError) {
        layout = StoredTrackLayout(track, in: range)
        self.range = range
        var (formats, indexes): ([StoredTrackFormat], [ObjectIdentifier: [Int]]) = ([], [:])
        for part in layout.parts where indexes[ObjectIdentifier(part.group.media)] == nil {
            let media = part.group.media
            indexes[ObjectIdentifier(media)] = media.storedFormats.map { format in
                if let known = formats.firstIndex(where: { $0.decodes(format) }) { return known }
                formats.append(format)
                return formats.count - 1
            }
        }
        self.formats = formats
        formatIndexes = indexes
        guard let first = formats.first else { return nil }
        if indexes.count > 1, let other = formats.first(where: { $0.entry.code != first.entry.code }) {
            throw track.exportError(
                "it has parts with the codecs '\(first.entry.code)' and '\(other.entry.code)', which one track of stored "
                    + "samples cannot contain; use a preset that encodes")
        }
        let written: [MovieSampleFormat]
        do throws(MovieError) {
            written = try formats.map { (format) throws(MovieError) in
                try format.media.map.copiedFormat(of: format.entry, to: container)
            }
        } catch {
            throw track.exportError(error.message)
        }
        guard
            var configuration = track.exportConfiguration(
                written, timescale: layout.timescale, expectedSampleRate: Double(track.nominalFrameRate),
                to: container)
        else { return nil }
        var omittedBoxes = track.mediaSources.flatMap(\.map.omittedBoxes)
        if !layout.isWholeTrack {
            let removed = configuration.storedBoxes?.selectSamples(layout.sourceSamples) ?? []
            omittedBoxes += removed.map { "the '\($0)' box of track \(track.trackID)" }
        }
        self.configuration = configuration
        self.omittedBoxes = omittedBoxes
    }

    func begin(_ id: MovieTrackID, in writer: MovieFileWriter) { writer.setEdits(layout.edits, of: id) }

    func finish(_ id: MovieTrackID, in writer: MovieFileWriter) {}

    func next() throws(AVError) -> ExportSample? {
        while partIndex < layout.parts.count {
            let part = layout.parts[partIndex]
            guard runOffset < part.runs.count else {
                (partIndex, runOffset, nextSample) = (partIndex + 1, 0, 0)
                continue
            }
            let run = part.group.media.map.samples.runs[part.runs.lowerBound + runOffset]
            let needed = part.group.samples(of: run)
            let first = max(nextSample, needed.lowerBound)
            guard first < needed.upperBound else {
                (runOffset, nextSample) = (runOffset + 1, 0)
                continue
            }
            nextSample = min(needed.upperBound, first + Self.maximumSampleCount)
            return try sample(run, first..<nextSample, part)
        }
        return nil
    }

    /// Returns samples of the current run as one sample to write.
    ///
    /// - Parameter samples: The indices of the samples in the run.
    private func sample(
        _ run: SampleMap.Run, _ samples: Range<UInt32>, _ part: StoredTrackLayout.Part
    ) throws(AVError) -> ExportSample {
        let (group, scale) = (part.group, layout.timescale)
        let needed = group.samples(of: run)
        func ticks(_ count: Int) -> Int64 { layout.ticks(group.media.map.time(Int64(count) * Int64(run.duration))) }
        let offset = ticks(Int(samples.lowerBound - needed.lowerBound))
        let isLast = runOffset + 1 == part.decodeTimes.count
        let nextDecode = isLast ? part.decodeEnd : part.decodeTimes[runOffset + 1]
        let decode = part.decodeTimes[runOffset] + offset
        let duration = samples.upperBound < needed.upperBound ? ticks(samples.count) : nextDecode - decode
        var sample = EncodedSample(
            data: try data(run, samples, part),
            presentationTime: CMTime(value: part.presentationTimes[runOffset] + offset, timescale: scale),
            decodeTime: CMTime(value: decode, timescale: scale),
            duration: CMTime(value: max(1, duration), timescale: scale),
            isKeyFrame: run.isSync, isDroppable: run.isDroppable,
            sampleCount: samples.count)
        let indexes = formatIndexes[ObjectIdentifier(group.media)] ?? []
        sample.formatIndex = indexes.indices.contains(Int(run.entry)) ? indexes[Int(run.entry)] : 0
        if runOffset == 0, partIndex > 0 { sample.data = formats[sample.formatIndex].splicing(sample.data) }
        let tick = run.decodeTime + Int64(samples.lowerBound) * Int64(run.duration)
        let time = max(group.range.start, group.trackTime(ofTick: tick))
        return ExportSample(sample: sample, position: time - range.start)
    }

    /// Returns the bytes of samples of a run. The samples that follow in the file are read ahead.
    private func data(
        _ run: SampleMap.Run, _ samples: Range<UInt32>, _ part: StoredTrackLayout.Part
    ) throws(AVError) -> Data {
        let media = part.group.media
        let offset = run.offset + Int64(samples.lowerBound) * Int64(run.size)
        let count = Int64(samples.count) * Int64(run.size)
        if let buffer, buffer.media === media, offset >= buffer.offset,
            offset + count <= buffer.offset + Int64(buffer.bytes.count)
        {
            let start = Int(offset - buffer.offset)
            return buffer.bytes[start..<start + Int(count)]
        }
        var readEnd = offset + count
        if samples.upperBound == run.count {
            let runs = media.map.samples.runs
            for index in part.runs.dropFirst(runOffset + 1) {
                let next = runs[index]
                guard next.offset == readEnd, next.end - offset <= Self.maximumReadByteCount else { break }
                readEnd = next.end
            }
        }
        do throws(MediaFileError) {
            let bytes = try media.file.data(at: offset, count: readEnd - offset)
            buffer = (media, offset, bytes)
            return bytes[..<Int(count)]
        } catch {
            throw AVError(readingSamples: error)
        }
    }
}
