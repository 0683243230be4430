public import Foundation
import MediaAssets
public import MediaTypes
import PixelKernels

/// The ratio of the width and the height of pixels.
public struct AVPixelAspectRatio: Hashable, Sendable {
    public var horizontalSpacing: Int
    public var verticalSpacing: Int

    public init() { self.init(horizontalSpacing: 0, verticalSpacing: 0) }

    public init(horizontalSpacing: Int, verticalSpacing: Int) {
        self.horizontalSpacing = horizontalSpacing
        self.verticalSpacing = verticalSpacing
    }
}

/// The widths of the edges outside the clean aperture, in pixels.
public struct AVEdgeWidths: Hashable, Sendable {
    public var left: CGFloat
    public var top: CGFloat
    public var right: CGFloat
    public var bottom: CGFloat

    public init() { self.init(left: 0, top: 0, right: 0, bottom: 0) }

    public init(left: CGFloat, top: CGFloat, right: CGFloat, bottom: CGFloat) {
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
    }
}

/// A custom compositor of video frames, implemented by a class of the client.
///
/// Each player item, reader output, image generator and export that has a video composition creates its own instance.
/// - Note: Unlike Apple, the protocol requires the initializer, because Linux cannot instantiate classes by name. A
///   class that is not final declares it as `required`.
public protocol AVVideoCompositing: NSObjectProtocol, Sendable {
    /// The type of `sourcePixelBufferAttributes`: `[String: any Sendable]?`, or `[String: Any]?` in older sources.
    associatedtype SourceAttributes
    /// The type of `requiredPixelBufferAttributesForRenderContext`: `[String: any Sendable]`, or `[String: Any]`.
    associatedtype RenderAttributes

    init()

    /// The attributes of the source frames; must contain `kCVPixelBufferPixelFormatTypeKey`.
    var sourcePixelBufferAttributes: SourceAttributes { get }
    /// The attributes of the buffers of render contexts; must contain `kCVPixelBufferPixelFormatTypeKey`.
    var requiredPixelBufferAttributesForRenderContext: RenderAttributes { get }

    /// Called before requests with a new render context.
    func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext)
    /// Starts to compose a frame. The compositor calls one of the request's `finish` methods, now or later, on any
    /// thread.
    func startRequest(_ asyncVideoCompositionRequest: AVAsynchronousVideoCompositionRequest)
    /// Cancels or finishes all requests before it returns; optional.
    func cancelAllPendingVideoCompositionRequests()
    /// Called before the requests of a time range; optional.
    func anticipateRendering(using renderHint: AVVideoCompositionRenderHint)
    /// Called before the first requests, so that the compositor can prepare for them; optional.
    func prerollForRendering(using renderHint: AVVideoCompositionRenderHint)

    /// Whether source frames can have wide color; false by default. The value has no effect.
    var supportsWideColorSourceFrames: Bool { get }
    /// Whether source frames can have a high dynamic range; false by default. The value has no effect.
    var supportsHDRSourceFrames: Bool { get }
    /// Whether source frames can have several layers; false by default. The value has no effect.
    var supportsSourceTaggedBuffers: Bool { get }
    /// Whether the compositor converts colors; false by default. The value has no effect.
    var canConformColorOfSourceFrames: Bool { get }
}

extension AVVideoCompositing {
    public func cancelAllPendingVideoCompositionRequests() {}
    public func anticipateRendering(using renderHint: AVVideoCompositionRenderHint) {}
    public func prerollForRendering(using renderHint: AVVideoCompositionRenderHint) {}
    public var supportsWideColorSourceFrames: Bool { false }
    public var supportsHDRSourceFrames: Bool { false }
    public var supportsSourceTaggedBuffers: Bool { false }
    public var canConformColorOfSourceFrames: Bool { false }
}

/// The size of composed frames, and a pool of buffers for them.
///
/// - Important: Thread-safe.
public final class AVVideoCompositionRenderContext: NSObject, @unchecked Sendable {
    // SAFETY: the constants are values and thread-safe objects, and the pool is behind a lock.

    /// The size of composed frames in pixels: the render size multiplied by the render scale.
    public let size: CGSize
    /// The transform from the coordinates of the render size to pixels of composed frames.
    public let renderTransform: CGAffineTransform
    public let renderScale: Float
    /// Square pixels.
    public let pixelAspectRatio = AVPixelAspectRatio(horizontalSpacing: 1, verticalSpacing: 1)
    /// No edges.
    public let edgeWidths = AVEdgeWidths()
    /// Whether quality matters more than speed: false for players only.
    public let highQualityRendering: Bool
    public let videoComposition: AVVideoComposition
    private let pixelFormat: OSType
    /// The color attachments of composed frames.
    private let colors: [(key: CFString, value: String)]
    private let pool = Lock(FramePool())

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - highQuality: Whether quality matters more than speed.
    ///   - source: A source frame, which provides the color properties that the composition does not specify.
    init(_ composition: AVVideoComposition, pixelFormat: OSType, highQuality: Bool, source: CVPixelBuffer?) {
        let scale = CGFloat(composition.renderScale)
        let renderSize = composition.renderSize
        size = CGSize(
            width: max(1, (renderSize.width * scale).rounded()), height: max(1, (renderSize.height * scale).rounded()))
        renderTransform = CGAffineTransform(scaleX: size.width / renderSize.width, y: size.height / renderSize.height)
        renderScale = composition.renderScale
        highQualityRendering = highQuality
        videoComposition = composition
        self.pixelFormat = pixelFormat
        let requested = [
            (kCVImageBufferColorPrimariesKey, composition.colorPrimaries),
            (kCVImageBufferTransferFunctionKey, composition.colorTransferFunction),
            (kCVImageBufferYCbCrMatrixKey, composition.colorYCbCrMatrix),
        ]
        colors = requested.compactMap { key, value in
            let color = value ?? source.flatMap { CVBufferCopyAttachment($0, key, nil) as? String }
            return color.map { (key, $0) }
        }
    }

    /// Returns a buffer with undefined contents, from a pool; nil if out of memory.
    ///
    /// It is tagged with the color properties of the composition, or else of the source frames.
    public func newPixelBuffer() -> CVPixelBuffer? {
        let buffer = pool.withLock { $0.buffer(Int(size.width), Int(size.height), pixelFormat) }
        if let buffer { tag(buffer) }
        return buffer
    }

    /// Tags a buffer with the colors of composed frames.
    func tag(_ buffer: CVPixelBuffer) {
        for key in [
            kCVImageBufferColorPrimariesKey, kCVImageBufferTransferFunctionKey, kCVImageBufferYCbCrMatrixKey,
        ] { CVBufferRemoveAttachment(buffer, key) }
        for color in colors { CVBufferSetAttachment(buffer, color.key, color.value, .shouldPropagate) }
    }

    /// The matrix for conversions of composed frames to Y'CbCr.
    var matrix: YCbCrEncoding.Matrix {
        let value = colors.first { $0.key == kCVImageBufferYCbCrMatrixKey }?.value
        return value.flatMap { YCbCrEncoding.Matrix(attachment: $0) } ?? .assumed(height: Int(size.height))
    }
}

/// A range of upcoming requests.
public final class AVVideoCompositionRenderHint: NSObject, Sendable {
    /// The time of the first request.
    public let startCompositionTime: CMTime
    /// The time after the last request; before the start in reverse playback.
    public let endCompositionTime: CMTime

    init(start: CMTime, end: CMTime) {
        startCompositionTime = start
        endCompositionTime = end
    }
}
