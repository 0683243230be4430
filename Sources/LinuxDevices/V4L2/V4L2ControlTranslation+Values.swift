import CLinuxDevices
import CaptureHAL
import MediaTypes

/// Translations of numbers, flags and menus.
extension V4L2ControlTranslation {
    /// A number without a known unit, normalized to 0 … 1.
    static func normalized(_ control: V4L2Control, isReversed: Bool = false) -> V4L2ControlTranslation? {
        guard control.maximum > control.minimum else { return nil }
        let minimum = Double(control.minimum)
        let span = Double(control.maximum) - minimum
        let position: @Sendable (Int64) -> Double = { number in
            let position = min(max((Double(number) - minimum) / span, 0), 1)
            return isReversed ? 1 - position : position
        }
        let step = Double(max(1, control.step)) / span
        return V4L2ControlTranslation(
            range: .number(0...1, step: min(step, 1), default: position(control.defaultValue)), ids: [control.id],
            value: { .number(position($0[0])) },
            settings: { value in
                guard case .number(let position) = value else { return [] }
                let number = minimum + (isReversed ? 1 - position : position) * span
                return [Setting(id: control.id, value: control.nearest(number))]
            })
    }

    /// A number in a known unit: the driver's number times `unit` plus `offset`.
    static func scaled(_ control: V4L2Control, unit: Double, offset: Double = 0) -> V4L2ControlTranslation? {
        guard control.maximum > control.minimum else { return nil }
        let number: @Sendable (Int64) -> Double = { Double($0) * unit + offset }
        return V4L2ControlTranslation(
            range: .number(
                number(control.minimum)...number(control.maximum), step: Double(max(1, control.step)) * unit,
                default: number(control.defaultValue)),
            ids: [control.id],
            value: { .number(number($0[0])) },
            settings: { value in
                guard case .number(let requested) = value else { return [] }
                return [Setting(id: control.id, value: control.nearest((requested - offset) / unit))]
            })
    }

    /// A gain without a known unit: a multiple of the minimum, or 1 … 4 if the minimum is not positive.
    static func factor(_ control: V4L2Control) -> V4L2ControlTranslation? {
        if control.minimum > 0 { return scaled(control, unit: 1 / Double(control.minimum)) }
        guard control.maximum > control.minimum else { return nil }
        let unit = 3 / (Double(control.maximum) - Double(control.minimum))
        return scaled(control, unit: unit, offset: 1 - Double(control.minimum) * unit)
    }

    /// A menu of numbers; setting a number selects the nearest entry, and the range's step is the widest gap.
    ///
    /// - Parameter manual: A menu that is set to entry 0 first, to allow manual control.
    static func numbers(
        _ control: V4L2Control, unit: Double, manual: V4L2Control? = nil
    ) -> V4L2ControlTranslation? {
        let numbers = control.menu.mapValues { Double($0) * unit }
        guard let minimum = numbers.values.min(), let maximum = numbers.values.max(), minimum < maximum else {
            return nil
        }
        let defaultNumber = min(max(numbers[control.defaultValue] ?? minimum, minimum), maximum)
        let sorted = numbers.values.sorted()
        let widestGap = zip(sorted, sorted.dropFirst()).map { $1 - $0 }.max() ?? 0
        return V4L2ControlTranslation(
            range: .number(minimum...maximum, step: widestGap, default: defaultNumber), ids: [control.id],
            value: { .number(numbers[$0[0]] ?? defaultNumber) },
            settings: { value in
                guard case .number(let requested) = value else { return [] }
                let entry = numbers.min { left, right in
                    (abs(left.value - requested), left.key) < (abs(right.value - requested), right.key)
                }
                let manualMode = manual.map { [Setting(id: $0.id, value: 0)] } ?? []
                return entry.map { manualMode + [Setting(id: control.id, value: $0.key)] } ?? []
            })
    }

    /// A boolean control.
    static func flag(_ control: V4L2Control) -> V4L2ControlTranslation {
        V4L2ControlTranslation(
            range: .flag(default: control.defaultValue != 0), ids: [control.id], value: { .flag($0[0] != 0) },
            settings: { value in
                guard case .flag(let isOn) = value else { return [] }
                return [Setting(id: control.id, value: isOn ? 1 : 0)]
            })
    }

    /// The power line frequency: 50 or 60 Hz, 0 for disabled, -1 for automatic.
    static func powerLine(_ control: V4L2Control) -> V4L2ControlTranslation {
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
                guard case .integer(let requested) = value, let entry = hertz.first(where: { $0.value == requested })
                else { return [] }
                return [Setting(id: control.id, value: entry.key)]
            })
    }

    /// The torch level 0 … 1; 0 is off. Without a level control, it is on or off.
    static func torch(mode: V4L2Control?, level: V4L2Control?) -> V4L2ControlTranslation? {
        let none = Int64(V4L2_FLASH_LED_MODE_NONE.rawValue)
        let torch = Int64(V4L2_FLASH_LED_MODE_TORCH.rawValue)
        guard let mode, mode.menu[none] != nil, mode.menu[torch] != nil else { return nil }
        guard let level, level.maximum > 0 else {
            return V4L2ControlTranslation(
                range: .number(0...1, step: 1, default: 0), ids: [mode.id],
                value: { .number($0[0] == torch ? 1 : 0) },
                settings: { value in
                    guard case .number(let requested) = value else { return [] }
                    return [Setting(id: mode.id, value: requested > 0 ? torch : none)]
                })
        }
        return V4L2ControlTranslation(
            range: .number(0...1, step: 0, default: 0), ids: [mode.id, level.id],
            value: { .number($0[0] == torch ? min(1, Double($0[1]) / Double(level.maximum)) : 0) },
            settings: { value in
                guard case .number(let requested) = value, requested > 0 else {
                    return [Setting(id: mode.id, value: none)]
                }
                return [
                    Setting(id: level.id, value: level.nearest(requested * Double(level.maximum))),
                    Setting(id: mode.id, value: torch),
                ]
            })
    }
}
