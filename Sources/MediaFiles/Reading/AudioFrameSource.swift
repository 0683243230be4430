package import MediaCodecs
package import MediaTypes

/// Decodes a movie's audio track to linear PCM at the track's own sample rate, with sample accuracy.
///
/// - Important: Confined to one thread at a time.
package final class AudioFrameSource {
    /// Consecutive frames without a gap.
    package struct Chunk {
        /// The position of the first frame on the media timeline, in frames at the format's sample rate.
        package var start: Int64
        /// The number of frames; a frame is one sample of each channel.
        package var frameCount: Int
        /// Interleaved samples in native byte order.
        package var bytes: [UInt8]
    }

    /// The format of the decoded audio.
    package let format: AudioStreamFormat
    /// The number of linear PCM frames to read at once.
    private static let batchFrameCount: UInt32 = 8192

    private let file: MovieFile
    private let track: TrackMap
    /// The decoders that were needed so far, by the index of their sample description.
    private var decoders: [Int: Decoder] = [:]
    /// For each sample description, the number of packets to decode and discard before the requested audio.
    private let preRollCounts: [Int]
    /// The index of the sample description of the decoder in use.
    private var entry = 0
    /// The index of the run to decode next, and in it the index of the first sample that is not yet decoded.
    private var runIndex = 0
    private var runPosition: UInt32 = 0
    /// The decoded audio that is not yet returned.
    private var pending: [Chunk] = []
    /// The end of the decoded audio on the media timeline; nil before the first packet.
    private var decodedEnd: Int64?
    /// The frames to return, on the media timeline.
    private var range: Range<Int64> = 0..<0
    private var isAtEnd = true

    /// The decoder of a sample description.
    private struct Decoder {
        let track: MediaTrack
        let audio: AudioDecoder
    }

    /// Creates a source. Its format is that of the first sample description, and all audio is converted to it.
    ///
    /// - Parameter sample: The type of the decoded samples.
    /// - Throws: `.unsupportedCodec` or `.outOfMemory`.
    package init(
        _ file: MovieFile, _ track: TrackMap, sample: AudioStreamFormat.Sample
    ) throws(MediaFileError) {
        self.file = file
        self.track = track
        guard let stream = track.formatDescription?.audioStreamBasicDescription else {
            throw Self.unsupported(0, of: track, file)
        }
        preRollCounts = track.sampleEntries.map { entry in
            entry.makeDescription(handler: track.handler, timescale: track.timescale)
                .flatMap(DecoderConfiguration.init)?.preRollCount ?? 0
        }
        format = AudioStreamFormat(
            sampleRate: stream.mSampleRate.rounded(), channelCount: Int(stream.mChannelsPerFrame),
            sample: sample)
        _ = try decoder(for: 0)
    }

    /// Returns the error for a sample description that cannot be decoded.
    private static func unsupported(_ entry: Int, of track: TrackMap, _ file: MovieFile) -> MediaFileError {
        let sampleEntry = track.sampleEntries.indices.contains(entry) ? track.sampleEntries[entry] : nil
        return MediaFileError(undecodable: sampleEntry, of: track, path: file.url.path)
    }

    /// Returns the decoder of the sample description with an index.
    private func decoder(for entry: Int) throws(MediaFileError) -> Decoder {
        if let decoder = decoders[entry] { return decoder }
        guard track.sampleEntries.indices.contains(entry), !track.sampleEntries[entry].isProtected,
            let description = track.sampleEntries[entry].makeDescription(
                handler: track.handler, timescale: track.timescale),
            let stream = description.audioStreamBasicDescription,
            let configuration = DecoderConfiguration(description)
        else { throw Self.unsupported(entry, of: track, file) }
        guard stream.mSampleRate.rounded() == format.sampleRate else {
            throw MediaFileError(
                .unsupportedCodec, path: file.url.path,
                "track \(track.number) of \(file.url.path) changes to \(stream.mSampleRate) Hz, which is not supported")
        }
        let mediaTrack = track.mediaTrack(description, codecName: configuration.name)
        let decoder = Decoder(
            track: mediaTrack,
            audio: try AudioDecoder(
                configuration, track: mediaTrack, path: file.url.path, format: format))
        decoders[entry] = decoder
        return decoder
    }

    /// Converts a time in ticks of the track to a position in frames on the media timeline.
    package func frame(at tick: Int64) -> Int64 {
        let rate = Int64(format.sampleRate)
        let scale = Int64(max(1, track.timescale))
        if rate == scale { return tick }
        return CMTimeConvertScale(
            CMTime(value: tick, timescale: track.timescale), timescale: CMTimeScale(clamping: rate),
            method: .roundHalfAwayFromZero
        ).value
    }

    /// The duration of a tick in frames, rounded up: the uncertainty of sample times; 0 if the time scale is the sample
    /// rate.
    package var tickFrameCount: Int64 {
        let (rate, scale) = (Int64(format.sampleRate), Int64(max(1, track.timescale)))
        return rate == scale ? 0 : (rate + scale - 1) / scale
    }

    /// Starts reading a range of the media timeline, in frames at the format's sample rate.
    package func start(_ frames: Range<Int64>) {
        range = frames
        pending = []
        decodedEnd = nil
        isAtEnd = false
        for decoder in decoders.values { decoder.audio.reset() }
        let runs = track.samples.runs
        // The first run that overlaps the range.
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            let end = frame(at: runs[middle].presentationTime + runs[middle].totalDuration)
            if end <= frames.lowerBound { low = middle + 1 } else { high = middle }
        }
        runIndex = low
        if runs.indices.contains(low) {
            // Samples with another description have another decoder, so they cannot serve as pre-roll.
            entry = Int(runs[low].entry)
            let first = max(0, low - (preRollCounts.indices.contains(entry) ? preRollCounts[entry] : 0))
            while runIndex > first, runs[runIndex - 1].entry == runs[low].entry { runIndex -= 1 }
        }
        runPosition = 0
        if runs.indices.contains(low), runIndex == low, runs[low].count > 1, runs[low].duration > 0 {
            let first = frame(at: runs[low].presentationTime)
            let frameLength = max(1, frame(at: Int64(runs[low].duration)))
            runPosition = UInt32(clamping: min(Int64(runs[low].count), max(0, frames.lowerBound - first) / frameLength))
        }
    }

    /// Returns the next frames of the range; nil at its end.
    ///
    /// - Throws: `.unsupportedCodec` if the samples cannot be decoded; `.inputOutput` or `.outOfMemory`.
    package func next() throws(MediaFileError) -> Chunk? {
        while true {
            while !pending.isEmpty {
                if let chunk = clip(pending.removeFirst()) { return chunk }
            }
            guard !isAtEnd else { return nil }
            try decodeNext()
        }
    }

    private func decodeNext() throws(MediaFileError) {
        let runs = track.samples.runs
        guard runIndex < runs.count, frame(at: runs[runIndex].presentationTime) < range.upperBound else {
            isAtEnd = true
            return append(try decoder(for: entry).audio.decode(nil))
        }
        let run = runs[runIndex]
        if Int(run.entry) != entry {
            append(try decoder(for: entry).audio.decode(nil))
            entry = Int(run.entry)
            try decoder(for: entry).audio.reset()
        }
        let decoder = try decoder(for: entry)
        let count = min(run.count - min(run.count, runPosition), Self.batchFrameCount)
        let tick = run.presentationTime + Int64(runPosition) * Int64(run.duration)
        guard count > 0 else {
            runIndex += 1
            runPosition = 0
            return
        }
        let bytes = try file.bytes(of: run, from: runPosition, count: count)
        runPosition += count
        if runPosition >= run.count {
            runIndex += 1
            runPosition = 0
        }
        let packet = bytes.withUnsafeBytes { bytes in
            MediaPacket(
                bytes, track: decoder.track, presentation: tick, decode: tick,
                duration: Int64(run.duration) * Int64(count), isKeyFrame: true)
        }
        guard let packet else {
            throw MediaFileError(
                .outOfMemory, path: file.url.path, "memory ran out while decoding \(file.url.path)")
        }
        let output = try decoder.audio.decode(packet)
        if let message = output.errorMessage, output.chunks.isEmpty {
            throw MediaFileError(
                .unsupportedCodec, path: file.url.path,
                "the audio at tick \(tick) of track \(track.number) of \(file.url.path) cannot be decoded: \(message)")
        }
        append(output)
    }

    private func append(_ output: AudioDecoder.Output) {
        for chunk in output.chunks {
            // Only the first frame of a packet has a time.
            guard let start = chunk.time.isNumeric ? frame(at: chunk.time.value) : decodedEnd else { continue }
            decodedEnd = start + Int64(chunk.frameCount)
            pending.append(Chunk(start: start, frameCount: chunk.frameCount, bytes: chunk.bytes))
        }
    }

    /// Returns the part of a chunk that lies in the range; nil if there is none.
    private func clip(_ chunk: Chunk) -> Chunk? {
        let start = max(chunk.start, range.lowerBound)
        let end = min(chunk.start + Int64(chunk.frameCount), range.upperBound)
        guard start < end else { return nil }
        if start == chunk.start, end == chunk.start + Int64(chunk.frameCount) { return chunk }
        let first = Int(start - chunk.start) * format.bytesPerFrame
        let count = Int(end - start)
        return Chunk(
            start: start, frameCount: count,
            bytes: Array(chunk.bytes[first..<first + count * format.bytesPerFrame]))
    }
}
