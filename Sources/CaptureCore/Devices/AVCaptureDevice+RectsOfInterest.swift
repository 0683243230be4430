import CaptureHAL
public import Foundation
import MediaTypes

// Rectangles of interest for focus and exposure: the cameras here support points of interest only.
extension AVCaptureDevice {
    public var isFocusRectOfInterestSupported: Bool { false }

    /// The smallest rectangle in normalized coordinates; zero without support.
    public var minFocusRectOfInterestSize: CGSize { .zero }

    /// The region to focus on; setting it is misuse without support.
    public var focusRectOfInterest: CGRect {
        get {
            observedProperties.access()
            return .zero
        }
        set {
            guard isLocked(for: "setFocusRectOfInterest:") else { return }
            reportUnsupported("setFocusRectOfInterest:", "a rectangle of interest", "isFocusRectOfInterestSupported")
        }
    }

    /// The region that belongs to a point of interest; null without support.
    public func defaultRectForFocusPoint(ofInterest pointOfInterest: CGPoint) -> CGRect { .null }

    public var isExposureRectOfInterestSupported: Bool { false }

    /// The smallest rectangle in normalized coordinates; zero without support.
    public var minExposureRectOfInterestSize: CGSize { .zero }

    /// The metering region; setting it is misuse without support.
    public var exposureRectOfInterest: CGRect {
        get {
            observedProperties.access()
            return .zero
        }
        set {
            guard isLocked(for: "setExposureRectOfInterest:") else { return }
            reportUnsupported(
                "setExposureRectOfInterest:", "a rectangle of interest", "isExposureRectOfInterestSupported")
        }
    }

    /// The region that belongs to a point of interest; null without support.
    public func defaultRectForExposurePoint(ofInterest pointOfInterest: CGPoint) -> CGRect { .null }
}
