import MediaTypes

/// A file that holds sound alone, without a movie's tracks.
package enum SoundFileContainer: String, Sendable, Hashable, CaseIterable {
    /// Apple's Core Audio Format, version 1.
    case caf
    /// RIFF/WAVE, or RF64 past 4 GiB (EBU Tech 3306).
    case wav

    /// Why the file cannot hold a track, or nil where it can.
    package func refusal(of format: MovieSampleFormat) -> String? {
        guard case .audio(let audio) = format else {
            return "\(rawValue.uppercased()) files hold sound only; use .mov or .mp4 for pictures"
        }
        guard self == .wav else { return nil }
        guard case .pcm(let pcm) = audio.codec else { return "WAV files hold PCM only; use .caf or .m4a" }
        return pcm.isBigEndian ? "WAV files hold little-endian PCM only; use .caf" : nil
    }
}

/// What a sound file says of its sound when it is looked at, or at its end.
struct SoundExtent {
    /// Bytes of sound in the file.
    var byteCount: Int64
    /// Sizes of packets in the file; empty for PCM.
    var packetSizes: [UInt32]
    /// Frames that a decoder gives before those that are played.
    var primingFrameCount: Int64
    /// Frames that are played.
    var validFrameCount: Int64
    /// Frames that a decoder gives after those that are played.
    var remainderFrameCount: Int64
}

/// The bytes around the sound.
protocol SoundFileLayout {
    /// Where the sound begins.
    var soundOffset: Int64 { get }
    /// All that comes before the sound, as long as its extent is not known.
    var header: [UInt8] { get }
    /// What is to be written, in this order, so that the file tells of that much sound and no more.
    mutating func checkpoint(_ extent: SoundExtent) -> [SoundFilePatch]
    /// What is to be written, in this order, when the sound is complete.
    mutating func completion(_ extent: SoundExtent) -> [SoundFilePatch]
}

/// Bytes for a place in a file.
struct SoundFilePatch {
    let offset: Int64
    let bytes: [UInt8]
}
