import CLinuxDevices
import CaptureHAL
import MediaTypes

/// The translation of one device control to the driver's controls.
struct V4L2ControlTranslation: Sendable {
    /// A value to set for one of the driver's controls.
    struct Setting: Sendable, Hashable {
        var id: UInt32
        var value: Int64
    }

    let range: ControlRange
    /// The ids of the driver's controls that determine the value, in the order of the numbers passed to `value`.
    let ids: [UInt32]
    /// Converts the driver's numbers to the control's value.
    let value: @Sendable ([Int64]) -> ControlValue
    /// Returns the settings for a value inside `range`, in the order to apply them; empty for a read-only control.
    let settings: @Sendable (ControlValue) -> [Setting]
    /// Whether only the device can change the control.
    var isReadOnly = false

    /// The device controls that a driver's controls provide.
    ///
    /// See "Camera Control Reference" and "User Controls" of the V4L2 API.
    static func all(_ controls: [UInt32: V4L2Control]) -> [DeviceControl: V4L2ControlTranslation] {
        var all: [DeviceControl: V4L2ControlTranslation] = [:]
        func find(_ id: Int32) -> V4L2Control? { controls[UInt32(bitPattern: id)] }
        func add(_ control: DeviceControl, _ translation: V4L2ControlTranslation?) {
            if let translation { all[control] = translation }
        }
        addImageControls(find, add)
        addOpticsControls(find, add)
        addExposureControls(find, add)
        addWhiteBalanceControls(find, add)
        // The focus mode is read from a read-only status, but set with buttons.
        for (control, translation) in all where control != .focusMode {
            let flags = translation.ids.compactMap { controls[$0]?.flags }
            let isReadOnly = flags.contains { $0 & UInt32(V4L2_CTRL_FLAG_READ_ONLY) != 0 }
            if isReadOnly { all[control]?.isReadOnly = true }
        }
        return all
    }

    private typealias Find = (Int32) -> V4L2Control?
    private typealias Add = (DeviceControl, V4L2ControlTranslation?) -> Void

    private static func addImageControls(_ find: Find, _ add: Add) {
        for (control, id) in [
            (DeviceControl.brightness, V4L2_CID_BRIGHTNESS), (.contrast, V4L2_CID_CONTRAST),
            (.saturation, V4L2_CID_SATURATION), (.sharpness, V4L2_CID_SHARPNESS), (.hue, V4L2_CID_HUE),
            (.gamma, V4L2_CID_GAMMA), (.backlightCompensation, V4L2_CID_BACKLIGHT_COMPENSATION),
        ] { add(control, find(id).flatMap { normalized($0) }) }
        add(.powerLineFrequency, find(V4L2_CID_POWER_LINE_FREQUENCY).map { powerLine($0) })
        add(.torchLevel, torch(mode: find(V4L2_CID_FLASH_LED_MODE), level: find(V4L2_CID_FLASH_TORCH_INTENSITY)))
    }

    private static func addOpticsControls(_ find: Find, _ add: Add) {
        // "Positive values set the focus closer to the camera": the largest number is the nearest distance.
        add(.lensPosition, find(V4L2_CID_FOCUS_ABSOLUTE).flatMap { normalized($0, isReversed: true) })
        add(
            .focusMode,
            focus(
                continuous: find(V4L2_CID_FOCUS_AUTO), start: find(V4L2_CID_AUTO_FOCUS_START),
                stop: find(V4L2_CID_AUTO_FOCUS_STOP), status: find(V4L2_CID_AUTO_FOCUS_STATUS)))
        add(.focusAdjusting, find(V4L2_CID_AUTO_FOCUS_STATUS).map { focusStatus($0) })
        // The unit is not specified. In practice, it is a multiple of the minimum, which is the full field of view.
        add(
            .zoomFactor,
            find(V4L2_CID_ZOOM_ABSOLUTE).flatMap { $0.minimum > 0 ? scaled($0, unit: 1 / Double($0.minimum)) : nil })
        // "Larger values open the iris wider."
        add(.iris, find(V4L2_CID_IRIS_ABSOLUTE).flatMap { normalized($0) })
        // In arc seconds. A positive pan is clockwise, seen from above; a positive tilt is upwards.
        add(.pan, find(V4L2_CID_PAN_ABSOLUTE).flatMap { scaled($0, unit: 1 / 3600) })
        add(.tilt, find(V4L2_CID_TILT_ABSOLUTE).flatMap { scaled($0, unit: 1 / 3600) })
    }

    private static func addExposureControls(_ find: Find, _ add: Add) {
        let autoISO = find(V4L2_CID_ISO_SENSITIVITY_AUTO)
        // V4L2 units: 100 µs for the exposure time, 0.001 for ISO and for exposure value steps.
        add(.exposureDuration, find(V4L2_CID_EXPOSURE_ABSOLUTE).flatMap { scaled($0, unit: 0.0001) })
        add(.iso, find(V4L2_CID_ISO_SENSITIVITY).flatMap { numbers($0, unit: 0.001, manual: autoISO) })
        add(.gain, (find(V4L2_CID_GAIN) ?? find(V4L2_CID_ANALOGUE_GAIN)).flatMap { normalized($0) })
        add(.exposureBias, find(V4L2_CID_AUTO_EXPOSURE_BIAS).flatMap { numbers($0, unit: 0.001) })
        add(.exposurePriority, find(V4L2_CID_EXPOSURE_AUTO_PRIORITY).map { flag($0) })
        add(
            .exposureMode,
            exposure(find(V4L2_CID_EXPOSURE_AUTO), autoGain: find(V4L2_CID_AUTOGAIN), autoISO: autoISO))
    }

    private static func addWhiteBalanceControls(_ find: Find, _ add: Add) {
        add(.whiteBalanceTemperature, find(V4L2_CID_WHITE_BALANCE_TEMPERATURE).flatMap { scaled($0, unit: 1) })
        add(.redGain, find(V4L2_CID_RED_BALANCE).flatMap { factor($0) })
        add(.blueGain, find(V4L2_CID_BLUE_BALANCE).flatMap { factor($0) })
        add(
            .whiteBalanceMode,
            find(V4L2_CID_AUTO_WHITE_BALANCE).map { continuousOrOnce($0, once: find(V4L2_CID_DO_WHITE_BALANCE)) }
                ?? find(V4L2_CID_AUTO_N_PRESET_WHITE_BALANCE).flatMap { presets($0) })
    }
}

extension V4L2Control {
    /// The valid number nearest to `number`.
    func nearest(_ number: Double) -> Int64 {
        let step = Double(max(1, self.step))
        let steps = ((number - Double(minimum)) / step).rounded()
        let valid = (Double(minimum) + steps * step).rounded()
        return min(max(Int64(exactly: valid) ?? minimum, minimum), maximum)
    }
}
