public import CaptureHAL
public import MediaTypes

/// A microphone of a profile.
public struct MicrophoneProfile: Sendable, Hashable {
    /// What is to be heard in one channel.
    public struct Tone: Sendable, Hashable {
        /// Millihertz, so that phases are exact; 0 is silence.
        public var millihertz: Int64
        /// Peak level in dBFS.
        public var level: Double
    }

    /// Something to be heard beside the tones.
    public struct Sound: Sendable, Hashable {
        public enum Kind: Sendable, Hashable {
            /// A tone that goes evenly from one frequency to the other in each period of the clock; millihertz.
            case sweep(from: Int64, to: Int64, periodNanoseconds: Int64)
            /// A burst of 2 kHz for 5 ms at each whole period of the clock; where `flashes`, a lamp before the cameras
            /// lights with it.
            case clicks(periodNanoseconds: Int64, flashes: Bool)
            /// The sound of a media file, from the making of the host on.
            case file(path: String, loops: Bool)
        }

        public var kind: Kind
        /// Peak level in dBFS; for a file what its full scale becomes.
        public var level: Double
        /// The only channel that hears it, from 0; nil for all.
        public var channel: Int?
    }

    public var id: String
    public var name: String
    public var model: String
    public var position: DevicePosition
    public var formats: [AudioStreamFormat]
    /// Root mean square in dBFS.
    public var noiseFloor: Double
    /// Frames of a chunk where the client has no wish; 0 for 10 ms.
    public var chunkFrames: Int
    /// One for each channel, or one for all.
    public var tones: [Tone]
    public var startLatencyNanoseconds: Int64
    public var deliveryLatencyNanoseconds: Int64
    /// What goes wrong, from the making of the host on.
    public var faults: [ScheduledFault] = []
    public var sounds: [Sound] = []
    /// Decibels of the input gain's 0 and 1; nil where the gain is a plain factor.
    public var gainRange: ClosedRange<Double>?
    /// The level in dBFS at which sound is cut off.
    public var clipLevel = 0.0
    /// Decibels of each channel; empty where all are 0.
    public var channelLevels: [Double] = []

    /// The input gain, 0 … 1, that a client finds: without amplification where that can be.
    var defaultGain: Double {
        guard let range = gainRange, range.upperBound > range.lowerBound else { return 1 }
        return min(max(-range.lowerBound / (range.upperBound - range.lowerBound), 0), 1)
    }

    /// The factor on the sound at an input gain of 0 … 1.
    func factor(ofGain gain: Double) -> Double {
        guard let range = gainRange else { return gain }
        return RepeatableMath.amplitude(decibels: range.lowerBound + gain * (range.upperBound - range.lowerBound))
    }
}
