import CaptureHAL
import MediaAssets
import MediaCodecs
import MediaTypes
import PixelKernels

/// Makes of a device's frames what its outputs ask for: decoded, turned, mirrored, scaled, in other pixel formats.
///
/// Buffers come from pools, one for each shape that is asked for, and what one output asked for is shared by all others
/// that ask for the same.
/// - Important: Thread-safe; one conversion at a time.
final class FrameConverter: Sendable {
    struct Request: Hashable {
        var pixelFormat: OSType
        /// nil keeps the size that the picture has after its rotation.
        var size: (width: Int, height: Int)?
        var transform: PixelTransform

        static func == (left: Request, right: Request) -> Bool {
            left.pixelFormat == right.pixelFormat && left.size?.width == right.size?.width
                && left.size?.height == right.size?.height && left.transform == right.transform
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(pixelFormat)
            hasher.combine(size?.width)
            hasher.combine(size?.height)
            hasher.combine(transform)
        }

        /// Whether a picture is what was asked for as it is.
        func isMet(by picture: CVPixelBuffer) -> Bool {
            pixelFormat == CVPixelBufferGetPixelFormatType(picture) && transform.rotation == .none
                && !transform.isMirrored && transform.crop == nil
                && (size.map { $0 == (CVPixelBufferGetWidth(picture), CVPixelBufferGetHeight(picture)) } ?? true)
        }
    }

    /// What was made of one frame so far.
    struct Products {
        var decoded: Result<CVPixelBuffer, AVError>?
        var converted: [(request: Request, picture: CVPixelBuffer)] = []
    }

    /// The most frames of one kind that clients may hold before frames are dropped for want of buffers.
    static let bufferCount = 16
    /// The most decoded frames: an encoder holds some while clients hold others.
    static let decodedBufferCount = 32
    /// Shapes that were not asked for lately lose their pools.
    static let poolLimit = 8

    private struct Pool {
        var width: Int
        var height: Int
        var pixelFormat: OSType
        var pool: CVPixelBufferPool
    }

    private struct Tools {
        let converter = PixelConverter()
        var codec: JPEGCodec?
        /// The last that was used comes last.
        var pools: [Pool] = []
        var decodedPools: [Pool] = []
    }

    private let tools = Lock(Tools())

    /// The pixels of a compressed frame.
    ///
    /// - Throws: `AVError.decodeFailed` where it is damaged, `.decoderNotFound`, `.outOfMemory` where all buffers are held.
    func decode(_ data: CMBlockBuffer, _ codec: OSType, for media: CapturedMedia) throws(AVError) -> CVPixelBuffer {
        try tools.withLock { tools throws(AVError) in
            if let known = media.products.decoded { return try known.get() }
            do throws(AVError) {
                let picture = try Self.decode(data, codec, &tools)
                media.products.decoded = .success(picture)
                return picture
            } catch {
                media.products.decoded = .failure(error)
                throw error
            }
        }
    }

    /// A frame's pixels as asked for: the same buffer where nothing is to be done.
    ///
    /// - Returns: nil where clients hold all buffers.
    /// - Throws: `AVError.formatUnsupported` where the formats cannot be converted.
    func convert(
        _ source: CVPixelBuffer, _ request: Request, for media: CapturedMedia
    ) throws(AVError) -> CVPixelBuffer? {
        if request.isMet(by: source) { return source }
        return try tools.withLock { tools throws(AVError) in
            if let made = media.products.converted.first(where: { $0.request == request }) { return made.picture }
            let natural = request.transform.naturalSize(
                width: CVPixelBufferGetWidth(source), height: CVPixelBufferGetHeight(source))
            let (width, height) = request.size ?? natural
            let pool = Self.pool(width, height, request.pixelFormat, Self.bufferCount, &tools.pools)
            guard let destination = pool.makeBuffer() else { return nil }
            do throws(PixelError) {
                try tools.converter.convert(source, to: destination, request.transform)
            } catch {
                throw AVError(.formatUnsupported, error.message, cause: error)
            }
            CVBufferPropagateAttachments(source, destination)
            media.products.converted.append((request, destination))
            return destination
        }
    }

    private static func decode(
        _ data: CMBlockBuffer, _ codec: OSType, _ tools: inout Tools
    ) throws(AVError) -> CVPixelBuffer {
        guard codec == kCMVideoCodecType_JPEG else {
            throw AVError(.decoderNotFound, "no decoder for frames of type \(fourCharacterText(codec))")
        }
        do {
            let jpeg = try tools.codec ?? JPEGCodec()
            tools.codec = jpeg
            let bytes = try data.dataBytes()
            let header = try jpeg.header(of: bytes)
            let pool = pool(
                header.width, header.height, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, decodedBufferCount,
                &tools.decodedPools)
            guard let picture = pool.makeBuffer() else {
                throw AVError(.outOfMemory, "all \(decodedBufferCount) buffers for decoded pictures are held")
            }
            try jpeg.decode(bytes, into: picture)
            return picture
        } catch let error as AVError {
            throw error
        } catch {
            throw AVError(.decodeFailed, "a JPEG frame is damaged: \(error)", cause: error)
        }
    }

    private static func pool(
        _ width: Int, _ height: Int, _ pixelFormat: OSType, _ bufferCount: Int, _ pools: inout [Pool]
    ) -> CVPixelBufferPool {
        let known = pools.lastIndex { $0.width == width && $0.height == height && $0.pixelFormat == pixelFormat }
        if let known {
            if known != pools.count - 1 { pools.append(pools.remove(at: known)) }
            return pools[pools.count - 1].pool
        }
        let new = CVPixelBufferPool(
            width: width, height: height, pixelFormat: pixelFormat, maximumBufferCount: bufferCount)
        if pools.count == poolLimit { pools.removeFirst() }
        pools.append(Pool(width: width, height: height, pixelFormat: pixelFormat, pool: new))
        return new
    }
}

extension AVCaptureConnection {
    /// What the connection does to the pixels.
    var pixelTransform: PixelTransform {
        let (angle, isMirrored) = state.withLock { ($0.rotationAngle, $0.isMirrored) }
        return PixelTransform(rotation: PixelRotation(degrees: angle) ?? .none, isMirrored: isMirrored)
    }
}
