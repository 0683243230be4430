import CaptureHAL

/// An opened simulated device.
protocol SimOpenDevice: AnyObject, Sendable {
    /// Ends the device's stream, if it is running, with an error.
    func fail(_ error: DeviceError)
    /// Adjusts the device's controls after a change of its thermal state.
    func thermalStateChanged()
}

extension SimOpenDevice {
    func thermalStateChanged() {}
}
