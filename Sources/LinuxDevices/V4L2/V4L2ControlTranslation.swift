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
    /// The numbers to set, in order; a value inside `range` only.
    let settings: @Sendable (ControlValue) -> [Setting]

    /// What a device with these controls offers; see "Camera Control Reference" and "User Controls" of the V4L2 API.
    static func all(_ controls: [UInt32: V4L2Control]) -> [DeviceControl: V4L2ControlTranslation] {
        var all: [DeviceControl: V4L2ControlTranslation] = [:]
        func add(_ control: DeviceControl, _ translation: V4L2ControlTranslation?) {
            if let translation { all[control] = translation }
        }
        func known(_ id: Int32) -> V4L2Control? { controls[UInt32(id)] }

        for (control, id) in [
            (DeviceControl.brightness, V4L2_CID_BRIGHTNESS), (.contrast, V4L2_CID_CONTRAST),
            (.saturation, V4L2_CID_SATURATION), (.sharpness, V4L2_CID_SHARPNESS),
        ] { add(control, known(id).flatMap { share($0) }) }
        // "Positive values set the focus closer to the camera", so the largest number is the nearest.
        add(.lensPosition, known(V4L2_CID_FOCUS_ABSOLUTE).flatMap { share($0, isReversed: true) })
        add(.exposureDuration, known(V4L2_CID_EXPOSURE_ABSOLUTE).flatMap { scaled($0, unit: 0.0001) })
        add(.whiteBalanceTemperature, known(V4L2_CID_WHITE_BALANCE_TEMPERATURE).flatMap { scaled($0, unit: 1) })
        // Its unit is undefined; cameras in use count from the number of the whole field of view.
        add(
            .zoomFactor,
            known(V4L2_CID_ZOOM_ABSOLUTE).flatMap { $0.minimum > 0 ? scaled($0, unit: 1 / Double($0.minimum)) : nil })
        add(.iso, known(V4L2_CID_ISO_SENSITIVITY).flatMap { numbers($0, unit: 0.001) })
        add(.exposureBias, known(V4L2_CID_AUTO_EXPOSURE_BIAS).flatMap { numbers($0, unit: 0.001) })
        add(.exposurePriority, known(V4L2_CID_EXPOSURE_AUTO_PRIORITY).map { flag($0) })
        add(.powerLineFrequency, known(V4L2_CID_POWER_LINE_FREQUENCY).map { powerLine($0) })
        add(.torchLevel, torch(mode: known(V4L2_CID_FLASH_LED_MODE), level: known(V4L2_CID_FLASH_TORCH_INTENSITY)))
        add(
            .focusMode,
            known(V4L2_CID_FOCUS_AUTO).map { onceOrAlways($0, once: known(V4L2_CID_AUTO_FOCUS_START)) })
        add(
            .whiteBalanceMode,
            known(V4L2_CID_AUTO_WHITE_BALANCE).map { onceOrAlways($0, once: known(V4L2_CID_DO_WHITE_BALANCE)) })
        add(.exposureMode, known(V4L2_CID_EXPOSURE_AUTO).flatMap { exposure($0) })
        return all
    }

    // MARK: Kinds

    /// A place between the least and the most, from 0 to 1.
    private static func share(_ control: V4L2Control, isReversed: Bool = false) -> V4L2ControlTranslation? {
        guard control.maximum > control.minimum else { return nil }
        let least = Double(control.minimum)
        let span = Double(control.maximum) - least
        let place: @Sendable (Int64) -> Double = { number in
            let place = min(max((Double(number) - least) / span, 0), 1)
            return isReversed ? 1 - place : place
        }
        let step = Double(max(1, control.step)) / span
        return V4L2ControlTranslation(
            range: .number(0...1, step: min(step, 1), default: place(control.defaultValue)), ids: [control.id],
            value: { .number(place($0[0])) },
            settings: { value in
                guard case .number(let share) = value else { return [] }
                let number = least + (isReversed ? 1 - share : share) * span
                return [Setting(id: control.id, value: control.nearest(number))]
            })
    }

    /// A number in a unit of the driver's.
    private static func scaled(_ control: V4L2Control, unit: Double) -> V4L2ControlTranslation? {
        guard control.maximum > control.minimum else { return nil }
        return V4L2ControlTranslation(
            range: .number(
                Double(control.minimum) * unit...Double(control.maximum) * unit,
                step: Double(max(1, control.step)) * unit, default: Double(control.defaultValue) * unit),
            ids: [control.id],
            value: { .number(Double($0[0]) * unit) },
            settings: { value in
                guard case .number(let number) = value else { return [] }
                return [Setting(id: control.id, value: control.nearest(number / unit))]
            })
    }

    /// A menu of numbers; the nearest entry is taken, and the step tells the widest gap between two.
    private static func numbers(_ control: V4L2Control, unit: Double) -> V4L2ControlTranslation? {
        let numbers = control.menu.mapValues { Double($0) * unit }
        guard let least = numbers.values.min(), let most = numbers.values.max(), least < most else { return nil }
        let standard = min(max(numbers[control.defaultValue] ?? least, least), most)
        let sorted = numbers.values.sorted()
        let widest = zip(sorted, sorted.dropFirst()).map { $1 - $0 }.max() ?? 0
        return V4L2ControlTranslation(
            range: .number(least...most, step: widest, default: standard), ids: [control.id],
            value: { .number(numbers[$0[0]] ?? standard) },
            settings: { value in
                guard case .number(let wish) = value else { return [] }
                let entry = numbers.min { left, right in
                    (abs(left.value - wish), left.key) < (abs(right.value - wish), right.key)
                }
                return entry.map { [Setting(id: control.id, value: $0.key)] } ?? []
            })
    }

    private static func flag(_ control: V4L2Control) -> V4L2ControlTranslation {
        V4L2ControlTranslation(
            range: .flag(default: control.defaultValue != 0), ids: [control.id], value: { .flag($0[0] != 0) },
            settings: { value in
                guard case .flag(let isOn) = value else { return [] }
                return [Setting(id: control.id, value: isOn ? 1 : 0)]
            })
    }

    private static func powerLine(_ control: V4L2Control) -> V4L2ControlTranslation {
        let hertz: [Int64: Int64] = [
            Int64(V4L2_CID_POWER_LINE_FREQUENCY_DISABLED.rawValue): 0,
            Int64(V4L2_CID_POWER_LINE_FREQUENCY_50HZ.rawValue): 50,
            Int64(V4L2_CID_POWER_LINE_FREQUENCY_60HZ.rawValue): 60,
            Int64(V4L2_CID_POWER_LINE_FREQUENCY_AUTO.rawValue): -1,
        ].filter { control.menu[$0.key] != nil }
        return V4L2ControlTranslation(
            range: .options(Set(hertz.values), default: hertz[control.defaultValue] ?? 0), ids: [control.id],
            value: { .integer(hertz[$0[0]] ?? 0) },
            settings: { value in
                guard case .integer(let wish) = value, let entry = hertz.first(where: { $0.value == wish })
                else { return [] }
                return [Setting(id: control.id, value: entry.key)]
            })
    }

    private static func torch(mode: V4L2Control?, level: V4L2Control?) -> V4L2ControlTranslation? {
        let none = Int64(V4L2_FLASH_LED_MODE_NONE.rawValue)
        let torch = Int64(V4L2_FLASH_LED_MODE_TORCH.rawValue)
        guard let mode, mode.menu[none] != nil, mode.menu[torch] != nil else { return nil }
        guard let level, level.maximum > 0 else {
            return V4L2ControlTranslation(
                range: .number(0...1, step: 1, default: 0), ids: [mode.id],
                value: { .number($0[0] == torch ? 1 : 0) },
                settings: { value in
                    guard case .number(let wish) = value else { return [] }
                    return [Setting(id: mode.id, value: wish > 0 ? torch : none)]
                })
        }
        return V4L2ControlTranslation(
            range: .number(0...1, step: 0, default: 0), ids: [mode.id, level.id],
            value: { .number($0[0] == torch ? min(1, Double($0[1]) / Double(level.maximum)) : 0) },
            settings: { value in
                guard case .number(let wish) = value, wish > 0 else { return [Setting(id: mode.id, value: none)] }
                return [
                    Setting(id: level.id, value: level.nearest(wish * Double(level.maximum))),
                    Setting(id: mode.id, value: torch),
                ]
            })
    }

    /// A loop that runs or not, and perhaps a button that runs it once.
    private static func onceOrAlways(_ control: V4L2Control, once: V4L2Control?) -> V4L2ControlTranslation {
        var modes: Set<ControlMode> = [.locked, .continuousAuto, .custom]
        if once != nil { modes.insert(.auto) }
        let standard: ControlMode = control.defaultValue != 0 ? .continuousAuto : .locked
        return V4L2ControlTranslation(
            range: .options(Set(modes.map(\.rawValue)), default: standard.rawValue), ids: [control.id],
            value: { .integer(($0[0] != 0 ? ControlMode.continuousAuto : .locked).rawValue) },
            settings: { value in
                guard case .integer(let wish) = value else { return [] }
                let isAlways = wish == ControlMode.continuousAuto.rawValue
                var settings = [Setting(id: control.id, value: isAlways ? 1 : 0)]
                if wish == ControlMode.auto.rawValue, let once { settings.append(Setting(id: once.id, value: 1)) }
                return settings
            })
    }

    private static func exposure(_ control: V4L2Control) -> V4L2ControlTranslation? {
        let manual = Int64(V4L2_EXPOSURE_MANUAL.rawValue)
        // Webcams call it aperture priority, as they have no aperture to set.
        let automatic = [V4L2_EXPOSURE_AUTO, V4L2_EXPOSURE_APERTURE_PRIORITY].map { Int64($0.rawValue) }
            .first { control.menu[$0] != nil }
        var modes: Set<ControlMode> = []
        if automatic != nil { modes.insert(.continuousAuto) }
        if control.menu[manual] != nil { modes.formUnion([.locked, .custom]) }
        guard !modes.isEmpty else { return nil }
        let standard: ControlMode = control.defaultValue == manual ? .locked : .continuousAuto
        return V4L2ControlTranslation(
            range: .options(Set(modes.map(\.rawValue)), default: standard.rawValue), ids: [control.id],
            value: { .integer(($0[0] == manual ? ControlMode.locked : .continuousAuto).rawValue) },
            settings: { value in
                guard case .integer(let wish) = value else { return [] }
                let isAutomatic = wish == ControlMode.continuousAuto.rawValue
                return [Setting(id: control.id, value: isAutomatic ? automatic ?? manual : manual)]
            })
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
