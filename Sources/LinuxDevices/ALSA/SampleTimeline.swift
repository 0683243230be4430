/// The positions and times of samples, computed from the hardware's position reports.
///
/// Positions count sample frames, including lost ones. Times advance at the nominal rate. Each report corrects them by
/// a fraction of the error, which filters the jitter of the reports.
struct SampleTimeline: Sendable {
    /// The position of the next frame to be read.
    private(set) var nextPosition: Int64 = 0
    private let rate: Double
    /// A position and its time in nanoseconds; nil before the first report.
    private var anchor: (position: Int64, nanoseconds: Double)?
    /// The last report: the position after the last captured frame, and the time of that frame.
    private var reported: (position: Int64, nanoseconds: Int64)?
    private var lastChunkNanoseconds: Int64?

    /// A larger error is a discontinuity of the hardware's clock, not jitter, and is corrected immediately.
    static let maximumJitterNanoseconds = 100_000_000.0
    /// The fraction of an error that each report corrects.
    static let correctionFraction = 1.0 / 32

    init(sampleRate: Double) { rate = sampleRate }

    /// Adds a report of the hardware: `available` unread frames at the time `nanoseconds`.
    mutating func report(available: Int, nanoseconds: Int64) {
        let position = nextPosition + Int64(available)
        reported = (position, nanoseconds)
        guard let anchor else {
            anchor = (position, Double(nanoseconds))
            return
        }
        let expected = anchor.nanoseconds + Double(position - anchor.position) / rate * 1e9
        let error = Double(nanoseconds) - expected
        let fraction = abs(error) > Self.maximumJitterNanoseconds ? 1 : Self.correctionFraction
        self.anchor = (position, expected + error * fraction)
    }

    /// Adds frames that were read.
    ///
    /// - Returns: The position and time of the first of them. Times are strictly increasing.
    mutating func advance(by frameCount: Int) -> (position: Int64, nanoseconds: Int64) {
        let position = nextPosition
        nextPosition += Int64(frameCount)
        var time: Int64 = 0
        if let anchor {
            time = Int64((anchor.nanoseconds + Double(position - anchor.position) / rate * 1e9).rounded())
        }
        if let last = lastChunkNanoseconds, time <= last { time = last + 1 }
        lastChunkNanoseconds = time
        return (position, time)
    }

    /// Restarts after an overrun or a suspension. Frames that were not read are lost.
    ///
    /// - Parameter nanoseconds: The time of the first frame after the restart.
    /// - Returns: The number of lost frames, computed from the time between the last report and the restart.
    mutating func restart(at nanoseconds: Int64) -> Int64 {
        guard let reported else { return 0 }
        let elapsed = (Double(nanoseconds - reported.nanoseconds) / 1e9 * rate).rounded()
        let first = max(nextPosition, reported.position + Int64(max(0, elapsed)))
        let lost = first - nextPosition
        nextPosition = first
        anchor = (first, Double(nanoseconds))
        self.reported = (first, nanoseconds)
        return lost
    }
}
