package import MediaTypes

/// Gives the frames of a movie's video track, one after the other or at any place.
///
/// - Important: Confined.
package final class FrameSource {
    package let times: FrameTimes
    private let file: MovieFile
    private let track: TrackMap
    private let mediaTrack: MediaTrack
    private let decoder: VideoDecoder
    /// The next sample to decode.
    private var next = 0
    /// Decoded and not yet asked for, in order of presentation.
    private var decoded: [VideoDecoder.Frame] = []
    /// The presentation time of the last frame that was given out or passed over; nil before the first.
    private var lastTime: Int64?
    private var isAtEnd = false

    /// - Throws: `.unsupportedCodec` or `.outOfMemory`.
    package init(_ file: MovieFile, _ track: TrackMap) throws(MediaFileError) {
        self.file = file
        self.track = track
        let path = file.url.path
        guard let description = track.formatDescription, let configuration = DecoderConfiguration(description) else {
            let code = track.sampleEntries.first?.code ?? "unknown"
            throw MediaFileError(
                .unsupportedCodec, path: path,
                "track \(track.number) of \(path) is coded as \(code), which no decoder knows")
        }
        mediaTrack = track.mediaTrack(description, codecName: configuration.name)
        decoder = try VideoDecoder(configuration, track: mediaTrack, path: path)
        times = FrameTimes(track.samples)
    }

    /// The pixel format that fits best: 420f for full range, else 420v.
    package var pixelFormat: OSType { decoder.pixelFormat }

    /// Decodes a frame; fast where it follows the last one.
    ///
    /// - Parameter index: Its place in `times`.
    /// - Throws: `.unsupportedCodec` where the samples cannot be decoded; `.inputOutput` or `.outOfMemory`.
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

    package func render(_ frame: VideoDecoder.Frame, into pixels: CVPixelBuffer) throws(MediaFileError) {
        try decoder.render(frame, into: pixels)
    }

    /// Goes to the key frame before a frame, unless going on from here is as short.
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
        next += 1
        let bytes = try file.bytes(of: run)
        let packet = bytes.withUnsafeBytes { bytes in
            MediaPacket(
                bytes, track: mediaTrack, presentation: run.presentationTime, decode: run.decodeTime,
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
