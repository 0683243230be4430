public import CaptureHAL
public import Foundation
public import MediaStorage
public import MediaTypes
import PixelKernels

/// A tool that shortens a trace to a part that can still be played.
///
/// Calls before the part are kept and move to its beginning; calls after it are removed. A stream that was running when
/// the part begins delivers its first frame immediately, and its sequence numbers count from 0.
public struct TraceMinimizer: Sendable {
    /// The part of a trace that is kept.
    public enum Part: Sendable, Hashable {
        /// The half-open range of times, from the trace's beginning.
        case times(from: CMTime, to: CMTime)
        /// Everything up to the frame with this number, counted from 1. If the trace has audio only, chunks are
        /// counted.
        case frames(Int)
    }

    private let trace: Trace
    private let from: Int64
    private let to: Int64

    /// Selects a part of a trace.
    ///
    /// - Throws: `.invalidSource` if the part is empty.
    public init(_ trace: Trace, keeping part: Part) throws(DeviceError) {
        self.trace = trace
        switch part {
        case .times(let from, let to):
            self.from = from.isNumeric ? max(0, from.nanoseconds) : 0
            self.to = to.isNumeric ? to.nanoseconds : .max
            let last = trace.events.last?.time ?? 0
            guard self.from < self.to, self.from <= last else {
                throw DeviceError(
                    .invalidSource, device: trace.folder.path,
                    "no part from \(TraceLine.seconds(self.from)) to \(to.isNumeric ? to.seconds : last.seconds) s: "
                        + "the trace \(trace.folder.path) is \(TraceLine.seconds(last)) s long")
            }
        case .frames(let count):
            from = 0
            let frames = trace.events.filter { if case .frame = $0.content { true } else { false } }
            let chunks = trace.events.filter { if case .audio = $0.content { true } else { false } }
            let counted = frames.isEmpty ? chunks : frames
            guard count > 0, !counted.isEmpty else {
                throw DeviceError(
                    .invalidSource, device: trace.folder.path,
                    "the trace \(trace.folder.path) has \(counted.count) frames and cannot be cut to \(count)")
            }
            to = count <= counted.count ? counted[count - 1].time + 1 : .max
        }
    }

    /// Writes the part as a new trace.
    ///
    /// - Parameter folder: A folder without a trace. It is created if necessary.
    /// - Throws: `.invalidSource` if the folder already contains a trace or the part contains no frame and no audio,
    ///   `.notPermitted`, `.outOfResources` or `.inputOutput`.
    public func write(to folder: URL, storage: any CaptureStorage = DiskStorage()) throws(DeviceError) {
        let events = try part()
        guard events.contains(where: { $0.media != nil }) else {
            throw DeviceError(
                .invalidSource, device: trace.folder.path,
                "this part of the trace \(trace.folder.path) contains no frame and no audio; choose a longer one")
        }
        let writer = try TraceWriter(folder, storage: storage, byteLimit: .max)
        var moved: [TraceBlob: TraceBlob] = [:]
        for (event, index, blob) in events.map({ ($0.event, $0.index, $0.media) }) {
            var event = event
            do throws(StorageError) {
                if let blob {
                    if moved[blob] == nil {
                        let stored = try trace.media.data(at: blob.offset, count: blob.storedCount)
                        moved[blob] = try writer.storePacked(stored, blob)
                    }
                    if let new = moved[blob] { event.content = event.content.with(bytes: .kept(new)) }
                }
                try writer.write(event)
            } catch {
                throw DeviceError(
                    .inputOutput, device: folder.path,
                    "line \(index + 2) of the trace \(trace.folder.path) cannot be copied: \(error)")
            }
        }
        do throws(StorageError) {
            try writer.finish(at: events.last?.event.time ?? 0)
        } catch {
            throw DeviceError(trace: folder, error)
        }
    }

    // MARK: Private

    private struct Kept {
        var event: TraceEvent
        /// The index in the whole trace.
        var index: Int
        var media: TraceBlob?
    }

    /// Returns the events that are kept, with their new times and numbers.
    private func part() throws(DeviceError) -> [Kept] {
        var kept: [Kept] = []
        var renumbering = Renumbering()
        for (index, event) in trace.events.enumerated() {
            let isLate = event.time >= to
            let isEarly = event.time < from
            switch event.content {
            case .end, .limit: continue
            case .host, .device, .format, .attachments: break
            case .stop(let stream):
                guard renumbering.runs[stream] != nil else { continue }
                renumbering.runs[stream] = nil
            case .close(let opening):
                guard renumbering.openings[opening] != nil else { continue }
            case .frame, .audio, .dropped, .failed, .ended, .changed:
                if isLate || isEarly && !event.endsRun { continue }
            default:
                if isLate { continue }
            }
            guard let content = renumbering.apply(to: event.content, isEarly: isEarly, shift: from) else { continue }
            let time = min(max(event.time, from), to == .max ? .max : to) - from
            kept.append(Kept(event: TraceEvent(time: time, content: content), index: index, media: content.blob))
        }
        return kept
    }
}

