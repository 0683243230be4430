import CaptureHAL
import MediaCodecs
import MediaFiles
import MediaTypes

/// A decoder of the frames of a file's video track.
///
/// A frame that the decoder refuses or marks as damaged is reported, not delivered. Damage that the decoder only logs is
/// ignored: such a frame is whole.
final class VideoItemDecoder: RecordedItemDecoder {
    private let source: MediaSource
    private let reader: MediaFileReader
    private let track: MediaTrack
    private var decoder: VideoDecoder
    private let buffers: FrameBufferPool

    /// A decoded frame with the damage reported before it. Its duration is unknown until the next frame is decoded.
    private struct PendingFrame {
        var frame: VideoDecoder.Frame
        var mediaTime: Int64
        /// Whether `mediaTime` is the time of the file, not a replacement for a missing or wrong one.
        var isExact: Bool
        var reports: [DamageReport]
    }

    /// Whether presentation times are in order, except single wrong ones.
    private struct PresentationTimes {
        private let isReordered: Bool
        private var last = CMTime.invalid
        private var count = 0
        private var disorderCount = 0
        private var isOneMissing = false

        /// - Parameter isReordered: Whether the file stores packets in another order than that of their times.
        init(isReordered: Bool) { self.isReordered = isReordered }

        var areUsable: Bool { isReordered || isOneMissing || disorderCount * 8 <= count }

        mutating func add(_ time: CMTime) {
            guard time.isValid else {
                isOneMissing = true
                return
            }
            if last.isValid, time <= last { disorderCount += 1 }
            last = time
            count += 1
        }
    }

    private struct DamageReport {
        var mediaTime: Int64
        var message: String
    }

    /// At most two frames in order: whether the time of a frame is wrong is known when the next frame is decoded, and the
    /// duration of the frame before it depends on it.
    private var pending: [PendingFrame] = []
    /// Decoded frames after `pending`, in order.
    private var decoded: [VideoDecoder.Frame] = []
    /// Damage reported after `pending`.
    private var reports: [DamageReport] = []
    /// The decoder's last message that is not in a report.
    private var decoderMessage: String?
    /// The items that are decoded but not returned yet.
    private var ready: [RecordedItem] = []
    /// The media time at which the current loop through the file began, in nanoseconds.
    private var loopStart: Int64 = 0
    private var lastTime: Int64?
    /// The last duration between two frames with exact times, at most the nominal one: frames that follow a pause do not
    /// continue with its duration.
    private var usualDuration: Int64
    /// The presentation times of the loop so far.
    private var times: PresentationTimes
    private var isFlushed = false
    private var frameCountInLoop = 0
    private(set) var endTime: Int64 = 0

    /// The maximum number of damage reports that wait for the next frame. This limits the memory for a long damaged
    /// part of a file.
    private static let maximumReportCount = 32

    init(_ source: MediaSource, _ track: MediaTrack, _ configuration: StreamConfiguration) throws(DeviceError) {
        guard case .video(let format) = configuration.format, case .pixels(let pixelFormat) = format.encoding else {
            throw DeviceError(
                .unsupportedFormat, device: source.path, "\(source.fileName) delivers uncompressed frames only")
        }
        do throws(MediaFileError) {
            reader = try MediaFileReader(path: source.path)
            reader.select([track.index], timingTracks: source.trackIndexes)
            decoder = try VideoDecoder(reader: reader, track: track, refusesDamage: true)
        } catch {
            throw DeviceError(error)
        }
        self.source = source
        self.track = track
        times = PresentationTimes(isReordered: source.isReordered)
        usualDuration = max(1, source.nominalFrameNanoseconds)
        buffers = FrameBufferPool(
            width: Int(format.dimensions.width), height: Int(format.dimensions.height), pixelFormat: pixelFormat,
            maximumCount: max(1, configuration.bufferCount) + MediaFileRun.decodedAheadCount,
            transform: track.video?.cameraTransform)
    }

    var jumps: [TimestampJump] { reader.jumps }

    func next() throws(DeviceError) -> RecordedItem? {
        do throws(MediaFileError) {
            while ready.isEmpty {
                guard try decodeNext() else { return nil }
            }
        } catch {
            throw DeviceError(error)
        }
        return ready.removeFirst()
    }

    /// Processes one decoded frame or one packet. Returns false at the end of the track.
    private func decodeNext() throws(MediaFileError) -> Bool {
        if !decoded.isEmpty {
            let frame = decoded.removeFirst()
            if frame.isDamaged { report(at: frame.time) } else { try add(frame) }
            return true
        }
        if isFlushed {
            try emitAll()
            emitReports()
            return try restartIfLooping()
        }
        switch try reader.next() {
        case .packet(let packet):
            store(try decoder.decode(packet), from: packet.time)
        case .damaged(let message):
            reports.append(DamageReport(mediaTime: lastTime ?? loopStart, message: message))
        case .end:
            store(try decoder.decode(nil), from: .invalid)
            isFlushed = true
        }
        if reports.count >= Self.maximumReportCount && decoded.isEmpty {
            try emitAll()
            report(reports, between: lastTime ?? loopStart, and: lastTime ?? loopStart)
            reports = []
        }
        return true
    }

