import CaptureHAL
public import Foundation
import MediaTypes

extension AVCaptureDevice {
    /// The zoom factor; 1 is the full field of view.
    ///
    /// Values are clamped to `minAvailableVideoZoomFactor` … `maxAvailableVideoZoomFactor`. A value below 1 or above
    /// the format's maximum is misuse.
    public var videoZoomFactor: CGFloat {
        get {
            observedProperties.access()
            return CGFloat(number(.zoomFactor) ?? 1)
        }
        set {
            guard checkLock(for: "setVideoZoomFactor:") else { return }
            guard newValue >= 1, newValue <= activeFormat.videoMaxZoomFactor else {
                return environment.misuse.report(
                    .range,
                    "-[AVCaptureDevice setVideoZoomFactor:] \(newValue) is outside the range "
                        + "1 - \(activeFormat.videoMaxZoomFactor)")
            }
            cancelRamp()
            let factor = min(max(newValue, minAvailableVideoZoomFactor), maxAvailableVideoZoomFactor)
            set(.zoomFactor, to: .number(Double(factor)))
        }
    }

    /// The smallest available factor; above 1 while a virtual device is locked to a narrower constituent. Can be
    /// observed.
    public var minAvailableVideoZoomFactor: CGFloat {
        observedProperties.access()
        return CGFloat(max(range(.zoomFactor)?.lowerBound ?? 1, lockedSwitchOverZoomFactor ?? 1))
    }

    /// The largest available factor. Can be observed.
    public var maxAvailableVideoZoomFactor: CGFloat {
        observedProperties.access()
        return CGFloat(range(.zoomFactor)?.upperBound ?? 1)
    }

    /// Whether a ramp is running.
    public var isRampingVideoZoom: Bool {
        observedProperties.access()
        return state.withLock { $0.zoomRamp != nil }
    }

    /// Changes the zoom factor gradually, frame by frame.
    ///
    /// - Parameters:
    ///   - factor: The final factor: 1 to the format's maximum; other values are misuse.
    ///   - rate: Powers of two per second; the sign is ignored, 0 leaves the zoom unchanged.
    public func ramp(toVideoZoomFactor factor: CGFloat, withRate rate: Float) {
        let method = "rampToVideoZoomFactor:withRate:"
        guard checkLock(for: method) else { return }
        guard factor >= 1, factor <= activeFormat.videoMaxZoomFactor else {
            return reportOutOfRange(method, "factor", factor, "[1, \(activeFormat.videoMaxZoomFactor)]")
        }
        guard rate.isFinite else { return reportOutOfRange(method, "rate", rate, "of finite numbers") }
        cancelRamp()
        guard rate != 0 else { return }
        let ramp = ZoomRamp(
            start: Double(videoZoomFactor),
            end: Double(min(max(factor, minAvailableVideoZoomFactor), maxAvailableVideoZoomFactor)),
            rate: Double(abs(rate)), startTime: environment.clock.now, id: ZoomRamp.Identity())
        state.withLock { $0.zoomRamp = ramp }
        observedProperties.changed(["isRampingVideoZoom"])
        step(ramp)
    }

    /// Stops the ramp at the current factor.
    public func cancelVideoZoomRamp() {
        guard checkLock(for: "cancelVideoZoomRamp") else { return }
        cancelRamp()
    }

    private func cancelRamp() {
        endRamp { _ in true }
    }

    /// Ends the current ramp if it matches.
    private func endRamp(where isMatch: (ZoomRamp) -> Bool) {
        let hasEnded = state.withLock { state in
            guard let ramp = state.zoomRamp, isMatch(ramp) else { return false }
            state.zoomRamp = nil
            return true
        }
        if hasEnded { observedProperties.changed(["isRampingVideoZoom"]) }
    }

    /// Sets the zoom to the current factor of a ramp and schedules the next step for the next frame.
    private func step(_ ramp: ZoomRamp) {
        guard state.withLock({ $0.zoomRamp?.id === ramp.id }) else { return }
        let now = environment.clock.now
        // A lock to a constituent can exclude factors of a running ramp.
        let smallest = Double(minAvailableVideoZoomFactor)
        let factor = max(ramp.factor(at: now), smallest)
        let failure = set(.zoomFactor, to: .number(factor))
        guard factor != max(ramp.end, smallest), failure == nil else {
            return endRamp { $0.id === ramp.id }
        }
        environment.clock.schedule(at: now + activeVideoMinFrameDuration) { [weak self] in self?.step(ramp) }
    }
}

/// A zoom change at a constant number of powers of two per second.
struct ZoomRamp: Sendable {
    /// Identifies a ramp.
    final class Identity: Sendable {}

    let start: Double
    let end: Double
    /// Powers of two per second.
    let rate: Double
    let startTime: CMTime
    let id: Identity

    /// Returns the factor at `time`; exactly `end` once it is reached.
    func factor(at time: CMTime) -> Double {
        let unrounded = start * exp2((end < start ? -rate : rate) * (time - startTime).seconds)
        // Rounding to millionths makes the result identical on all machines.
        let factor = (unrounded * 1_000_000).rounded() / 1_000_000
        return end < start ? max(factor, end) : min(factor, end)
    }
}
