import CaptureCore

/// Ranges of frame rates in frames per second, in ascending order, without overlaps.
struct FrameRateRanges: CustomStringConvertible {
    private(set) var ranges: [ClosedRange<Double>] = []

    /// Merges overlapping and adjacent ranges. Rates are compared in the precision in which they are printed.
    init(_ ranges: [ClosedRange<Double>]) {
        let printed = ranges.map { rounded($0.lowerBound)...rounded($0.upperBound) }
        for range in printed.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
            if let last = self.ranges.last, range.lowerBound <= last.upperBound {
                self.ranges[self.ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                self.ranges.append(range)
            }
        }
    }

    /// Merges the ranges of formats.
    init(of formats: [AVCaptureDevice.Format]) {
        self.init(formats.flatMap(\.frameRates))
    }

    /// The ranges, such as `1-60` or `5, 7.5, 10`.
    var description: String {
        ranges.map {
            let low = plainNumber($0.lowerBound)
            return $0.lowerBound == $0.upperBound ? low : "\(low)-\(plainNumber($0.upperBound))"
        }.joined(separator: ", ")
    }
}

/// Rounds to the precision of `plainNumber`.
private func rounded(_ rate: Double) -> Double { (rate * 1000).rounded() / 1000 }

extension AVCaptureDevice.Format {
    /// The ranges of frame rates in frames per second; empty for audio.
    fileprivate var frameRates: [ClosedRange<Double>] {
        guard case .video(let video) = stream else { return [] }
        return video.frameDurations.map { 1 / $0.maximum.seconds...1 / $0.minimum.seconds }
    }
}
