import CaptureHAL
import MediaTypes

/// Corrects the events of a stream so that timestamps increase and frames have the size of the format.
///
/// Drivers can violate both: a buffer is delivered twice, the clock is set back, or the size changes while streaming.
///
/// All times are in nanoseconds.
///
/// Invariant: `last` is the latest delivered timestamp; `end` is the end of its media and is later.
struct TimestampCorrector: Sendable {
    /// The size of the format's frames; nil for audio.
    private let size: CMVideoDimensions?
    /// The latest delivered timestamp; nil before the first event.
    private var last: Int64?
    /// The end of the latest delivered media. Before the first event, the end of the media that the session delivered
    /// from earlier streams; `.min` if there were none.
    private var end: Int64
    /// The offset added to the device's timestamps since its clock was set.
    private var shift: Int64 = 0

    /// A timestamp that is earlier than the last one by less than this, 0.5 s, belongs to a late event, which is
    /// dropped. A larger step back means that the clock was set; timestamps then continue after the last one.
    private static let tolerance: Int64 = 500_000_000
    /// A timestamp that is later than the last one by more than this, one day, also means that the clock was set.
    private static let largestStep: Int64 = 86_400_000_000_000
    /// The largest valid distance of a timestamp from zero: 146 years.
    private static let largestTime: Int64 = 1 << 62

    /// - Parameter end: The end of the media of earlier streams; not numeric if there were none. If the clock was set
    ///   back since then, timestamps continue from this time.
    init(_ format: StreamFormat, after end: CMTime = .negativeInfinity) {
        if case .video(let video) = format { size = video.dimensions } else { size = nil }
        self.end = Self.nanoseconds(end) ?? .min
    }

    /// Corrects a frame's timestamp.
    ///
    /// - Returns: The drop that clients receive instead of an invalid or late frame; nil if the frame is delivered.
    mutating func correct(_ frame: inout VideoFrame) -> DroppedFrame? {
        guard let time = Self.nanoseconds(frame.presentationTime) else {
            return drop(frame, .discontinuity, "the frame's timestamp is not valid")
        }
        let duration = frame.duration.isNumeric ? frame.duration.nanoseconds : 0
        guard let corrected = correctedTime(time, duration: duration) else {
            return drop(frame, .discontinuity, "the frame's timestamp is not later than the previous one")
        }
        guard hasFormatSize(frame) else {
            return drop(frame, .damaged, "the frame does not have the size of the format")
        }
        if corrected != time {
            frame.shiftTimes(by: CMTime(nanoseconds: corrected - time))
            frame.presentationTime = CMTime(nanoseconds: corrected)
        }
        return nil
    }

    /// Corrects the timestamp of audio.
    ///
    /// - Returns: Whether the audio is delivered; false if it is late or its timestamp is not valid.
    mutating func correct(_ chunk: inout AudioChunk) -> Bool {
        let length = (Double(chunk.frameCount) * 1e9 / chunk.format.sampleRate).rounded()
        guard let time = Self.nanoseconds(chunk.presentationTime),
            let corrected = correctedTime(time, duration: Int64(exactly: length) ?? 0)
        else { return false }
        if corrected != time { chunk.presentationTime = CMTime(nanoseconds: corrected) }
        return true
    }

    /// Corrects the timestamp of a dropped frame.
    func correct(_ drop: inout DroppedFrame) {
        guard shift != 0 else { return }
        drop.presentationTime = drop.presentationTime + CMTime(nanoseconds: shift)
    }

    /// Computes and records the corrected timestamp of media; nil for a late event, or if no later timestamp is
    /// possible.
    private mutating func correctedTime(_ time: Int64, duration: Int64) -> Int64? {
        var (corrected, overflows) = time.addingReportingOverflow(shift)
        var newShift = shift
        if let last {
            let step = Self.difference(corrected, last)
            if !overflows, step <= 0, step > -Self.tolerance { return nil }
            if overflows || step <= 0 || step > Self.largestStep {
                (newShift, overflows) = end.subtractingReportingOverflow(time)
                guard !overflows else { return nil }
                corrected = end
            }
        } else if end > .min, !overflows, Self.difference(corrected, end) <= -Self.tolerance {
            (newShift, overflows) = end.subtractingReportingOverflow(time)
            guard !overflows else { return nil }
            corrected = end
        }
        let (newEnd, endOverflows) = corrected.addingReportingOverflow(min(max(duration, 1), Self.largestStep))
        guard !endOverflows else { return nil }
        (shift, last, end) = (newShift, corrected, newEnd)
        return corrected
    }

    /// Returns the difference of two times, clamped to the range of the type.
    private static func difference(_ time: Int64, _ other: Int64) -> Int64 {
        let (step, overflows) = time.subtractingReportingOverflow(other)
        return overflows ? (time > other ? .max : .min) : step
    }

    /// Returns the nanoseconds of a timestamp; nil if it is not valid.
    private static func nanoseconds(_ time: CMTime) -> Int64? {
        guard time.isNumeric, time.timescale > 0 else { return nil }
        let converted = CMTimeConvertScale(time, timescale: 1_000_000_000, method: .roundHalfAwayFromZero)
        return converted.isNumeric && (-largestTime...largestTime).contains(converted.value) ? converted.value : nil
    }

    private func hasFormatSize(_ frame: VideoFrame) -> Bool {
        guard let size, case .pixels(let buffer) = frame.payload else { return true }
        return CVPixelBufferGetWidth(buffer) == Int(size.width) && CVPixelBufferGetHeight(buffer) == Int(size.height)
    }

    private func drop(_ frame: VideoFrame, _ reason: DroppedFrame.Reason, _ message: String) -> DroppedFrame {
        DroppedFrame(
            reason: reason, presentationTime: frame.presentationTime + CMTime(nanoseconds: shift),
            sequenceNumber: frame.sequenceNumber, message: message, carriesDepth: frame.depth != nil)
    }
}
