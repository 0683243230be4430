import CLinuxDevices
import Glibc
import MediaTypes

/// The driver's buffers of one stream, mapped into this process.
///
/// Every buffer is in one place: idle here, queued at the driver, or held by whoever took it or has its frame. A released
/// one goes straight back to the driver while the stream runs.
/// - Important: Thread-safe; `dequeue` is for one thread at a time.
final class V4L2BufferSet: @unchecked Sendable {
    // SAFETY: `planeScratch` and `state` are only touched under the lock of `state`; `memories` never changes, its
    // mappings end with the set.
    private enum Place { case idle, queued, held }

    private struct State {
        private(set) var places: [Place]
        /// How many of `places` are `.queued`.
        private(set) var queuedCount = 0
        var isStreaming = false
        /// Nil once the buffers were given back; then only the mappings remain, for the frames that are still held.
        var node: V4L2Node?
        /// Signalled when the streaming thread must look again; nil as `node`.
        var wake: KernelEvent?
        /// What went wrong when a frame was released, for the thread that streams.
        var failure: KernelError?

        init(count: Int, node: V4L2Node, wake: KernelEvent) {
            places = Array(repeating: .idle, count: count)
            self.node = node
            self.wake = wake
        }

        mutating func move(_ index: Int, to place: Place) {
            if places[index] == .queued { queuedCount -= 1 }
            if place == .queued { queuedCount += 1 }
            places[index] = place
        }
    }

    /// The memory planes of a buffer, at most three: no format here has more.
    struct Planes {
        private var first = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        private var second = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        private var third = UnsafeMutableRawBufferPointer(start: nil, count: 0)

        subscript(index: Int) -> UnsafeMutableRawBufferPointer {
            get { index == 0 ? first : index == 1 ? second : third }
            set {
                switch index {
                case 0: first = newValue
                case 1: second = newValue
                default: third = newValue
                }
            }
        }

        /// Whether the planes begin at the same places.
        func begin(as other: Planes) -> Bool {
            first.baseAddress == other.first.baseAddress && second.baseAddress == other.second.baseAddress
                && third.baseAddress == other.third.baseAddress
        }
    }

    /// A buffer as the driver filled it.
    struct Filled {
        var index: Int
        var flags: UInt32
        var sequence: UInt32
        /// Of CLOCK_MONOTONIC where `flags` say so; 0 where the driver stamps nothing.
        var timestampNanoseconds: Int64
        /// The filled bytes of each memory plane, without what lies before the picture.
        var data: Planes
        /// Whether the driver has no other buffer to fill.
        var isLast: Bool
    }

    private let kernel: any KernelCalls
    private let type: UInt32
    private let planeCount: Int
    /// For each buffer the memory of its planes.
    private let memories: [[UnsafeMutableRawBufferPointer]]
    private let planeScratch: UnsafeMutablePointer<v4l2_plane>
    private let state: Lock<State>

    var count: Int { memories.count }
    /// The length of the longest memory plane.
    var byteCount: Int { memories.joined().map(\.count).max() ?? 0 }

    /// Takes buffers from the driver and maps them.
    ///
    /// - Parameter count: A wish; the driver may give more or fewer.
    init(_ node: V4L2Node, type: UInt32, planeCount: Int, count: Int, wake: KernelEvent) throws(KernelError) {
        kernel = node.kernel
        self.type = type
        self.planeCount = planeCount
        let scratch = UnsafeMutablePointer<v4l2_plane>.allocate(capacity: Int(VIDEO_MAX_PLANES))
        scratch.initialize(repeating: v4l2_plane(), count: Int(VIDEO_MAX_PLANES))
        do throws(KernelError) {
            memories = try Self.take(node, type, planeCount, count, scratch)
        } catch {
            scratch.deallocate()
            throw error
        }
        planeScratch = scratch
        state = Lock(State(count: memories.count, node: node, wake: wake))
    }

    deinit {
        for memory in memories.joined() { kernel.unmap(memory) }
        planeScratch.deallocate()
    }

    private static func take(
        _ node: V4L2Node, _ type: UInt32, _ planeCount: Int, _ count: Int, _ scratch: UnsafeMutablePointer<v4l2_plane>
    ) throws(KernelError) -> [[UnsafeMutableRawBufferPointer]] {
        var request = v4l2_requestbuffers()
        request.count = UInt32(count)
        request.type = type
        request.memory = V4L2_MEMORY_MMAP.rawValue
        try node.request(clinuxdevices_VIDIOC_REQBUFS, "VIDIOC_REQBUFS", &request)
        var memories: [[UnsafeMutableRawBufferPointer]] = []
        do throws(KernelError) {
            guard request.count > 0 else { throw KernelError("VIDIOC_REQBUFS", ENOMEM) }
            for index in 0..<request.count {
                memories.append([])
                var buffer = v4l2_buffer()
                buffer.index = index
                buffer.type = type
                buffer.memory = V4L2_MEMORY_MMAP.rawValue
                if isMultiPlanar(type) {
                    buffer.m.planes = scratch
                    buffer.length = UInt32(VIDEO_MAX_PLANES)
                }
                try node.request(clinuxdevices_VIDIOC_QUERYBUF, "VIDIOC_QUERYBUF", &buffer)
                for plane in 0..<planeCount {
                    let (length, offset) =
                        isMultiPlanar(type)
                        ? (scratch[plane].length, scratch[plane].m.mem_offset) : (buffer.length, buffer.m.offset)
                    let memory = try node.kernel.map(node.descriptor, length: Int(length), offset: Int(offset))
                    memories[Int(index)].append(memory)
                }
            }
        } catch {
            for memory in memories.joined() { node.kernel.unmap(memory) }
            giveBack(node, type)
            throw error
        }
        return memories
    }

