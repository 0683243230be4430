import CaptureHAL
import Foundation
import MediaTypes

/// A stream whose events are taken down before the client gets them.
///
/// Where several threads start and stop it at once, the trace tells one order of what happened, in which events still
/// belong to a run.
final class RecordingStream: DeviceStream {
    private struct State {
        /// The run that the trace tells, by the start that brought it about; nil while it tells of none.
        var run: Int?
        var startCount = 0
    }

    let number: Int
    private let base: any DeviceStream
    private let journal: TraceJournal
    /// Held while a line is written about a run, so that the lines agree; the journal calls nobody back.
    private let state = Lock(State(), order: .stream)

    init(_ base: any DeviceStream, _ number: Int, _ journal: TraceJournal) {
        self.base = base
        self.number = number
        self.journal = journal
    }

    deinit { stop() }

    var configuration: StreamConfiguration { base.configuration }

    func start(_ receiver: any StreamReceiver) throws(DeviceError) {
        // An attempt to start what runs is refused by the base; its events must not end up in another run.
        let start = state.withLock { state in
            state.startCount += 1
            if state.run == nil {
                // The start's line stands before what it brings, which may come before the call has returned.
                state.run = state.startCount
                journal.note(.start(number))
            }
            return state.startCount
        }
        do throws(DeviceError) {
            try base.start { [journal, number, state] event in
                state.withLock { Self.note(event, of: start, &$0, number, journal) }
                receiver.receive(event)
            }
        } catch {
            state.withLock { state in
                if state.run == start {
                    state.run = nil
                    journal.note(.refused(number, error))
                } else if state.run != nil {
                    journal.note(.again(number, error))
                }
            }
            throw error
        }
    }

    func stop() {
        base.stop()
        state.withLock { state in
            if state.run != nil { journal.note(.stop(number)) }
            state.run = nil
        }
    }

    private static func note(
        _ event: StreamEvent, of start: Int, _ state: inout State, _ number: Int, _ journal: TraceJournal
    ) {
        if state.run != start {
            // Another thread's stop or start was told between this run's start and its first event.
            if state.run != nil { journal.note(.stop(number)) }
            journal.note(.start(number))
            state.run = start
        }
        journal.note(event, of: number)
        switch event {
        case .failed, .ended: state.run = nil
        case .video, .audio, .dropped: break
        }
    }

    func setFrameDuration(_ duration: CMTime) throws(DeviceError) {
        do throws(DeviceError) {
            try base.setFrameDuration(duration)
            journal.note(.rate(stream: number, duration, .success(())))
        } catch {
            journal.note(.rate(stream: number, duration, .failure(error)))
            throw error
        }
    }
}

extension TraceJournal {
    /// Takes down what a stream delivered.
    func note(_ event: StreamEvent, of stream: Int) {
        switch event {
        case .video(let frame): note(frame, of: stream)
        case .audio(let chunk):
            guard TraceLine.holds(own(chunk.presentationTime)) else {
                return note(.dropped(stream: stream, .withoutTime(number: 0)))
            }
            let sound = TraceSound(
                format: chunk.format, frameCount: chunk.frameCount, presentationTime: own(chunk.presentationTime),
                samplePosition: chunk.samplePosition, followsDiscontinuity: chunk.followsDiscontinuity,
                bytes: .tooFast)
            note(.sound(stream: stream, sound), Media(chunk.data, rows: []))
        case .dropped(var drop):
            drop.presentationTime = ownOrNone(drop.presentationTime)
            note(.dropped(stream: stream, drop))
        case .failed(let error, let time): note(.failed(stream: stream, error, time: ownOrNone(time)))
        case .ended(let time): note(.ended(stream: stream, time: ownOrNone(time)))
        }
    }

    private func note(_ frame: VideoFrame, of stream: Int) {
        let time = own(frame.presentationTime)
        guard TraceLine.holds(time) else {
            return note(.dropped(stream: stream, .withoutTime(number: frame.sequenceNumber)))
        }
        let isLength = TraceLine.holds(frame.duration) && frame.duration >= .zero
        var traced = TraceFrame(
            shape: .compressed(0), presentationTime: time, duration: isLength ? frame.duration : .invalid,
            sequenceNumber: frame.sequenceNumber, settings: frame.settings, bytes: .tooFast)
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
            media = Media(bytes: pixels.packedBytes(), rows: traced.rows, look: pixels.attachments)
        case .compressed(let data, let codec):
            traced.shape = .compressed(codec)
            media = Media(data, rows: [])
        }
        if let map { media.bytes += map.packedBytes() }
        note(.frame(stream: stream, traced), media)
    }

    /// A time on the trace's axis.
    private func own(_ time: CMTime) -> CMTime {
        guard time.isNumeric, origin != 0 else { return time }
        return time - CMTime(nanoseconds: origin)
    }

    /// The same; invalid where a trace cannot hold it.
    private func ownOrNone(_ time: CMTime) -> CMTime {
        let time = own(time)
        return time.isNumeric && !TraceLine.holds(time) ? .invalid : time
    }
}

extension DroppedFrame {
    /// What is told of a frame with a time that no trace holds.
    fileprivate static func withoutTime(number: UInt64) -> DroppedFrame {
        DroppedFrame(
            reason: .discontinuity, presentationTime: .invalid, sequenceNumber: number,
            message: "this came with a time that no clock tells, so it was not kept")
    }
}

extension TraceJournal.Media {
    init(_ data: CMBlockBuffer, rows: [TracePacking.Rows]) {
        self.init(bytes: data.withUnsafeBytes { Data($0) }, rows: rows, look: nil)
    }
}
