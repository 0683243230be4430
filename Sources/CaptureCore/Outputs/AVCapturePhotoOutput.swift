import AssetTypes
import CaptureHAL
import Dispatch
import Foundation
public import MediaTypes

/// Captures photos from a session's camera.
///
/// The output selects the frame of each capture and calls the delegate; `PhotoEncoder` creates the photo's data.
/// - Important: Thread-safe.
public final class AVCapturePhotoOutput: AVCaptureOutput, @unchecked Sendable {
    // SAFETY: all state is behind `state`.
    /// The balance between a photo's quality and the speed of its delivery.
    public enum QualityPrioritization: Int, Sendable, Hashable {
        case speed = 1
        case balanced = 2
        case quality = 3
    }

    /// A capture that waits for its frame.
    private struct Request: @unchecked Sendable {
        // SAFETY: the delegate is only called on `callbackQueue`.
        let settings: AVCapturePhotoSettings
        /// The number of the request in the log: the first request of the output has number 1. The identifiers of
        /// settings are those of the process, so that they depend on what ran before.
        let logNumber: Int
        let resolved: AVCaptureResolvedPhotoSettings
        weak let delegate: (any AVCapturePhotoCaptureDelegate)?
        /// The type of the delegate, for the warning after its release.
        let delegateType: String
        let connection: AVCaptureConnection
        let selection: FrameSelection
    }

    private struct State {
        var waiting: [Request] = []
        /// The numbers of the settings of all captures; settings cannot be used again.
        var usedNumbers: Set<Int64> = []
        var isHighResolutionEnabled = false
        var maximumQuality = QualityPrioritization.balanced
        /// The size that the client has set; nil if none.
        var maximumSize: PixelSize?
        var prepared: [AVCapturePhotoSettings] = []
        /// The completion handler of the preparation in progress.
        var preparing: (@Sendable (Bool, (any Error)?) -> Void)?
        var monitoring = SceneMonitoring()
        var deliversDepth = false
        var livePhoto = (trims: false, preservesSuspension: false)
        var readiness = ReadinessState()
        /// The capabilities that observers were last notified of.
        var capabilities = PhotoCapabilities()
    }

    private let state = Lock(State(), order: .photoOutput)
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
    override var incompatibleOutput: AVCaptureOutput.Type? { AVCaptureStillImageOutput.self }

    public var isHighResolutionCaptureEnabled: Bool {
        get { observedProperties.value(\.isHighResolutionEnabled, in: state) }
        set { observedProperties.set(\.isHighResolutionEnabled, in: state, to: newValue) }
    }

    public var maxPhotoQualityPrioritization: QualityPrioritization {
        get { observedProperties.value(\.maximumQuality, in: state) }
        set { observedProperties.set(\.maximumQuality, in: state, to: newValue) }
    }

    /// The largest size that settings may request: one of the active format's `supportedMaxPhotoDimensions`.
    ///
    /// The default is the smallest supported size; it also applies if the active format does not support the size that
    /// was set. Without a camera the value is 0x0. Setting an unsupported size, or setting any size before the output
    /// is connected to a camera, is misuse.
    /// - Note: Unlike Apple, photos always have the size of the camera's stream, even if a larger size is allowed.
    public var maxPhotoDimensions: CMVideoDimensions {
        get {
            observedProperties.access()
            let supported = supportedSizes
            let size = state.withLock { $0.maximumSize }.flatMap { supported.contains($0) ? $0 : nil }
            return (size ?? supported.first)?.dimensions ?? CMVideoDimensions(width: 0, height: 0)
        }
        set {
            func reportMisuse(_ reason: String) {
                system.misuse.report(.invalidArgument, "-[AVCapturePhotoOutput setMaxPhotoDimensions:] \(reason)")
            }
            let supported = supportedSizes
            guard !supported.isEmpty else {
                return reportMisuse(
                    "May not be set until connected to a video source device with a non-nil activeFormat")
            }
            guard supported.contains(newValue.pixelSize) else {
                return reportMisuse(
                    "\(newValue.width)x\(newValue.height) is not one of the activeFormat's supportedMaxPhotoDimensions: "
                        + supported.map { "\($0.width)x\($0.height)" }.joined(separator: ", "))
            }
            state.withLock { $0.maximumSize = newValue.pixelSize }
            observedProperties.changed()
        }
    }

