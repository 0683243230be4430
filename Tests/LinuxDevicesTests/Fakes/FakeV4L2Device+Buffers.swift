import CLinuxDevices

@testable import LinuxDevices

/// Buffers, according to videobuf2.
extension FakeV4L2Device {
    func requestBuffers(_ request: inout v4l2_requestbuffers, _ descriptor: Int32) -> Int32 {
        guard request.type == type, request.memory == V4L2_MEMORY_MMAP.rawValue else { return EINVAL }
        if let owner, owner != descriptor { return EBUSY }
        if isStreaming { return EBUSY }
        request.capabilities =
            usesVideobuf2 ? UInt32(V4L2_BUF_CAP_SUPPORTS_MMAP | V4L2_BUF_CAP_SUPPORTS_ORPHANED_BUFS) : 0
        freeBuffers()
        request.count = UInt32(min(Int(request.count), bufferLimit))
        guard request.count > 0 else { return 0 }
        buffers = (0..<request.count).map { _ in Buffer(planeSizes.map { Memory($0 + dataOffset) }) }
        isWaitingForBuffers = true
        owner = descriptor
        return 0
    }

    func createBuffers(_ request: inout v4l2_create_buffers, _ descriptor: Int32) -> Int32 {
        guard usesVideobuf2 else { return ENOTTY }
        guard request.format.type == type, request.memory == V4L2_MEMORY_MMAP.rawValue else { return EINVAL }
        request.index = UInt32(buffers.count)
        // A request for 0 buffers only tests for support.
        guard request.count > 0 else { return 0 }
        if let owner, owner != descriptor { return EBUSY }
        request.count = UInt32(min(Int(request.count), bufferLimit - buffers.count))
        guard request.count > 0 else { return ENOBUFS }
        if buffers.isEmpty { isWaitingForBuffers = true }
        buffers += (0..<request.count).map { _ in Buffer(planeSizes.map { Memory($0 + dataOffset) }) }
        owner = descriptor
        return 0
    }

    func freeBuffers() {
        isStreaming = false
        (buffers, queuedIndices, filledIndices, owner) = ([], [], [], nil)
    }

    /// Writes the properties of the buffer at `index`, as VIDIOC_QUERYBUF and VIDIOC_DQBUF do.
    func describe(_ buffer: inout v4l2_buffer, _ index: Int) -> Int32 {
        let own = buffers[index]
        let state: [BufferState: Int32] = [.queued: V4L2_BUF_FLAG_QUEUED, .done: V4L2_BUF_FLAG_DONE]
        buffer.index = UInt32(index)
        buffer.flags =
            own.flags | UInt32(state[own.state] ?? 0) | UInt32(V4L2_BUF_FLAG_MAPPED)
            | UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
        buffer.sequence = own.sequence
        buffer.timestamp.tv_sec = Int(own.nanoseconds / 1_000_000_000)
        buffer.timestamp.tv_usec = Int(own.nanoseconds % 1_000_000_000 / 1000)
        if isMultiPlanar {
            guard let planes = buffer.m.planes, Int(buffer.length) >= own.planes.count else { return EINVAL }
            for plane in own.planes.indices {
                planes[plane].length = UInt32(own.planes[plane].bytes.count)
                planes[plane].bytesused = UInt32(own.bytesUsed.isEmpty ? 0 : own.bytesUsed[plane])
                planes[plane].data_offset = UInt32(own.dataOffset)
                planes[plane].m.mem_offset = UInt32(index << 24 | plane << 16)
            }
            buffer.length = UInt32(own.planes.count)
        } else {
            buffer.length = UInt32(own.planes[0].bytes.count)
            buffer.bytesused = UInt32(own.bytesUsed.first ?? 0)
            buffer.m.offset = UInt32(index << 24)
        }
        return 0
    }

    func queryBuffer(_ buffer: inout v4l2_buffer) -> Int32 {
        guard buffer.type == type, buffers.indices.contains(Int(buffer.index)) else { return EINVAL }
        return describe(&buffer, Int(buffer.index))
    }

    func queue(_ buffer: inout v4l2_buffer, _ descriptor: Int32) -> Int32 {
        if let owner, owner != descriptor { return EBUSY }
        guard buffer.type == type, buffer.memory == V4L2_MEMORY_MMAP.rawValue,
            buffers.indices.contains(Int(buffer.index)), buffers[Int(buffer.index)].state == .dequeued
        else { return EINVAL }
        buffers[Int(buffer.index)].state = .queued
        queuedIndices.append(Int(buffer.index))
        isWaitingForBuffers = false
        return 0
    }

    func dequeue(_ buffer: inout v4l2_buffer, _ descriptor: Int32) -> Int32 {
        if let owner, owner != descriptor { return EBUSY }
        guard buffer.type == type, isStreaming else { return EINVAL }
        guard !filledIndices.isEmpty else { return EAGAIN }
        let index = filledIndices.removeFirst()
        let result = describe(&buffer, index)
        buffer.flags &= ~UInt32(V4L2_BUF_FLAG_DONE)
        buffers[index].state = .dequeued
        return result
    }

    func streamOn(_ descriptor: Int32) -> Int32 {
        if let owner, owner != descriptor { return EBUSY }
        if isStreaming { return 0 }
        guard !buffers.isEmpty else { return EINVAL }
        isStreaming = true
        sequence = 0
        return 0
    }

    func streamOff(_ descriptor: Int32) -> Int32 {
        if let owner, owner != descriptor { return EBUSY }
        (isStreaming, isWaitingForBuffers) = (false, true)
        for buffer in buffers { buffer.state = .dequeued }
        (queuedIndices, filledIndices) = ([], [])
        return 0
    }
}
