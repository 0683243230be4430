import MediaTypes

/// The linear light of one picture as it is metered: the parts of the picture by their weights, 1 being white.
package struct MeteredLight: Sendable, Hashable {
    private struct Part: Sendable, Hashable {
        var light: Double
        var weight: Double
    }

    /// What is not clipped.
    private var parts: [Part] = []
    /// The share, by weight, of what is clipped: its light is 1 or more.
    package private(set) var saturatedShare = 0.0
    /// The metered mean, 0 … 1, in which what is clipped counts as 1.
    package private(set) var mean = 0.0

    /// A picture of one brightness.
    package init(mean: Double) {
        self.mean = mean
        if mean < 1 { parts = [Part(light: mean, weight: 1)] } else { saturatedShare = 1 }
    }

    /// - Parameters:
    ///   - zones: Means of linear light, 65,535 is white.
    ///   - saturated: The shares of the zones' samples that are clipped, 65,535 is all.
    ///   - weight: Of a zone; at least one is above 0.
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

    /// The mean of the same picture exposed so many times as much: what then clips counts as 1.
    package func mean(exposed factor: Double) -> Double {
        parts.reduce(saturatedShare * min(factor, 1)) { $0 + $1.weight * min($1.light * factor, 1) }
    }

    /// The same with the parts as a histogram of the whole picture has them: finer than zones.
    ///
    /// - Parameters:
    ///   - histogram: Samples of each fourth code of full-range luma.
    ///   - lights: What the codes stand for, where that is not what BT.709's transfer says: 1 is white. The mean follows.
    func parted(by histogram: [UInt32], lights: [Double]? = nil) -> MeteredLight {
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
        // Zones are weighed, and a bin holds four codes.
        let factor = (finer.mean - finer.saturatedShare) / sum
        for index in finer.parts.indices { finer.parts[index].light *= factor }
        return finer
    }

    /// The linear light of the middle of each bin, by the inverse of BT.709's transfer; the last is clipped.
    private static let binLights: [Double] = (0..<64).map { bin in
        let value = (4 * Double(bin) + 1.5) / 255
        guard bin < 63 else { return 1 }
        guard value >= 0.081 else { return value / 4.5 }
        return RepeatableMath.exp2(RepeatableMath.log2((value + 0.099) / 1.099) / 0.45)
    }

    /// How many times as much exposure makes the mean so great; within `range`.
    func exposure(forMean wanted: Double, in range: ClosedRange<Double>) -> Double {
        var (low, high) = (range.lowerBound, range.upperBound)
        guard mean(exposed: low) < wanted else { return low }
        // Halving 24 times is finer than a ten-thousandth of an EV over 12 EV.
        for _ in 0..<24 {
            let middle = (low * high).squareRoot()
            if mean(exposed: middle) < wanted { low = middle } else { high = middle }
        }
        return (low * high).squareRoot()
    }
}
