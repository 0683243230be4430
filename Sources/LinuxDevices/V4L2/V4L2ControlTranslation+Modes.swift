import CLinuxDevices
import CaptureHAL
import MediaTypes

/// Translations of automatic modes.
extension V4L2ControlTranslation {
    /// An automatic loop that can be on or off, with an optional button that runs it once.
    static func continuousOrOnce(_ control: V4L2Control, once: V4L2Control?) -> V4L2ControlTranslation {
        var modes: Set<ControlMode> = [.locked, .continuousAuto, .custom]
        if once != nil { modes.insert(.auto) }
        return mode(modes, of: control, manual: 0, automatic: 1) { requested in
            guard requested == .auto, let once else { return [] }
            return [Setting(id: once.id, value: 1)]
        }
    }

    /// The focus mode: continuous autofocus, a single autofocus operation, or both.
    ///
    /// - Parameters:
    ///   - continuous: The switch of continuous autofocus.
    ///   - start: The button that starts a single operation.
    ///   - stop: The button that stops a single operation.
    ///   - status: `V4L2_AUTO_FOCUS_STATUS_…`, which reports a running operation.
    static func focus(
        continuous: V4L2Control?, start: V4L2Control?, stop: V4L2Control?, status: V4L2Control?
    ) -> V4L2ControlTranslation? {
        guard continuous != nil || start != nil else { return nil }
        var modes: Set<ControlMode> = [.locked, .custom]
        if continuous != nil { modes.insert(.continuousAuto) }
        if start != nil { modes.insert(.auto) }
        let defaultMode: ControlMode = continuous.map { $0.defaultValue != 0 } == true ? .continuousAuto : .locked
        let ids = [continuous, status].compactMap { $0?.id }
        return V4L2ControlTranslation(
            range: .options(Set(modes.map(\.rawValue)), default: defaultMode.rawValue), ids: ids,
            value: { numbers in
                if continuous != nil, numbers[0] != 0 { return .integer(ControlMode.continuousAuto.rawValue) }
                let isFocusing = status != nil && isBusy(numbers[numbers.count - 1])
                return .integer((isFocusing ? ControlMode.auto : .locked).rawValue)
            },
            settings: { value in
                guard case .integer(let raw) = value, let requested = ControlMode(rawValue: raw) else { return [] }
                let continuousSetting =
                    continuous.map { [Setting(id: $0.id, value: requested == .continuousAuto ? 1 : 0)] } ?? []
                switch requested {
                case .auto: return continuousSetting + (start.map { [Setting(id: $0.id, value: 1)] } ?? [])
                case .locked, .custom: return continuousSetting + (stop.map { [Setting(id: $0.id, value: 1)] } ?? [])
                case .continuousAuto: return continuousSetting
                }
            })
    }

    /// Whether an autofocus operation is running; read-only.
    static func focusStatus(_ control: V4L2Control) -> V4L2ControlTranslation {
        V4L2ControlTranslation(
            range: .flag(default: false), ids: [control.id], value: { .flag(isBusy($0[0])) }, settings: { _ in [] },
            isReadOnly: true)
    }

    private static func isBusy(_ status: Int64) -> Bool { status & Int64(V4L2_AUTO_FOCUS_STATUS_BUSY) != 0 }

    /// The exposure mode, from separate controls for automatic exposure time, gain and ISO, or from one of them.
    static func exposure(
        _ control: V4L2Control?, autoGain: V4L2Control?, autoISO: V4L2Control?
    ) -> V4L2ControlTranslation? {
        @Sendable func otherSettings(_ requested: ControlMode) -> [Setting] {
            [autoGain, autoISO].compactMap { $0 }.filter { $0.id != control?.id }
                .map { Setting(id: $0.id, value: requested == .continuousAuto ? 1 : 0) }
        }
        guard let control else {
            guard let gain = autoGain ?? autoISO else { return nil }
            return mode([.locked, .custom, .continuousAuto], of: gain, manual: 0, automatic: 1) { requested in
                otherSettings(requested).filter { $0.id != gain.id }
            }
        }
        let manual = Int64(V4L2_EXPOSURE_MANUAL.rawValue)
        // Webcams use aperture priority for automatic exposure, because their aperture is fixed.
        let automatic = [V4L2_EXPOSURE_AUTO, V4L2_EXPOSURE_APERTURE_PRIORITY].map { Int64($0.rawValue) }
            .first { control.menu[$0] != nil }
        var modes: Set<ControlMode> = []
        if automatic != nil { modes.insert(.continuousAuto) }
        if control.menu[manual] != nil { modes.formUnion([.locked, .custom]) }
        guard !modes.isEmpty else { return nil }
        return mode(modes, of: control, manual: manual, automatic: automatic ?? manual, otherSettings)
    }

    /// A menu of white balance presets with an automatic entry.
    static func presets(_ control: V4L2Control) -> V4L2ControlTranslation? {
        let (manual, automatic) = (Int64(V4L2_WHITE_BALANCE_MANUAL.rawValue), Int64(V4L2_WHITE_BALANCE_AUTO.rawValue))
        guard control.menu[manual] != nil, control.menu[automatic] != nil else { return nil }
        return mode([.locked, .custom, .continuousAuto], of: control, manual: manual, automatic: automatic) { _ in [] }
    }

    /// A mode control with one number for automatic operation and one for all other modes.
    ///
    /// - Parameter otherSettings: Returns the settings of other controls that a mode requires.
    private static func mode(
        _ modes: Set<ControlMode>, of control: V4L2Control, manual: Int64, automatic: Int64,
        _ otherSettings: @escaping @Sendable (ControlMode) -> [Setting]
    ) -> V4L2ControlTranslation {
        // Other numbers, such as a white balance preset, are fixed, so they count as locked; those of the exposure mode
        // are partly automatic.
        let mode: @Sendable (Int64) -> ControlMode = { number in
            let isAutomatic = number == automatic || control.isExposure && number != manual
            return isAutomatic && automatic != manual ? .continuousAuto : .locked
        }
        return V4L2ControlTranslation(
            range: .options(Set(modes.map(\.rawValue)), default: mode(control.defaultValue).rawValue),
            ids: [control.id], value: { .integer(mode($0[0]).rawValue) },
            settings: { value in
                guard case .integer(let raw) = value, let requested = ControlMode(rawValue: raw) else { return [] }
                let number = requested == .continuousAuto ? automatic : manual
                return [Setting(id: control.id, value: number)] + otherSettings(requested)
            })
    }
}

extension V4L2Control {
    /// Whether this is the exposure mode, for which all values except manual are at least partly automatic.
    fileprivate var isExposure: Bool { id == UInt32(V4L2_CID_EXPOSURE_AUTO) }
}
