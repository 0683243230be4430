import MediaTypes

/// A seamless loop of sound in memory, which moving sound sources play.
final class SoundLoop: @unchecked Sendable {
    // SAFETY: the memory is only written in `init`, and only read afterwards.

    /// The rate, in hertz, at which the loops are computed.
    static let sampleRate = 48000.0
    /// The number of samples of a loop.
    static let count = 1 << 16

    /// A passing car: noise of the tires and the exhaust, and the harmonics of the engine. Root mean square 1/4.
    static let car = SoundLoop { random in
        var tires = noise(&random)
        lowPass(&tires, hertz: 1400)
        highPass(&tires, hertz: 200)
        var exhaust = noise(&random)
        lowPass(&exhaust, hertz: 120)
        lowPass(&exhaust, hertz: 120)
        // A whole number of periods in the loop: about 60 Hz.
        let periods = (60 * Double(count) / sampleRate).rounded()
        let engine = (0..<count).map { index in
            (1...6).reduce(0.0) { sum, harmonic in
                let turns = periods * Double(harmonic) * Double(index) / Double(count)
                return sum + Circle.sine(turns: turns) / Double(harmonic)
            }
        }
        return normalized(
            zip(zip(normalized(tires), normalized(exhaust)), normalized(engine)).map { pair, engine in
                0.8 * pair.0 + 0.5 * pair.1 + 0.3 * engine
            })
    }

    /// A distant city: noise without high frequencies. Root mean square 1/4.
    static let city = SoundLoop { random in
        var samples = noise(&random)
        lowPass(&samples, hertz: 300)
        highPass(&samples, hertz: 30)
        return normalized(samples)
    }

    /// The two steps of a pedestrian's left and right foot, at the start and in the middle of the loop. The peak is
    /// 0.99.
    static let steps = SoundLoop { random in
        var hiss = noise(&random)
        lowPass(&hiss, hertz: 2500)
        highPass(&hiss, hertz: 150)
        hiss = normalized(hiss)
        var samples = [Double](repeating: 0, count: count)
        for foot in 0..<2 {
            let start = foot * count / 2
            // First the heel; the sole follows after 95 ms (4,560 samples).
            for (delay, level, decay) in [(0, 1.0, 0.9983), (4560, 0.4, 0.9988)] {
                var envelope = level
                for index in 0..<9600 {
                    let attack = min(1, Double(index) / 48)
                    let thump = Circle.sine(turns: 90 * Double(index) / sampleRate)
                    let at = start + delay + index
                    samples[at] += envelope * attack * (1.6 * hiss[at] + 0.35 * thump)
                    envelope *= decay
                }
            }
        }
        let peak = samples.reduce(0.0) { max($0, abs($1)) }
        return samples.map { $0 / peak * 0.99 }
    }

    /// `count` samples and the first one again, in units of 2^-30.
    let entries: UnsafePointer<Int32>

    private init(_ create: (inout SplitMix64) -> [Double]) {
        // "sound" in ASCII.
        var random = SplitMix64(seed: 0x736f_756e_6400)
        let samples = create(&random)
        let memory = UnsafeMutablePointer<Int32>.allocate(capacity: Self.count + 1)
        for index in 0...Self.count {
            memory[index] = Int32((min(max(samples[index % Self.count], -1), 1) * 1_073_741_823).rounded())
        }
        entries = UnsafePointer(memory)
    }

    /// Returns white noise with samples in -1 ..< 1.
    private static func noise(_ random: inout SplitMix64) -> [Double] {
        (0..<count).map { _ in Double(random.next() >> 11) / 4_503_599_627_370_496 - 1 }
    }

    /// Applies a first-order low-pass filter.
    private static func lowPass(_ samples: inout [Double], hertz: Double) {
        // An approximation for cutoff frequencies far below the sample rate.
        let angle = 2 * Double.pi * hertz / sampleRate
        let coefficient = angle / (1 + angle)
        var state = 0.0
        // The first pass brings the filter to its state at the end of the loop, so that the loop remains seamless.
        for pass in 0..<2 {
            for index in samples.indices {
                state += coefficient * (samples[index] - state)
                if pass == 1 { samples[index] = state }
            }
        }
    }

    /// Applies a first-order high-pass filter.
    private static func highPass(_ samples: inout [Double], hertz: Double) {
        var low = samples
        lowPass(&low, hertz: hertz)
        for index in samples.indices { samples[index] -= low[index] }
    }

    /// Returns the samples with a root mean square of 1/4.
    private static func normalized(_ samples: [Double]) -> [Double] {
        let power = samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)
        let factor = 0.25 / power.squareRoot()
        return samples.map { $0 * factor }
    }
}
