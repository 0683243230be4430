import CaptureHAL
import Foundation
import MediaTypes

/// A summary of a trace's content. `obscura trace show --json` prints it as JSON.
public struct TraceSummary: Sendable, Encodable {
    /// A device of the trace with its streams.
    public struct Device: Sendable, Encodable {
        public var id: String
        public var name: String
        public var kind: String
        public var openings: Int
        public var streams: [Stream]
    }

    /// A stream, and how many events of each kind it has.
    public struct Stream: Sendable, Encodable {
        /// Size, pixel format and frame duration, such as `1280x720 420v every 1/30 s`.
        public var format: String
        public var starts: Int
        public var frames: Int
        public var chunks: Int
        public var dropped: Int
        /// `ended`, or the reason why the stream failed; nil if the client stopped it.
        public var end: String?
    }

    public var folder: String
    /// The name of the recorded hardware host, such as `sim`.
    public var host: String
    /// The trace's duration in seconds.
    public var duration: Double
    public var events: Int
    /// The number of bytes of media in the folder.
    public var mediaBytes: Int64
    /// The number of uncompressed bytes of all frames and audio chunks. Equal media are counted each time, although the
    /// trace stores them once.
    public var unpackedBytes: Int64
    /// The number of frames and chunks that were recorded without their bytes.
    public var withoutBytes: Int
    public var devices: [Device]
    public var warnings: [String]

    /// Creates the summary of a trace.
    public init(_ trace: Trace) {
        folder = trace.folder.path
        host = trace.hostName
        duration = Double(trace.events.last?.time ?? 0) / 1e9
        events = trace.events.count
        warnings = trace.warnings
        var blobs: Set<TraceBlob> = []
        var streams = trace.streams.map { stream in
            let opening = trace.openings[stream.opening]
            let format = trace.devices[opening.device].formats[stream.configuration.format]
            return Stream(
                format: stream.configuration.summary(format), starts: stream.runs.count, frames: 0, chunks: 0,
                dropped: 0)
        }
        (unpackedBytes, withoutBytes) = (0, 0)
        for event in trace.events {
            var bytes: TraceBytes?
            switch event.content {
            case .frame(let stream, let frame):
                if frame.still == nil { streams[stream].frames += 1 }
                bytes = frame.bytes
            case .audio(let stream, let audio):
                streams[stream].chunks += 1
                bytes = audio.bytes
            case .dropped(let stream, _): streams[stream].dropped += 1
            case .failed(let stream, let error, _): streams[stream].end = "failed: \(error.message)"
            case .ended(let stream, _): streams[stream].end = "ended"
            default: break
            }
            switch bytes {
            case .recorded(let blob):
                unpackedBytes += Int64(blob.count)
                blobs.insert(blob)
            case .overLimit, .tooFast: withoutBytes += 1
            case nil: break
            }
        }
        mediaBytes = blobs.reduce(0) { $0 + Int64($1.storedCount) }
        devices = trace.devices.enumerated().map { number, device in
            Device(
                id: device.descriptor.uniqueID, name: device.descriptor.localizedName,
                kind: device.descriptor.kind.rawValue, openings: device.openings.count,
                streams: trace.streams.indices
                    .filter { trace.openings[trace.streams[$0].opening].device == number }.map { streams[$0] })
        }
    }
}

extension Trace {
    /// The lines of the trace's index file after its first line.
    public var lines: [String] { events.map(\.line.text) }
}
