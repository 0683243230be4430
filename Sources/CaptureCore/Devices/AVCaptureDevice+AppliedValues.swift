package import CaptureHAL

// Apple's setters do not report values that the device rejects.
extension AVCaptureDevice {
    /// Whether a control has the requested value, apart from the rounding of the device.
    ///
    /// Drivers round to multiples of the step, some of them down: a rounded value counts as applied.
    package func hasApplied(_ number: Double, in control: DeviceControl) -> Bool {
        guard case .number(let range, let step, _)? = controls[control], let value = self.number(control) else {
            return false
        }
        let target = min(max(number, range.lowerBound), range.upperBound)
        // The tolerance is one step, plus 0.1 % of the step for floating-point errors, plus 0.01 % of the range for
        // controls without steps.
        let rounding = (range.upperBound - range.lowerBound) * 1e-4
        return abs(value - target) <= max(step, 0) * 1.001 + rounding
    }
}
