public import AssetTypes
import CaptureHAL
public import MediaTypes

/// The settings of a capture of several photos with different exposures.
///
/// The camera must capture stills beside its stream, such as a simulated phone: otherwise the output's
/// `maxBracketedCapturePhotoCount` is 0, and capturing a bracket is misuse.
public final class AVCapturePhotoBracketSettings: AVCapturePhotoSettings, @unchecked Sendable {
    // SAFETY: as for the superclass.
    /// The exposures, one for each photo.
    public private(set) var bracketedSettings: [AVCaptureBracketedStillImageSettings] = []
    public var isLensStabilizationEnabled = false

    /// Creates settings for a bracket.
    ///
    /// - Parameters:
    ///   - rawPixelFormatType: 0 for no RAW photos.
    ///   - processedFormat: As `format` in `init(format:)`.
    ///   - bracketedSettings: At least one, all of the same class; anything else is misuse.
    public convenience init(
        rawPixelFormatType: OSType, processedFormat: [String: Any]?,
        bracketedSettings: [AVCaptureBracketedStillImageSettings]
    ) {
        self.init(
            rawPixelFormatType: rawPixelFormatType, rawFileType: nil, processedFormat: processedFormat,
            processedFileType: nil, bracketedSettings: bracketedSettings)
    }

    /// Creates settings for a bracket with file types; nil selects the default ones.
    public convenience init(
        rawPixelFormatType: OSType, rawFileType: AVFileType?, processedFormat: [String: Any]?,
        processedFileType: AVFileType?, bracketedSettings: [AVCaptureBracketedStillImageSettings]
    ) {
        self.init(
            Formats(
                format: processedFormat, fileType: processedFileType, rawPixelFormat: rawPixelFormatType,
                rawFileType: rawFileType))
        self.bracketedSettings = bracketedSettings
        isAutoRedEyeReductionEnabled = false
        isAutoStillImageStabilizationEnabled = false
        isAutoVirtualDeviceFusionEnabled = false
        isAutoDualCameraFusionEnabled = false
        guard let reason = bracketedSettings.bracketRejectionReason else { return }
        CaptureSystem.current.misuse.report(
            .invalidArgument,
            "+[AVCapturePhotoBracketSettings photoBracketSettingsWithRawPixelFormatType:rawFileType:processedFormat:"
                + "processedFileType:bracketedSettings:] \(reason)")
    }

    override func snapshot() -> AVCapturePhotoSettings { AVCapturePhotoBracketSettings(snapshotOf: self) }

    override func copyValues(from settings: AVCapturePhotoSettings) {
        super.copyValues(from: settings)
        guard let bracket = settings as? AVCapturePhotoBracketSettings else { return }
        bracketedSettings = bracket.bracketedSettings
        isLensStabilizationEnabled = bracket.isLensStabilizationEnabled
    }
}
