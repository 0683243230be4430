import CaptureHAL
import Foundation
public import MediaTypes

/// The number of audio channels that an input records from the built-in microphones.
public enum AVCaptureMultichannelAudioMode: Int, Sendable, Hashable {
    case none = 0
    case stereo = 1
    case firstOrderAmbisonics = 2
}

// Features of Apple's built-in microphones and cameras that no backend supports.
extension AVCaptureDeviceInput {
    /// Whether the input supports a mode; only `.none`, the channels of the microphone, is supported.
    public func isMultichannelAudioModeSupported(_ multichannelAudioMode: AVCaptureMultichannelAudioMode) -> Bool {
        multichannelAudioMode == .none
    }

    /// The multichannel mode; `.none` by default. Setting an unsupported mode is misuse.
    public var multichannelAudioMode: AVCaptureMultichannelAudioMode {
        get {
            observedProperties.access()
            return .none
        }
        set {
            guard !isMultichannelAudioModeSupported(newValue) else { return observedProperties.changed() }
            reportUnsupported(
                "setMultichannelAudioMode:", "multichannel audio mode \(newValue)", "isMultichannelAudioModeSupported:")
        }
    }

    public var isWindNoiseRemovalSupported: Bool { false }

    /// Whether wind noise is removed; setting `true` without support is misuse.
    public var isWindNoiseRemovalEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set {
            guard newValue else { return observedProperties.changed() }
            reportUnsupported("setWindNoiseRemovalEnabled:", "wind noise removal", "isWindNoiseRemovalSupported")
        }
    }

    public var isAudioZoomSupported: Bool { false }

    /// Whether the sound field follows the zoom factor; setting `true` without support is misuse.
    public var isAudioZoomEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set {
            guard newValue else { return observedProperties.changed() }
            reportUnsupported("setAudioZoomEnabled:", "audio zoom", "isAudioZoomSupported")
        }
    }

    // MARK: Cinematic video

    public var isCinematicVideoCaptureSupported: Bool {
        observedProperties.access()
        return false
    }

    /// Whether the video has a simulated depth of field; setting `true` without support is misuse.
    public var isCinematicVideoCaptureEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set {
            guard newValue else { return observedProperties.changed() }
            reportUnsupported(
                "setCinematicVideoCaptureEnabled:", "Cinematic Video", "isCinematicVideoCaptureSupported")
        }
    }

    /// The f-number of the simulated depth of field; 0. Setting it without support is misuse.
    public var simulatedAperture: Float {
        get {
            observedProperties.access()
            return device.activeFormat.defaultSimulatedAperture
        }
        set {
            reportUnsupported(
                "setSimulatedAperture:", "the aperture \(newValue)", "[AVCaptureDeviceFormat minSimulatedAperture]")
        }
    }

    // MARK: Frame durations

    public var isLockedVideoFrameDurationSupported: Bool { false }

    /// The exact time between frames; always invalid. Setting it is misuse, since it is not supported.
    public var activeLockedVideoFrameDuration: CMTime {
        get {
            observedProperties.access()
            return .invalid
        }
        set {
            reportUnsupported(
                "setActiveLockedVideoFrameDuration:", "a locked frame duration", "isLockedVideoFrameDurationSupported")
        }
    }

    public var isExternalSyncSupported: Bool { false }

    /// Follows the pulses of an external device; misuse, since no backend supports it.
    public func follow(
        _ externalSyncDevice: AVExternalSyncDevice, videoFrameDuration frameDuration: CMTime,
        delegate: (any AVExternalSyncDeviceDelegate)?
    ) {
        reportUnsupported(
            "followExternalSyncDevice:videoFrameDuration:delegate:", "external sync", "isExternalSyncSupported")
    }

    /// Stops following an external device.
    public func unfollowExternalSyncDevice() {}

    /// The device that the input follows; nil.
    public var externalSyncDevice: AVExternalSyncDevice? { nil }

    /// The time between frames while the input follows a device; invalid.
    public var activeExternalSyncVideoFrameDuration: CMTime {
        observedProperties.access()
        return .invalid
    }

    /// Reports the misuse of an unsupported feature.
    private func reportUnsupported(_ method: String, _ feature: String, _ check: String) {
        device.environment.misuse.report(
            .invalidArgument,
            "-[AVCaptureDeviceInput \(method)] \(feature) is not supported by \(self) - use -\(check)")
    }
}
