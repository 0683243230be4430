import AssetTypes
import CaptureHAL
import Dispatch
import Foundation
import MediaTypes

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

    private struct State {
        var captures = PhotoRequestQueue()
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
        var deliversProRAW = false
        var readiness = ReadinessState()
        var responsiveness = CaptureResponsiveness()
        /// The capabilities that observers were last notified of.
        var capabilities = PhotoCapabilities()
    }

    private let state = Lock(State(), order: .photoOutput)
    let callbackQueue = DispatchQueue(label: "obscura.photo.callbacks")
    let worker: any ClockWorker
    let livePhotoOptions = Lock(LivePhotoOptions())
    let matteOptions = Lock(MatteOptions())
    /// Whether the client enabled deferred delivery, even if it is not supported.
    let defersDelivery = Lock(false)
    let livePhotoRecorder: LivePhotoRecorder

    public init() {
        let system = CaptureSystem.current
        livePhotoRecorder = LivePhotoRecorder(system: system)
        worker = system.clock.makeWorker(label: "obscura.photo")
        super.init(system: system)
    }

    override var acceptedMedia: [AVMediaType] { [.video, .audio] }
    override var recordsEachFrame: Bool { recordsLivePhotos }
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

    /// The value of `maxPhotoDimensions` that the client has set; nil if none.
    var maximumSize: PixelSize? {
        get { state.withLock { $0.maximumSize } }
        set { state.withLock { $0.maximumSize = newValue } }
    }

    /// Captures a photo, or the photos of a bracket.
    ///
    /// Captures are made in the order of the calls, each with an exposure of its own. If the camera captures stills
    /// beside its stream, the photo has the size that the settings allow, `photoQualityPrioritization` determines how
    /// many frames are merged in dim light, and with zero shutter lag it may be a frame from before the call. Otherwise
    /// the photo is the next frame of the stream. If the session stops first, the capture finishes with an error.
    /// - Parameters:
    ///   - settings: Copied; later changes have no effect.
    ///   - delegate: Not retained: the client keeps it until its last callback.
    public func capturePhoto(with settings: AVCapturePhotoSettings, delegate: any AVCapturePhotoCaptureDelegate) {
        let settings = settings.snapshot()
        settings.contentIdentifier = settings.livePhotoMovieFileURL.map { _ in makeContentIdentifier() }
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
        begin(makeRequest(settings, logNumber: count, delegate, connection))
        // Another thread may have stopped the session or disabled the connection before the request was added.
        if !session.isRunning { sessionDidStop(.stopped) }
        connectionDidChange(connection)
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

    /// Whether the client enabled Apple ProRAW, even if it is not supported.
    var deliversProRAW: Bool {
        get { state.withLock { $0.deliversProRAW } }
        set { state.withLock { $0.deliversProRAW = newValue } }
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

    /// Accesses the state of the captures in progress; see `captureReadiness`.
    func withReadiness<Result>(_ body: (inout ReadinessState) -> Result) -> Result {
        state.withLock { body(&$0.readiness) }
    }

    /// Accesses the state of scene monitoring; see `photoSettingsForSceneMonitoring`.
    func withMonitoring<Result>(_ body: (inout SceneMonitoring) -> Result) -> Result {
        state.withLock { body(&$0.monitoring) }
    }

    /// Accesses the captures that wait for their exposures.
    func withCaptures<Result>(_ body: (inout PhotoRequestQueue) -> Result) -> Result {
        state.withLock { body(&$0.captures) }
    }

    /// Accesses the settings of zero shutter lag and of the rate of captures.
    func withResponsiveness<Result>(_ body: (inout CaptureResponsiveness) -> Result) -> Result {
        state.withLock { body(&$0.responsiveness) }
    }

    override func consume(_ media: CapturedMedia, from connection: AVCaptureConnection) {
        recordLivePhotos(media)
        guard case .video(let frame) = media else { return }
        if withMonitoring({ $0.isDue(at: frame.presentationTime) }) { updateSceneMonitoring() }
        takeExposures(of: frame, from: connection)
    }

    override func connectionDidChange(_ connection: AVCaptureConnection) {
        super.connectionDidChange(connection)
        guard connection.mediaType == .video, !connection.passesMedia else { return }
        fail(.connectionWasDisabled(before: "the photo"), of: connection)
    }

    override func sourceDidEnd(_ connection: AVCaptureConnection, at time: CMTime) {
        guard connection.mediaType == .video else { return }
        livePhotoRecorder.endMovies()
        fail(AVError(.noDataCaptured, "the source ended before the photo was captured"))
    }

    override func sessionDidStop(_ reason: StopReason) {
        fail(reason.error(ofCapture: "the photo"))
        stopLivePhotos(reason)
        scheduleReadinessUpdate()
    }
}
