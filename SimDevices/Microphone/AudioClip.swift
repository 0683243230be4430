import CaptureHAL
import MediaCodecs
import MediaFiles
import MediaTypes

/// The decoded audio of a media file, which a simulated microphone plays.
struct AudioClip: Sendable {
    /// Sample rate in hertz.
    let sampleRate: Int
    /// The samples of each channel, equal in number; full scale is 2^31.
    let channels: [[Int32]]

    var frameCount: Int { channels[0].count }

    /// Maximum duration in seconds; longer files are truncated.
    private static let limitSeconds = 600

    /// Decodes the first audio track of a file.
    ///
    /// - Throws: `ProfileError` if it cannot be read or has no audio.
    init(path: String) throws(ProfileError) {
        do throws(MediaFileError) {
            let reader = try MediaFileReader(path: path)
            guard let track = reader.tracks.first(where: { !$0.isVideo }), case .audio(let audio) = track.content else {
                throw MediaFileError(.noMedia, path: path, "\(path) has no audio track")
            }
            reader.select([track.index])
            let decoder = try AudioDecoder(reader: reader, track: track, sample: .int32)
            var channels = [[Int32]](repeating: [], count: audio.channelCount)
            let limit = Self.limitSeconds * audio.sampleRate
            var isAtEnd = false
            while !isAtEnd, channels[0].count < limit {
                let output: AudioDecoder.Output
                switch try reader.next() {
                case .packet(let packet): output = try decoder.decode(packet)
                case .damaged: continue
                case .end:
                    output = try decoder.decode(nil)
                    isAtEnd = true
                }
                for chunk in output.chunks { Self.append(chunk, to: &channels) }
            }
            guard !channels[0].isEmpty else {
                throw MediaFileError(.noMedia, path: path, "\(path) has no audio samples")
            }
            sampleRate = audio.sampleRate
            self.channels = channels
        } catch {
            throw ProfileError(file: path, message: "the audio file \(path) cannot be read: \(error.message)")
        }
    }

    private static func append(_ chunk: AudioDecoder.Chunk, to channels: inout [[Int32]]) {
        let count = channels.count
        chunk.bytes.withUnsafeBytes { bytes in
            for channel in 0..<count {
                channels[channel].append(
                    contentsOf: (0..<chunk.frameCount).lazy.map {
                        bytes.loadUnaligned(fromByteOffset: ($0 * count + channel) * 4, as: Int32.self)
                    })
            }
        }
    }
}
