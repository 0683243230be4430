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
    /// Decoded frames that are not yet returned, in presentation order.
    private var decoded: [VideoDecoder.Frame] = []
    /// The presentation time in ticks of the last frame that was returned or skipped; nil before the first.
    private var lastTime: Int64?
    private var isAtEnd = false

    /// Creates a source.
    ///
    /// - Throws: `.unsupportedCodec` or `.outOfMemory`.
    package init(_ file: MovieFile, _ track: TrackMap) throws(MediaFileError) {
        self.file = file
        self.track = track
        entry = track.samples.runs.first.map { Int($0.entry) } ?? 0
        decoder = try Self.makeDecoder(file, track, entry)
        times = FrameTimes(track.samples)
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

    /// The best pixel format for the track: 420f for full range, else 420v.
    package var pixelFormat: OSType { decoder.pixelFormat }

    /// Decodes a frame; fast if it follows the previous one.
    ///
    /// - Parameter index: The frame's index in `times`.
    /// - Throws: `.unsupportedCodec` if the samples cannot be decoded; `.inputOutput` or `.outOfMemory`.
    package func frame(_ index: Int) throws(MediaFileError) -> VideoDecoder.Frame {
        let target = times.frames[index]
        seek(to: target)
        while true {
            while let frame = decoded.first {
                let time = ticks(frame.time)
                if time > target.start { throw missing(target) }
                lastTime = time
                decoded.removeFirst()
                if time == target.start { return frame }
            }
            guard !isAtEnd else { throw missing(target) }
            try decodeNext()
        }
    }

    /// Writes a frame to a pixel buffer.
    ///
    /// - Throws: As `VideoDecoder.render`.
    package func render(_ frame: VideoDecoder.Frame, into pixels: CVPixelBuffer) throws(MediaFileError) {
        try decoder.render(frame, into: pixels)
    }

    /// Seeks to the last key frame at or before a frame, unless continuing from the current position is as fast.
    private func seek(to target: FrameTimes.Frame) {
        let runs = track.samples.runs
        var start = target.sample
        while start > 0, !(runs[start].isSync && runs[start].presentationTime <= target.start) { start -= 1 }
        let isAhead = lastTime.map { $0 < target.start } ?? true
        if isAhead, next > start || (next == start && decoded.isEmpty), !isAtEnd || !decoded.isEmpty { return }
        decoder.reset()
        decoded = []
        lastTime = nil
        isAtEnd = false
        next = start
    }

    private func decodeNext() throws(MediaFileError) {
        let runs = track.samples.runs
        guard next < runs.count else {
            isAtEnd = true
            decoded += try decoder.decode(nil).frames
            return
        }
        let run = runs[next]
        if Int(run.entry) != entry {
            // The frames that are still in the old decoder precede those of the new one.
            decoded += try decoder.decode(nil).frames
            decoder = try Self.makeDecoder(file, track, Int(run.entry))
            entry = Int(run.entry)
        }
        next += 1
        let bytes = try file.bytes(of: run)
        let packet = bytes.withUnsafeBytes { bytes in
            MediaPacket(
                bytes, track: decoder.track, presentation: run.presentationTime, decode: run.decodeTime,
                duration: Int64(run.duration), isKeyFrame: run.isSync)
        }
        guard let packet else {
            throw MediaFileError(
                .outOfMemory, path: file.url.path, "memory ran out while decoding \(file.url.path)")
        }
        decoded += try decoder.decode(packet).frames
    }

    private func ticks(_ time: CMTime) -> Int64 { time.isNumeric ? time.value : .min }

    private func missing(_ target: FrameTimes.Frame) -> MediaFileError {
        MediaFileError(
            .unsupportedCodec, path: file.url.path,
            "the frame at tick \(target.start) of track \(track.number) of \(file.url.path) cannot be decoded")
    }
}
