import MediaTypes

/// Splits an amount of exposure into time and sensitivity, by what a camera can do.
package struct ExposureProgram: Sendable, Hashable {
    /// Seconds; one value twice where the time cannot be set.
    package var durations: ClosedRange<Double>
    /// Nanoseconds between two times that can be set.
    package var durationStep: Int64
    package var isos: ClosedRange<Double>
    /// Between two sensitivities that can be set.
    package var isoStep: Double
    /// The frequency of the mains, by whose half periods lamps flicker; 0 where that does not matter.
    package var powerLineHertz: Int64

    package init(
        durations: ClosedRange<Double>, durationStep: Int64 = 1, isos: ClosedRange<Double>, isoStep: Double = 0.01,
        powerLineHertz: Int64 = 0
    ) {
        self.durations = durations
        self.durationStep = max(1, durationStep)
        self.isos = isos
        self.isoStep = max(isoStep, 0.000001)
        self.powerLineHertz = max(0, powerLineHertz)
    }

    /// The exposure nearest to a product of time and sensitivity: low sensitivity first, then the longest time, then
    /// higher sensitivity.
    ///
    /// A time that holds a half period of the mains is brought to a whole number of them, so that every row sees as much
    /// of a lamp's light as any other; in light that asks for less than one, bands cannot be helped.
    /// - Parameter longest: The longest time that the frame rate leaves, in seconds.
    package func exposure(product: Double, longest: Double) -> Exposure {
        let longest = max(durations.lowerBound, min(longest, durations.upperBound))
        let wanted = min(max(product / isos.lowerBound, durations.lowerBound), longest)
        let halfPeriod = powerLineHertz > 0 ? 0.5 / Double(powerLineHertz) : 0
        // A little less than a whole period is one, as for a driver that counts in steps of 100 µs.
        guard halfPeriod > 0, wanted >= halfPeriod * 0.9999, halfPeriod >= durations.lowerBound else {
            return nearest(product, [wanted, shorter(product, wanted), wanted + Double(durationStep) / 1e9], longest)
        }
        let count = max(1, (wanted / halfPeriod + 0.0001).rounded(.down))
        let least = max(1, count - 8)
        let counts = stride(from: count, through: least, by: -1).map { $0 } + [count + 1]
        return nearest(product, counts.map { $0 * halfPeriod }, longest)
    }

    /// The time at which the sensitivity above the one that `seconds` asks for is right, where its steps are coarse.
    private func shorter(_ product: Double, _ seconds: Double) -> Double {
        let steps = ((product / seconds - isos.lowerBound) / isoStep - 0.0001).rounded(.up)
        return product / min(isos.lowerBound + max(0, steps) * isoStep, isos.upperBound)
    }

    /// By the first of the times that sensitivity makes up for, else by the one that comes nearest.
    private func nearest(_ product: Double, _ times: [Double], _ longest: Double) -> Exposure {
        var best = split(product, seconds: times[0])
        for seconds in times.dropFirst() where distance(best, product) > 0.02 && seconds <= longest * 1.0001 {
            let other = split(product, seconds: seconds)
            if distance(other, product) < distance(best, product) { best = other }
        }
        return best
    }

    /// - Parameter seconds: The most that may be taken, but for the camera's least.
    private func split(_ product: Double, seconds: Double) -> Exposure {
        let steps = (seconds * 1e9 / Double(durationStep) + 0.0001).rounded(.down)
        let least = (durations.lowerBound * 1e9 / Double(durationStep)).rounded(.up)
        let nanoseconds = max(1, Int64(max(least, steps) * Double(durationStep)))
        // Counted from the least, as drivers do.
        let wish = (product / (Double(nanoseconds) / 1e9) - isos.lowerBound) / isoStep
        let iso = ((isos.lowerBound + wish.rounded() * isoStep) * 1e6).rounded() / 1e6
        return Exposure(nanoseconds: nanoseconds, iso: min(max(iso, isos.lowerBound), isos.upperBound))
    }

    /// In EV.
    func distance(_ exposure: Exposure, _ product: Double) -> Double {
        abs(RepeatableMath.log2(product / exposure.product))
    }
}
