package import AssetTypes
package import Foundation
package import MediaTypes

/// The mapping from a device's frame to a rectangle in which it is shown: rotated, mirrored and fitted.
///
/// Device points go from (0,0), the upper left corner of the frame as delivered by the device, to (1,1).
package struct FrameGeometry: Hashable {
    /// Width and height as delivered by the device.
    var frameSize: CGSize
    /// Clockwise degrees: 0, 90, 180 or 270.
    var rotationAngle: Int
    /// Whether the frame is mirrored horizontally, after the rotation.
    var isMirrored: Bool
    /// The rectangle in which the frame is shown.
    var bounds: CGRect
    /// How the frame is fitted into the rectangle.
    var gravity: AVLayerVideoGravity

    /// The rectangle of the complete frame; larger than `bounds` if the frame is cropped.
    var frameRect: CGRect {
        let isRotated = rotationAngle % 180 != 0
        let size = isRotated ? CGSize(width: frameSize.height, height: frameSize.width) : frameSize
        return gravity.rect(of: size, in: bounds)
    }

    /// The transform from device points to the coordinates of `bounds`.
    package var fromDevice: CGAffineTransform {
        let rect = frameRect
        return orientation.concatenating(CGAffineTransform(scaleX: rect.width, y: rect.height))
            .concatenating(CGAffineTransform(translationX: rect.minX, y: rect.minY))
    }

    /// The transform from the coordinates of `bounds` to device points; nil if the bounds are empty.
    package var toDevice: CGAffineTransform? {
        let rect = frameRect
        return rect.width > 0 && rect.height > 0 ? fromDevice.inverted() : nil
    }

    /// Rotation and mirroring of the unit square.
    private var orientation: CGAffineTransform {
        let rotated =
            switch rotationAngle {
            case 90: CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 1, ty: 0)
            case 180: CGAffineTransform(a: -1, b: 0, c: 0, d: -1, tx: 1, ty: 1)
            case 270: CGAffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 1)
            default: CGAffineTransform.identity
            }
        guard isMirrored else { return rotated }
        return rotated.concatenating(CGAffineTransform(a: -1, b: 0, c: 0, d: 1, tx: 1, ty: 0))
    }
}

extension FrameGeometry {
    /// Creates the mapping of a connection's frames to a rectangle.
    package init(_ connection: AVCaptureConnection?, bounds: CGRect, gravity: AVLayerVideoGravity) {
        let size = connection?.inputPorts.first?.deliveredDimensions
        let (angle, isMirrored) = connection?.state.withLock { ($0.rotationAngle, $0.isMirrored) } ?? (0, false)
        self.init(
            frameSize: CGSize(width: CGFloat(size?.width ?? 0), height: CGFloat(size?.height ?? 0)),
            rotationAngle: angle, isMirrored: isMirrored, bounds: bounds, gravity: gravity)
    }
}

extension AVCaptureInput.Port {
    /// The description of the device's media for this port; nil if the input was released.
    var deliveredDescription: CMFormatDescription? {
        (ownerIfAlive as? AVCaptureDeviceInput)?.format(of: self)?.formatDescription
    }

    /// The size of the port's frames; nil if the input was released.
    var deliveredDimensions: CMVideoDimensions? { deliveredDescription?.dimensions }
}
