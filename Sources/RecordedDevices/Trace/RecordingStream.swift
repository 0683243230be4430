import CaptureHAL
import Foundation
import MediaTypes

/// A stream that records its events in a trace before the client receives them.
///
/// A run of the stream is the time from a start to the next stop, failure or end. If several threads start and stop the
/// stream concurrently, the trace contains one possible order, in which each event belongs to a run.
final class RecordingStream: DeviceStream {
    private struct State {
        /// The number of the start that began the current run in the trace; nil if the last run in the trace has ended.
        var run: Int?
        /// The number of calls of `start`, which numbers them from 1.
        var startCount = 0
    }

    /// The number of the stream in the trace.
    let number: Int
    private let base: any DeviceStream
    private let journal: TraceJournal
    /// The state of the recorded run. Its lock is held while a line about the run is recorded, so that the order of the
    /// lines matches the state. This cannot deadlock, because the journal does not call other code.
    private let state = Lock(State(), order: .stream)

    init(_ base: any DeviceStream, _ number: Int, _ journal: TraceJournal) {
        self.base = base
        self.number = number
        self.journal = journal
    }

    deinit { stop() }

    var configuration: StreamConfiguration { base.configuration }

    func start(_ receiver: any StreamReceiver) throws(DeviceError) {
        // The base stream rejects a start while it is running. The run in progress must then remain unchanged.
        let start = state.withLock { state in
            state.startCount += 1
            if state.run == nil {
                // The start is recorded before the call, because events may arrive before the call returns.
                state.run = state.startCount
                journal.record(.start(number))
            }
            return state.startCount
        }
        do throws(DeviceError) {
            try base.start { [journal, number, state] event in
                state.withLock { Self.record(event, of: start, &$0, number, journal) }
                receiver.receive(event)
            }
        } catch {
            state.withLock { state in
                if state.run == start {
                    state.run = nil
                    journal.record(.startFailed(number, error))
                } else if state.run != nil {
                    journal.record(.startWhileRunningFailed(number, error))
                }
            }
            throw error
        }
    }

    func stop() {
        base.stop()
        state.withLock { state in
            if state.run != nil { journal.record(.stop(number)) }
            state.run = nil
        }
    }

    private static func record(
        _ event: StreamEvent, of start: Int, _ state: inout State, _ number: Int, _ journal: TraceJournal
    ) {
        if state.run != start {
            // Another thread's stop or start was recorded after this run's start and before this event. The run is
            // recorded as started again, so that the event belongs to it.
            if state.run != nil { journal.record(.stop(number)) }
            journal.record(.start(number))
            state.run = start
        }
        journal.record(event, of: number)
        switch event {
        case .failed, .ended: state.run = nil
        case .video, .audio, .dropped: break
        }
    }

    func setFrameDuration(_ duration: CMTime) throws(DeviceError) {
        do throws(DeviceError) {
            try base.setFrameDuration(duration)
            journal.record(.setFrameDuration(stream: number, duration, .success(())))
        } catch {
            journal.record(.setFrameDuration(stream: number, duration, .failure(error)))
            throw error
        }
    }
}

extension TraceJournal {
    /// Records an event of a stream.
    func record(_ event: StreamEvent, of stream: Int) {
        switch event {
        case .video(let frame):
            for still in frame.stills { record(still, beside: frame, of: stream) }
            record(frame, of: stream)
        case .audio(let chunk):
            guard TraceLine.isValidTimestamp(traceTime(chunk.presentationTime)) else {
                return record(.dropped(stream: stream, .withoutTime(number: 0)))
            }
            // `bytes` is a placeholder: the journal replaces it when it writes the bytes.
            let audio = TraceAudio(
                format: chunk.format, frameCount: chunk.frameCount,
                presentationTime: traceTime(chunk.presentationTime), samplePosition: chunk.samplePosition,
                followsDiscontinuity: chunk.followsDiscontinuity, bytes: .tooFast)
            record(.audio(stream: stream, audio), Media(chunk.data, rows: []))
        case .dropped(var drop):
            drop.presentationTime = optionalTraceTime(drop.presentationTime)
            record(.dropped(stream: stream, drop))
        case .failed(let error, let time): record(.failed(stream: stream, error, time: optionalTraceTime(time)))
        case .ended(let time): record(.ended(stream: stream, time: optionalTraceTime(time)))
        }
    }