    /// Stores the decoded frames of a packet, and a report if it was refused.
    ///
    /// - Parameter time: The time of the packet; invalid if unknown or at the end of the file.
    private func store(_ output: VideoDecoder.Output, from time: CMTime) {
        decoderMessage = output.errorMessage ?? decoderMessage
        if output.isRefused { report(at: time) }
        decoded = output.frames
    }

    private func report(at time: CMTime) {
        let message = decoderMessage ?? "the decoder reports damage"
        decoderMessage = nil
        reports.append(DamageReport(mediaTime: mediaTime(time) ?? lastTime ?? loopStart, message: message))
    }

    private func mediaTime(_ time: CMTime) -> Int64? {
        time.isValid ? time.nanoseconds - source.startNanoseconds + loopStart : nil
    }

    /// Adds a frame to the pending ones and emits the first of two.
    private func add(_ frame: VideoDecoder.Frame) throws(MediaFileError) {
        let previous = pending.last?.mediaTime ?? lastTime
        let expected = previous.map { $0 + nextDuration } ?? loopStart
        var time = mediaTime(self.time(of: frame))
        if let known = time, let previous, known <= previous, !correctPrevious(before: known) { time = nil }
        if pending.count == 2 { try emit(pending.removeFirst(), until: pending[0].mediaTime) }
        pending.append(
            PendingFrame(frame: frame, mediaTime: time ?? expected, isExact: time != nil, reports: reports))
        reports = []
    }

    /// The expected duration of the last frame.
    private var nextDuration: Int64 {
        guard pending.count == 2, pending.allSatisfy(\.isExact) else { return usualDuration }
        let duration = pending[1].mediaTime - pending[0].mediaTime
        return duration <= 2 * usualDuration ? duration : usualDuration
    }

    /// Returns the time of a frame. After the first presentation time that is missing or out of order, the decoder returns
    /// decode times, which are later unless the file contains no others.
    private func time(of frame: VideoDecoder.Frame) -> CMTime {
        times.add(frame.presentationTime)
        return frame.presentationTime.isValid && times.areUsable ? frame.presentationTime : frame.time
    }

    /// Replaces the time of the last pending frame if it, and not the time of the next frame, is wrong. Times are in
    /// order, except single wrong ones, and the end of files that contain decode times instead of presentation times.
    ///
    /// - Parameter next: The time of the next frame, which is not later.
    /// - Returns: Whether the time of the last pending frame is now earlier.
    private func correctPrevious(before next: Int64) -> Bool {
        guard let last = pending.last else { return false }
        let previous = pending.count == 2 ? pending[0].mediaTime : lastTime
        let earliest = previous.map { $0 + 1 } ?? loopStart
        guard next > earliest else { return false }
        let expected = previous.map { $0 + usualDuration } ?? max(earliest, next - usualDuration)
        guard !last.isExact || abs(last.mediaTime - expected) > abs(next - expected - usualDuration) else {
            return false
        }
        pending[pending.count - 1].mediaTime = min(expected, earliest + (next - earliest) / 2)
        pending[pending.count - 1].isExact = false
        return true
    }

    /// Emits the pending frames.
    private func emitAll() throws(MediaFileError) {
        while !pending.isEmpty { try emit(pending.removeFirst(), until: pending.first?.mediaTime) }
    }

    /// Emits a frame with the damage before it.
    ///
    /// - Parameter next: The media time of the following frame; nil if it is unknown.
    private func emit(_ frame: PendingFrame, until next: Int64?) throws(MediaFileError) {
        report(frame.reports, between: lastTime ?? loopStart, and: frame.mediaTime)
        let frameDuration = frame.frame.duration.isValid ? frame.frame.duration.nanoseconds : 0
        let duration = next.map { $0 - frame.mediaTime } ?? (frameDuration > 0 ? frameDuration : usualDuration)
        if frame.isExact, pending.first?.isExact == true {
            usualDuration = max(1, min(duration, source.nominalFrameNanoseconds))
        }
        lastTime = frame.mediaTime
        endTime = frame.mediaTime + duration
        frameCountInLoop += 1
        let pixels = try buffers.makeBuffer(for: frame.frame, of: decoder)
        ready.append(RecordedItem(content: .frame(pixels), mediaTime: frame.mediaTime, duration: duration))
    }

    private func emitReports() {
        report(reports, between: lastTime ?? loopStart, and: nil)
        reports = []
    }

    /// Emits damage reports, each at its own media time as far as the order of the frames allows.
    private func report(_ reports: [DamageReport], between low: Int64, and high: Int64?) {
        for report in reports {
            let mediaTime = min(max(report.mediaTime, low), high ?? .max)
            ready.append(RecordedItem(content: .damaged(report.message), mediaTime: mediaTime, duration: 0))
        }
    }

    /// Rewinds the file if it is played in a loop. Returns false if the file is not looped or contains no frame.
    private func restartIfLooping() throws(MediaFileError) -> Bool {
        guard ready.isEmpty else { return true }
        guard source.atEnd == .loop, frameCountInLoop > 0 else { return false }
        try reader.rewind()
        decoder = try VideoDecoder(reader: reader, track: track, refusesDamage: true)
        loopStart += source.lengthNanoseconds
        frameCountInLoop = 0
        times = PresentationTimes(isReordered: source.isReordered)
        isFlushed = false
        return true
    }
}
