public import Foundation
import MediaTypes

/// A barcode that was read.
public final class AVMetadataMachineReadableCodeObject: AVMetadataObject, @unchecked Sendable {
    // SAFETY: constant.
    /// What the code says; nil where it is not text.
    public let stringValue: String?
    /// The corners in order about the code, beginning with its own upper left one.
    public let corners: [CGPoint]

    package init(_ type: ObjectType, stringValue: String?, corners: [CGPoint], _ sighting: Sighting) {
        self.stringValue = stringValue
        self.corners = corners
        super.init(type, sighting)
    }

    override func transformed(by geometry: PictureGeometry) -> AVMetadataObject {
        AVMetadataMachineReadableCodeObject(
            type, stringValue: stringValue, corners: corners.map { $0.applying(geometry.fromDevice) },
            sighting(in: geometry))
    }
}
