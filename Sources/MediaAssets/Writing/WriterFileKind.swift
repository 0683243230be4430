package import MediaCodecs
import MediaTypes

/// What kind of file a writer makes, and what may be in it.
package enum WriterFileKind: Sendable, Hashable {
    case movie(MovieContainer)
    case sound(SoundFileContainer)

    package init?(_ type: AVFileType) {
        switch type {
        case .mov: self = .movie(.mov)
        case .mp4: self = .movie(.mp4)
        case .m4v: self = .movie(.m4v)
        case .m4a: self = .movie(.m4a)
        case .caf: self = .sound(.caf)
        case .wav: self = .sound(.wav)
        default: return nil
        }
    }

    /// Whether sound in the file begins at zero and has no gaps.
    var hasNoTimeline: Bool {
        if case .sound = self { true } else { false }
    }

    var mediaTypes: [AVMediaType] {
        switch self {
        case .movie(.m4a), .sound: [.audio]
        case .movie: [.video, .audio, .metadata]
        }
    }

    /// Why sound of that codec cannot be in the file, nil where it can.
    package func refusal(of codec: AudioEncoderSettings.Codec) -> String? {
        switch self {
        case .movie(.mov): nil
        case .movie(let container): codec == .pcm ? "\(container.rawValue) files hold no linear PCM; .mov do" : nil
        case .sound(.caf): nil
        case .sound(.wav): codec == .pcm ? nil : "wav files hold linear PCM only"
        }
    }

    /// Why pictures of that codec cannot be in the file, nil where they can.
    package func refusal(of codec: VideoSampleFormat.Codec) -> String? {
        switch self {
        case .movie(.mov): nil
        case .movie(.m4a), .sound: "files for sound hold no pictures"
        case .movie(let container): codec == .jpeg ? "\(container.rawValue) files hold no JPEG video; .mov do" : nil
        }
    }

    /// Why samples that come coded cannot be in the file, nil where they can.
    func refusal(of format: MovieSampleFormat) -> String? {
        switch self {
        case .movie(let container): container.refusal(of: format)
        case .sound(let container): container.refusal(of: format)
        }
    }
}
