import CaptureHAL
import Dispatch
import Foundation
public import KeyValueObserving
import MediaAssets
import MediaCodecs
public import MediaTypes
import PixelKernels

/// Takes stills from a session's camera.
///
/// - Important: Thread-safe.
public final class AVCapturePhotoOutput: AVCaptureOutput, @unchecked Sendable {
    // SAFETY: all state is behind `state`.
    /// How much time a still may take for its quality.
    public enum QualityPrioritization: Int, Sendable, Hashable {
        case speed = 1
        case balanced = 2
        case quality = 3
    }

    /// A capture that waits for its frame.
    private struct Request: @unchecked Sendable {
        // SAFETY: the delegate is only called on `callbackQueue`.
        let settings: AVCapturePhotoSettings
        let resolved: AVCaptureResolvedPhotoSettings
        let delegate: any AVCapturePhotoCaptureDelegate
        let connection: AVCaptureConnection
        /// The earliest frame that will do.
        let notBefore: CMTime

        /// Whether a frame serves: one with the flash where the flash was ordered and with depth where that was, or any
        /// one after a second in vain.
        func isServed(by frame: VideoFrame) -> Bool {
            guard frame.presentationTime >= notBefore else { return false }
            let isLit = !resolved.isFlashEnabled || frame.settings.flashFired
            var hasDepth = true
            if settings.isDepthDataDeliveryEnabled {
                if case .map? = frame.depth {} else { hasDepth = false }
            }
            return isLit && hasDepth || frame.presentationTime >= notBefore + CMTime(value: 1, timescale: 1)
        }
    }

    private struct State {
        var waiting: [Request] = []
        var usedIDs: Set<Int64> = []
        var isHighResolutionEnabled = false
        var maximumQuality = QualityPrioritization.balanced
        /// As a client set it; nil until then.
        var maximumDimensions: CMVideoDimensions?
        var prepared: [AVCapturePhotoSettings] = []
        /// Who waits for that.
        var preparing: (@Sendable (Bool, (any Error)?) -> Void)?
        var monitoring = SceneMonitoring()
        var deliversDepth = false
        /// What observers know of.
        var toldOffer = PhotoOffer()
    }

    private let state = Lock(State(), order: .photoOutput)
    public let observedProperties = ObservedProperties()
    let callbackQueue = DispatchQueue(label: "obscura.photo.callbacks")
    private let worker: any ClockWorker

    public init() {
        let system = CaptureSystem.current
        worker = system.clock.makeWorker(label: "obscura.photo")
        super.init(system: system)
    }

    override var acceptedMedia: [AVMediaType] { [.video] }
    override var acceptsHiddenPorts: Bool { false }
    override var requestsDepthWithVideo: Bool { isDepthDataDeliveryEnabled }
    override var supportsStabilization: Bool { false }
    override var supportsScaleAndCrop: Bool { true }

    public var isHighResolutionCaptureEnabled: Bool {
        get { state.withLock { $0.isHighResolutionEnabled } }
        set { state.withLock { $0.isHighResolutionEnabled = newValue } }
    }

    public var maxPhotoQualityPrioritization: QualityPrioritization {
        get { state.withLock { $0.maximumQuality } }
        set { state.withLock { $0.maximumQuality = newValue } }
    }

    /// The largest still that settings may ask for: one of the active format's `supportedMaxPhotoDimensions`.
    ///
    /// The smallest of them where none was set, or where the one that was set is not among those of a new format; 0x0
    /// without a camera. It is misuse to set it before the output is connected to a camera, or to another size.
    /// - Note: Unlike Apple, stills have the stream's size however much more is allowed.
    public var maxPhotoDimensions: CMVideoDimensions {
        get {
            let supported = supportedDimensions
            return state.withLock { $0.maximumDimensions }.flatMap { supported.contains($0) ? $0 : nil }
                ?? supported.first ?? CMVideoDimensions(width: 0, height: 0)
        }
        set {
            func misused(_ reason: String) {
                system.misuse.report(.invalidArgument, "-[AVCapturePhotoOutput setMaxPhotoDimensions:] \(reason)")
            }
            let supported = supportedDimensions
            guard !supported.isEmpty else {
                return misused(
                    "May not be set until connected to a video source device with a non-nil activeFormat")
            }
            guard supported.contains(newValue) else {
                return misused(
                    "\(newValue.width)x\(newValue.height) is not one of the activeFormat's supportedMaxPhotoDimensions: "
                        + supported.map { "\($0.width)x\($0.height)" }.joined(separator: ", "))
            }
            state.withLock { $0.maximumDimensions = newValue }
        }
    }

