import CaptureHAL
public import Foundation
import MediaTypes

extension AVCaptureDevice {
    /// One of several signal inputs of a device; no backend has such devices.
    public final class InputSource: NSObject, Sendable {
        public let inputSourceID: String
        public let localizedName: String

        init(id: String, localizedName: String) {
            inputSourceID = id
            self.localizedName = localizedName
        }
    }

    /// The inputs that the client can select; empty.
    public var inputSources: [InputSource] {
        observedProperties.access()
        return []
    }

    /// The selected input; always nil. Setting another value is misuse, since `inputSources` is empty.
    public var activeInputSource: InputSource? {
        get {
            observedProperties.access()
            return nil
        }
        set {
            guard checkLock(for: "setActiveInputSource:"), let newValue else { return }
            reportUnsupported("setActiveInputSource:", newValue.localizedName, "inputSources")
        }
    }

    // MARK: Tape decks

    /// Whether the tape of a deck touches the playback heads.
    public enum TransportControlsPlaybackMode: Int, Sendable, Hashable {
        case notPlaying = 0
        case playing = 1
    }

    /// The speed of the tape: 1 is normal, -1 is normal in reverse, 0 is stopped.
    public typealias TransportControlsSpeed = Float

    public var transportControlsSupported: Bool { false }

    public var transportControlsPlaybackMode: TransportControlsPlaybackMode {
        observedProperties.access()
        return .notPlaying
    }

    public var transportControlsSpeed: TransportControlsSpeed {
        observedProperties.access()
        return 0
    }

    /// Controls the tape of a deck; misuse, since no backend supports tape decks.
    public func setTransportControlsPlaybackMode(
        _ mode: TransportControlsPlaybackMode, speed: TransportControlsSpeed
    ) {
        guard checkLock(for: "setTransportControlsPlaybackMode:speed:") else { return }
        reportUnsupported("setTransportControlsPlaybackMode:speed:", "\(mode)", "transportControlsSupported")
    }
}
