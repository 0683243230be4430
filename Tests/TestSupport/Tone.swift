import Foundation

/// A sine tone, and measurements of sound that contains one.
public enum Tone {
    /// Returns one sample of a tone at a frame index. `level` is the amplitude; 1 is full scale.
    public static func sample(
        _ frame: Int, frequency: Double = 440, level: Float = 0.25, sampleRate: Double = 48_000
    ) -> Float { level * Float(sin(2 * Double.pi * frequency * Double(frame) / sampleRate)) }

    /// Returns the frequency of a tone in hertz, from its first to its last rising zero crossing; 0 without a tone.
    public static func frequency(_ samples: some Collection<Float>, sampleRate: Double = 48_000) -> Double {
        let samples = Array(samples)
        var crossings: [Double] = []
        for index in 1..<max(1, samples.count) where samples[index - 1] < 0 && samples[index] >= 0 {
            crossings.append(Double(index) - Double(samples[index] / (samples[index] - samples[index - 1])))
        }
        guard let first = crossings.first, let last = crossings.last, crossings.count > 1 else { return 0 }
        return Double(crossings.count - 1) * sampleRate / (last - first)
    }

    /// Returns the greatest magnitude of the samples.
    public static func peak(_ samples: some Collection<Float>) -> Float { samples.map(abs).max() ?? 0 }

    /// Returns the root mean square of the samples.
    public static func level(_ samples: some Collection<Float>) -> Float {
        (samples.reduce(0) { $0 + $1 * $1 } / Float(samples.count)).squareRoot()
    }

    /// Returns the greatest difference of neighboring samples.
    public static func greatestStep(_ samples: some Collection<Float>) -> Float {
        zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? 0
    }
}