    private var supportedDimensions: [CMVideoDimensions] {
        camera(of: connection(with: .video))?.activeFormat.supportedMaxPhotoDimensions ?? []
    }

    /// Takes a still from the next frame.
    ///
    /// - Parameters:
    ///   - settings: As they are now; what is changed later changes nothing.
    ///   - delegate: Kept until its last callback. Where the session stops before the frame, the capture ends with an
    ///     error.
    public func capturePhoto(with settings: AVCapturePhotoSettings, delegate: any AVCapturePhotoCaptureDelegate) {
        let settings = AVCapturePhotoSettings(asOrdered: settings)
        guard let connection = connection(with: .video), connection.isEnabled, connection.isActive, let session,
            session.isRunning
        else {
            return misused("No active and enabled video connection")
        }
        if let reason = reasonAgainst(settings) { return misused(reason) }
        let isFirstUse = state.withLock { $0.usedIDs.insert(settings.uniqueID).inserted }
        guard isFirstUse else { return misused("Settings may not be re-used") }
        if let time = connection.inputPorts.first?.endTime {
            return misused("the source of the video connection ended at \(time.seconds) s")
        }
        let device = camera(of: connection)
        let wantsFlash = settings.flashMode == .on || (settings.flashMode == .auto && device?.isDim ?? false)
        let usesFlash = wantsFlash && device?.isFlashAvailable ?? false
        let resolved = AVCaptureResolvedPhotoSettings(
            uniqueID: settings.uniqueID,
            photoDimensions: connection.inputPorts.first?.formatDescription?.dimensions
                ?? CMVideoDimensions(width: 0, height: 0), isFlashEnabled: usesFlash)
        if usesFlash { device?.set(.flash, to: .flag(true)) }
        let request = Request(
            settings: settings, resolved: resolved, delegate: delegate, connection: connection,
            notBefore: system.clock.now)
        // Told before a frame can serve the request, so that nothing is told earlier.
        tell(request) { $1.photoOutput($0, willBeginCaptureFor: resolved) }
        state.withLock { $0.waiting.append(request) }
        // The session may have stopped on another thread, and told its outputs before the request was there.
        if !session.isRunning { sessionDidStop(.stopped) }
    }

    func camera(of connection: AVCaptureConnection?) -> AVCaptureDevice? {
        (connection?.inputPorts.first?.ownerIfAlive as? AVCaptureDeviceInput)?.device
    }

    private func misused(_ reason: String) {
        system.misuse.report(
            .invalidArgument, "-[AVCapturePhotoOutput capturePhotoWithSettings:delegate:] \(reason)")
    }

    /// The settings for which a client had the output prepared.
    var prepared: [AVCapturePhotoSettings] { state.withLock { $0.prepared } }

    /// Notes what is on offer now; gives what was before.
    func note(_ offer: PhotoOffer) -> PhotoOffer {
        state.withLock { state in
            defer { state.toldOffer = offer }
            return state.toldOffer
        }
    }

    override func configurationDidChange() {
        offerMayHaveChanged()
        finishPreparing()
    }

    override func sessionDidStart() { finishPreparing() }

    /// As a client set it, supported or not.
    var deliversDepth: Bool {
        get { state.withLock { $0.deliversDepth } }
        set { state.withLock { $0.deliversDepth = newValue } }
    }

    /// Notes for what a client wants the output prepared, and who waits for it.
    ///
    /// - Parameter settings: nil leaves them as they are.
    /// - Returns: Who waited before.
    func prepare(
        _ settings: [AVCapturePhotoSettings]?, _ completion: (@Sendable (Bool, (any Error)?) -> Void)?
    ) -> (@Sendable (Bool, (any Error)?) -> Void)? {
        state.withLock { state in
            defer { state.preparing = completion }
            if let settings { state.prepared = settings }
            return state.preparing
        }
    }

    /// What is watched for a client; see `photoSettingsForSceneMonitoring`.
    func withMonitoring<Result>(_ body: (inout SceneMonitoring) -> Result) -> Result {
        state.withLock { body(&$0.monitoring) }
    }

