import CaptureHAL
import Foundation
import MediaTypes

/// A parser of an index that checks each line against the preceding ones.
struct TraceReader {
    /// The size of the media file in bytes.
    let mediaByteCount: Int64
    private var lastTime: Int64 = 0
    private var hasEnded = false
    /// Whether only the initial devices have been listed so far.
    private var isBeginning = true
    /// The device for which formats must follow.
    private var deviceAwaitingFormats: Int?

    init(mediaByteCount: Int64) { self.mediaByteCount = mediaByteCount }

    /// Parses a line and adds it to the trace.
    ///
    /// - Parameter isIncomplete: Whether the line does not end with a newline.
    mutating func read(
        _ bytes: Data.SubSequence, number: Int, isIncomplete: Bool, _ trace: inout Trace
    ) throws(TraceSyntaxError) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw TraceSyntaxError("it is not UTF-8") }
        guard number > 1 else { return try Self.checkFirst(text) }
        if isIncomplete { throw TraceSyntaxError("it does not end with a newline") }
        guard !hasEnded else { throw TraceSyntaxError("there is another line after the end") }
        let event = try TraceEvent(TraceLine(text: text))
        guard event.time >= lastTime else {
            throw TraceSyntaxError(
                "the time \(TraceLine.seconds(event.time)) is earlier than "
                    + "\(TraceLine.seconds(lastTime)) of the line above"
            )
        }
        try add(event, at: trace.events.count, &trace)
        lastTime = event.time
        trace.events.append(event)
    }

    private static func checkFirst(_ text: String) throws(TraceSyntaxError) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.first.map(String.init) == TraceFolder.firstWord, words.count == 2, let version = Int(words[1])
        else {
            throw TraceSyntaxError("a trace must begin with \"\(TraceFolder.firstLine)\"")
        }
        guard version == TraceFolder.version else {
            throw TraceSyntaxError(
                "this is version \(version) of the format, but this program reads version \(TraceFolder.version)")
        }
    }

    private mutating func add(_ event: TraceEvent, at index: Int, _ trace: inout Trace) throws(TraceSyntaxError) {
        if let device = deviceAwaitingFormats {
            guard case .format(device, _, _) = event.content else {
                throw TraceSyntaxError("the formats of d\(device) are incomplete")
            }
        }
        switch event.content {
        case .host(let name):
            guard index == 0 else { throw TraceSyntaxError("only the second line may name the host") }
            trace.hostName = name
            return
        case _ where index == 0: throw TraceSyntaxError("the second line must name the host")
        case .device(let device, let descriptor, let formatCount):
            try requireNext(device, trace.devices.count, "d")
            trace.devices.append(.init(descriptor: descriptor, formatCount: formatCount, isInitial: isBeginning))
            deviceAwaitingFormats = formatCount > 0 ? device : nil
        case .format(let device, let number, let format):
            try requireDefined(device, trace.devices.count, "d")
            guard number == trace.devices[device].formats.count else {
                throw TraceSyntaxError("format \(number) of d\(device) is out of order")
            }
            trace.devices[device].formats.append(format)
            deviceAwaitingFormats = number + 1 < trace.devices[device].formatCount ? device : nil
        case .connected(let device), .disconnected(let device):
            try requireDefined(device, trace.devices.count, "d")
            isBeginning = false
        case .inUse(let device, let answer):
            try requireDefined(device, trace.devices.count, "d")
            trace.devices[device].inUseAnswers.append(answer)
            isBeginning = false
        case .open(let device, let result):
            try requireDefined(device, trace.devices.count, "d")
            if case .success(let opening) = result {
                try requireNext(opening, trace.openings.count, "o")
                trace.openings.append(.init(device: device))
            }
            trace.devices[device].openings.append(result)
            isBeginning = false
        case .control, .value, .set, .changed, .stream, .close: try addToOpening(event, &trace)
        case .start, .startFailed, .startWhileRunningFailed, .setFrameDuration, .stop, .frame, .audio, .dropped,
            .failed, .ended:
            try addToStream(event, at: index, &trace)
        case .attachments(let number, let attachments):
            try requireNext(number, trace.attachments.count, "a")
            trace.attachments.append(attachments)
        case .limit: break
        case .end: hasEnded = true
        }
    }

    private func addToOpening(_ event: TraceEvent, _ trace: inout Trace) throws(TraceSyntaxError) {
        switch event.content {
        case .control(let opening, let control, let range, let value):
            try requireDefined(opening, trace.openings.count, "o")
            if trace.openings[opening].controls.updateValue(range, forKey: control) == nil {
                trace.openings[opening].initialValues[control] = value
            }
        case .value(let opening, let control, let result):
            try requireDefined(opening, trace.openings.count, "o")
            trace.openings[opening].calls[control, default: []].append(.value(result))
        case .set(let opening, let control, let value, let result):
            try requireDefined(opening, trace.openings.count, "o")
            trace.openings[opening].calls[control, default: []].append(.set(value, result))
        case .changed(let opening, _, _): try requireDefined(opening, trace.openings.count, "o")
        case .stream(let opening, let configuration, let result):
            try requireDefined(opening, trace.openings.count, "o")
            try requireDefined(
                configuration.format, trace.devices[trace.openings[opening].device].formats.count, "format ")
            if case .success(let stream) = result {
                try requireNext(stream, trace.streams.count, "s")
                trace.streams.append(.init(opening: opening, configuration: configuration))
            }
            trace.openings[opening].streams.append((configuration, result))
        case .close(let opening):
            try requireDefined(opening, trace.openings.count, "o")
            for index in trace.streams.indices where trace.streams[index].opening == opening {
                trace.streams[index].endRun(at: event.time)
            }
        default: break
        }
    }

    private func addToStream(_ event: TraceEvent, at index: Int, _ trace: inout Trace) throws(TraceSyntaxError) {
        func add(to stream: Int) throws(TraceSyntaxError) {
            try requireDefined(stream, trace.streams.count, "s")
            guard let last = trace.streams[stream].runs.indices.last, !trace.streams[stream].runs[last].isOver else {
                throw TraceSyntaxError("s\(stream) delivers an event although it is not running")
            }
            trace.streams[stream].runs[last].events.append(index)
        }
        switch event.content {
        case .start(let stream):
            try requireDefined(stream, trace.streams.count, "s")
            trace.streams[stream].runs.append(.init(startIndex: index))
        case .startFailed(let stream, let error):
            try requireDefined(stream, trace.streams.count, "s")
            guard let last = trace.streams[stream].runs.indices.last else {
                throw TraceSyntaxError("s\(stream) was refused although it was not started")
            }
            trace.streams[stream].runs[last].startError = error
            trace.streams[stream].runs[last].isOver = true
        case .startWhileRunningFailed(let stream, let error):
            try requireDefined(stream, trace.streams.count, "s")
            guard let last = trace.streams[stream].runs.indices.last, !trace.streams[stream].runs[last].isOver else {
                throw TraceSyntaxError("s\(stream) was started again although it is not running")
            }
            trace.streams[stream].runs[last].errorsWhileRunning.append(error)
        case .setFrameDuration(let stream, let duration, let result):
            try requireDefined(stream, trace.streams.count, "s")
            trace.streams[stream].durationChanges.append((duration, result))
        case .stop(let stream):
            try requireDefined(stream, trace.streams.count, "s")
            trace.streams[stream].endRun(at: event.time)
        case .frame(let stream, let frame):
            try add(to: stream)
            if let number = frame.attachmentsNumber { try requireDefined(number, trace.attachments.count, "a") }
            try check(frame.bytes, count: frame.byteCount)
        case .audio(let stream, let audio):
            try add(to: stream)
            try check(audio.bytes, count: audio.byteCount)
        case .dropped(let stream, _): try add(to: stream)
        case .failed(let stream, _, _), .ended(let stream, _):
            try add(to: stream)
            trace.streams[stream].endRun(at: nil)
        default: break
        }
    }

    private func check(_ bytes: TraceBytes, count: Int?) throws(TraceSyntaxError) {
        guard case .recorded(let blob) = bytes else { return }
        guard blob.end <= mediaByteCount else {
            throw TraceSyntaxError("its bytes end at \(blob.end), but \(TraceFolder.media) has \(mediaByteCount) bytes")
        }
        if let count, blob.count != count {
            throw TraceSyntaxError("it has \(blob.count) bytes, but its format requires \(count)")
        }
    }

    private func requireDefined(_ number: Int, _ count: Int, _ prefix: String) throws(TraceSyntaxError) {
        guard (0..<count).contains(number) else {
            throw TraceSyntaxError("\(prefix)\(number) is not defined by an earlier line")
        }
    }

    private func requireNext(_ number: Int, _ next: Int, _ prefix: String) throws(TraceSyntaxError) {
        guard number == next else { throw TraceSyntaxError("found \(prefix)\(number), expected \(prefix)\(next)") }
    }
}

