import Foundation
public import MediaTypes

/// Measures the level of a known tone, and from its phase the time at which the audio was generated.
///
/// The simulated microphones' tones cross zero, rising, at each multiple of their period on the system's clock.
public struct ToneProbe: Sendable, Hashable {
    /// The result of a measurement.
    public struct Reading: Sendable, Hashable {
        /// Peak amplitude of the tone in dBFS.
        public var level: Double
        /// The time in nanoseconds by which the audio is later than its timestamp, modulo the tone's period, within
        /// half a period to either side; 0 is exact.
        public var offsetNanoseconds: Double
    }

    /// The tone's frequency in hertz.
    public let frequency: Double

    /// Creates a probe for a tone.
    public init(frequency: Double = 1000) {
        self.frequency = frequency
    }

    /// Measures the tone by correlation with a sine and a cosine over whole periods.
    ///
    /// - Parameters:
    ///   - samples: The samples of one channel; full scale is 1.
    ///   - sampleRate: Hertz.
    ///   - startTime: Timestamp of the first sample.
    /// - Returns: Nil if there are fewer than two periods, or the tone is below -60 dBFS.
    public func read(_ samples: [Float], sampleRate: Double, startTime: CMTime) -> Reading? {
        let period = sampleRate / frequency
        let count = Int((Double(samples.count) / period).rounded(.down) * period + 0.5)
        guard Double(count) >= 2 * period else { return nil }
        // For whole frequencies, whole seconds are whole turns; subtracting them keeps the argument small.
        let nanoseconds = startTime.nanoseconds
        let turnsAtStart =
            Double(nanoseconds / 1_000_000_000) * frequency.truncatingRemainder(dividingBy: 1)
            + Double(nanoseconds % 1_000_000_000) / 1e9 * frequency
        var sine = 0.0
        var cosine = 0.0
        for index in 0..<count {
            let angle = 2 * Double.pi * (turnsAtStart + Double(index) * frequency / sampleRate)
            sine += Double(samples[index]) * sin(angle)
            cosine += Double(samples[index]) * cos(angle)
        }
        let amplitude = 2 * (sine * sine + cosine * cosine).squareRoot() / Double(count)
        guard amplitude >= 0.001 else { return nil }
        // The signal is sin(angle + φ). A positive φ means that it was generated later than its timestamp.
        let turns = atan2(cosine, sine) / (2 * Double.pi)
        return Reading(level: 20 * log10(amplitude), offsetNanoseconds: turns / frequency * 1e9)
    }
}
