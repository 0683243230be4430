import MediaTypes

/// The exposures that a camera supports, and the rule that splits an exposure into aperture, time and sensitivity.
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
    /// The areas of the aperture, relative to that of the default aperture; a range of one value if it cannot be set.
    package var apertureAreas = 1.0...1.0
    /// In bright light, the aperture becomes smaller than the default one before the exposure time is shorter than this,
    /// in seconds.
    private static let shortestWithDefaultAperture = 1.0 / 500

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

    /// Returns the supported exposure nearest to a product of time, sensitivity and the area of the aperture.
    ///
    /// With the default aperture, the exposure time is increased first, up to `longest`. In dim light, the aperture is
    /// opened before the sensitivity is increased; in bright light, it is closed before times become very short. Times of at least half a period
    /// of the power line are rounded to a multiple of half periods, so that all rows receive the same light from
    /// flickering lamps. Shorter times cannot avoid flicker bands.
    /// - Parameters:
    ///   - product: Seconds multiplied by ISO and the relative area of the aperture.
    ///   - longest: The longest exposure time that the frame rate allows, in seconds.
    package func exposure(product: Double, longest: Double) -> Exposure {
        let area = apertureArea(product: product, longest: longest)
        var exposure = exposure(timeAndISO: product / area, longest: longest)
        exposure.apertureArea = area
        return exposure
    }

    /// Returns the area of the aperture for a product.
    private func apertureArea(product: Double, longest: Double) -> Double {
        let (smallest, largest) = (apertureAreas.lowerBound, apertureAreas.upperBound)
        guard smallest < largest else { return smallest }
        let longest = max(durations.lowerBound, min(longest, durations.upperBound))
        let shortest = min(max(Self.shortestWithDefaultAperture, durations.lowerBound), longest)
        // The areas with which the lowest sensitivity and the longest or the shortest time result in the product.
        let areaInDimLight = product / (longest * isos.lowerBound)
        let areaInBrightLight = product / (shortest * isos.lowerBound)
        let area = areaInDimLight > 1 ? areaInDimLight : min(areaInBrightLight, 1)
        return min(max(area, smallest), largest)
    }

    /// Returns the supported exposure with the default aperture that is nearest to a product of time and sensitivity.
    private func exposure(timeAndISO product: Double, longest: Double) -> Exposure {
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
    package func distance(_ exposure: Exposure, _ product: Double) -> Double {
        abs(RepeatableMath.log2(product / exposure.product))
    }
}
