import Foundation
public import MediaTypes

/// Measures the level of a tone of a known frequency and, by its phase, the error of the audio's timestamps.
///
/// The tones of simulated microphones have a rising zero crossing at each multiple of their period on the clock of the
/// capture system.
public struct ToneProbe: Sendable, Hashable {
    /// The result of a measurement.
    public struct Reading: Sendable, Hashable {
        /// The peak amplitude of the tone in dBFS.
        public var level: Double
        /// The time at which the audio was generated minus its timestamp, in nanoseconds, modulo the tone's period:
        /// at most half a period in either direction.
        public var offsetNanoseconds: Double
    }

    /// The tone's frequency in hertz.
    public let frequency: Double

    /// Creates a probe for a tone of a frequency in hertz.
    public init(frequency: Double = 1000) {
        self.frequency = frequency
    }

    /// Measures the tone by correlation with a sine and a cosine over whole periods.
    ///
    /// - Parameters:
    ///   - samples: The samples of one channel; full scale is 1.
    ///   - sampleRate: Samples per second.
    ///   - startTime: The timestamp of the first sample, on the clock of the capture system.
    /// - Returns: Nil if there are fewer than two periods, or the tone is below -60 dBFS.
    public func measure(_ samples: [Float], sampleRate: Double, startTime: CMTime) -> Reading? {
        let period = sampleRate / frequency
        let count = Int((Double(samples.count) / period).rounded(.down) * period + 0.5)
        guard Double(count) >= 2 * period else { return nil }
        // Omit whole cycles in whole seconds: sine and cosine are more precise for small arguments.
        let nanoseconds = startTime.nanoseconds
        let startCycles =
            Double(nanoseconds / 1_000_000_000) * frequency.truncatingRemainder(dividingBy: 1)
            + Double(nanoseconds % 1_000_000_000) / 1e9 * frequency
        var sine = 0.0
        var cosine = 0.0
        for index in 0..<count {
            let angle = 2 * Double.pi * (startCycles + Double(index) * frequency / sampleRate)
            sine += Double(samples[index]) * sin(angle)
            cosine += Double(samples[index]) * cos(angle)
        }
        let amplitude = 2 * (sine * sine + cosine * cosine).squareRoot() / Double(count)
        guard amplitude >= 0.001 else { return nil }
        // The signal is sin(angle + φ). If φ is positive, it was generated later than its timestamp.
        let phaseCycles = atan2(cosine, sine) / (2 * Double.pi)
        return Reading(level: 20 * log10(amplitude), offsetNanoseconds: phaseCycles / frequency * 1e9)
    }
}
