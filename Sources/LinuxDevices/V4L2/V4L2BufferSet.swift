import CLinuxDevices
import Glibc
import MediaTypes
import Synchronization

/// The driver's buffers of one stream, mapped into this process.
///
/// Every buffer is in one place: idle here, queued at the driver, or held by whoever took it or has its frame. A released
/// one goes straight back to the driver while the stream runs. There are few at first; where the driver runs short of
/// them it is asked for more, as many as were asked for (VIDIOC_CREATE_BUFS): each costs memory, which the kernel clears.
/// - Important: Thread-safe; `dequeue` is for one thread at a time.
final class V4L2BufferSet: @unchecked Sendable {
    // SAFETY: `dequeuedPlanes` is the dequeuing thread's, `queuedPlanes` is only touched under the lock of `state`; `memories`
    // are written before `count` tells of them. The mappings end with the set.
    private enum Place: UInt8 { case idle, queued, held }

    private struct State {
        /// As many as there may be; no more than `count` where the driver gives no more.
        var limit: Int
        var isStreaming = false
        /// Nil once the buffers were given back; then only the mappings remain, for the frames that are still held.
        var node: V4L2Node?
        /// Signalled when the streaming thread must look again; nil as `node`.
        var wake: KernelEvent?
        /// What went wrong when a frame was released, for the thread that streams.
        var failure: KernelError?
    }

    /// As many as a stream begins with where the driver gives more later.
    static let firstCount = 6

    private let kernel: any KernelCalls
    private let type: UInt32
    private let isMultiPlanar: Bool
    private let planeCount: Int
    /// Of each buffer.
    private let memories: UnsafeMutablePointer<Planes>
    private let queuedPlanes: UnsafeMutablePointer<v4l2_plane>
    private let dequeuedPlanes: UnsafeMutablePointer<v4l2_plane>
    private let state: Lock<State>
    /// Of each buffer, as a `Place`: one that is queued is taken without a lock, all else happens under that of `state`.
    private let places: UnsafeMutablePointer<Atomic<UInt8>>
    /// How many buffers the driver has to fill; for a moment one less, where one is taken before its request has returned.
    private let queuedCount = Atomic(0)
    private let knownCount = Atomic(0)
    /// Whether the driver's queue is the kernel's own, videobuf2, which ends requests that wait when streaming ends.
    let endsWaits: Bool

    /// As many as there are now.
    var count: Int { knownCount.load(ordering: .acquiring) }
    /// The length of the longest memory plane.
    var byteCount: Int {
        (0..<count).flatMap { index in (0..<planeCount).map { memories[index][$0].count } }.max() ?? 0
    }

    /// Takes buffers from the driver and maps them.
    ///
    /// - Parameter count: A wish; the driver may give more or fewer.
    init(_ node: V4L2Node, type: UInt32, planeCount: Int, count: Int, wake: KernelEvent) throws(KernelError) {
        kernel = node.kernel
        self.type = type
        self.planeCount = planeCount
        isMultiPlanar = type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue
        let capacity = Int(VIDEO_MAX_FRAME)
        memories = .allocate(capacity: capacity)
        memories.initialize(repeating: Planes(), count: capacity)
        places = .allocate(capacity: capacity)
        for index in 0..<capacity { (places + index).initialize(to: Atomic(Place.idle.rawValue)) }
        queuedPlanes = .allocate(capacity: Int(VIDEO_MAX_PLANES))
        queuedPlanes.initialize(repeating: v4l2_plane(), count: Int(VIDEO_MAX_PLANES))
        dequeuedPlanes = .allocate(capacity: Int(VIDEO_MAX_PLANES))
        dequeuedPlanes.initialize(repeating: v4l2_plane(), count: Int(VIDEO_MAX_PLANES))
        var request = v4l2_requestbuffers()
        request.count = UInt32(Self.givesMoreLater(node, type) ? min(count, Self.firstCount) : count)
        request.type = type
        request.memory = V4L2_MEMORY_MMAP.rawValue
        do throws(KernelError) {
            try node.request(clinuxdevices_VIDIOC_REQBUFS, "VIDIOC_REQBUFS", &request)
        } catch {
            // Without an owner the parts are freed here.
            for memory in [queuedPlanes, dequeuedPlanes] { memory.deallocate() }
            memories.deallocate()
            places.deallocate()
            throw error
        }
        let given = min(Int(request.count), capacity)
        endsWaits = request.capabilities & UInt32(V4L2_BUF_CAP_SUPPORTS_ORPHANED_BUFS) != 0
        state = Lock(
            State(limit: max(count, given), node: node, wake: wake), order: .stream)
        do throws(KernelError) {
            guard given > 0 else { throw KernelError("VIDIOC_REQBUFS", ENOMEM) }
            try state.withLock { state throws(KernelError) in
                for index in 0..<given { try map(index, node, &state) }
            }
        } catch {
            state.withLock { $0.node = nil }
            unmapAll()
            Self.giveBack(node, type)
            throw error
        }
    }

