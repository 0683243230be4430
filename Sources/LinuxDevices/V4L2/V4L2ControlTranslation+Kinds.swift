import CLinuxDevices
import CaptureHAL
import MediaTypes

/// Numbers, shares and choices.
extension V4L2ControlTranslation {
    /// A place between the least and the most, from 0 to 1.
    static func share(_ control: V4L2Control, isReversed: Bool = false) -> V4L2ControlTranslation? {
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
                guard case .number(let wish) = value else { return [] }
                return [Setting(id: control.id, value: control.nearest((wish - offset) / unit))]
            })
    }

    /// A factor whose unit is not known: of the least number, or 1 to 4 where that is not above 0.
    static func factor(_ control: V4L2Control) -> V4L2ControlTranslation? {
        if control.minimum > 0 { return scaled(control, unit: 1 / Double(control.minimum)) }
        guard control.maximum > control.minimum else { return nil }
        let unit = 3 / (Double(control.maximum) - Double(control.minimum))
        return scaled(control, unit: unit, offset: 1 - Double(control.minimum) * unit)
    }

    /// A menu of numbers; the nearest entry is taken, and the step tells the widest gap between two.
    ///
    /// - Parameter manual: A menu whose entry 0 lets the number be set.
    static func numbers(
        _ control: V4L2Control, unit: Double, manual: V4L2Control? = nil
    ) -> V4L2ControlTranslation? {
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
                let switching = manual.map { [Setting(id: $0.id, value: 0)] } ?? []
                return entry.map { switching + [Setting(id: control.id, value: $0.key)] } ?? []
            })
    }

    static func flag(_ control: V4L2Control) -> V4L2ControlTranslation {
        V4L2ControlTranslation(
            range: .flag(default: control.defaultValue != 0), ids: [control.id], value: { .flag($0[0] != 0) },
            settings: { value in
                guard case .flag(let isOn) = value else { return [] }
                return [Setting(id: control.id, value: isOn ? 1 : 0)]
            })
    }

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
                guard case .integer(let wish) = value, let entry = hertz.first(where: { $0.value == wish })
                else { return [] }
                return [Setting(id: control.id, value: entry.key)]
            })
    }

    static func torch(mode: V4L2Control?, level: V4L2Control?) -> V4L2ControlTranslation? {
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
}