extension Trace.Stream {
    /// Ends the current run. It has no effect if the run has already ended.
    ///
    /// - Parameter stopTime: The time of the client's stop, in nanoseconds; nil if the stream failed or ended.
    mutating func endRun(at stopTime: Int64?) {
        guard let last = runs.indices.last, !runs[last].isOver else { return }
        runs[last].isOver = true
        runs[last].stopTime = stopTime
    }
}

extension TraceFrame {
    /// The rows of the image's planes and of the depth map; empty if the frame is compressed.
    var rows: [TracePacking.Rows] {
        guard case .pixels(let code, let size) = shape else { return [] }
        return Self.rows(code, size) + depthRows
    }

    /// The number of bytes of the depth map, which are the last ones of the frame.
    var depthByteCount: Int { depthRows.reduce(0) { $0 + $1.byteCount * $1.count } }

    private var depthRows: [TracePacking.Rows] {
        if case .map(let code, let size, _, _)? = depth { Self.rows(code, size) } else { [] }
    }

    private static func rows(_ code: OSType, _ size: CMVideoDimensions) -> [TracePacking.Rows] {
        guard let format = PixelFormat.format(of: code) else { return [] }
        return format.packedRows(width: Int(size.width), height: Int(size.height))
    }

    /// The byte count that follows from the format; nil if the frame is compressed.
    var byteCount: Int? {
        if case .compressed = shape { return nil }
        return rows.reduce(0) { $0 + $1.byteCount * $1.count }
    }
}

extension TraceAudio {
    /// The byte count that follows from the format; -1, which matches no chunk, on overflow.
    var byteCount: Int {
        let (count, overflow) = frameCount.multipliedReportingOverflow(by: format.bytesPerFrame)
        return overflow ? -1 : count
    }
}
