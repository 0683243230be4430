package import CaptureHAL
package import MediaTypes

/// A device with software implementations of the automatic modes that its hardware lacks.
///
/// If a camera's exposure, color gains or lens can be set but have no automatic mode, this wrapper adds the mode, the
/// bias, the points of interest and the `…Adjusting` controls. The control loops measure uncompressed frames of the
/// device and have no effect on compressed streams. Setting a control manually changes its automatic mode to `custom`
/// and notifies observers.
/// - Important: Thread-safe. Frames are measured on the thread that delivers them, after the client has received them.
///   Controls are written by a worker of the clock.
package final class AutomaticDevice: OpenDevice {
    private let base: any OpenDevice
    private let id: String
    private let engine: AutomaticEngine
    /// The client's settings of the added controls, for the next client.
    private let settings: Lock<[DeviceControl: ControlValue]>

    /// Returns a wrapper with the missing automatic modes, or the device itself if none can be added.
    ///
    /// - Parameters:
    ///   - device: The opened device.
    ///   - id: The `uniqueID`, for errors.
    ///   - clock: The clock with the worker that writes the controls.
    ///   - settings: The settings of the added controls, which the previous client of the device has left. They are
    ///     applied now and stored when the device is closed.
    ///   - dynamics: The parameters of the loops.
    package static func addingMissingModes(
        to device: any OpenDevice, id: String, clock: any CaptureClock,
        settings: Lock<[DeviceControl: ControlValue]>, dynamics: AutomaticDynamics = AutomaticDynamics()
    ) -> any OpenDevice {
        let controls = device.controls
        let manual = ManualControls(controls)
        guard !manual.isEmpty else { return device }
        // Some devices have a mode control with manual options only.
        for mode in manual.modes {
            let options = [ControlMode.custom, .locked].map { ControlValue.integer($0.rawValue) }
            guard let option = options.first(where: { controls[mode]?.contains($0) == true }) else { continue }
            // If this fails, the writes of the loop fail too, and the device remains unchanged.
            try? device.set(mode, to: option)
        }
        // A value that cannot be read is assumed to be the minimum; an unreadable lens position is assumed to be 1.
        var modes = AutomaticModes(manual, dynamics) { controls[$0] == nil ? nil : try? device.value(of: $0) }
        modes.restore(settings.withLock { $0 })
        return AutomaticDevice(device, id, AutomaticEngine(device, modes, clock), settings)
    }

    private init(
        _ base: any OpenDevice, _ id: String, _ engine: AutomaticEngine,
        _ settings: Lock<[DeviceControl: ControlValue]>
    ) {
        (self.base, self.id, self.engine, self.settings) = (base, id, engine, settings)
    }

    deinit { close() }

    package var controls: [DeviceControl: ControlRange] {
        base.controls.merging(engine.ranges) { _, added in added }
    }

    package func value(of control: DeviceControl) throws(DeviceError) -> ControlValue {
        if let value = engine.value(of: control) { return value }
        return try base.value(of: control)
    }

    package func set(_ control: DeviceControl, to value: ControlValue) throws(DeviceError) {
        guard let range = engine.ranges[control] else {
            return try engine.setManually(control, to: value)
        }
        guard !control.isReadOnly else {
            throw DeviceError(
                .unsupportedControl, device: id, "\(control.rawValue) is read-only; set the mode instead")
        }
        guard range.contains(value) else {
            throw DeviceError(
                .unsupportedControl, device: id,
                "\(control.rawValue) cannot be \(value.text); it accepts \(range.text)")
        }
        engine.set(control, to: value)
    }

    package func observeControls(
        _ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void
    ) -> ObserverToken {
        let engineToken = engine.observe(handler)
        let deviceToken = base.observeControls(handler)
        return ObserverToken {
            engineToken.cancel()
            deviceToken.cancel()
        }
    }

    package func makeStream(_ configuration: StreamConfiguration) throws(DeviceError) -> any DeviceStream {
        AutomaticStream(try base.makeStream(configuration), engine)
    }

    package func captureStill(_ request: StillRequest) throws(DeviceError) { try base.captureStill(request) }

    package func close() {
        if let final = engine.close() { settings.withLock { $0 = final } }
        base.close()
    }
}
