import Foundation
import MediaTypes

/// The decomposition of a transform without perspective: shear, scale, rotations about x, y and z, and translation,
/// applied in this order.
struct TransformParts {
    var translation: [CGFloat]
    /// About x, y and z, in radians.
    var rotation: [CGFloat]
    var scale: [CGFloat]
    /// Of x by y, x by z, and y by z.
    var shear: [CGFloat]

    /// Decomposes a transform by the Gram-Schmidt process (S. Thomas, Graphics Gems II, 1991).
    init(_ transform: CATransform3D) {
        let rows = transform.rows
        translation = Array(rows[3][0..<3])
        var axes = (0..<3).map { Array(rows[$0][0..<3]) }
        func dot(_ a: [CGFloat], _ b: [CGFloat]) -> CGFloat { zip(a, b).map(*).reduce(0, +) }
        func combined(_ a: [CGFloat], _ b: [CGFloat], _ factor: CGFloat) -> [CGFloat] {
            zip(a, b).map { $0 + factor * $1 }
        }
        var (scale, shear) = ([CGFloat](repeating: 0, count: 3), [CGFloat](repeating: 0, count: 3))
        func normalize(_ index: Int) {
            scale[index] = dot(axes[index], axes[index]).squareRoot()
            guard scale[index] > 0 else {
                axes[index] = (0..<3).map { $0 == index ? 1 : 0 }
                return
            }
            axes[index] = axes[index].map { $0 / scale[index] }
        }
        normalize(0)
        shear[0] = dot(axes[0], axes[1])
        axes[1] = combined(axes[1], axes[0], -shear[0])
        normalize(1)
        shear[1] = dot(axes[0], axes[2])
        axes[2] = combined(axes[2], axes[0], -shear[1])
        shear[2] = dot(axes[1], axes[2])
        axes[2] = combined(axes[2], axes[1], -shear[2])
        normalize(2)
        if scale[1] > 0 { shear[0] /= scale[1] }
        if scale[2] > 0 { (shear[1], shear[2]) = (shear[1] / scale[2], shear[2] / scale[2]) }
        let cross = [
            axes[1][1] * axes[2][2] - axes[1][2] * axes[2][1], axes[1][2] * axes[2][0] - axes[1][0] * axes[2][2],
            axes[1][0] * axes[2][1] - axes[1][1] * axes[2][0],
        ]
        // A reflection is a negative scale of y, which keeps the rotation of the x axis.
        if dot(axes[0], cross) < 0 {
            scale[1] = -scale[1]
            axes[1] = axes[1].map { -$0 }
            (shear[0], shear[2]) = (-shear[0], -shear[2])
        }
        let sine = min(1, max(-1, -axes[0][2]))
        rotation =
            abs(sine) < 1 - 1e-12
            ? [atan2(axes[1][2], axes[2][2]), asin(sine), atan2(axes[0][1], axes[0][0])]
            : [atan2(-axes[2][1], axes[1][1]), asin(sine), 0]
        (self.scale, self.shear) = (scale, shear)
    }

    /// The transform with these parts.
    var transform: CATransform3D {
        var result = CATransform3DMakeTranslation(translation[0], translation[1], translation[2])
        for (angle, axis) in zip(rotation, [[1, 0, 0], [0, 1, 0], [0, 0, 1]] as [[CGFloat]]).reversed()
        where angle != 0 {
            result = CATransform3DRotate(result, angle, axis[0], axis[1], axis[2])
        }
        var stretch = CATransform3DMakeScale(scale[0], scale[1], scale[2])
        stretch.m21 = shear[0] * scale[1]
        (stretch.m31, stretch.m32) = (shear[1] * scale[2], shear[2] * scale[2])
        return CATransform3DConcat(stretch, result)
    }
}

extension CATransform3D {
    /// Returns the interpolation between this transform (fraction 0) and another one (fraction 1).
    ///
    /// Two-dimensional transforms rotate by the smaller angle; others are interpolated component by component.
    func interpolated(to other: CATransform3D, _ fraction: Double) -> CATransform3D {
        guard CATransform3DIsAffine(self), CATransform3DIsAffine(other) else {
            return CATransform3D(
                rows: zip(rows, other.rows).map { zip($0, $1).map { $0 + ($1 - $0) * fraction } })
        }
        var (parts, last) = (TransformParts(self), TransformParts(other))
        func mix(_ path: WritableKeyPath<TransformParts, [CGFloat]>) {
            parts[keyPath: path] = zip(parts[keyPath: path], last[keyPath: path]).map { $0 + ($1 - $0) * fraction }
        }
        let angle = last.rotation[2] - parts.rotation[2]
        if abs(angle) > .pi { last.rotation[2] -= 2 * .pi * (angle / (2 * .pi)).rounded() }
        for path in [\TransformParts.translation, \.rotation, \.scale, \.shear] { mix(path) }
        return parts.transform
    }
}
