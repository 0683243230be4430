import AssetTypes
import CaptureHAL
import MediaTypes

/// The rules for settings that depend on the output's state. The other rules are in
/// `AVCapturePhotoSettings.rejectionReason`.
extension AVCapturePhotoOutput {
    /// Returns the reason why settings cannot be used; nil if they can.
    func rejectionReason(for settings: AVCapturePhotoSettings) -> String? {
        // Clients can prepare settings before the output has a camera.
        if let format = settings.pixelFormat, !Self.pixelFormats.contains(format) {
            return "Unsupported pixel format \(fourCharacterText(format)) - use "
                + "availablePhotoPixelFormatTypes"
        }
        let codecs = availablePhotoCodecTypes.isEmpty ? Self.codecs.map(\.codec) : availablePhotoCodecTypes
        if let codec = settings.codec, !codecs.contains(codec) {
            return "Unsupported codec \(codec.rawValue) - use availablePhotoCodecTypes"
        }
        if let reason = settings.rejectionReason ?? rawRejectionReason(for: settings)
            ?? livePhotoRejectionReason(for: settings) ?? matteRejectionReason(for: settings)
        {
            return reason
        }
        if !supportedFlashModes.contains(settings.flashMode) {
            return "Unsupported flash mode \(settings.flashMode) - use supportedFlashModes"
        }
        if settings.photoQualityPrioritization.rawValue > maxPhotoQualityPrioritization.rawValue {
            return "photoQualityPrioritization \(settings.photoQualityPrioritization) exceeds "
                + "maxPhotoQualityPrioritization \(maxPhotoQualityPrioritization)"
        }
        if settings.isHighResolutionPhotoEnabled, !isHighResolutionCaptureEnabled {
            return "isHighResolutionPhotoEnabled may not be set unless isHighResolutionCaptureEnabled is"
        }
        if let bracket = settings as? AVCapturePhotoBracketSettings, let reason = rejectionReason(forBracket: bracket) {
            return reason
        }
        if settings.isDepthDataDeliveryEnabled, !isDepthDataDeliveryEnabled {
            return "isDepthDataDeliveryEnabled may not be set unless the output's isDepthDataDeliveryEnabled is"
        }
        let requested = settings.maxPhotoDimensions
        if requested.width != 0 || requested.height != 0 {
            guard supportedSizes.contains(requested.pixelSize) else {
                return "maxPhotoDimensions must be one of the activeFormat's supportedMaxPhotoDimensions"
            }
            let limit = maxPhotoDimensions
            guard requested.width <= limit.width, requested.height <= limit.height else {
                return "maxPhotoDimensions must not exceed the output's maxPhotoDimensions, "
                    + "\(limit.width)x\(limit.height)"
            }
        }
        return nil
    }

    private func rejectionReason(forBracket bracket: AVCapturePhotoBracketSettings) -> String? {
        let (count, limit) = (bracket.bracketedSettings.count, maxBracketedCapturePhotoCount)
        if count > limit {
            return "\(count) bracketedSettings exceed maxBracketedCapturePhotoCount, which is \(limit)"
        }
        if bracket.isLensStabilizationEnabled {
            return
                "isLensStabilizationEnabled may not be set unless isLensStabilizationDuringBracketedCaptureSupported "
                + "is YES"
        }
        guard let device = camera else { return nil }
        return bracket.bracketedSettings.lazy.compactMap { $0.rejectionReason(for: device) }.first
    }
}
