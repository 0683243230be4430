package import MediaCodecs

/// The algorithm that changes the rate of audio.
///
/// Rates from 1/32 to 32 are audible; other rates are silent. `varispeed` uses libswresample, the others use Rubber
/// Band (package `librubberband2`), which is loaded when it is first used.
public struct AVAudioTimePitchAlgorithm: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Keeps the pitch as `timeDomain` does.
    @available(*, deprecated, renamed: "timeDomain")
    public static let lowQualityZeroLatency = AVAudioTimePitchAlgorithm(rawValue: "LowQualityZeroLatency")
    /// Keeps the pitch; for voice.
    public static let timeDomain = AVAudioTimePitchAlgorithm(rawValue: "TimeDomain")
    /// Keeps the pitch; for music.
    public static let spectral = AVAudioTimePitchAlgorithm(rawValue: "Spectral")
    /// Changes the pitch with the rate.
    public static let varispeed = AVAudioTimePitchAlgorithm(rawValue: "Varispeed")

    /// The method by which `AudioTimePitch` changes the rate.
    package var method: AudioTimePitch.Method {
        switch self {
        case .spectral: .spectral
        case .varispeed: .varispeed
        default: .timeDomain
        }
    }
}
