import CaptureHAL
public import Foundation
import MediaTypes

/// A control for the zoom factor of a camera, in the range that is recommended for its active format.
///
/// The user selects it by the title "Zoom".
public final class AVCaptureSystemZoomSlider: AVCaptureControl, @unchecked Sendable {
    // SAFETY: all properties are constant.
    private let device: AVCaptureDevice
    private let action: (@MainActor (CGFloat) -> Void)?

    private init(_ device: AVCaptureDevice, _ action: (@MainActor (CGFloat) -> Void)?, _ method: String) {
        self.device = device
        self.action = action
        super.init(device.environment.system, device.environment.misuse)
        if let refusalMessage {
            misuse.report(.invalidArgument, "-[AVCaptureSystemZoomSlider \(method)] \(refusalMessage)")
        }
    }

    /// Creates a slider; a device without zoom is misuse.
    public convenience init(device: AVCaptureDevice) { self.init(device, nil, "initWithDevice:") }

    /// Creates a slider; a device without zoom is misuse.
    ///
    /// - Parameter action: Receives the zoom factors that the user sets with this slider.
    public convenience init(device: AVCaptureDevice, action: @escaping @MainActor (CGFloat) -> Void) {
        self.init(device, action, "initWithDevice:action:")
    }

    override var title: String { "Zoom" }

    override var refusalMessage: String? {
        device.controls[.zoomFactor] == nil ? "\(device) does not support setting videoZoomFactor" : nil
    }

    override func adjust(to value: Double) -> Bool {
        // A disconnected or busy device cannot be set.
        guard let range = device.activeFormat.systemRecommendedVideoZoomRange,
            (try? device.lockForConfiguration()) != nil
        else { return false }
        let factor = min(max(CGFloat(value), range.lowerBound), range.upperBound)
        device.videoZoomFactor = factor
        device.unlockForConfiguration()
        if let action {
            system.deliver(on: .main) { MainActor.assumeIsolated { action(factor) } }
        }
        return true
    }
}
