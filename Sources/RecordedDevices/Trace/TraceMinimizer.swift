public import CaptureHAL
public import Foundation
public import MediaStorage
public import MediaTypes
import PixelKernels

/// Copies a part of a trace to a new trace that can be played.
///
/// Calls before the part are copied with the time of its start; calls after it are omitted. A stream that was running
/// at the start of the part is started there, and its sequence numbers start at 0.
public struct TraceMinimizer: Sendable {
    /// The part of a trace to copy.
    public enum Part: Sendable, Hashable {
        /// A half-open range of times since the start of the trace. A time that is not numeric is the start or the end
        /// of the trace.
        case times(from: CMTime, to: CMTime)
        /// The given number of video frames from the start, and all other events up to the last of them. In a trace
        /// without video, audio chunks are counted.
        case frames(Int)
    }

    private let trace: Trace
    /// Nanoseconds since the start of the trace.
    private let startNanoseconds: Int64
    /// Nanoseconds since the start of the trace, exclusive; `Int64.max` for the end of the trace.
    private let endNanoseconds: Int64

    /// Selects a part of a trace.
    ///
    /// - Throws: `.invalidSource` if the part is empty.
    public init(_ trace: Trace, keeping part: Part) throws(DeviceError) {
        self.trace = trace
        switch part {
        case .times(let from, let to):
            startNanoseconds = from.isNumeric ? max(0, from.nanoseconds) : 0
            endNanoseconds = to.isNumeric ? to.nanoseconds : .max
            let length = trace.events.last?.time ?? 0
            guard startNanoseconds < endNanoseconds, startNanoseconds <= length else {
                let endSeconds = to.isNumeric ? to.seconds : Double(length) / 1e9
                throw DeviceError(
                    .invalidSource, device: trace.folder.path,
                    "no part from \(TraceLine.seconds(startNanoseconds)) to \(endSeconds) s: "
                        + "the trace \(trace.folder.path) is \(TraceLine.seconds(length)) s long")
            }
        case .frames(let count):
            startNanoseconds = 0
            let frames = trace.events.filter { if case .frame = $0.content { true } else { false } }
            let chunks = trace.events.filter { if case .audio = $0.content { true } else { false } }
            let counted = frames.isEmpty ? chunks : frames
            guard count > 0, !counted.isEmpty else {
                throw DeviceError(
                    .invalidSource, device: trace.folder.path,
                    "the trace \(trace.folder.path) has \(counted.count) frames and cannot be cut to \(count)")
            }
            endNanoseconds = count <= counted.count ? counted[count - 1].time + 1 : .max
        }
    }

    /// Writes the part as a new trace.
    ///
    /// - Parameter folder: A folder without a trace. It is created if necessary.
    /// - Throws: `.invalidSource` if the folder already contains a trace or the part contains no frame and no audio,
    ///   `.notPermitted`, `.outOfResources` or `.inputOutput`.
    public func write(to folder: URL, storage: any CaptureStorage = DiskStorage()) throws(DeviceError) {
        let copies = eventsToCopy()
        guard copies.contains(where: { $0.event.content.blob != nil }) else {
            throw DeviceError(
                .invalidSource, device: trace.folder.path,
                "this part of the trace \(trace.folder.path) contains no frame and no audio; choose a longer one")
        }
        let writer = try TraceWriter(folder, storage: storage, byteLimit: .max)
        // The blobs of the new trace, by the blobs of this trace.
        var blobs: [TraceBlob: TraceBlob] = [:]
        for (event, sourceIndex) in copies {
            var event = event
            do throws(StorageError) {
                if let blob = event.content.blob {
                    if blobs[blob] == nil {
                        let stored = try trace.media.data(at: blob.offset, count: blob.storedCount)
                        blobs[blob] = try writer.storePacked(stored, blob)
                    }
                    if let new = blobs[blob] { event.content = event.content.with(bytes: .recorded(new)) }
                }
                try writer.write(event)
            } catch {
                throw DeviceError(
                    .inputOutput, device: folder.path,
                    "line \(sourceIndex + 2) of the trace \(trace.folder.path) cannot be copied: \(error)")
            }
        }
        do throws(StorageError) {
            try writer.finish(at: copies.last?.event.time ?? 0)
        } catch {
            throw DeviceError(trace: folder, error)
        }
    }

    // MARK: Private

    /// Returns the events of the part with their new times and numbers, and their indices in this trace.
    private func eventsToCopy() -> [(event: TraceEvent, sourceIndex: Int)] {
        var copies: [(event: TraceEvent, sourceIndex: Int)] = []
        var renumbering = Renumbering()
        for (index, event) in trace.events.enumerated() {
            let isBeforePart = event.time < startNanoseconds
            let isAfterPart = event.time >= endNanoseconds
            switch event.content {
            case .end, .limit: continue
            case .host, .device, .format, .attachments: break
            case .stop(let stream):
                guard renumbering.runs[stream] != nil else { continue }
                renumbering.runs[stream] = nil
            case .close(let opening):
                guard renumbering.openings[opening] != nil else { continue }
            case .frame, .audio, .dropped, .failed, .ended, .changed:
                if isAfterPart || isBeforePart && !event.endsRun { continue }
            default:
                if isAfterPart { continue }
            }
            let content = renumbering.apply(
                to: event.content, isBeforePart: isBeforePart, shiftNanoseconds: startNanoseconds)
            guard let content else { continue }
            let time = min(max(event.time, startNanoseconds), endNanoseconds) - startNanoseconds
            copies.append((TraceEvent(time: time, content: content), index))
        }
        return copies
    }
}

