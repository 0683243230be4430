import CLinuxDevices
import Glibc
import MediaTypes

/// The driver's buffers of one stream, mapped into this process.
///
/// Each buffer is idle, queued at the driver, or in use by the client as a frame. While the stream runs, a released
/// buffer is queued again immediately. A stream starts with few buffers, because the kernel clears the memory of each
/// one. If few buffers remain queued, the set allocates more (VIDIOC_CREATE_BUFS), up to the number that the client
/// requested.
/// - Important: Thread-safe, but only one thread at a time may call `dequeue`.
final class V4L2BufferSet: @unchecked Sendable {
    // SAFETY: only the dequeuing thread uses the memory at `dequeuedPlanes`; the memory at `queuedPlanes` is used only
    // while holding the lock of `state`; all other properties are immutable.
    private enum Owner { case idle, driver, client }

    private struct Buffer {
        /// The mapped memory. It is unmapped when the buffer set is released.
        var planes: Planes
        var owner = Owner.idle
    }

    private struct State {
        var buffers: [Buffer] = []
        /// The maximum number of buffers; the current number if the driver cannot allocate more.
        var limit: Int
        var isStreaming = false
        /// Nil after `close`, when only the mappings of frames in use are still needed.
        var node: V4L2Node?
        /// Signaled when the capture thread must check the state again; nil after `close`.
        var wake: KernelEvent?
        /// The error of a request that failed when a frame was released, for the capture thread.
        var failure: KernelError?

        var queuedCount: Int { buffers.count { $0.owner == .driver } }
        /// Whether the driver has no buffer to fill.
        var isStarved: Bool { !buffers.contains { $0.owner == .driver } }
    }

    /// The number of buffers at the start, if the driver can allocate more later.
    static let initialCount = 6

    private let kernel: any KernelCalls
    private let type: UInt32
    private let isMultiPlanar: Bool
    private let planeCount: Int
    /// Storage for the planes of requests that run while the lock is held.
    private let queuedPlanes: UnsafeMutablePointer<v4l2_plane>
    /// Storage for the planes of VIDIOC_DQBUF.
    private let dequeuedPlanes: UnsafeMutablePointer<v4l2_plane>
    private let state: Lock<State>

    /// Requests buffers from the driver and maps them.
    ///
    /// - Parameter count: The requested number; the driver may allocate more or fewer.
    init(_ node: V4L2Node, type: UInt32, planeCount: Int, count: Int, wake: KernelEvent) throws(KernelError) {
        kernel = node.kernel
        self.type = type
        self.planeCount = planeCount
        isMultiPlanar = type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue
        queuedPlanes = .allocate(capacity: Int(VIDEO_MAX_PLANES))
        queuedPlanes.initialize(repeating: v4l2_plane(), count: Int(VIDEO_MAX_PLANES))
        dequeuedPlanes = .allocate(capacity: Int(VIDEO_MAX_PLANES))
        dequeuedPlanes.initialize(repeating: v4l2_plane(), count: Int(VIDEO_MAX_PLANES))
        state = Lock(State(limit: count, node: node, wake: wake), order: .driverBuffers)
        // From here on, `deinit` runs after an error and unmaps the mapped buffers.
        var request = v4l2_requestbuffers()
        request.count = UInt32(Self.canGrow(node, type) ? min(count, Self.initialCount) : count)
        request.type = type
        request.memory = V4L2_MEMORY_MMAP.rawValue
        try node.request(clinuxdevices_VIDIOC_REQBUFS, "VIDIOC_REQBUFS", &request)
        do throws(KernelError) {
            guard request.count > 0 else { throw KernelError("VIDIOC_REQBUFS", ENOMEM) }
            try state.withLock { state throws(KernelError) in
                for _ in 0..<min(Int(request.count), Int(VIDEO_MAX_FRAME)) { try map(node, &state) }
                state.limit = max(state.limit, state.buffers.count)
            }
        } catch {
            unmapAll()
            Self.freeBuffers(node, type)
            throw error
        }
    }

    deinit {
        unmapAll()
        queuedPlanes.deallocate()
        dequeuedPlanes.deallocate()
    }

    /// The current number of buffers.
    var count: Int { state.withLock(\.buffers.count) }
    /// The length in bytes of the longest memory plane.
    var longestPlaneByteCount: Int {
        state.withLock { state in
            state.buffers.flatMap { buffer in (0..<planeCount).map { buffer.planes[$0].count } }.max() ?? 0
        }
    }
    /// Whether the driver has no buffer to fill.
    var isStarved: Bool { state.withLock(\.isStarved) }
    /// The error of a request that failed when a frame was released.
    var failure: KernelError? { state.withLock(\.failure) }

