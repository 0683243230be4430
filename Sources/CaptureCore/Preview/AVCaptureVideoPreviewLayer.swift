import CaptureHAL
public import Dispatch
public import Foundation
public import KeyValueObserving
public import MediaAssets
public import MediaTypes
public import QuartzCore

/// A layer that shows what a session's camera sees.
///
/// The layer keeps its session alive. Nothing is drawn on a screen: `renderedImage(scale:)` gives what a person would
/// see, and `setFrameHandler(on:scale:pixelFormat:_:)` each picture of it.
/// - Important: Thread-safe.
open class AVCaptureVideoPreviewLayer: CALayer, KeyValueObserving, @unchecked Sendable {
    // SAFETY: all state is behind the locks of the base class, `membership` and `preview`.
    public let observedProperties = ObservedProperties()
    let preview: PreviewOutput
    private let membership: Lock<AVCaptureSession?>

    /// Makes a layer without a session.
    public override init() {
        preview = PreviewOutput(system: .current)
        membership = Lock(nil)
        super.init()
        preview.layer = self
    }

    /// Makes a layer that shows the session's first camera.
    public init(session: AVCaptureSession) {
        preview = PreviewOutput(system: session.system)
        membership = Lock(nil)
        super.init()
        preview.layer = self
        join(session, connecting: true)
    }

    /// Makes a layer that shows nothing until a connection to it is added to the session.
    public init(sessionWithNoConnection session: AVCaptureSession) {
        preview = PreviewOutput(system: session.system)
        membership = Lock(nil)
        super.init()
        preview.layer = self
        join(session, connecting: false)
    }

    /// Makes a layer that looks like another one, in no tree and without a session.
    public override init(layer: Any) {
        preview = PreviewOutput(system: (layer as? AVCaptureVideoPreviewLayer)?.preview.system ?? .current)
        membership = Lock(nil)
        super.init(layer: layer)
        preview.layer = self
        preview.appearance = PreviewOutput.Appearance(
            size: super.bounds.size,
            gravity: (layer as? AVCaptureVideoPreviewLayer)?.videoGravity ?? .resizeAspect)
    }

    deinit { leave() }

    /// The session whose camera is shown; setting one connects the layer to its first camera.
    public var session: AVCaptureSession? {
        get { membership.withLock { $0 } }
        set { join(newValue, connecting: true) }
    }

    /// Sets the session and makes no connection.
    public func setSessionWithNoConnection(_ session: AVCaptureSession) { join(session, connecting: false) }

    /// The connection that feeds the layer; nil without a session or camera.
    public var connection: AVCaptureConnection? { preview.connections.first }

    /// How the picture meets the layer's bounds; `resizeAspect` by default.
    public var videoGravity: AVLayerVideoGravity {
        get { preview.appearance.gravity }
        set { preview.appearance.gravity = newValue }
    }

    /// Whether frames come to the layer; can be observed, on a queue of the library.
    public var isPreviewing: Bool {
        observedProperties.access()
        return preview.isPreviewing
    }

    open override var bounds: CGRect {
        get { super.bounds }
        set {
            super.bounds = newValue
            preview.appearance.size = newValue.size
        }
    }

    private func join(_ new: AVCaptureSession?, connecting: Bool) {
        guard new !== session || !connecting else { return }
        leave()
        guard let new else { return }
        membership.withLock { $0 = new }
        new.add(preview, connecting: connecting)
    }

    private func leave() {
        let old = membership.withLock { session in
            defer { session = nil }
            return session
        }
        old?.remove(preview)
        preview.clear()
    }
}

/// What is not Apple's: a layer without a screen.
extension AVCaptureVideoPreviewLayer {
    /// What a person would see in the layer's bounds: the last frame by gravity, rotation and mirroring, black beside it.
    ///
    /// Corners, opacity, transform and sublayers are not drawn.
    /// - Parameter scale: Pixels a point; nil takes `contentsScale`.
    /// - Returns: nil before the first frame, where the layer is hidden, or its bounds are empty.
    public func renderedImage(scale: CGFloat? = nil) -> CGImage? {
        guard !isHidden, opacity > 0 else { return nil }
        return preview.picture(scale: scale ?? contentsScale).map { CGImage(pixelBuffer: $0) }
    }

    /// Has each frame drawn as the layer shows it and handed to `handler`; nil ends that.
    ///
    /// Pictures follow the size of `bounds`. A handler that is still busy with one misses the next; while four are held
    /// none come.
    /// - Parameters:
    ///   - queue: A serial queue on which pictures are drawn and handed over.
    ///   - scale: Pixels a point.
    ///   - pixelFormat: Any that `AVCaptureVideoDataOutput` offers.
    ///   - handler: Gets a picture with the frame's time.
    public func setFrameHandler(
        on queue: DispatchQueue, scale: CGFloat = 1, pixelFormat: OSType = kCVPixelFormatType_32BGRA,
        _ handler: (@Sendable (CMSampleBuffer) -> Void)?
    ) {
        preview.handler = handler.map {
            PreviewOutput.Handler(queue: queue, pixelFormat: pixelFormat, scale: scale, handle: $0)
        }
    }
}