    private var supportedSizes: [PixelSize] {
        camera(of: connection(with: .video))?.activeFormat.supportedMaxPhotoDimensions.map(\.pixelSize) ?? []
    }

    /// Captures a photo from the next frame.
    ///
    /// If the session stops before that frame, the capture finishes with an error.
    /// - Parameters:
    ///   - settings: Copied; later changes have no effect.
    ///   - delegate: Not retained: the client keeps it until its last callback.
    public func capturePhoto(with settings: AVCapturePhotoSettings, delegate: any AVCapturePhotoCaptureDelegate) {
        let settings = settings.snapshot()
        guard let connection = connection(with: .video), connection.isEnabled, connection.isActive, let session,
            session.isRunning
        else {
            return reportCaptureMisuse("No active and enabled video connection")
        }
        if let reason = rejectionReason(for: settings) { return reportCaptureMisuse(reason) }
        if let time = connection.inputPorts.first?.endTime {
            return reportCaptureMisuse("the source of the video connection ended at \(time.seconds) s")
        }
        let (isFirstUse, count) = state.withLock {
            ($0.usedNumbers.insert(settings.number).inserted, $0.usedNumbers.count)
        }
        guard isFirstUse else { return reportCaptureMisuse("Settings may not be re-used") }
        session.runDeferredStart()
        system.reference.lifetimes.add(delegate, "the delegate")
        let device = camera(of: connection)
        let requestsFlash = settings.flashMode == .on || (settings.flashMode == .auto && device?.isSceneDim ?? false)
        let usesFlash = requestsFlash && device?.isFlashAvailable ?? false
        let resolved = AVCaptureResolvedPhotoSettings(
            settings: settings,
            photoDimensions: connection.inputPorts.first?.formatDescription?.dimensions
                ?? CMVideoDimensions(width: 0, height: 0), isFlashEnabled: usesFlash)
        if usesFlash { device?.set(.flash, to: .flag(true)) }
        let request = Request(
            settings: settings, logNumber: count, resolved: resolved, delegate: delegate,
            delegateType: "\(type(of: delegate))", connection: connection,
            selection: FrameSelection(
                notBefore: system.clock.now, needsFlash: usesFlash, needsDepth: settings.isDepthDataDeliveryEnabled))
        CaptureLog.write(
            .photo, .info, system.clock,
            "request \(request.logNumber): \(resolved.photoDimensions.width)x\(resolved.photoDimensions.height), "
                + "flash \(usesFlash ? "on" : "off")")
        // This callback must be the first, so it is scheduled before the request can receive a frame.
        callDelegate(of: request, .willBeginPhoto(resolved.uniqueID)) {
            $1.photoOutput($0, willBeginCaptureFor: resolved)
        }
        state.withLock { state in
            state.waiting.append(request)
            state.readiness.begin(settings.number, takesLong: settings.takesLong(usesFlash: usesFlash))
        }
        requestDidArrive(settings.uniqueID)
        // The session may have stopped on another thread, and called `sessionDidStop` before the request was added.
        if !session.isRunning { sessionDidStop(.stopped) }
    }

    /// Returns the camera of a connection; nil if the input was released.
    func camera(of connection: AVCaptureConnection?) -> AVCaptureDevice? {
        connection?.deviceInput?.device
    }

    private func reportCaptureMisuse(_ reason: String) {
        system.misuse.report(
            .invalidArgument, "-[AVCapturePhotoOutput capturePhotoWithSettings:delegate:] \(reason)")
    }

    /// The settings for which the client prepared the output.
    var prepared: [AVCapturePhotoSettings] { state.withLock { $0.prepared } }

