public import CaptureCore

extension Scenario {
    /// The settings of a photo that differ from those of new `AVCapturePhotoSettings`.
    public struct PhotoSettings: Sendable, Hashable {
        /// The flash mode; nil means `off`.
        public var flashMode: AVCaptureDevice.FlashMode?
        /// The priority of quality over speed; nil means `balanced`.
        public var qualityPrioritization: AVCapturePhotoOutput.QualityPrioritization?
        /// Whether the photo contains a depth map.
        public var isDepthDataDeliveryEnabled = false

        /// Creates settings that do not differ from those of new `AVCapturePhotoSettings`.
        public init() {}

        static let flashModes: [(name: String, value: AVCaptureDevice.FlashMode)] = [
            ("off", .off), ("on", .on), ("auto", .auto),
        ]
        static let qualities: [(name: String, value: AVCapturePhotoOutput.QualityPrioritization)] = [
            ("speed", .speed), ("balanced", .balanced), ("quality", .quality),
        ]

        /// The keys and values in a scenario file.
        var fields: [KeyedValue] {
            var fields: [KeyedValue] = []
            if let flashMode { fields.append(KeyedValue("flash-mode", flashMode, in: Self.flashModes)) }
            if let qualityPrioritization {
                fields.append(KeyedValue("quality-prioritization", qualityPrioritization, in: Self.qualities))
            }
            if isDepthDataDeliveryEnabled { fields.append(KeyedValue("depth-data-delivery", true)) }
            return fields
        }
    }
}

extension AVCapturePhotoOutput {
    /// Returns settings for a photo, and enables the features of the output that they require.
    func settings(_ settings: Scenario.PhotoSettings) -> AVCapturePhotoSettings {
        let result = AVCapturePhotoSettings()
        if let flashMode = settings.flashMode { result.flashMode = flashMode }
        if let quality = settings.qualityPrioritization {
            if maxPhotoQualityPrioritization.rawValue < quality.rawValue { maxPhotoQualityPrioritization = quality }
            result.photoQualityPrioritization = quality
        }
        if settings.isDepthDataDeliveryEnabled {
            if !isDepthDataDeliveryEnabled { isDepthDataDeliveryEnabled = true }
            result.isDepthDataDeliveryEnabled = true
        }
        return result
    }
}
