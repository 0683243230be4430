import CaptureHAL
import MediaTypes

/// Keeps what a stream delivers in the order of time, and its pictures in the size that was asked for.
///
/// Hardware may break its word: a driver that repeats a buffer, a clock that is set back, a size that changes under
/// way. Clients never see time run backwards, whatever times a driver writes.
/// Invariant: `last` is the latest time that was let through, `end` when what it belongs to ends, which is later.
final class StreamOrder: @unchecked Sendable {
    // SAFETY: the events of one stream never overlap.
    private let size: CMVideoDimensions?
    /// nil before the first.
    private var last: Int64?
    private var end: Int64 = 0
    /// What is added to the device's times since its clock went back.
    private var shift: Int64 = 0
    /// The last frame's duration, in nanoseconds too: most frames have the same.
    private var lastDuration = (time: CMTime.invalid, nanoseconds: Int64(0))

    /// A step back of less is a straggler, which is dropped; one of more is a clock that was set: its times then
    /// follow on what came before.
    private static let tolerance: Int64 = 500_000_000
    /// A step forward of more than a day is a clock that was set, too: nobody waits that long for a frame.
    private static let leap: Int64 = 86_400_000_000_000
    /// No clock tells a time farther from zero, in nanoseconds: 146 years.
    private static let farthest: Int64 = 1 << 62

    init(_ format: StreamFormat) {
        if case .video(let video) = format { size = video.dimensions } else { size = nil }
    }

    /// What becomes of an event; most go on as they are, without a copy.
    enum Verdict {
        case asItIs
        /// Clients are to see this one in its place.
        indirect case changed(StreamEvent)
        /// Clients are to see nothing.
        case nothing
    }

    /// How clients are to see an event.
    func judge(_ event: StreamEvent) -> Verdict {
        switch event {
        case .video(let frame): return judge(frame)
        case .audio(let chunk):
            let length = (Double(chunk.frameCount) * 1e9 / chunk.format.sampleRate).rounded()
            guard let time = Self.nanoseconds(chunk.presentationTime),
                let told = follow(time, Int64(exactly: length) ?? 0)
            else { return .nothing }
            guard told != time else { return .asItIs }
            var moved = chunk
            moved.presentationTime = CMTime(nanoseconds: told)
            return .changed(.audio(moved))
        case .dropped(var drop):
            guard shift != 0 else { return .asItIs }
            drop.presentationTime = drop.presentationTime + CMTime(nanoseconds: shift)
            return .changed(.dropped(drop))
        case .failed, .ended: return .asItIs
        }
    }

    /// Whether clients are to see a picture as it is, of a size that was found right before; else nothing is noted of it.
    ///
    /// Short, as it is asked for each frame of a stream that keeps its word.
    func passes(_ timing: CMSampleTimingInfo) -> Bool {
        let time = timing.presentationTimeStamp
        guard shift == 0, let last, time.flags == .valid, time.timescale == 1_000_000_000, time.epoch == 0,
            time.value > last, time.value < Self.farthest
        else { return false }
        let (gap, isBeyond) = time.value.subtractingReportingOverflow(last)
        let duration = min(max(nanoseconds(of: timing.duration), 1), Self.leap)
        guard !isBeyond, gap <= Self.leap else { return false }
        // Both are far from the largest number.
        (self.last, end) = (time.value, time.value + duration)
        return true
    }

    /// How clients are to see a frame.
    func judge(_ frame: VideoFrame) -> Verdict {
        guard let time = Self.nanoseconds(frame.presentationTime) else {
            return .changed(drop(frame, .discontinuity, "the frame's time is none that a clock tells"))
        }
        guard let told = follow(time, nanoseconds(of: frame.duration)) else {
            return .changed(drop(frame, .discontinuity, "the frame does not come after the one before it"))
        }
        guard hasRightSize(frame) else {
            return .changed(drop(frame, .damaged, "the frame has another size than the format"))
        }
        guard told != time else { return .asItIs }
        var moved = frame
        moved.presentationTime = CMTime(nanoseconds: told)
        return .changed(.video(moved))
    }

    /// The time that what came at `time` is to tell; nil where it is a straggler, or no time is left to tell.
    private func follow(_ time: Int64, _ duration: Int64) -> Int64? {
        var (told, isBeyond) = time.addingReportingOverflow(shift)
        var newShift = shift
        if let last {
            let gap = Self.difference(told, last)
            if !isBeyond, gap <= 0, gap > -Self.tolerance { return nil }
            if isBeyond || gap <= 0 || gap > Self.leap {
                (newShift, isBeyond) = end.subtractingReportingOverflow(time)
                guard !isBeyond else { return nil }
                told = end
            }
        }
        let (newEnd, isLast) = told.addingReportingOverflow(min(max(duration, 1), Self.leap))
        guard !isLast else { return nil }
        (shift, last, end) = (newShift, told, newEnd)
        return told
    }

    /// How much later `time` is than `other`; the farthest that can be said where that is more.
    private static func difference(_ time: Int64, _ other: Int64) -> Int64 {
        let (gap, isBeyond) = time.subtractingReportingOverflow(other)
        return isBeyond ? (time > other ? .max : .min) : gap
    }

    /// A time that a clock may tell.
    private static func nanoseconds(_ time: CMTime) -> Int64? {
        guard time.isNumeric, time.timescale > 0 else { return nil }
        guard time.timescale != 1_000_000_000 else {
            return (-farthest...farthest).contains(time.value) ? time.value : nil
        }
        let converted = CMTimeConvertScale(time, timescale: 1_000_000_000, method: .roundHalfAwayFromZero)
        return converted.isNumeric && (-farthest...farthest).contains(converted.value) ? converted.value : nil
    }

    private func nanoseconds(of duration: CMTime) -> Int64 {
        let known = lastDuration
        let isKnown =
            duration.value == known.time.value && duration.timescale == known.time.timescale
            && duration.flags == known.time.flags
        if isKnown { return known.nanoseconds }
        lastDuration = (duration, duration.isNumeric ? duration.nanoseconds : 0)
        return lastDuration.nanoseconds
    }

    private func hasRightSize(_ frame: VideoFrame) -> Bool {
        guard let size, case .pixels(let buffer) = frame.payload else { return true }
        return CVPixelBufferGetWidth(buffer) == Int(size.width) && CVPixelBufferGetHeight(buffer) == Int(size.height)
    }

    private func drop(_ frame: VideoFrame, _ reason: DroppedFrame.Reason, _ message: String) -> StreamEvent {
        .dropped(
            DroppedFrame(
                reason: reason, presentationTime: frame.presentationTime + CMTime(nanoseconds: shift),
                sequenceNumber: frame.sequenceNumber, message: message, carriesDepth: frame.depth != nil))
    }
}
