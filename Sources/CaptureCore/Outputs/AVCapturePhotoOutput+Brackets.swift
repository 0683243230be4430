import CaptureHAL
import MediaTypes

/// Brackets: several photos with different exposures.
extension AVCapturePhotoOutput {
    /// The maximum number of photos in a bracket; 0 if the camera captures no stills beside its stream.
    public var maxBracketedCapturePhotoCount: Int {
        observedProperties.access()
        return camera?.maximumBracketCount ?? 0
    }

    /// Always false: no lens is stabilized.
    public var isLensStabilizationDuringBracketedCaptureSupported: Bool {
        observedProperties.access()
        return false
    }
}

extension AVCaptureDevice {
    /// The maximum number of exposures of a bracket; 0 if the device captures no stills beside its stream.
    var maximumBracketCount: Int {
        guard let count = hardware.descriptor.stills?.maximumExposureCount, count > 1 else { return 0 }
        return count
    }

    /// Requests a still beside the frames of the running stream.
    func captureStill(_ request: StillRequest) throws(DeviceError) {
        let device = try acquire()
        defer { release() }
        try device.captureStill(request)
    }
}

extension AVCaptureBracketedStillImageSettings {
    /// The exposure for the camera.
    var stillExposure: StillRequest.Exposure {
        if let automatic = self as? AVCaptureAutoExposureBracketedStillImageSettings {
            return automatic.exposureTargetBias == AVCaptureDevice.currentExposureTargetBias
                ? .metered : .biased(Double(automatic.exposureTargetBias))
        }
        guard let manual = self as? AVCaptureManualExposureBracketedStillImageSettings else { return .metered }
        return .custom(
            seconds: manual.exposureDuration == AVCaptureDevice.currentExposureDuration
                ? nil : manual.exposureDuration.seconds,
            iso: manual.iso == AVCaptureDevice.currentISO ? nil : Double(manual.iso))
    }

    /// Returns the reason why a camera cannot make the exposure; nil if it can.
    func rejectionReason(for device: AVCaptureDevice) -> String? {
        switch stillExposure {
        case .metered: return nil
        case .biased(let bias):
            let range = Double(device.minExposureTargetBias)...Double(device.maxExposureTargetBias)
            return range.contains(bias)
                ? nil : "exposureTargetBias \(bias) is outside \(range.lowerBound) to \(range.upperBound)"
        case .custom(let seconds, let iso):
            let format = device.activeFormat
            let durations = format.minExposureDuration.seconds...format.maxExposureDuration.seconds
            if let seconds, !durations.contains(seconds) {
                return "exposureDuration \(seconds) s is outside \(durations.lowerBound) to \(durations.upperBound) s"
            }
            let isos = Double(format.minISO)...Double(format.maxISO)
            guard let iso, !isos.contains(iso) else { return nil }
            return "ISO \(iso) is outside \(isos.lowerBound) to \(isos.upperBound)"
        }
    }
}
