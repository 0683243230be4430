public import AssetTypes
import CaptureCore
import CaptureHAL
public import Dispatch
public import Foundation
public import KeyValueObserving
public import MediaTypes
import PixelKernels
public import QuartzCore

/// Whether a layer or renderer accepts sample buffers.
public enum AVQueuedSampleBufferRenderingStatus: Int, Sendable, Hashable {
    case unknown = 0
    case rendering = 1
    case failed = 2
}

/// A layer that displays sample buffers at their presentation times.
///
/// It has no screen: `renderedImage(scale:)` returns its current content.
/// - Note: Unlike Apple, only uncompressed images are displayed, and there is no control timebase: times always refer
///   to the host time clock.
/// - Important: Thread-safe.
open class AVSampleBufferDisplayLayer: CALayer, KeyValueObserving, @unchecked Sendable {
    // SAFETY: all state is behind the locks of the base class and `display`.
    private struct Display {
        /// The displayed image; nil if there is none.
        var image: CVPixelBuffer?
        /// The numbers of the images that wait for their presentation times.
        var waiting: Set<UInt64> = []
        /// The number of the next waiting image.
        var nextNumber: UInt64 = 0
        var status = AVQueuedSampleBufferRenderingStatus.unknown
        var error: AVError?
        var gravity = AVLayerVideoGravity.resizeAspect
        var request: (queue: DispatchQueue, block: @Sendable () -> Void)?

        /// The maximum number of waiting images.
        static let limit = 8
        /// Whether more images can wait.
        var isReady: Bool { waiting.count < Self.limit }
    }

    public let observedProperties: ObservedProperties
    private let system: CaptureSystem
    private let display = Lock(Display())
    private let renderer = PreviewRenderer()

    public override init() {
        system = .current
        observedProperties = ObservedProperties(system.reference, system.misuse)
        super.init()
    }

    public override init(layer: Any) {
        system = (layer as? AVSampleBufferDisplayLayer)?.system ?? .current
        observedProperties = ObservedProperties(system.reference, system.misuse)
        super.init(layer: layer)
        if let gravity = (layer as? AVSampleBufferDisplayLayer)?.videoGravity { videoGravity = gravity }
    }

    /// How images are fitted into the layer's bounds; `resizeAspect` by default.
    public var videoGravity: AVLayerVideoGravity {
        get { observedProperties.value(\.gravity, in: display) }
        set { observedProperties.set(\.gravity, in: display, to: newValue) }
    }

    /// Whether images can be displayed; can be observed.
    public var status: AVQueuedSampleBufferRenderingStatus {
        observedProperties.access()
        return display.withLock { $0.status }
    }

    /// The reason for a failure, an `AVError`; reset by `flush()`. Can be observed.
    public var error: (any Error)? {
        observedProperties.access("status")
        return display.withLock { $0.error }
    }

    /// Whether an image is displayed; can be observed.
    public var isReadyForDisplay: Bool {
        observedProperties.access()
        return display.withLock { $0.image != nil }
    }

    /// Whether the layer accepts more images; false while eight wait for their presentation times. Can be observed.
    public var isReadyForMoreMediaData: Bool {
        observedProperties.access()
        return display.withLock { $0.isReady }
    }

    /// Displays an image at its output presentation time, or immediately if that time has passed or the attachment
    /// `displayImmediately` requests it. The attachment also discards waiting images.
    ///
    /// A buffer without samples removes the displayed image at its time. A sample without an image buffer makes the
    /// layer fail.
    public func enqueue(_ sampleBuffer: CMSampleBuffer) {
        guard display.withLock({ $0.status != .failed }) else { return }
        let attachments = sampleBuffer.numSamples > 0 ? sampleBuffer.sampleAttachments[0] : nil
        if attachments?[.doNotDisplay] as? Bool == true { return }
        let image = sampleBuffer.imageBuffer
        guard image != nil || sampleBuffer.numSamples == 0 else {
            return set(
                .failed, AVError(.decoderNotFound, "a display layer requires an image buffer; this sample has none"))
        }
        let time = sampleBuffer.outputPresentationTimeStamp
        var discardsWaiting = false
        if attachments?[.displayImmediately] as? Bool == true {
            discardsWaiting = change { display in
                defer { (display.waiting, display.image) = ([], image) }
                return !display.waiting.isEmpty
            }
        } else if !time.isNumeric || time <= system.clock.now {
            show(image)
        } else {
            schedule(image, at: time)
        }
        if display.withLock({ $0.status == .unknown }) { set(.rendering, nil) }
        if discardsWaiting { requestMoreData() }
    }

