package import MediaTypes
package import PixelKernels

extension CGImagePropertyOrientation {
    /// The turn that, followed by mirroring where `isMirrored`, shows the picture upright.
    package var rotation: PixelRotation {
        switch self {
        case .up, .upMirrored: .none
        case .down, .downMirrored: .clockwise180
        case .right, .leftMirrored: .clockwise90
        case .left, .rightMirrored: .clockwise270
        }
    }

    /// Whether the turned picture is mirrored left to right to be seen as it was.
    package var isMirrored: Bool {
        switch self {
        case .up, .down, .left, .right: false
        case .upMirrored, .downMirrored, .leftMirrored, .rightMirrored: true
        }
    }

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
