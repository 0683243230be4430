public import CaptureHAL
public import Foundation
public import MediaStorage
public import MediaTypes
import PixelKernels

/// Cuts a trace down to a part that still plays.
///
/// The calls stay, save those that came after the part; those before it move to its beginning. Streams that were running
/// when the part begins deliver its first frame at once, counted from 0 as after any start.
public struct TraceMinimizer: Sendable {
    /// The part that stays.
    public enum Part: Sendable, Hashable {
        /// What came at these times from the trace's beginning, the end left out.
        case times(from: CMTime, to: CMTime)
        /// So many pictures (of sound alone: chunks) from the beginning, and all that came until the last of them.
        case frames(Int)
    }

    private let trace: Trace
    private let from: Int64
    private let to: Int64

    /// - Throws: `.invalidSource` where the trace has nothing in that part.
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
                    "there is nothing from \(TraceLine.seconds(self.from)) to \(to.isNumeric ? to.seconds : last.seconds) s: "
                        + "the trace \(trace.folder.path) is \(TraceLine.seconds(last)) s long")
            }
        case .frames(let count):
            from = 0
            let frames = trace.events.filter { if case .frame = $0.content { true } else { false } }
            let chunks = trace.events.filter { if case .sound = $0.content { true } else { false } }
            let counted = frames.isEmpty ? chunks : frames
            guard count > 0, !counted.isEmpty else {
                throw DeviceError(
                    .invalidSource, device: trace.folder.path,
                    "the trace \(trace.folder.path) has \(counted.count) frames, so it cannot be cut to \(count)")
            }
            to = count <= counted.count ? counted[count - 1].time + 1 : .max
        }
    }

    /// Writes the part as a trace of its own.
    ///
    /// - Parameter folder: A folder without a trace; made where it is missing.
    /// - Throws: `.invalidSource` where the folder holds a trace, or the part no picture and no sound; `.notPermitted`,
    ///   `.outOfResources` or `.inputOutput`.
    public func write(to folder: URL, storage: any CaptureStorage = DiskStorage()) throws(DeviceError) {
        let events = try part()
        guard events.contains(where: { $0.media != nil }) else {
            throw DeviceError(
                .invalidSource, device: trace.folder.path,
                "that part of the trace \(trace.folder.path) holds no picture and no sound; take a longer one")
        }
        let writer = try TraceWriter(folder, storage: storage, byteLimit: .max)
        var moved: [TraceBlob: TraceBlob] = [:]
        for (event, place, blob) in events.map({ ($0.event, $0.place, $0.media) }) {
            var event = event
            do throws(StorageError) {
                if let blob {
                    if moved[blob] == nil {
                        let stored = try trace.media.data(at: blob.offset, count: blob.storedCount)
                        moved[blob] = try writer.store(stored, blob)
                    }
                    if let new = moved[blob] { event.content = event.content.with(bytes: .kept(new)) }
                }
                try writer.write(event)
            } catch {
                throw DeviceError(
                    .inputOutput, device: folder.path, "event \(place + 2) of the trace cannot be kept: \(error)")
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
        /// The place in the whole trace.
        var place: Int
        var media: TraceBlob?
    }

    /// What stays, at its new times, with its numbers in the order of the new lines.
    private func part() throws(DeviceError) -> [Kept] {
        var kept: [Kept] = []
        var renumbering = Renumbering()
        for (place, event) in trace.events.enumerated() {
            let isLate = event.time >= to
            let isEarly = event.time < from
            switch event.content {
            case .end, .limit: continue
            case .host, .device, .format, .look: break
            case .stop(let stream):
                guard renumbering.runs[stream] != nil else { continue }
                renumbering.runs[stream] = nil
            case .close(let opening):
                guard renumbering.openings[opening] != nil else { continue }
            case .frame, .sound, .dropped, .failed, .ended, .changed:
                if isLate || isEarly && !event.endsRun { continue }
            default:
                if isLate { continue }
            }
            guard let content = renumbering.take(event.content, isEarly: isEarly, shift: from) else { continue }
            let time = min(max(event.time, from), to == .max ? .max : to) - from
            kept.append(Kept(event: TraceEvent(time: time, content: content), place: place, media: content.blob))
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
        case .sound(_, let sound): bytes = sound.bytes
        default: return nil
        }
        if case .kept(let blob) = bytes { return blob }
        return nil
    }
}

/// Numbers without gaps, and counts from 0, for what is left of a trace.
private struct Renumbering {
    /// What a run counts from.
    struct Run {
        /// Whether a part of it was cut off.
        var isCut = false
        var firstNumber: UInt64?
        var firstPosition: Int64?
    }

    var openings: [Int: Int] = [:]
    var streams: [Int: Int] = [:]
    /// The runs under way, by the old number of their stream.
    var runs: [Int: Run] = [:]

    /// The same content with new numbers and times; nil where what it is about was left out.
    mutating func take(_ content: TraceEvent.Content, isEarly: Bool, shift: Int64) -> TraceEvent.Content? {
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
        case .again(let stream, let error):
            guard runs[stream] != nil else { return nil }
            return streams[stream].map { .again($0, error) }
        case .rate(let stream, let duration, let answer):
            return streams[stream].map { .rate(stream: $0, duration, answer) }
        case .stop(let stream): return streams[stream].map { .stop($0) }
        case .frame, .sound, .dropped, .failed, .ended: return takeEvent(content, shift: shift)
        case .host, .device, .format, .connected, .disconnected, .inUse, .open(_, .failure), .look, .limit, .end:
            return content
        }
    }

    private mutating func takeEvent(_ content: TraceEvent.Content, shift: Int64) -> TraceEvent.Content? {
        func own(_ time: CMTime) -> CMTime {
            guard shift != 0, time.isNumeric else { return time }
            let moved = time - CMTime(nanoseconds: shift)
            return moved < .zero ? .zero : moved
        }
        switch content {
        case .frame(let stream, var frame):
            frame.presentationTime = own(frame.presentationTime)
            frame.sequenceNumber = count(frame.sequenceNumber, stream)
            return streams[stream].map { .frame(stream: $0, frame) }
        case .sound(let stream, var sound):
            sound.presentationTime = own(sound.presentationTime)
            sound.samplePosition = position(sound.samplePosition, stream)
            return streams[stream].map { .sound(stream: $0, sound) }
        case .dropped(let stream, var drop):
            drop.presentationTime = own(drop.presentationTime)
            drop.sequenceNumber = count(drop.sequenceNumber, stream)
            return streams[stream].map { .dropped(stream: $0, drop) }
        case .failed(let stream, let error, let time):
            runs[stream] = nil
            return streams[stream].map { .failed(stream: $0, error, time: own(time)) }
        case .ended(let stream, let time):
            runs[stream] = nil
            return streams[stream].map { .ended(stream: $0, time: own(time)) }
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
    /// Nanoseconds as seconds, for a message.
    fileprivate var seconds: Double { Double(self) / 1e9 }
}
