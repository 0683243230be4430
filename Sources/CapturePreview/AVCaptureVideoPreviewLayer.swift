public import AssetTypes
public import CaptureCore
import CaptureHAL
public import Dispatch
public import Foundation
public import KeyValueObserving
public import MediaTypes
public import QuartzCore

/// A layer that shows the frames of a session's camera.
///
/// The layer retains its session. It has no screen: `renderedImage(scale:)` returns its current content, and
/// `setFrameHandler(on:scale:pixelFormat:_:)` delivers each rendered frame.
/// - Important: Thread-safe.
open class AVCaptureVideoPreviewLayer: CALayer, KeyValueObserving, @unchecked Sendable {
    // SAFETY: all state is behind the locks of the base class, `membership` and `preview`.
    public let observedProperties: ObservedProperties
    let preview: PreviewOutput
    private let membership: Lock<AVCaptureSession?>

    /// Creates a layer without a session.
    public override init() {
        preview = PreviewOutput(system: .current)
        observedProperties = preview.observedProperties
        membership = Lock(nil)
        super.init()
        preview.layer = self
    }

    /// Creates a layer that shows the session's first camera.
    public init(session: AVCaptureSession) {
        preview = PreviewOutput(system: session.system)
        observedProperties = preview.observedProperties
        membership = Lock(nil)
        super.init()
        preview.layer = self
        attach(to: session, connecting: true)
    }

    /// Creates a layer that shows no frames until a connection to it is added to the session.
    public init(sessionWithNoConnection session: AVCaptureSession) {
        preview = PreviewOutput(system: session.system)
        observedProperties = preview.observedProperties
        membership = Lock(nil)
        super.init()
        preview.layer = self
        attach(to: session, connecting: false)
    }

    /// Creates a layer with the appearance of another layer, but without superlayer and session.
    public override init(layer: Any) {
        preview = PreviewOutput(system: (layer as? AVCaptureVideoPreviewLayer)?.preview.system ?? .current)
        observedProperties = preview.observedProperties
        membership = Lock(nil)
        super.init(layer: layer)
        preview.layer = self
        preview.appearance = PreviewOutput.Appearance(
            size: super.bounds.size,
            gravity: (layer as? AVCaptureVideoPreviewLayer)?.videoGravity ?? .resizeAspect)
    }

    deinit { detach() }

    /// The session that provides the video; setting it connects the layer to the session's first camera.
    public var session: AVCaptureSession? {
        get {
            observedProperties.access()
            return membership.withLock { $0 }
        }
        set { attach(to: newValue, connecting: true) }
    }

    /// Sets the session without creating a connection.
    public func setSessionWithNoConnection(_ session: AVCaptureSession) { attach(to: session, connecting: false) }

    /// The connection that feeds the layer; nil without a session or camera.
    public var connection: AVCaptureConnection? {
        observedProperties.access()
        return preview.connections.first
    }

    /// How the frame is fitted into the layer's bounds; `resizeAspect` by default.
    public var videoGravity: AVLayerVideoGravity {
        get {
            observedProperties.access()
            return preview.appearance.gravity
        }
        set {
            preview.appearance.gravity = newValue
            observedProperties.changed()
        }
    }

    /// Whether frames arrive at the layer; can be observed, on a private queue.
    public var isPreviewing: Bool {
        observedProperties.access()
        return preview.isPreviewing
    }

    open override var bounds: CGRect {
        get {
            observedProperties.access()
            return super.bounds
        }
        set {
            super.bounds = newValue
            preview.appearance.size = newValue.size
            observedProperties.changed()
        }
    }

    /// Whether a session can start the layer after its other outputs; always true.
    public var isDeferredStartSupported: Bool { preview.isDeferredStartSupported }

    /// Whether the session starts the layer after the outputs without deferred start; false by default.
    ///
    /// It takes effect when the session starts, or with the next commit.
    public var isDeferredStartEnabled: Bool {
        get { preview.isDeferredStartEnabled }
        set { preview.isDeferredStartEnabled = newValue }
    }

    /// Draws the current content.
    open override func draw(in ctx: CGContext) {
        // Pixels of the context per point of the layer.
        let transform = ctx.ctm
        let scale = (transform.a * transform.d - transform.b * transform.c).magnitude.squareRoot()
        if let image = renderedImage(scale: scale) { ctx.drawUpright(image, in: bounds) }
    }

    /// Sets the session and optionally connects the layer to its first camera.
    private func attach(to new: AVCaptureSession?, connecting: Bool) {
        guard new !== session || !connecting else { return }
        if let new,
            let message = preview.system.reference.rejectionReason(
                joining: "the session", of: new.system.reference, to: "the layer")
        {
            return preview.system.misuse.report(
                .invalidArgument, "-[AVCaptureVideoPreviewLayer setSession:] \(message)")
        }
        detach()
        if let new {
            membership.withLock { $0 = new }
            new.add(preview, connecting: connecting)
        }
        observedProperties.changed("session")
    }

    /// Removes the layer from its session.
    private func detach() {
        let old = membership.withLock { session in
            defer { session = nil }
            return session
        }
        old?.remove(preview)
        preview.clear()
    }
}

/// Access to the rendered content. Not in Apple's API: on Linux a layer has no screen.
extension AVCaptureVideoPreviewLayer {
    /// Returns the content of the layer: the last frame with gravity, rotation and mirroring applied, on black.
    ///
    /// Corners, opacity, transform and sublayers are not rendered; `render(in:)` draws them.
    ///
    /// - Parameter scale: Pixels per point; nil means `contentsScale`.
    /// - Returns: Nil before the first frame, if the layer is hidden, or if its bounds are empty.
    public func renderedImage(scale: CGFloat? = nil) -> CGImage? {
        guard !isHidden, opacity > 0 else { return nil }
        return preview.renderedBuffer(scale: scale ?? contentsScale).map { CGImage(pixelBuffer: $0) }
    }

    /// Sets a handler that receives each frame as rendered by the layer; nil removes it.
    ///
    /// Frames have the size of `bounds` times `scale`. Frames that arrive while the handler is busy, or while four
    /// rendered frames are retained, are skipped.
    ///
    /// - Parameters:
    ///   - queue: A serial queue on which frames are rendered and delivered.
    ///   - scale: Pixels per point.
    ///   - pixelFormat: A pixel format that `AVCaptureVideoDataOutput` supports.
    ///   - handler: Receives a rendered frame with the timing of the captured frame.
    public func setFrameHandler(
        on queue: DispatchQueue, scale: CGFloat = 1, pixelFormat: OSType = kCVPixelFormatType_32BGRA,
        _ handler: (@Sendable (CMSampleBuffer) -> Void)?
    ) {
        preview.handler = handler.map {
            PreviewOutput.Handler(queue: queue, pixelFormat: pixelFormat, scale: scale, handle: $0)
        }
    }
}
