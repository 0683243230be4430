import CaptureHAL
import MediaTypes

extension AVCaptureDevice {
    /// Whether the device reports exposure time, sensitivity and aperture, which are necessary to compute the
    /// illuminance.
    var reportsExposure: Bool { number(.exposureDuration) != nil && number(.iso) != nil && lensAperture > 0 }

    /// The illuminance of the scene, computed from the current exposure; nil if the device does not report its
    /// exposure.
    var sceneLux: Double? {
        guard let seconds = number(.exposureDuration), let iso = number(.iso) else { return nil }
        return SceneIlluminance.lux(
            seconds: seconds, iso: iso, aperture: Double(lensAperture), offset: number(.exposureOffset) ?? 0)
    }

    /// Whether the scene is dark enough for the automatic flash.
    var isSceneDim: Bool { sceneLux.map { $0 < SceneIlluminance.flashLux } ?? false }

    /// Updates the automatic torch with a frame; runs on the device's thread.
    func updateAutomaticTorch(with frame: VideoFrame) {
        guard automaticTorchFlag.isOn, let seconds = frame.settings.exposureDuration?.seconds,
            let iso = frame.settings.iso, let aperture = frame.settings.aperture ?? Optional(Double(lensAperture)),
            let lux = SceneIlluminance.lux(
                seconds: seconds, iso: iso, aperture: aperture, offset: number(.exposureOffset) ?? 0)
        else { return }
        let isSteady = !(flag(.exposureAdjusting) ?? false)
        let level = state.withLock {
            $0.automaticTorch?.process(lux: lux, isSteady: isSteady, at: frame.presentationTime) ?? nil
        }
        guard let level else { return }
        // The device must not be called on its own delivery thread.
        environment.system.deliver(on: changeQueue) { [weak self] in
            guard let self, torchMode == .auto, let range = range(.torchLevel) else { return }
            set(.torchLevel, to: .number(isTorchAvailable ? min(level, range.upperBound) : 0))
        }
    }
}
