package import CaptureHAL

// Apple's setters do not report values that the device rejects.
extension AVCaptureDevice {
    /// Whether a control has the requested value, up to the rounding of the device.
    ///
    /// Drivers round to whole steps, some of them down: a rounded value counts as applied.
    package func hasApplied(_ number: Double, in control: DeviceControl) -> Bool {
        guard case .number(let range, let step, _)? = controls[control], let value = self.number(control) else {
            return false
        }
        let wanted = min(max(number, range.lowerBound), range.upperBound)
        let rounding = (range.upperBound - range.lowerBound) * 1e-4
        return abs(value - wanted) <= max(step, 0) * 1.001 + rounding
    }
}
