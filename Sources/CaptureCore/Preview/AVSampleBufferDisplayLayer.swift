import CaptureHAL
public import Dispatch
public import Foundation
public import KeyValueObserving
public import MediaAssets
public import MediaTypes
import PixelKernels
public import QuartzCore

/// Whether a layer or renderer can take sample buffers.
public enum AVQueuedSampleBufferRenderingStatus: Int, Sendable, Hashable {
    case unknown = 0
    case rendering = 1
    case failed = 2
}

/// A layer that shows the pictures that a client gives it, each at its time.
///
/// Nothing is drawn on a screen: `renderedImage(scale:)` gives what a person would see.
/// - Note: Unlike Apple, only pictures with pixels are shown, and times are always those of the host time clock: there is
///   no control timebase.
/// - Important: Thread-safe.
open class AVSampleBufferDisplayLayer: CALayer, KeyValueObserving, @unchecked Sendable {
    // SAFETY: all state is behind the locks of the base class and `display`.
    private struct Display {
        var shown: CVPixelBuffer?
        /// The pictures that wait for their times, by number.
        var waiting: Set<UInt64> = []
        var next: UInt64 = 0
        var status = AVQueuedSampleBufferRenderingStatus.unknown
        var error: AVError?
        var gravity = AVLayerVideoGravity.resizeAspect
        var request: (queue: DispatchQueue, block: @Sendable () -> Void)?
    }

    /// The most pictures that wait for their times.
    private static let limit = 8

    public let observedProperties = ObservedProperties()
    private let system: CaptureSystem
    private let display = Lock(Display())
    private let renderer = PreviewRenderer()

    public override init() {
        system = .current
        super.init()
    }

    public override init(layer: Any) {
        system = (layer as? AVSampleBufferDisplayLayer)?.system ?? .current
        super.init(layer: layer)
        if let gravity = (layer as? AVSampleBufferDisplayLayer)?.videoGravity { videoGravity = gravity }
    }

    /// How pictures meet the layer's bounds; `resizeAspect` by default.
    public var videoGravity: AVLayerVideoGravity {
        get { display.withLock { $0.gravity } }
        set { display.withLock { $0.gravity = newValue } }
    }

    /// Whether pictures can be shown; can be observed.
    public var status: AVQueuedSampleBufferRenderingStatus {
        observedProperties.access()
        return display.withLock { $0.status }
    }

    /// Why pictures can no longer be shown: an `AVError`, until `flush()`.
    public var error: (any Error)? { display.withLock { $0.error } }

    /// Whether there is a picture to see.
    public var isReadyForDisplay: Bool { display.withLock { $0.shown != nil } }

    /// Whether more pictures may come; not so while eight wait for their times.
    public var isReadyForMoreMediaData: Bool { display.withLock { $0.waiting.count < Self.limit } }

    /// Shows a picture at its output presentation time, or at once where that has passed or an attachment says so.
    ///
    /// A buffer without samples takes away what is seen, at its time. A sample without pixels makes the layer fail.
    public func enqueue(_ sampleBuffer: CMSampleBuffer) {
        guard display.withLock({ $0.status != .failed }) else { return }
        let attachments = sampleBuffer.numSamples > 0 ? sampleBuffer.sampleAttachments[0] : nil
        if attachments?[.doNotDisplay] as? Bool == true { return }
        let picture = sampleBuffer.imageBuffer
        guard picture != nil || sampleBuffer.numSamples == 0 else {
            return set(
                .failed, AVError(.decoderNotFound, "a display layer shows pictures with pixels; this sample has none"))
        }
        let time = sampleBuffer.outputPresentationTimeStamp
        if attachments?[.displayImmediately] as? Bool == true {
            removeWaiting()
            show(picture)
        } else if !time.isNumeric || time <= system.clock.now {
            show(picture)
        } else {
            wait(for: picture, at: time)
        }
        if display.withLock({ $0.status == .unknown }) { set(.rendering, nil) }
    }

    /// Forgets pictures that wait, and a failure; what is seen stays.
    public func flush() {
        removeWaiting()
        if display.withLock({ $0.status == .failed }) { set(.unknown, nil) }
    }

    /// Forgets pictures that wait, and what is seen.
    public func flushAndRemoveImage() {
        flush()
        display.withLock { $0.shown = nil }
    }

    /// Calls `block` whenever more pictures may come, until `stopRequestingMediaData()`.
    public func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
        display.withLock { $0.request = (queue, block) }
        askForMore()
    }

    public func stopRequestingMediaData() { display.withLock { $0.request = nil } }

    /// What a person would see in the layer's bounds, black beside the picture; nil where that is nothing.
    ///
    /// Not Apple's: a layer without a screen.
    /// - Parameter scale: Pixels a point; nil takes `contentsScale`.
    public func renderedImage(scale: CGFloat? = nil) -> CGImage? {
        let (shown, gravity) = display.withLock { ($0.shown, $0.gravity) }
        let appearance = PreviewOutput.Appearance(size: bounds.size, gravity: gravity)
        guard !isHidden, opacity > 0, let shown,
            let request = appearance.request(.identity, kCVPixelFormatType_32BGRA, scale: scale ?? contentsScale)
        else { return nil }
        // A format that cannot be converted leaves nothing to see.
        return (try? renderer.makePicture(of: shown, request)).flatMap { $0 }.map { CGImage(pixelBuffer: $0) }
    }

    private func wait(for picture: CVPixelBuffer?, at time: CMTime) {
        let number = display.withLock { display in
            defer { display.next += 1 }
            display.waiting.insert(display.next)
            return display.next
        }
        system.clock.schedule(at: time) { [weak self] in
            // A picture that was flushed meanwhile is not shown.
            guard let self, display.withLock({ $0.waiting.remove(number) }) != nil else { return }
            show(picture)
            askForMore()
        }
    }

    private func removeWaiting() { display.withLock { $0.waiting = [] } }

    private func show(_ picture: CVPixelBuffer?) { display.withLock { $0.shown = picture } }

    private func askForMore() {
        guard let request = display.withLock({ $0.waiting.count < Self.limit ? $0.request : nil }) else { return }
        system.clock.deliver(on: request.queue, request.block)
    }

    private func set(_ status: AVQueuedSampleBufferRenderingStatus, _ error: AVError?) {
        display.withLock { ($0.status, $0.error) = (status, error) }
        observedProperties.changed(["status"])
    }
}
