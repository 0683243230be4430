import AVFoundation
import Photos

/// A resource for which an app requests permission.
public enum Permission: CaseIterable, Sendable {
    case camera
    case microphone
    case photoLibrary

    /// The decision of the user.
    public enum Status: Sendable {
        /// The user has not decided yet; the app can request permission.
        case notDetermined
        case authorized
        /// The app can use the photos that the user has selected.
        case limited
        case denied
        /// The user cannot decide, for example because of parental controls.
        case restricted
    }

    /// The current decision of the user.
    public var status: Status {
        switch self {
        case .camera: Status(AVCaptureDevice.authorizationStatus(for: .video))
        case .microphone: Status(AVCaptureDevice.authorizationStatus(for: .audio))
        case .photoLibrary: Status(PHPhotoLibrary.authorizationStatus(for: .readWrite))
        }
    }

    /// Requests permission. The system prompts the user at most once.
    ///
    /// - Parameter completion: Called on the main thread after the answer of the user, at any later time.
    public func request(completion: @escaping @MainActor @Sendable (Status) -> Void) {
        let permission = self
        let answer: @Sendable () -> Void = {
            DispatchQueue.main.async { completion(permission.status) }
        }
        switch self {
        case .camera: AVCaptureDevice.requestAccess(for: .video) { _ in answer() }
        case .microphone: AVCaptureDevice.requestAccess(for: .audio) { _ in answer() }
        case .photoLibrary: PHPhotoLibrary.requestAuthorization(for: .readWrite) { _ in answer() }
        }
    }
}

extension Permission.Status {
    /// Creates the status of the camera or the microphone.
    init(_ status: AVAuthorizationStatus) {
        switch status {
        case .notDetermined: self = .notDetermined
        case .authorized: self = .authorized
        case .restricted: self = .restricted
        default: self = .denied
        }
    }

    /// Creates the status of the photo library.
    init(_ status: PHAuthorizationStatus) {
        switch status {
        case .notDetermined: self = .notDetermined
        case .authorized: self = .authorized
        case .limited: self = .limited
        case .restricted: self = .restricted
        default: self = .denied
        }
    }
}