    /// Why settings cannot be used, nil where they can.
    func reasonAgainst(_ settings: AVCapturePhotoSettings) -> String? {
        // Settings can be prepared before there is a camera.
        if let format = settings.pixelFormat, !Self.pixelFormats.contains(format) {
            return "Unsupported pixel format - use availablePhotoPixelFormatTypes"
        }
        if let codec = settings.codec, !Self.codecs.contains(codec) {
            return "Unsupported codec \(codec.rawValue) - use availablePhotoCodecTypes"
        }
        if !supportedFlashModes.contains(settings.flashMode) { return "Unsupported flash mode" }
        if settings.photoQualityPrioritization.rawValue > maxPhotoQualityPrioritization.rawValue {
            return "photoQualityPrioritization exceeds maxPhotoQualityPrioritization"
        }
        if settings.isHighResolutionPhotoEnabled, !isHighResolutionCaptureEnabled {
            return "isHighResolutionPhotoEnabled may not be set unless isHighResolutionCaptureEnabled is"
        }
        if settings.isDepthDataDeliveryEnabled, !isDepthDataDeliveryEnabled {
            return "isDepthDataDeliveryEnabled may not be set unless the output's isDepthDataDeliveryEnabled is"
        }
        let wanted = settings.maxPhotoDimensions
        if wanted.width != 0 || wanted.height != 0 {
            guard supportedDimensions.contains(wanted) else {
                return "maxPhotoDimensions must be one of the activeFormat's supportedMaxPhotoDimensions"
            }
            let most = maxPhotoDimensions
            guard wanted.width <= most.width, wanted.height <= most.height else {
                return "maxPhotoDimensions must not exceed the output's maxPhotoDimensions, "
                    + "\(most.width)x\(most.height)"
            }
        }
        return nil
    }

    override func receive(_ media: CapturedMedia, from connection: AVCaptureConnection) {
        guard case .video(let frame) = media.content else { return }
        if state.withLock({ $0.monitoring.isDue(at: frame.presentationTime) }) { lookAtScene() }
        let requests = state.withLock { state in
            let due = state.waiting.filter { $0.connection === connection && $0.isServed(by: frame) }
            let ids = Set(due.map(\.settings.uniqueID))
            state.waiting.removeAll { ids.contains($0.settings.uniqueID) }
            return due
        }
        for request in requests {
            let resolved = request.resolved
            tell(request) { $1.photoOutput($0, willCapturePhotoFor: resolved) }
            tell(request) { $1.photoOutput($0, didCapturePhotoFor: resolved) }
            worker.submit { self.process(media, frame, for: request) }
        }
    }

    override func sourceDidEnd(_ connection: AVCaptureConnection, at time: CMTime) {
        fail(AVError(.noDataCaptured, "the source ended before the picture was taken"))
    }

    override func sessionDidStop(_ reason: StopReason) {
        let error: AVError =
            switch reason {
            case .stopped: AVError(.sessionNotRunning, "the session stopped before the picture was taken")
            case .reconfigured:
                AVError(.sessionConfigurationChanged, "the session was changed before the picture was taken")
            case .interrupted:
                AVError(.sessionWasInterrupted, "the session was interrupted before the picture was taken")
            case .failed(let error): error
            }
        fail(error)
    }

    /// Ends all captures that wait for their frame.
    private func fail(_ error: AVError) {
        let requests = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for request in requests {
            finish(
                request,
                AVCapturePhoto(
                    file: nil, pixelBuffer: nil, resolvedSettings: request.resolved, timestamp: .invalid, metadata: [:]),
                error)
        }
    }

    private func process(_ media: CapturedMedia, _ frame: VideoFrame, for request: Request) {
        let device = camera(of: request.connection)
        let transform = request.connection.pixelTransform
        var file: Data?
        var pixels: CVPixelBuffer?
        var metadata: [String: Any] = [:]
        var failure: AVError?
        let depth = depth(of: frame, for: request.settings)
        do throws(AVError) {
            let source = try enlarged(media, frame, by: request.connection.presentScaleAndCropFactor)
            let description = StillDescription(
                settings: frame.settings, device: device,
                orientation: CGImagePropertyOrientation(rotation: transform.rotation, isMirrored: transform.isMirrored),
                date: date(of: frame, from: device), width: CVPixelBufferGetWidth(source),
                height: CVPixelBufferGetHeight(source))
            metadata = description.imageProperties
            if let format = request.settings.pixelFormat {
                let crop = crop(source, by: request.connection.presentScaleAndCropFactor)
                pixels = try media.pixelBuffer(
                    of: frame,
                    as: FrameConverter.Request(
                        pixelFormat: format,
                        size: crop.map { _ in (CVPixelBufferGetWidth(source), CVPixelBufferGetHeight(source)) },
                        transform: PixelTransform(crop: crop)))
                if pixels == nil { throw AVError(.outOfMemory, "all buffers for pictures are in use") }
            } else {
                file = try encode(source, description, request.settings.photoQualityPrioritization)
            }
        } catch {
            failure = error
        }
        finish(
            request,
            AVCapturePhoto(
                file: file, pixelBuffer: pixels, resolvedSettings: request.resolved, timestamp: frame.presentationTime,
                metadata: metadata, depthData: failure == nil ? depth : nil),
            failure)
    }