    /// Records a still before the frame that delivers it. A still that failed is recorded without bytes.
    private func record(_ still: StillFrame, beside frame: VideoFrame, of stream: Int) {
        var image = frame
        image.stills = []
        image.faces = []
        image.payload = still.payload ?? .compressed(CMBlockBuffer(copying: Data()), codec: kCMVideoCodecType_JPEG)
        image.presentationTime = still.presentationTime
        image.settings = still.settings
        image.depth = still.depth
        record(
            image, of: stream,
            still: TraceStill(
                request: still.requestID, exposure: still.exposureIndex,
                count: max(exposureCount(of: still.requestID), still.exposureIndex + 1),
                merged: still.mergedFrameCount))
    }

    private func record(_ frame: VideoFrame, of stream: Int, still: TraceStill? = nil) {
        let time = traceTime(frame.presentationTime)
        guard TraceLine.isValidTimestamp(time) else {
            return record(.dropped(stream: stream, .withoutTime(number: frame.sequenceNumber)))
        }
        // A frame with an invalid duration is recorded without it.
        let isDurationValid = TraceLine.isValidTimestamp(frame.duration) && frame.duration >= .zero
        // `bytes` is a placeholder: the journal replaces it when it writes the bytes.
        var traced = TraceFrame(
            shape: .compressed(0), presentationTime: time, duration: isDurationValid ? frame.duration : .invalid,
            sequenceNumber: frame.sequenceNumber, settings: frame.settings, faces: frame.faces, still: still,
            bytes: .tooFast)
        var media: Media
        var map: CVPixelBuffer?
        switch frame.depth {
        case .map(let depth)?:
            let size = CMVideoDimensions(width: Int32(depth.map.width), height: Int32(depth.map.height))
            traced.depth = .map(depth.map.pixelFormat, size, isAbsolute: depth.isAbsolute, depth.calibration)
            map = depth.map
        case .dropped(let reason)?: traced.depth = .dropped(reason)
        case nil: break
        }
        switch frame.payload {
        case .pixels(let pixels):
            traced.shape = .pixels(
                pixels.pixelFormat, CMVideoDimensions(width: Int32(pixels.width), height: Int32(pixels.height)))
            media = Media(bytes: pixels.packedBytes(), rows: traced.rows, attachments: pixels.attachments)
        case .compressed(let data, let codec):
            traced.shape = .compressed(codec)
            media = Media(data, rows: [])
        }
        if let map { media.bytes += map.packedBytes() }
        record(.frame(stream: stream, traced), media)
    }

    /// Converts a time of the clock to a time of the trace.
    private func traceTime(_ time: CMTime) -> CMTime {
        guard time.isNumeric, origin != 0 else { return time }
        return time - CMTime(nanoseconds: origin)
    }

    /// Converts a time that an event may omit. A time beyond the limits of a trace becomes invalid and is omitted.
    private func optionalTraceTime(_ time: CMTime) -> CMTime {
        let time = traceTime(time)
        return time.isNumeric && !TraceLine.isValidTimestamp(time) ? .invalid : time
    }
}

extension DroppedFrame {
    /// The event recorded instead of a frame or chunk with a timestamp beyond the limits of a trace.
    fileprivate static func withoutTime(number: UInt64) -> DroppedFrame {
        DroppedFrame(
            reason: .discontinuity, presentationTime: .invalid, sequenceNumber: number,
            message: "not recorded: the timestamp is invalid")
    }
}

extension TraceJournal.Media {
    init(_ data: CMBlockBuffer, rows: [TracePacking.Rows]) {
        self.init(bytes: data.withUnsafeBytes { Data($0) }, rows: rows, attachments: nil)
    }
}
