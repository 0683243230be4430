import CaptureHAL
import Dispatch
import Foundation
import MediaAssets
import MediaTypes
import PixelKernels

/// The output of a preview layer: keeps the last frame and delivers rendered frames to the layer's handler.
///
/// It belongs to the session as an output that clients do not see.
/// - Important: Thread-safe.
final class PreviewOutput: AVCaptureOutput, @unchecked Sendable {
    // SAFETY: all state is behind `state` and `renderer`.
    /// A frame with the transform of its connection.
    struct Shown {
        let frame: CapturedFrame
        let transform: PixelTransform
    }

    /// The receiver of rendered frames.
    struct Handler: Sendable {
        let queue: DispatchQueue
        let pixelFormat: OSType
        /// Pixels per point.
        let scale: CGFloat
        let handle: @Sendable (CMSampleBuffer) -> Void
    }

    /// The properties of the layer that determine its rendering.
    struct Appearance: Hashable, Sendable {
        var size = CGSize.zero
        var gravity = AVLayerVideoGravity.resizeAspect
    }

    private struct State {
        var shown: Shown?
        var isPreviewing = false
        var appearance = Appearance()
        var handler: Handler?
        weak var layer: AVCaptureVideoPreviewLayer?
    }

    private let state = Lock(State())
    private let renderer = PreviewRenderer()
    private let deliveries: DeliveryQueue
    /// The queue on which observers of `isPreviewing` run.
    private let changeQueue = DispatchQueue(label: "AVCaptureVideoPreviewLayer changes")

    override init(system: CaptureSystem) {
        deliveries = DeliveryQueue(system.reference)
        super.init(system: system)
    }

    override var acceptedMedia: [AVMediaType] { [.video] }
    override var isVisibleToClients: Bool { false }
    override var previewLayer: AVCaptureVideoPreviewLayer? { layer }
    override var adjustsMirroringByDefault: Bool { true }
    override var isUprightInPortrait: Bool { true }

    var layer: AVCaptureVideoPreviewLayer? {
        get { state.withLock { $0.layer } }
        set { state.withLock { $0.layer = newValue } }
    }

    var isPreviewing: Bool { state.withLock { $0.isPreviewing } }

    var appearance: Appearance {
        get { state.withLock { $0.appearance } }
        set { state.withLock { $0.appearance = newValue } }
    }

    var handler: Handler? {
        get { state.withLock { $0.handler } }
        set { state.withLock { $0.handler = newValue } }
    }

    /// Discards the last frame, after the layer has left its session.
    func clear() {
        let old = state.withLock { state in
            defer { state.shown = nil }
            return state.shown
        }
        withExtendedLifetime(old) {}
        setPreviewing(false)
    }

    override func receive(_ media: CapturedMedia, from connection: AVCaptureConnection) {
        guard case .video(let frame) = media else { return }
        let shown = Shown(frame: frame, transform: connection.pixelTransform)
        let (old, handler) = state.withLock { state in
            defer { state.shown = shown }
            return (state.shown, state.handler)
        }
        // The last frame is released outside the lock: its release queues the driver's buffer.
        withExtendedLifetime(old) {}
        setPreviewing(true)
        guard let handler else { return }
        // A handler that is busy misses this frame and receives the next one: a preview is never late.
        _ = deliveries.submit(on: handler.queue, discardsLate: true) { [weak self] in
            self?.show(shown, to: handler)
        }
    }

    override func connectionsDidChange() { observedProperties.changed("connection") }

    override func connectionDidChange(_ connection: AVCaptureConnection) {
        if !connection.carries { setPreviewing(false) }
    }

    override func sessionDidStop(_ reason: StopReason) { setPreviewing(false) }

    /// Returns the rendered last frame; nil before the first frame, or if the layer shows nothing.
    func renderedBuffer(scale: CGFloat) -> CVPixelBuffer? {
        let (shown, appearance) = state.withLock { ($0.shown, $0.appearance) }
        guard let shown, let request = appearance.request(shown.transform, kCVPixelFormatType_32BGRA, scale: scale)
        else { return nil }
        // A damaged frame is not shown.
        return try? renderer.renderUnpooled(shown.frame.pixelBuffer(), request)
    }

    private func show(_ shown: Shown, to handler: Handler) {
        guard let request = appearance.request(shown.transform, handler.pixelFormat, scale: handler.scale) else {
            return
        }
        // A damaged frame is not shown; data outputs report it.
        guard let buffer = try? renderer.render(shown.frame.pixelBuffer(), request) else { return }
        handler.handle(
            CMSampleBuffer(
                imageBuffer: buffer, formatDescription: .shared(by: buffer), timing: shown.frame.timing))
    }

    private func setPreviewing(_ isPreviewing: Bool) {
        let hasChanged = state.withLock { state in
            defer { state.isPreviewing = isPreviewing }
            return state.isPreviewing != isPreviewing
        }
        guard hasChanged else { return }
        let observers = observedProperties
        system.deliver(on: changeQueue) { observers.changed("isPreviewing") }
    }
}

extension PreviewOutput.Appearance {
    /// Returns the rendering request for a frame; nil if the result would have no pixels.
    func request(
        _ transform: PixelTransform, _ pixelFormat: OSType, scale: CGFloat
    ) -> PreviewRenderer.Request? {
        let sides = [size.width * scale, size.height * scale].map { $0.rounded() }
        guard sides.allSatisfy({ (1...16384).contains($0) }) else { return nil }
        var fitted = transform
        fitted.fitting =
            switch gravity {
            case .resize: .stretch
            case .resizeAspectFill: .fill
            default: .fit
            }
        return PreviewRenderer.Request(
            width: Int(sides[0]), height: Int(sides[1]), pixelFormat: pixelFormat, transform: fitted)
    }
}
