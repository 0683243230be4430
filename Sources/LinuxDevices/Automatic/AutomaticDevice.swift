package import CaptureHAL
import MediaTypes

/// A device with the automatic modes that its hardware lacks.
///
/// A camera whose exposure, colour gains or lens can be set, but that does not set them itself, gets modes, bias, points
/// of interest and `…Adjusting` as a camera with hardware loops has them. The loops measure the frames that the device
/// delivers, uncompressed ones only: while it delivers compressed frames they rest. Setting by hand what an automatic
/// mode moves turns that mode to `custom`, and observers are told.
/// - Important: Thread-safe. Frames are measured on the thread that delivers them, after the client had them; controls
///   are written by a worker of the clock's.
package final class AutomaticDevice: OpenDevice {
    private let base: any OpenDevice
    private let id: String
    private let engine: AutomaticEngine

    /// The device with what it lacks, or the device itself where it lacks nothing that could be given to it.
    ///
    /// - Parameters:
    ///   - id: The `uniqueID`, for errors.
    ///   - clock: Its worker writes the controls.
    package static func completing(
        _ device: any OpenDevice, id: String, clock: any CaptureClock,
        dynamics: AutomaticDynamics = AutomaticDynamics()
    ) -> any OpenDevice {
        let controls = device.controls
        let manual = ManualControls(controls)
        guard !manual.isEmpty else { return device }
        // Some have a mode all the same, whose only option is not to move by itself.
        for mode in manual.modes {
            let options = [ControlMode.custom, .locked].map { ControlValue.integer($0.rawValue) }
            guard let option = options.first(where: { controls[mode]?.contains($0) == true }) else { continue }
            // Where that fails, a loop's writes fail, too, and the device stays as it is.
            try? device.set(mode, to: option)
        }
        // A value that cannot be read is taken for the least.
        let modes = AutomaticModes(manual, dynamics) { controls[$0] == nil ? nil : try? device.value(of: $0) }
        return AutomaticDevice(device, id, AutomaticEngine(device, modes, clock))
    }

    private init(_ base: any OpenDevice, _ id: String, _ engine: AutomaticEngine) {
        (self.base, self.id, self.engine) = (base, id, engine)
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
            return try engine.setByHand(control, to: value)
        }
        guard !control.isReadOnly else {
            throw DeviceError(
                .unsupportedControl, device: id, "\(control.rawValue) is told by the device; set the mode instead")
        }
        guard range.contains(value) else {
            throw DeviceError(
                .unsupportedControl, device: id, "\(control.rawValue) cannot be \(value); it takes \(range)")
        }
        engine.set(control, to: value)
    }

    package func observeControls(
        _ handler: @escaping @Sendable (DeviceControl, ControlValue) -> Void
    ) -> Observation {
        let own = engine.observe(handler)
        let device = base.observeControls(handler)
        return Observation {
            own.cancel()
            device.cancel()
        }
    }

    package func makeStream(_ configuration: StreamConfiguration) throws(DeviceError) -> any DeviceStream {
        AutomaticStream(try base.makeStream(configuration), engine)
    }

    package func close() {
        engine.close()
        base.close()
    }
}
