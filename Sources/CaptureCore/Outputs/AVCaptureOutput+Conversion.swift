import AssetTypes
public import Foundation

/// Conversion of rectangles and objects between the camera's frame and the delivered image.
///
/// Coordinates of the delivered image are in pixels from its upper left corner. A video data output rotates and mirrors
/// its pixels; other outputs deliver them as captured, with metadata that describes the rotation.
extension AVCaptureOutput {
    /// Returns the object in the coordinates of the image that a connection of this output delivers; nil if it was
    /// detected in the frames of another input.
    public func transformedMetadataObject(
        for metadataObject: AVMetadataObject, connection: AVCaptureConnection
    ) -> AVMetadataObject? {
        guard connection.consumer === self, metadataObject.originatesFrom(connection) else { return nil }
        return metadataObject.transformed(by: geometry(of: connection))
    }

    /// Returns the part of the camera's frame, (0,0) … (1,1), that a rectangle of the delivered image shows; zero
    /// without a camera.
    public func metadataOutputRectConverted(fromOutputRect rectInOutputCoordinates: CGRect) -> CGRect {
        cameraConnection.flatMap { geometry(of: $0).toDevice }.map { rectInOutputCoordinates.applying($0) }
            ?? .zero
    }

    /// Returns the rectangle of the delivered image that shows a part of the camera's frame, (0,0) … (1,1); zero
    /// without a camera.
    public func outputRectConverted(fromMetadataOutputRect rectInMetadataOutputCoordinates: CGRect) -> CGRect {
        cameraConnection.map { rectInMetadataOutputCoordinates.applying(geometry(of: $0).fromDevice) } ?? .zero
    }

    /// The connection from a camera, for video or for metadata objects; nil if there is none.
    private var cameraConnection: AVCaptureConnection? {
        connection(with: .video) ?? connection(with: .metadataObject)
    }

    private func geometry(of connection: AVCaptureConnection) -> FrameGeometry {
        var geometry = FrameGeometry(connection, bounds: .zero, gravity: .resize)
        if !rotatesPixels { (geometry.rotationAngle, geometry.isMirrored) = (0, false) }
        geometry.bounds.size = deliveredSize(of: geometry)
        return geometry
    }
}
