import Foundation
import MediaAssets
import MediaTypes

/// Where the points of a device's picture are in what is made of it: turned, mirrored, fitted into a rectangle.
///
/// Device points go from (0,0), the upper left of the picture as the device delivers it, to (1,1).
struct PictureGeometry: Hashable {
    /// Columns and rows as the device delivers them.
    var pictureSize: CGSize
    /// Clockwise degrees: 0, 90, 180 or 270.
    var rotationAngle: Int
    /// Whether left and right change places, after the rotation.
    var isMirrored: Bool
    /// Where the picture is shown.
    var bounds: CGRect
    var gravity: AVLayerVideoGravity

    /// The rectangle that the whole picture takes; larger than `bounds` where parts are cut off.
    var pictureRect: CGRect {
        let isTurned = rotationAngle % 180 != 0
        let width = isTurned ? pictureSize.height : pictureSize.width
        let height = isTurned ? pictureSize.width : pictureSize.height
        guard width > 0, height > 0, gravity != .resize else { return bounds }
        let (across, down) = (bounds.width / width, bounds.height / height)
        let scale = gravity == .resizeAspectFill ? max(across, down) : min(across, down)
        let size = CGSize(width: width * scale, height: height * scale)
        return CGRect(
            x: bounds.midX - size.width / 2, y: bounds.midY - size.height / 2, width: size.width, height: size.height)
    }

    /// From device points to the coordinates of `bounds`.
    var fromDevice: CGAffineTransform {
        let rect = pictureRect
        return orientation.concatenating(CGAffineTransform(scaleX: rect.width, y: rect.height))
            .concatenating(CGAffineTransform(translationX: rect.minX, y: rect.minY))
    }

    /// From the coordinates of `bounds` to device points; nil where the bounds are empty.
    var toDevice: CGAffineTransform? {
        let rect = pictureRect
        return rect.width > 0 && rect.height > 0 ? fromDevice.inverted() : nil
    }

    /// Turning and mirroring of the unit square.
    private var orientation: CGAffineTransform {
        let turned =
            switch rotationAngle {
            case 90: CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 1, ty: 0)
            case 180: CGAffineTransform(a: -1, b: 0, c: 0, d: -1, tx: 1, ty: 1)
            case 270: CGAffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 1)
            default: CGAffineTransform.identity
            }
        guard isMirrored else { return turned }
        return turned.concatenating(CGAffineTransform(a: -1, b: 0, c: 0, d: 1, tx: 1, ty: 0))
    }
}

extension PictureGeometry {
    /// What a connection does to its device's picture, in a rectangle.
    init(_ connection: AVCaptureConnection?, bounds: CGRect, gravity: AVLayerVideoGravity) {
        let size = connection?.inputPorts.first?.deliveredDimensions
        let (angle, isMirrored) = connection?.state.withLock { ($0.rotationAngle, $0.isMirrored) } ?? (0, false)
        self.init(
            pictureSize: CGSize(width: CGFloat(size?.width ?? 0), height: CGFloat(size?.height ?? 0)),
            rotationAngle: angle, isMirrored: isMirrored, bounds: bounds, gravity: gravity)
    }
}

extension AVCaptureInput.Port {
    /// What the stream delivers of which the port's media are made; nil where the input was released.
    var deliveredDescription: CMFormatDescription? {
        (ownerIfAlive as? AVCaptureDeviceInput)?.format(of: self)?.formatDescription
    }

    /// The size of the port's pictures; nil where the input was released.
    var deliveredDimensions: CMVideoDimensions? { deliveredDescription?.dimensions }
}
