import CaptureHAL
import Foundation
import MediaTypes

/// A control for the exposure bias of a camera, in the range that is recommended for its active format.
///
/// The user selects it by the title "Exposure".
public final class AVCaptureSystemExposureBiasSlider: AVCaptureControl, @unchecked Sendable {
    // SAFETY: all properties are constant.
    private let device: AVCaptureDevice
    private let action: (@MainActor (Float) -> Void)?

    private init(_ device: AVCaptureDevice, _ action: (@MainActor (Float) -> Void)?, _ method: String) {
        self.device = device
        self.action = action
        super.init(device.environment.system, device.environment.misuse)
        if let refusalMessage {
            misuse.report(.invalidArgument, "-[AVCaptureSystemExposureBiasSlider \(method)] \(refusalMessage)")
        }
    }

    /// Creates a slider; a device without exposure bias is misuse.
    public convenience init(device: AVCaptureDevice) { self.init(device, nil, "initWithDevice:") }

    /// Creates a slider; a device without exposure bias is misuse.
    ///
    /// - Parameter action: Receives the bias values that the user sets with this slider.
    public convenience init(device: AVCaptureDevice, action: @escaping @MainActor (Float) -> Void) {
        self.init(device, action, "initWithDevice:action:")
    }

    override var title: String { "Exposure" }

    override var refusalMessage: String? {
        device.controls[.exposureBias] == nil ? "\(device) does not support setting exposureTargetBias" : nil
    }

    override func adjust(to value: Double) -> Bool {
        // A disconnected or busy device cannot be set.
        guard let range = device.activeFormat.systemRecommendedExposureBiasRange,
            (try? device.lockForConfiguration()) != nil
        else { return false }
        let bias = min(max(Float(value), range.lowerBound), range.upperBound)
        device.setExposureTargetBias(bias, completionHandler: nil)
        device.unlockForConfiguration()
        if let action {
            system.deliver(on: .main) { MainActor.assumeIsolated { action(bias) } }
        }
        return true
    }
}
