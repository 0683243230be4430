import CLinuxDevices
import CaptureHAL
import MediaTypes

/// Automatic modes.
extension V4L2ControlTranslation {
    /// A loop that runs or not, and perhaps a button that runs it once.
    static func onceOrAlways(_ control: V4L2Control, once: V4L2Control?) -> V4L2ControlTranslation {
        var modes: Set<ControlMode> = [.locked, .continuousAuto, .custom]
        if once != nil { modes.insert(.auto) }
        return mode(modes, of: control, manual: 0, automatic: 1) { wish in
            guard wish == .auto, let once else { return [] }
            return [Setting(id: once.id, value: 1)]
        }
    }

    /// Focus that follows the scene (`always`), or searches once from a button on, or both.
    ///
    /// - Parameter status: `V4L2_AUTO_FOCUS_STATUS_…`, while a search is under way.
    static func focus(
        always: V4L2Control?, start: V4L2Control?, stop: V4L2Control?, status: V4L2Control?
    ) -> V4L2ControlTranslation? {
        guard always != nil || start != nil else { return nil }
        var modes: Set<ControlMode> = [.locked, .custom]
        if always != nil { modes.insert(.continuousAuto) }
        if start != nil { modes.insert(.auto) }
        let standard: ControlMode = always.map { $0.defaultValue != 0 } == true ? .continuousAuto : .locked
        let ids = [always, status].compactMap { $0?.id }
        return V4L2ControlTranslation(
            range: .options(Set(modes.map(\.rawValue)), default: standard.rawValue), ids: ids,
            value: { numbers in
                if always != nil, numbers[0] != 0 { return .integer(ControlMode.continuousAuto.rawValue) }
                let isSearching = status != nil && isBusy(numbers[numbers.count - 1])
                return .integer((isSearching ? ControlMode.auto : .locked).rawValue)
            },
            settings: { value in
                guard case .integer(let raw) = value, let wish = ControlMode(rawValue: raw) else { return [] }
                let following = always.map { [Setting(id: $0.id, value: wish == .continuousAuto ? 1 : 0)] } ?? []
                switch wish {
                case .auto: return following + (start.map { [Setting(id: $0.id, value: 1)] } ?? [])
                case .locked, .custom: return following + (stop.map { [Setting(id: $0.id, value: 1)] } ?? [])
                case .continuousAuto: return following
                }
            })
    }

    /// Whether the lens is being moved.
    static func focusStatus(_ control: V4L2Control) -> V4L2ControlTranslation {
        V4L2ControlTranslation(
            range: .flag(default: false), ids: [control.id], value: { .flag(isBusy($0[0])) }, settings: { _ in [] },
            isReadOnly: true)
    }

    private static func isBusy(_ status: Int64) -> Bool { status & Int64(V4L2_AUTO_FOCUS_STATUS_BUSY) != 0 }

    /// Exposure time and gain, each with a switch of its own, or with one of the two.
    static func exposure(
        _ control: V4L2Control?, autoGain: V4L2Control?, autoISO: V4L2Control?
    ) -> V4L2ControlTranslation? {
        @Sendable func others(_ wish: ControlMode) -> [Setting] {
            [autoGain, autoISO].compactMap { $0 }.filter { $0.id != control?.id }
                .map { Setting(id: $0.id, value: wish == .continuousAuto ? 1 : 0) }
        }
        guard let control else {
            guard let gain = autoGain ?? autoISO else { return nil }
            return mode([.locked, .custom, .continuousAuto], of: gain, manual: 0, automatic: 1) { wish in
                others(wish).filter { $0.id != gain.id }
            }
        }
        let manual = Int64(V4L2_EXPOSURE_MANUAL.rawValue)
        // Webcams call it aperture priority, as they have no aperture to set.
        let automatic = [V4L2_EXPOSURE_AUTO, V4L2_EXPOSURE_APERTURE_PRIORITY].map { Int64($0.rawValue) }
            .first { control.menu[$0] != nil }
        var modes: Set<ControlMode> = []
        if automatic != nil { modes.insert(.continuousAuto) }
        if control.menu[manual] != nil { modes.formUnion([.locked, .custom]) }
        guard !modes.isEmpty else { return nil }
        return mode(modes, of: control, manual: manual, automatic: automatic ?? manual, others)
    }

    /// A menu of kinds of light, of which one is found automatically.
    static func presets(_ control: V4L2Control) -> V4L2ControlTranslation? {
        let (manual, automatic) = (Int64(V4L2_WHITE_BALANCE_MANUAL.rawValue), Int64(V4L2_WHITE_BALANCE_AUTO.rawValue))
        guard control.menu[manual] != nil, control.menu[automatic] != nil else { return nil }
        return mode([.locked, .custom, .continuousAuto], of: control, manual: manual, automatic: automatic) { _ in [] }
    }

    /// A control that has a number for the automatic mode, and one for the others.
    private static func mode(
        _ modes: Set<ControlMode>, of control: V4L2Control, manual: Int64, automatic: Int64,
        _ others: @escaping @Sendable (ControlMode) -> [Setting]
    ) -> V4L2ControlTranslation {
        // Numbers that are neither, as a kind of light, are held as they are.
        let mode: @Sendable (Int64) -> ControlMode = { number in
            let isAutomatic = number == automatic || control.isExposure && number != manual
            return isAutomatic && automatic != manual ? .continuousAuto : .locked
        }
        return V4L2ControlTranslation(
            range: .options(Set(modes.map(\.rawValue)), default: mode(control.defaultValue).rawValue),
            ids: [control.id], value: { .integer(mode($0[0]).rawValue) },
            settings: { value in
                guard case .integer(let raw) = value, let wish = ControlMode(rawValue: raw) else { return [] }
                let number = wish == .continuousAuto ? automatic : manual
                return [Setting(id: control.id, value: number)] + others(wish)
            })
    }
}

extension V4L2Control {
    /// Where every number but the manual one leaves something to the camera.
    fileprivate var isExposure: Bool { id == UInt32(V4L2_CID_EXPOSURE_AUTO) }
}
