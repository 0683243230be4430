public import AssetTypes
import CaptureHAL
import Dispatch

extension AVCaptureDevice {
    /// Returns the user's decision on the use of cameras or microphones.
    ///
    /// - Parameter mediaType: `.video` or `.audio`; any other type is misuse.
    public static func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus {
        let system = CaptureSystem.current
        guard let resource = resource(for: mediaType, system, "authorizationStatusForMediaType:") else {
            return .denied
        }
        return AVAuthorizationStatus(system.authorization.state(of: resource))
    }

    /// Prompts the user if there is no decision yet, and reports whether access is granted.
    ///
    /// - Parameter handler: Called once, when there is a decision, on an unspecified thread and never inside this call.
    @preconcurrency
    public static func requestAccess(
        for mediaType: AVMediaType, completionHandler handler: @escaping @Sendable (Bool) -> Void
    ) {
        let system = CaptureSystem.current
        guard let resource = resource(for: mediaType, system, "requestAccessForMediaType:completionHandler:") else {
            return system.deliver(on: DispatchQueue(label: "AVCaptureDevice")) { handler(false) }
        }
        system.authorization.request(resource) { [system = system.reference] state in
            system.run { handler(state == .authorized) }
        }
    }

    /// Prompts the user if there is no decision yet, and returns whether access is granted.
    @discardableResult
    public static func requestAccess(for mediaType: AVMediaType) async -> Bool {
        // An existing decision is returned immediately, even if a virtual clock does not advance.
        let system = CaptureSystem.current
        guard let resource = resource(for: mediaType, system, "requestAccessForMediaType:completionHandler:") else {
            return false
        }
        let state = system.authorization.state(of: resource)
        guard state == .notDetermined else { return state == .authorized }
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
    /// The resource that requires the user's consent for this media type.
    var protectedResource: ProtectedResource? {
        switch self {
        case .video: .video
        case .audio: .audio
        default: nil
        }
    }
}
