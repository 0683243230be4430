import CaptureHAL
public import Foundation
public import MediaTypes

extension AVCaptureDevice {
    /// The format of the depth that comes with the pictures: one of the active format's `supportedDepthDataFormats`; nil
    /// where it has none, or where none was chosen. Can be observed.
    ///
    /// A new active format brings its first one. Setting another than these, or without the lock, is misuse.
    public var activeDepthDataFormat: Format? {
        get {
            observedProperties.access()
            return state.withLock { $0.depthFormatInForce }
        }
        set {
            guard isLocked(for: "setActiveDepthDataFormat:") else { return }
            guard newValue.map({ format in activeFormat.supportedDepthDataFormats.contains { $0 === format } }) ?? true
            else {
                return surroundings.misuse.report(
                    .invalidArgument,
                    "-[AVCaptureDevice setActiveDepthDataFormat:] the format is not one of the activeFormat's "
                        + "supportedDepthDataFormats")
            }
            let isNew = state.withLock { state in
                defer {
                    state.depthFormat = .some(newValue)
                    state.depthFrameDuration = nil
                }
                return state.depthFormatInForce !== newValue
            }
            depthChanged()
            if isNew { for session in sessions { session.postFormatChange(of: self, .depthData) } }
        }
    }

    /// The shortest time between depth maps: an upper limit to their rate, which never exceeds that of the pictures.
    ///
    /// Setting `.invalid` restores the depth format's default, `.positiveInfinity` lets no depth come at all; other times
    /// than the depth format has are misuse. Any new format resets it. Can be observed.
    public var activeDepthDataMinFrameDuration: CMTime {
        get {
            observedProperties.access()
            return state.withLock { $0.depthFrameDurationInForce }
        }
        set {
            guard isLocked(for: "setActiveDepthDataMinFrameDuration:") else { return }
            let format = activeDepthDataFormat?.depth
            guard
                !newValue.isValid || newValue == .positiveInfinity || format?.supports(frameDuration: newValue) ?? false
            else {
                return surroundings.misuse.report(
                    .range,
                    "-[AVCaptureDevice setActiveDepthDataMinFrameDuration:] \(newValue.value)/\(newValue.timescale) s is "
                        + "outside the activeDepthDataFormat's supported frame rate ranges")
            }
            state.withLock { $0.depthFrameDuration = newValue.isValid ? newValue : nil }
            depthChanged()
        }
    }

    /// What a stream is asked for; nil where no depth is to come.
    var depthConfiguration: DepthConfiguration? {
        let (format, duration) = state.withLock { ($0.depthFormatInForce?.depth, $0.depthFrameDurationInForce) }
        guard let format, duration.isNumeric else { return nil }
        return DepthConfiguration(format: format, frameDuration: duration)
    }

    private func depthChanged() {
        observedProperties.changed(["activeDepthDataFormat", "activeDepthDataMinFrameDuration"])
        for session in sessions { session.depthWishChanged() }
    }
}

extension AVCaptureDevice.State {
    fileprivate var depthFormatInForce: AVCaptureDevice.Format? {
        depthFormat ?? activeFormat.supportedDepthDataFormats.first
    }

    fileprivate var depthFrameDurationInForce: CMTime {
        depthFrameDuration ?? depthFormatInForce?.depth?.frameDurations.map(\.minimum).min() ?? .invalid
    }
}

extension AVCaptureDevice.Format {
    /// The zoom factors at which depth comes with the pictures; empty where none does.
    public var supportedVideoZoomRangesForDepthDataDelivery: [AVZoomRange] {
        guard let video, !supportedDepthDataFormats.isEmpty else { return [] }
        return [AVZoomRange(video.depthZoomFactors ?? 1...video.maximumZoomFactor)]
    }

    /// Whether other zoom factors can be set as well; depth then waits until the zoom is back.
    public var zoomFactorsOutsideOfVideoZoomRangesForDepthDeliverySupported: Bool {
        !supportedDepthDataFormats.isEmpty
    }

    @available(*, deprecated, message: "Use supportedVideoZoomRangesForDepthDataDelivery instead.")
    public var videoMinZoomFactorForDepthDataDelivery: CGFloat {
        supportedVideoZoomRangesForDepthDataDelivery.first?.minZoomFactor ?? 1
    }

    @available(*, deprecated, message: "Use supportedVideoZoomRangesForDepthDataDelivery instead.")
    public var videoMaxZoomFactorForDepthDataDelivery: CGFloat {
        supportedVideoZoomRangesForDepthDataDelivery.first?.maxZoomFactor ?? 1
    }
}

/// A range of zoom factors, both ends included.
public final class AVZoomRange: NSObject, Sendable {
    private let range: ClosedRange<Double>

    init(_ range: ClosedRange<Double>) { self.range = range }

    public var minZoomFactor: CGFloat { CGFloat(range.lowerBound) }
    public var maxZoomFactor: CGFloat { CGFloat(range.upperBound) }

    public func containsZoomFactor(_ zoomFactor: CGFloat) -> Bool { range.contains(Double(zoomFactor)) }

    public override var description: String { "<AVZoomRange: \(range.lowerBound) - \(range.upperBound)>" }
}
