import MediaTypes

/// The exposures that a camera supports, and the rule that splits an exposure into time and sensitivity.
package struct ExposureProgram: Sendable, Hashable {
    /// The exposure times in seconds; a range of one value if the time cannot be set.
    package var durations: ClosedRange<Double>
    /// The distance between adjacent exposure times in nanoseconds.
    package var durationStep: Int64
    /// The sensitivities; a range of one value if the sensitivity cannot be set.
    package var isos: ClosedRange<Double>
    /// The distance between adjacent sensitivities.
    package var isoStep: Double
    /// The frequency of the power line for flicker avoidance; 0 to disable it.
    package var powerLineHertz: Int64

    /// Creates a program.
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

    /// Returns the supported exposure nearest to a product of time and sensitivity.
    ///
    /// The exposure time is increased first, up to `longest`, and then the sensitivity. Times of at least half a period
    /// of the power line are rounded to a multiple of half periods, so that all rows receive the same light from
    /// flickering lamps. Shorter times cannot avoid flicker bands.
    /// - Parameters:
    ///   - product: Seconds multiplied by ISO.
    ///   - longest: The longest exposure time that the frame rate allows, in seconds.
    package func exposure(product: Double, longest: Double) -> Exposure {
        let longest = max(durations.lowerBound, min(longest, durations.upperBound))
        let ideal = min(max(product / isos.lowerBound, durations.lowerBound), longest)
        let halfPeriod = powerLineHertz > 0 ? 0.5 / Double(powerLineHertz) : 0
        // The tolerance is for drivers with steps of 100 µs.
        guard halfPeriod > 0, ideal >= halfPeriod * 0.9999, halfPeriod >= durations.lowerBound else {
            let times = [ideal, durationForNextISO(product, ideal), ideal + Double(durationStep) / 1e9]
            return nearest(product, times, longest)
        }
        let count = max(1, (ideal / halfPeriod + 0.0001).rounded(.down))
        // Try at most eight shorter times and one longer time.
        let minimum = max(1, count - 8)
        let counts = stride(from: count, through: minimum, by: -1).map { $0 } + [count + 1]
        return nearest(product, counts.map { $0 * halfPeriod }, longest)
    }

    /// Returns the exposure time in seconds that matches the product with the next higher sensitivity. It is needed if
    /// the steps of the sensitivity are coarse.
    private func durationForNextISO(_ product: Double, _ seconds: Double) -> Double {
        let steps = ((product / seconds - isos.lowerBound) / isoStep - 0.0001).rounded(.up)
        return product / min(isos.lowerBound + max(0, steps) * isoStep, isos.upperBound)
    }

    /// Returns the exposure with the first of the times that differs from the product by at most 0.02 EV. If there is
    /// none, it has the time with the smallest difference.
    private func nearest(_ product: Double, _ times: [Double], _ longest: Double) -> Exposure {
        var best = split(product, seconds: times[0])
        for seconds in times.dropFirst() where distance(best, product) > 0.02 && seconds <= longest * 1.0001 {
            let other = split(product, seconds: seconds)
            if distance(other, product) < distance(best, product) { best = other }
        }
        return best
    }

    /// Splits a product.
    ///
    /// - Parameter seconds: The maximum exposure time, unless the camera's minimum is longer.
    private func split(_ product: Double, seconds: Double) -> Exposure {
        let steps = (seconds * 1e9 / Double(durationStep) + 0.0001).rounded(.down)
        let minimum = (durations.lowerBound * 1e9 / Double(durationStep)).rounded(.up)
        let nanoseconds = max(1, Int64(max(minimum, steps) * Double(durationStep)))
        // Drivers count steps from the minimum.
        let isoSteps = (product / (Double(nanoseconds) / 1e9) - isos.lowerBound) / isoStep
        let iso = ((isos.lowerBound + isoSteps.rounded() * isoStep) * 1e6).rounded() / 1e6
        return Exposure(nanoseconds: nanoseconds, iso: min(max(iso, isos.lowerBound), isos.upperBound))
    }

    /// Returns the distance of an exposure from a product in EV.
    func distance(_ exposure: Exposure, _ product: Double) -> Double {
        abs(RepeatableMath.log2(product / exposure.product))
    }
}
