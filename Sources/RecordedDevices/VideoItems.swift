import CaptureHAL
import MediaCodecs
import MediaTypes

/// A decoder of the frames of a file's video track.
///
/// A frame that the decoder refuses or marks as damaged is reported, not delivered. Damage that the decoder only logs is
/// ignored: such a frame is whole.
final class VideoItems: RecordedItemDecoder {
    private let source: MediaSource
    private let reader: MediaFileReader
    private let track: MediaTrack
    private var decoder: VideoDecoder
    private let buffers: FrameBufferPool

    /// A decoded frame with the damage reported before it. Its duration is unknown until the next frame is decoded.
    private struct PendingFrame {
        var frame: VideoDecoder.Frame
        var mediaTime: Int64
        var reports: [DamageReport]
    }

    private struct DamageReport {
        var mediaTime: Int64
        var message: String
    }

    private var pending: PendingFrame?
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
    private var lastDuration: Int64
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
        lastDuration = source.nominalFrameNanoseconds
        buffers = FrameBufferPool(
            width: Int(format.dimensions.width), height: Int(format.dimensions.height), pixelFormat: pixelFormat,
            maximumCount: max(1, configuration.bufferCount) + Playback.lookAhead,
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
            if frame.isDamaged { report(at: frame.time) } else { try setPending(frame) }
            return true
        }
        if isFlushed {
            try emitPending(until: nil)
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
            try emitPending(until: pending.map { $0.mediaTime + max(1, lastDuration) })
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

    /// Stores a frame as the pending one and emits the previous one.
    private func setPending(_ frame: VideoDecoder.Frame) throws(MediaFileError) {
        let previous = pending?.mediaTime ?? lastTime
        let expected = previous.map { $0 + max(1, lastDuration) } ?? loopStart
        var mediaTime = mediaTime(frame.time) ?? expected
        // A timestamp that is not later than the previous one is wrong. Such timestamps occur at the end of files that
        // contain decode times instead of presentation times.
        if let previous, mediaTime <= previous { mediaTime = expected }
        try emitPending(until: mediaTime)
        pending = PendingFrame(frame: frame, mediaTime: mediaTime, reports: reports)
        reports = []
    }

    /// Emits the pending frame.
    ///
    /// - Parameter next: The media time of the following frame; nil at the end of the track.
    private func emitPending(until next: Int64?) throws(MediaFileError) {
        guard let frame = pending else { return emitReports() }
        pending = nil
        report(frame.reports, between: lastTime ?? loopStart, and: frame.mediaTime)
        let frameDuration = frame.frame.duration.isValid ? frame.frame.duration.nanoseconds : 0
        let duration = next.map { $0 - frame.mediaTime } ?? (frameDuration > 0 ? frameDuration : lastDuration)
        lastDuration = duration
        lastTime = frame.mediaTime
        endTime = frame.mediaTime + duration
        frameCountInLoop += 1
        let pixels = try buffers.makeBuffer(for: frame.frame, of: decoder)
        ready.append(RecordedItem(content: .frame(pixels), mediaTime: frame.mediaTime, duration: duration))
        if next == nil { emitReports() }
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
        isFlushed = false
        return true
    }
}
