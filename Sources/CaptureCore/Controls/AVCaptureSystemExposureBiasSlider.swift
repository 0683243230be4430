import CaptureHAL
import Foundation
import MediaTypes

/// A control for the exposure bias of a camera, in the range that is recommended for its active format.
///
/// The user selects it by the title "Exposure".
public final class AVCaptureSystemExposureBiasSlider: AVCaptureControl, @unchecked Sendable {
    // SAFETY: all properties are immutable.
    private let adjustment: CameraAdjustment<Float>

    private init(_ device: AVCaptureDevice, _ action: (@MainActor (Float) -> Void)?, _ method: String) {
        adjustment = CameraAdjustment(device: device, action: action)
        super.init(device.environment.system, device.environment.misuse)
        if let rejectionReason {
            misuse.report(.invalidArgument, "-[AVCaptureSystemExposureBiasSlider \(method)] \(rejectionReason)")
        }
    }

    /// Creates a slider for a device; a device without exposure bias is misuse.
    public convenience init(device: AVCaptureDevice) { self.init(device, nil, "initWithDevice:") }

    /// Creates a slider for a device; a device without exposure bias is misuse.
    ///
    /// - Parameter action: Receives the bias values that the user sets with this slider.
    public convenience init(device: AVCaptureDevice, action: @escaping @MainActor (Float) -> Void) {
        self.init(device, action, "initWithDevice:action:")
    }

    override var title: String { "Exposure" }

    override var rejectionReason: String? {
        adjustment.device.controls[.exposureBias] == nil
            ? "\(adjustment.device) does not support setting exposureTargetBias" : nil
    }

    override func adjust(to value: Double) -> Bool {
        let device = adjustment.device
        return adjustment.apply(Float(value), in: device.activeFormat.systemRecommendedExposureBiasRange) {
            device.setExposureTargetBias($0, completionHandler: nil)
        }
    }
}
