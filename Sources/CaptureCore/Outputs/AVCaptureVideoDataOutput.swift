import AssetTypes
import CaptureHAL
public import Dispatch
import Foundation
import MediaCodecs
public import MediaTypes
import PixelKernels

/// Receives the frames of a video data output, on the queue passed to `setSampleBufferDelegate(_:queue:)`.
public protocol AVCaptureVideoDataOutputSampleBufferDelegate: AnyObject {
    /// A frame was captured.
    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection)
    /// A frame was dropped; the buffer has no pixels, and its attachment
    /// `kCMSampleBufferAttachmentKey_DroppedFrameReason` is the reason.
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

/// Delivers frames to a delegate, uncompressed or as compressed by the camera.
///
/// - Important: Thread-safe.
public final class AVCaptureVideoDataOutput: AVCaptureOutput, @unchecked Sendable {
    // SAFETY: all state is behind `settings` and the locks of `clients`.
    struct Settings: Sendable {
        var discardsLateFrames = true
        var request = VideoDataRequest()
        var dimensions = Dimensions()
        var minimumFrameDuration = CMTime.invalid
        var limiter = FrameRateLimiter()
        var preparesRadio = false
        var preservesHDRMetadata = false
        /// The settings of the last frame, and the attachments that contain them.
        var exposure = (settings: FrameSettings(), attachments: CMAttachmentBearerAttachments())

        /// Whether a frame is delivered, given the minimum frame durations of the output and of its connection.
        mutating func accepts(_ frame: CapturedFrame, interval: CMTime) -> Bool {
            // A duration that is not numeric sets no limit, and neither does zero.
            guard minimumFrameDuration.isNumeric || interval.isNumeric else {
                limiter = FrameRateLimiter()
                return true
            }
            let limits = (
                output: minimumFrameDuration.isNumeric ? minimumFrameDuration : .zero,
                connection: interval.isNumeric ? interval : .zero
            )
            return limiter.accepts(
                frame.presentationTime, duration: frame.duration, interval: max(limits.output, limits.connection))
        }

        /// Returns attachments with the settings of a frame; they are only created when the settings change.
        mutating func attachments(of settings: FrameSettings) -> CMAttachmentBearerAttachments {
            if exposure.settings != settings {
                exposure = (settings, CMAttachmentBearerAttachments(exif: settings.exifDictionary))
            }
            return exposure.attachments
        }
    }

    /// The client's settings for the size of frames.
    struct Dimensions: Sendable {
        /// Whether the output chooses automatically whether frames have preview size.
        var isAutomatic = true
        /// Whether frames have preview size if the choice is not automatic.
        var isPreviewSized = false
    }

    /// The reason why a frame is not delivered.
    private struct FrameDrop: Error { let reason: DataDroppedReason }

    let settings = Lock(Settings())
    let clients: DataOutputClients<any AVCaptureVideoDataOutputSampleBufferDelegate>

    public init() {
        let system = CaptureSystem.current
        clients = DataOutputClients(system)
        super.init(system: system)
    }

    override var acceptedMedia: [AVMediaType] { [.video] }
    override var allowsSeveralPerSession: Bool { true }
    override var rotatesPixels: Bool { true }
    override var supportsMinimumFrameDuration: Bool { true }
    override var supportsIntrinsicMatrix: Bool { true }
    override var deliversEachFrame: Bool { true }
    override var sampleSubscribers: SampleSubscribers? { clients.subscribers }
    override var discardsLateData: Bool { alwaysDiscardsLateVideoFrames }

    /// Sets the delegate and the serial queue on which it is called; a delegate without a queue is misuse.
    public func setSampleBufferDelegate(
        _ sampleBufferDelegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?,
        queue sampleBufferCallbackQueue: DispatchQueue?
    ) {
        clients.setDelegate(
            sampleBufferDelegate, queue: sampleBufferCallbackQueue,
            "AVCaptureVideoDataOutput setSampleBufferDelegate:queue:"
        ) { [weak sampleBufferDelegate] in sampleBufferDelegate }
    }

