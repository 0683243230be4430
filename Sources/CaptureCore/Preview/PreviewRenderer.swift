import MediaAssets
import MediaTypes
import PixelKernels

/// Draws frames as a preview shows them.
///
/// - Important: Thread-safe; one picture at a time.
final class PreviewRenderer: Sendable {
    /// What a picture is to look like.
    struct Request: Hashable, Sendable {
        var width: Int
        var height: Int
        var pixelFormat: OSType
        var transform: PixelTransform
    }

    /// The most pictures that a handler may hold before frames are dropped.
    static let bufferCount = 4

    private struct Tools {
        let converter = PixelConverter()
        var pool: (width: Int, height: Int, pixelFormat: OSType, pool: CVPixelBufferPool)?
    }

    private let tools = Lock(Tools())

    /// A picture in memory of its own; nil where there is none.
    func makePicture(of source: CVPixelBuffer, _ request: Request) throws(AVError) -> CVPixelBuffer? {
        let target = CVPixelBuffer(width: request.width, height: request.height, pixelFormat: request.pixelFormat)
        guard let target else { return nil }
        return try tools.withLock { tools throws(AVError) in try Self.draw(source, into: target, request, tools) }
    }

    /// A picture from a pool; nil where all are held.
    func picture(of source: CVPixelBuffer, _ request: Request) throws(AVError) -> CVPixelBuffer? {
        try tools.withLock { tools throws(AVError) in
            guard let target = Self.pool(for: request, &tools).makeBuffer() else { return nil }
            return try Self.draw(source, into: target, request, tools)
        }
    }

    private static func draw(
        _ source: CVPixelBuffer, into target: CVPixelBuffer, _ request: Request, _ tools: Tools
    ) throws(AVError) -> CVPixelBuffer {
        do throws(PixelError) {
            try tools.converter.convert(source, to: target, request.transform)
        } catch {
            throw AVError(.formatUnsupported, error.message, cause: error)
        }
        CVBufferPropagateAttachments(source, target)
        return target
    }

    private static func pool(for request: Request, _ tools: inout Tools) -> CVPixelBufferPool {
        if let pool = tools.pool, pool.width == request.width, pool.height == request.height,
            pool.pixelFormat == request.pixelFormat
        {
            return pool.pool
        }
        let new = CVPixelBufferPool(
            width: request.width, height: request.height, pixelFormat: request.pixelFormat,
            maximumBufferCount: bufferCount)
        tools.pool = (request.width, request.height, request.pixelFormat, new)
        return new
    }
}
