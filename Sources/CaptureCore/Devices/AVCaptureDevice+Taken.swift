package import CaptureHAL

// What became of a setting: Apple's setters say nothing of a device that refuses.
extension AVCaptureDevice {
    /// Whether a control has a number that was set, or the one next to it that the device has.
    ///
    /// Drivers keep whole steps, and some a step below: a device that rounds has taken the value.
    package func hasTaken(_ number: Double, in control: DeviceControl) -> Bool {
        guard case .number(let range, let step, _)? = controls[control], let value = self.number(control) else {
            return false
        }
        let wanted = min(max(number, range.lowerBound), range.upperBound)
        let rounding = (range.upperBound - range.lowerBound) * 1e-4
        return abs(value - wanted) <= max(step, 0) * 1.001 + rounding
    }
}
