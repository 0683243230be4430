import MediaTypes

/// The movement of the whole image from frame to frame, by which the movies of Live Photos are trimmed.
///
/// The brightness of the columns and rows of a frame, each a profile with 64 values, is compared with the profiles of the
/// previous frame at all shifts up to a quarter of the frame.
/// The method is that of Ko, Lee and Lee, "Digital image stabilizing algorithms based on bit-plane matching" (1998), with
/// projections instead of bit planes.
struct MotionTrace {
    /// The movement into one frame.
    private struct Step {
        let time: CMTime
        /// Whether the image moved by more than a frame's size per second.
        let isExcessive: Bool
    }

    private var steps: [Step] = []
    private var last: (columns: [Int], rows: [Int], time: CMTime)?

    /// The number of values of a profile.
    private static let cellCount = 64
    /// The largest shift, in cells.
    private static let maximumShift = 16
    /// The number of consecutive frames with excessive movement that trim a movie: one is a jolt.
    private static let minimumRun = 3
    /// The part of a movie before and after the photo that is never trimmed.
    private static let minimumDuration = CMTime(value: 3, timescale: 10)

    /// Measures a frame with 8 bits of luma in its first plane.
    mutating func append(_ pixels: CVPixelBuffer, at time: CMTime) {
        guard let (columns, rows) = Self.profiles(of: pixels) else { return }
        if let last {
            let shift = max(
                abs(Self.shift(from: last.columns, to: columns)), abs(Self.shift(from: last.rows, to: rows)))
            let seconds = (time - last.time).seconds
            steps.append(Step(time: time, isExcessive: Double(shift) >= seconds * Double(Self.cellCount)))
        }
        last = (columns, rows, time)
    }

    /// Removes the movements before a time.
    mutating func remove(before time: CMTime) { steps.removeAll { $0.time < time } }

    /// Returns the part of a movie without excessive movement.
    func trimmed(_ start: CMTime, _ end: CMTime, around still: CMTime) -> (start: CMTime, end: CMTime) {
        var (first, last) = (start, end)
        for run in excessiveRuns {
            guard let runStart = run.first?.time, let runEnd = run.last?.time else { continue }
            if runStart <= still { first = max(first, min(runEnd, still)) }
            if runEnd > still { last = min(last, max(runStart, still)) }
        }
        return (
            max(start, min(first, still - Self.minimumDuration)), min(end, max(last, still + Self.minimumDuration))
        )
    }

    private var excessiveRuns: [ArraySlice<Step>] {
        steps.split { !$0.isExcessive }.filter { $0.count >= Self.minimumRun }
    }

    /// Returns the mean brightness of the columns and rows, from 64x64 of the pixels; nil for small frames.
    private static func profiles(of pixels: CVPixelBuffer) -> (columns: [Int], rows: [Int])? {
        let (width, height) = (CVPixelBufferGetWidth(pixels), CVPixelBufferGetHeight(pixels))
        guard width >= cellCount, height >= cellCount else { return nil }
        return pixels.withPlane(0) { plane in
            let bytes = UnsafeRawPointer(plane.baseAddress)
            var columns = [Int](repeating: 0, count: cellCount)
            var rows = columns
            for row in 0..<cellCount {
                let line = bytes + (row * height / cellCount) * plane.bytesPerRow
                for column in 0..<cellCount {
                    let value = Int(line.load(fromByteOffset: column * width / cellCount, as: UInt8.self))
                    columns[column] += value
                    rows[row] += value
                }
            }
            return (columns, rows)
        }
    }

    /// Returns the shift, in cells, at which two profiles differ least; 0 unless the profiles differ by clearly less than
    /// without a shift.
    private static func shift(from old: [Int], to new: [Int]) -> Int {
        func difference(_ shift: Int) -> Int {
            let range = max(0, shift)..<cellCount + min(0, shift)
            return range.reduce(0) { $0 + abs(new[$1] - old[$1 - shift]) } * cellCount / range.count
        }
        let unshifted = difference(0)
        // Less than one level of brightness per pixel is noise.
        guard unshifted > cellCount * cellCount else { return 0 }
        let best = (-maximumShift...maximumShift).min { difference($0) < difference($1) } ?? 0
        return difference(best) * 2 < unshifted ? best : 0
    }
}
