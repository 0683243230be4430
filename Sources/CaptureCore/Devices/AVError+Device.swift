public import AssetTypes
import CaptureHAL
import Foundation

extension AVError {
    /// The device that the error concerns, if any.
    public var device: AVCaptureDevice? { userInfo[AVErrorDeviceKey] as? AVCaptureDevice }

    /// Creates the error that clients receive for an error of the hardware layer.
    init(_ error: DeviceError, device: AVCaptureDevice? = nil) {
        let code: Code =
            switch error.code {
            case .busy: .deviceInUseByAnotherApplication
            case .disconnected: .deviceWasDisconnected
            case .notPermitted: .applicationIsNotAuthorizedToUseDevice
            case .unsupportedFormat: .unsupportedDeviceActiveFormat
            case .unsupportedControl, .invalidState: .operationNotAllowed
            case .inputOutput: .unknown
            case .outOfResources: .outOfMemory
            case .invalidSource: .invalidSourceMedia
            }
        var userInfo: [String: Any] = [:]
        if let device {
            userInfo[AVErrorDeviceKey] = device
            if code == .applicationIsNotAuthorizedToUseDevice {
                userInfo[NSLocalizedFailureReasonErrorKey] = Self.notAuthorizedReason(device)
            }
        }
        self.init(code, error.message, cause: error, userInfo)
    }

    /// Returns the failure reason for a device that the app is not authorized to use.
    static func notAuthorizedReason(_ device: AVCaptureDevice) -> String {
        "This app is not authorized to use \(device.localizedName)."
    }
}