    /// The depth that came with a frame, where the settings ask for it.
    private func depth(of frame: VideoFrame, for settings: AVCapturePhotoSettings) -> AVDepthData? {
        guard settings.isDepthDataDeliveryEnabled, case .map(let depth)? = frame.depth else { return nil }
        let data = AVDepthData(depth, misuse: system.misuse)
        return settings.isDepthDataFiltered ? data.filtered { DepthFilter.smoothed($0) } : data
    }

    /// The frame, or the middle of it in the frame's size.
    private func enlarged(
        _ media: CapturedMedia, _ frame: VideoFrame, by factor: CGFloat
    ) throws(AVError) -> CVPixelBuffer {
        let source = try media.pixelBuffer(of: frame)
        guard let crop = crop(source, by: factor) else { return source }
        let enlarged = try media.pixelBuffer(
            of: frame,
            as: FrameConverter.Request(
                pixelFormat: CVPixelBufferGetPixelFormatType(source),
                size: (CVPixelBufferGetWidth(source), CVPixelBufferGetHeight(source)),
                transform: PixelTransform(crop: crop)))
        guard let enlarged else { throw AVError(.outOfMemory, "all buffers for pictures are in use") }
        return enlarged
    }

    /// The middle of a picture that fills it where it is enlarged; nil where it is not.
    private func crop(_ picture: CVPixelBuffer, by factor: CGFloat) -> PixelRect? {
        guard factor > 1 else { return nil }
        let (width, height) = (CVPixelBufferGetWidth(picture), CVPixelBufferGetHeight(picture))
        // Whole and even, for pictures whose colours are sampled at every other pixel.
        let columns = max(2, Int(CGFloat(width) / factor) / 2 * 2)
        let rows = max(2, Int(CGFloat(height) / factor) / 2 * 2)
        return PixelRect(
            x: (width - columns) / 4 * 2, y: (height - rows) / 4 * 2, width: min(columns, width),
            height: min(rows, height))
    }

    /// When a picture was taken; nil where neither the device nor the clock can know.
    private func date(of frame: VideoFrame, from device: AVCaptureDevice?) -> Date? {
        if let date = frame.settings.date { return date }
        let showsThePast = device?.hardware.descriptor.showsThePast ?? false
        return showsThePast && system.clock.isVirtual ? nil : system.clock.date(at: frame.presentationTime)
    }

    private func encode(
        _ pixels: CVPixelBuffer, _ description: StillDescription, _ quality: QualityPrioritization
    ) throws(AVError) -> Data {
        do throws(StillError) {
            var segments = try JPEGSegments(JPEGCodec().encode(pixels, settings: quality.jpegSettings))
            try segments.setEXIF(description.exif)
            return segments.data
        } catch {
            throw AVError(.encodeFailed, "the picture could not be encoded: \(error)", cause: error)
        }
    }

    private func finish(_ request: Request, _ photo: AVCapturePhoto, _ error: AVError?) {
        let resolved = request.resolved
        tell(request) { $1.photoOutput($0, didFinishProcessingPhoto: photo, error: error) }
        tell(request) { $1.photoOutput($0, didFinishCaptureFor: resolved, error: error) }
    }

    private func tell(
        _ request: Request,
        _ call: @escaping @Sendable (AVCapturePhotoOutput, any AVCapturePhotoCaptureDelegate) -> Void
    ) {
        system.clock.deliver(on: callbackQueue) { call(self, request.delegate) }
    }
}

extension AVCapturePhotoOutput.QualityPrioritization {
    fileprivate var jpegSettings: JPEGCodec.Settings {
        switch self {
        case .speed: JPEGCodec.Settings(quality: 85)
        case .balanced: JPEGCodec.Settings(quality: 92)
        case .quality: JPEGCodec.Settings(quality: 96, subsampling: .chroma444)
        }
    }
}
