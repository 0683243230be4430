public import AssetTypes
import CaptureHAL
import Dispatch
public import Foundation
public import MediaTypes

/// Captures still images from a session's camera, as sample buffers; the predecessor of `AVCapturePhotoOutput`.
///
/// The flash fires as the camera's `flashMode` specifies.
/// - Important: Thread-safe.
public final class AVCaptureStillImageOutput: AVCaptureOutput, @unchecked Sendable {
    // SAFETY: all state is behind `state`.
    /// A capture that waits for its frame.
    private struct Request: @unchecked Sendable {
        // SAFETY: the settings are not changed after their creation.
        let number: Int
        let settings: AVCapturePhotoSettings
        let connection: AVCaptureConnection
        let selection: FrameSelection
        let completion: @Sendable (CMSampleBuffer?, (any Error)?) -> Void
    }

    private struct State {
        /// Photo settings with the format of the images; not changed after their creation.
        var photoSettings = AVCapturePhotoSettings(AVCapturePhotoSettings.Formats(), uniqueID: 0, number: 0)
        var outputSettings = ([AVVideoCodecKey: AVVideoCodecType.jpeg.rawValue] as [String: Any]).plainSettings
        var waiting: [Request] = []
        var lastNumber = 0
        var isHighResolutionEnabled = false
    }

    private let state = Lock(State())
    let callbackQueue = DispatchQueue(label: "obscura.still-image.callbacks")
    private let worker: any ClockWorker

    public init() {
        let system = CaptureSystem.current
        worker = system.clock.makeWorker(label: "obscura.still-image")
        super.init(system: system)
    }

    override var acceptedMedia: [AVMediaType] { [.video] }
    override var acceptsHiddenPorts: Bool { false }
    override var supportsStabilization: Bool { false }
    override var supportsScaleAndCrop: Bool { true }
    override var incompatibleOutput: AVCaptureOutput.Type? { AVCapturePhotoOutput.self }

    /// The format of the images: `AVVideoCodecKey` with a codec of `availableImageDataCodecTypes` and optionally
    /// `AVVideoQualityKey`, or `kCVPixelBufferPixelFormatTypeKey` with one of `availableImageDataCVPixelFormatTypes`.
    ///
    /// JPEG is the default; other values are misuse.
    public var outputSettings: [String: Any] {
        get {
            observedProperties.access()
            return state.withLock { $0.outputSettings }
        }
        set {
            let photoSettings = AVCapturePhotoSettings(
                AVCapturePhotoSettings.Formats(format: newValue), uniqueID: 0, number: 0)
            if let reason = Self.rejectionReason(for: photoSettings) {
                return system.misuse.report(
                    .invalidArgument, "-[AVCaptureStillImageOutput setOutputSettings:] \(reason)")
            }
            state.withLock { state in
                state.photoSettings = photoSettings
                state.outputSettings = newValue.plainSettings
            }
            observedProperties.changed()
        }
    }

    private static func rejectionReason(for settings: AVCapturePhotoSettings) -> String? {
        if let format = settings.pixelFormat {
            if settings.format?[AVVideoCodecKey] != nil { return "a codec and a pixel format exclude each other" }
            return AVCapturePhotoOutput.pixelFormats.contains(format)
                ? nil : "Unsupported pixel format type - use -availableImageDataCVPixelFormatTypes"
        }
        guard let codec = settings.codec, AVCapturePhotoOutput.codecs.contains(codec) else {
            return "Unsupported codec type - use -availableImageDataCodecTypes"
        }
        do throws(SettingsDictionary.SettingsError) {
            _ = try settings.compressionQuality
            return nil
        } catch {
            return error.reason
        }
    }

    /// The pixel formats of uncompressed images, the most efficient one first.
    public var availableImageDataCVPixelFormatTypes: [NSNumber] {
        AVCapturePhotoOutput.pixelFormats.map { NSNumber(value: $0) }
    }

    /// The codecs of compressed images.
    public var availableImageDataCodecTypes: [AVVideoCodecType] { AVCapturePhotoOutput.codecs }

    /// Whether images may be larger than the frames of the camera's stream; false by default.
    ///
    /// - Note: Unlike Apple, images always have the size of the camera's stream.
    public var isHighResolutionStillImageOutputEnabled: Bool {
        get { observedProperties.value(\.isHighResolutionEnabled, in: state) }
        set { observedProperties.set(\.isHighResolutionEnabled, in: state, to: newValue) }
    }

    /// Whether a capture waits for its frame.
    ///
    /// It can be observed; observers run on the thread that requests a capture, or on a queue of the output.
    public var isCapturingStillImage: Bool {
        observedProperties.access()
        return state.withLock { !$0.waiting.isEmpty }
    }

