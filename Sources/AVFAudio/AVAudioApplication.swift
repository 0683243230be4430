import CaptureHAL
import Dispatch
public import Foundation

extension AVAudioSession {
    /// The user's decision on microphones.
    public var recordPermission: RecordPermission {
        switch authorization.state(of: .audio) {
        case .notDetermined: .undetermined
        case .restricted, .denied: .denied
        // Microphones have no limited authorization.
        case .authorized, .limited: .granted
        }
    }

    /// Prompts the user if there is no decision yet; `response` runs on a queue of the library.
    @preconcurrency
    public func requestRecordPermission(_ response: @escaping @Sendable (Bool) -> Void) {
        authorization.request(.audio) { [reference] state in
            reference.run { response(state == .authorized) }
        }
    }
}

/// The permission of the app to record, and the mute state of its input.
public final class AVAudioApplication: NSObject, Sendable {
    /// Whether the app may record.
    // swift-format-ignore: TypeNamesShouldBeCapitalized
    public enum recordPermission: Int, Hashable, Sendable {
        case undetermined = 0x756e_6474
        case denied = 0x6465_6e79
        case granted = 0x6772_6e74
    }

    private let session: AVAudioSession

    /// The application of the caller's capture system.
    public class var shared: AVAudioApplication { AVAudioApplication(.sharedInstance()) }

    private init(_ session: AVAudioSession) { self.session = session }

    public var recordPermission: recordPermission {
        switch session.recordPermission {
        case .undetermined: .undetermined
        case .denied: .denied
        case .granted: .granted
        }
    }

    @preconcurrency
    public class func requestRecordPermission(completionHandler response: @escaping @Sendable (Bool) -> Void) {
        AVAudioSession.sharedInstance().requestRecordPermission(response)
    }

    /// Prompts the user if there is no decision yet, and returns whether the app may record.
    public class func requestRecordPermission() async -> Bool {
        let session = AVAudioSession.sharedInstance()
        // A known decision is returned immediately, even if a virtual clock does not advance.
        let known = session.recordPermission
        guard known == .undetermined else { return known == .granted }
        return await withCheckedContinuation { continuation in
            session.requestRecordPermission { continuation.resume(returning: $0) }
        }
    }

    /// Always false: the user cannot mute the input.
    public var isInputMuted: Bool { false }
}
