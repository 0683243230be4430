package import AssetTypes
package import CaptureHAL
package import Dispatch
package import Foundation
package import MediaTypes
package import PixelKernels

/// The output of a preview layer: stores the last frame and delivers rendered frames to the layer's handler.
///
/// It is an output of the session, but clients cannot access it.
/// - Important: Thread-safe.
package final class PreviewOutput: AVCaptureOutput, @unchecked Sendable {
    // SAFETY: all state is behind `state` and `renderer`.
    /// A frame with the transform of its connection.
    struct PreviewFrame {
        let frame: CapturedFrame
        let transform: PixelTransform
    }

    /// The receiver of rendered frames.
    package struct Handler: Sendable {
        let queue: DispatchQueue
        let pixelFormat: OSType
        /// Pixels per point.
        let scale: CGFloat
        let handle: @Sendable (CMSampleBuffer) -> Void

        package init(
            queue: DispatchQueue, pixelFormat: OSType, scale: CGFloat,
            handle: @escaping @Sendable (CMSampleBuffer) -> Void
        ) {
            self.queue = queue
            self.pixelFormat = pixelFormat
            self.scale = scale
            self.handle = handle
        }
    }

    /// The properties of the layer that determine its rendering.
    package struct Appearance: Hashable, Sendable {
        package var size: CGSize
        package var gravity: AVLayerVideoGravity

        package init(size: CGSize = .zero, gravity: AVLayerVideoGravity = .resizeAspect) {
            self.size = size
            self.gravity = gravity
        }
    }

    private struct State {
        var lastFrame: PreviewFrame?
        var isPreviewing = false
        var appearance = Appearance()
        var handler: Handler?
        weak var layer: AnyObject?
    }

    private let state = Lock(State())
    private let renderer = PreviewRenderer()
    private let deliveries: DeliveryQueue
    /// The queue on which observers of `isPreviewing` run.
    private let changeQueue = DispatchQueue(label: "AVCaptureVideoPreviewLayer changes")

    package override init(system: CaptureSystem) {
        deliveries = DeliveryQueue(system.reference)
        super.init(system: system)
    }

    override var acceptedMedia: [AVMediaType] { [.video] }
    override var isVisibleToClients: Bool { false }
    override var adjustsMirroringByDefault: Bool { true }
    override var isUprightInPortrait: Bool { true }

    /// The layer that shows the output's frames; not retained.
    package var layer: AnyObject? {
        get { state.withLock { $0.layer } }
        set { state.withLock { $0.layer = newValue } }
    }

    package var isPreviewing: Bool { state.withLock { $0.isPreviewing } }

    package var appearance: Appearance {
        get { state.withLock { $0.appearance } }
        set { state.withLock { $0.appearance = newValue } }
    }

    package var handler: Handler? {
        get { state.withLock { $0.handler } }
        set { state.withLock { $0.handler = newValue } }
    }

    /// Discards the last frame; called after the layer was removed from its session.
    package func clear() {
        let old = state.withLock { state in
            defer { state.lastFrame = nil }
            return state.lastFrame
        }
        withExtendedLifetime(old) {}
        setPreviewing(false)
    }

    override func consume(_ media: CapturedMedia, from connection: AVCaptureConnection) {
        guard case .video(let frame) = media else { return }
        let new = PreviewFrame(frame: frame, transform: connection.pixelTransform)
        let (old, handler) = state.withLock { state in
            defer { state.lastFrame = new }
            return (state.lastFrame, state.handler)
        }
        // The last frame is released outside the lock: its release queues the driver's buffer.
        withExtendedLifetime(old) {}
        setPreviewing(true)
        guard let handler else { return }
        // The frame is dropped if the handler is busy, so that a preview always shows the latest frame.
        _ = deliveries.submit(on: handler.queue, discardsLate: true) { [weak self] in
            self?.deliver(new, to: handler)
        }
    }

    override func connectionsDidChange() { observedProperties.changed("connection") }

    override func connectionDidChange(_ connection: AVCaptureConnection) {
        if !connection.passesMedia { setPreviewing(false) }
    }

    override func sessionDidStop(_ reason: StopReason) { setPreviewing(false) }

    /// Returns the rendered last frame; nil before the first frame, or if it would have no pixels.
    package func renderedBuffer(scale: CGFloat) -> CVPixelBuffer? {
        let (last, appearance) = state.withLock { ($0.lastFrame, $0.appearance) }
        guard let last, let request = appearance.request(last.transform, kCVPixelFormatType_32BGRA, scale: scale)
        else { return nil }
        // A damaged frame is not shown.
        return try? renderer.renderUnpooled(last.frame.pixelBuffer(), request)
    }

    /// Renders a frame and passes it to a handler.
    private func deliver(_ new: PreviewFrame, to handler: Handler) {
        guard let request = appearance.request(new.transform, handler.pixelFormat, scale: handler.scale) else {
            return
        }
        // A damaged frame is not shown; data outputs report it.
        guard let buffer = try? renderer.render(new.frame.pixelBuffer(), request) else { return }
        handler.handle(
            CMSampleBuffer(
                imageBuffer: buffer, formatDescription: .shared(by: buffer), timing: new.frame.timing))
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
    package func request(
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
