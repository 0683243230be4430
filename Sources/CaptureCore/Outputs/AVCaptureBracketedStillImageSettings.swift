public import Foundation
public import MediaTypes

/// The exposure of one image of a bracket; an abstract class.
public class AVCaptureBracketedStillImageSettings: NSObject, @unchecked Sendable {
    // SAFETY: all properties are immutable, also in subclasses.
    /// The initializer for subclasses; clients cannot create instances of this class.
    init(ofSubclass: Void) {}
}

/// A manual exposure of one image of a bracket.
public final class AVCaptureManualExposureBracketedStillImageSettings: AVCaptureBracketedStillImageSettings,
    @unchecked Sendable
{
    // SAFETY: all properties are immutable.
    public let exposureDuration: CMTime
    public let iso: Float

    private init(_ exposureDuration: CMTime, _ iso: Float) {
        self.exposureDuration = exposureDuration
        self.iso = iso
        super.init(ofSubclass: ())
    }

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - duration: `AVCaptureDevice.currentExposureDuration` leaves it unchanged.
    ///   - iso: `AVCaptureDevice.currentISO` leaves it unchanged.
    public class func manualExposureSettings(exposureDuration duration: CMTime, iso: Float) -> Self {
        Self(duration, iso)
    }
}

/// An automatic exposure of one image of a bracket.
public final class AVCaptureAutoExposureBracketedStillImageSettings: AVCaptureBracketedStillImageSettings,
    @unchecked Sendable
{
    // SAFETY: all properties are immutable.
    /// The exposure bias in EV.
    public let exposureTargetBias: Float

    private init(_ exposureTargetBias: Float) {
        self.exposureTargetBias = exposureTargetBias
        super.init(ofSubclass: ())
    }

    /// Creates settings.
    ///
    /// - Parameter exposureTargetBias: `AVCaptureDevice.currentExposureTargetBias` leaves it unchanged.
    public class func autoExposureSettings(exposureTargetBias: Float) -> Self { Self(exposureTargetBias) }
}

extension [AVCaptureBracketedStillImageSettings] {
    /// The reason why the settings do not form a bracket; nil if they do.
    var bracketRejectionReason: String? {
        guard let first else { return "bracketedSettings may not be empty" }
        return allSatisfy { type(of: $0) == type(of: first) }
            ? nil : "bracketedSettings must all be of the same AVCaptureBracketedStillImageSettings subclass"
    }
}
