import AssetTypes
import Foundation
import MediaTypes

extension AVCapturePhotoSettings {
    /// The reason why no photo output can capture the settings; nil if one can.
    ///
    /// The rules that depend on the output's state are in `AVCapturePhotoOutput.rejectionReason(for:)`.
    var rejectionReason: String? {
        requestedFeatureReason ?? fileTypeReason ?? formatReason ?? metadataReason
    }

    /// The reason why a requested feature is not supported.
    private var requestedFeatureReason: String? {
        rawReason ?? virtualDeviceReason ?? processingReason
    }

    private var rawReason: String? {
        if let rawFileType, rawFileType != .dng || rawPhotoPixelFormatType == 0 {
            return "Unsupported RAW file type - use availableRawPhotoFileTypes"
        }
        if AVCapturePhotoOutput.isBayerRAWPixelFormat(rawPhotoPixelFormatType), photoQualityPrioritization != .speed {
            return "photoQualityPrioritization must be AVCapturePhotoQualityPrioritizationSpeed for a Bayer RAW photo"
        }
        guard rawEmbeddedThumbnailPhotoFormat != nil else { return nil }
        return "Unsupported codec of rawEmbeddedThumbnailPhotoFormat - use availableRawEmbeddedThumbnailPhotoCodecTypes"
    }

    private var virtualDeviceReason: String? {
        if !virtualDeviceConstituentPhotoDeliveryEnabledDevices.isEmpty {
            return "virtualDeviceConstituentPhotoDeliveryEnabledDevices may not be set unless "
                + "isVirtualDeviceConstituentPhotoDeliveryEnabled is YES"
        }
        if isDualCameraDualPhotoDeliveryEnabled { return onlyIfEnabled("isDualCameraDualPhotoDeliveryEnabled") }
        guard isCameraCalibrationDataDeliveryEnabled else { return nil }
        return "isCameraCalibrationDataDeliveryEnabled may not be set unless isCameraCalibrationDataDeliverySupported "
            + "is YES"
    }

    private var processingReason: String? {
        if isAutoContentAwareDistortionCorrectionEnabled {
            return "isAutoContentAwareDistortionCorrectionEnabled may not be set unless "
                + "isContentAwareDistortionCorrectionEnabled is YES"
        }
        if isConstantColorEnabled { return onlyIfEnabled("isConstantColorEnabled") }
        guard isShutterSoundSuppressionEnabled else { return nil }
        return "isShutterSoundSuppressionEnabled may not be set unless isShutterSoundSuppressionSupported is YES"
    }

    private func onlyIfEnabled(_ property: String) -> String {
        "\(property) may not be set unless the output's \(property) is YES"
    }

    private var fileTypeReason: String? {
        guard let type = processedFileType, type != defaultFileType else { return nil }
        guard AVCapturePhotoOutput.codecs.contains(where: { $0.fileType == type }) else {
            return "Unsupported file type \(type.rawValue) - use availablePhotoFileTypes"
        }
        guard let codec else {
            return "\(type.rawValue) does not support the pixel format - use supportedPhotoPixelFormatTypesForFileType:"
        }
        return "\(type.rawValue) does not support the codec \(codec.rawValue) - use "
            + "supportedPhotoCodecTypesForFileType:"
    }

    private var formatReason: String? {
        do throws(SettingsDictionary.SettingsError) {
            _ = try compressionQuality
            if let previewPhotoFormat {
                guard let previewPixelFormat, availablePreviewPhotoPixelFormatTypes.contains(previewPixelFormat) else {
                    return "Unsupported pixel format of previewPhotoFormat - use availablePreviewPhotoPixelFormatTypes"
                }
                try checkSize(in: previewPhotoFormat, kCVPixelBufferWidthKey, kCVPixelBufferHeightKey)
            }
            if let embeddedThumbnailPhotoFormat {
                let codec = embeddedThumbnailPhotoFormat[AVVideoCodecKey] as? AVVideoCodecType
                guard let codec, availableEmbeddedThumbnailPhotoCodecTypes.contains(codec) else {
                    return "Unsupported codec of embeddedThumbnailPhotoFormat - use "
                        + "availableEmbeddedThumbnailPhotoCodecTypes"
                }
                try checkSize(in: embeddedThumbnailPhotoFormat, AVVideoWidthKey, AVVideoHeightKey)
            }
            return nil
        } catch {
            return error.reason
        }
    }

    private func checkSize(
        in format: [String: Any], _ widthKey: String, _ heightKey: String
    ) throws(SettingsDictionary.SettingsError) {
        let settings = SettingsDictionary(format)
        let width = try settings.integer(widthKey, 1...65535)
        let height = try settings.integer(heightKey, 1...65535)
        guard (width == nil) == (height == nil) else {
            throw SettingsDictionary.SettingsError("width and height must both be given")
        }
    }

    private var metadataReason: String? {
        guard let key = metadata.keys.filter({ !imagePropertyKeys.contains($0) }).min() else { return nil }
        return "\(key) is not a key of CGImageProperties.h"
    }
}