    /// Queues all buffers that no one holds and lets the driver fill them.
    func start() throws(KernelError) {
        try state.withLock { state throws(KernelError) in
            guard let node = state.node else { throw KernelError("VIDIOC_STREAMON", ENODEV) }
            state.failure = nil
            do throws(KernelError) {
                for index in state.places.indices where state.places[index] != .held {
                    try queue(index, node)
                    state.move(index, to: .queued)
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

    /// Takes the next filled buffer, to be released; nil where there is none yet.
    ///
    /// - Throws: What the driver says, or what it said when a frame was released.
    func dequeue() throws(KernelError) -> Filled? {
        try state.withLock { state throws(KernelError) -> Filled? in
            if let failure = state.failure { throw failure }
            guard state.isStreaming, let node = state.node else { return nil }
            var buffer = emptyBuffer()
            do throws(KernelError) {
                try node.request(clinuxdevices_VIDIOC_DQBUF, "VIDIOC_DQBUF", &buffer)
            } catch  where error.number == EAGAIN {
                return nil
            }
            let index = Int(buffer.index)
            guard memories.indices.contains(index) else { throw KernelError("VIDIOC_DQBUF", EINVAL) }
            state.move(index, to: .held)
            var planes = Planes()
            for plane in 0..<planeCount { planes[plane] = data(of: buffer, plane, memories[index][plane]) }
            return Filled(
                index: index, flags: buffer.flags, sequence: buffer.sequence,
                timestampNanoseconds: Int64(buffer.timestamp.tv_sec) * 1_000_000_000
                    + Int64(buffer.timestamp.tv_usec) * 1000, data: planes,
                isLast: state.queuedCount == 0)
        }
    }

    /// The part of a plane's memory that the driver filled, whatever nonsense it tells.
    private func data(
        of buffer: v4l2_buffer, _ plane: Int, _ memory: UnsafeMutableRawBufferPointer
    ) -> UnsafeMutableRawBufferPointer {
        guard Self.isMultiPlanar(type) else {
            return UnsafeMutableRawBufferPointer(rebasing: memory.prefix(Int(buffer.bytesused)))
        }
        // bytesused counts from the begin of the memory, so with what lies before the picture.
        return UnsafeMutableRawBufferPointer(
            rebasing: memory.prefix(Int(planeScratch[plane].bytesused)).dropFirst(Int(planeScratch[plane].data_offset)))
    }

    /// Gives a buffer that was taken back to the driver.
    func release(_ index: Int) {
        let wake = state.withLock { state -> KernelEvent? in
            state.move(index, to: .idle)
            guard state.isStreaming, let node = state.node else { return nil }
            let wasStarved = state.queuedCount == 0
            do throws(KernelError) {
                try queue(index, node)
                state.move(index, to: .queued)
            } catch {
                state.failure = error
                return state.wake
            }
            return wasStarved ? state.wake : nil
        }
        wake?.signal()
    }

    /// Whether the driver has no buffer to fill.
    var isStarved: Bool { state.withLock { $0.queuedCount == 0 } }
    /// The buffers whose frames are in use.
    var heldCount: Int { state.withLock { state in state.places.count { $0 == .held } } }

    // The requests below run under the lock: a buffer queued at the moment when streaming ends would be lost. They do
    // not block, as the node was opened so.

    private func queue(_ index: Int, _ node: V4L2Node) throws(KernelError) {
        var buffer = emptyBuffer()
        buffer.index = UInt32(index)
        if Self.isMultiPlanar(type) {
            for plane in 0..<planeCount {
                planeScratch[plane] = v4l2_plane()
                planeScratch[plane].length = UInt32(memories[index][plane].count)
            }
        }
        try node.request(clinuxdevices_VIDIOC_QBUF, "VIDIOC_QBUF", &buffer)
    }

    private func streamOff(_ state: inout State) {
        guard let node = state.node else { return }
        var type = self.type
        // It fails only where the device is gone, and then the buffers are back too.
        try? node.request(clinuxdevices_VIDIOC_STREAMOFF, "VIDIOC_STREAMOFF", &type)
        state.isStreaming = false
        for index in state.places.indices where state.places[index] != .held { state.move(index, to: .idle) }
    }

    private func emptyBuffer() -> v4l2_buffer {
        var buffer = v4l2_buffer()
        buffer.type = type
        buffer.memory = V4L2_MEMORY_MMAP.rawValue
        if Self.isMultiPlanar(type) {
            buffer.m.planes = planeScratch
            buffer.length = UInt32(planeCount)
        }
        return buffer
    }

    private static func giveBack(_ node: V4L2Node, _ type: UInt32) {
        var request = v4l2_requestbuffers()
        request.type = type
        request.memory = V4L2_MEMORY_MMAP.rawValue
        // Where the device is gone there is nothing to give back.
        try? node.request(clinuxdevices_VIDIOC_REQBUFS, "VIDIOC_REQBUFS", &request)
    }

    private static func isMultiPlanar(_ type: UInt32) -> Bool {
        type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue
    }
}
