import CaptureHAL
import Dispatch
import MediaTypes
import Synchronization

/// A second thread of a stream, that takes the frames and makes the client's callbacks by itself.
///
/// To hand a callback to its queue wakes a thread of that queue, which costs as much as all else on a frame's way. The
/// courier runs it on the queue itself, as `DispatchQueue.sync` does, and may be held up there for as long as the client
/// likes. Meanwhile the keeper takes its place: the stream's own thread, which sends all callbacks to their queues and so
/// can always be stopped.
///
/// There are two ways to wait. At first the run is *watchful*: both threads wait for the device, and the kernel wakes the
/// keeper while the courier is away. A client that has been quick for some time, and on whom nobody else depends, makes it
/// *settled*: the courier waits inside the driver, which is cheaper by far, and the keeper for nothing but the end. After
/// a callback that took longer than half a frame the run is watchful again; what came meanwhile is told before the
/// callback counts as done, so late as it would have been: the client could not have heard of it before.
///
/// Invariants: who has the `helm` tells events, so that they come one at a time and in order; `hold` holds something only
/// while the courier is away; the device waits exactly while the run is settled.
/// - Important: Thread-safe.
final class V4L2Courier: @unchecked Sendable {
    // SAFETY: `hold` is the courier's while nothing is held, and then that of the one thread that sets `isHeld` back;
    // `trip` and the counts are the courier's; all else is constant, atomic or behind a lock.
    /// Where the courier and the run are.
    private struct Standing: OptionSet {
        let rawValue: UInt8
        /// The courier is with the client.
        static let away = Standing(rawValue: 1)
        /// Neither thread takes anything any more.
        static let ended = Standing(rawValue: 2)
        /// The courier waits inside the driver, the keeper for nothing but the end.
        static let settled = Standing(rawValue: 4)
    }

    /// The courier's way to the client and back.
    private struct Trip {
        /// When its frame was taken, by the driver's word, in the kernel's time.
        var begin: Int64 = 0
        /// Time between frames.
        var frameNanoseconds: Int64 = 0
        /// The least age of a frame with which the courier came back.
        var leastAge = Int64.max
    }

    /// A client is quick when it has been so for that many frames; twice as many after each time when it was not.
    static let quickFrameCount = 25
    private static let longestQuickFrameCount = 64 * quickFrameCount

    private let capture: V4L2Capture
    private let node: V4L2Node
    private let kernel: any KernelCalls
    private let run: StreamRun
    private let helm: Lock<V4L2Capture.Work>
    private let standing = Atomic<UInt8>(0)
    /// How the run ended.
    private let end = Lock<Result<V4L2Capture.End, KernelError>?>(nil)
    /// The callback that the courier went to make and has not begun.
    private let hold = DeliveryHold()
    private let isHeld = Atomic(false)
    private var trip = Trip()
    private var quickCount = 0
    private var neededQuickCount = quickFrameCount
    /// Wakes both threads for good.
    private let bell: KernelEvent
    private let courierWait: Int32
    private let keeperWait: Int32

    /// - Parameter node: Must have had a buffer queued and stay open until `keep` has returned.
    init(
        _ capture: V4L2Capture, _ node: V4L2Node, _ run: StreamRun, _ work: V4L2Capture.Work
    ) throws(KernelError) {
        let kernel = node.kernel
        bell = try KernelEvent(kernel)
        // Their order decides that the courier goes first.
        let courierWait = try kernel.share(node.descriptor, events: [bell.descriptor])
        do throws(KernelError) {
            keeperWait = try kernel.share(
                node.descriptor, events: [bell.descriptor, capture.wake.descriptor])
        } catch {
            kernel.close(courierWait)
            throw error
        }
        self.courierWait = courierWait
        self.kernel = kernel
        self.capture = capture
        self.node = node
        self.run = run
        helm = Lock(work, order: .frameDelivery)
    }

    deinit {
        kernel.close(courierWait)
        kernel.close(keeperWait)
    }

