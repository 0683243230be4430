import CaptureHAL
public import Foundation
public import MediaTypes

// Frame durations that are locked, driven by another device, or chosen by the camera: no backend supports them.
extension AVCaptureDevice {
    public var isVideoFrameDurationLocked: Bool {
        observedProperties.access()
        return false
    }

    /// The shortest duration to which an input can lock frames; invalid without support.
    public var minSupportedLockedVideoFrameDuration: CMTime { .invalid }

    public var isFollowingExternalSyncDevice: Bool {
        observedProperties.access()
        return false
    }

    /// The shortest duration with which an input can follow an external device; invalid without support.
    public var minSupportedExternalSyncFrameDuration: CMTime { .invalid }

    /// Whether the camera adapts the frame rate to the light; no format supports it, so setting it is misuse.
    public var isAutoVideoFrameRateEnabled: Bool {
        get {
            observedProperties.access()
            return false
        }
        set {
            guard checkLock(for: "setAutoVideoFrameRateEnabled:") else { return }
            reportUnsupported(
                "setAutoVideoFrameRateEnabled:", "auto video frame rate",
                "[AVCaptureDeviceFormat isAutoVideoFrameRateSupported]")
        }
    }
}

extension AVCaptureDevice.Format {
    public var isAutoVideoFrameRateSupported: Bool { false }

    /// The horizontal field of view in degrees after distortion correction; no backend corrects distortion.
    public var geometricDistortionCorrectedVideoFieldOfView: Float { videoFieldOfView }

    /// The zoom factors at which the sensor switches to a secondary native resolution, ascending.
    public var secondaryNativeResolutionZoomFactors: [CGFloat] {
        video?.secondaryNativeZoomFactors.map { CGFloat($0) } ?? []
    }

    /// The smallest f-number of the lens; 0 if unknown.
    public var minLensAperture: Float { recommendedLensApertureStops.first ?? 0 }

    /// The largest f-number of the lens; 0 if unknown.
    public var maxLensAperture: Float { recommendedLensApertureStops.last ?? 0 }

    /// The f-number with which automatic exposure begins; 0 if unknown.
    public var defaultLensAperture: Float { Float(device?.hardware.descriptor.lens?.aperture ?? 0) }

    /// The f-numbers that are recommended for selection, ascending: one if the aperture is fixed, none if it is unknown.
    public var recommendedLensApertureStops: [Float] {
        guard let lens = device?.hardware.descriptor.lens else { return [] }
        return (lens.apertureStops.isEmpty ? [lens.aperture] : lens.apertureStops).map { Float($0) }
    }

    /// Whether the quality prioritization affects photos in this format; always false.
    public var isHighPhotoQualitySupported: Bool { false }

    /// Whether photos in this format can have a portrait effects matte: if the camera delivers mattes, and depth with this
    /// format.
    public var isPortraitEffectsMatteStillImageDeliverySupported: Bool {
        guard !supportedDepthDataFormats.isEmpty else { return false }
        return device?.hardware.descriptor.stills?.mattes.contains(.portraitEffects) ?? false
    }

    /// The classes of outputs that do not accept this format; empty.
    public var unsupportedCaptureOutputClasses: [AnyClass] { [] }
}
