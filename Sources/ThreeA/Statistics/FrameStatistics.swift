/// What the automatic loops know of one picture.
package struct FrameStatistics: Sendable, Hashable {
    /// Zones across and down.
    package static let columns = 16
    package static let rows = 9

    /// The means of linear luma over the zones, row by row; 65,535 is white.
    package var zones = [UInt16](repeating: 0, count: columns * rows)
    /// The shares of the zones' samples that are clipped, whose luma is in the brightest four codes; 65,535 is all.
    package var saturated = [UInt16](repeating: 0, count: columns * rows)
    /// The number of samples of each fourth code of full-range luma, from black to white.
    package var histogram = [UInt32](repeating: 0, count: 64)
    /// The colours; nil where they were not measured or the picture has none.
    package var color: ColorMeans?
    /// The contrast in the focus window; nil where it was not measured.
    package var contrast: Double?

    package init() {}

    /// The metered light.
    ///
    /// - Parameters:
    ///   - codes: The linear light of each fourth code of luma, where highlights are pressed together; see
    ///     `MeteredLight.parted(by:lights:)`.
    ///   - point: Where to meter; the middle of the picture means all of it, the middle a little more than the
    ///   rim. Another point means the box of a quarter of the width and a third of the height round it, for nine tenths.
    package func light(at point: MeteringPoint, codes: [Double]? = nil) -> MeteredLight {
        let isSpot = point != .middle
        let light = MeteredLight(zones: zones, saturated: saturated) { zone in
            let (row, column) = (zone / Self.columns, zone % Self.columns)
            let isNear =
                abs((Double(row) + 0.5) / Double(Self.rows) - point.y) <= 0.17
                && abs((Double(column) + 0.5) / Double(Self.columns) - point.x) <= 0.13
            return isSpot ? (isNear ? 64 : 1) : (isNear ? 3 : 2)
        }
        // A histogram tells nothing of a spot.
        return isSpot && codes == nil ? light : light.parted(by: histogram, lights: codes)
    }

    /// The metered mean of linear light, 0 … 1.
    package func mean(at point: MeteringPoint) -> Double { light(at: point).mean }

    /// The share of samples in the brightest four codes of luma.
    package var clippedShare: Double { share(fromCode: 252) }

    /// The share of samples whose full-range luma is at least `code`, rounded down to a multiple of four.
    package func share(fromCode code: Int) -> Double {
        let total = histogram.reduce(0) { $0 + Int($1) }
        let count = histogram[min(code / 4, 63)...].reduce(0) { $0 + Int($1) }
        return total > 0 ? Double(count) / Double(total) : 0
    }
}

/// A place in the picture, (0,0) top left to (1,1) bottom right.
package struct MeteringPoint: Sendable, Hashable {
    package var x: Double
    package var y: Double

    package static let middle = MeteringPoint(x: 0.5, y: 0.5)

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// The means of linear red, green and blue, 0 … 1: over the samples that are neither clipped nor black, of a picture that is
/// nearly grey over the greyish ones among them, and where hardly any are so over those whose luma is.
package struct ColorMeans: Sendable, Hashable {
    package var red: Double
    package var green: Double
    package var blue: Double
    /// The share of samples that count, 0 … 1.
    package var share: Double

    package init(red: Double, green: Double, blue: Double, share: Double) {
        self.red = red
        self.green = green
        self.blue = blue
        self.share = share
    }
}
