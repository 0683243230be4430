public import Foundation

/// Rectangles and objects in what an output delivers, in pixels from its upper left.
///
/// A video data output turns and mirrors its pixels by its connection; other outputs deliver them as they are and say
/// beside them how to show them.
extension AVCaptureOutput {
    /// An object in the coordinates of what comes through a connection of this output; nil where another input saw it.
    public func transformedMetadataObject(
        for metadataObject: AVMetadataObject, connection: AVCaptureConnection
    ) -> AVMetadataObject? {
        guard connection.consumer === self, metadataObject.isFrom(connection) else { return nil }
        return metadataObject.transformed(by: geometry(of: connection))
    }

    /// The part of the camera's picture, (0,0) … (1,1), in a rectangle of what is delivered; zero without a camera.
    public func metadataOutputRectConverted(fromOutputRect rectInOutputCoordinates: CGRect) -> CGRect {
        cameraConnection.flatMap { geometry(of: $0).toDevice }.map { rectInOutputCoordinates.applying($0) }
            ?? .zero
    }

    /// Where a part of the camera's picture, (0,0) … (1,1), is in what is delivered; zero without a camera.
    public func outputRectConverted(fromMetadataOutputRect rectInMetadataOutputCoordinates: CGRect) -> CGRect {
        cameraConnection.map { rectInMetadataOutputCoordinates.applying(geometry(of: $0).fromDevice) } ?? .zero
    }

    /// The connection from a camera, be it for pictures or for what is found in them.
    private var cameraConnection: AVCaptureConnection? {
        connection(with: .video) ?? connection(with: .metadataObject)
    }

    private func geometry(of connection: AVCaptureConnection) -> PictureGeometry {
        var geometry = PictureGeometry(connection, bounds: .zero, gravity: .resize)
        if !turnsPixels { (geometry.rotationAngle, geometry.isMirrored) = (0, false) }
        geometry.bounds.size = deliveredSize(of: geometry)
        return geometry
    }
}
