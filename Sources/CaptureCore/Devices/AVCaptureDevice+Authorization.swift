import CaptureHAL
import Dispatch
public import MediaAssets

extension AVCaptureDevice {
    /// What the user has said about cameras or microphones.
    ///
    /// - Parameter mediaType: `.video` or `.audio`; another one is misuse.
    public static func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus {
        let system = CaptureSystem.current
        guard let resource = resource(for: mediaType, system, "authorizationStatusForMediaType:") else {
            return .denied
        }
        return AVAuthorizationStatus(system.authorization.state(of: resource))
    }

    /// Asks the user, at most once, and tells whether the device may be used.
    ///
    /// - Parameter handler: Runs once, on a queue of the library, never before the call has returned.
    public static func requestAccess(
        for mediaType: AVMediaType, completionHandler handler: @escaping @Sendable (Bool) -> Void
    ) {
        let system = CaptureSystem.current
        guard let resource = resource(for: mediaType, system, "requestAccessForMediaType:completionHandler:") else {
            return system.clock.deliver(on: DispatchQueue(label: "AVCaptureDevice")) { handler(false) }
        }
        system.authorization.request(resource) { handler($0 == .authorized) }
    }

    /// Asks the user, at most once, and tells whether the device may be used.
    public static func requestAccess(for mediaType: AVMediaType) async -> Bool {
        // What is known is told at once, also where nobody moves a virtual time on.
        let system = CaptureSystem.current
        guard let resource = resource(for: mediaType, system, "requestAccessForMediaType:completionHandler:") else {
            return false
        }
        let known = system.authorization.state(of: resource)
        guard known == .notDetermined else { return known == .authorized }
        return await withCheckedContinuation { continuation in
            system.authorization.request(resource) { continuation.resume(returning: $0 == .authorized) }
        }
    }

    private static func resource(
        for mediaType: AVMediaType, _ system: CaptureSystem, _ method: String
    ) -> ProtectedResource? {
        if let resource = mediaType.protectedResource { return resource }
        system.misuse.report(
            .invalidArgument,
            "+[AVCaptureDevice \(method)] media type must be either AVMediaTypeVideo or AVMediaTypeAudio")
        return nil
    }
}

extension AVMediaType {
    /// What the user must consent to for this medium.
    var protectedResource: ProtectedResource? {
        switch self {
        case .video: .video
        case .audio: .audio
        default: nil
        }
    }
}
