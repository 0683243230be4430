import Foundation
import MediaTypes

/// The audio of a Live Photo's movie: PCM with 16 bits, trimmed to the movie and without gaps.
struct LivePhotoSound {
    /// The format of the packets.
    let format: AudioSampleFormat
    /// The packets, with times on the movie's timeline.
    let packets: [EncodedSample]

    /// The number of frames in a packet.
    private static let packetFrameCount = 1024

    /// Converts the audio from `start` to `end`, on the clock of the media.
    ///
    /// Chunks in another format than the first one are replaced by silence.
    /// - Returns: Nil without audio.
    init?(_ chunks: [AudioChunk], from start: CMTime, to end: CMTime) throws(MovieError) {
        guard let input = chunks.first?.format else { return nil }
        let rate = CMTimeScale(clamping: Int(input.sampleRate.rounded()))
        func position(_ time: CMTime) -> Int {
            Int(CMTimeConvertScale(time - start, timescale: rate, method: .roundHalfAwayFromZero).value)
        }
        let (frameCount, frameByteCount) = (position(end), input.bytesPerFrame)
        // Zero is silence in all sample types.
        var bytes = [UInt8](repeating: 0, count: frameCount * frameByteCount)
        var written = 0
        for chunk in chunks where chunk.format == input {
            // Times of consecutive chunks can be rounded differently.
            let measured = position(chunk.presentationTime)
            let first = abs(measured - written) <= 2 && written > 0 ? written : measured
            let (begin, end) = (max(first, 0, written), min(first + chunk.frameCount, frameCount))
            guard begin < end else { continue }
            chunk.data.withUnsafeBytes { source in
                let part = source[(begin - first) * frameByteCount..<(end - first) * frameByteCount]
                bytes.replaceSubrange(begin * frameByteCount..<end * frameByteCount, with: part)
            }
            written = end
        }
        do throws(EncodingError) {
            let encoder = try AudioEncoder(AudioEncoderSettings(codec: .pcm, input: input, pcmFormat: .int16))
            format = encoder.format
            packets = try Self.encode(bytes, frameCount, encoder)
        } catch {
            throw MovieError(error)
        }
    }

    private static func encode(
        _ bytes: [UInt8], _ frameCount: Int, _ encoder: AudioEncoder
    ) throws(EncodingError) -> [EncodedSample] {
        let frameByteCount = encoder.settings.input.bytesPerFrame
        var packets: [EncodedSample] = []
        for first in stride(from: 0, to: frameCount, by: packetFrameCount) {
            let count = min(packetFrameCount, frameCount - first)
            let result = bytes.withUnsafeBytes { all in
                let part = all[first * frameByteCount..<(first + count) * frameByteCount]
                return Result { () throws(EncodingError) in
                    try encoder.encode(UnsafeRawBufferPointer(rebasing: part), frameCount: count)
                }
            }
            packets += try result.get()
        }
        return try packets + encoder.finish()
    }
}