    /// Discards waiting images and resets a failure; the displayed image stays.
    public func flush() { flush(removesImage: false) }

    /// Discards waiting images and the displayed image, and resets a failure.
    public func flushAndRemoveImage() { flush(removesImage: true) }

    /// Calls `block` whenever the layer accepts more images, until `stopRequestingMediaData()`.
    @preconcurrency
    public func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
        display.withLock { $0.request = (queue, block) }
        requestMoreData()
    }

    public func stopRequestingMediaData() { display.withLock { $0.request = nil } }

    /// Returns the content of the layer, the displayed image on black; nil if nothing is displayed.
    ///
    /// Not in Apple's API: on Linux a layer has no screen.
    ///
    /// - Parameter scale: Pixels per point; nil means `contentsScale`.
    public func renderedImage(scale: CGFloat? = nil) -> CGImage? {
        let (image, gravity) = display.withLock { ($0.image, $0.gravity) }
        let appearance = PreviewOutput.Appearance(size: bounds.size, gravity: gravity)
        guard !isHidden, opacity > 0, let image,
            let request = appearance.request(.identity, kCVPixelFormatType_32BGRA, scale: scale ?? contentsScale)
        else { return nil }
        // An image in a format that cannot be converted is not rendered.
        return (try? renderer.renderUnpooled(image, request)).flatMap { $0 }.map { CGImage(pixelBuffer: $0) }
    }

    /// Schedules the display of an image at its presentation time; flushing cancels it.
    private func schedule(_ image: CVPixelBuffer?, at time: CMTime) {
        let number = change { display in
            defer { display.nextNumber += 1 }
            display.waiting.insert(display.nextNumber)
            return display.nextNumber
        }
        system.clock.schedule(at: time) { [weak self] in
            // Flushed images are not displayed.
            guard let self, change({ $0.waiting.remove(number) }) != nil else { return }
            show(image)
            requestMoreData()
        }
    }

    private func flush(removesImage: Bool) {
        let hasEffect = change { display in
            let hasFailed = display.status == .failed
            defer {
                display.waiting = []
                if removesImage { display.image = nil }
                if hasFailed { (display.status, display.error) = (.unknown, nil) }
            }
            return hasFailed || !display.waiting.isEmpty
        }
        // The actions of discarded images, which would request more data, have no effect.
        if hasEffect { requestMoreData() }
    }

    private func show(_ image: CVPixelBuffer?) { change { $0.image = image } }

    /// Calls the client's block if the layer accepts more images.
    private func requestMoreData() {
        guard let request = display.withLock({ $0.isReady ? $0.request : nil }) else { return }
        system.deliver(on: request.queue, request.block)
    }

    private func set(_ status: AVQueuedSampleBufferRenderingStatus, _ error: AVError?) {
        change { ($0.status, $0.error) = (status, error) }
    }

    /// Changes the display and notifies the observers of changed properties.
    private func change<Result>(_ body: (inout Display) -> Result) -> Result {
        let (result, names) = display.withLock { display in
            let before = display
            let result = body(&display)
            var names: Set<String> = []
            if display.status != before.status { names.insert("status") }
            if display.isReady != before.isReady { names.insert("isReadyForMoreMediaData") }
            if (display.image == nil) != (before.image == nil) { names.insert("isReadyForDisplay") }
            return (result, names)
        }
        if !names.isEmpty { observedProperties.changed(names) }
        return result
    }
}
