import Foundation
import MediaCodecs
import MediaTypes

/// An exported track with the samples as stored in the source files.
final class StoredTrack: ExportTrack {
    /// The maximum number of bytes that are read at once.
    private static let maximumReadByteCount: Int64 = 1 << 20
    /// The maximum number of samples of a linear PCM run that are written at once.
    private static let maximumSampleCount: UInt32 = 8192

    let configuration: MovieTrackConfiguration
    private let layout: StoredTrackLayout
    private let range: CMTimeRange
    /// For each source, the indices of its sample descriptions in the formats of `configuration`.
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
    /// - Throws: `.operationNotSupportedForAsset` for samples that movies cannot contain, or of different codecs.
    init?(
        _ track: AVAssetTrack, in range: CMTimeRange, _ options: AVAssetExportSession.Options
    ) throws(AVError) {
        layout = StoredTrackLayout(track, in: range)
        self.range = range
        var (formats, indexes): ([MovieSampleFormat], [ObjectIdentifier: [Int]]) = ([], [:])
        for part in layout.parts where indexes[ObjectIdentifier(part.group.media)] == nil {
            let media = part.group.media
            let new = try Self.formats(of: media, in: track)
            indexes[ObjectIdentifier(media)] = new.map { format in
                if let known = formats.firstIndex(where: { $0.decodes(format) }) { return known }
                formats.append(format)
                return formats.count - 1
            }
        }
        formatIndexes = indexes
        guard let first = formats.first else { return nil }
        if let other = formats.first(where: { !$0.hasCodec(of: first) }) {
            throw AVError(
                .operationNotSupportedForAsset,
                "\(track.path) has parts with the codecs \(first.codecName) and \(other.codecName), which one track of "
                    + "stored samples cannot contain; use a preset that encodes")
        }
        guard
            let configuration = track.exportConfiguration(
                formats, timescale: layout.timescale, expectedSampleRate: Double(track.nominalFrameRate), options)
        else { return nil }
        self.configuration = configuration
    }

    private static func formats(of media: MediaSource, in track: AVAssetTrack) throws(AVError) -> [MovieSampleFormat] {
        do throws(MovieError) {
            return try media.map.sampleEntries.map { (entry) throws(MovieError) in
                try entry.makeSampleFormat(handler: media.map.handler, timescale: media.map.timescale)
            }
        } catch {
            throw AVError(
                .operationNotSupportedForAsset, "\(track.path) cannot be exported: \(error.message)", cause: error)
        }
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
            isKeyFrame: run.isSync || !configuration.format.isVideo, isDroppable: run.isDroppable,
            sampleCount: samples.count)
        let indexes = formatIndexes[ObjectIdentifier(group.media)] ?? []
        if runOffset == 0, partIndex > 0, case .video(let video) = configuration.format {
            sample.data = video.splicing(sample.data)
        }
        sample.formatIndex = indexes.indices.contains(Int(run.entry)) ? indexes[Int(run.entry)] : 0
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

extension MovieSampleFormat {
    /// Whether a decoder for this format can decode samples of another format.
    fileprivate func decodes(_ other: MovieSampleFormat) -> Bool {
        guard case (.audio(var first), .audio(var second)) = (self, other) else { return self == other }
        // The bit rate is only informative.
        (first.bitRate, second.bitRate) = (0, 0)
        return first == second
    }

    /// Whether two formats have the same codec, with any parameters.
    fileprivate func hasCodec(of other: MovieSampleFormat) -> Bool { codecName == other.codecName }

    /// The name of the codec, for messages.
    fileprivate var codecName: String {
        switch self {
        case .video(let video): video.codec.rawValue
        case .audio(let audio):
            switch audio.codec {
            case .aac: "aac"
            case .pcm: "pcm"
            case .alac: "alac"
            case .opus: "opus"
            }
        case .timecode: "timecode"
        case .metadata: "metadata"
        case .text: "text"
        case .subtitle: "3GPP text"
        case .stored(let stored): stored.code
        }
    }
}

extension AVAssetTrack {
    /// The formats of all samples that the track presents. A format that movies cannot contain is nil.
    var storedFormats: [MovieSampleFormat?] {
        timeline.flatMap { segment in
            segment.media.map.sampleEntries.map { entry in
                // No file type supports a format that cannot be written, whatever the reason.
                try? entry.makeSampleFormat(
                    handler: segment.media.map.handler, timescale: segment.media.map.timescale)
            }
        }
    }

    /// Whether one decoder can decode all samples. Formats that movies cannot contain are ignored.
    var hasOneStoredFormat: Bool {
        let formats = storedFormats.compactMap { $0 }
        return formats.allSatisfy { format in formats.first.map { $0.decodes(format) } ?? true }
    }
}