    /// Lets the courier work until the run is stopped or over, and does its work while it is away.
    ///
    /// - Returns: The event that ends the stream, not yet told; nil where it was stopped.
    func keep() throws(KernelError) -> StreamEvent? {
        let thread = try KernelThread(name: "v4l2 courier") { [self] in
            let visitor = QueueVisitor { self.visit() }
            while takeOne(visitor) {}
        }
        defer {
            // A courier who is away comes back to a run that has ended, and finds nothing to do.
            let before = finish(.success(.stopped))
            // Who changes the way to wait has done so now, or finds that the run has ended.
            helm.withLock { _ in }
            if before.contains(.settled) {
                capture.endWaits()
                // The next run begins watchful. It fails only for what is no open file.
                try? kernel.setBlocking(node.descriptor, false)
            }
            if !before.contains(.away) { thread.join() }
        }
        while true {
            let came = try kernel.waitShared(keeperWait)
            if standing(contains: .ended), let end = end.withLock({ $0 }) { return try end.get().event }
            if came.isWoken { capture.wake.reset() }
            let end = try helm.withLock { work throws(KernelError) -> V4L2Capture.End? in
                // The courier may have settled since the device was ready.
                let device = standing(contains: .settled) ? [] : came.device
                let end = try capture.turn(run, node, device, isWoken: came.isWoken, &work) {
                    // What the courier took before goes first.
                    if takesHeld() { hold.send() }
                }
                capture.watchControls(&work)
                return end
            }
            if let end { return end.event }
        }
    }

    /// Whether nobody takes frames because the courier is with the client.
    var isMissing: Bool { standing.load(ordering: .acquiring) == Standing([.away, .settled]).rawValue }

    /// Sees to it that no thread asks the driver for frames any more; from any thread.
    func leaveDevice() {
        kernel.unshare(node.descriptor, from: courierWait)
        kernel.unshare(node.descriptor, from: keeperWait)
    }

    // MARK: The courier

    /// Waits for a frame, tells it, and makes the callback that comes of it.
    ///
    /// - Parameter visitor: Makes what is held.
    /// - Returns: Whether the run goes on.
    private func takeOne(_ visitor: QueueVisitor) -> Bool {
        do throws(KernelError) {
            let isSettled = standing(contains: .settled)
            guard isSettled ? try takeInside(visitor) : try takeWatchful(visitor) else {
                return !standing(contains: .ended)
            }
            // It makes nothing where the queue was busy for so long that the keeper sent the callback.
            visitor.visit()
            let before = remove(.away)
            if before.contains(.ended) { return false }
            if !before.contains(.settled) { try settleInTime() }
            return true
        } catch {
            finish(.failure(error))
            return false
        }
    }

    /// Waits together with the keeper.
    ///
    /// - Returns: Whether a callback is to be made; the visitor's queue is then its own.
    private func takeWatchful(_ visitor: QueueVisitor) throws(KernelError) -> Bool {
        let came = try kernel.waitShared(courierWait)
        if came.isWoken { return false }
        return tell(visitor) { (work, end) in
            do throws(KernelError) {
                let reason = try capture.turn(run, node, came.device, isWoken: false, &work)
                if let reason { end = .success(reason) }
            } catch {
                end = .failure(error)
            }
        }
    }

    /// Waits inside the driver.
    ///
    /// - Returns: As `takeWatchful`.
    private func takeInside(_ visitor: QueueVisitor) throws(KernelError) -> Bool {
        let filled: V4L2BufferSet.Filled?
        do throws(KernelError) {
            filled = try capture.dequeue(node)
        } catch {
            if !standing(contains: .ended) { finish(.success(try capture.end(after: error))) }
            return false
        }
        // Nothing: streaming has ended, and so has the run.
        guard let filled else { return false }
        return tell(visitor) { (work, end) in if !capture.deliver(filled, run, &work) { end = .success(.stopped) } }
    }

    /// Tells what came, and keeps back the callback that comes of it.
    @inline(__always)
    private func tell(
        _ visitor: QueueVisitor,
        _ body: (inout V4L2Capture.Work, inout Result<V4L2Capture.End, KernelError>?) -> Void
    ) -> Bool {
        var end: Result<V4L2Capture.End, KernelError>?
        let isToVisit = helm.withLock { work -> Bool in
            hold.begin()
            body(&work, &end)
            capture.watchControls(&work)
            guard hold.end() else { return false }
            hold.aim(visitor)
            if hold.othersDepend {
                quickCount = 0
                do throws(KernelError) { try unsettle() } catch { end = .failure(error) }
            }
            return goAway(from: work.lastMonotonicNanoseconds, work.frameNanoseconds)
        }
        if let end { finish(end) }
        return isToVisit
    }

