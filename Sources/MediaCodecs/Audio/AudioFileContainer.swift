import MediaTypes

/// A file format for a single audio track.
package enum AudioFileContainer: String, Sendable, Hashable, CaseIterable {
    /// Apple's Core Audio Format, version 1.
    case caf
    /// RIFF/WAVE, or RF64 for more than 4 GiB (EBU Tech 3306).
    case wav

    /// Returns the reason why the file cannot contain a track; nil if it can.
    package func rejectionReason(for format: MovieSampleFormat) -> String? {
        guard case .audio(let audio) = format else {
            return "\(rawValue.uppercased()) files contain audio only: use .mov or .mp4 for video"
        }
        guard self == .wav else { return nil }
        guard case .pcm(let pcm) = audio.codec else { return "WAV files contain PCM only: use .caf or .m4a" }
        return pcm.isBigEndian ? "WAV files contain little-endian PCM only: use .caf" : nil
    }
}

/// The amount of audio in a file, as described by its headers.
struct AudioExtent {
    /// The size of the audio in bytes.
    var byteCount: Int64
    /// The sizes of the packets in bytes; empty for PCM.
    var packetSizes: [UInt32]
    /// The number of decoded frames before the presented ones.
    var primingFrameCount: Int64
    /// The number of presented frames.
    var validFrameCount: Int64
    /// The number of decoded frames after the presented ones.
    var remainderFrameCount: Int64
}

/// The structure of a file around its audio data.
protocol AudioFileLayout {
    /// The offset of the audio data.
    var audioOffset: Int64 { get }
    /// The bytes before the audio data. Sizes that are not yet known have a placeholder value.
    var header: [UInt8] { get }
    /// Returns the writes, in order, after which the headers describe exactly this amount of audio.
    mutating func checkpoint(_ extent: AudioExtent) -> [AudioFilePatch]
    /// Returns the writes, in order, that complete the file.
    mutating func completion(_ extent: AudioExtent) -> [AudioFilePatch]
}

/// Bytes to write at an offset of a file.
struct AudioFilePatch {
    let offset: Int64
    let bytes: [UInt8]
}
