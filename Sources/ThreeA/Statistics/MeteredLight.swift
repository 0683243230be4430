import MediaTypes

/// The metered linear light of a frame as a weighted distribution; 1 is white.
package struct MeteredLight: Sendable, Hashable {
    private struct Part: Sendable, Hashable {
        var light: Double
        var weight: Double
    }

    /// The parts that are not clipped.
    private var parts: [Part] = []
    /// The weight of the clipped part, with a light of 1 or more.
    package private(set) var saturatedShare = 0.0
    /// The metered mean, 0 … 1. The clipped part counts as 1.
    package private(set) var mean = 0.0

    /// Creates the light of a uniform frame.
    package init(mean: Double) {
        self.mean = mean
        if mean < 1 { parts = [Part(light: mean, weight: 1)] } else { saturatedShare = 1 }
    }

    /// Creates the light of a frame from its zones.
    ///
    /// - Parameters:
    ///   - zones: The mean linear light of each zone; 65,535 is white.
    ///   - saturated: The share of clipped samples of each zone; 65,535 is all.
    ///   - weight: Returns the weight of a zone. At least one must be greater than 0.
    init(zones: [UInt16], saturated: [UInt16], weight: (Int) -> Int) {
        var (sum, light) = (0, 0)
        for index in zones.indices {
            sum += weight(index)
            light += weight(index) * Int(zones[index])
        }
        mean = Double(light) / Double(sum) / 65535
        parts.reserveCapacity(zones.count)
        for index in zones.indices {
            let share = Double(weight(index)) / Double(sum)
            let light = Double(zones[index]) / 65535
            let clipped = min(Double(saturated[index]) / 65535, light)
            saturatedShare += share * clipped
            guard clipped < 0.999 else { continue }
            parts.append(Part(light: (light - clipped) / (1 - clipped), weight: share * (1 - clipped)))
        }
    }

    /// Predicts the mean of the frame with its exposure multiplied by a factor. Parts that clip count as 1.
    package func mean(exposed factor: Double) -> Double {
        parts.reduce(saturatedShare * min(factor, 1)) { $0 + $1.weight * min($1.light * factor, 1) }
    }

    /// Returns the light with the finer distribution of a histogram of the complete frame.
    ///
    /// - Parameters:
    ///   - histogram: The histogram of full-range luma with four codes per bin.
    ///   - lights: The linear light of each bin, if the frame does not use BT.709's transfer function; 1 is white. The
    ///     mean is adjusted.
    func subdivided(by histogram: [UInt32], lights: [Double]? = nil) -> MeteredLight {
        let total = Double(histogram.reduce(0) { $0 + Int($1) })
        guard total > 0 else { return self }
        func mean(_ lights: [Double]) -> Double {
            zip(lights, histogram).reduce(0) { $0 + $1.0 * Double($1.1) } / total
        }
        var finer = self
        if let lights { finer.mean = min(1, self.mean * mean(lights) / max(mean(Self.binLights), 0.000001)) }
        finer.saturatedShare = 0
        finer.parts = []
        for (light, count) in zip(lights ?? Self.binLights, histogram) where count > 0 {
            let weight = Double(count) / total
            if light < 1 {
                finer.parts.append(Part(light: light, weight: weight))
            } else {
                finer.saturatedShare += weight
            }
        }
        finer.saturatedShare = min(finer.saturatedShare, finer.mean)
        let sum = finer.parts.reduce(0) { $0 + $1.light * $1.weight }
        guard sum > 0 else { return finer }
        // The histogram's mean differs from `mean`, because zones have weights and bins contain four codes.
        let factor = (finer.mean - finer.saturatedShare) / sum
        for index in finer.parts.indices { finer.parts[index].light *= factor }
        return finer
    }

    /// The linear light at the center of each bin, by the inverse of BT.709's transfer function. The last bin is
    /// clipped.
    private static let binLights: [Double] = (0..<64).map { bin in
        let value = (4 * Double(bin) + 1.5) / 255
        guard bin < 63 else { return 1 }
        guard value >= 0.081 else { return value / 4.5 }
        return RepeatableMath.exp2(RepeatableMath.log2((value + 0.099) / 1.099) / 0.45)
    }

    /// Returns the light with the weight of the clipped part multiplied by the share of that part.
    func suppressingClipping() -> MeteredLight {
        let total = 1 - saturatedShare + saturatedShare * saturatedShare
        var light = self
        for index in light.parts.indices { light.parts[index].weight /= total }
        light.saturatedShare *= saturatedShare / total
        light.mean = light.parts.reduce(light.saturatedShare) { $0 + $1.light * $1.weight }
        return light
    }

    /// Converts the mean of a zone, measured with BT.709's transfer function, to another transfer function; 65,535 is
    /// white.
    ///
    /// - Parameter lights: The linear light of each histogram bin.
    static func mean(_ mean: UInt16, by lights: [Double]) -> UInt16 {
        let light = Double(mean) / 65535
        guard let next = binLights.firstIndex(where: { $0 > light }) else { return mean }
        let (low, lowest) = next > 0 ? (binLights[next - 1], lights[next - 1]) : (0, 0)
        let share = (light - low) / (binLights[next] - low)
        return UInt16(min(max(lowest + share * (lights[next] - lowest), 0), 1) * 65535)
    }

    /// Returns the factor on the exposure that results in a mean, limited to `range`.
    func exposure(forMean target: Double, in range: ClosedRange<Double>) -> Double {
        var (low, high) = (range.lowerBound, range.upperBound)
        guard mean(exposed: low) < target else { return low }
        // 24 bisections of 12 EV are more precise than 1/10,000 EV.
        for _ in 0..<24 {
            let center = (low * high).squareRoot()
            if mean(exposed: center) < target { low = center } else { high = center }
        }
        return (low * high).squareRoot()
    }
}
