import CaptureHAL

/// The orientation of the simulated machine on the command line.
enum Hold: String, NamedArgument {
    case portrait
    case portraitUpsideDown = "portrait-upside-down"
    case landscapeLeft = "landscape-left"
    case landscapeRight = "landscape-right"

    static let noun = "orientation"

    private var orientation: DeviceOrientation {
        switch self {
        case .portrait: .portrait
        case .portraitUpsideDown: .portraitUpsideDown
        case .landscapeLeft: .landscapeLeft
        case .landscapeRight: .landscapeRight
        }
    }

    /// Rotates the simulated machine of a host.
    ///
    /// - Parameter hold: The orientation; nil selects the one in which the built-in cameras capture landscape images.
    /// - Throws: `.invalidSource` if an orientation is requested for a host without built-in cameras.
    static func apply(_ hold: Hold?, to host: any HardwareHost) throws(DeviceError) {
        guard let orientation = host.orientation else {
            guard let hold else { return }
            throw DeviceError(
                .invalidSource, device: host.name,
                "--hold \(hold.rawValue) requires a profile with built-in cameras, such as phone")
        }
        // Frames of the cameras of a phone are upright when it is held in landscape. Those of a laptop are upright in
        // its normal orientation, which is called portrait.
        let isPhone = host.devices.contains {
            $0.descriptor.position != .unspecified && $0.descriptor.mountingAngle % 180 != 0
        }
        orientation.rotate(to: hold?.orientation ?? (isPhone ? .landscapeLeft : .portrait))
    }
}
