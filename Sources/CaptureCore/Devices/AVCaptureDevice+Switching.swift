import CaptureHAL

extension AVCaptureDevice {
    /// The conditions under which a virtual device may switch to another constituent.
    public enum PrimaryConstituentDeviceSwitchingBehavior: Int, Sendable, Hashable {
        /// The device has no constituents.
        case unsupported = 0
        case auto = 1
        /// Switches by the zoom factor, and otherwise only under the given conditions.
        case restricted = 2
        /// Keeps the constituent that is active now.
        case locked = 3
    }

    /// The events at which a restricted virtual device may switch to a better constituent than the one that the zoom
    /// factor selects.
    public struct PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let videoZoomChanged = Self(rawValue: 1 << 0)
        public static let focusModeChanged = Self(rawValue: 1 << 1)
        public static let exposureModeChanged = Self(rawValue: 1 << 2)
    }
}

extension AVCaptureDevice {
    /// The behavior that the client set; `.auto` by default for a virtual device, `.unsupported` for any other. Can be
    /// observed.
    public var primaryConstituentDeviceSwitchingBehavior: PrimaryConstituentDeviceSwitchingBehavior {
        observedProperties.access()
        return isVirtualDevice ? state.withLock { $0.switching.behavior } : .unsupported
    }

    /// The conditions that were set with `.restricted`; empty by default. Can be observed.
    public var primaryConstituentDeviceRestrictedSwitchingBehaviorConditions:
        PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
    {
        observedProperties.access()
        return state.withLock { $0.switching.conditions }
    }

    /// The effective behavior: the movie output's behavior during a recording, else
    /// `primaryConstituentDeviceSwitchingBehavior`. Can be observed.
    public var activePrimaryConstituentDeviceSwitchingBehavior: PrimaryConstituentDeviceSwitchingBehavior {
        observedProperties.access()
        return isVirtualDevice ? state.withLock { $0.effectiveSwitching.behavior } : .unsupported
    }

    /// The effective conditions: the movie output's conditions during a recording, else
    /// `primaryConstituentDeviceRestrictedSwitchingBehaviorConditions`. Can be observed.
    public var activePrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions:
        PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
    {
        observedProperties.access()
        return state.withLock { $0.effectiveSwitching.conditions }
    }

    /// The constituents that can replace one with a longer focal length if there is too little light or the subject is
    /// too near: those with autofocus, except the one with the longest focal length. Empty for other devices.
    public var supportedFallbackPrimaryConstituentDevices: [AVCaptureDevice] {
        guard isVirtualDevice, case .options(_, let all)? = controls[.fallbackConstituents] else { return [] }
        return constituents(in: all)
    }

    /// The fallback constituents that are enabled; all by default. Setting unsupported devices is misuse. Can be
    /// observed.
    public var fallbackPrimaryConstituentDevices: [AVCaptureDevice] {
        get {
            observedProperties.access()
            guard isVirtualDevice, case .integer(let enabled)? = value(of: .fallbackConstituents) else { return [] }
            return constituents(in: enabled)
        }
        set {
            let supported = supportedFallbackPrimaryConstituentDevices
            if let other = newValue.first(where: { !supported.contains($0) }) {
                return reportUnsupported(
                    "setFallbackPrimaryConstituentDevices:", "\(other)", "supportedFallbackPrimaryConstituentDevices")
            }
            let ids = hardware.descriptor.constituentIDs
            let enabled = ids.indices.filter { index in newValue.contains { $0.uniqueID == ids[index] } }
            if isVirtualDevice { set(.fallbackConstituents, to: .integer(enabled.reduce(0) { $0 | 1 << Int64($1) })) }
            observedProperties.changed()
        }
    }

    /// Returns the constituents in an option set with the bit 1 << index of each.
    private func constituents(in options: Int64) -> [AVCaptureDevice] {
        let ids = hardware.descriptor.constituentIDs
        let selected = ids.indices.filter { options & 1 << Int64($0) != 0 }.map { ids[$0] }
        return constituentDevices.filter { selected.contains($0.uniqueID) }
    }

    /// Sets the conditions under which a virtual device may switch to another constituent.
    ///
    /// `.locked` keeps the active constituent: zooming in crops its frames, and `minAvailableVideoZoomFactor` becomes
    /// its switch-over factor. As on Apple's systems, the configuration lock is not required.
    ///
    /// With `.restricted`, a constituent replaces another one because of light or distance only after one of the
    /// conditions, when focus and exposure have settled; if the zoom factor makes a constituent available or unavailable,
    /// the choice is free.
    /// - Parameters:
    ///   - switchingBehavior: `.unsupported` is misuse, as is any value for a device that is not virtual.
    ///   - restrictedSwitchingBehaviorConditions: Must be empty unless the behavior is `.restricted`;
    ///     otherwise the call is misuse.
    public func setPrimaryConstituentDeviceSwitchingBehavior(
        _ switchingBehavior: PrimaryConstituentDeviceSwitchingBehavior,
        restrictedSwitchingBehaviorConditions: PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
    ) {
        let method = "setPrimaryConstituentDeviceSwitchingBehavior:restrictedSwitchingBehaviorConditions:"
        guard isVirtualDevice, switchingBehavior != .unsupported else {
            return reportUnsupported(
                method, "\(switchingBehavior)", "primaryConstituentDeviceSwitchingBehavior")
        }
        guard switchingBehavior == .restricted || restrictedSwitchingBehaviorConditions.isEmpty else {
            return environment.misuse.report(
                .invalidArgument,
                "-[AVCaptureDevice \(method)] the conditions must be empty unless the behavior is restricted, and it is "
                    + "\(switchingBehavior)")
        }
        let activeIndex = constituentIndex
        changeSwitching { state in
            state.switching = Switching(
                behavior: switchingBehavior, conditions: restrictedSwitchingBehaviorConditions,
                lockedIndex: switchingBehavior == .locked ? activeIndex : nil)
        }
        observedProperties.changed([
            "primaryConstituentDeviceSwitchingBehavior",
            "primaryConstituentDeviceRestrictedSwitchingBehaviorConditions",
        ])
    }

