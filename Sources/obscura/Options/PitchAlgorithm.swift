import MediaAssets

/// The algorithm for sound whose speed changes, on the command line.
enum PitchAlgorithm: String, NamedArgument {
    case spectral
    case timeDomain = "time-domain"
    case varispeed

    static let noun = "algorithm"

    var algorithm: AVAudioTimePitchAlgorithm {
        switch self {
        case .spectral: .spectral
        case .timeDomain: .timeDomain
        case .varispeed: .varispeed
        }
    }
}
