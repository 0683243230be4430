import CaptureHAL
import Dispatch
import MediaTypes
import Synchronization

/// A second thread of a stream, that takes the frames and makes the client's callbacks by itself.
///
/// To hand a callback to its queue wakes a thread of that queue, which costs as much as all else on a frame's way. The
/// courier runs it on the queue itself, as `DispatchQueue.sync` does, and may be held up there for as long as the client
/// likes. Meanwhile the kernel wakes the keeper in its place: the stream's own thread, which sends all callbacks to their
/// queues and so can always be stopped.
///
/// Invariants: who has the `helm` tells events, so that they come one at a time and in order; `held` is there only while
/// the courier is away.
/// - Important: Thread-safe.
final class V4L2Courier: @unchecked Sendable {
    // SAFETY: `held` is written by the courier while nothing is held, and taken by the one thread that sets `isHeld` back;
    // all else is constant, atomic or behind a lock.
    /// Where the courier and the run are.
    private struct Standing: OptionSet {
        let rawValue: UInt8
        /// The courier is with the client.
        static let away = Standing(rawValue: 1)
        /// Neither thread takes anything any more.
        static let ended = Standing(rawValue: 2)
    }

    private let capture: V4L2Capture
    private let kernel: any KernelCalls
    private let run: StreamRun
    private let helm: Lock<V4L2Capture.Work>
    private let standing = Atomic<UInt8>(0)
    /// How the run ended.
    private let end = Lock<Result<V4L2Capture.End, KernelError>?>(nil)
    /// The callback that the courier went to make and has not begun.
    private var held: HeldDelivery?
    private let isHeld = Atomic(false)
    /// Wakes both threads for good.
    private let bell: KernelEvent
    private let device: Int32
    private let courierWait: Int32
    private let keeperWait: Int32

    /// - Parameter node: Must have had a buffer queued and stay open until `keep` has returned.
    init(
        _ capture: V4L2Capture, _ node: V4L2Node, _ run: StreamRun, _ work: V4L2Capture.Work
    ) throws(KernelError) {
        let kernel = node.kernel
        device = node.descriptor
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
        self.run = run
        helm = Lock(work)
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
            // Made once: a closure that is handed to `sync` each time costs twice as much.
            let visit = DispatchWorkItem { self.takeHeld()?.make() }
            while takeOne(visit) {}
        }
        defer {
            // A courier who is away comes back to a run that has ended, and finds nothing to do.
            let isAway = finish(.success(.stopped))
            if !isAway { thread.join() }
        }
        while true {
            let came = try kernel.waitShared(keeperWait)
            if standing(contains: .ended), let end = end.withLock({ $0 }) { return try end.get().event }
            if came.isWoken { capture.wake.reset() }
            let end = try helm.withLock { work throws(KernelError) in
                let end = try capture.turn(run, came.device, isWoken: came.isWoken, &work) {
                    // What the courier took before goes first.
                    takeHeld()?.send()
                }
                capture.watchControls(&work)
                return end
            }
            if let end { return end.event }
        }
    }

    /// Sees to it that no thread asks the driver for frames any more; from any thread.
    func leaveDevice() {
        kernel.unshare(device, from: courierWait)
        kernel.unshare(device, from: keeperWait)
    }

    // MARK: Private

    /// Waits for a frame, tells it, and makes the callback that comes of it; the courier's.
    ///
    /// - Parameter visit: Makes what is held.
    /// - Returns: Whether the run goes on.
    private func takeOne(_ visit: DispatchWorkItem) -> Bool {
        do throws(KernelError) {
            let came = try kernel.waitShared(courierWait)
            if came.isWoken { return false }
            var end: Result<V4L2Capture.End, KernelError>?
            let queue = helm.withLock { work in
                let held = HeldDelivery.holding {
                    do throws(KernelError) {
                        if let reason = try capture.turn(run, came.device, isWoken: false, &work) {
                            end = .success(reason)
                        }
                        capture.watchControls(&work)
                    } catch {
                        end = .failure(error)
                    }
                }
                return held.flatMap(goAway)
            }
            if let end { finish(end) }
            guard let queue else { return !standing(contains: .ended) }
            // It makes nothing where the queue was busy for so long that the keeper sent the callback.
            queue.sync(execute: visit)
            let (before, _) = standing.bitwiseAnd(~Standing.away.rawValue, ordering: .acquiringAndReleasing)
            return !Standing(rawValue: before).contains(.ended)
        } catch {
            finish(.failure(error))
            return false
        }
    }

    /// Under the helm, so that the keeper tells nothing before `held` is there.
    ///
    /// - Returns: The queue where the courier is to make the callback; nil where it was sent.
    private func goAway(with held: HeldDelivery) -> DispatchQueue? {
        let (before, _) = standing.bitwiseOr(Standing.away.rawValue, ordering: .acquiringAndReleasing)
        guard !Standing(rawValue: before).contains(.ended) else {
            held.send()
            return nil
        }
        self.held = held
        isHeld.store(true, ordering: .releasing)
        return held.queue
    }

    private func takeHeld() -> HeldDelivery? {
        isHeld.exchange(false, ordering: .acquiringAndReleasing) ? held.take() : nil
    }

    private func standing(contains part: Standing) -> Bool {
        Standing(rawValue: standing.load(ordering: .acquiring)).contains(part)
    }

    /// Ends the work of both threads; the first end holds.
    ///
    /// - Returns: Whether the courier is away just now.
    @discardableResult
    private func finish(_ end: Result<V4L2Capture.End, KernelError>) -> Bool {
        self.end.withLock { if $0 == nil { $0 = end } }
        let (before, _) = standing.bitwiseOr(Standing.ended.rawValue, ordering: .acquiringAndReleasing)
        bell.signal()
        return Standing(rawValue: before).contains(.away)
    }
}
