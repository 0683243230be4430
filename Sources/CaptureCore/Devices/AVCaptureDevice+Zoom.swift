import CaptureHAL
public import Foundation
import MediaTypes

extension AVCaptureDevice {
    /// The factor by which the picture is enlarged; 1 is the whole field of view.
    ///
    /// Between `maxAvailableVideoZoomFactor` and the format's maximum a value is clamped; beyond, it is misuse.
    public var videoZoomFactor: CGFloat {
        get {
            observedProperties.access()
            return CGFloat(number(.zoomFactor) ?? 1)
        }
        set {
            guard isLocked(for: "setVideoZoomFactor:") else { return }
            guard newValue >= 1, newValue <= activeFormat.videoMaxZoomFactor else {
                return surroundings.misuse.report(
                    .range,
                    "-[AVCaptureDevice setVideoZoomFactor:] \(newValue) is outside the range "
                        + "1 - \(activeFormat.videoMaxZoomFactor)")
            }
            cancelRamp()
            let factor = min(max(newValue, minAvailableVideoZoomFactor), maxAvailableVideoZoomFactor)
            set(.zoomFactor, to: .number(Double(factor)))
        }
    }

    /// Above 1 while a virtual device is locked to a constituent that delivers from there. Can be observed.
    public var minAvailableVideoZoomFactor: CGFloat {
        observedProperties.access()
        return CGFloat(max(range(.zoomFactor)?.lowerBound ?? 1, lockedSwitchOverZoomFactor ?? 1))
    }

    /// The greatest factor that there is now. Can be observed.
    public var maxAvailableVideoZoomFactor: CGFloat {
        observedProperties.access()
        return CGFloat(range(.zoomFactor)?.upperBound ?? 1)
    }

    /// Whether the zoom is on its way.
    public var isRampingVideoZoom: Bool {
        observedProperties.access()
        return state.withLock { $0.zoomRamp != nil }
    }

    /// Changes the zoom little by little, frame for frame.
    ///
    /// - Parameters:
    ///   - factor: Where the zoom is to end: 1 to the format's maximum; others are misuse.
    ///   - rate: Powers of two a second, whatever the sign; 0 leaves the zoom where it is.
    public func ramp(toVideoZoomFactor factor: CGFloat, withRate rate: Float) {
        let method = "rampToVideoZoomFactor:withRate:"
        guard isLocked(for: method) else { return }
        guard factor >= 1, factor <= activeFormat.videoMaxZoomFactor else {
            return reportOutOfRange(method, "factor", factor, "[1, \(activeFormat.videoMaxZoomFactor)]")
        }
        guard rate.isFinite else { return reportOutOfRange(method, "rate", rate, "of finite numbers") }
        cancelRamp()
        guard rate != 0 else { return }
        let ramp = ZoomRamp(
            start: Double(videoZoomFactor),
            end: Double(min(max(factor, minAvailableVideoZoomFactor), maxAvailableVideoZoomFactor)),
            rate: Double(abs(rate)), startTime: surroundings.clock.now, id: ZoomRamp.Identity())
        state.withLock { $0.zoomRamp = ramp }
        observedProperties.changed(["isRampingVideoZoom"])
        step(ramp)
    }

    /// Leaves the zoom where it is.
    public func cancelVideoZoomRamp() {
        guard isLocked(for: "cancelVideoZoomRamp") else { return }
        cancelRamp()
    }

    private func cancelRamp() {
        end { _ in true }
    }

    private func end(_ isConcerned: (ZoomRamp) -> Bool) {
        let hasEnded = state.withLock { state in
            guard let ramp = state.zoomRamp, isConcerned(ramp) else { return false }
            state.zoomRamp = nil
            return true
        }
        if hasEnded { observedProperties.changed(["isRampingVideoZoom"]) }
    }

    /// Takes the zoom as far as the ramp has come, and goes on with the next frame.
    private func step(_ ramp: ZoomRamp) {
        guard state.withLock({ $0.zoomRamp?.id === ramp.id }) else { return }
        let now = surroundings.clock.now
        let factor = ramp.factor(at: now)
        let failure = set(.zoomFactor, to: .number(factor))
        guard factor != ramp.end, failure == nil else {
            return end { $0.id === ramp.id }
        }
        surroundings.clock.schedule(at: now + activeVideoMinFrameDuration) { [weak self] in self?.step(ramp) }
    }
}

/// A zoom that moves by a constant number of powers of two a second.
struct ZoomRamp: Sendable {
    /// Tells one ramp from the next.
    final class Identity: Sendable {}

    let start: Double
    let end: Double
    /// Powers of two a second.
    let rate: Double
    let startTime: CMTime
    let id: Identity

    /// Where the zoom is at `time`; exactly `end` from when it is reached.
    func factor(at time: CMTime) -> Double {
        let grown = exp2((end < start ? -rate : rate) * (time - startTime).seconds)
        // Whole millionths, on which all machines agree.
        let factor = (start * grown * 1_000_000).rounded() / 1_000_000
        return end < start ? max(factor, end) : min(factor, end)
    }
}