    /// Stores the current capabilities and returns the previous ones.
    func replaceCapabilities(_ capabilities: PhotoCapabilities) -> PhotoCapabilities {
        state.withLock { state in
            defer { state.capabilities = capabilities }
            return state.capabilities
        }
    }

    override func configurationDidChange() {
        updateCapabilities()
        finishPreparing()
        scheduleReadinessUpdate()
    }

    override func sessionDidStart() {
        finishPreparing()
        scheduleReadinessUpdate()
    }

    override var defersStartByDefault: Bool { true }

    /// Whether the client enabled depth, even if it is not supported.
    var deliversDepth: Bool {
        get { state.withLock { $0.deliversDepth } }
        set { state.withLock { $0.deliversDepth = newValue } }
    }

    /// Stores the settings to prepare for and the completion handler.
    ///
    /// - Parameter settings: Nil leaves the settings unchanged.
    /// - Returns: The previous completion handler, if it was not called yet.
    func replacePreparation(
        _ settings: [AVCapturePhotoSettings]?, _ completion: (@Sendable (Bool, (any Error)?) -> Void)?
    ) -> (@Sendable (Bool, (any Error)?) -> Void)? {
        state.withLock { state in
            defer { state.preparing = completion }
            if let settings { state.prepared = settings }
            return state.preparing
        }
    }

    /// The client's settings for Live Photos, which have no effect.
    var livePhotoSettings: (trims: Bool, preservesSuspension: Bool) {
        get { state.withLock { $0.livePhoto } }
        set { state.withLock { $0.livePhoto = newValue } }
    }

    /// Accesses the state of the captures in progress; see `captureReadiness`.
    func withReadiness<Result>(_ body: (inout ReadinessState) -> Result) -> Result {
        state.withLock { body(&$0.readiness) }
    }

    /// Accesses the state of scene monitoring; see `photoSettingsForSceneMonitoring`.
    func withMonitoring<Result>(_ body: (inout SceneMonitoring) -> Result) -> Result {
        state.withLock { body(&$0.monitoring) }
    }

    /// Returns the reason why settings cannot be used; nil if they can.
    func rejectionReason(for settings: AVCapturePhotoSettings) -> String? {
        // Clients can prepare settings before the output has a camera.
        if let format = settings.pixelFormat, !Self.pixelFormats.contains(format) {
            return "Unsupported pixel format \(fourCharacterText(format)) - use "
                + "availablePhotoPixelFormatTypes"
        }
        if let codec = settings.codec, !Self.codecs.contains(codec) {
            return "Unsupported codec \(codec.rawValue) - use availablePhotoCodecTypes"
        }
        if let reason = settings.rejectionReason { return reason }
        if !supportedFlashModes.contains(settings.flashMode) {
            return "Unsupported flash mode \(settings.flashMode) - use supportedFlashModes"
        }
        if settings.photoQualityPrioritization.rawValue > maxPhotoQualityPrioritization.rawValue {
            return "photoQualityPrioritization \(settings.photoQualityPrioritization) exceeds "
                + "maxPhotoQualityPrioritization \(maxPhotoQualityPrioritization)"
        }
        if settings.isHighResolutionPhotoEnabled, !isHighResolutionCaptureEnabled {
            return "isHighResolutionPhotoEnabled may not be set unless isHighResolutionCaptureEnabled is"
        }
        if settings.isDepthDataDeliveryEnabled, !isDepthDataDeliveryEnabled {
            return "isDepthDataDeliveryEnabled may not be set unless the output's isDepthDataDeliveryEnabled is"
        }
        let requested = settings.maxPhotoDimensions
        if requested.width != 0 || requested.height != 0 {
            guard supportedSizes.contains(requested.pixelSize) else {
                return "maxPhotoDimensions must be one of the activeFormat's supportedMaxPhotoDimensions"
            }
            let limit = maxPhotoDimensions
            guard requested.width <= limit.width, requested.height <= limit.height else {
                return "maxPhotoDimensions must not exceed the output's maxPhotoDimensions, "
                    + "\(limit.width)x\(limit.height)"
            }
        }
        return nil
    }

