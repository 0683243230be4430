import CaptureHAL
import Dispatch
import Foundation
import MediaStorage
import MediaTypes

/// A thread-safe queue of events that a worker writes to a trace.
///
/// On a real clock, the worker compresses and writes on its own thread, so that devices do not wait. If too many bytes
/// are pending, it writes them uncompressed. If the number increases further, bytes are omitted, and the event is
/// recorded with `TraceBytes.tooFast`.
final class TraceJournal: Sendable {
    /// An event with its bytes.
    struct Entry: Sendable {
        var event: TraceEvent
        var media: Media?
    }

    /// The bytes and attachments of a frame, or the bytes of an audio chunk.
    struct Media: Sendable {
        var bytes: Data
        var rows: [TracePacking.Rows]
        var attachments: CMAttachmentBearerAttachments?
    }

    fileprivate struct State {
        var queue: [Entry] = []
        /// The number of media bytes in the queue and being written.
        var pendingByteCount = 0
        var lastTime: Int64 = 0
        /// Whether a thread is using `writerState`.
        var isWriting = false
        var isFinished = false
        var failure: StorageError?
        var deviceCount = 0
        var openingCount = 0
        var streamCount = 0
        /// The number of exposures of each requested still, by its `id`.
        var exposureCounts: [UInt64: Int] = [:]
    }

    /// The writer and its state. Only the thread that set `isWriting` uses them.
    private final class WriterState: @unchecked Sendable {
        // SAFETY: used only between setting and clearing `isWriting`, by one thread at a time.
        let writer: TraceWriter
        var attachmentNumbers: [TraceAttachments: Int] = [:]

        init(_ writer: TraceWriter) { self.writer = writer }
    }

    let clock: any CaptureClock
    /// The clock time of the trace's beginning, in nanoseconds.
    let origin: Int64
    let folder: URL
    private let writerState: WriterState
    private let worker: any ClockWorker
    private let state = Lock(State())

    /// If more bytes than this are pending, bytes are written uncompressed.
    private static let uncompressedThreshold = 64 << 20
    /// If more bytes than this would be pending, bytes are omitted.
    private static let maximumByteCount = 512 << 20

    init(_ writer: TraceWriter, clock: any CaptureClock) {
        writerState = WriterState(writer)
        folder = writer.folder
        self.clock = clock
        origin = clock.now.nanoseconds
        worker = clock.makeWorker(label: "obscura.trace")
    }

    /// The error that stopped writing; nil if there is none.
    var failure: StorageError? { state.withLock { $0.failure } }

    func nextDevice() -> Int { state.withLock { $0.next(\.deviceCount) } }
    func nextOpening() -> Int { state.withLock { $0.next(\.openingCount) } }
    func nextStream() -> Int { state.withLock { $0.next(\.streamCount) } }

    /// Registers a still that a client requests.
    func willCapture(_ request: StillRequest) {
        state.withLock { $0.exposureCounts[request.id] = request.exposures.count }
    }

    /// Returns the number of exposures of a still.
    func exposureCount(of request: UInt64) -> Int { state.withLock { $0.exposureCounts[request] ?? 1 } }

    /// Adds an event with the current time. It has no effect after `finish` or a failure.
    func record(_ content: TraceEvent.Content, _ media: Media? = nil) {
        let now = clock.now.nanoseconds - origin
        let isAccepted = state.withLock { state in
            guard !state.isFinished, state.failure == nil else { return false }
            state.lastTime = max(state.lastTime, now)
            var entry = Entry(event: TraceEvent(time: state.lastTime, content: content), media: media)
            let byteCount = media?.bytes.count ?? 0
            if state.pendingByteCount + byteCount > Self.maximumByteCount {
                entry.media?.bytes = Data()
                entry.event.content = entry.event.content.with(bytes: .tooFast)
                entry.media?.rows = []
            } else {
                state.pendingByteCount += byteCount
            }
            state.queue.append(entry)
            return true
        }
        if isAccepted { worker.submit { [self] in write() } }
    }

    /// Waits until all events are written, and ends the trace.
    func finish() throws(DeviceError) {
        let isFirst = state.withLock { state in
            defer { state.isFinished = true }
            return !state.isFinished
        }
        let written = DispatchGroup()
        written.enter()
        worker.submit { [self] in
            write()
            if isFirst { close() }
            written.leave()
        }
        written.wait()
        if let failure { throw DeviceError(trace: folder, failure) }
    }

    private func close() {
        let (time, hasFailed) = state.withLock { ($0.lastTime, $0.failure != nil) }
        guard !hasFailed else { return }
        do throws(StorageError) {
            try writerState.writer.finish(at: max(time, clock.now.nanoseconds - origin))
        } catch {
            state.withLock { $0.failure = error }
        }
    }

    // MARK: On the worker

    private func write() {
        while let entry = next() {
            do throws(StorageError) {
                try write(entry)
            } catch {
                state.withLock { state in
                    state.failure = error
                    state.queue = []
                    state.pendingByteCount = 0
                }
            }
            state.withLock { state in
                state.isWriting = false
                state.pendingByteCount = max(0, state.pendingByteCount - (entry.media?.bytes.count ?? 0))
            }
        }
    }

    private func next() -> Entry? {
        state.withLock { state in
            guard !state.isWriting, !state.queue.isEmpty else { return nil }
            state.isWriting = true
            return state.queue.removeFirst()
        }
    }

    private func write(_ entry: Entry) throws(StorageError) {
        var event = entry.event
        if let media = entry.media {
            if let attachments = media.attachments.map(TraceAttachments.init), !attachments.isEmpty {
                let number = try number(of: attachments, at: event.time)
                event.content = event.content.with(attachmentsNumber: number)
            }
            if !media.bytes.isEmpty {
                let skipsCompression = state.withLock { $0.pendingByteCount > Self.uncompressedThreshold }
                let (bytes, reachesLimit) = try writerState.writer.store(
                    media.bytes, rows: media.rows, skipsCompression: skipsCompression)
                event.content = event.content.with(bytes: bytes)
                if reachesLimit {
                    try writerState.writer.write(
                        TraceEvent(time: event.time, content: .limit(writerState.writer.byteLimit)))
                }
            }
        }
        try writerState.writer.write(event)
    }

    /// Returns the number of a set of attachments, after writing the set if it is new.
    private func number(of attachments: TraceAttachments, at time: Int64) throws(StorageError) -> Int {
        if let number = writerState.attachmentNumbers[attachments] { return number }
        let number = writerState.attachmentNumbers.count
        writerState.attachmentNumbers[attachments] = number
        try writerState.writer.write(TraceEvent(time: time, content: .attachments(number, attachments)))
        return number
    }
}

extension TraceJournal.State {
    fileprivate mutating func next(_ counter: WritableKeyPath<Self, Int>) -> Int {
        defer { self[keyPath: counter] += 1 }
        return self[keyPath: counter]
    }
}

extension TraceEvent.Content {
    /// Returns the frame or audio chunk with other bytes.
    func with(bytes: TraceBytes) -> Self {
        switch self {
        case .frame(let stream, var frame):
            frame.bytes = bytes
            return .frame(stream: stream, frame)
        case .audio(let stream, var audio):
            audio.bytes = bytes
            return .audio(stream: stream, audio)
        default: return self
        }
    }

    /// Returns the frame with the number of its attachments.
    func with(attachmentsNumber: Int) -> Self {
        guard case .frame(let stream, var frame) = self else { return self }
        frame.attachmentsNumber = attachmentsNumber
        return .frame(stream: stream, frame)
    }
}
