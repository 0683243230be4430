public import Foundation
import MediaTypes

/// Points and rectangles of the layer and of its camera's picture.
///
/// Device coordinates go from (0,0), the upper left of the picture as the camera delivers it, to (1,1); the layer's are
/// those of `bounds`. Gravity, rotation and mirroring count. Without a camera the layer's bounds stand for the picture;
/// without bounds every layer point gives (0,0).
extension AVCaptureVideoPreviewLayer {
    var geometry: PictureGeometry { PictureGeometry(connection, bounds: bounds, gravity: videoGravity) }

    /// The point of interest under a point of the layer; outside 0 … 1 beside the picture.
    public func captureDevicePointConverted(fromLayerPoint pointInLayer: CGPoint) -> CGPoint {
        geometry.toDevice.map { pointInLayer.applying($0) } ?? .zero
    }

    /// Where a point of interest is seen in the layer.
    public func layerPointConverted(fromCaptureDevicePoint captureDevicePointOfInterest: CGPoint) -> CGPoint {
        captureDevicePointOfInterest.applying(geometry.fromDevice)
    }

    /// The part of the picture under a rectangle of the layer, as `AVCaptureMetadataOutput` and others take it.
    public func metadataOutputRectConverted(fromLayerRect rectInLayerCoordinates: CGRect) -> CGRect {
        geometry.toDevice.map { rectInLayerCoordinates.applying($0) } ?? .zero
    }

    /// Where a part of the picture is seen in the layer.
    public func layerRectConverted(fromMetadataOutputRect rectInMetadataOutputCoordinates: CGRect) -> CGRect {
        rectInMetadataOutputCoordinates.applying(geometry.fromDevice)
    }

    /// An object in the layer's coordinates; nil where it was seen by another input.
    public func transformedMetadataObject(for metadataObject: AVMetadataObject) -> AVMetadataObject? {
        guard let connection, metadataObject.isFrom(connection) else { return nil }
        return metadataObject.transformed(by: geometry)
    }
}

/// The former names of what the connection has now.
extension AVCaptureVideoPreviewLayer {
    @available(*, deprecated, message: "Use AVCaptureConnection's isVideoOrientationSupported instead.")
    public var isOrientationSupported: Bool { connection?.isVideoOrientationSupported ?? false }

    @available(*, deprecated, message: "Use AVCaptureConnection's videoRotationAngle instead.")
    public var orientation: AVCaptureVideoOrientation {
        get { connection?.videoOrientation ?? .landscapeRight }
        set { connection?.videoOrientation = newValue }
    }

    @available(*, deprecated, message: "Use AVCaptureConnection's isVideoMirroringSupported instead.")
    public var isMirroringSupported: Bool { connection?.isVideoMirroringSupported ?? false }

    @available(*, deprecated, message: "Use AVCaptureConnection's automaticallyAdjustsVideoMirroring instead.")
    public var automaticallyAdjustsMirroring: Bool {
        get { connection?.automaticallyAdjustsVideoMirroring ?? true }
        set { connection?.automaticallyAdjustsVideoMirroring = newValue }
    }

    @available(*, deprecated, message: "Use AVCaptureConnection's isVideoMirrored instead.")
    public var isMirrored: Bool {
        get { connection?.isVideoMirrored ?? false }
        set { connection?.isVideoMirrored = newValue }
    }
}
