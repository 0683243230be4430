import CaptureHAL
import Foundation
import MediaTypes

/// Takes the lines of an index in, and sees that each fits those before it.
struct TraceReader {
    let mediaCount: Int64
    private var lastTime: Int64 = 0
    private var hasEnded = false
    /// While the first devices are listed.
    private var isBeginning = true
    /// Devices whose formats are still to come.
    private var openFormats: Int?

    init(mediaCount: Int64) { self.mediaCount = mediaCount }

    /// - Parameter isTorn: Whether the line lacks its end.
    mutating func read(
        _ bytes: Data.SubSequence, number: Int, isTorn: Bool, _ trace: inout Trace
    ) throws(TraceComplaint) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw TraceComplaint("it is not UTF-8") }
        guard number > 1 else { return try Self.checkFirst(text) }
        if isTorn { throw TraceComplaint("it has no end") }
        guard !hasEnded else { throw TraceComplaint("something stands behind the end") }
        let event = try TraceEvent(TraceLine(text: text))
        guard event.time >= lastTime else {
            throw TraceComplaint(
                "the time \(TraceLine.seconds(event.time)) lies before \(TraceLine.seconds(lastTime)) of the line above"
            )
        }
        try take(event, at: trace.events.count, &trace)
        lastTime = event.time
        trace.events.append(event)
    }

    private static func checkFirst(_ text: String) throws(TraceComplaint) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.first.map(String.init) == TraceFolder.firstWord, words.count == 2, let version = Int(words[1])
        else {
            throw TraceComplaint("a trace begins with \"\(TraceFolder.firstLine)\"")
        }
        guard version == TraceFolder.version else {
            throw TraceComplaint(
                "this is version \(version) of the format; this program reads version \(TraceFolder.version)")
        }
    }

    private mutating func take(_ event: TraceEvent, at index: Int, _ trace: inout Trace) throws(TraceComplaint) {
        if let device = openFormats {
            guard case .format(device, _, _) = event.content else {
                throw TraceComplaint("the formats of d\(device) are not all there")
            }
        }
        switch event.content {
        case .host(let name):
            guard index == 0 else { throw TraceComplaint("the host stands on the second line alone") }
            trace.hostName = name
            return
        case _ where index == 0: throw TraceComplaint("the second line names the host")
        case .device(let device, let descriptor, let formatCount):
            try expect(device, trace.devices.count, "d")
            trace.devices.append(.init(descriptor: descriptor, formatCount: formatCount, isInitial: isBeginning))
            openFormats = formatCount > 0 ? device : nil
        case .format(let device, let number, let format):
            try known(device, trace.devices.count, "d")
            guard number == trace.devices[device].formats.count else {
                throw TraceComplaint("format \(number) of d\(device) comes out of turn")
            }
            trace.devices[device].formats.append(format)
            openFormats = number + 1 < trace.devices[device].formatCount ? device : nil
        case .connected(let device), .disconnected(let device):
            try known(device, trace.devices.count, "d")
            isBeginning = false
        case .inUse(let device, let answer):
            try known(device, trace.devices.count, "d")
            trace.devices[device].inUseAnswers.append(answer)
            isBeginning = false
        case .open(let device, let answer):
            try known(device, trace.devices.count, "d")
            if case .success(let opening) = answer {
                try expect(opening, trace.openings.count, "o")
                trace.openings.append(.init(device: device))
            }
            trace.devices[device].openings.append(answer)
            isBeginning = false
        case .control, .value, .set, .changed, .stream, .close: try takeOpening(event, &trace)
        case .start, .refused, .again, .rate, .stop, .frame, .sound, .dropped, .failed, .ended:
            try takeStream(event, at: index, &trace)
        case .look(let number, let attachments):
            try expect(number, trace.looks.count, "a")
            trace.looks.append(attachments)
        case .limit: break
        case .end: hasEnded = true
        }
    }

    private func takeOpening(_ event: TraceEvent, _ trace: inout Trace) throws(TraceComplaint) {
        switch event.content {
        case .control(let opening, let control, let range, let value):
            try known(opening, trace.openings.count, "o")
            if trace.openings[opening].controls.updateValue(range, forKey: control) == nil {
                trace.openings[opening].initialValues[control] = value
            }
        case .value(let opening, let control, let answer):
            try known(opening, trace.openings.count, "o")
            trace.openings[opening].calls[control, default: []].append(.value(answer))
        case .set(let opening, let control, let value, let answer):
            try known(opening, trace.openings.count, "o")
            trace.openings[opening].calls[control, default: []].append(.set(value, answer))
        case .changed(let opening, _, _): try known(opening, trace.openings.count, "o")
        case .stream(let opening, let configuration, let answer):
            try known(opening, trace.openings.count, "o")
            try known(
                configuration.format, trace.devices[trace.openings[opening].device].formats.count, "format ")
            if case .success(let stream) = answer {
                try expect(stream, trace.streams.count, "s")
                trace.streams.append(.init(opening: opening, configuration: configuration))
            }
            trace.openings[opening].streams.append((configuration, answer))
        case .close(let opening):
            try known(opening, trace.openings.count, "o")
            for index in trace.streams.indices where trace.streams[index].opening == opening {
                trace.streams[index].endRun(at: event.time)
            }
        default: break
        }
    }

    private func takeStream(_ event: TraceEvent, at index: Int, _ trace: inout Trace) throws(TraceComplaint) {
        func add(to stream: Int) throws(TraceComplaint) {
            try known(stream, trace.streams.count, "s")
            guard let last = trace.streams[stream].runs.indices.last, !trace.streams[stream].runs[last].isOver else {
                throw TraceComplaint("s\(stream) delivers something though it does not run")
            }
            trace.streams[stream].runs[last].events.append(index)
        }
        switch event.content {
        case .start(let stream):
            try known(stream, trace.streams.count, "s")
            trace.streams[stream].runs.append(.init(anchor: index))
        case .refused(let stream, let error):
            try known(stream, trace.streams.count, "s")
            guard let last = trace.streams[stream].runs.indices.last else {
                throw TraceComplaint("s\(stream) was refused though it was not started")
            }
            trace.streams[stream].runs[last].refusal = error
            trace.streams[stream].runs[last].isOver = true
        case .again(let stream, let error):
            try known(stream, trace.streams.count, "s")
            guard let last = trace.streams[stream].runs.indices.last, !trace.streams[stream].runs[last].isOver else {
                throw TraceComplaint("s\(stream) was started again though it does not run")
            }
            trace.streams[stream].runs[last].refusalsWhileRunning.append(error)
        case .rate(let stream, let duration, let answer):
            try known(stream, trace.streams.count, "s")
            trace.streams[stream].rates.append((duration, answer))
        case .stop(let stream):
            try known(stream, trace.streams.count, "s")
            trace.streams[stream].endRun(at: event.time)
        case .frame(let stream, let frame):
            try add(to: stream)
            if let look = frame.look { try known(look, trace.looks.count, "a") }
            try check(frame.bytes, count: frame.byteCount)
        case .sound(let stream, let sound):
            try add(to: stream)
            try check(sound.bytes, count: sound.byteCount)
        case .dropped(let stream, _): try add(to: stream)
        case .failed(let stream, _, _), .ended(let stream, _):
            try add(to: stream)
            trace.streams[stream].endRun(at: nil)
        default: break
        }
    }

    private func check(_ bytes: TraceBytes, count: Int?) throws(TraceComplaint) {
        guard case .kept(let blob) = bytes else { return }
        guard blob.end <= mediaCount else {
            throw TraceComplaint("its bytes end at \(blob.end), but \(TraceFolder.media) has \(mediaCount)")
        }
        if let count, blob.count != count {
            throw TraceComplaint("it has \(blob.count) bytes where its format makes \(count)")
        }
    }

    private func known(_ number: Int, _ count: Int, _ prefix: String) throws(TraceComplaint) {
        guard (0..<count).contains(number) else {
            throw TraceComplaint("\(prefix)\(number) is not introduced by a line above")
        }
    }

    private func expect(_ number: Int, _ next: Int, _ prefix: String) throws(TraceComplaint) {
        guard number == next else { throw TraceComplaint("\(prefix)\(number) comes where \(prefix)\(next) is next") }
    }
}

