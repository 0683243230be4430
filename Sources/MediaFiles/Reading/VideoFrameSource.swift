package import MediaCodecs
package import MediaTypes

/// Decodes the frames of a movie's video track, in order or with random access.
///
/// - Important: Confined to one thread at a time.
package final class VideoFrameSource {
    /// The frames in presentation order.
    package let times: FrameTimes
    private let file: MovieFile
    private let track: TrackMap
    /// The decoder of the current sample description.
    private var decoder: VideoDecoder
    /// The index of the current sample description.
    private var entry: Int
    /// The index of the next run to decode; each run of a video track is one sample.
    private var next = 0
    /// Decoded frames that are not yet returned, with the indices of their samples, in the decoder's order.
    private var decoded: [(sample: Int, frame: VideoDecoder.Frame)] = []
    /// The index in `times` of the last frame that was requested, even if it could not be decoded; nil before the first.
    /// `decoded` contains no frames before its group.
    private var lastIndex: Int?
    /// The indices in `times` of the frames of the samples.
    private let indices: [Int]
    private var isAtEnd = false
    /// Whether the remaining frames of the decoder were requested before a change of the sample description.
    private var isDrained = false
    /// The maximum number of frames that a decoder returns before a frame with an earlier sample (H.264 and HEVC, A.3:
    /// the maximum size of the decoded picture buffer).
    private static let reorderingLimit = 16

    /// Creates a source.
    ///
    /// - Throws: `.unsupportedCodec` or `.outOfMemory`.
    package init(_ file: MovieFile, _ track: TrackMap) throws(MediaFileError) {
        self.file = file
        self.track = track
        entry = track.samples.runs.first.map { Int($0.entry) } ?? 0
        decoder = try Self.makeDecoder(file, track, entry)
        times = FrameTimes(track.samples)
        var indices = Array(repeating: 0, count: times.frames.count)
        for (index, frame) in times.frames.enumerated() { indices[frame.sample] = index }
        self.indices = indices
    }

    private static func makeDecoder(
        _ file: MovieFile, _ track: TrackMap, _ entry: Int
    ) throws(MediaFileError) -> VideoDecoder {
        let path = file.url.path
        let sampleEntry = track.sampleEntries.indices.contains(entry) ? track.sampleEntries[entry] : nil
        guard
            let description = sampleEntry?.makeDescription(handler: track.handler, timescale: track.timescale),
            sampleEntry?.isProtected == false, let configuration = DecoderConfiguration(description)
        else {
            throw MediaFileError(undecodable: sampleEntry, of: track, path: path)
        }
        return try VideoDecoder(
            configuration, track: track.mediaTrack(description, codecName: configuration.name), path: path)
    }

    /// The best pixel format for the current sample description: 420f for full range, else 420v.
    package var pixelFormat: OSType { decoder.pixelFormat }

    /// Decodes a frame; fast if it follows the previous one.
    ///
    /// - Parameter index: The frame's index in `times`.
    /// - Throws: `.unsupportedCodec` if the samples cannot be decoded; `.inputOutput` or `.outOfMemory`.
    package func frame(_ index: Int) throws(MediaFileError) -> VideoDecoder.Frame {
        let target = times.frames[index].sample
        let group = group(of: index)
        let samples = times.frames[group].map(\.sample)
        seek(to: group.lowerBound, fromSample: samples.min() ?? target, isAhead: lastIndex.map { $0 < index } ?? true)
        lastIndex = index
        while true {
            // The decoder's order can differ from that of the times, if these are wrong.
            decoded.removeAll { indices[$0.sample] < group.lowerBound }
            let frames = decoded.filter { group.contains(indices[$0.sample]) }
            let hasAllFrames = frames.count == group.count
            // After the limit, the decoder returns no more frames of the group.
            let sampleLimit = (samples.max() ?? target) + Self.reorderingLimit
            guard hasAllFrames || isAtEnd || decoded.contains(where: { $0.sample > sampleLimit }) else {
                try decodeNext()
                continue
            }
            let found = hasAllFrames ? frames[index - group.lowerBound] : frames.first { $0.sample == target }
            guard let found else { throw missing(times.frames[index]) }
            return found.frame
        }
    }

    /// Returns the range in `times` of the frames with the same presentation time as a frame. The decoder determines the
    /// order of these frames. If there are more than a decoder can reorder, the range contains only the frame itself.
    private func group(of index: Int) -> Range<Int> {
        let frames = times.frames
        var (first, end) = (index, index + 1)
        while first > 0, frames[first - 1].start == frames[index].start { first -= 1 }
        while end < frames.count, frames[end].start == frames[index].start { end += 1 }
        return end - first > Self.reorderingLimit ? index..<index + 1 : first..<end
    }

    /// Writes a frame to a pixel buffer.
    ///
    /// - Throws: As `VideoDecoder.render`.
    package func render(_ frame: VideoDecoder.Frame, into pixels: CVPixelBuffer) throws(MediaFileError) {
        try decoder.render(frame, into: pixels)
    }

    /// Seeks to the last key frame at or before a frame, unless continuing from the current position is as fast.
    ///
    /// - Parameters:
    ///   - index: The index of the frame in `times`.
    ///   - sample: The sample of the frame, or an earlier one that is also needed.
    ///   - isAhead: Whether the frame follows the last one that was requested.
    private func seek(to index: Int, fromSample sample: Int, isAhead: Bool) {
        let runs = track.samples.runs
        var start = sample
        while start > 0, !(runs[start].isSync && indices[start] <= index) { start -= 1 }
        if isAhead, next > start || (next == start && decoded.isEmpty), !isAtEnd || !decoded.isEmpty { return }
        decoder.reset()
        decoded = []
        isAtEnd = false
        isDrained = false
        next = start
    }

    private func decodeNext() throws(MediaFileError) {
        let runs = track.samples.runs
        guard next < runs.count else {
            isAtEnd = true
            try append(decoder.decode(nil))
            return
        }
        let run = runs[next]
        if Int(run.entry) != entry {
            guard isDrained else {
                // The remaining frames precede those of the next decoder, which may not exist.
                isDrained = true
                return try append(decoder.decode(nil))
            }
            decoder = try Self.makeDecoder(file, track, Int(run.entry))
            entry = Int(run.entry)
            isDrained = false
        }
        let bytes = try file.bytes(of: run)
        let packet = bytes.withUnsafeBytes { bytes in
            // The decoder returns a frame with the presentation time of its packet. The index identifies the sample, also
            // if several have the same time.
            MediaPacket(
                bytes, track: decoder.track, presentation: Int64(next), decode: run.decodeTime,
                duration: Int64(run.duration), isKeyFrame: run.isSync)
        }
        guard let packet else {
            throw MediaFileError(
                .outOfMemory, path: file.url.path, "memory ran out while decoding \(file.url.path)")
        }
        next += 1
        try append(decoder.decode(packet))
    }

    private func append(_ output: VideoDecoder.Output) {
        for frame in output.frames where frame.presentationTime.isNumeric {
            let sample = Int(frame.presentationTime.value)
            if indices.indices.contains(sample) { decoded.append((sample, frame)) }
        }
    }

    private func missing(_ target: FrameTimes.Frame) -> MediaFileError {
        MediaFileError(
            .unsupportedCodec, path: file.url.path,
            "the frame at tick \(target.start) of track \(track.number) of \(file.url.path) cannot be decoded")
    }
}
