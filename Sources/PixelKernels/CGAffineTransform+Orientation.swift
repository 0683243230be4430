import Foundation
package import MediaTypes

extension CGAffineTransform {
    /// The rotation and the subsequent left-to-right mirroring of the transform, without its translation and scale; nil
    /// if it is not a rotation by a multiple of 90 degrees.
    package var orientation: (rotation: PixelRotation, isMirrored: Bool)? {
        func isSmall(_ small: CGFloat, beside large: CGFloat) -> Bool { abs(small) < 0.01 * abs(large) }
        // A rotation is {x y, -y x}; mirroring it changes the sign of the first number in each pair.
        if isSmall(b, beside: a), isSmall(c, beside: d) {
            return (d > 0 ? .none : .clockwise180, (a > 0) != (d > 0))
        }
        if isSmall(a, beside: b), isSmall(d, beside: c) {
            return (b > 0 ? .clockwise90 : .clockwise270, (b > 0) == (c > 0))
        }
        return nil
    }
}
