package import MediaTypes

/// Gives the sound of a movie's track as linear PCM at the track's own rate, exact to a frame.
///
/// - Important: Confined.
package final class SoundSource {
    /// Frames without a gap.
    package struct Chunk {
        /// The first frame's number on the media's timeline, at the format's rate.
        package var start: Int64
        package var frameCount: Int
        /// Interleaved, native endian.
        package var bytes: [UInt8]
    }

    package let format: AudioStreamFormat
    /// The frames of one packet of linear PCM's run are read in portions of so many.
    private static let portion: UInt32 = 8192

    private let file: MovieFile
    private let track: TrackMap
    private let mediaTrack: MediaTrack
    private let configuration: DecoderConfiguration
    private let decoder: AudioDecoder
    private var runIndex = 0
    private var runPosition: UInt32 = 0
    private var waiting: [Chunk] = []
    private var range: Range<Int64> = 0..<0
    private var isAtEnd = true

    /// - Parameter sample: The form of the samples that come out.
    /// - Throws: `.unsupportedCodec` or `.outOfMemory`.
    package init(
        _ file: MovieFile, _ track: TrackMap, sample: AudioStreamFormat.Sample
    ) throws(MediaFileError) {
        self.file = file
        self.track = track
        let path = file.url.path
        guard let description = track.formatDescription, let stream = description.audioStreamBasicDescription,
            let configuration = DecoderConfiguration(description)
        else {
            let code = track.sampleEntries.first?.code ?? "unknown"
            throw MediaFileError(
                .unsupportedCodec, path: path,
                "track \(track.number) of \(path) is coded as \(code), which no decoder knows")
        }
        self.configuration = configuration
        mediaTrack = track.mediaTrack(description, codecName: configuration.name)
        format = AudioStreamFormat(
            sampleRate: stream.mSampleRate.rounded(), channelCount: Int(stream.mChannelsPerFrame), sample: sample)
        decoder = try AudioDecoder(configuration, track: mediaTrack, path: path, format: format)
    }

    /// The number of the frame at a tick of the track.
    package func frame(at tick: Int64) -> Int64 {
        let rate = Int64(format.sampleRate)
        let scale = Int64(max(1, track.timescale))
        if rate == scale { return tick }
        return CMTimeConvertScale(
            CMTime(value: tick, timescale: track.timescale), timescale: CMTimeScale(clamping: rate),
            method: .roundHalfAwayFromZero
        ).value
    }

    /// How many frames the times of the samples may be off, where the track counts in other ticks than frames.
    package var tickFrameCount: Int64 {
        let (rate, scale) = (Int64(format.sampleRate), Int64(max(1, track.timescale)))
        return rate == scale ? 0 : (rate + scale - 1) / scale
    }

    /// Makes `next` give the frames of a range, on the media's timeline at the format's rate.
    package func start(_ frames: Range<Int64>) {
        range = frames
        waiting = []
        isAtEnd = false
        decoder.reset()
        let runs = track.samples.runs
        // The first run that reaches into the range.
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            let end = frame(at: runs[middle].presentationTime + runs[middle].totalDuration)
            if end <= frames.lowerBound { low = middle + 1 } else { high = middle }
        }
        runIndex = max(0, low - configuration.preRollCount)
        runPosition = 0
        if runs.indices.contains(low), runIndex == low, runs[low].count > 1, runs[low].duration > 0 {
            let first = frame(at: runs[low].presentationTime)
            let frameLength = max(1, frame(at: Int64(runs[low].duration)))
            runPosition = UInt32(clamping: min(Int64(runs[low].count), max(0, frames.lowerBound - first) / frameLength))
        }
    }

    /// The next frames of the range; nil at its end.
    ///
    /// - Throws: `.unsupportedCodec` where the samples cannot be decoded; `.inputOutput` or `.outOfMemory`.
    package func next() throws(MediaFileError) -> Chunk? {
        while true {
            while !waiting.isEmpty {
                if let chunk = clip(waiting.removeFirst()) { return chunk }
            }
            guard !isAtEnd else { return nil }
            try decodeNext()
        }
    }

    private func decodeNext() throws(MediaFileError) {
        let runs = track.samples.runs
        guard runIndex < runs.count, frame(at: runs[runIndex].presentationTime) < range.upperBound else {
            isAtEnd = true
            return take(try decoder.decode(nil))
        }
        let run = runs[runIndex]
        let count = min(run.count - min(run.count, runPosition), Self.portion)
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
                bytes, track: mediaTrack, presentation: tick, decode: tick,
                duration: Int64(run.duration) * Int64(count), isKeyFrame: true)
        }
        guard let packet else {
            throw MediaFileError(
                .outOfMemory, path: file.url.path, "memory ran out while decoding \(file.url.path)")
        }
        let output = try decoder.decode(packet)
        if let damage = output.damage, output.chunks.isEmpty {
            throw MediaFileError(
                .unsupportedCodec, path: file.url.path,
                "the sound at tick \(tick) of track \(track.number) of \(file.url.path) cannot be decoded: \(damage)")
        }
        take(output)
    }

    private func take(_ output: AudioDecoder.Output) {
        for chunk in output.chunks where chunk.time.isNumeric {
            waiting.append(
                Chunk(start: frame(at: chunk.time.value), frameCount: chunk.frameCount, bytes: chunk.bytes))
        }
    }

    /// The part of a chunk that lies in the range.
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
