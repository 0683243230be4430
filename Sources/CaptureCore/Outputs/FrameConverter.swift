import AssetTypes
import CaptureHAL
import MediaCodecs
import MediaTypes
import PixelKernels

/// Converts a device's frames for its outputs: decodes, rotates, mirrors, crops and scales them, and changes their
/// pixel format.
///
/// Buffers come from pools, one for each size and pixel format. Outputs with equal requests share the result.
/// - Important: Thread-safe; performs one conversion at a time.
final class FrameConverter: Sendable {
    /// The pixels that an output requests.
    struct Request: Hashable {
        var pixelFormat: OSType
        /// The size after rotation; nil keeps the frame's size.
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

        /// Whether a pixel buffer needs no conversion.
        func isSatisfied(by buffer: CVPixelBuffer) -> Bool {
            pixelFormat == CVPixelBufferGetPixelFormatType(buffer) && transform.rotation == .none
                && !transform.isMirrored && transform.crop == nil
                && (size.map { $0 == (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer)) } ?? true)
        }
    }

    /// The results for one frame so far, which its outputs share.
    struct Cache {
        var decoded: Result<CVPixelBuffer, AVError>?
        var converted: [(request: Request, buffer: CVPixelBuffer)] = []
    }

    /// The maximum number of converted frames of one size and format; if all are in use, frames are dropped.
    static let bufferCount = 16
    /// The maximum number of decoded frames, which encoders and clients retain at the same time.
    static let decodedBufferCount = 32
    /// The maximum number of pools; the least recently used one is released.
    static let poolLimit = 8

    private struct Pool {
        var width: Int
        var height: Int
        var pixelFormat: OSType
        var pool: CVPixelBufferPool
    }

    private struct Resources {
        let converter = PixelConverter()
        var codec: JPEGCodec?
        /// In order of use; the most recently used pool is the last.
        var pools: [Pool] = []
        var decodedPools: [Pool] = []
    }

    private let resources = Lock(Resources())

    /// Decodes a compressed frame.
    ///
    /// - Throws: `AVError.decodeFailed` if the data are damaged, `.decoderNotFound`, or `.outOfMemory` if all buffers
    ///   are in use.
    func decode(_ data: CMBlockBuffer, _ codec: OSType, for frame: CapturedFrame) throws(AVError) -> CVPixelBuffer {
        try resources.withLock { resources throws(AVError) in
            if let decoded = frame.conversions.decoded { return try decoded.get() }
            do throws(AVError) {
                let buffer = try Self.decode(data, codec, &resources)
                frame.conversions.decoded = .success(buffer)
                return buffer
            } catch {
                frame.conversions.decoded = .failure(error)
                throw error
            }
        }
    }

    /// Converts a frame's pixels; returns `source` if it needs no conversion.
    ///
    /// - Returns: Nil if all buffers are in use.
    /// - Throws: `AVError.formatUnsupported` if the pixel formats cannot be converted.
    func convert(
        _ source: CVPixelBuffer, _ request: Request, for frame: CapturedFrame
    ) throws(AVError) -> CVPixelBuffer? {
        if request.isSatisfied(by: source) { return source }
        return try resources.withLock { resources throws(AVError) in
            if let shared = frame.conversions.converted.first(where: { $0.request == request }) { return shared.buffer }
            let natural = request.transform.naturalSize(
                width: CVPixelBufferGetWidth(source), height: CVPixelBufferGetHeight(source))
            let (width, height) = request.size ?? natural
            let pool = Self.pool(width, height, request.pixelFormat, Self.bufferCount, &resources.pools)
            guard let destination = pool.makeBuffer() else { return nil }
            // Before the conversion, which depends on the attachments for the color space.
            CVBufferPropagateAttachments(source, destination)
            do throws(ImageError) {
                try resources.converter.convert(source, to: destination, request.transform)
            } catch {
                throw AVError(.formatUnsupported, error.message, cause: error)
            }
            frame.conversions.converted.append((request, destination))
            return destination
        }
    }

    private static func decode(
        _ data: CMBlockBuffer, _ codec: OSType, _ resources: inout Resources
    ) throws(AVError) -> CVPixelBuffer {
        guard codec == kCMVideoCodecType_JPEG else {
            throw AVError(.decoderNotFound, "no decoder for frames of type \(fourCharacterText(codec))")
        }
        do {
            let jpeg = try resources.codec ?? JPEGCodec()
            resources.codec = jpeg
            let bytes = try data.dataBytes()
            let header = try jpeg.header(of: bytes)
            let pool = pool(
                header.width, header.height, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, decodedBufferCount,
                &resources.decodedPools)
            guard let buffer = pool.makeBuffer() else {
                throw AVError(.outOfMemory, "all \(decodedBufferCount) buffers for decoded frames are in use")
            }
            try jpeg.decode(bytes, into: buffer)
            return buffer
        } catch let error as AVError {
            throw error
        } catch {
            throw AVError(.decodeFailed, "a JPEG frame is damaged: \(error)", cause: error)
        }
    }

    private static func pool(
        _ width: Int, _ height: Int, _ pixelFormat: OSType, _ bufferCount: Int, _ pools: inout [Pool]
    ) -> CVPixelBufferPool {
        let index = pools.lastIndex { $0.width == width && $0.height == height && $0.pixelFormat == pixelFormat }
        if let index {
            if index != pools.count - 1 { pools.append(pools.remove(at: index)) }
            return pools[pools.count - 1].pool
        }
        let new = CVPixelBufferPool(
            width: width, height: height, pixelFormat: pixelFormat, maximumBufferCount: bufferCount,
            name: "of converted frames")
        if pools.count == poolLimit { pools.removeFirst() }
        pools.append(Pool(width: width, height: height, pixelFormat: pixelFormat, pool: new))
        return new
    }
}

extension AVCaptureConnection {
    /// The connection's rotation and mirroring.
    var pixelTransform: PixelTransform { state.withLock { $0.settings }.pixelTransform }
}

extension AVCaptureConnection.Settings {
    /// The rotation and mirroring.
    var pixelTransform: PixelTransform {
        PixelTransform(rotation: PixelRotation(degrees: rotationAngle) ?? .none, isMirrored: isMirrored)
    }
}
