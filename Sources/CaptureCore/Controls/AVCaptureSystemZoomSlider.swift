import CaptureHAL
public import Foundation
import MediaTypes

/// A control for the zoom factor of a camera, in the range that is recommended for its active format.
///
/// The user selects it by the title "Zoom".
public final class AVCaptureSystemZoomSlider: AVCaptureControl, @unchecked Sendable {
    // SAFETY: all properties are immutable.
    private let adjustment: CameraAdjustment<CGFloat>

    private init(_ device: AVCaptureDevice, _ action: (@MainActor (CGFloat) -> Void)?, _ method: String) {
        adjustment = CameraAdjustment(device: device, action: action)
        super.init(device.environment.system, device.environment.misuse)
        if let rejectionReason {
            misuse.report(.invalidArgument, "-[AVCaptureSystemZoomSlider \(method)] \(rejectionReason)")
        }
    }

    /// Creates a slider for a device; a device without zoom is misuse.
    public convenience init(device: AVCaptureDevice) { self.init(device, nil, "initWithDevice:") }

    /// Creates a slider for a device; a device without zoom is misuse.
    ///
    /// - Parameter action: Receives the zoom factors that the user sets with this slider.
    public convenience init(device: AVCaptureDevice, action: @escaping @MainActor (CGFloat) -> Void) {
        self.init(device, action, "initWithDevice:action:")
    }

    override var title: String { "Zoom" }

    override var rejectionReason: String? {
        adjustment.device.controls[.zoomFactor] == nil
            ? "\(adjustment.device) does not support setting videoZoomFactor" : nil
    }

    override func adjust(to value: Double) -> Bool {
        let device = adjustment.device
        return adjustment.apply(CGFloat(value), in: device.activeFormat.systemRecommendedVideoZoomRange) {
            device.videoZoomFactor = $0
        }
    }
}
