/// The statistics of a frame for automatic exposure, white balance and focus.
package struct FrameStatistics: Sendable, Hashable {
    /// The number of zones in a row.
    package static let columns = 16
    /// The number of rows of zones.
    package static let rows = 9

    /// The mean linear luma of each zone, row by row; 65,535 is white.
    package var zones = [UInt16](repeating: 0, count: columns * rows)
    /// The share of clipped samples of each zone: samples with one of the four brightest luma codes. 65,535 is all.
    package var saturated = [UInt16](repeating: 0, count: columns * rows)
    /// The histogram of full-range luma from black to white, with four codes per bin.
    package var histogram = [UInt32](repeating: 0, count: 64)
    /// The mean color; nil if it was not measured or the frame is monochrome.
    package var color: ColorMeans?
    /// The contrast in the focus window: `gradient` relative to the squared brightness; nil if it was not measured.
    package var contrast: Double?
    /// The mean squared gradient of luma in the focus window, in squared codes; nil if it was not measured.
    package var gradient: Double?

    /// Creates empty statistics.
    package init() {}

    /// Returns the metered light.
    ///
    /// - Parameters:
    ///   - point: The point at which to meter. For the center, the complete frame is metered with a slightly higher
    ///     weight of its center. For any other point, the region of `regionSize` around it, moved into the frame, has
    ///     nine times the weight of the complete frame.
    ///   - binLights: The linear light of each histogram bin, if a tone curve compresses highlights. See
    ///     `MeteredLight.subdivided(by:lights:)`.
    package func light(at point: MeteringPoint, binLights: [Double]? = nil) -> MeteredLight {
        guard point == .center else {
            let (width, height) = Self.regionSize
            return light(
                in: [MeteringRegion(x: point.x, y: point.y, width: width, height: height)], weight: 9,
                binLights: binLights)
        }
        let light = MeteredLight(zones: zones, saturated: saturated) { zone in
            let (row, column) = (zone / Self.columns, zone % Self.columns)
            // The 4 x 3 zones around the center.
            let isCentral =
                abs((Double(row) + 0.5) / Double(Self.rows) - point.y) <= 0.17
                && abs((Double(column) + 0.5) / Double(Self.columns) - point.x) <= 0.13
            return isCentral ? 3 : 2
        }
        return light.subdivided(by: histogram, lights: binLights)
    }

    /// Returns the metered light of regions.
    ///
    /// Zones are coarse, so clipped samples of a zone may be outside the regions. The weight of clipped light is
    /// therefore multiplied by its share: a small share hardly counts.
    /// - Parameters:
    ///   - regions: At least one; each is moved into the frame and weighted by its area.
    ///   - weight: The weight of all regions relative to that of the complete frame.
    ///   - binLights: See `light(at:binLights:)`.
    package func light(in regions: [MeteringRegion], weight: Int, binLights: [Double]? = nil) -> MeteredLight {
        // The histogram covers the complete frame, so it cannot subdivide the light of regions.
        let metered = binLights.map { lights in zones.map { MeteredLight.mean($0, by: lights) } } ?? zones
        let area = regions.reduce(0) { $0 + $1.width * $1.height }
        let light = MeteredLight(zones: metered, saturated: saturated) { zone in
            let (row, column) = (zone / Self.columns, zone % Self.columns)
            // The shares of the regions in all zones add up to 1.
            let share = regions.reduce(0) { sum, region in
                sum + region.width * region.height / area
                    * Self.overlap(column, of: Self.columns, around: region.x, region.width)
                    * Self.overlap(row, of: Self.rows, around: region.y, region.height)
            }
            return 100 + Int((share * Double(weight * 100 * Self.columns * Self.rows)).rounded())
        }
        return light.suppressingClipping()
    }

    /// The size of the region around a metering point, as shares of the frame's width and height; nearly a square in
    /// 16:9 frames. It is about the size of the box that camera apps draw at a tapped point.
    package static let regionSize = (width: 0.1, height: 0.18)

    /// Returns the share of an interval that is in a zone. The interval has the given length and center, but is moved
    /// into 0 … 1.
    private static func overlap(_ zone: Int, of count: Int, around center: Double, _ length: Double) -> Double {
        let begin = min(max(center - length / 2, 0), 1 - length)
        let (low, high) = (Double(zone) / Double(count), Double(zone + 1) / Double(count))
        return max(0, min(high, begin + length) - max(low, begin)) / length
    }

    /// Returns the metered mean of linear light, 0 … 1.
    package func mean(at point: MeteringPoint) -> Double { light(at: point).mean }

    /// The share of samples in the brightest four codes of luma.
    package var clippedShare: Double { share(fromCode: 252) }

    /// Returns the share of samples with a full-range luma of at least `code`. The code is rounded down to a multiple
    /// of four.
    package func share(fromCode code: Int) -> Double {
        let total = histogram.reduce(0) { $0 + Int($1) }
        let count = histogram[min(code / 4, 63)...].reduce(0) { $0 + Int($1) }
        return total > 0 ? Double(count) / Double(total) : 0
    }
}

/// A point in the frame, from (0,0) at the top left to (1,1) at the bottom right.
package struct MeteringPoint: Sendable, Hashable {
    package var x: Double
    package var y: Double

    /// The center of the frame.
    package static let center = MeteringPoint(x: 0.5, y: 0.5)

    /// Creates a point.
    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A part of the frame: its center, and its size as shares of the frame's width and height.
package struct MeteringRegion: Sendable, Hashable {
    package var x: Double
    package var y: Double
    /// Greater than 0 and at most 1.
    package var width: Double
    /// Greater than 0 and at most 1.
    package var height: Double

    /// Creates a region.
    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The window around a point in which automatic focus measures contrast: a third of the frame's sides.
    package static func focusWindow(at point: MeteringPoint) -> MeteringRegion {
        MeteringRegion(x: point.x, y: point.y, width: 1.0 / 3, height: 1.0 / 3)
    }
}

/// The means of linear red, green and blue, 0 … 1.
///
/// They are usually computed from samples that are neither clipped nor black. In a nearly gray frame, only the grayish
/// ones of these samples are used. If less than 5 % of the samples have an unclipped color, all samples with a
/// luma that is neither clipped nor black are used, if they are at least half of the frame.
package struct ColorMeans: Sendable, Hashable {
    package var red: Double
    package var green: Double
    package var blue: Double
    /// The share of samples that were used, 0 … 1.
    package var share: Double

    /// Creates means.
    package init(red: Double, green: Double, blue: Double, share: Double) {
        self.red = red
        self.green = green
        self.blue = blue
        self.share = share
    }
}
