import CLinuxDevices
package import CaptureHAL
import Glibc

extension DeviceError {
    /// Creates the error of a device for a failed system call.
    ///
    /// - Parameter attempt: The failed operation, such as "the camera could not be opened".
    package init(_ error: KernelError, device: String, _ attempt: String) {
        self.init(Self.code(of: error.number), device: device, "\(attempt): \(error). \(Self.advice(error.number))")
    }

    /// Converts an error number with its meaning in V4L2 and ALSA ("Generic Error Codes" of the media API).
    private static func code(of number: Int32) -> Code {
        switch number {
        case EBUSY: .busy
        case ENODEV, ENXIO, ENOENT, ESHUTDOWN, EBADFD: .disconnected
        case EACCES, EPERM: .notPermitted
        case ENOMEM, ENOSPC, EMFILE, ENFILE, ENOBUFS: .outOfResources
        default: .inputOutput
        }
    }

    private static func advice(_ number: Int32) -> String {
        switch number {
        case EBUSY: "Another program uses it; end that program first."
        case ENODEV, ENXIO, ENOENT, ESHUTDOWN, EBADFD: "It was disconnected, or its driver was unloaded."
        case EACCES, EPERM: "The user must be in the device's group (video for cameras, audio for sound)."
        case ENOSPC: "The USB bus has no bandwidth left; use a smaller format or another port."
        case ENOMEM, EMFILE, ENFILE, ENOBUFS: "There is not enough memory, or too many files are open."
        default: "The driver reported an error."
        }
    }
}
