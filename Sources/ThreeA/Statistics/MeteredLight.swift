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
