public import CaptureHAL
public import Foundation
public import MediaStorage
import MediaTypes

/// A trace as it was read: what happened, in order, and how it hangs together.
public struct Trace: Sendable {
    /// A device by its number.
    struct Device: Sendable {
        var descriptor: DeviceDescriptor
        var formatCount: Int
        /// Those that clients asked for stand behind the device's own.
        var formats: [StreamFormat] = []
        /// What came of each opening.
        var openings: [TraceAnswer<Int>] = []
        var inUseAnswers: [Bool] = []
        /// Whether it was there from the beginning.
        var isInitial: Bool
    }

    /// A time for which a device was open.
    struct Opening: Sendable {
        /// A question or a request about one control, in their order.
        enum Call: Sendable {
            case value(TraceAnswer<ControlValue>)
            case set(ControlValue, TraceAnswer<Void>)
        }

        var device: Int
        var controls: [DeviceControl: ControlRange] = [:]
        var initialValues: [DeviceControl: ControlValue] = [:]
        var calls: [DeviceControl: [Call]] = [:]
        var streams: [(configuration: TraceConfiguration, answer: TraceAnswer<Int>)] = []
    }

    struct Stream: Sendable {
        var opening: Int
        var configuration: TraceConfiguration
        var runs: [Run] = []
        var rates: [(duration: CMTime, answer: TraceAnswer<Void>)] = []
    }

    /// From a start of a stream to its stop or end.
    struct Run: Sendable {
        /// The place of the start among the events.
        var anchor: Int
        var refusal: DeviceError?
        /// What came of attempts to start it while it ran.
        var refusalsWhileRunning: [DeviceError] = []
        /// The places of what the stream delivered.
        var events: [Int] = []
        /// When the client stopped it; nil where it ended by itself, or the trace breaks off.
        var stopTime: Int64?
        var isOver = false
    }

    /// The trace's folder.
    public let folder: URL
    /// What is not as it should be, yet does not keep the trace from being used: a sentence each.
    public internal(set) var warnings: [String] = []
    var hostName = ""
    var events: [TraceEvent] = []
    var devices: [Device] = []
    var openings: [Opening] = []
    var streams: [Stream] = []
    var looks: [TraceAttachments] = []
    /// What happens to devices and controls by itself, by the start or opening behind which it came; -1 is the beginning.
    var consequences: [Int: [Int]] = [:]
    let media: any StorageFile

    /// Reads a trace.
    ///
    /// A last line that is torn, as a crash leaves it, is left out, with a warning.
    /// - Throws: `.invalidSource` with file and line for what is no trace, `.notPermitted` or `.inputOutput`.
    public init(folder: URL, storage: any CaptureStorage = DiskStorage()) throws(DeviceError) {
        self.folder = folder
        let data: Data
        let mediaCount: Int64
        do throws(StorageError) {
            let index = try storage.open(folder.appendingPathComponent(TraceFolder.index), for: .reading)
            data = try index.data(at: 0, count: Int(clamping: try index.byteCount()))
            media = try storage.open(folder.appendingPathComponent(TraceFolder.media), for: .reading)
            mediaCount = try media.byteCount()
        } catch {
            throw DeviceError(trace: folder, error)
        }
        let path = folder.appendingPathComponent(TraceFolder.index).path
        var reader = TraceReader(mediaCount: mediaCount)
        var number = 0
        var rest = data[...]
        while !rest.isEmpty {
            number += 1
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            let bytes = rest[rest.startIndex..<(end ?? rest.endIndex)]
            rest = end.map { rest[($0 + 1)...] } ?? rest[rest.endIndex...]
            do throws(TraceComplaint) {
                try reader.read(bytes, number: number, isTorn: end == nil, &self)
            } catch {
                guard rest.isEmpty, number > 1 else {
                    throw DeviceError(.invalidSource, device: folder.path, "\(path):\(number): \(error.text)")
                }
                warnings.append("\(path):\(number): the last line is torn and was left out: \(error.text)")
            }
        }
        guard number > 0 else {
            throw DeviceError(.invalidSource, device: folder.path, "\(path):1: the file is empty and so is no trace")
        }
        if case .end = events.last?.content {
        } else {
            warnings.append("\(path): the trace was not finished; it holds what came before it broke off")
        }
        linkConsequences()
    }

    /// The bytes of a picture or a chunk of sound.
    func bytes(_ blob: TraceBlob, rows: [TracePacking.Rows], event: Int) throws(DeviceError) -> Data {
        let place = "\(folder.appendingPathComponent(TraceFolder.index).path):\(event + 2)"
        let stored: Data
        do throws(StorageError) {
            stored = try media.data(at: blob.offset, count: blob.storedCount)
        } catch {
            throw DeviceError(.inputOutput, device: folder.path, "\(place): \(error.description)")
        }
        guard stored.count == blob.storedCount, let bytes = TracePacking.unpack(stored, blob, rows: rows) else {
            throw DeviceError(
                .inputOutput, device: folder.path,
                "\(place): the \(blob.storedCount) bytes at \(blob.offset) of \(TraceFolder.media) are damaged")
        }
        return bytes
    }

    /// Hangs what devices and controls do by themselves onto the call that came last before it.
    private mutating func linkConsequences() {
        // What was refused started nothing, and when it is refused again nothing is set going.
        let refused = Set(streams.flatMap(\.runs).filter { $0.refusal != nil }.map(\.anchor))
        var lastStart = -1
        var lastOfOpening = [Int](repeating: -1, count: openings.count)
        for (index, event) in events.enumerated() {
            switch event.content {
            case .start(let stream) where !refused.contains(index):
                lastStart = index
                lastOfOpening[streams[stream].opening] = index
            case .open(_, .success(let opening)): lastOfOpening[opening] = index
            case .changed(let opening, _, _): consequences[lastOfOpening[opening], default: []].append(index)
            case .connected, .disconnected:
                consequences[lastStart, default: []].append(index)
            case .device(let device, _, _) where !devices[device].isInitial:
                consequences[lastStart, default: []].append(index)
            default: break
            }
        }
    }
}

extension Trace.Stream {
    var frameNanoseconds: Int64 {
        let duration = configuration.frameDuration
        return duration.isNumeric && duration > .zero ? duration.nanoseconds : 100_000_000
    }
}