    /// Under the helm, so that the keeper tells nothing before the callback is held.
    ///
    /// - Parameters:
    ///   - begin: When its frame was taken, by the driver's word, in the kernel's time.
    ///   - frameNanoseconds: Time between frames.
    /// - Returns: Whether the courier is to make the callback; else it was sent.
    private func goAway(from begin: Int64, _ frameNanoseconds: Int64) -> Bool {
        guard !insert(.away).contains(.ended) else {
            hold.send()
            return false
        }
        trip.begin = begin
        trip.frameNanoseconds = frameNanoseconds
        isHeld.store(true, ordering: .releasing)
        return true
    }

    /// Makes the callback that is held; on its queue.
    private func visit() {
        guard takesHeld(), let callback = hold.take() else {
            quickCount = 0
            return
        }
        callback.make()
        if hasTakenLong { comeBackLate() }
        callback.finish()
    }

    /// Whether the client took so long that the next frame may be late.
    ///
    /// Told by the age of its frame, which at other times is that of the driver's way of stamping.
    private var hasTakenLong: Bool {
        let age = kernel.monotonicNanoseconds - trip.begin
        trip.leastAge = min(trip.leastAge, age)
        if age - trip.leastAge <= trip.frameNanoseconds / 2 {
            quickCount += 1
            return false
        }
        quickCount = 0
        return true
    }

    /// Tells what came while the client was busy, and lets the keeper watch again, unless it has done so all the time.
    private func comeBackLate() {
        trip.leastAge = .max
        do throws(KernelError) {
            try helm.withLock { work throws(KernelError) in
                if try unsettle() { try capture.catchUp(run, node, &work) }
            }
        } catch {
            finish(.failure(error))
        }
    }

    // MARK: Settling

    /// Waits inside the driver from now on, where the client has been quick for long enough.
    private func settleInTime() throws(KernelError) {
        guard quickCount >= neededQuickCount, capture.canWaitInside else { return }
        try helm.withLock { _ throws(KernelError) in
            guard !run.isStopped, !standing(contains: .ended) else { return }
            leaveDevice()
            try kernel.setBlocking(node.descriptor, true)
            _ = insert(.settled)
        }
    }

    /// Lets both threads wait for the device again; the courier's, under the helm.
    ///
    /// - Returns: Whether it was otherwise.
    @discardableResult
    private func unsettle() throws(KernelError) -> Bool {
        // Who stops the stream asks the driver for nothing any more.
        guard !run.isStopped, !standing(contains: .ended), remove(.settled).contains(.settled) else { return false }
        neededQuickCount = min(2 * neededQuickCount, Self.longestQuickFrameCount)
        try kernel.setBlocking(node.descriptor, false)
        try kernel.shareAgain(node.descriptor, in: courierWait)
        try kernel.shareAgain(node.descriptor, in: keeperWait)
        return true
    }

    // MARK: Private

    /// Whether the caller is the one who makes or sends what is held.
    private func takesHeld() -> Bool { isHeld.exchange(false, ordering: .acquiringAndReleasing) }

    private func standing(contains part: Standing) -> Bool {
        Standing(rawValue: standing.load(ordering: .acquiring)).contains(part)
    }

    /// - Returns: What was there before.
    private func insert(_ part: Standing) -> Standing {
        Standing(rawValue: standing.bitwiseOr(part.rawValue, ordering: .acquiringAndReleasing).oldValue)
    }

    /// - Returns: What was there before.
    private func remove(_ part: Standing) -> Standing {
        Standing(rawValue: standing.bitwiseAnd(~part.rawValue, ordering: .acquiringAndReleasing).oldValue)
    }

    /// Ends the work of both threads; the first end holds.
    ///
    /// - Returns: Where the courier was.
    @discardableResult
    private func finish(_ end: Result<V4L2Capture.End, KernelError>) -> Standing {
        self.end.withLock { if $0 == nil { $0 = end } }
        let before = insert(.ended)
        bell.signal()
        return before
    }
}
