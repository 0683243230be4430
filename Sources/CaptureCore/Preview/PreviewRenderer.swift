package import AssetTypes
package import MediaTypes
import PixelKernels

/// Renders frames into the bounds of a layer.
///
/// - Important: Thread-safe; renders one frame at a time.
package final class PreviewRenderer: Sendable {
    /// The size, format and transform of a rendered frame.
    package struct Request: Hashable, Sendable {
        var width: Int
        var height: Int
        var pixelFormat: OSType
        var transform: PixelTransform
    }

    /// The number of rendered frames that a handler may retain before frames are skipped.
    static let bufferCount = 4

    private struct Resources {
        let converter = PixelConverter()
        var pool: (width: Int, height: Int, pixelFormat: OSType, pool: CVPixelBufferPool)?
    }

    private let resources = Lock(Resources())

    package init() {}

    /// Renders a frame into a newly allocated buffer; nil if it cannot be allocated.
    package func renderUnpooled(_ source: CVPixelBuffer, _ request: Request) throws(AVError) -> CVPixelBuffer? {
        let target = CVPixelBuffer(width: request.width, height: request.height, pixelFormat: request.pixelFormat)
        guard let target else { return nil }
        return try resources.withLock { resources throws(AVError) in
            try Self.draw(source, into: target, request, resources)
        }
    }

    /// Renders a frame into a pooled buffer; nil if all buffers are in use.
    func render(_ source: CVPixelBuffer, _ request: Request) throws(AVError) -> CVPixelBuffer? {
        try resources.withLock { resources throws(AVError) in
            guard let target = Self.pool(for: request, &resources).makeBuffer() else { return nil }
            return try Self.draw(source, into: target, request, resources)
        }
    }

    private static func draw(
        _ source: CVPixelBuffer, into target: CVPixelBuffer, _ request: Request, _ resources: Resources
    ) throws(AVError) -> CVPixelBuffer {
        do throws(ImageError) {
            try resources.converter.convert(source, to: target, request.transform)
        } catch {
            throw AVError(.formatUnsupported, error.message, cause: error)
        }
        CVBufferPropagateAttachments(source, target)
        if HighDynamicRange(source) != nil, target.format.model != .yCbCr {
            HighDynamicRange.tagAsStandardRange(target)
        }
        return target
    }

    private static func pool(for request: Request, _ resources: inout Resources) -> CVPixelBufferPool {
        if let pool = resources.pool, pool.width == request.width, pool.height == request.height,
            pool.pixelFormat == request.pixelFormat
        {
            return pool.pool
        }
        let new = CVPixelBufferPool(
            width: request.width, height: request.height, pixelFormat: request.pixelFormat,
            maximumBufferCount: bufferCount, name: "of a preview")
        resources.pool = (request.width, request.height, request.pixelFormat, new)
        return new
    }
}
