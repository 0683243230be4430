package import MediaTypes
package import PixelKernels

extension CGImagePropertyOrientation {
    /// The rotation that, followed by mirroring if `isMirrored`, shows the image upright.
    package var rotation: PixelRotation {
        switch self {
        case .up, .upMirrored: .none
        case .down, .downMirrored: .clockwise180
        case .right, .leftMirrored: .clockwise90
        case .left, .rightMirrored: .clockwise270
        }
    }

    /// Whether the rotated image must be mirrored left to right to be upright.
    package var isMirrored: Bool {
        switch self {
        case .up, .down, .left, .right: false
        case .upMirrored, .downMirrored, .leftMirrored, .rightMirrored: true
        }
    }

    /// Creates the orientation of an image that needs this rotation and mirroring to be upright.
    package init(rotation: PixelRotation, isMirrored: Bool = false) {
        self =
            switch (rotation, isMirrored) {
            case (.none, false): .up
            case (.none, true): .upMirrored
            case (.clockwise90, false): .right
            case (.clockwise90, true): .leftMirrored
            case (.clockwise180, false): .down
            case (.clockwise180, true): .downMirrored
            case (.clockwise270, false): .left
            case (.clockwise270, true): .rightMirrored
            }
    }
}
