public import Foundation
public import MediaTypes

/// A decoded bar code or two-dimensional code.
public final class AVMetadataMachineReadableCodeObject: AVMetadataObject, @unchecked Sendable {
    // SAFETY: immutable.
    /// The decoded text; nil if the payload is not text.
    public let stringValue: String?
    /// The corners in order around the code, beginning with the upper left corner of the upright code.
    public let corners: [CGPoint]
    /// The symbol of a two-dimensional code.
    ///
    /// - Note: Unlike Apple, it is always nil: the detector does not report the codewords.
    public var descriptor: CIBarcodeDescriptor? { nil }

    /// Creates a decoded code.
    package init(_ type: ObjectType, stringValue: String?, corners: [CGPoint], _ detection: Detection) {
        self.stringValue = stringValue
        self.corners = corners
        super.init(type, detection)
    }

    package override func transformed(by geometry: FrameGeometry) -> AVMetadataObject {
        AVMetadataMachineReadableCodeObject(
            type, stringValue: stringValue, corners: corners.map { $0.applying(geometry.fromDevice) },
            detection(in: geometry))
    }
}
