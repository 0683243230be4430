import AssetTypes
import CaptureHAL
import Foundation
import MediaTypes

/// An output for monitoring the captured audio.
///
/// - Note: Unlike Apple, it does not play the audio.
/// - Important: Thread-safe.
public final class AVCaptureAudioPreviewOutput: AVCaptureOutput, @unchecked Sendable {
    // SAFETY: all state is behind `settings`.
    private struct Settings: Sendable {
        var deviceID: String?
        var volume: Float = 0
    }

    private let settings = Lock(Settings())

    public init() { super.init(system: .current) }

    override var acceptedMedia: [AVMediaType] { [.audio] }

    /// The audio device; nil, the default, selects the default device of the operating system.
    public var outputDeviceUniqueID: String? {
        get { observedProperties.value(\.deviceID, in: settings) }
        set { observedProperties.set(\.deviceID, in: settings, to: newValue) }
    }

    /// The volume from 0, the default, to 1.
    public var volume: Float {
        get {
            observedProperties.access()
            return settings.withLock { $0.volume }
        }
        set {
            settings.withLock { $0.volume = min(max(newValue, 0), 1) }
            observedProperties.changed()
        }
    }
}