extension TraceEvent {
    /// Whether the event ends a run of a stream.
    fileprivate var endsRun: Bool {
        switch content {
        case .failed, .ended: true
        default: false
        }
    }
}

extension TraceEvent.Content {
    /// The location of the bytes of a frame or chunk; nil for other events and if the bytes were not recorded.
    fileprivate var blob: TraceBlob? {
        let bytes: TraceBytes
        switch self {
        case .frame(_, let frame): bytes = frame.bytes
        case .audio(_, let audio): bytes = audio.bytes
        default: return nil
        }
        if case .recorded(let blob) = bytes { return blob }
        return nil
    }
}

/// Assigns consecutive numbers to the openings, streams and frames of a part.
private struct Renumbering {
    /// The current run of a stream.
    struct Run {
        /// Whether the run started before the part.
        var startsBeforePart = false
        /// The original sequence number of the first frame in the part.
        var firstSequenceNumber: UInt64?
        /// The original position of the first audio chunk in the part.
        var firstSamplePosition: Int64?
    }

    /// New numbers by original number.
    var openings: [Int: Int] = [:]
    /// New numbers by original number.
    var streams: [Int: Int] = [:]
    /// By the original number of the stream.
    var runs: [Int: Run] = [:]

    /// Returns the content with new numbers and times; nil if its opening, stream or run is not in the part.
    ///
    /// - Parameter shiftNanoseconds: Subtracted from times.
    mutating func apply(
        to content: TraceEvent.Content, isBeforePart: Bool, shiftNanoseconds: Int64
    ) -> TraceEvent.Content? {
        switch content {
        case .open(let device, .success(let opening)):
            openings[opening] = openings.count
            return openings[opening].map { .open(device: device, .success($0)) }
        case .control(let opening, let control, let range, let value):
            return openings[opening].map { .control(open: $0, control, range, value) }
        case .value(let opening, let control, let result):
            return openings[opening].map { .value(open: $0, control, result) }
        case .set(let opening, let control, let value, let result):
            return openings[opening].map { .set(open: $0, control, value, result) }
        case .changed(let opening, let control, let value):
            return openings[opening].map { .changed(open: $0, control, value) }
        case .stream(let opening, let configuration, .failure(let error)):
            return openings[opening].map { .stream(open: $0, configuration, .failure(error)) }
        case .stream(let opening, let configuration, .success(let stream)):
            guard let opening = openings[opening] else { return nil }
            let number = streams.count
            streams[stream] = number
            return .stream(open: opening, configuration, .success(number))
        case .close(let opening): return openings[opening].map { .close($0) }
        case .start(let stream):
            runs[stream] = Run(startsBeforePart: isBeforePart)
            return streams[stream].map { .start($0) }
        case .startFailed(let stream, let error):
            runs[stream] = nil
            return streams[stream].map { .startFailed($0, error) }
        case .startWhileRunningFailed(let stream, let error):
            guard runs[stream] != nil else { return nil }
            return streams[stream].map { .startWhileRunningFailed($0, error) }
        case .setFrameDuration(let stream, let duration, let result):
            return streams[stream].map { .setFrameDuration(stream: $0, duration, result) }
        case .stop(let stream): return streams[stream].map { .stop($0) }
        case .frame, .audio, .dropped, .failed, .ended:
            return applyToStreamEvent(content, shiftNanoseconds: shiftNanoseconds)
        case .host, .device, .format, .connected, .disconnected, .inUse, .open(_, .failure), .attachments, .limit, .end:
            return content
        }
    }

    private mutating func applyToStreamEvent(
        _ content: TraceEvent.Content, shiftNanoseconds: Int64
    ) -> TraceEvent.Content? {
        func shifted(_ time: CMTime) -> CMTime {
            guard shiftNanoseconds != 0, time.isNumeric else { return time }
            return max(.zero, time - CMTime(nanoseconds: shiftNanoseconds))
        }
        switch content {
        case .frame(let stream, var frame):
            frame.presentationTime = shifted(frame.presentationTime)
            frame.sequenceNumber = newSequenceNumber(frame.sequenceNumber, stream)
            return streams[stream].map { .frame(stream: $0, frame) }
        case .audio(let stream, var audio):
            audio.presentationTime = shifted(audio.presentationTime)
            audio.samplePosition = newSamplePosition(audio.samplePosition, stream)
            return streams[stream].map { .audio(stream: $0, audio) }
        case .dropped(let stream, var drop):
            drop.presentationTime = shifted(drop.presentationTime)
            drop.sequenceNumber = newSequenceNumber(drop.sequenceNumber, stream)
            return streams[stream].map { .dropped(stream: $0, drop) }
        case .failed(let stream, let error, let time):
            runs[stream] = nil
            return streams[stream].map { .failed(stream: $0, error, time: shifted(time)) }
        case .ended(let stream, let time):
            runs[stream] = nil
            return streams[stream].map { .ended(stream: $0, time: shifted(time)) }
        default: return content
        }
    }

    private mutating func newSequenceNumber(_ number: UInt64, _ stream: Int) -> UInt64 {
        guard runs[stream]?.startsBeforePart == true else { return number }
        let first = runs[stream]?.firstSequenceNumber ?? number
        runs[stream]?.firstSequenceNumber = first
        return number >= first ? number - first : 0
    }

    private mutating func newSamplePosition(_ position: Int64, _ stream: Int) -> Int64 {
        guard runs[stream]?.startsBeforePart == true else { return position }
        let first = runs[stream]?.firstSamplePosition ?? position
        runs[stream]?.firstSamplePosition = first
        return max(0, position - first)
    }
}
