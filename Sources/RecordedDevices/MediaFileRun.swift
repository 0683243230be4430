import CaptureHAL
import Foundation
import MediaTypes

/// One run of a file's stream, from its start to its stop or end.
final class MediaFileRun: @unchecked Sendable {
    // SAFETY: `decoder` is used only on `worker`, which is serial; all other mutable state is in `state`.
    private let decoder: any RecordedItemDecoder
    private let worker: any ClockWorker
    private let clock: any CaptureClock
    private let timeline: MediaFileTimeline
    private let source: MediaSource
    private let lifeCycle: StreamLifeCycle
    private let run: StreamLifeCycle.Run
    private let state = Lock(State())

    private enum Entry {
        case item(RecordedItem)
        /// The end of the track, at a media time.
        case end(Int64)
        case failure(DeviceError)
    }

    private struct State {
        /// Whether this stream is in the timeline.
        var isInTimeline = false
        /// Whether decoding has ended.
        var isExhausted = false
        /// The clock time of the start of the file, in nanoseconds.
        var origin: Int64 = 0
        /// The media time at which this stream was added to the timeline. Earlier items are skipped.
        var firstMediaTime: Int64 = 0
        /// Decoded items in order, each with the timer that delivers it.
        var queue: [(entry: Entry, timer: ClockTimer?)] = []
        var sequenceNumber: UInt64 = 0
        /// The sample position of the first chunk that was delivered.
        var firstPosition: Int64?
    }

    /// The number of items that are decoded ahead of their delivery.
    static let decodedAheadCount = 3

    init(
        _ device: MediaFileDevice, _ decoder: any RecordedItemDecoder, lifeCycle: StreamLifeCycle,
        run: StreamLifeCycle.Run
    ) {
        self.decoder = decoder
        self.lifeCycle = lifeCycle
        self.run = run
        clock = device.clock
        timeline = device.timeline
        source = device.source
        worker = device.clock.makeWorker(label: "obscura." + device.descriptor.uniqueID)
    }

    /// Whether the run has stopped or ended.
    var isOver: Bool { lifeCycle.currentRun != run }

    func begin() {
        let now = clock.now.nanoseconds
        let origin = timeline.addStream(at: clock.isVirtual ? now : now + MediaFileTimeline.startDelayNanoseconds)
        let isInTimeline = state.withLock { state in
            // If another thread has already called `cancel`, the stream is removed from the timeline here.
            state.isInTimeline = !isOver
            state.origin = origin
            state.firstMediaTime = now - origin
            return state.isInTimeline
        }
        guard isInTimeline else { return timeline.removeStream() }
        worker.submit { [self] in fill() }
    }

    /// Cancels the timers after the run was stopped.
    func cancel() {
        let timers = state.withLock { state in
            let timers = state.queue.compactMap(\.timer)
            state.queue = []
            return timers
        }
        for timer in timers { timer.cancel() }
        leaveTimeline()
    }

    private func leaveTimeline() {
        let wasInTimeline = state.withLock { state in
            defer { state.isInTimeline = false }
            return state.isInTimeline
        }
        if wasInTimeline { timeline.removeStream() }
    }

    // MARK: On the worker

    private func fill() {
        while let firstMediaTime = state.withLock({ state in
            isOver || state.isExhausted || state.queue.count >= Self.decodedAheadCount ? nil : state.firstMediaTime
        }) {
            do throws(DeviceError) {
                let item = try decoder.next()
                timeline.add(decoder.jumps, startingAt: source.startNanoseconds)
                guard let item else {
                    enqueue(.end(decoder.endTime), due: decoder.endTime)
                    return
                }
                // Skip items that began before this stream was added.
                if item.mediaTime < firstMediaTime { continue }
                enqueue(.item(item), due: item.deliveryTime)
            } catch {
                enqueue(.failure(error), due: decoder.endTime)
                return
            }
        }
    }

    /// Adds an entry to the queue, and schedules its delivery at the media time `due`.
    private func enqueue(_ entry: Entry, due: Int64) {
        let origin: Int64? = state.withLock { state in
            guard !isOver else { return nil }
            if case .item = entry {} else { state.isExhausted = true }
            state.queue.append((entry, nil))
            return state.origin
        }
        guard let origin else { return }
        let timer = clock.schedule(at: CMTime(nanoseconds: origin + due)) { [weak self] in self?.deliverFirst() }
        let mustCancel = state.withLock { state in
            guard !isOver, let index = state.queue.lastIndex(where: { $0.timer == nil }) else { return true }
            state.queue[index].timer = timer
            return false
        }
        // The stream has stopped or has already delivered the entry. Cancelling a timer that has fired has no effect.
        if mustCancel { timer.cancel() }
    }

    // MARK: On the clock

    private func deliverFirst() {
        let event = state.withLock { state -> (StreamEvent, isLast: Bool)? in
            guard !isOver, !state.queue.isEmpty else { return nil }
            let entry = state.queue.removeFirst().entry
            return self.event(for: entry, &state, now: clock.now)
        }
        guard let event else { return }
        // The receiver of the last event can start the stream again, which then begins a new timeline.
        if event.isLast { leaveTimeline() }
        if lifeCycle.deliver(event.0, of: run) { worker.submit { [weak self] in self?.fill() } }
    }

    private func event(for entry: Entry, _ state: inout State, now: CMTime) -> (StreamEvent, isLast: Bool) {
        let origin = state.origin
        func time(_ mediaTime: Int64) -> CMTime { CMTime(nanoseconds: origin + mediaTime) }
        switch entry {
        case .end(let mediaTime):
            return (.ended(time: time(mediaTime)), true)
        case .failure(let error):
            return (.failed(error, time: now), true)
        case .item(let item):
            func nextSequenceNumber() -> UInt64 {
                defer { state.sequenceNumber += 1 }
                return state.sequenceNumber
            }
            switch item.content {
            case .frame(let pixels?):
                return (
                    .video(
                        VideoFrame(
                            payload: .pixels(pixels), presentationTime: time(item.mediaTime),
                            duration: CMTime(nanoseconds: item.duration), sequenceNumber: nextSequenceNumber(),
                            settings: FrameSettings(date: source.date(at: item.mediaTime)))), false
                )
            case .frame(nil):
                return (
                    .dropped(
                        DroppedFrame(
                            reason: .outOfBuffers, presentationTime: time(item.mediaTime),
                            sequenceNumber: nextSequenceNumber(),
                            message: "all buffers are in use")), false
                )
            case .damaged(let message):
                return (
                    .dropped(
                        DroppedFrame(
                            reason: .damaged, presentationTime: time(item.mediaTime),
                            sequenceNumber: nextSequenceNumber(),
                            message: message)), false
                )
            case .audio(let audio):
                let first = state.firstPosition ?? audio.position
                state.firstPosition = first
                return (
                    .audio(
                        AudioChunk(
                            data: audio.data, format: audio.format, frameCount: audio.frameCount,
                            presentationTime: time(item.mediaTime), samplePosition: audio.position - first,
                            followsDiscontinuity: audio.followsDiscontinuity)), false
                )
            }
        }
    }
}
