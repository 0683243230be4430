import CaptureHAL

extension AVCaptureDevice {
    /// When a virtual device may go over to another constituent.
    public enum PrimaryConstituentDeviceSwitchingBehavior: Int, Sendable, Hashable {
        /// The device has no constituents.
        case unsupported = 0
        case auto = 1
        /// Only as the zoom factor asks for, or under the conditions that are given with it.
        case restricted = 2
        /// The constituent that delivers now goes on.
        case locked = 3
    }

    /// When a virtual device that is restricted may go over to a constituent which serves better than the one that the
    /// zoom factor asks for.
    public struct PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let videoZoomChanged = Self(rawValue: 1 << 0)
        public static let focusModeChanged = Self(rawValue: 1 << 1)
        public static let exposureModeChanged = Self(rawValue: 1 << 2)
    }
}

extension AVCaptureDevice {
    /// When the device may go over to another constituent, as the client set it; `.auto` by default for a virtual device,
    /// `.unsupported` for any other. Can be observed.
    public var primaryConstituentDeviceSwitchingBehavior: PrimaryConstituentDeviceSwitchingBehavior {
        observedProperties.access()
        return isVirtualDevice ? state.withLock { $0.switching.behavior } : .unsupported
    }

    /// The conditions that were set with `.restricted`; none by default. Can be observed.
    public var primaryConstituentDeviceRestrictedSwitchingBehaviorConditions:
        PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
    {
        observedProperties.access()
        return state.withLock { $0.switching.conditions }
    }

    /// What is in force: `primaryConstituentDeviceSwitchingBehavior`. Can be observed.
    public var activePrimaryConstituentDeviceSwitchingBehavior: PrimaryConstituentDeviceSwitchingBehavior {
        primaryConstituentDeviceSwitchingBehavior
    }

    /// What is in force: `primaryConstituentDeviceRestrictedSwitchingBehaviorConditions`. Can be observed.
    public var activePrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions:
        PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions
    {
        primaryConstituentDeviceRestrictedSwitchingBehaviorConditions
    }

    /// The constituents that can take over where one with a longer focal length has too little light or is too near; empty,
    /// as virtual devices here choose by the zoom factor alone.
    public var supportedFallbackPrimaryConstituentDevices: [AVCaptureDevice] { [] }

    /// Those of them that may take over; all by default. Others are misuse.
    public var fallbackPrimaryConstituentDevices: [AVCaptureDevice] {
        get { supportedFallbackPrimaryConstituentDevices }
        set {
            guard let other = newValue.first else { return }
            reportUnsupported(
                "setFallbackPrimaryConstituentDevices:", "\(other)", "supportedFallbackPrimaryConstituentDevices")
        }
    }

    /// Sets when a virtual device may go over to another constituent.
    ///
    /// `.locked` keeps the one that delivers, or would: zooming in enlarges its picture, and
    /// `minAvailableVideoZoomFactor` becomes the factor from which it delivers. Virtual devices here choose by the zoom
    /// factor alone, never by light or distance, so that `.restricted` comes to the same as `.auto`. The lock of the
    /// configuration is not needed: Apple does not ask for it.
    ///
    /// - Parameters:
    ///   - switchingBehavior: `.unsupported`, or any for a device that is not virtual, is misuse.
    ///   - restrictedSwitchingBehaviorConditions: Empty unless the behaviour is `.restricted`; else it is misuse.
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
            return surroundings.misuse.report(
                .invalidArgument,
                "-[AVCaptureDevice \(method)] the conditions must be empty unless the behavior is restricted, and it is "
                    + "\(switchingBehavior)")
        }
        let present = constituentIndex
        state.withLock { state in
            state.switching = Switching(
                behavior: switchingBehavior, conditions: restrictedSwitchingBehaviorConditions,
                lockedIndex: switchingBehavior == .locked ? present : nil)
        }
        holdConstituent()
        observedProperties.changed([
            "primaryConstituentDeviceSwitchingBehavior",
            "primaryConstituentDeviceRestrictedSwitchingBehaviorConditions", "minAvailableVideoZoomFactor",
            "activePrimaryConstituent",
        ])
    }

    /// What a client wants of the constituents.
    struct Switching: Sendable {
        var behavior = PrimaryConstituentDeviceSwitchingBehavior.auto
        var conditions: PrimaryConstituentDeviceRestrictedSwitchingBehaviorConditions = []
        /// The constituent that is to go on; nil where the zoom factor chooses.
        var lockedIndex: Int?
    }

    /// The constituent that delivers, or would if the device streamed.
    var constituentIndex: Int {
        if let index = state.withLock({ $0.switching.lockedIndex }) { return index }
        return hardware.descriptor.constituentIndex(at: number(.zoomFactor) ?? 1)
    }

    /// The zoom factor from which the constituent delivers that goes on; nil where the zoom factor chooses.
    var lockedSwitchOverZoomFactor: Double? {
        state.withLock { $0.switching.lockedIndex }.map(hardware.descriptor.firstZoomFactor(ofConstituent:))
    }

    /// Tells the device which constituent goes on: a device that was closed meanwhile does not know any more.
    func holdConstituent() {
        guard isVirtualDevice, controls[.constituent] != nil else { return }
        let index = state.withLock { $0.switching.lockedIndex }
        set(.constituent, to: .integer(index.map { Int64($0) } ?? -1))
    }
}