    deinit {
        unmapAll()
        places.deallocate()
        memories.deallocate()
        queuedPlanes.deallocate()
        dequeuedPlanes.deallocate()
    }

    private func unmapAll() {
        for index in 0..<count { unmap(index) }
        knownCount.store(0, ordering: .releasing)
    }

    private func unmap(_ index: Int) {
        for plane in 0..<planeCount where memories[index][plane].baseAddress != nil {
            kernel.unmap(memories[index][plane])
        }
        memories[index] = Planes()
    }

    /// Maps the next buffer that the driver has made.
    private func map(_ index: Int, _ node: V4L2Node, _ state: inout State) throws(KernelError) {
        var buffer = v4l2_buffer()
        buffer.index = UInt32(index)
        buffer.type = type
        buffer.memory = V4L2_MEMORY_MMAP.rawValue
        if isMultiPlanar {
            buffer.m.planes = queuedPlanes
            buffer.length = UInt32(VIDEO_MAX_PLANES)
        }
        try node.request(clinuxdevices_VIDIOC_QUERYBUF, "VIDIOC_QUERYBUF", &buffer)
        do throws(KernelError) {
            for plane in 0..<planeCount {
                let (length, offset) =
                    isMultiPlanar
                    ? (queuedPlanes[plane].length, queuedPlanes[plane].m.mem_offset) : (buffer.length, buffer.m.offset)
                memories[index][plane] = try kernel.map(node.descriptor, length: Int(length), offset: Int(offset))
            }
        } catch {
            unmap(index)
            throw error
        }
        knownCount.store(index + 1, ordering: .releasing)
    }

    /// Whether a driver makes more buffers while it streams.
    ///
    /// A request for none only says so.
    private static func givesMoreLater(_ node: V4L2Node, _ type: UInt32) -> Bool {
        var request = v4l2_create_buffers()
        request.memory = V4L2_MEMORY_MMAP.rawValue
        request.format.type = type
        return (try? node.request(clinuxdevices_VIDIOC_CREATE_BUFS, "VIDIOC_CREATE_BUFS", &request)) != nil
    }

    /// Takes as many more buffers as there are, and queues them; a driver that refuses is not asked again.
    private func grow(_ state: inout State) {
        guard let node = state.node else { return }
        let first = count
        do throws(KernelError) {
            var request = v4l2_create_buffers()
            request.memory = V4L2_MEMORY_MMAP.rawValue
            request.format.type = type
            try node.request(clinuxdevices_VIDIOC_G_FMT, "VIDIOC_G_FMT", &request.format)
            request.count = UInt32(min(first, state.limit - first))
            try node.request(clinuxdevices_VIDIOC_CREATE_BUFS, "VIDIOC_CREATE_BUFS", &request)
            guard request.index == first else { throw KernelError("VIDIOC_CREATE_BUFS", EINVAL) }
            for index in first..<min(first + Int(request.count), state.limit) {
                try map(index, node, &state)
                try queue(index, node)
            }
            if request.count == 0 { state.limit = first }
        } catch {
            // The stream goes on with those that it has.
            state.limit = count
        }
    }

    /// Queues all buffers that no one holds and lets the driver fill them.
    func start() throws(KernelError) {
        try state.withLock { state throws(KernelError) in
            guard let node = state.node else { throw KernelError("VIDIOC_STREAMON", ENODEV) }
            state.failure = nil
            do throws(KernelError) {
                for index in 0..<count where place(of: index) != .held { try queue(index, node) }
                var type = self.type
                try node.request(clinuxdevices_VIDIOC_STREAMON, "VIDIOC_STREAMON", &type)
            } catch {
                streamOff(&state)
                throw error
            }
            state.isStreaming = true
        }
    }

    /// Takes all buffers back from the driver; frames that are held stay valid.
    func stop() {
        state.withLock { streamOff(&$0) }
    }

    /// Gives the buffers back to the driver for good; the memory of held frames stays until they are released.
    func close() {
        state.withLock { state in
            guard let node = state.node else { return }
            streamOff(&state)
            state.node = nil
            state.wake = nil
            // Drivers keep the memory of mapped buffers alive (V4L2_BUF_CAP_SUPPORTS_ORPHANED_BUFS). One that cannot
            // says EBUSY, and frees them when the last mapping goes.
            Self.giveBack(node, type)
        }
    }

    /// What went wrong when a frame was released.
    var failure: KernelError? { state.withLock(\.failure) }

