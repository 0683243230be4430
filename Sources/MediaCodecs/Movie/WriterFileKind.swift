package import AssetTypes
import MediaTypes

/// The kind of file that a writer creates, and the media it can contain.
package enum WriterFileKind: Sendable, Hashable {
    case movie(MovieContainer)
    case audio(AudioFileContainer)

    /// Creates the kind of a file type; nil if it cannot be written.
    package init?(_ type: AVFileType) {
        switch type {
        case .mov: self = .movie(.mov)
        case .mp4: self = .movie(.mp4)
        case .m4v: self = .movie(.m4v)
        case .m4a: self = .movie(.m4a)
        case .caf: self = .audio(.caf)
        case .wav: self = .audio(.wav)
        default: return nil
        }
    }

    /// Whether audio in the file starts at zero and has no gaps.
    package var hasNoTimeline: Bool {
        if case .audio = self { true } else { false }
    }

    package var mediaTypes: [AVMediaType] {
        switch self {
        case .movie(.m4a), .audio: [.audio]
        case .movie: [.video, .audio, .metadata, .subtitle, .text]
        }
    }

    /// Why the file cannot contain audio of a codec; nil if it can.
    package func rejectionReason(for codec: AudioEncoderSettings.Codec) -> String? {
        switch self {
        case .movie(.mov): nil
        case .movie(let container):
            codec == .pcm ? "\(container.rawValue) files cannot contain linear PCM; .mov files can" : nil
        case .audio(.caf): nil
        case .audio(.wav): codec == .pcm ? nil : "wav files contain only linear PCM"
        }
    }

    /// Why the file cannot contain video of a codec; nil if it can.
    package func rejectionReason(for codec: VideoSampleFormat.Codec) -> String? {
        switch self {
        case .movie(.mov): nil
        case .movie(.m4a), .audio: "audio files cannot contain video"
        case .movie(let container):
            codec.isIntraOnly ? "\(container.rawValue) files cannot contain \(codec.name) video; .mov files can" : nil
        }
    }

    /// Why the file cannot contain encoded samples of a format; nil if it can.
    package func rejectionReason(for format: MovieSampleFormat) -> String? {
        switch self {
        case .movie(let container): container.rejectionReason(for: format)
        case .audio(let container): container.rejectionReason(for: format)
        }
    }
}
