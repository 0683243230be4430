public import CaptureCore
public import Foundation
import MediaTypes

/// Conversion between layer coordinates and device coordinates.
///
/// Device coordinates go from (0,0), the upper left corner of the unrotated frame, to (1,1); layer coordinates are
/// those of `bounds`. The conversion includes gravity, rotation and mirroring. Without a camera the frame is assumed to
/// fill the bounds; with empty bounds every layer point converts to (0,0).
extension AVCaptureVideoPreviewLayer {
    var geometry: FrameGeometry { FrameGeometry(connection, bounds: bounds, gravity: videoGravity) }

    /// Converts a layer point to a device point; outside 0 … 1 if the point is beside the frame.
    public func captureDevicePointConverted(fromLayerPoint pointInLayer: CGPoint) -> CGPoint {
        geometry.toDevice.map { pointInLayer.applying($0) } ?? .zero
    }

    /// Converts a device point to a layer point.
    public func layerPointConverted(fromCaptureDevicePoint captureDevicePointOfInterest: CGPoint) -> CGPoint {
        captureDevicePointOfInterest.applying(geometry.fromDevice)
    }

    /// Converts a layer rectangle to a normalized part of the frame, such as `AVCaptureMetadataOutput.rectOfInterest`.
    public func metadataOutputRectConverted(fromLayerRect rectInLayerCoordinates: CGRect) -> CGRect {
        geometry.toDevice.map { rectInLayerCoordinates.applying($0) } ?? .zero
    }

    /// Converts a normalized part of the frame to a layer rectangle.
    public func layerRectConverted(fromMetadataOutputRect rectInMetadataOutputCoordinates: CGRect) -> CGRect {
        rectInMetadataOutputCoordinates.applying(geometry.fromDevice)
    }

    /// Converts an object to layer coordinates; nil if it was detected in the frames of another input.
    public func transformedMetadataObject(for metadataObject: AVMetadataObject) -> AVMetadataObject? {
        guard let connection, metadataObject.originatesFrom(connection) else { return nil }
        return metadataObject.transformed(by: geometry)
    }
}

/// Deprecated properties that have moved to the connection.
extension AVCaptureVideoPreviewLayer {
    @available(*, deprecated, message: "Use AVCaptureConnection's isVideoOrientationSupported instead.")
    public var isOrientationSupported: Bool { connection?.isVideoOrientationSupported ?? false }

    @available(*, deprecated, message: "Use AVCaptureConnection's videoRotationAngle instead.")
    public var orientation: AVCaptureVideoOrientation {
        get {
            observedProperties.access()
            return connection?.videoOrientation ?? .landscapeRight
        }
        set {
            connection?.videoOrientation = newValue
            observedProperties.changed()
        }
    }

    @available(*, deprecated, message: "Use AVCaptureConnection's isVideoMirroringSupported instead.")
    public var isMirroringSupported: Bool { connection?.isVideoMirroringSupported ?? false }

    @available(*, deprecated, message: "Use AVCaptureConnection's automaticallyAdjustsVideoMirroring instead.")
    public var automaticallyAdjustsMirroring: Bool {
        get {
            observedProperties.access()
            return connection?.automaticallyAdjustsVideoMirroring ?? true
        }
        set {
            connection?.automaticallyAdjustsVideoMirroring = newValue
            observedProperties.changed()
        }
    }

    @available(*, deprecated, message: "Use AVCaptureConnection's isVideoMirrored instead.")
    public var isMirrored: Bool {
        get {
            observedProperties.access()
            return connection?.isVideoMirrored ?? false
        }
        set {
            connection?.isVideoMirrored = newValue
            observedProperties.changed()
        }
    }
}
