import CThreeA
package import MediaTypes

/// A meter that computes the statistics of frames for the automatic loops.
///
/// It reads at most about 23,000 samples of a frame: every n-th pixel of every m-th row, so that a zone has about 12 x
/// 12 samples and the focus window about 160 x 160. For 1080p YUYV an optimized build takes 45 µs for light, 150 µs for
/// color and 55 µs for contrast on a server's processor.
package struct FrameMeter: Sendable {
    private static let samplesPerZoneSide = 12
    private static let samplesPerWindowSide = 160

    /// Creates a meter.
    package init() {}

    /// Measures a frame and overwrites the statistics.
    ///
    /// - Parameters:
    ///   - pixels: The frame.
    ///   - color: Whether to measure colors.
    ///   - focus: The window in which to measure contrast, moved into the frame; nil for none.
    ///   - statistics: Receives the result.
    /// - Returns: Whether the pixel format is supported. If not, `statistics` is unchanged.
    package func measure(
        _ pixels: CVPixelBuffer, color: Bool, focus: MeteringRegion?, into statistics: inout FrameStatistics
    ) -> Bool {
        guard var raw = threea_image(pixels) else { return false }
        let (columns, rows) = (FrameStatistics.columns, FrameStatistics.rows)
        withExtendedLifetime(pixels) {
            var sums = threea_color()
            let measuresColor = color && raw.samples.1 != nil
            withUnsafeMutablePointer(to: &sums) { sums in
                threea_measure(
                    &raw, Int32(columns), Int32(rows), Self.stride(pixels.width / columns, Self.samplesPerZoneSide),
                    Self.stride(pixels.height / rows, Self.samplesPerZoneSide), &statistics.zones,
                    &statistics.saturated,
                    &statistics.histogram, measuresColor ? sums : nil)
            }
            statistics.color = measuresColor ? ColorMeans(sums) : nil
            let measured = focus.map { measureContrast(&raw, $0) }
            (statistics.contrast, statistics.gradient) = (measured?.contrast, measured?.gradient)
        }
        return true
    }

    /// Returns, for each pair of rows of a frame, 1 if light and color are measured in it and 0 if not.
    ///
    /// - Parameter height: The frame's height in pixels.
    package static func meteredRowPairs(height: Int) -> [UInt8] {
        var pairs = [UInt8](repeating: 0, count: (height + 1) / 2)
        let rows = FrameStatistics.rows
        for row in 0..<rows {
            let top = height * row / rows
            let bottom = max(top + 1, height * (row + 1) / rows)
            for y in Swift.stride(
                from: top, to: min(bottom, height), by: Int(stride(height / rows, samplesPerZoneSide)))
            {
                pairs[y / 2] = 1
            }
        }
        return pairs
    }

    /// Computes the mean squared gradient, and its ratio to the squared mean brightness, which is independent of the
    /// exposure.
    ///
    /// This is the Tenengrad operator: E. Krotkov: "Focusing", Int. J. Computer Vision 1 (1988), 223–237. It is one of
    /// the best operators in S. Pertuz et al.: "Analysis of focus measure operators for shape-from-focus", Pattern
    /// Recognition 46 (2013).
    private func measureContrast(
        _ raw: inout threea_image, _ window: MeteringRegion
    ) -> (contrast: Double, gradient: Double) {
        func span(_ center: Double, _ share: Double, _ length: Int32) -> (Int32, Int32) {
            let size = max(3, Int32(Double(length) * share))
            let start = Int32((center * Double(length)).rounded(.down)) - size / 2
            let first = max(0, min(start, length - size))
            return (first, min(first + size, length))
        }
        let (left, right) = span(window.x, window.width, raw.width)
        let (top, bottom) = span(window.y, window.height, raw.height)
        var gradients: UInt64 = 0
        var luma: UInt64 = 0
        let count = threea_contrast(
            &raw, left, top, right, bottom, Self.stride(Int(right - left), Self.samplesPerWindowSide),
            Self.stride(Int(bottom - top), Self.samplesPerWindowSide), &gradients, &luma)
        guard count > 0 else { return (0, 0) }
        // Adding 16 codes suppresses the contrast of dark areas, which is noise.
        let brightness = Double(luma) / Double(count) + 16
        let gradient = Double(gradients) / Double(count)
        return (gradient / (brightness * brightness), gradient)
    }

    private static func stride(_ length: Int, _ samples: Int) -> Int32 {
        Int32(max(1, (length + samples - 1) / samples))
    }
}

extension ColorMeans {
    /// The minimum share of samples without a clipped color. Below it, samples with clipped colors are used too.
    private static let minimumShare = 0.05
    /// The minimum share of grayish samples. Above it, only grayish samples are used.
    private static let minimumGrayishShare = 0.1
    /// The range of red over green and blue over green in a nearly gray frame.
    private static let nearlyGray = 0.66...1.5

    /// Computes the means; nil if there are no valid samples.
    ///
    /// If nearly all samples have a clipped color but a valid luma, as with a very wrong white balance, clipped
    /// samples still indicate the direction of the error. In a nearly gray frame only grayish samples are used: J. Huo
    /// et al.: "Robust automatic white balance algorithm using gray color points in images", IEEE Trans. Consumer
    /// Electronics 52 (2006).
    fileprivate init?(_ sums: threea_color) {
        let isRough =
            Double(sums.count) < Self.minimumShare * Double(sums.total) && sums.roughCount >= sums.total / 2
        self.init(
            isRough ? sums.roughSums : sums.sums, isRough ? sums.roughCount : sums.count, of: sums.total,
            // A mean of 0 would be an infinite error.
            minimum: isRough ? 0.001 : 0)
        guard !isRough, Double(sums.grayishCount) >= Self.minimumGrayishShare * Double(sums.count),
            Self.nearlyGray.contains(red / green), Self.nearlyGray.contains(blue / green),
            let grayish = ColorMeans(sums.grayishSums, sums.grayishCount, of: sums.total, minimum: 0)
        else { return }
        (red, green, blue) = (grayish.red, grayish.green, grayish.blue)
    }

    private init?(_ sums: (UInt64, UInt64, UInt64), _ count: UInt32, of total: UInt32, minimum: Double) {
        guard count > 0 else { return nil }
        func mean(_ sum: UInt64) -> Double { max(Double(sum) / Double(count) / 65535, minimum) }
        self.init(
            red: mean(sums.0), green: mean(sums.1), blue: mean(sums.2), share: Double(count) / Double(max(1, total)))
    }
}
