public import Foundation
public import MediaTypes

/// A decoded bar code or two-dimensional code.
public final class AVMetadataMachineReadableCodeObject: AVMetadataObject, @unchecked Sendable {
    // SAFETY: constant.
    /// The decoded text; nil if the payload is not text.
    public let stringValue: String?
    /// The corners in order around the code, beginning with the code's own upper left one.
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

    override func transformed(by geometry: FrameGeometry) -> AVMetadataObject {
        AVMetadataMachineReadableCodeObject(
            type, stringValue: stringValue, corners: corners.map { $0.applying(geometry.fromDevice) },
            detection(in: geometry))
    }
}
