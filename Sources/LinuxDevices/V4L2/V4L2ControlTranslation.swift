import CLinuxDevices
import CaptureHAL
import MediaTypes

/// How one control of the API stands in the driver's controls.
struct V4L2ControlTranslation: Sendable {
    /// A number for a driver's control.
    struct Setting: Sendable, Hashable {
        var id: UInt32
        var value: Int64
    }

    let range: ControlRange
    /// The driver's controls that tell the value, in the order in which `value` takes their numbers.
    let ids: [UInt32]
    let value: @Sendable ([Int64]) -> ControlValue
    /// The numbers to set, in order; a value inside `range` only. None where the control can only be read.
    let settings: @Sendable (ControlValue) -> [Setting]
    /// Whether the device alone sets it.
    var isReadOnly = false

    /// What a device with these controls offers; see "Camera Control Reference" and "User Controls" of the V4L2 API.
    static func all(_ controls: [UInt32: V4L2Control]) -> [DeviceControl: V4L2ControlTranslation] {
        var all: [DeviceControl: V4L2ControlTranslation] = [:]
        func known(_ id: Int32) -> V4L2Control? { controls[UInt32(bitPattern: id)] }
        func add(_ control: DeviceControl, _ translation: V4L2ControlTranslation?) {
            if let translation { all[control] = translation }
        }
        addPicture(known, add)
        addOptics(known, add)
        addExposure(known, add)
        addWhiteBalance(known, add)
        // The focus mode is told by a status that the driver alone sets, but set by buttons.
        for (control, translation) in all where control != .focusMode {
            let flags = translation.ids.compactMap { controls[$0]?.flags }
            let isReadOnly = flags.contains { $0 & UInt32(V4L2_CTRL_FLAG_READ_ONLY) != 0 }
            if isReadOnly { all[control]?.isReadOnly = true }
        }
        return all
    }

    private typealias Known = (Int32) -> V4L2Control?
    private typealias Add = (DeviceControl, V4L2ControlTranslation?) -> Void

    private static func addPicture(_ known: Known, _ add: Add) {
        for (control, id) in [
            (DeviceControl.brightness, V4L2_CID_BRIGHTNESS), (.contrast, V4L2_CID_CONTRAST),
            (.saturation, V4L2_CID_SATURATION), (.sharpness, V4L2_CID_SHARPNESS), (.hue, V4L2_CID_HUE),
            (.gamma, V4L2_CID_GAMMA), (.backlightCompensation, V4L2_CID_BACKLIGHT_COMPENSATION),
        ] { add(control, known(id).flatMap { share($0) }) }
        add(.powerLineFrequency, known(V4L2_CID_POWER_LINE_FREQUENCY).map { powerLine($0) })
        add(.torchLevel, torch(mode: known(V4L2_CID_FLASH_LED_MODE), level: known(V4L2_CID_FLASH_TORCH_INTENSITY)))
    }

    private static func addOptics(_ known: Known, _ add: Add) {
        // "Positive values set the focus closer to the camera", so the largest number is the nearest.
        add(.lensPosition, known(V4L2_CID_FOCUS_ABSOLUTE).flatMap { share($0, isReversed: true) })
        add(
            .focusMode,
            focus(
                always: known(V4L2_CID_FOCUS_AUTO), start: known(V4L2_CID_AUTO_FOCUS_START),
                stop: known(V4L2_CID_AUTO_FOCUS_STOP), status: known(V4L2_CID_AUTO_FOCUS_STATUS)))
        add(.focusAdjusting, known(V4L2_CID_AUTO_FOCUS_STATUS).map { focusStatus($0) })
        // Its unit is undefined; cameras in use count from the number of the whole field of view.
        add(
            .zoomFactor,
            known(V4L2_CID_ZOOM_ABSOLUTE).flatMap { $0.minimum > 0 ? scaled($0, unit: 1 / Double($0.minimum)) : nil })
        // "Larger values open the iris wider."
        add(.iris, known(V4L2_CID_IRIS_ABSOLUTE).flatMap { share($0) })
        // In arc seconds; positive is clockwise seen from above, and up.
        add(.pan, known(V4L2_CID_PAN_ABSOLUTE).flatMap { scaled($0, unit: 1 / 3600) })
        add(.tilt, known(V4L2_CID_TILT_ABSOLUTE).flatMap { scaled($0, unit: 1 / 3600) })
    }

    private static func addExposure(_ known: Known, _ add: Add) {
        let autoISO = known(V4L2_CID_ISO_SENSITIVITY_AUTO)
        add(.exposureDuration, known(V4L2_CID_EXPOSURE_ABSOLUTE).flatMap { scaled($0, unit: 0.0001) })
        add(.iso, known(V4L2_CID_ISO_SENSITIVITY).flatMap { numbers($0, unit: 0.001, manual: autoISO) })
        add(.gain, (known(V4L2_CID_GAIN) ?? known(V4L2_CID_ANALOGUE_GAIN)).flatMap { share($0) })
        add(.exposureBias, known(V4L2_CID_AUTO_EXPOSURE_BIAS).flatMap { numbers($0, unit: 0.001) })
        add(.exposurePriority, known(V4L2_CID_EXPOSURE_AUTO_PRIORITY).map { flag($0) })
        add(
            .exposureMode,
            exposure(known(V4L2_CID_EXPOSURE_AUTO), autoGain: known(V4L2_CID_AUTOGAIN), autoISO: autoISO))
    }

    private static func addWhiteBalance(_ known: Known, _ add: Add) {
        add(.whiteBalanceTemperature, known(V4L2_CID_WHITE_BALANCE_TEMPERATURE).flatMap { scaled($0, unit: 1) })
        add(.redGain, known(V4L2_CID_RED_BALANCE).flatMap { factor($0) })
        add(.blueGain, known(V4L2_CID_BLUE_BALANCE).flatMap { factor($0) })
        add(
            .whiteBalanceMode,
            known(V4L2_CID_AUTO_WHITE_BALANCE).map { onceOrAlways($0, once: known(V4L2_CID_DO_WHITE_BALANCE)) }
                ?? known(V4L2_CID_AUTO_N_PRESET_WHITE_BALANCE).flatMap { presets($0) })
    }
}

extension V4L2Control {
    /// The allowed number nearest to `number`.
    func nearest(_ number: Double) -> Int64 {
        let step = Double(max(1, self.step))
        let steps = ((number - Double(minimum)) / step).rounded()
        let allowed = (Double(minimum) + steps * step).rounded()
        return min(max(Int64(exactly: allowed) ?? minimum, minimum), maximum)
    }
}
