import CaptureHAL
import MediaTypes
import PixelKernels

/// Turns, mirrors, scales and converts frames for one output, into buffers of its own pool.
///
/// Confined to the thread that delivers the output's frames.
final class FrameConverter: @unchecked Sendable {
    // SAFETY: a stream's events never overlap, and only its output's `receive` calls in here.
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
    }

    /// The most frames that a client may hold before frames are dropped for want of buffers.
    static let bufferCount = 16

    private let converter = PixelConverter()
    private var pool: (width: Int, height: Int, pixelFormat: OSType, pool: CVPixelBufferPool)?

    /// The frame as asked for: the same buffer where nothing is to be done.
    ///
    /// - Returns: nil where the client holds all buffers.
    /// - Throws: `AVError.formatUnsupported` where the formats cannot be converted.
    func convert(_ source: CVPixelBuffer, _ request: Request) throws(AVError) -> CVPixelBuffer? {
        let (width, height) = (CVPixelBufferGetWidth(source), CVPixelBufferGetHeight(source))
        let natural = request.transform.naturalSize(width: width, height: height)
        let size = request.size ?? natural
        if request.transform.rotation == .none, !request.transform.isMirrored, request.transform.crop == nil,
            size == (width, height), request.pixelFormat == CVPixelBufferGetPixelFormatType(source)
        {
            return source
        }
        guard let destination = pool(size.width, size.height, request.pixelFormat).makeBuffer() else { return nil }
        do throws(PixelError) {
            try converter.convert(source, to: destination, request.transform)
        } catch {
            throw AVError(.formatUnsupported, error.message, cause: error)
        }
        CVBufferPropagateAttachments(source, destination)
        return destination
    }

    private func pool(_ width: Int, _ height: Int, _ pixelFormat: OSType) -> CVPixelBufferPool {
        if let pool, pool.width == width, pool.height == height, pool.pixelFormat == pixelFormat { return pool.pool }
        let new = CVPixelBufferPool(
            width: width, height: height, pixelFormat: pixelFormat, maximumBufferCount: Self.bufferCount)
        pool = (width, height, pixelFormat, new)
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
