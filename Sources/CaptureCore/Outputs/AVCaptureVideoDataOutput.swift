import CaptureHAL
public import Dispatch
import Foundation
import MediaAssets
import MediaCodecs
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

/// Hands frames to a delegate, uncompressed, or as they come from a camera that compresses them.
///
/// - Important: Thread-safe.
public final class AVCaptureVideoDataOutput: AVCaptureOutput, @unchecked Sendable {
    // SAFETY: all state is behind `settings`, `exposure`, `knownSizing` and the taps' own lock.
    private typealias Client = VideoDataReceiver.Client

    private struct Settings: Sendable {
        var client = Client(queue: nil, { nil }) { didSet { MediaPath.change() } }
        var discardsLateFrames = true { didSet { MediaPath.change() } }
        var request = VideoDataRequest() { didSet { MediaPath.change() } }
        var dimensions = (automatic: true, preview: false) { didSet { MediaPath.change() } }
        var minimumFrameDuration = CMTime.invalid { didSet { MediaPath.change() } }
        var gate = FrameGate()
    }

    private let settings = Lock(Settings())
    private let deliveries: DeliveryQueue
    let taps = SampleTaps()
    /// How large frames come, as of a change of their path.
    private let knownSizing = Lock<(version: UInt64, sizing: VideoDataSizing)?>(nil)
    /// The last frame's exposure as it is attached to frames: most have the same.
    private let exposure = Lock((settings: FrameSettings(), attachments: CMAttachmentBearerAttachments()))

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
        guard
            system.misuse.checkQueue(
                sampleBufferCallbackQueue, of: sampleBufferDelegate,
                "AVCaptureVideoDataOutput setSampleBufferDelegate:queue:")
        else { return }
        weak let delegate = sampleBufferDelegate
        let client = Client(queue: sampleBufferCallbackQueue) { delegate }
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

    /// The least time between frames; invalid or zero, as by default, sets no limit.
    ///
    /// Frames that come sooner are left out and not told of. A device's `activeVideoMinFrameDuration` slows the camera
    /// itself.
    @available(*, deprecated, message: "Use AVCaptureDevice's activeVideoMinFrameDuration instead.")
    public var minFrameDuration: CMTime {
        get { settings.withLock { $0.minimumFrameDuration } }
        set { settings.withLock { $0.minimumFrameDuration = newValue } }
    }

    /// What the client has asked for.
    var request: VideoDataRequest {
        get { settings.withLock { $0.request } }
        set { settings.withLock { $0.request = newValue } }
    }

    /// Whether the output decides on the size, and what it is where it does not.
    var dimensions: (automatic: Bool, preview: Bool) {
        get { settings.withLock { $0.dimensions } }
        set { settings.withLock { $0.dimensions = newValue } }
    }

    override var turnsPixels: Bool { true }

    override func deliveredSize(of geometry: PictureGeometry) -> CGSize {
        let natural = super.deliveredSize(of: geometry)
        let size = sizing.size(of: (Int(natural.width), Int(natural.height)))
        return CGSize(width: CGFloat(size.width), height: CGFloat(size.height))
    }

    override func pictureShortcut(from connection: AVCaptureConnection) -> VideoDataReceiver? {
        let settings = settings.withLock { $0 }
        let isLimited =
            settings.minimumFrameDuration.isNumeric
            || connection.state.withLock { $0.minimumFrameDuration.isNumeric || $0.deliversIntrinsicMatrix }
        let size = connection.inputPorts.first?.deliveredDimensions.map { (Int($0.width), Int($0.height)) } ?? (0, 0)
        let takesAsItIs = connection.pixelTransform == .identity && sizing.size(of: size) == size
        guard let queue = settings.client.queue, taps.isEmpty, !isLimited, takesAsItIs else { return nil }
        return VideoDataReceiver(
            settings.client, on: queue, of: self, from: connection, discardsLate: settings.discardsLateFrames,
            pixelFormat: settings.request.pixelFormat)
    }

    override func receive(_ media: CapturedMedia, from connection: AVCaptureConnection) {
        guard case .video(let frame) = media.content else { return }
        let limit = connection.state.withLock { $0.minimumFrameDuration }
        let (client, discardsLate, request, isInTime) = settings.withLock { settings in
            let own = settings.minimumFrameDuration
            let isInTime = settings.gate.admits(
                frame.presentationTime, duration: frame.duration,
                interval: limit.isNumeric && own.isNumeric ? max(limit, own) : limit.isNumeric ? limit : own)
            return (settings.client, settings.discardsLateFrames, settings.request, isInTime)
        }
        let hasClient = client.delegate != nil && client.queue != nil
        guard isInTime else {
            taps.synchronizer?.pass(self, frame.presentationTime)
            return
        }
        guard hasClient || !taps.isEmpty else { return }
        let made = sample(of: frame, media, request, connection)
        if case .sample(let sample) = made { taps.give(sample) }
        if let synchronizer = taps.synchronizer {
            return synchronizer.take(made.item(frame.timing, connection), from: self)
        }
        guard hasClient, let queue = client.queue else { return }
        switch made {
        case .dropped(let reason):
            drop(frame.timing, reason, to: client, from: connection)
        case .sample(let sample):
            let receiver = VideoDataReceiver(
                client, on: queue, of: self, from: connection, discardsLate: discardsLate, pixelFormat: nil)
            hand(sample, frame.timing, to: receiver, discardsLate: discardsLate)
        }
    }

    /// Delivers a frame, or tells that it comes too late.
    func hand(
        _ sample: consuming CMSampleBuffer, _ timing: CMSampleTimingInfo, to receiver: VideoDataReceiver,
        discardsLate: Bool
    ) {
        guard deliveries.submit(.frame(sample, to: receiver), discardsLate: discardsLate) else { return }
        receiver.drop(timing, .lateData)
    }

