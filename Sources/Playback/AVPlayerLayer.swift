public import AssetTypes
import CaptureHAL
public import Foundation
public import KeyValueObserving
public import MediaTypes
public import QuartzCore

/// A layer that shows the video of a player's current item.
///
/// It is not displayed: `render(in:)` draws the frame at the current time, with the track's preferred transform.
/// - Important: Thread-safe.
open class AVPlayerLayer: CALayer, KeyValueObserving, @unchecked Sendable {
    // SAFETY: all state is behind the locks of the base class, `shown` and `attributes`.
    public let observedProperties: ObservedProperties
    private let shown: Lock<(player: AVPlayer?, gravity: AVLayerVideoGravity)>
    private let attributes = Lock<[String: any Sendable]?>(nil)

    /// Creates a layer for a player.
    public convenience init(player: AVPlayer?) {
        self.init()
        self.player = player
    }

    public override init() {
        let system = CaptureSystem.current
        observedProperties = ObservedProperties(system.reference, system.misuse)
        shown = Lock((nil, .resizeAspect))
        super.init()
    }

    /// Creates a layer with the player and appearance of another one.
    public override init(layer: Any) {
        let other = layer as? AVPlayerLayer
        let system = CaptureSystem.current
        observedProperties = ObservedProperties(system.reference, system.misuse)
        shown = Lock((other?.player, other?.videoGravity ?? .resizeAspect))
        super.init(layer: layer)
        player?.add(self)
    }

    /// The player of the displayed video.
    public var player: AVPlayer? {
        get {
            observedProperties.access()
            return shown.withLock { $0.player }
        }
        set {
            let old = shown.withLock { shown in
                defer { shown.player = newValue }
                return shown.player
            }
            old?.remove(self)
            newValue?.add(self)
            observedProperties.changed(["player", "isReadyForDisplay"])
        }
    }

    /// How the video is fitted into the layer's bounds; `resizeAspect` by default.
    public var videoGravity: AVLayerVideoGravity {
        get {
            observedProperties.access()
            return shown.withLock { $0.gravity }
        }
        set {
            shown.withLock { $0.gravity = newValue }
            observedProperties.changed()
        }
    }

    /// Whether the current item is ready and has video; can be observed.
    public var isReadyForDisplay: Bool {
        observedProperties.access()
        guard let item = shown.withLock({ $0.player })?.currentItem else { return false }
        return item.isReady && item.videoTrack != nil
    }

    /// The rectangle of the video in the layer's coordinates; empty without video.
    public var videoRect: CGRect {
        let size = player?.currentItem?.presentationSize ?? .zero
        guard size.width > 0, size.height > 0 else { return .zero }
        return videoGravity.rect(of: size, in: bounds)
    }

    /// The format of the buffers that `copyDisplayedPixelBuffer()` returns, as for `AVAssetReaderTrackOutput`; nil, the
    /// default, for 32BGRA.
    ///
    /// - Note: Unlike Apple, the values are `Sendable`, like those of `AVPlayerItemVideoOutput`.
    public var pixelBufferAttributes: [String: any Sendable]? {
        get {
            observedProperties.access()
            return attributes.withLock { $0 }
        }
        set {
            attributes.withLock { $0 = newValue }
            observedProperties.changed()
        }
    }

    /// Returns the frame at the current time, without the track's preferred transform; nil without video, and while the
    /// player plays.
    public func copyDisplayedPixelBuffer() -> CVPixelBuffer? {
        guard let player, player.rate == 0, let item = player.currentItem else { return nil }
        guard let settings = attributes.withLock({ $0 }) else { return item.layerFrame() }
        return item.layerFrame(settings)
    }

    /// Draws the frame at the current time.
    open override func draw(in ctx: CGContext) {
        guard let item = player?.currentItem, let frame = item.layerFrame(),
            let (size, transform) = item.displayGeometry
        else { return }
        let (target, natural) = (videoRect, CGRect(origin: .zero, size: size))
        let transformed = natural.applying(transform).standardized
        guard transformed.width > 0, transformed.height > 0 else { return }
        ctx.saveGState()
        ctx.translateBy(x: target.minX, y: target.minY)
        ctx.scaleBy(x: target.width / transformed.width, y: target.height / transformed.height)
        ctx.translateBy(x: -transformed.minX, y: -transformed.minY)
        ctx.concatenate(transform)
        ctx.drawUpright(CGImage(pixelBuffer: frame), in: natural)
        ctx.restoreGState()
    }
}
