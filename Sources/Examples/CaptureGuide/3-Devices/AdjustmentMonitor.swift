import AVFoundation

/// Reports when a camera starts and stops adjusting its settings, by key-value observing.
public final class AdjustmentMonitor {
    /// A setting that a camera adjusts automatically.
    public enum Setting: Sendable { case focus, exposure, whiteBalance }

    private var observations: [NSKeyValueObservation] = []

    /// Calls `report` with each change, on a queue of the camera.
    public init(of device: AVCaptureDevice, _ report: @escaping @Sendable (Setting, _ isAdjusting: Bool) -> Void) {
        observations = [
            device.observe(\.isAdjustingFocus) { device, _ in report(.focus, device.isAdjustingFocus) },
            device.observe(\.isAdjustingExposure) { device, _ in report(.exposure, device.isAdjustingExposure) },
            device.observe(\.isAdjustingWhiteBalance) { device, _ in
                report(.whiteBalance, device.isAdjustingWhiteBalance)
            },
        ]
    }
}