extension Trace.Stream {
    /// Notes that nothing comes any more; does nothing where that is so already.
    mutating func endRun(at stopTime: Int64?) {
        guard let last = runs.indices.last, !runs[last].isOver else { return }
        runs[last].isOver = true
        runs[last].stopTime = stopTime
    }
}

extension TraceFrame {
    /// The rows of its planes and of its depth map; empty where it is compressed.
    var rows: [TracePacking.Rows] {
        guard case .pixels(let code, let size) = shape else { return [] }
        return Self.rows(code, size) + depthRows
    }

    /// How many of its bytes, the last ones, are those of its depth map.
    var depthByteCount: Int { depthRows.reduce(0) { $0 + $1.byteCount * $1.count } }

    private var depthRows: [TracePacking.Rows] {
        if case .map(let code, let size, _, _)? = depth { Self.rows(code, size) } else { [] }
    }

    private static func rows(_ code: OSType, _ size: CMVideoDimensions) -> [TracePacking.Rows] {
        guard let format = PixelFormat.format(of: code) else { return [] }
        return format.packedRows(width: Int(size.width), height: Int(size.height))
    }

    /// The bytes that its format makes; nil where it is compressed.
    var byteCount: Int? {
        if case .compressed = shape { return nil }
        return rows.reduce(0) { $0 + $1.byteCount * $1.count }
    }
}

extension TraceSound {
    /// The bytes that its format makes; -1, which no piece of media has, where that is beyond all measure.
    var byteCount: Int {
        let (count, overflow) = frameCount.multipliedReportingOverflow(by: format.bytesPerFrame)
        return overflow ? -1 : count
    }
}