    /// What becomes of a frame.
    private enum Made {
        case sample(CMSampleBuffer)
        case dropped(DataDroppedReason)

        func item(_ timing: CMSampleTimingInfo, _ connection: AVCaptureConnection) -> SampleSynchronizer.Item {
            switch self {
            case .sample(let sample):
                SampleSynchronizer.Item(sample: sample, dropped: .none)
            case .dropped(let reason):
                SampleSynchronizer.Item(sample: connection.shell(timing, reason), dropped: reason)
            }
        }
    }

    private func sample(
        of frame: VideoFrame, _ media: CapturedMedia, _ request: VideoDataRequest, _ connection: AVCaptureConnection
    ) -> Made {
        do throws(AVError) {
            var attachments = attachments(of: frame.settings)
            if request.takesCompressed, case .compressed(let data, let codec) = frame.payload {
                let size = connection.inputPorts.first?.deliveredDimensions ?? CMVideoDimensions()
                return .sample(
                    CMSampleBuffer(
                        compressedFrame: data,
                        formatDescription: CMFormatDescription(deviceVideo: codec, dimensions: size),
                        timing: frame.timing, attachments: attachments))
            }
            let source = try media.pixelBuffer(of: frame)
            let transform = connection.pixelTransform
            let pixels = try media.pixelBuffer(
                of: frame,
                as: FrameConverter.Request(
                    pixelFormat: request.pixelFormat ?? CVPixelBufferGetPixelFormatType(source),
                    size: size(of: source, transform), transform: transform))
            guard let pixels else { return .dropped(.outOfBuffers) }
            if let matrix = connection.intrinsicMatrix(of: source, in: pixels, zoom: frame.settings.zoomFactor) {
                attachments[kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix] = .shouldPropagate(matrix)
            }
            return .sample(
                CMSampleBuffer(
                    imageBuffer: pixels, formatDescription: .shared(by: pixels), timing: frame.timing,
                    attachments: attachments))
        } catch {
            return .dropped(error.code == .outOfMemory ? .outOfBuffers : .discontinuity)
        }
    }

    /// The size in which a picture is delivered; nil for its own.
    private func size(of picture: CVPixelBuffer, _ transform: PixelTransform) -> VideoDataSizing.Size? {
        // Asked for again only after something has changed.
        let version = MediaPath.version
        let known = knownSizing.withLock { $0?.version == version ? $0?.sizing : nil }
        let sizing = known ?? self.sizing
        if known == nil { knownSizing.withLock { $0 = (version, sizing) } }
        let natural = transform.naturalSize(
            width: CVPixelBufferGetWidth(picture), height: CVPixelBufferGetHeight(picture))
        let size = sizing.size(of: natural)
        return size == natural ? nil : size
    }

    /// The exposure as it is attached to frames.
    func attachments(of settings: FrameSettings) -> CMAttachmentBearerAttachments {
        let known = exposure.withLock { $0.settings == settings ? $0.attachments : nil }
        if let known { return known }
        let new = CMAttachmentBearerAttachments(exif: settings.exifDictionary)
        exposure.withLock { $0 = (settings, new) }
        return new
    }

    override func receiveDrop(_ drop: DroppedFrame, from connection: AVCaptureConnection) {
        let reason: DataDroppedReason =
            switch drop.reason {
            case .outOfBuffers: .outOfBuffers
            case .discontinuity, .damaged: .discontinuity
            }
        let timing = CMSampleTimingInfo(
            duration: .invalid, presentationTimeStamp: drop.presentationTime, decodeTimeStamp: .invalid)
        if let synchronizer = taps.synchronizer {
            let item = SampleSynchronizer.Item(sample: connection.shell(timing, reason), dropped: reason)
            return synchronizer.take(item, from: self)
        }
        self.drop(timing, reason, to: settings.withLock { $0.client }, from: connection)
    }

    func drop(
        _ timing: CMSampleTimingInfo, _ reason: DataDroppedReason, to client: VideoDataReceiver.Client,
        from connection: AVCaptureConnection
    ) {
        guard client.delegate != nil, let queue = client.queue else { return }
        let sample = connection.shell(timing, reason)
        system.clock.deliver(on: queue) { [weak self] in
            guard let self else { return }
            client.delegate?.captureOutput(self, didDrop: sample, from: connection)
        }
    }

    override func connectionDidChange(_ connection: AVCaptureConnection) { taps.synchronizer?.lookAgain() }

    override func sessionDidStop(_ reason: StopReason) {
        taps.sessionDidStop(reason, isInSession: session != nil)
    }
}

extension AVCaptureConnection {
    /// What stands for a frame that was dropped: its times, and why.
    func shell(_ timing: CMSampleTimingInfo, _ reason: AVCaptureOutput.DataDroppedReason) -> CMSampleBuffer {
        CMSampleBuffer(
            droppedFrame: timing, formatDescription: inputPorts.first?.deliveredDescription,
            reason: reason.attachment)
    }
}

extension AVCaptureOutput.DataDroppedReason {
    /// The reason as dropped samples carry it.
    var attachment: CFString {
        switch self {
        case .lateData: kCMSampleBufferDroppedFrameReason_FrameWasLate
        case .outOfBuffers: kCMSampleBufferDroppedFrameReason_OutOfBuffers
        case .none, .discontinuity: kCMSampleBufferDroppedFrameReason_Discontinuity
        }
    }
}

extension VideoFrame {
    var timing: CMSampleTimingInfo {
        CMSampleTimingInfo(
            duration: duration, presentationTimeStamp: presentationTime, decodeTimeStamp: .invalid)
    }
}
