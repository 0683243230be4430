import CaptureHAL
public import Dispatch
import Foundation
public import MediaTypes
import PixelKernels

/// Receives the frames of a video data output, on the queue that was given with it.
public protocol AVCaptureVideoDataOutputSampleBufferDelegate: AnyObject {
    /// A frame has come.
    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection)
    /// A frame was dropped; the buffer has no pixels, and its attachment
    /// `kCMSampleBufferAttachmentKey_DroppedFrameReason` says why.
    func captureOutput(
        _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection)
}

extension AVCaptureVideoDataOutputSampleBufferDelegate {
    public func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {}
    public func captureOutput(
        _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {}
}

/// Hands uncompressed frames to a delegate.
///
/// - Important: Thread-safe.
public final class AVCaptureVideoDataOutput: AVCaptureOutput, @unchecked Sendable {
    // SAFETY: all state is behind `settings` and `exposure`.
    private typealias Client = DataOutputClient<any AVCaptureVideoDataOutputSampleBufferDelegate>

    private struct Settings: Sendable {
        var client = Client(queue: nil) { nil }
        var discardsLateFrames = true
        var pixelFormat: OSType?
        var size: (width: Int, height: Int)?
    }

    private let settings = Lock(Settings())
    private let deliveries: DeliveryQueue
    /// The last frame's exposure as it is attached to frames: most have the same.
    private let exposure = Lock<(settings: FrameSettings, entries: [String: Any])>((FrameSettings(), [:]))

    public init() {
        let system = CaptureSystem.current
        deliveries = DeliveryQueue(clock: system.clock)
        super.init(system: system)
    }

    override var acceptedMedia: [AVMediaType] { [.video] }

    /// Sets who receives the frames and on which serial queue; a delegate without a queue is misuse.
    public func setSampleBufferDelegate(
        _ sampleBufferDelegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?,
        queue sampleBufferCallbackQueue: DispatchQueue?
    ) {
        guard sampleBufferDelegate == nil || sampleBufferCallbackQueue != nil else {
            return system.misuse.report(
                .invalidArgument, "-[AVCaptureVideoDataOutput setSampleBufferDelegate:queue:] NULL queue passed")
        }
        let client = Client(queue: sampleBufferCallbackQueue) { [weak sampleBufferDelegate] in sampleBufferDelegate }
        settings.withLock { $0.client = client }
    }

    public var sampleBufferDelegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)? {
        settings.withLock { $0.client }.delegate
    }

    public var sampleBufferCallbackQueue: DispatchQueue? { settings.withLock { $0.client.queue } }

    /// Whether a frame that comes while the delegate is busy is dropped; true by default.
    public var alwaysDiscardsLateVideoFrames: Bool {
        get { settings.withLock { $0.discardsLateFrames } }
        set { settings.withLock { $0.discardsLateFrames = newValue } }
    }

    /// The pixel formats on offer, most efficient first.
    public var availableVideoPixelFormatTypes: [OSType] {
        [
            kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
            kCVPixelFormatType_32BGRA,
        ]
    }

    public var availableVideoCodecTypes: [AVVideoCodecType] { [] }

    /// Whether the client has set a size.
    var hasOwnSize: Bool { settings.withLock { $0.size != nil } }

    /// Pixel format, width and height of what is delivered; an empty dictionary or nil takes the device's own.
    public var videoSettings: [String: Any]! {
        get {
            let (format, size) = settings.withLock { ($0.pixelFormat, $0.size) }
            let native = connection(with: .video)?.inputPorts.first?.formatDescription
            var result: [String: Any] = [:]
            result[kCVPixelBufferPixelFormatTypeKey as String] = format ?? native.map { $0.mediaSubType.rawValue }
            result[kCVPixelBufferWidthKey as String] = size?.width ?? native.map { Int($0.dimensions.width) }
            result[kCVPixelBufferHeightKey as String] = size?.height ?? native.map { Int($0.dimensions.height) }
            return result
        }
        set {
            let new = newValue ?? [:]
            let format = (new[kCVPixelBufferPixelFormatTypeKey as String] as? any BinaryInteger)
                .map { OSType(exactly: $0) ?? 0 }
            if let format, !availableVideoPixelFormatTypes.contains(format) {
                return system.misuse.report(
                    .invalidArgument,
                    "-[AVCaptureVideoDataOutput setVideoSettings:] Unsupported pixel format type - use "
                        + "-availableVideoPixelFormatTypes")
            }
            let sides = [kCVPixelBufferWidthKey, kCVPixelBufferHeightKey].map {
                new[$0 as String] as? any BinaryInteger
            }
            let size = sides.compactMap { $0.flatMap { Int(exactly: $0) } }.filter { (1...16384).contains($0) }
            guard sides.allSatisfy({ $0 == nil }) || size.count == 2 else {
                return system.misuse.report(
                    .invalidArgument,
                    "-[AVCaptureVideoDataOutput setVideoSettings:] width and height must both be given, from 1 to 16384"
                )
            }
            settings.withLock { settings in
                settings.pixelFormat = format
                settings.size = size.isEmpty ? nil : (size[0], size[1])
            }
        }
    }

