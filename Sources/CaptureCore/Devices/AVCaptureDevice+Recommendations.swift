import CaptureHAL
public import Foundation
import MediaTypes

extension AVCaptureDevice.Format {
    /// The zoom factors for a slider: from 1 to five times the factor at which the last constituent takes over, within
    /// what the format supports. Nil for formats without zoom.
    public var systemRecommendedVideoZoomRange: ClosedRange<CGFloat>? {
        guard let device, video != nil, videoMaxZoomFactor > 1 else { return nil }
        let last = CGFloat(device.hardware.descriptor.switchOverZoomFactors.last ?? 1)
        return 1...min(5 * last, videoMaxZoomFactor)
    }

    /// The exposure bias values for a slider: from -2 to 2, within what the camera supports. Nil for cameras without
    /// exposure bias.
    public var systemRecommendedExposureBiasRange: ClosedRange<Float>? {
        guard let device, video != nil, let range = device.range(.exposureBias) else { return nil }
        return max(-2, Float(range.lowerBound))...min(2, Float(range.upperBound))
    }
}
