public import CaptureHAL
public import Foundation
public import MediaStorage
import MediaTypes

/// A recorded trace: its events in order, and the devices, openings and streams that they refer to.
public struct Trace: Sendable {
    /// A recorded device.
    struct Device: Sendable {
        var descriptor: DeviceDescriptor
        var formatCount: Int
        /// The device's own formats, followed by others that clients requested.
        var formats: [StreamFormat] = []
        /// The result of each call of `open`: the index of the opening in `openings`, or an error.
        var openings: [TraceResult<Int>] = []
        /// The recorded values of `isInUseByAnotherApplication`, in order.
        var inUseAnswers: [Bool] = []
        /// Whether the device was connected at the beginning.
        var isInitial: Bool
    }

    /// A successful opening of a device.
    struct Opening: Sendable {
        /// A read or write of a control.
        enum Call: Sendable {
            case value(TraceResult<ControlValue>)
            case set(ControlValue, TraceResult<Void>)
        }

        /// The index of the device in `devices`.
        var device: Int
        var controls: [DeviceControl: ControlRange] = [:]
        var initialValues: [DeviceControl: ControlValue] = [:]
        var calls: [DeviceControl: [Call]] = [:]
        var streams: [(configuration: TraceConfiguration, result: TraceResult<Int>)] = []
    }

    /// A recorded stream.
    struct Stream: Sendable {
        /// The index of the opening in `openings`.
        var opening: Int
        var configuration: TraceConfiguration
        var runs: [Run] = []
        var durationChanges: [(duration: CMTime, result: TraceResult<Void>)] = []
    }

    /// A run of a stream, from its start to its stop or end.
    struct Run: Sendable {
        /// The index of the start among the events.
        var startIndex: Int
        /// The error of the start; nil if it succeeded.
        var startError: DeviceError?
        /// The errors of starts while the stream was running.
        var errorsWhileRunning: [DeviceError] = []
        /// The indices of the events that the stream delivered.
        var events: [Int] = []
        /// The time at which the client stopped the stream, in nanoseconds; nil if the stream failed or ended, or the
        /// trace is incomplete.
        var stopTime: Int64?
        var isOver = false
    }

    /// The trace's folder.
    public let folder: URL
    /// Problems that do not prevent playback, one sentence each.
    public internal(set) var warnings: [String] = []
    var hostName = ""
    var events: [TraceEvent] = []
    var devices: [Device] = []
    var openings: [Opening] = []
    var streams: [Stream] = []
    var attachments: [TraceAttachments] = []
    /// The events of devices and controls that no call of a client caused, by the index of the preceding start or
    /// opening; -1 if there is none.
    var followingEvents: [Int: [Int]] = [:]
    let media: any StorageFile

    /// Reads a trace.
    ///
    /// An incomplete last line, for example after a crash, is ignored with a warning.
    /// - Throws: `.invalidSource` with file and line if the folder does not contain a valid trace, `.notPermitted` or
    ///   `.inputOutput`.
    public init(folder: URL, storage: any CaptureStorage = DiskStorage()) throws(DeviceError) {
        self.folder = folder
        let data: Data
        let mediaByteCount: Int64
        do throws(StorageError) {
            let index = try storage.open(folder.appendingPathComponent(TraceFolder.index), for: .reading)
            data = try index.data(at: 0, count: Int(clamping: try index.byteCount()))
            media = try storage.open(folder.appendingPathComponent(TraceFolder.media), for: .reading)
            mediaByteCount = try media.byteCount()
        } catch {
            throw DeviceError(trace: folder, error)
        }
        let path = folder.appendingPathComponent(TraceFolder.index).path
        var reader = TraceReader(mediaByteCount: mediaByteCount)
        var number = 0
        var remaining = data[...]
        while !remaining.isEmpty {
            number += 1
            let end = remaining.firstIndex(of: UInt8(ascii: "\n"))
            let bytes = remaining[remaining.startIndex..<(end ?? remaining.endIndex)]
            remaining = end.map { remaining[($0 + 1)...] } ?? remaining[remaining.endIndex...]
            do throws(TraceSyntaxError) {
                try reader.read(bytes, number: number, isIncomplete: end == nil, &self)
            } catch {
                guard end == nil, number > 1 else {
                    throw DeviceError(.invalidSource, device: folder.path, "\(path):\(number): \(error.text)")
                }
                warnings.append("\(path):\(number): the last line is incomplete and was ignored: \(error.text)")
            }
        }
        guard number > 0 else {
            throw DeviceError(.invalidSource, device: folder.path, "\(path):1: the file is empty")
        }
        if case .end = events.last?.content {
        } else {
            warnings.append("\(path): the trace was not finished; events after its last line are missing")
        }
        collectFollowingEvents()
    }

    /// Reads the bytes of a frame or an audio chunk.
    func bytes(_ blob: TraceBlob, rows: [TracePacking.Rows], event: Int) throws(DeviceError) -> Data {
        // Lines are counted from 1, and the first line is not an event.
        let line = "\(folder.appendingPathComponent(TraceFolder.index).path):\(event + 2)"
        let stored: Data
        do throws(StorageError) {
            stored = try media.data(at: blob.offset, count: blob.storedCount)
        } catch {
            throw DeviceError(.inputOutput, device: folder.path, "\(line): \(error.description)")
        }
        guard stored.count == blob.storedCount, let bytes = TracePacking.unpack(stored, blob, rows: rows) else {
            throw DeviceError(
                .inputOutput, device: folder.path,
                "\(line): the \(blob.storedCount) bytes at \(blob.offset) of \(TraceFolder.media) are damaged")
        }
        return bytes
    }

    /// Assigns each event of a device or control that no call of a client caused to the preceding start or opening.
    private mutating func collectFollowingEvents() {
        // Playback of a failed start schedules no events.
        let failedStarts = Set(streams.flatMap(\.runs).filter { $0.startError != nil }.map(\.startIndex))
        var lastStart = -1
        var lastOfOpening = [Int](repeating: -1, count: openings.count)
        for (index, event) in events.enumerated() {
            switch event.content {
            case .start(let stream) where !failedStarts.contains(index):
                lastStart = index
                lastOfOpening[streams[stream].opening] = index
            case .open(_, .success(let opening)): lastOfOpening[opening] = index
            case .changed(let opening, _, _): followingEvents[lastOfOpening[opening], default: []].append(index)
            case .connected, .disconnected:
                followingEvents[lastStart, default: []].append(index)
            case .device(let device, _, _) where !devices[device].isInitial:
                followingEvents[lastStart, default: []].append(index)
            default: break
            }
        }
    }
}

extension Trace.Stream {
    /// The frame duration, or 100 ms if it is unknown.
    var frameNanoseconds: Int64 {
        let duration = configuration.frameDuration
        return duration.isNumeric && duration > .zero ? duration.nanoseconds : 100_000_000
    }
}
