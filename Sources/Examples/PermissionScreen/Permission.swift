import AVFoundation
import Photos

/// What an app asks the user for.
public enum Permission: CaseIterable, Sendable {
    case camera
    case microphone
    case photoLibrary

    /// What the user has decided.
    public enum Status: Sendable {
        /// Nothing yet: the app may ask.
        case notDetermined
        case authorized
        /// The app may use the photos that the user has selected.
        case limited
        case denied
        /// The user cannot decide, for instance because of parental controls.
        case restricted
    }

    /// The user's decision so far.
    public var status: Status {
        switch self {
        case .camera: Status(AVCaptureDevice.authorizationStatus(for: .video))
        case .microphone: Status(AVCaptureDevice.authorizationStatus(for: .audio))
        case .photoLibrary: Status(PHPhotoLibrary.authorizationStatus(for: .readWrite))
        }
    }

    /// Asks the user, at most once in the life of the app.
    ///
    /// - Parameter completion: Called on the main thread after the answer, which can take long.
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
    /// The decision on the camera or the microphone.
    init(_ status: AVAuthorizationStatus) {
        switch status {
        case .notDetermined: self = .notDetermined
        case .authorized: self = .authorized
        case .restricted: self = .restricted
        default: self = .denied
        }
    }

    /// The decision on the photo library.
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
