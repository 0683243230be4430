import Foundation
package import MediaTypes

/// The rotation and mirroring to apply when a recording is displayed; the encoded frames are not changed.
package struct MovieOrientation: Sendable, Hashable {
    /// The clockwise rotation in degrees: 0, 90, 180 or 270; other values are rounded down to one of these.
    package var rotationAngle: Int
    /// Whether the image is mirrored left to right before the rotation.
    package var isMirrored: Bool

    /// Creates an orientation.
    package init(rotationAngle: Int = 0, isMirrored: Bool = false) {
        self.rotationAngle = rotationAngle
        self.isMirrored = isMirrored
    }

    /// The equivalent EXIF orientation (EXIF 2.32, 4.6.4, tag Orientation).
    package var exifOrientation: Int16 {
        switch ((rotationAngle % 360 + 360) % 360 / 90, isMirrored) {
        case (1, false): 6
        case (2, false): 3
        case (3, false): 8
        case (1, true): 7
        case (2, true): 4
        case (3, true): 5
        case (_, false): 1
        case (_, true): 2
        }
    }

    /// Returns the track matrix for frames of a size, including the translation that keeps the rotated frame at the
    /// origin.
    package func transform(for dimensions: CMVideoDimensions) -> CGAffineTransform {
        let (width, height) = (CGFloat(dimensions.width), CGFloat(dimensions.height))
        let mirroring =
            isMirrored ? CGAffineTransform(a: -1, b: 0, c: 0, d: 1, tx: width, ty: 0) : CGAffineTransform.identity
        let rotation =
            switch ((rotationAngle % 360 + 360) % 360) / 90 {
            case 1: CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: height, ty: 0)
            case 2: CGAffineTransform(a: -1, b: 0, c: 0, d: -1, tx: width, ty: height)
            case 3: CGAffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: width)
            default: CGAffineTransform.identity
            }
        return mirroring.concatenating(rotation)
    }
}
