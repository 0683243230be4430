import Foundation
public import MediaTypes

/// Measures a known tone in sound, and by its phase the time at which the sound was made.
///
/// The simulated microphones' tones pass through zero, rising, at each whole period of the system's clock.
public struct ToneProbe: Sendable, Hashable {
    /// What a probe found.
    public struct Reading: Sendable, Hashable {
        /// Peak amplitude of the tone in dBFS.
        public var level: Double
        /// Nanoseconds by which the sound lies later than its timestamp says, modulo the tone's period and between
        /// half a period to either side: 0 is exact.
        public var offsetNanoseconds: Double
    }

    /// Hertz.
    public let frequency: Double

    public init(frequency: Double = 1000) {
        self.frequency = frequency
    }

    /// Looks for the tone by correlation with a sine and a cosine over whole periods.
    ///
    /// - Parameters:
    ///   - samples: One channel, full scale is 1.
    ///   - sampleRate: Hertz.
    ///   - startTime: The time that the first sample claims.
    /// - Returns: Nil where there are fewer than two periods, or the tone is below -60 dBFS.
    public func read(_ samples: [Float], sampleRate: Double, startTime: CMTime) -> Reading? {
        let period = sampleRate / frequency
        let count = Int((Double(samples.count) / period).rounded(.down) * period + 0.5)
        guard Double(count) >= 2 * period else { return nil }
        // Whole seconds are whole turns only of whole frequencies; the remainder keeps the argument small.
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
        // The sound is sin(angle + φ): a positive φ means that it was made later than it claims.
        let turns = atan2(cosine, sine) / (2 * Double.pi)
        return Reading(level: 20 * log10(amplitude), offsetNanoseconds: turns / frequency * 1e9)
    }
}
