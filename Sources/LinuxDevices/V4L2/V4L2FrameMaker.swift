import CLinuxDevices
import CaptureHAL
import MediaTypes

/// Makes pictures of the driver's buffers, without a copy where they are pixels that others can read.
struct V4L2FrameMaker: Sendable {
    /// Why a buffer is no picture.
    struct Damage: Error, Sendable, Hashable {
        var message: String
        var reason = DroppedFrame.Reason.damaged
    }

    /// The most unpacked pictures that consumers may hold.
    static let unpackedLimit = 16

    private let format: V4L2AcceptedFormat
    private let layout: V4L2PictureLayout
    private let encoding: VideoStreamFormat.Encoding
    /// Of pixels that are read where the driver put them.
    private let pixelFormat: OSType?
    private let attachments: CMAttachmentBearerAttachments
    /// Of all pictures in the driver's buffers.
    private let description = FirstDescription()
    /// For pictures that must be unpacked.
    private let pool: CVPixelBufferPool?
    /// The driver's buffers as pictures, made when each comes for the first time.
    private var pictures: [Picture?] = []
    /// For copies of compressed pictures.
    private var blocks: BlockPool?

    private struct Picture: @unchecked Sendable {
        // SAFETY: the addresses are only compared.
        var memory: LentMemory
        var begins: V4L2BufferSet.Begins
    }

    init(_ format: V4L2AcceptedFormat) {
        self.format = format
        layout = format.layout
        encoding = format.pixels.encoding(isFullRange: format.isFullRange)
        var attachments = CMAttachmentBearerAttachments()
        attachments.merge(format.colorAttachments, mode: .shouldPropagate)
        self.attachments = attachments
        if format.pixels.unpacking != nil, case .pixels(let code) = encoding {
            pixelFormat = nil
            pool = CVPixelBufferPool(
                width: format.width, height: format.height, pixelFormat: code,
                maximumBufferCount: Self.unpackedLimit)
        } else {
            if case .pixels(let code) = encoding { pixelFormat = code } else { pixelFormat = nil }
            pool = nil
        }
    }

    /// The driver's buffer as a picture, where its pixels are such as others can read; nil where they are not.
    ///
    /// The buffer is released when the memory is given back, or at once where it is damaged.
    mutating func memory(
        of filled: V4L2BufferSet.Filled, _ buffers: V4L2BufferSet
    ) throws(Damage) -> LentMemory? {
        guard let pixelFormat else { return nil }
        try check(filled, buffers)
        guard let memory = memory(of: filled, pixelFormat, buffers) else {
            buffers.release(filled.index)
            throw Damage(message: "the driver's planes do not hold a picture of the format")
        }
        return memory
    }

    /// Makes a picture of a buffer whose `memory` is none; the buffer is released at once.
    mutating func payload(
        of filled: V4L2BufferSet.Filled, _ buffers: V4L2BufferSet
    ) throws(Damage) -> VideoFrame.Payload {
        try check(filled, buffers)
        switch encoding {
        case .compressed(let codec):
            // They are small, and the driver's few buffers stay with the driver however long a frame is held.
            let source = UnsafeRawBufferPointer(filled.data[0])
            let data = blocks(of: buffers).makeBlock { piece in
                piece.copyMemory(from: source)
                return source.count
            }
            buffers.release(filled.index)
            return .compressed(data, codec: codec)
        case .pixels:
            defer { buffers.release(filled.index) }
            guard let picture = pool?.makeBuffer(), let unpacking = format.pixels.unpacking else {
                throw Damage(message: "all unpacked pictures are held", reason: .outOfBuffers)
            }
            unpacking.unpack(planes(of: filled), into: picture)
            picture.attachments = attachments
            return .pixels(picture)
        }
    }

    private mutating func blocks(of buffers: V4L2BufferSet) -> BlockPool {
        if let blocks { return blocks }
        let new = BlockPool(pieceByteCount: buffers.byteCount)
        blocks = new
        return new
    }

    /// The driver's buffer as a picture: the same each time, unless the driver put the picture elsewhere in it.
    private mutating func memory(
        of filled: V4L2BufferSet.Filled, _ code: OSType, _ buffers: V4L2BufferSet
    ) -> LentMemory? {
        let index = filled.index
        if index < pictures.count, let picture = pictures[index], picture.begins == filled.data.begins {
            return picture.memory
        }
        let memory = LentMemory(
            width: format.width, height: format.height, pixelFormat: code, planes: planes(of: filled),
            attachments: attachments, description: description, giveBack: { buffers.release(index) })
        while pictures.count <= index { pictures.append(nil) }
        pictures[index] = memory.map { Picture(memory: $0, begins: filled.data.begins) }
        return memory
    }

    private func planes(of filled: V4L2BufferSet.Filled) -> [PixelPlane] {
        layout.planes.compactMap { plane in
            guard let base = filled.data[plane.memory].baseAddress else { return nil }
            return PixelPlane(
                baseAddress: base + plane.offset, width: plane.width, height: plane.height,
                bytesPerRow: plane.bytesPerRow)
        }
    }

    /// Releases a buffer that is no picture.
    private func check(_ filled: V4L2BufferSet.Filled, _ buffers: V4L2BufferSet) throws(Damage) {
        do throws(Damage) {
            try check(filled)
        } catch {
            buffers.release(filled.index)
            throw error
        }
    }

    private func check(_ filled: V4L2BufferSet.Filled) throws(Damage) {
        if filled.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0 {
            throw Damage(message: "the driver marked the frame as damaged")
        }
        let needed = layout.byteCounts
        for index in needed.indices where filled.data[index].count < needed[index] {
            throw Damage(message: "the frame is short: \(filled.data[index].count) of \(needed[index]) bytes came")
        }
    }
}