    /// Whether a client can select the constituent to which the device is locked: whether it is a virtual device.
    public var isPrimaryConstituentDeviceSwitchingBehaviorLockedWithDeviceSupported: Bool {
        isVirtualDevice && controls[.constituent] != nil
    }

    /// Makes a constituent the primary one, and locks the device to it: `primaryConstituentDeviceSwitchingBehavior` becomes
    /// `.locked`. A zoom factor that the constituent does not cover, also that of a ramp, becomes its smallest one.
    ///
    /// - Parameter device: One of `constituentDevices`; another one is misuse.
    public func setPrimaryConstituentDeviceSwitchingBehaviorLockedWith(_ device: AVCaptureDevice) {
        let method = "setPrimaryConstituentDeviceSwitchingBehaviorLockedWithDevice:"
        guard checkLock(for: method) else { return }
        guard isPrimaryConstituentDeviceSwitchingBehaviorLockedWithDeviceSupported else {
            return reportUnsupported(
                method, "locking a constituent",
                "isPrimaryConstituentDeviceSwitchingBehaviorLockedWithDeviceSupported")
        }
        guard let index = hardware.descriptor.constituentIDs.firstIndex(of: device.uniqueID) else {
            return environment.misuse.report(
                .invalidArgument, "-[AVCaptureDevice \(method)] \(device) is not a constituent of \(self)")
        }
        changeSwitching { $0.switching = Switching(behavior: .locked, lockedIndex: index) }
        if videoZoomFactor < minAvailableVideoZoomFactor {
            set(.zoomFactor, to: .number(Double(minAvailableVideoZoomFactor)))
        }
        observedProperties.changed([
            "primaryConstituentDeviceSwitchingBehavior",
            "primaryConstituentDeviceRestrictedSwitchingBehaviorConditions",
        ])
    }

    /// Replaces the client's settings while a movie is recorded.
    func setRecordingSwitching(
        _ behavior: PrimaryConstituentDeviceSwitchingBehavior,
        _ conditions: PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
    ) {
        let activeIndex = constituentIndex
        changeSwitching { state in
            state.recordingSwitching = Switching(
                behavior: behavior, conditions: conditions, lockedIndex: behavior == .locked ? activeIndex : nil)
        }
    }

    /// Restores the client's settings.
    func endRecordingSwitching() { changeSwitching { $0.recordingSwitching = nil } }

    private func changeSwitching(_ change: (inout State) -> Void) {
        let isChanged = state.withLock { state in
            let old = state.effectiveSwitching
            change(&state)
            return state.effectiveSwitching != old
        }
        if isChanged { applySwitching() }
        observedProperties.changed([
            "activePrimaryConstituentDeviceSwitchingBehavior",
            "activePrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions", "minAvailableVideoZoomFactor",
            "activePrimaryConstituent",
        ])
    }

    /// Settings for switching between constituents.
    struct Switching: Sendable, Equatable {
        var behavior = PrimaryConstituentDeviceSwitchingBehavior.auto
        var conditions: PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions = []
        /// The index of the locked constituent; nil if the device selects the constituent.
        var lockedIndex: Int?
    }

    /// The index of the constituent that is active, or would be if the device streamed.
    var constituentIndex: Int {
        if let index = state.withLock({ $0.effectiveSwitching.lockedIndex }) { return index }
        if case .integer(let index)? = value(of: .activeConstituent) { return Int(index) }
        return hardware.descriptor.constituentIndex(at: number(.zoomFactor) ?? 1)
    }

    /// The switch-over factor of the locked constituent; nil if the zoom factor selects the constituent.
    var lockedSwitchOverZoomFactor: Double? {
        state.withLock { $0.effectiveSwitching.lockedIndex }.map(hardware.descriptor.firstZoomFactor(ofConstituent:))
    }

    /// Applies the settings to the device, also at the start of a stream, since the device could be busy before.
    func applySwitching() {
        let controls = controls
        guard isVirtualDevice, controls[.constituent] != nil else { return }
        let switching = state.withLock { $0.effectiveSwitching }
        if controls[.constituentSwitching] != nil {
            let conditions = switching.behavior == .restricted ? Int64(switching.conditions.rawValue) : -1
            set(.constituentSwitching, to: .integer(conditions))
        }
        set(.constituent, to: .integer(switching.lockedIndex.map { Int64($0) } ?? -1))
    }
}

extension AVCaptureDevice.State {
    /// The effective settings: the recording's settings, else the client's.
    var effectiveSwitching: AVCaptureDevice.Switching { recordingSwitching ?? switching }
}