    /// Queues all buffers that no client uses and starts streaming.
    func start() throws(KernelError) {
        try state.withLock { state throws(KernelError) in
            guard let node = state.node else { throw KernelError("VIDIOC_STREAMON", ENODEV) }
            state.failure = nil
            do throws(KernelError) {
                for index in state.buffers.indices where state.buffers[index].owner != .client {
                    try queue(index, node, &state)
                }
                var type = self.type
                try node.request(clinuxdevices_VIDIOC_STREAMON, "VIDIOC_STREAMON", &type)
            } catch {
                streamOff(&state)
                throw error
            }
            state.isStreaming = true
        }
    }

    /// Stops streaming, which dequeues all buffers from the driver. Frames in use stay valid.
    func stop() {
        state.withLock { streamOff(&$0) }
    }

    /// Frees the driver's buffers. The memory of frames in use stays mapped until they are released.
    func close() {
        state.withLock { state in
            guard let node = state.node else { return }
            streamOff(&state)
            state.node = nil
            state.wake = nil
            // With V4L2_BUF_CAP_SUPPORTS_ORPHANED_BUFS, the memory of mapped buffers stays valid. Without it, the
            // request fails with EBUSY, and the driver frees the buffers with their last mapping.
            Self.freeBuffers(node, type)
        }
    }

    /// Dequeues the next filled buffer; pass its index to `release` when it is no longer used.
    ///
    /// - Parameter node: The stream's device node.
    /// - Returns: Nil if no buffer has been filled yet, or the stream was stopped.
    func dequeue(_ node: V4L2Node) throws(KernelError) -> FilledBuffer? {
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
        let dequeued = state.withLock { state -> (planes: Planes, isLast: Bool)? in
            guard state.buffers.indices.contains(index) else { return nil }
            state.buffers[index].owner = .client
            var queuedCount = state.queuedCount
            if queuedCount < 2, state.buffers.count < state.limit, state.isStreaming {
                grow(&state)
                queuedCount = state.queuedCount
            }
            return (state.buffers[index].planes, queuedCount == 0)
        }
        guard let dequeued else { throw KernelError("VIDIOC_DQBUF", EINVAL) }
        var planes = dequeued.planes
        // Return only the bytes that the driver filled. `prefix` limits invalid sizes.
        if isMultiPlanar {
            for plane in 0..<planeCount {
                // bytesused counts from the start of the memory, so it includes data_offset.
                planes[plane] = UnsafeMutableRawBufferPointer(
                    rebasing: planes[plane].prefix(Int(dequeuedPlanes[plane].bytesused))
                        .dropFirst(Int(dequeuedPlanes[plane].data_offset)))
            }
        } else {
            planes[0] = UnsafeMutableRawBufferPointer(rebasing: planes[0].prefix(Int(buffer.bytesused)))
        }
        return FilledBuffer(
            index: index, flags: buffer.flags, sequence: buffer.sequence,
            timestampNanoseconds: Int64(buffer.timestamp.tv_sec) * 1_000_000_000
                + Int64(buffer.timestamp.tv_usec) * 1000, data: planes, isLast: dequeued.isLast)
    }

    /// Queues a dequeued buffer again, or marks it as idle if streaming has ended.
    ///
    /// An error is stored in `failure`, and the capture thread is signaled.
    func release(_ index: Int) {
        let wake = state.withLock { state -> KernelEvent? in
            guard state.isStreaming, let node = state.node else {
                state.buffers[index].owner = .idle
                return nil
            }
            let wasStarved = state.isStarved
            do throws(KernelError) {
                try queue(index, node, &state)
            } catch {
                node.log(.error, "buffer \(index) could not be queued: \(error.logText)")
                state.failure = error
                return state.wake
            }
            return wasStarved ? state.wake : nil
        }
        wake?.signal()
    }

    // MARK: Private

    // These requests do not block. They run while the lock is held, because a buffer would be lost if it was queued
    // while streaming ends.