    override func receive(_ media: CapturedMedia, from connection: AVCaptureConnection) {
        guard case .video(let frame) = media else { return }
        if state.withLock({ $0.monitoring.isDue(at: frame.presentationTime) }) { updateFlashScene() }
        let requests = state.withLock { state in
            let due = state.waiting.filter { $0.connection === connection && $0.selection.accepts(frame.content) }
            let numbers = Set(due.map(\.settings.number))
            state.waiting.removeAll { numbers.contains($0.settings.number) }
            for number in numbers { state.readiness.didCapture(number) }
            return due
        }
        for request in requests {
            let resolved = request.resolved
            CaptureLog.write(
                .photo, .info, system.clock,
                "request \(request.logNumber): takes the frame of \(frame.presentationTime.seconds) s")
            callDelegate(of: request, .willCapturePhoto(resolved.uniqueID)) {
                $1.photoOutput($0, willCapturePhotoFor: resolved)
            }
            callDelegate(of: request) { $1.photoOutput($0, didCapturePhotoFor: resolved) }
            worker.submit { self.process(frame, for: request) }
        }
        if !requests.isEmpty { scheduleReadinessUpdate() }
    }

    override func sourceDidEnd(_ connection: AVCaptureConnection, at time: CMTime) {
        fail(AVError(.noDataCaptured, "the source ended before the photo was captured"))
    }

    override func sessionDidStop(_ reason: StopReason) {
        fail(reason.error(ofCapture: "the photo"))
        scheduleReadinessUpdate()
    }

    /// Finishes, with an error, all captures that wait for their frame.
    private func fail(_ error: AVError) {
        let requests = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for request in requests {
            finish(request, AVCapturePhoto(EncodedPhoto(), resolvedSettings: request.resolved), error)
        }
    }

    private func process(_ frame: CapturedFrame, for request: Request) {
        let device = camera(of: request.connection)
        let encoder = PhotoEncoder(
            settings: request.settings, device: device,
            transform: request.connection.pixelTransform,
            scaleAndCropFactor: request.connection.activeScaleAndCropFactor, clock: system.clock,
            misuse: system.misuse)
        let encoded = encoder.encode(frame)
        let photo = AVCapturePhoto(
            encoded, resolvedSettings: request.resolved, timestamp: frame.presentationTime,
            sourceDeviceType: device?.deviceType)
        let error = encoded.error
        system.run(after: system.processingDurations.photo) { self.finish(request, photo, error) }
    }

    private func finish(_ request: Request, _ photo: AVCapturePhoto, _ error: AVError?) {
        let resolved = request.resolved
        if let error {
            CaptureLog.write(
                .photo, .error, system.clock, "request \(request.logNumber) failed: \(error.localizedDescription)")
        } else {
            CaptureLog.write(.photo, .info, system.clock, "request \(request.logNumber) finished")
        }
        state.withLock { $0.readiness.finish(request.settings.number) }
        // The output is ready before the client receives the photo.
        scheduleReadinessUpdate()
        callDelegate(of: request, .didProcessPhoto(resolved.uniqueID, photo, error)) {
            $1.photoOutput($0, didFinishProcessingPhoto: photo, error: error)
        }
        callDelegate(of: request, .didFinishPhoto(resolved.uniqueID, error)) {
            $1.photoOutput($0, didFinishCaptureFor: resolved, error: error)
        }
    }

    private func callDelegate(
        of request: Request, _ report: DelegateCall? = nil,
        _ call: @escaping @Sendable (AVCapturePhotoOutput, any AVCapturePhotoCaptureDelegate) -> Void
    ) {
        system.deliver(on: callbackQueue) { [self] in
            guard let delegate = request.delegate else {
                return system.warnings.report(
                    "the photo's delegate (\(request.delegateType)) was released before its last callback, so it does "
                        + "not receive the photo; the photo output does not retain the delegate, the app must")
            }
            if let report { delegateCalls.report(report) }
            call(self, delegate)
        }
    }
}
