import AssetTypes
import CaptureHAL
public import Foundation
public import MediaTypes

extension AVCaptureDevice {
    /// The active depth format: one of the active format's `supportedDepthDataFormats`; nil if there are none, or if
    /// the client has set nil. Can be observed.
    ///
    /// Setting `activeFormat` selects the first depth format of the new format. Setting an unsupported format, or
    /// setting one without the configuration lock, is misuse.
    public var activeDepthDataFormat: Format? {
        get {
            observedProperties.access()
            return state.withLock { $0.effectiveDepthFormat }
        }
        set {
            guard checkLock(for: "setActiveDepthDataFormat:") else { return }
            guard newValue.map({ format in activeFormat.supportedDepthDataFormats.contains { $0 === format } }) ?? true
            else {
                return environment.misuse.report(
                    .invalidArgument,
                    "-[AVCaptureDevice setActiveDepthDataFormat:] the format is not one of the activeFormat's "
                        + "supportedDepthDataFormats")
            }
            let isNew = state.withLock { state in
                defer {
                    state.depthFormat = .some(newValue)
                    state.depthFrameDuration = nil
                }
                return state.effectiveDepthFormat !== newValue
            }
            depthChanged()
            if isNew { for session in sessions { session.postFormatChange(of: self, .depthData) } }
        }
    }

    /// The shortest time between depth maps; their rate never exceeds the frame rate.
    ///
    /// Setting `.invalid` restores the depth format's default; `.positiveInfinity` disables depth. Durations that the
    /// depth format does not support are misuse. Any change of the format resets it. Can be observed.
    public var activeDepthDataMinFrameDuration: CMTime {
        get {
            observedProperties.access()
            return state.withLock { $0.effectiveDepthFrameDuration }
        }
        set {
            guard checkLock(for: "setActiveDepthDataMinFrameDuration:") else { return }
            let format = activeDepthDataFormat?.depth
            guard
                !newValue.isValid || newValue == .positiveInfinity || format?.supports(frameDuration: newValue) ?? false
            else {
                return environment.misuse.report(
                    .range,
                    "-[AVCaptureDevice setActiveDepthDataMinFrameDuration:] \(newValue.value)/\(newValue.timescale) s is "
                        + "outside the activeDepthDataFormat's supported frame rate ranges")
            }
            state.withLock { $0.depthFrameDuration = newValue.isValid ? newValue : nil }
            depthChanged()
        }
    }

    /// The depth configuration of streams; nil if depth is disabled.
    var depthConfiguration: DepthConfiguration? {
        let (format, duration) = state.withLock { ($0.effectiveDepthFormat?.depth, $0.effectiveDepthFrameDuration) }
        guard let format, duration.isNumeric else { return nil }
        return DepthConfiguration(format: format, frameDuration: duration)
    }

    private func depthChanged() {
        observedProperties.changed(["activeDepthDataFormat", "activeDepthDataMinFrameDuration"])
        for session in sessions { session.depthConfigurationDidChange() }
    }
}

extension AVCaptureDevice.State {
    /// The selected depth format, else the active format's default.
    fileprivate var effectiveDepthFormat: AVCaptureDevice.Format? {
        depthFormat ?? activeFormat.supportedDepthDataFormats.first
    }

    /// The selected minimum duration, else the depth format's default.
    fileprivate var effectiveDepthFrameDuration: CMTime {
        depthFrameDuration ?? effectiveDepthFormat?.depth?.frameDurations.map(\.minimum).min() ?? .invalid
    }
}

extension AVCaptureDevice.Format {
    /// The zoom factors at which depth is delivered; empty if the format has no depth.
    public var supportedVideoZoomRangesForDepthDataDelivery: [ClosedRange<CGFloat>] {
        guard let video, !supportedDepthDataFormats.isEmpty else { return [] }
        let range = video.depthZoomFactors ?? 1...video.maximumZoomFactor
        return [CGFloat(range.lowerBound)...CGFloat(range.upperBound)]
    }

    /// The individual zoom factors at which depth is delivered; empty, since formats support ranges.
    @available(*, deprecated, message: "Use supportedVideoZoomRangesForDepthDataDelivery instead.")
    public var supportedVideoZoomFactorsForDepthDataDelivery: [CGFloat] { [] }

    /// Whether zoom factors outside `supportedVideoZoomRangesForDepthDataDelivery` can be set; at these factors, no
    /// depth is delivered.
    public var zoomFactorsOutsideOfVideoZoomRangesForDepthDeliverySupported: Bool {
        !supportedDepthDataFormats.isEmpty
    }

    @available(*, deprecated, message: "Use supportedVideoZoomRangesForDepthDataDelivery instead.")
    public var videoMinZoomFactorForDepthDataDelivery: CGFloat {
        supportedVideoZoomRangesForDepthDataDelivery.first?.lowerBound ?? 1
    }

    @available(*, deprecated, message: "Use supportedVideoZoomRangesForDepthDataDelivery instead.")
    public var videoMaxZoomFactorForDepthDataDelivery: CGFloat {
        supportedVideoZoomRangesForDepthDataDelivery.first?.upperBound ?? 1
    }
}
