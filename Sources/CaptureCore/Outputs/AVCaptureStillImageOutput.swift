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
        /// The exposure that the camera captures, with its index in a bracket; nil if the image is a frame of the stream.
        let exposure: (stillID: UInt64, index: Int)?
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
        guard settings.codec == .jpeg else {
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

    /// The codecs of compressed images: only JPEG, even if the camera supports HEVC in photo outputs.
    public var availableImageDataCodecTypes: [AVVideoCodecType] { [.jpeg] }

    /// Whether images have the largest size that the active format supports, if the camera captures stills beside its
    /// stream; false by default.
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

    /// Captures an image. Each image has an exposure of its own, in the order of the calls.
    ///
    /// If the session stops before the exposure, the capture finishes with an error.
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
        capture(from: connection, [.metered], usesFlash: connection.deviceInput?.device.isFlashActive ?? false) {
            handler($1, $2)
        }
    }

    /// Requests images.
    ///
    /// - Parameters:
    ///   - exposures: One for each image; only one for a camera that captures no stills beside its stream.
    ///   - completion: Called for each image, with the index of its exposure.
    func capture(
        from connection: AVCaptureConnection, _ exposures: [StillRequest.Exposure], usesFlash: Bool,
        completion: @escaping @Sendable (Int, CMSampleBuffer?, (any Error)?) -> Void
    ) {
        let device = connection.deviceInput?.device
        let still = stillRequest(device, exposures, usesFlash: usesFlash)
        if usesFlash, still == nil { device?.set(.flash, to: .flag(true)) }
        let selection = FrameSelection(notBefore: system.clock.now, needsFlash: usesFlash)
        for index in exposures.indices {
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
                        exposure: still.map { ($0.id, index) }, completion: { completion(index, $0, $1) }))
            }
        }
        observedProperties.changed(["isCapturingStillImage"])
        if let still, let device {
            do throws(DeviceError) {
                try device.captureStill(still)
            } catch {
                let failure = AVError(error, device: device)
                for request in removeRequests(where: { $0.exposure?.stillID == still.id }) {
                    complete(request, nil, failure)
                }
            }
        }
        // Another thread may have stopped the session or disabled the connection before the request was added.
        if !(session?.isRunning ?? false) { sessionDidStop(.stopped) }
        connectionDidChange(connection)
    }

    /// Returns the request of exposures; nil if the camera captures no stills beside its stream.
    private func stillRequest(
        _ device: AVCaptureDevice?, _ exposures: [StillRequest.Exposure], usesFlash: Bool
    ) -> StillRequest? {
        guard let device, device.hardware.descriptor.stills != nil else { return nil }
        let sizes = device.activeFormat.supportedMaxPhotoDimensions
        guard let size = isHighResolutionStillImageOutputEnabled ? sizes.last : sizes.first else { return nil }
        return StillRequest(
            id: system.nextStillID(), dimensions: size, exposures: exposures, firesFlash: usesFlash,
            timing: .next(notBefore: system.clock.now))
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

    override func consume(_ media: CapturedMedia, from connection: AVCaptureConnection) {
        guard case .video(let frame) = media else { return }
        for still in frame.content.stills {
            let requests = removeRequests { request in
                guard let exposure = request.exposure, exposure.stillID == still.requestID else { return false }
                // After an error, no other exposure follows.
                return exposure.index == still.exposureIndex || still.error != nil
            }
            for request in requests {
                if let error = still.error {
                    complete(request, nil, AVError(error, device: connection.deviceInput?.device))
                } else {
                    worker.submit { self.process(frame.replacingContent(with: still), for: request) }
                }
            }
        }
        // A frame of the stream is one image only, so that each image has an exposure of its own.
        let next = state.withLock { state in
            state.waiting.first {
                $0.exposure == nil && $0.connection === connection && $0.selection.accepts(frame.content)
            }?.number
        }
        guard let next else { return }
        for request in removeRequests(where: { $0.number == next }) {
            worker.submit { self.process(frame, for: request) }
        }
    }

    override func connectionDidChange(_ connection: AVCaptureConnection) {
        super.connectionDidChange(connection)
        guard !connection.passesMedia else { return }
        let error = AVError.connectionWasDisabled(before: "the image")
        for request in removeRequests(where: { $0.connection === connection }) { complete(request, nil, error) }
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
