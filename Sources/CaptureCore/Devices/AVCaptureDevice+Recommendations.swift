import CaptureHAL
public import Foundation
import MediaTypes

extension AVCaptureDevice.Format {
    /// The range of a zoom slider: from 1 to five times the last switch-over factor, limited to the format's maximum;
    /// nil for formats without zoom. Apple does not document its ranges.
    public var systemRecommendedVideoZoomRange: ClosedRange<CGFloat>? {
        guard let device, video != nil, videoMaxZoomFactor > 1 else { return nil }
        let lastSwitchOver = CGFloat(device.hardware.descriptor.switchOverZoomFactors.last ?? 1)
        return 1...min(5 * lastSwitchOver, videoMaxZoomFactor)
    }

    /// The range of an exposure bias slider: from -2 to 2 EV, limited to the range of the camera; nil for cameras
    /// without exposure bias. Apple does not document its ranges.
    public var systemRecommendedExposureBiasRange: ClosedRange<Float>? {
        guard let device, video != nil, let range = device.range(.exposureBias) else { return nil }
        return max(-2, Float(range.lowerBound))...min(2, Float(range.upperBound))
    }
}
