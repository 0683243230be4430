import CaptureHAL
import Dispatch
import Foundation
import MediaStorage
import MediaTypes

/// Takes down what happens, from any thread, and has it written in that order.
///
/// On a real clock compressing and writing are done by a worker, so that no camera waits for them; where it falls behind,
/// bytes are written as they are, and where that does not help either, they are left out and the trace says so.
final class TraceJournal: Sendable {
    /// An event with the bytes that go with it.
    struct Entry: Sendable {
        var event: TraceEvent
        var media: Media?
    }

    struct Media: Sendable {
        var bytes: Data
        var rows: [TracePacking.Rows]
        var look: CMAttachmentBearerAttachments?
    }

    fileprivate struct State {
        var queue: [Entry] = []
        /// Bytes of media in the queue and in the writer's hands.
        var pendingByteCount = 0
        var lastTime: Int64 = 0
        /// Whether a thread is at the writer.
        var isWriting = false
        var isFinished = false
        var failure: StorageError?
        var deviceCount = 0
        var openingCount = 0
        var streamCount = 0
    }

    /// Confined to the thread that set `isWriting`.
    private final class Desk: @unchecked Sendable {
        // SAFETY: only one thread at a time is between setting and clearing `isWriting`.
        let writer: TraceWriter
        var looks: [TraceAttachments: Int] = [:]

        init(_ writer: TraceWriter) { self.writer = writer }
    }

    let clock: any CaptureClock
    /// The clock's time at the trace's beginning.
    let origin: Int64
    let folder: URL
    private let desk: Desk
    private let worker: any ClockWorker
    private let state = Lock(State())

    /// From so many waiting bytes on they are written as they are.
    private static let hurryByteCount = 64 << 20
    /// From so many waiting bytes on more are left out.
    private static let maximumByteCount = 512 << 20

    init(_ writer: TraceWriter, clock: any CaptureClock) {
        desk = Desk(writer)
        folder = writer.folder
        self.clock = clock
        origin = clock.now.nanoseconds
        worker = clock.makeWorker(label: "obscura.trace")
    }

    /// Why nothing is written any more; nil where all is well.
    var failure: StorageError? { state.withLock { $0.failure } }

    func nextDevice() -> Int { state.withLock { $0.next(\.deviceCount) } }
    func nextOpening() -> Int { state.withLock { $0.next(\.openingCount) } }
    func nextStream() -> Int { state.withLock { $0.next(\.streamCount) } }

    /// Takes an event down.
    func note(_ content: TraceEvent.Content, _ media: Media? = nil) {
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

    /// Waits until all is written, and ends the trace.
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
            try desk.writer.finish(at: max(time, clock.now.nanoseconds - origin))
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
            if let attachments = media.look.map(TraceAttachments.init), !attachments.isEmpty {
                event.content = event.content.with(look: try look(attachments, at: event.time))
            }
            if !media.bytes.isEmpty {
                let isHurried = state.withLock { $0.pendingByteCount > Self.hurryByteCount }
                let (bytes, meetsLimit) = try desk.writer.keep(media.bytes, rows: media.rows, isHurried: isHurried)
                event.content = event.content.with(bytes: bytes)
                if meetsLimit {
                    try desk.writer.write(TraceEvent(time: event.time, content: .limit(desk.writer.byteLimit)))
                }
            }
        }
        try desk.writer.write(event)
    }

    private func look(_ attachments: TraceAttachments, at time: Int64) throws(StorageError) -> Int {
        if let number = desk.looks[attachments] { return number }
        let number = desk.looks.count
        desk.looks[attachments] = number
        try desk.writer.write(TraceEvent(time: time, content: .look(number, attachments)))
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
    /// The same picture or sound, with its bytes at another place.
    func with(bytes: TraceBytes) -> Self {
        switch self {
        case .frame(let stream, var frame):
            frame.bytes = bytes
            return .frame(stream: stream, frame)
        case .sound(let stream, var sound):
            sound.bytes = bytes
            return .sound(stream: stream, sound)
        default: return self
        }
    }

    func with(look: Int) -> Self {
        guard case .frame(let stream, var frame) = self else { return self }
        frame.look = look
        return .frame(stream: stream, frame)
    }
}