    /// Takes the next filled buffer, to be released; nil where there is none yet, or the stream has been stopped.
    ///
    /// Waits for one where the node blocks; the lock is not held meanwhile.
    /// - Parameter node: That of the stream.
    func dequeue(_ node: V4L2Node) throws(KernelError) -> Filled? {
        var buffer = v4l2_buffer()
        buffer.type = type
        buffer.memory = V4L2_MEMORY_MMAP.rawValue
        if isMultiPlanar {
            buffer.m.planes = dequeuedPlanes
            buffer.length = UInt32(planeCount)
        }
        do throws(KernelError) {
            try node.request(clinuxdevices_VIDIOC_DQBUF, "VIDIOC_DQBUF", &buffer)
        } catch {
            if error.number == EAGAIN { return nil }
            if error.number == EINVAL, !state.withLock(\.isStreaming) { return nil }
            throw error
        }
        let index = Int(buffer.index)
        var filled = Filled(
            index: index, flags: buffer.flags, sequence: buffer.sequence,
            timestampNanoseconds: Int64(buffer.timestamp.tv_sec) * 1_000_000_000
                + Int64(buffer.timestamp.tv_usec) * 1000, data: Planes(), isLast: false)
        guard index < count else { throw KernelError("VIDIOC_DQBUF", EINVAL) }
        take(index)
        if queuedCount.load(ordering: .sequentiallyConsistent) < 2 {
            state.withLock { state in if count < state.limit, state.isStreaming { grow(&state) } }
            filled.isLast = isStarved
        }
        filled.data = memories[index]
        // The part of the memory that the driver filled, whatever nonsense it tells.
        if isMultiPlanar {
            for plane in 0..<planeCount {
                // bytesused counts from the begin of the memory, so with what lies before the picture.
                filled.data[plane] = UnsafeMutableRawBufferPointer(
                    rebasing: filled.data[plane].prefix(Int(dequeuedPlanes[plane].bytesused))
                        .dropFirst(Int(dequeuedPlanes[plane].data_offset)))
            }
        } else {
            filled.data.cutFirst(to: Int(buffer.bytesused))
        }
        return filled
    }

    /// Gives a buffer that was taken back to the driver.
    func release(_ index: Int) {
        let wake = state.withLock { state -> KernelEvent? in
            guard state.isStreaming, let node = state.node else {
                places[index].store(Place.idle.rawValue, ordering: .releasing)
                return nil
            }
            let wasStarved: Bool
            do throws(KernelError) {
                wasStarved = try queue(index, node)
            } catch {
                state.failure = error
                return state.wake
            }
            return wasStarved ? state.wake : nil
        }
        wake?.signal()
    }

    /// Whether the driver has no buffer to fill.
    var isStarved: Bool { queuedCount.load(ordering: .sequentiallyConsistent) <= 0 }
    /// The buffers whose frames are in use.
    var heldCount: Int { (0..<count).count { place(of: $0) == .held } }

    private func place(of index: Int) -> Place {
        Place(rawValue: places[index].load(ordering: .acquiring)) ?? .idle
    }

    /// Notes that the driver gave a buffer, which streaming may have taken back at this moment.
    private func take(_ index: Int) {
        let before = places[index].exchange(Place.held.rawValue, ordering: .acquiringAndReleasing)
        if before == Place.queued.rawValue { queuedCount.subtract(1, ordering: .sequentiallyConsistent) }
    }

    // The requests below run under the lock: a buffer queued at the moment when streaming ends would be lost. They do
    // not wait, whether the node blocks or not.

    /// - Returns: Whether the driver had no buffer.
    @discardableResult
    private func queue(_ index: Int, _ node: V4L2Node) throws(KernelError) -> Bool {
        var buffer = v4l2_buffer()
        buffer.type = type
        buffer.memory = V4L2_MEMORY_MMAP.rawValue
        buffer.index = UInt32(index)
        if isMultiPlanar {
            buffer.m.planes = queuedPlanes
            buffer.length = UInt32(planeCount)
            for plane in 0..<planeCount {
                queuedPlanes[plane] = v4l2_plane()
                queuedPlanes[plane].length = UInt32(memories[index][plane].count)
            }
        }
        // Before the driver has it: the buffer may be filled and taken before the request returns.
        places[index].store(Place.queued.rawValue, ordering: .releasing)
        do throws(KernelError) {
            try node.request(clinuxdevices_VIDIOC_QBUF, "VIDIOC_QBUF", &buffer)
        } catch {
            places[index].store(Place.idle.rawValue, ordering: .releasing)
            throw error
        }
        // After it: who asks a driver without buffers for a frame is told an error.
        return queuedCount.add(1, ordering: .sequentiallyConsistent).oldValue <= 0
    }

    private func streamOff(_ state: inout State) {
        guard let node = state.node else { return }
        var type = self.type
        state.isStreaming = false
        // It fails only where the device is gone, and then the buffers are back too.
        try? node.request(clinuxdevices_VIDIOC_STREAMOFF, "VIDIOC_STREAMOFF", &type)
        for index in 0..<count {
            // One that was taken at this moment is its taker's.
            let (wasQueued, _) = places[index].compareExchange(
                expected: Place.queued.rawValue, desired: Place.idle.rawValue, ordering: .acquiringAndReleasing)
            if wasQueued { queuedCount.subtract(1, ordering: .sequentiallyConsistent) }
        }
    }

    private static func giveBack(_ node: V4L2Node, _ type: UInt32) {
        var request = v4l2_requestbuffers()
        request.type = type
        request.memory = V4L2_MEMORY_MMAP.rawValue
        // Where the device is gone there is nothing to give back.
        try? node.request(clinuxdevices_VIDIOC_REQBUFS, "VIDIOC_REQBUFS", &request)
    }
}
