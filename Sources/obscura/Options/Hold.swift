import ArgumentParser
import CaptureHAL

/// How a hand holds the simulated machine, as on the command line.
enum Hold: String, ExpressibleByArgument, CaseIterable {
    case portrait
    case portraitUpsideDown = "portrait-upside-down"
    case landscapeLeft = "landscape-left"
    case landscapeRight = "landscape-right"

    private var orientation: DeviceOrientation {
        switch self {
        case .portrait: .portrait
        case .portraitUpsideDown: .portraitUpsideDown
        case .landscapeLeft: .landscapeLeft
        case .landscapeRight: .landscapeRight
        }
    }

    /// Rotates the machine of a host.
    ///
    /// - Parameter hold: Nil is the orientation in which upright images of the built-in cameras are wide.
    /// - Throws: `.invalidSource` if an orientation is requested for a host without built-in cameras.
    static func apply(_ hold: Hold?, to host: any HardwareHost) throws(DeviceError) {
        guard let sensor = host.orientation else {
            guard let hold else { return }
            throw DeviceError(
                .invalidSource, device: host.name,
                "--hold \(hold.rawValue) requires a profile with built-in cameras, such as phone")
        }
        // The sensors of a phone are mounted in landscape, those of a laptop in portrait.
        let isPhone = host.devices.contains {
            $0.descriptor.position != .unspecified && $0.descriptor.mountingAngle % 180 != 0
        }
        sensor.rotate(to: hold?.orientation ?? (isPhone ? .landscapeLeft : .portrait))
    }
}
