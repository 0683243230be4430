import CaptureHAL
import Dispatch
public import Foundation
public import KeyValueObserving
import MediaTypes

/// Receives changes of the readiness of a photo output, including tracked requests, on the main queue.
public protocol AVCapturePhotoOutputReadinessCoordinatorDelegate: AnyObject {
    /// The readiness has changed, or the delegate was set.
    func readinessCoordinator(
        _ coordinator: AVCapturePhotoOutputReadinessCoordinator,
        captureReadinessDidChange captureReadiness: AVCapturePhotoOutput.CaptureReadiness)
}

extension AVCapturePhotoOutputReadinessCoordinatorDelegate {
    public func readinessCoordinator(
        _ coordinator: AVCapturePhotoOutputReadinessCoordinator,
        captureReadinessDidChange captureReadiness: AVCapturePhotoOutput.CaptureReadiness
    ) {}
}

/// Reports the readiness of a photo output on the main queue, including requests that have not reached the output yet.
///
/// - Important: Thread-safe.
public final class AVCapturePhotoOutputReadinessCoordinator: NSObject, KeyValueObserving, @unchecked Sendable {
    // SAFETY: all state is behind `state`.
    private struct State {
        weak var delegate: (any AVCapturePhotoOutputReadinessCoordinatorDelegate)?
        /// The readiness during each request that the output has not received, by the `uniqueID` of the settings.
        var tracked: [Int64: AVCapturePhotoOutput.CaptureReadiness] = [:]
        var readiness: AVCapturePhotoOutput.CaptureReadiness
    }

    private let output: AVCapturePhotoOutput
    private let state: Lock<State>
    public let observedProperties: ObservedProperties

    public init(photoOutput: AVCapturePhotoOutput) {
        output = photoOutput
        observedProperties = ObservedProperties(photoOutput.system.reference, photoOutput.system.misuse)
        state = Lock(State(readiness: photoOutput.captureReadiness))
        super.init()
        photoOutput.add(self)
    }

    /// The delegate, called on the main queue: once after it is set, then for each change of the readiness.
    public weak var delegate: (any AVCapturePhotoOutputReadinessCoordinatorDelegate)? {
        get { state.withLock { $0.delegate } }
        set {
            state.withLock { $0.delegate = newValue }
            output.system.reference.lifetimes.add(newValue, "the delegate")
            output.system.deliver(on: .main) { [weak self] in
                guard let self else { return }
                delegate?.readinessCoordinator(self, captureReadinessDidChange: captureReadiness)
            }
        }
    }

    /// The readiness of the output, or of the tracked requests if they cause longer delays.
    ///
    /// It can be observed; observers run on the main queue.
    public var captureReadiness: AVCapturePhotoOutput.CaptureReadiness {
        observedProperties.access()
        return state.withLock { $0.readiness }
    }

    /// Counts a request as in progress until the output receives these settings or newer ones.
    ///
    /// On the main thread the delegate is called before this method returns. Settings that the output cannot capture
    /// are misuse.
    public func startTrackingCaptureRequest(using settings: AVCapturePhotoSettings) {
        if let reason = output.rejectionReason(for: settings) {
            return output.system.misuse.report(
                .invalidArgument,
                "-[AVCapturePhotoOutputReadinessCoordinator startTrackingCaptureRequestUsingPhotoSettings:] \(reason)")
        }
        let takesLong = settings.takesLong(usesFlash: settings.flashMode == .on)
        state.withLock {
            $0.tracked[settings.uniqueID] = takesLong ? .notReadyWaitingForCapture : .notReadyMomentarily
        }
        update()
    }

    /// Ends the tracking of a request that the output will not receive.
    ///
    /// On the main thread the delegate is called before this method returns.
    public func stopTrackingCaptureRequest(using settingsUniqueID: Int64) {
        state.withLock { $0.tracked[settingsUniqueID] = nil }
        update()
    }

    /// Stops tracking the requests with identifiers up to `uniqueID`, after the output has received settings.
    func stopTracking(upTo uniqueID: Int64) {
        state.withLock { state in state.tracked = state.tracked.filter { $0.key > uniqueID } }
        outputDidChange()
    }

    /// Updates the readiness on the main queue, after a change of the output's readiness.
    func outputDidChange() {
        output.system.deliver(on: .main) { [weak self] in self?.updateOnMainThread() }
    }

    private func update() {
        if Thread.isMainThread { updateOnMainThread() } else { outputDidChange() }
    }

    private func updateOnMainThread() {
        let outputReadiness = output.captureReadiness
        let changed = state.withLock { state -> AVCapturePhotoOutput.CaptureReadiness? in
            let leastReady = state.tracked.values.max { $0.rawValue < $1.rawValue }
            // Except for `sessionNotRunning`, greater raw values mean longer delays.
            let new =
                [leastReady, outputReadiness].compactMap(\.self).max { $0.rawValue < $1.rawValue } ?? outputReadiness
            defer { state.readiness = new }
            return state.readiness == new ? nil : new
        }
        guard let changed else { return }
        observedProperties.changed(["captureReadiness"])
        delegate?.readinessCoordinator(self, captureReadinessDidChange: changed)
    }
}