extension TraceEvent {
    fileprivate var endsRun: Bool {
        switch content {
        case .failed, .ended: true
        default: false
        }
    }
}

extension TraceEvent.Content {
    fileprivate var blob: TraceBlob? {
        let bytes: TraceBytes
        switch self {
        case .frame(_, let frame): bytes = frame.bytes
        case .audio(_, let audio): bytes = audio.bytes
        default: return nil
        }
        if case .kept(let blob) = bytes { return blob }
        return nil
    }
}

/// The new numbers of the openings, streams and frames that are kept, without gaps.
private struct Renumbering {
    /// The first numbers of a run that are kept.
    struct Run {
        /// Whether the beginning of the run is removed.
        var isCut = false
        var firstNumber: UInt64?
        var firstPosition: Int64?
    }

    var openings: [Int: Int] = [:]
    var streams: [Int: Int] = [:]
    /// The current runs by the old number of their stream.
    var runs: [Int: Run] = [:]

    /// Returns the content with new numbers and times; nil if its opening, stream or run is removed.
    mutating func apply(to content: TraceEvent.Content, isEarly: Bool, shift: Int64) -> TraceEvent.Content? {
        switch content {
        case .open(let device, .success(let opening)):
            openings[opening] = openings.count
            return openings[opening].map { .open(device: device, .success($0)) }
        case .control(let opening, let control, let range, let value):
            return openings[opening].map { .control(open: $0, control, range, value) }
        case .value(let opening, let control, let answer):
            return openings[opening].map { .value(open: $0, control, answer) }
        case .set(let opening, let control, let value, let answer):
            return openings[opening].map { .set(open: $0, control, value, answer) }
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
            runs[stream] = Run(isCut: isEarly && shift > 0)
            return streams[stream].map { .start($0) }
        case .refused(let stream, let error):
            runs[stream] = nil
            return streams[stream].map { .refused($0, error) }
        case .refusedWhileRunning(let stream, let error):
            guard runs[stream] != nil else { return nil }
            return streams[stream].map { .refusedWhileRunning($0, error) }
        case .setFrameDuration(let stream, let duration, let answer):
            return streams[stream].map { .setFrameDuration(stream: $0, duration, answer) }
        case .stop(let stream): return streams[stream].map { .stop($0) }
        case .frame, .audio, .dropped, .failed, .ended: return applyToStreamEvent(content, shift: shift)
        case .host, .device, .format, .connected, .disconnected, .inUse, .open(_, .failure), .attachments, .limit, .end:
            return content
        }
    }

    private mutating func applyToStreamEvent(_ content: TraceEvent.Content, shift: Int64) -> TraceEvent.Content? {
        func shifted(_ time: CMTime) -> CMTime {
            guard shift != 0, time.isNumeric else { return time }
            return max(.zero, time - CMTime(nanoseconds: shift))
        }
        switch content {
        case .frame(let stream, var frame):
            frame.presentationTime = shifted(frame.presentationTime)
            frame.sequenceNumber = count(frame.sequenceNumber, stream)
            return streams[stream].map { .frame(stream: $0, frame) }
        case .audio(let stream, var audio):
            audio.presentationTime = shifted(audio.presentationTime)
            audio.samplePosition = position(audio.samplePosition, stream)
            return streams[stream].map { .audio(stream: $0, audio) }
        case .dropped(let stream, var drop):
            drop.presentationTime = shifted(drop.presentationTime)
            drop.sequenceNumber = count(drop.sequenceNumber, stream)
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

    private mutating func count(_ number: UInt64, _ stream: Int) -> UInt64 {
        guard runs[stream]?.isCut == true else { return number }
        let first = runs[stream]?.firstNumber ?? number
        runs[stream]?.firstNumber = first
        return number >= first ? number - first : 0
    }

    private mutating func position(_ position: Int64, _ stream: Int) -> Int64 {
        guard runs[stream]?.isCut == true else { return position }
        let first = runs[stream]?.firstPosition ?? position
        runs[stream]?.firstPosition = first
        return max(0, position - first)
    }
}

extension Int64 {
    /// Nanoseconds in seconds.
    fileprivate var seconds: Double { Double(self) / 1e9 }
}
