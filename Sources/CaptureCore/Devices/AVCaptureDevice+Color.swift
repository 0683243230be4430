// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import CaptureHAL

/// The colour space of what a device delivers.
public enum AVCaptureColorSpace: Int, Sendable, Hashable {
    case sRGB = 0
    case P3_D65 = 1
    case HLG_BT2020 = 2
    case appleLog = 3
    case appleLog2 = 4
}

extension AVCaptureDevice.Format {
    /// The colour spaces on offer; sRGB alone for pictures, none for sound.
    public var supportedColorSpaces: [AVCaptureColorSpace] { video == nil ? [] : [.sRGB] }
    /// Whether a greater range of brightness can be had: highlights are kept by a second, shorter exposure.
    public var isVideoHDRSupported: Bool { video?.isHDRSupported ?? false }
    /// Whether one tone curve for all pixels can be had in place of local ones; in no format here.
    public var isGlobalToneMappingSupported: Bool { false }
}

extension AVCaptureDevice {
    /// The colour space in force; one that the active format lacks is misuse.
    public var activeColorSpace: AVCaptureColorSpace {
        get { .sRGB }
        set {
            guard isLocked(for: "setActiveColorSpace:") else { return }
            if !activeFormat.supportedColorSpaces.contains(newValue) {
                reportUnsupported("setActiveColorSpace:", "\(newValue)", "[activeFormat supportedColorSpaces]")
            }
        }
    }

    /// Whether the device decides on the range of brightness; true by default.
    public var automaticallyAdjustsVideoHDREnabled: Bool {
        get {
            observedProperties.access()
            return flag(.automaticVideoHDR) ?? state.withLock { $0.adjustsHDR }
        }
        set {
            guard isLocked(for: "setAutomaticallyAdjustsVideoHDREnabled:") else { return }
            guard controls[.automaticVideoHDR] == nil else {
                set(.automaticVideoHDR, to: .flag(newValue))
                return
            }
            state.withLock { $0.adjustsHDR = newValue }
            observedProperties.changed(["automaticallyAdjustsVideoHDREnabled"])
        }
    }

    /// Whether a greater range of brightness is delivered; setting it while the device decides, or without support, is
    /// misuse.
    public var isVideoHDREnabled: Bool {
        get {
            observedProperties.access()
            return activeFormat.isVideoHDRSupported && flag(.videoHDR) ?? false
        }
        set {
            guard isLocked(for: "setVideoHDREnabled:") else { return }
            let reason: String? =
                if automaticallyAdjustsVideoHDREnabled {
                    "May not be set while automaticallyAdjustsVideoHDREnabled is YES"
                } else if newValue, !activeFormat.isVideoHDRSupported {
                    "the activeFormat does not support HDR - use -[AVCaptureDeviceFormat isVideoHDRSupported]"
                } else {
                    nil
                }
            if let reason {
                return surroundings.misuse.report(.generic, "-[AVCaptureDevice setVideoHDREnabled:] \(reason)")
            }
            if activeFormat.isVideoHDRSupported { set(.videoHDR, to: .flag(newValue)) }
        }
    }

    /// Whether all pixels are toned alike; no device here does otherwise than it does, so that `true` is misuse.
    public var isGlobalToneMappingEnabled: Bool {
        get { false }
        set {
            guard isLocked(for: "setGlobalToneMappingEnabled:") else { return }
            if newValue {
                surroundings.misuse.report(
                    .generic,
                    "-[AVCaptureDevice setGlobalToneMappingEnabled:] the activeFormat does not support it - use "
                        + "-[AVCaptureDeviceFormat isGlobalToneMappingSupported]")
            }
        }
    }

    /// Whether the bend of straight lines can be corrected; no device here can.
    public var isGeometricDistortionCorrectionSupported: Bool { false }

    /// Whether the bend of straight lines is corrected; without support `true` is misuse.
    public var isGeometricDistortionCorrectionEnabled: Bool {
        get { false }
        set {
            guard isLocked(for: "setGeometricDistortionCorrectionEnabled:") else { return }
            if newValue {
                reportUnsupported(
                    "setGeometricDistortionCorrectionEnabled:", "the correction",
                    "isGeometricDistortionCorrectionSupported")
            }
        }
    }
}
