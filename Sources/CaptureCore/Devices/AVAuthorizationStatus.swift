import CaptureHAL

/// The user's decision on the use of a media type.
public enum AVAuthorizationStatus: Int, Sendable {
    case notDetermined = 0
    case restricted = 1
    case denied = 2
    case authorized = 3

    init(_ state: AuthorizationState) {
        self =
            switch state {
            case .notDetermined: .notDetermined
            case .restricted: .restricted
            case .denied: .denied
            // Devices have no limited authorization.
            case .authorized, .limited: .authorized
            }
    }
}
