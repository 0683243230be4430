import CaptureHAL
public import Foundation
import MediaTypes

// Rectangles of interest for focus and exposure: no backend supports them; cameras have points of interest only.
extension AVCaptureDevice {
    public var isFocusRectOfInterestSupported: Bool { false }

    /// The minimum size in normalized coordinates; zero, since rectangles are not supported.
    public var minFocusRectOfInterestSize: CGSize { .zero }

    /// The region to focus on; setting it is misuse, since rectangles are not supported.
    public var focusRectOfInterest: CGRect {
        get {
            observedProperties.access()
            return .zero
        }
        set {
            guard checkLock(for: "setFocusRectOfInterest:") else { return }
            reportUnsupported("setFocusRectOfInterest:", "a rectangle of interest", "isFocusRectOfInterestSupported")
        }
    }

    /// Returns the default region around a point of interest; null, since rectangles are not supported.
    public func defaultRectForFocusPoint(ofInterest pointOfInterest: CGPoint) -> CGRect { .null }

    public var isExposureRectOfInterestSupported: Bool { false }

    /// The minimum size in normalized coordinates; zero, since rectangles are not supported.
    public var minExposureRectOfInterestSize: CGSize { .zero }

    /// The metering region; setting it is misuse, since rectangles are not supported.
    public var exposureRectOfInterest: CGRect {
        get {
            observedProperties.access()
            return .zero
        }
        set {
            guard checkLock(for: "setExposureRectOfInterest:") else { return }
            reportUnsupported(
                "setExposureRectOfInterest:", "a rectangle of interest", "isExposureRectOfInterestSupported")
        }
    }

    /// Returns the default region around a point of interest; null, since rectangles are not supported.
    public func defaultRectForExposurePoint(ofInterest pointOfInterest: CGPoint) -> CGRect { .null }
}
