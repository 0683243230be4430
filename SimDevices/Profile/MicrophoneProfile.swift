public import CaptureHAL
public import MediaTypes

/// The profile of a microphone.
public struct MicrophoneProfile: Sendable, Hashable {
    /// A continuous tone in one channel.
    public struct Tone: Sendable, Hashable {
        /// Frequency in millihertz, so that phases are exact; 0 is silence.
        public var millihertz: Int64
        /// Peak level in dBFS.
        public var level: Double
    }

    /// An additional sound.
    public struct Sound: Sendable, Hashable {
        /// The kind of sound.
        public enum Kind: Sendable, Hashable {
            /// A linear sweep between two frequencies in millihertz, repeated at each multiple of the period.
            case sweep(from: Int64, to: Int64, periodNanoseconds: Int64)
            /// A burst of 2 kHz for 5 ms at each multiple of the period. With `flashes`, a lamp in view of the cameras
            /// flashes in sync.
            case clicks(periodNanoseconds: Int64, flashes: Bool)
            /// The audio of a media file, starting when the host is created.
            case file(path: String, loops: Bool)
        }

        /// The kind of sound.
        public var kind: Kind
        /// Peak level in dBFS; for a file, the level of its full scale.
        public var level: Double
        /// The channel, from 0; nil for all channels.
        public var channel: Int?
    }

    /// The identifier, unique within the device profile.
    public var id: String
    /// The localized name.
    public var name: String
    /// The model ID.
    public var model: String
    public var position: DevicePosition
    public var formats: [AudioStreamFormat]
    /// Root mean square level of the noise in dBFS.
    public var noiseFloor: Double
    /// Default number of sample frames per chunk; 0 for 10 ms.
    public var chunkFrames: Int
    /// One tone for each channel, or one for all.
    public var tones: [Tone]
    /// Nanoseconds from starting a stream to its first sample.
    public var startLatencyNanoseconds: Int64
    /// Nanoseconds from a chunk's first sample to its delivery.
    public var deliveryLatencyNanoseconds: Int64
    /// The faults that are scheduled when the host is created.
    public var faults: [ScheduledFault] = []
    /// The sounds in addition to the tones.
    public var sounds: [Sound] = []
    /// The amplification in decibels at input gains 0 and 1; nil if the gain is a linear factor.
    public var gainRange: ClosedRange<Double>?
    /// The level in dBFS at which audio is clipped.
    public var clipLevel = 0.0
    /// The level of each channel in decibels; empty if all are 0.
    public var channelLevels: [Double] = []

    /// The input gain, 0 … 1, with the amplification nearest to 0 dB.
    var defaultGain: Double {
        guard let range = gainRange, range.upperBound > range.lowerBound else { return 1 }
        return min(max(-range.lowerBound / (range.upperBound - range.lowerBound), 0), 1)
    }

    /// Returns the factor by which an input gain of 0 … 1 multiplies the amplitude.
    func amplitudeFactor(inputGain gain: Double) -> Double {
        guard let range = gainRange else { return gain }
        return RepeatableMath.amplitude(decibels: range.lowerBound + gain * (range.upperBound - range.lowerBound))
    }
}