    public var sampleBufferDelegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)? { clients.delegate }

    public var sampleBufferCallbackQueue: DispatchQueue? { clients.callbackQueue }

    /// Whether a frame that arrives while the delegate is busy is dropped; true by default.
    public var alwaysDiscardsLateVideoFrames: Bool {
        get { observedProperties.value(\.discardsLateFrames, in: settings) }
        set { observedProperties.set(\.discardsLateFrames, in: settings, to: newValue) }
    }

    /// The minimum time between frames; invalid, the default, or zero sets no limit.
    ///
    /// Frames that arrive earlier are skipped without a report. A device's `activeVideoMinFrameDuration` reduces the
    /// frame rate of the camera itself.
    @available(*, deprecated, message: "Use AVCaptureDevice's activeVideoMinFrameDuration instead.")
    public var minFrameDuration: CMTime {
        get { observedProperties.value(\.minimumFrameDuration, in: settings) }
        set { observedProperties.set(\.minimumFrameDuration, in: settings, to: newValue) }
    }

    /// The encoding and size that the client requested.
    var request: VideoDataRequest {
        get { settings.withLock { $0.request } }
        set { settings.withLock { $0.request = newValue } }
    }

    /// The client's settings for the size of frames.
    var dimensions: Dimensions {
        get { settings.withLock { $0.dimensions } }
        set { settings.withLock { $0.dimensions = newValue } }
    }

    override func deliveredSize(of geometry: FrameGeometry) -> CGSize {
        let natural = super.deliveredSize(of: geometry)
        let size = sizing.size(of: (Int(natural.width), Int(natural.height)))
        return CGSize(width: CGFloat(size.width), height: CGFloat(size.height))
    }

    override func consume(_ media: CapturedMedia, from connection: AVCaptureConnection) {
        guard case .video(let frame) = media else { return }
        let connectionSettings = connection.state.withLock { $0.settings }
        let accepted = settings.withLock { settings in
            settings.accepts(frame, interval: connectionSettings.minimumFrameDuration)
                ? (settings.request, settings.attachments(of: frame.content.settings), settings.discardsLateFrames)
                : nil
        }
        guard let (request, attachments, discardsLate) = accepted else {
            clients.subscribers.synchronizer?.skip(frame.presentationTime, from: self)
            return
        }
        guard let receiver = clients.receiver else { return }
        do throws(FrameDrop) {
            let sample = try makeSample(of: frame, request, attachments, connection, connectionSettings)
            clients.subscribers.yield(sample)
            let isAccepted = clients.offer(
                SampleSynchronizer.Item(sample: sample, dropped: .none), from: self, to: receiver,
                discardsLate: discardsLate
            ) { [self] in
                delegateCalls.report(.didOutputVideo(sample, from: connection))
                receiver.delegate?.captureOutput(self, didOutput: sample, from: connection)
            }
            if !isAccepted { throw FrameDrop(reason: .lateData) }
        } catch {
            reportDrop(frame.timing, error.reason, from: connection)
        }
    }

    override func consumeDrop(_ drop: DroppedFrame, from connection: AVCaptureConnection) {
        let timing = CMSampleTimingInfo(
            duration: .invalid, presentationTimeStamp: drop.presentationTime, decodeTimeStamp: .invalid)
        reportDrop(timing, drop.reason.dataReason, from: connection)
    }

    private func reportDrop(
        _ timing: CMSampleTimingInfo, _ reason: DataDroppedReason, from connection: AVCaptureConnection
    ) {
        guard let receiver = clients.receiver else { return }
        CaptureLog.write(
            .output, .debug, system.clock,
            "video data output: frame of \(timing.presentationTimeStamp.seconds) s dropped: \(reason)")
        let sample = connection.makeDroppedSample(timing, reason)
        clients.reportDrop(SampleSynchronizer.Item(sample: sample, dropped: reason), from: self, to: receiver) {
            [self] in
            delegateCalls.report(.didDropVideo(sample, from: connection))
            receiver.delegate?.captureOutput(self, didDrop: sample, from: connection)
        }
    }

    /// Creates the sample of a frame with the encoding and size that the client requested.
    private func makeSample(
        of frame: CapturedFrame, _ request: VideoDataRequest, _ attachments: CMAttachmentBearerAttachments,
        _ connection: AVCaptureConnection, _ connectionSettings: AVCaptureConnection.Settings
    ) throws(FrameDrop) -> CMSampleBuffer {
        do throws(AVError) {
            if request.acceptsCompressed, case .compressed(let data, let codec) = frame.content.payload {
                let size = connection.inputPorts.first?.deliveredDimensions ?? CMVideoDimensions()
                return CMSampleBuffer(
                    compressedFrame: data,
                    formatDescription: CMFormatDescription(deviceVideo: codec, dimensions: size),
                    timing: frame.timing, attachments: attachments)
            }
            let source = try frame.pixelBuffer()
            let transform = connectionSettings.pixelTransform
            let pixels = try frame.pixelBuffer(
                as: FrameConverter.Request(
                    pixelFormat: request.pixelFormat ?? CVPixelBufferGetPixelFormatType(source),
                    size: size(of: source, transform, request), transform: transform))
            guard let pixels else { throw AVError(.outOfMemory, "all pixel buffers are in use") }
            let sample = CMSampleBuffer(
                imageBuffer: pixels, formatDescription: .shared(by: pixels), timing: frame.timing,
                attachments: attachments)
            if connectionSettings.deliversIntrinsicMatrix,
                let matrix = connection.intrinsicMatrix(of: source, in: pixels, zoom: frame.content.settings.zoomFactor)
            {
                sample.attachments[kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix] = .shouldPropagate(matrix)
            }
            return sample
        } catch {
            throw FrameDrop(reason: error.code == .outOfMemory ? .outOfBuffers : .discontinuity)
        }
    }

    /// Returns the size to which the rotated frame is scaled; nil if it is not scaled.
    private func size(
        of buffer: CVPixelBuffer, _ transform: PixelTransform, _ request: VideoDataRequest
    ) -> VideoDataSizing.Size? {
        let natural = transform.naturalSize(
            width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer))
        // With any preset, a frame that is not larger than a preview is not scaled.
        guard request.size != nil || !VideoDataSizing.fitsPreview(natural) else { return nil }
        let size = sizing.size(of: natural)
        return size == natural ? nil : size
    }
}

extension AVCaptureConnection {
    /// Creates the sample of a dropped frame: its timing and the reason, without pixels.
    func makeDroppedSample(_ timing: CMSampleTimingInfo, _ reason: AVCaptureOutput.DataDroppedReason) -> CMSampleBuffer
    {
        CMSampleBuffer(
            droppedFrame: timing, formatDescription: inputPorts.first?.deliveredDescription,
            reason: reason.attachment)
    }
}

extension DroppedFrame.Reason {
    /// The reason that data outputs report.
    var dataReason: AVCaptureOutput.DataDroppedReason {
        switch self {
        case .outOfBuffers: .outOfBuffers
        case .discontinuity, .damaged: .discontinuity
        }
    }
}

extension AVCaptureOutput.DataDroppedReason {
    /// The reason as an attachment of a dropped sample.
    var attachment: CFString {
        switch self {
        case .lateData: kCMSampleBufferDroppedFrameReason_FrameWasLate
        case .outOfBuffers: kCMSampleBufferDroppedFrameReason_OutOfBuffers
        case .none, .discontinuity: kCMSampleBufferDroppedFrameReason_Discontinuity
        }
    }
}
