/// The message that the screen shows for a decision of the user.
public struct PermissionMessage: Equatable, Sendable {
    public let title: String
    public let text: String
    /// Whether the user can change the decision in Settings.
    public let offersSettings: Bool

    /// Creates the message; nil if no message is needed, because the user has not decided yet or has granted full
    /// access.
    public init?(for permission: Permission, _ status: Permission.Status) {
        switch status {
        case .notDetermined, .authorized: return nil
        case .limited:
            title = "Selected photos"
            text = "The app sees the photos that you have selected. Select more of them in Settings."
            offersSettings = true
        case .denied:
            title = "No access to the \(permission.name)"
            text = "The app needs the \(permission.name) \(permission.purpose). Allow it in Settings."
            offersSettings = true
        case .restricted:
            title = "No access to the \(permission.name)"
            text = "The \(permission.name) cannot be used on this device. You may not be allowed to change that."
            offersSettings = false
        }
    }
}

extension Permission {
    var name: String {
        switch self {
        case .camera: "camera"
        case .microphone: "microphone"
        case .photoLibrary: "photo library"
        }
    }

    fileprivate var purpose: String {
        switch self {
        case .camera: "to take photos and movies"
        case .microphone: "to record sound with movies"
        case .photoLibrary: "to save photos and movies"
        }
    }
}
