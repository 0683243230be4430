import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes

/// A detector of objects in frames.
///
/// - Important: Confined to the worker of its output.
protocol MetadataDetector: AnyObject {
    /// The types that can be detected.
    var types: [AVMetadataObject.ObjectType] { get }
    /// Returns the objects that intersect a part of a frame, ordered by position.
    ///
    /// - Parameters:
    ///   - frame: 4:2:0 in two planes.
    ///   - part: In the coordinates of `DetectedCode`.
    func detections(in frame: CVPixelBuffer, part: CGRect) -> [DetectedCode]
}

/// A detected code; coordinates go from (0,0), the upper left corner of the frame, to (1,1).
struct DetectedCode: Sendable {
    var type: AVMetadataObject.ObjectType
    var text: String?
    var corners: [CGPoint]

    /// The bounding box of the corners.
    var bounds: CGRect {
        let (left, right) = (corners.map(\.x).min() ?? 0, corners.map(\.x).max() ?? 0)
        let (top, bottom) = (corners.map(\.y).min() ?? 0, corners.map(\.y).max() ?? 0)
        return CGRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// Whether the bounds, which may have no area, share a point with a part of the frame.
    func touches(_ part: CGRect) -> Bool {
        let bounds = bounds
        return bounds.minX <= part.maxX && bounds.maxX >= part.minX && bounds.minY <= part.maxY
            && bounds.maxY >= part.minY
    }
}

/// Detects bar codes and QR codes.
final class CodeDetector: MetadataDetector {
    private var reader: BarcodeReader?

    static let types = BarcodeReader.Kind.allCases.map(AVMetadataObject.ObjectType.init)

    var types: [AVMetadataObject.ObjectType] { Self.types }

    func detections(in frame: CVPixelBuffer, part: CGRect) -> [DetectedCode] {
        guard !part.isEmpty else { return [] }
        let (width, height) = (CVPixelBufferGetWidth(frame), CVPixelBufferGetHeight(frame))
        // The whole frame is searched, since a code that is only partly inside the part cannot be decoded from the
        // part.
        let gray = [UInt8](unsafeUninitializedCapacity: width * height) { bytes, count in
            frame.withPlane(0) { plane in
                for row in 0..<height {
                    UnsafeMutableRawBufferPointer(bytes)[(row * width)..<((row + 1) * width)]
                        .copyBytes(
                            from: UnsafeRawBufferPointer(
                                start: plane.baseAddress + row * plane.bytesPerRow, count: width))
                }
            }
            count = width * height
        }
        if reader == nil { reader = BarcodeReader() }
        return (reader?.read(gray, width: width, height: height) ?? []).map { code in
            DetectedCode(
                type: AVMetadataObject.ObjectType(code.kind), text: code.text,
                corners: code.corners.map { corner in
                    CGPoint(x: CGFloat(corner.x / Double(width)), y: CGFloat(corner.y / Double(height)))
                })
        }.filter { $0.touches(part) }
    }
}

extension AVMetadataObject.ObjectType {
    init(_ kind: BarcodeReader.Kind) {
        self =
            switch kind {
            case .qr: .qr
            case .ean13: .ean13
            case .ean8: .ean8
            case .upcE: .upce
            case .code128: .code128
            case .code39: .code39
            case .code93: .code93
            case .codabar: .codabar
            case .interleaved2of5: .interleaved2of5
            case .dataBar: .gs1DataBar
            case .dataBarExpanded: .gs1DataBarExpanded
            }
    }
}
