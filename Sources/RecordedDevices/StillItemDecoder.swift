import CaptureHAL
import MediaCodecs
import MediaFiles
import MediaTypes

/// A decoder that returns a still image repeatedly at the requested frame rate, without end.
final class StillItemDecoder: RecordedItemDecoder {
    private let pixels: CVPixelBuffer
    /// The time from one frame to the next.
    private let interval: CMTime
    private var count: Int64 = 0
    private(set) var endTime: Int64 = 0
    let jumps: [TimestampJump] = []

    init(_ source: MediaSource, _ track: MediaTrack, _ configuration: StreamConfiguration) throws(DeviceError) {
        guard case .video(let format) = configuration.format, case .pixels(let pixelFormat) = format.encoding,
            configuration.frameDuration.isValid, configuration.frameDuration.value > 0
        else {
            throw DeviceError(
                .unsupportedFormat, device: source.path, "\(source.fileName) delivers uncompressed frames only")
        }
        do throws(MediaFileError) {
            pixels = try Self.decode(source, track, format.dimensions, pixelFormat)
        } catch {
            throw DeviceError(error)
        }
        interval = configuration.frameDuration
    }

    private static func decode(
        _ source: MediaSource, _ track: MediaTrack, _ dimensions: CMVideoDimensions, _ pixelFormat: OSType
    ) throws(MediaFileError) -> CVPixelBuffer {
        let reader = try MediaFileReader(path: source.path)
        reader.select([track.index])
        let decoder = try VideoDecoder(reader: reader, track: track)
        var message = "it contains no frame"
        var isAtEnd = false
        while !isAtEnd {
            let output: VideoDecoder.Output
            switch try reader.next() {
            case .packet(let packet): output = try decoder.decode(packet)
            case .damaged(let reason):
                message = reason
                continue
            case .end:
                output = try decoder.decode(nil)
                isAtEnd = true
            }
            message = output.errorMessage ?? message
            guard let frame = output.frames.first else { continue }
            guard
                let pixels = CVPixelBuffer(
                    width: Int(dimensions.width), height: Int(dimensions.height), pixelFormat: pixelFormat)
            else {
                throw MediaFileError(.outOfMemory, path: source.path, "out of memory while decoding \(source.path)")
            }
            try decoder.render(frame, into: pixels, track.video?.cameraTransform)
            return pixels
        }
        throw MediaFileError(.noMedia, path: source.path, "the image in \(source.path) cannot be decoded: \(message)")
    }

    func next() -> RecordedItem? {
        let mediaTime = endTime
        count += 1
        // Computed from the frame count, because the rounding errors of added durations would accumulate.
        let timescale = Int128(interval.timescale)
        endTime = Int64((Int128(interval.value) * Int128(count) * 1_000_000_000 + timescale / 2) / timescale)
        return RecordedItem(content: .frame(pixels), mediaTime: mediaTime, duration: endTime - mediaTime)
    }
}
