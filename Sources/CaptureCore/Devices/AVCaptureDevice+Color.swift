// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import CaptureHAL

/// The color space of a device's frames.
public enum AVCaptureColorSpace: Int, Sendable, Hashable {
    case sRGB = 0
    case P3_D65 = 1
    case HLG_BT2020 = 2
    case appleLog = 3
    case appleLog2 = 4
}

extension AVCaptureDevice.Format {
    /// The supported color spaces: sRGB for video, P3 for simulated cameras with P3 in their profile, and HLG for formats
    /// of simulated cameras with 10 bits and HDR; none for audio.
    public var supportedColorSpaces: [AVCaptureColorSpace] {
        (video?.colorSpaces ?? []).compactMap { AVCaptureColorSpace(rawValue: Int($0.rawValue)) }
    }
    /// Whether the format supports high dynamic range: a second, shorter exposure preserves highlights.
    public var isVideoHDRSupported: Bool { video?.isHDRSupported ?? false }
    /// Whether the format supports global tone mapping; always false.
    public var isGlobalToneMappingSupported: Bool { false }
}

extension AVCaptureDevice {
    /// The active color space. Setting one that the active format does not support is misuse.
    public var activeColorSpace: AVCaptureColorSpace {
        get {
            observedProperties.access()
            guard case .integer(let raw)? = value(of: .colorSpace),
                let space = AVCaptureColorSpace(rawValue: Int(raw)), activeFormat.supportedColorSpaces.contains(space)
            else { return .sRGB }
            return space
        }
        set {
            guard checkLock(for: "setActiveColorSpace:") else { return }
            guard activeFormat.supportedColorSpaces.contains(newValue) else {
                return reportUnsupported(
                    "setActiveColorSpace:", "color space \(newValue)", "[activeFormat supportedColorSpaces]")
            }
            guard controls[.colorSpace] != nil else { return observedProperties.changed() }
            set(.colorSpace, to: .integer(Int64(newValue.rawValue)))
        }
    }

    /// Whether the device enables and disables high dynamic range automatically; true by default.
    public var automaticallyAdjustsVideoHDREnabled: Bool {
        get {
            observedProperties.access()
            return flag(.automaticVideoHDR) ?? state.withLock { $0.adjustsHDR }
        }
        set {
            guard checkLock(for: "setAutomaticallyAdjustsVideoHDREnabled:") else { return }
            guard controls[.automaticVideoHDR] == nil else {
                set(.automaticVideoHDR, to: .flag(newValue))
                return
            }
            state.withLock { $0.adjustsHDR = newValue }
            observedProperties.changed(["automaticallyAdjustsVideoHDREnabled"])
        }
    }

    /// Whether high dynamic range is enabled; enabling it without support, or setting it while
    /// `automaticallyAdjustsVideoHDREnabled` is true, is misuse.
    public var isVideoHDREnabled: Bool {
        get {
            observedProperties.access()
            return activeFormat.isVideoHDRSupported && flag(.videoHDR) ?? false
        }
        set {
            guard checkLock(for: "setVideoHDREnabled:") else { return }
            let reason: String? =
                if automaticallyAdjustsVideoHDREnabled {
                    "May not be set while automaticallyAdjustsVideoHDREnabled is YES"
                } else if newValue, !activeFormat.isVideoHDRSupported {
                    "the activeFormat does not support HDR - use -[AVCaptureDeviceFormat isVideoHDRSupported]"
                } else {
                    nil
                }
            if let reason {
                return environment.misuse.report(.generic, "-[AVCaptureDevice setVideoHDREnabled:] \(reason)")
            }
            if activeFormat.isVideoHDRSupported { set(.videoHDR, to: .flag(newValue)) }
        }
    }

    /// Whether global tone mapping is enabled; no backend supports it, so setting `true` is misuse.
    public var isGlobalToneMappingEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set {
            guard checkLock(for: "setGlobalToneMappingEnabled:") else { return }
            guard !newValue else {
                return environment.misuse.report(
                    .generic,
                    "-[AVCaptureDevice setGlobalToneMappingEnabled:] the activeFormat does not support it - use "
                        + "-[AVCaptureDeviceFormat isGlobalToneMappingSupported]")
            }
            observedProperties.changed()
        }
    }

    /// Whether geometric distortion correction is supported; always false.
    public var isGeometricDistortionCorrectionSupported: Bool { false }

    /// Whether geometric distortion correction is enabled; no backend supports it, so setting `true` is misuse.
    public var isGeometricDistortionCorrectionEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set {
            guard checkLock(for: "setGeometricDistortionCorrectionEnabled:") else { return }
            guard !newValue else {
                return reportUnsupported(
                    "setGeometricDistortionCorrectionEnabled:", "geometric distortion correction",
                    "isGeometricDistortionCorrectionSupported")
            }
            observedProperties.changed()
        }
    }
}
