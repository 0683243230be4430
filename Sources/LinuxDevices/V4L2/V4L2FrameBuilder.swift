import CLinuxDevices
import CaptureHAL
import MediaTypes

/// Creates frames from the driver's buffers, without a copy if clients can read the pixels as they are.
struct V4L2FrameBuilder: Sendable {
    /// The reason why no frame is created from a buffer.
    struct DropError: Error, Sendable, Hashable {
        var message: String
        var reason = DroppedFrame.Reason.damaged
    }

    /// The memory of one of the driver's buffers, and the planes from which it was created.
    private struct DriverMemory: @unchecked Sendable {
        // SAFETY: immutable; the pointers in `data` are only compared.
        let memory: ExternalPixelMemory
        let data: V4L2BufferSet.Planes
    }

    /// The maximum number of unpacked frames that clients can retain.
    static let unpackedLimit = 16

    private let format: V4L2AcceptedFormat
    private let layout: V4L2FrameLayout
    private let encoding: VideoStreamFormat.Encoding
    private let attachments: CMAttachmentBearerAttachments
    /// The memory of unpacked frames; nil if the pixels need no unpacking.
    private let pool: CVPixelBufferPool?
    /// The format description shared by all frames with unmodified attachments, created with the first one.
    private var formatDescription: CMFormatDescription?
    /// The memory of the driver's buffers, by index. An entry is created with the first frame of its buffer.
    private var driverMemory = [DriverMemory?](repeating: nil, count: Int(VIDEO_MAX_FRAME))
    /// The memory of compressed frames, created with the first one.
    private var blocks: BlockPool?

    init(_ format: V4L2AcceptedFormat) {
        self.format = format
        layout = format.layout
        encoding = format.pixels.encoding(isFullRange: format.isFullRange)
        var attachments = CMAttachmentBearerAttachments()
        attachments.merge(format.colorAttachments, mode: .shouldPropagate)
        self.attachments = attachments
        if format.pixels.unpacking != nil, case .pixels(let code) = encoding {
            pool = CVPixelBufferPool(
                width: format.width, height: format.height, pixelFormat: code,
                maximumBufferCount: Self.unpackedLimit, name: "of unpacked frames")
        } else {
            pool = nil
        }
    }

    /// Creates the payload of a frame from a filled buffer.
    ///
    /// Pixels stay in the driver's buffer, which is released with the last reference to the pixel buffer. The buffer
    /// of a compressed, unpacked or damaged frame is released immediately.
    mutating func makePayload(
        of filled: V4L2BufferSet.FilledBuffer, _ buffers: V4L2BufferSet
    ) throws(DropError) -> VideoFrame.Payload {
        do throws(DropError) {
            try check(filled)
        } catch {
            buffers.release(filled.index)
            throw error
        }
        switch encoding {
        case .compressed(let codec):
            // Compressed frames are small. After the copy, the driver can fill the buffer again while a client uses
            // the frame.
            let data = copyBytes(of: filled, buffers)
            buffers.release(filled.index)
            return .compressed(data, codec: codec)
        case .pixels(let code):
            if let pool, let unpacking = format.pixels.unpacking {
                defer { buffers.release(filled.index) }
                guard let unpacked = pool.makeBuffer() else {
                    throw DropError(message: "all buffers for unpacked frames are in use", reason: .outOfBuffers)
                }
                unpacking.unpack(planes(of: filled), into: unpacked)
                unpacked.attachments = attachments
                return .pixels(unpacked)
            }
            return .pixels(try wrap(filled, code, buffers))
        }
    }

    /// Creates a pixel buffer that references the driver's memory; its release queues the driver's buffer again.
    private mutating func wrap(
        _ filled: V4L2BufferSet.FilledBuffer, _ pixelFormat: OSType, _ buffers: V4L2BufferSet
    ) throws(DropError) -> CVPixelBuffer {
        let index = filled.index
        // Drivers can change the offset of the data from frame to frame.
        if let cached = driverMemory[index], cached.data.haveSameAddresses(as: filled.data) {
            return cached.memory.makeBuffer()
        }
        // The closure retains the mappings, because a client may retain the pixel buffer after the stream has ended.
        let memory = ExternalPixelMemory(
            width: format.width, height: format.height, pixelFormat: pixelFormat, planes: planes(of: filled),
            attachments: attachments, formatDescription: formatDescription,
            bufferWasReleased: { buffers.release(index) })
        guard let memory else {
            buffers.release(index)
            throw DropError(message: "the driver's planes are too small for a frame of the format")
        }
        driverMemory[index] = DriverMemory(memory: memory, data: filled.data)
        let pixelBuffer = memory.makeBuffer()
        if formatDescription == nil { formatDescription = .shared(by: pixelBuffer) }
        return pixelBuffer
    }

    private mutating func copyBytes(of filled: V4L2BufferSet.FilledBuffer, _ buffers: V4L2BufferSet) -> CMBlockBuffer {
        let pool = blocks ?? BlockPool(blockByteCount: buffers.longestPlaneByteCount)
        blocks = pool
        let source = UnsafeRawBufferPointer(filled.data[0])
        return pool.makeBlock { block in
            block.copyMemory(from: source)
            return source.count
        }
    }

    private func planes(of filled: V4L2BufferSet.FilledBuffer) -> [PixelPlane] {
        layout.planes.compactMap { plane in
            guard let base = filled.data[plane.memoryPlane].baseAddress else { return nil }
            return PixelPlane(
                baseAddress: base + plane.offset, width: plane.width, height: plane.height,
                bytesPerRow: plane.bytesPerRow)
        }
    }

    /// Throws if a buffer does not contain a complete, undamaged frame.
    private func check(_ filled: V4L2BufferSet.FilledBuffer) throws(DropError) {
        if filled.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0 {
            throw DropError(message: "the driver marked the frame as damaged")
        }
        let needed = layout.byteCounts
        for index in needed.indices where filled.data[index].count < needed[index] {
            throw DropError(
                message: "the frame is short: \(filled.data[index].count) of \(needed[index]) bytes were delivered")
        }
    }
}
