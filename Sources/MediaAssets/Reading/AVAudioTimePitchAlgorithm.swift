/// How audio is played faster or slower.
public struct AVAudioTimePitchAlgorithm: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    @available(*, deprecated, renamed: "timeDomain")
    public static let lowQualityZeroLatency = AVAudioTimePitchAlgorithm(rawValue: "LowQualityZeroLatency")
    /// Keeps the pitch; for voice.
    public static let timeDomain = AVAudioTimePitchAlgorithm(rawValue: "TimeDomain")
    /// Keeps the pitch; for music.
    public static let spectral = AVAudioTimePitchAlgorithm(rawValue: "Spectral")
    /// Changes the pitch with the rate.
    public static let varispeed = AVAudioTimePitchAlgorithm(rawValue: "Varispeed")
}