    private func queue(_ index: Int, _ node: V4L2Node, _ state: inout State) throws(KernelError) {
        var buffer = v4l2_buffer()
        buffer.type = type
        buffer.memory = V4L2_MEMORY_MMAP.rawValue
        buffer.index = UInt32(index)
        if isMultiPlanar {
            buffer.m.planes = queuedPlanes
            buffer.length = UInt32(planeCount)
            for plane in 0..<planeCount {
                queuedPlanes[plane] = v4l2_plane()
                queuedPlanes[plane].length = UInt32(state.buffers[index].planes[plane].count)
            }
        }
        state.buffers[index].owner = .idle
        try node.request(clinuxdevices_VIDIOC_QBUF, "VIDIOC_QBUF", &buffer)
        state.buffers[index].owner = .driver
    }

    private func streamOff(_ state: inout State) {
        guard let node = state.node else { return }
        var type = self.type
        state.isStreaming = false
        // The request fails only if the device is gone; the driver then has no buffers either.
        try? node.request(clinuxdevices_VIDIOC_STREAMOFF, "VIDIOC_STREAMOFF", &type)
        for index in state.buffers.indices where state.buffers[index].owner == .driver {
            state.buffers[index].owner = .idle
        }
    }

    /// Maps the driver's next buffer.
    private func map(_ node: V4L2Node, _ state: inout State) throws(KernelError) {
        var buffer = v4l2_buffer()
        buffer.index = UInt32(state.buffers.count)
        buffer.type = type
        buffer.memory = V4L2_MEMORY_MMAP.rawValue
        if isMultiPlanar {
            buffer.m.planes = queuedPlanes
            buffer.length = UInt32(VIDEO_MAX_PLANES)
        }
        try node.request(clinuxdevices_VIDIOC_QUERYBUF, "VIDIOC_QUERYBUF", &buffer)
        var planes = Planes()
        do throws(KernelError) {
            for plane in 0..<planeCount {
                let (length, offset) =
                    isMultiPlanar
                    ? (queuedPlanes[plane].length, queuedPlanes[plane].m.mem_offset) : (buffer.length, buffer.m.offset)
                planes[plane] = try kernel.map(node.descriptor, length: Int(length), offset: Int(offset))
            }
        } catch {
            unmap(planes)
            throw error
        }
        state.buffers.append(Buffer(planes: planes))
    }

    private func unmap(_ planes: Planes) {
        for plane in 0..<planeCount where planes[plane].baseAddress != nil { kernel.unmap(planes[plane]) }
    }

    private func unmapAll() {
        let buffers = state.withLock { state in
            defer {
                state.buffers = []
                state.node = nil
            }
            return state.buffers
        }
        for buffer in buffers { unmap(buffer.planes) }
    }

    /// Whether a driver can allocate more buffers while it streams.
    ///
    /// VIDIOC_CREATE_BUFS with a count of 0 only tests for support.
    private static func canGrow(_ node: V4L2Node, _ type: UInt32) -> Bool {
        var request = v4l2_create_buffers()
        request.memory = V4L2_MEMORY_MMAP.rawValue
        request.format.type = type
        return (try? node.request(clinuxdevices_VIDIOC_CREATE_BUFS, "VIDIOC_CREATE_BUFS", &request)) != nil
    }

    /// Doubles the number of buffers, up to the limit, and queues the new ones. After a failure the number stays fixed.
    private func grow(_ state: inout State) {
        guard let node = state.node else { return }
        let first = state.buffers.count
        do throws(KernelError) {
            var request = v4l2_create_buffers()
            request.memory = V4L2_MEMORY_MMAP.rawValue
            request.format.type = type
            try node.request(clinuxdevices_VIDIOC_G_FMT, "VIDIOC_G_FMT", &request.format)
            request.count = UInt32(min(first, state.limit - first))
            try node.request(clinuxdevices_VIDIOC_CREATE_BUFS, "VIDIOC_CREATE_BUFS", &request)
            guard request.index == first else { throw KernelError("VIDIOC_CREATE_BUFS", EINVAL) }
            for index in first..<min(first + Int(request.count), state.limit) {
                try map(node, &state)
                try queue(index, node, &state)
            }
            if request.count == 0 { state.limit = first }
            node.log(.info, "grew from \(first) to \(state.buffers.count) buffers")
        } catch {
            node.log(.info, "could not grow from \(first) buffers: \(error.logText)")
            // The stream continues with the buffers that it has.
            state.limit = state.buffers.count
        }
    }

    private static func freeBuffers(_ node: V4L2Node, _ type: UInt32) {
        var request = v4l2_requestbuffers()
        request.type = type
        request.memory = V4L2_MEMORY_MMAP.rawValue
        // The request fails if the device is gone; its buffers are then gone too.
        try? node.request(clinuxdevices_VIDIOC_REQBUFS, "VIDIOC_REQBUFS", &request)
    }
}
