import CaptureHAL
import MediaTypes

/// The captures in progress, which determine the readiness of a photo output.
struct ReadinessState: Sendable {
    /// For each capture that waits for its frame: whether it takes long. The key is the `number` of its settings.
    private var capturing: [Int64: Bool] = [:]
    /// For each captured photo that is being processed: whether its capture takes long. The key is the `number` of its
    /// settings.
    private var processing: [Int64: Bool] = [:]
    /// The readiness in the last notification; nil if the last change had no observers.
    var notified: AVCapturePhotoOutput.CaptureReadiness?
    var coordinators: [WeakReference<AVCapturePhotoOutputReadinessCoordinator>] = []

    /// Registers a capture that waits for its frame.
    mutating func begin(_ number: Int64, takesLong: Bool) { capturing[number] = takesLong }

    /// Registers that the frame of a capture has arrived and is being processed.
    mutating func didCapture(_ number: Int64) { processing[number] = capturing.removeValue(forKey: number) }

    /// Registers the end of a capture.
    mutating func finish(_ number: Int64) {
        capturing[number] = nil
        processing[number] = nil
    }

    /// Whether a capture is in progress.
    var isBusy: Bool { !capturing.isEmpty || !processing.isEmpty }

    /// Returns the readiness while the session runs.
    ///
    /// - Parameter isResponsive: Whether a capture can begin while photos are processed.
    func readiness(isResponsive: Bool) -> AVCapturePhotoOutput.CaptureReadiness {
        if capturing.values.contains(true) { return .notReadyWaitingForCapture }
        if isResponsive { return capturing.isEmpty ? .ready : .notReadyMomentarily }
        if processing.values.contains(true) { return .notReadyWaitingForProcessing }
        return capturing.isEmpty && processing.isEmpty ? .ready : .notReadyMomentarily
    }
}

extension AVCapturePhotoSettings {
    /// Whether a capture takes so long that an app should indicate this to the user.
    func takesLong(usesFlash: Bool) -> Bool { usesFlash || photoQualityPrioritization == .quality }
}

extension AVCapturePhotoOutput {
    /// Whether the output can capture a photo without delay.
    public enum CaptureReadiness: Int, Sendable, Hashable {
        case sessionNotRunning = 0
        case ready = 1
        /// A capture is in progress.
        case notReadyMomentarily = 2
        /// A capture with flash, or with the best quality, waits for its frame.
        case notReadyWaitingForCapture = 3
        /// A photo with flash, or with the best quality, is being processed.
        case notReadyWaitingForProcessing = 4
    }

    /// Whether a new capture begins without delay; captures are accepted in any state while the session runs.
    ///
    /// It can be observed; observers run on the thread that requests a capture, or on a queue of the output.
    public var captureReadiness: CaptureReadiness {
        observedProperties.access()
        guard session?.isRunning ?? false else { return .sessionNotRunning }
        let isResponsive = isResponsiveCaptureEnabled
        return withReadiness { $0.readiness(isResponsive: isResponsive) }
    }

    /// Notifies the coordinators and observers of a request that was accepted.
    func requestDidArrive(_ uniqueID: Int64) {
        for coordinator in coordinators { coordinator.stopTracking(upTo: uniqueID) }
        updateReadiness()
    }

    /// Notifies the observers asynchronously, on a queue of the output, and the coordinators on the main queue;
    /// thread-safe.
    ///
    /// Both come before the callbacks of a photo that are scheduled afterwards.
    func scheduleReadinessUpdate() {
        for coordinator in coordinators { coordinator.outputDidChange() }
        guard observedProperties.hasObservers else {
            withReadiness { $0.notified = nil }
            return
        }
        system.deliver(on: callbackQueue) { [weak self] in self?.updateReadiness() }
    }

    private func updateReadiness() {
        let new = captureReadiness
        let hasChanged = withReadiness { state in
            defer { state.notified = new }
            return state.notified != new
        }
        if hasChanged { observedProperties.changed(["captureReadiness"]) }
    }

    /// Adds a coordinator, which is notified of requests and changes of the readiness.
    func add(_ coordinator: AVCapturePhotoOutputReadinessCoordinator) {
        withReadiness { state in
            state.coordinators.removeAll { $0.object == nil }
            state.coordinators.append(WeakReference(coordinator))
        }
    }

    private var coordinators: [AVCapturePhotoOutputReadinessCoordinator] {
        withReadiness { $0.coordinators.compactMap(\.object) }
    }
}
