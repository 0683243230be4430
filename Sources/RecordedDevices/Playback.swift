import CaptureHAL
import Foundation
import Glibc
import MediaTypes

/// One run of a file's stream, from start to stop or to the end.
final class Playback: @unchecked Sendable {
    // SAFETY: `items` is used on `worker` alone, which does one thing at a time; all else that changes is in `state`.
    private let items: any RecordedItems
    private let worker: any ClockWorker
    private let clock: any CaptureClock
    private let timeline: MediaFileTimeline
    private let source: MediaSource
    private let receiver: any StreamReceiver
    private let state = Lock(State())
    /// Entered while an event is with the client.
    private let delivery = DispatchGroup()

    private enum Entry {
        case item(RecordedItem)
        case end(Int64)
        case failure(DeviceError)
    }

    private struct State {
        /// Begun and not yet left the timeline.
        var isRunning = false
        /// Nothing is delivered any more.
        var isOver = false
        /// Nothing is decoded any more.
        var isExhausted = false
        var origin: Int64 = 0
        /// The place at which this stream joined in; what lies before it is left out.
        var joiningPlace: Int64 = 0
        /// Decoded and waiting for their time, in order; one timer each.
        var queue: [(entry: Entry, timer: ClockTimer?)] = []
        var sequenceNumber: UInt64 = 0
        /// The position of the first sound that was delivered.
        var firstPosition: Int64?
        var deliveringThread: pthread_t?
    }

    /// How many items are decoded ahead of their time.
    static let lookAhead = 3

    init(_ device: MediaFileDevice, _ items: any RecordedItems, _ receiver: any StreamReceiver) {
        self.items = items
        self.receiver = receiver
        clock = device.clock
        timeline = device.timeline
        source = device.source
        worker = device.clock.makeWorker(label: "obscura." + device.descriptor.uniqueID)
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    func begin() {
        let now = clock.now.nanoseconds
        let origin = timeline.join(at: clock.isVirtual ? now : now + MediaFileTimeline.startNanoseconds)
        let isRunning = state.withLock { state in
            // Another thread may have stopped it already; it would never leave the timeline.
            state.isRunning = !state.isOver
            state.origin = origin
            state.joiningPlace = now - origin
            return state.isRunning
        }
        guard isRunning else { return timeline.leave() }
        worker.submit { [self] in fill() }
    }

    /// Ends delivery and waits for an event that another thread is delivering.
    func stop() {
        let (timers, mustWait) = state.withLock { state in
            let timers = state.queue.compactMap(\.timer)
            state.queue = []
            state.isOver = true
            let isElsewhere = state.deliveringThread.map { pthread_equal($0, pthread_self()) == 0 } ?? false
            return (timers, isElsewhere)
        }
        for timer in timers { timer.cancel() }
        if mustWait { delivery.wait() }
        leave()
    }

    private func leave() {
        let wasRunning = state.withLock { state in
            defer { state.isRunning = false }
            return state.isRunning
        }
        if wasRunning { timeline.leave() }
    }

    // MARK: On the worker

    private func fill() {
        while let joiningPlace = state.withLock({ state in
            state.isOver || state.isExhausted || state.queue.count >= Self.lookAhead ? nil : state.joiningPlace
        }) {
            do throws(DeviceError) {
                guard let item = try items.next() else {
                    enqueue(.end(items.end), due: items.end)
                    return
                }
                // What ended before this stream began was never heard or seen.
                if item.place < joiningPlace { continue }
                enqueue(.item(item), due: item.due)
            } catch {
                enqueue(.failure(error), due: items.end)
                return
            }
        }
    }

    private func enqueue(_ entry: Entry, due: Int64) {
        let origin: Int64? = state.withLock { state in
            guard !state.isOver else { return nil }
            if case .item = entry {} else { state.isExhausted = true }
            state.queue.append((entry, nil))
            return state.origin
        }
        guard let origin else { return }
        let timer = clock.schedule(at: CMTime(nanoseconds: origin + due)) { [weak self] in self?.deliverFirst() }
        let isLate = state.withLock { state in
            guard !state.isOver, let index = state.queue.lastIndex(where: { $0.timer == nil }) else { return true }
            state.queue[index].timer = timer
            return false
        }
        // Stopped, or delivered already; a timer that has fired takes no harm from this.
        if isLate { timer.cancel() }
    }

    // MARK: On the clock

    private func deliverFirst() {
        let event: (StreamEvent, isLast: Bool)? = state.withLock { state in
            guard !state.isOver, !state.queue.isEmpty else { return nil }
            let entry = state.queue.removeFirst().entry
            let event = self.event(for: entry, &state, now: clock.now)
            if event.isLast { state.isOver = true }
            state.deliveringThread = pthread_self()
            delivery.enter()
            return event
        }
        guard let event else { return }
        receiver.receive(event.0)
        state.withLock { $0.deliveringThread = nil }
        delivery.leave()
        if event.isLast {
            leave()
        } else {
            worker.submit { [weak self] in self?.fill() }
        }
    }

    private func event(for entry: Entry, _ state: inout State, now: CMTime) -> (StreamEvent, isLast: Bool) {
        let origin = state.origin
        func time(_ place: Int64) -> CMTime { CMTime(nanoseconds: origin + place) }
        switch entry {
        case .end(let place):
            return (.ended(time: time(place)), true)
        case .failure(let error):
            return (.failed(error, time: now), true)
        case .item(let item):
            func takeNumber() -> UInt64 {
                defer { state.sequenceNumber += 1 }
                return state.sequenceNumber
            }
            switch item.content {
            case .frame(let pixels?):
                return (
                    .video(
                        VideoFrame(
                            payload: .pixels(pixels), presentationTime: time(item.place),
                            duration: CMTime(nanoseconds: item.length), sequenceNumber: takeNumber(),
                            settings: FrameSettings(date: source.date(at: item.place)))), false
                )
            case .frame(nil):
                return (
                    .dropped(
                        DroppedFrame(
                            reason: .outOfBuffers, presentationTime: time(item.place), sequenceNumber: takeNumber(),
                            message: "all buffers are in use")), false
                )
            case .damaged(let message):
                return (
                    .dropped(
                        DroppedFrame(
                            reason: .damaged, presentationTime: time(item.place), sequenceNumber: takeNumber(),
                            message: message)), false
                )
            case .sound(let sound):
                let first = state.firstPosition ?? sound.position
                state.firstPosition = first
                return (
                    .audio(
                        AudioChunk(
                            data: sound.data, format: sound.format, frameCount: sound.frameCount,
                            presentationTime: time(item.place), samplePosition: sound.position - first,
                            followsDiscontinuity: sound.followsDiscontinuity)), false
                )
            }
        }
    }
}
