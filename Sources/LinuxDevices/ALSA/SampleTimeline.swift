/// Gives every sample a place and a time, from what the hardware tells now and then.
///
/// Places count frames, lost ones too. Times run evenly at the nominal rate and follow the hardware's clock slowly, so
/// that the jitter of its reports does not show. Pure: no clock, no calls.
struct SampleTimeline: Sendable {
    /// The place of the next frame to be read.
    private(set) var next: Int64 = 0
    private let rate: Double
    /// A place and its time, in nanoseconds; nil before the first report.
    private var anchor: (position: Int64, nanoseconds: Double)?
    /// The last report: the place of the frame that was captured at that moment.
    private var reported: (position: Int64, nanoseconds: Int64)?
    private var lastChunkNanoseconds: Int64?

    /// An error beyond this is a jump of the clock, not jitter.
    static let jumpNanoseconds = 100_000_000.0
    /// The share of an error by which the times follow at a report.
    static let followShare = 1.0 / 32

    init(sampleRate: Double) { rate = sampleRate }

    /// Takes a report: the frame that lies `available` frames after the next was captured at `nanoseconds`.
    mutating func report(available: Int, nanoseconds: Int64) {
        let position = next + Int64(available)
        reported = (position, nanoseconds)
        guard let anchor else {
            anchor = (position, Double(nanoseconds))
            return
        }
        let expected = anchor.nanoseconds + Double(position - anchor.position) / rate * 1e9
        let error = Double(nanoseconds) - expected
        let share = abs(error) > Self.jumpNanoseconds ? 1 : Self.followShare
        self.anchor = (position, expected + error * share)
    }

    /// Counts frames that were read.
    ///
    /// - Returns: Place and time of the first of them; times always rise.
    mutating func take(_ frameCount: Int) -> (position: Int64, nanoseconds: Int64) {
        let position = next
        next += Int64(frameCount)
        var time: Int64 = 0
        if let anchor {
            time = Int64((anchor.nanoseconds + Double(position - anchor.position) / rate * 1e9).rounded())
        }
        if let last = lastChunkNanoseconds, time <= last { time = last + 1 }
        lastChunkNanoseconds = time
        return (position, time)
    }

    /// Takes a new beginning after an overrun or a suspend: what was not read is lost.
    ///
    /// - Parameter nanoseconds: The moment of the first frame that is captured again.
    /// - Returns: The number of lost frames, by the time between the last report and the restart.
    mutating func restart(at nanoseconds: Int64) -> Int64 {
        guard let reported else { return 0 }
        let elapsed = (Double(nanoseconds - reported.nanoseconds) / 1e9 * rate).rounded()
        let first = max(next, reported.position + Int64(max(0, elapsed)))
        let lost = first - next
        next = first
        anchor = (first, Double(nanoseconds))
        self.reported = (first, nanoseconds)
        return lost
    }
}
