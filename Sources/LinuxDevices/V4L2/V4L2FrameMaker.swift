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
    private let attachments: CMAttachmentBearerAttachments
    /// For pictures that must be unpacked.
    private let pool: CVPixelBufferPool?

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
                maximumBufferCount: Self.unpackedLimit)
        } else {
            pool = nil
        }
    }

    /// Makes a picture; the buffer is released with it, or at once where it is damaged or was copied.
    func payload(
        of filled: V4L2BufferSet.Filled, _ buffers: V4L2BufferSet
    ) -> Result<VideoFrame.Payload, Damage> {
        if let damage = damage(filled) {
            buffers.release(filled.index)
            return .failure(damage)
        }
        switch encoding {
        case .compressed(let codec):
            let data = CMBlockBuffer(copying: UnsafeRawBufferPointer(filled.data[0]))
            buffers.release(filled.index)
            return .success(.compressed(data, codec: codec))
        case .pixels(let code):
            let planes = layout.planes.compactMap { plane -> PixelPlane? in
                guard let base = filled.data[plane.memory].baseAddress else { return nil }
                return PixelPlane(
                    baseAddress: base + plane.offset, width: plane.width, height: plane.height,
                    bytesPerRow: plane.bytesPerRow)
            }
            if let pool, let unpacking = format.pixels.unpacking {
                defer { buffers.release(filled.index) }
                guard let picture = pool.makeBuffer() else {
                    return .failure(Damage(message: "all unpacked pictures are held", reason: .outOfBuffers))
                }
                unpacking.unpack(planes, into: picture)
                picture.attachments = attachments
                return .success(.pixels(picture))
            }
            buffers.hold(filled.index)
            let index = filled.index
            let picture = CVPixelBuffer(
                width: format.width, height: format.height, pixelFormat: code, planes: planes,
                release: { buffers.release(index) })
            guard let picture else {
                return .failure(Damage(message: "the driver's planes do not hold a picture of the format"))
            }
            picture.attachments = attachments
            return .success(.pixels(picture))
        }
    }

    private func damage(_ filled: V4L2BufferSet.Filled) -> Damage? {
        if filled.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0 {
            return Damage(message: "the driver marked the frame as damaged")
        }
        for (index, needed) in layout.byteCounts.enumerated() where filled.data[index].count < needed {
            return Damage(message: "the frame is short: \(filled.data[index].count) of \(needed) bytes came")
        }
        return nil
    }
}