    override var turnsPixels: Bool { true }

    override func deliveredSize(of geometry: PictureGeometry) -> CGSize {
        settings.withLock { $0.size }.map { CGSize(width: CGFloat($0.width), height: CGFloat($0.height)) }
            ?? super.deliveredSize(of: geometry)
    }

    override func receive(_ media: CapturedMedia, from connection: AVCaptureConnection) {
        guard case .video(let frame) = media.content else { return }
        let (client, discardsLate, format, size) = settings.withLock {
            ($0.client, $0.discardsLateFrames, $0.pixelFormat, $0.size)
        }
        guard client.delegate != nil, let queue = client.queue else { return }
        let pixels: CVPixelBuffer?
        do throws(AVError) {
            let source = try media.pixelBuffer(of: frame)
            pixels = try media.pixelBuffer(
                of: frame,
                as: FrameConverter.Request(
                    pixelFormat: format ?? CVPixelBufferGetPixelFormatType(source), size: size,
                    transform: connection.pixelTransform))
        } catch {
            let reason =
                error.code == .outOfMemory
                ? kCMSampleBufferDroppedFrameReason_OutOfBuffers : kCMSampleBufferDroppedFrameReason_Discontinuity
            return drop(frame.timing, reason, to: client, from: connection)
        }
        guard let pixels else {
            return drop(frame.timing, kCMSampleBufferDroppedFrameReason_OutOfBuffers, to: client, from: connection)
        }
        let sample = CMSampleBuffer(
            imageBuffer: pixels, formatDescription: .shared(by: pixels), timing: frame.timing)
        sample.attach(exif: exif(of: frame.settings))
        let isLate = deliveries.submit(on: queue, discardsLate: discardsLate) { [self] in
            client.delegate?.captureOutput(self, didOutput: sample, from: connection)
        }
        if isLate { drop(frame.timing, kCMSampleBufferDroppedFrameReason_FrameWasLate, to: client, from: connection) }
    }

    private func exif(of settings: FrameSettings) -> [String: Any] {
        let (known, entries) = exposure.withLock { $0 }
        if settings == known { return entries }
        let new = settings.exifDictionary
        exposure.withLock { $0 = (settings, new) }
        return new
    }

    override func receiveDrop(_ drop: DroppedFrame, from connection: AVCaptureConnection) {
        let client = settings.withLock { $0.client }
        let reason =
            switch drop.reason {
            case .outOfBuffers: kCMSampleBufferDroppedFrameReason_OutOfBuffers
            case .discontinuity, .damaged: kCMSampleBufferDroppedFrameReason_Discontinuity
            }
        let timing = CMSampleTimingInfo(
            duration: .invalid, presentationTimeStamp: drop.presentationTime, decodeTimeStamp: .invalid)
        self.drop(timing, reason, to: client, from: connection)
    }

    private func drop(
        _ timing: CMSampleTimingInfo, _ reason: CFString, to client: Client,
        from connection: AVCaptureConnection
    ) {
        guard client.delegate != nil, let queue = client.queue else { return }
        let sample = CMSampleBuffer(droppedFrame: timing, formatDescription: nil, reason: reason)
        system.clock.deliver(on: queue) { [weak self] in
            guard let self else { return }
            client.delegate?.captureOutput(self, didDrop: sample, from: connection)
        }
    }
}

extension VideoFrame {
    var timing: CMSampleTimingInfo {
        CMSampleTimingInfo(
            duration: duration, presentationTimeStamp: presentationTime, decodeTimeStamp: .invalid)
    }
}