    /// Captures an image from the next frame of a connection.
    ///
    /// If the session stops before that frame, the capture finishes with an error.
    /// - Parameters:
    ///   - connection: An active and enabled connection to this output, in a running session; others are misuse.
    ///   - handler: Called once, on a queue of the output, with an image or an error. The image has its metadata as
    ///     attachments, under Image I/O's keys; `jpegStillImageNSDataRepresentation(_:)` creates a file.
    @preconcurrency
    public func captureStillImageAsynchronously(
        from connection: AVCaptureConnection,
        completionHandler handler: @escaping @Sendable (CMSampleBuffer?, (any Error)?) -> Void
    ) {
        let method = "captureStillImageAsynchronouslyFromConnection:completionHandler:"
        guard checkConnection(connection, method) else { return }
        let device = connection.deviceInput?.device
        let usesFlash = device?.isFlashActive ?? false
        if usesFlash { device?.set(.flash, to: .flag(true)) }
        let selection = FrameSelection(notBefore: system.clock.now, needsFlash: usesFlash)
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        // Reported before a frame can match the request.
        delegateCalls.report(.willCaptureStillImage(imageIdentifier(number)))
        state.withLock { state in
            state.waiting.append(
                Request(
                    number: number, settings: state.photoSettings, connection: connection, selection: selection,
                    completion: handler))
        }
        observedProperties.changed(["isCapturingStillImage"])
        // The session may have stopped on another thread, and called `sessionDidStop` before the request was added.
        if !(session?.isRunning ?? false) { sessionDidStop(.stopped) }
    }

    private func imageIdentifier(_ number: Int) -> DelegateCall.StillImage {
        DelegateCall.StillImage(output: ObjectIdentifier(self), number: number)
    }

    /// Calls the completion handler of a request on the queue of the output.
    private func complete(_ request: Request, _ sample: CMSampleBuffer?, _ error: AVError?) {
        let (image, calls) = (imageIdentifier(request.number), delegateCalls)
        system.deliver(on: callbackQueue) {
            calls.report(.didCaptureStillImage(image, sample?.jpegFile(), error))
            request.completion(sample, error)
        }
    }

    /// Reports misuse if a connection cannot deliver an image now.
    ///
    /// - Returns: Whether the connection can deliver an image.
    func checkConnection(_ connection: AVCaptureConnection, _ method: String) -> Bool {
        guard connection.consumer === self, connection.isEnabled, connection.isActive, let session, session.isRunning,
            connection.inputPorts.first?.endTime == nil
        else {
            system.misuse.report(
                .invalidArgument, "-[AVCaptureStillImageOutput \(method)] - inactive/invalid connection passed.")
            return false
        }
        return true
    }

    /// Returns the contents of a JPEG file with an image and its attachments as EXIF. The image is not compressed
    /// again.
    ///
    /// - Parameter jpegSampleBuffer: A buffer with JPEG data; others are misuse.
    /// - Returns: Nil if the attachments cannot be stored.
    public class func jpegStillImageNSDataRepresentation(_ jpegSampleBuffer: CMSampleBuffer) -> Data? {
        guard jpegSampleBuffer.formatDescription?.mediaSubType.rawValue == kCMVideoCodecType_JPEG else {
            CaptureSystem.current.misuse.report(
                .invalidArgument,
                "+[AVCaptureStillImageOutput jpegStillImageNSDataRepresentation:] Not a jpeg sample buffer.")
            return nil
        }
        return jpegSampleBuffer.jpegFile()
    }

    // MARK: Media

    override func receive(_ media: CapturedMedia, from connection: AVCaptureConnection) {
        guard case .video(let frame) = media else { return }
        let requests = removeRequests { $0.connection === connection && $0.selection.accepts(frame.content) }
        for request in requests {
            worker.submit { self.process(frame, for: request) }
        }
    }

    override func sourceDidEnd(_ connection: AVCaptureConnection, at time: CMTime) {
        fail(AVError(.noDataCaptured, "the source ended before the image was captured"))
    }

    override func sessionDidStop(_ reason: StopReason) { fail(reason.error(ofCapture: "the image")) }

    private func fail(_ error: AVError) {
        for request in removeRequests(where: { _ in true }) { complete(request, nil, error) }
    }

    /// Removes and returns the matching requests, and notifies the observers.
    private func removeRequests(where isMatch: (Request) -> Bool) -> [Request] {
        let ended = state.withLock { state in
            let ended = state.waiting.filter(isMatch)
            let numbers = Set(ended.map(\.number))
            state.waiting.removeAll { numbers.contains($0.number) }
            return ended
        }
        if !ended.isEmpty {
            system.deliver(on: callbackQueue) { [weak self] in
                self?.observedProperties.changed(["isCapturingStillImage"])
            }
        }
        return ended
    }

    private func process(_ frame: CapturedFrame, for request: Request) {
        let encoder = PhotoEncoder(
            settings: request.settings, device: request.connection.deviceInput?.device,
            transform: request.connection.pixelTransform,
            scaleAndCropFactor: request.connection.activeScaleAndCropFactor, clock: system.clock,
            misuse: system.misuse)
        let encoded = encoder.encode(frame)
        let sample = encoded.sampleBuffer(at: frame.presentationTime)
        let error = encoded.error ?? AVError(.encodeFailed, "the image could not be encoded")
        system.run(after: system.processingDurations.photo) {
            self.complete(request, sample, sample == nil ? error : nil)
        }
    }
}
