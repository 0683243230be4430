import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes

/// Finds things in pictures.
///
/// - Important: Confined to the worker of its output.
protocol MetadataDetector: AnyObject {
    /// What it can find.
    var types: [AVMetadataObject.ObjectType] { get }
    /// What lies in a part of a picture, be it only with a corner, in the order of places.
    ///
    /// - Parameters:
    ///   - picture: 4:2:0 in two planes.
    ///   - part: In the coordinates of `MetadataFinding`.
    func findings(in picture: CVPixelBuffer, part: CGRect) -> [MetadataFinding]
}

/// Something that was found in a picture; places go from (0,0), the left top, to (1,1).
struct MetadataFinding: Sendable {
    var type: AVMetadataObject.ObjectType
    var text: String?
    var corners: [CGPoint]

    var bounds: CGRect {
        let (left, right) = (corners.map(\.x).min() ?? 0, corners.map(\.x).max() ?? 0)
        let (top, bottom) = (corners.map(\.y).min() ?? 0, corners.map(\.y).max() ?? 0)
        return CGRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// Whether the bounds, which may be flat, share a point with a part of the picture.
    func touches(_ part: CGRect) -> Bool {
        let bounds = bounds
        return bounds.minX <= part.maxX && bounds.maxX >= part.minX && bounds.minY <= part.maxY
            && bounds.maxY >= part.minY
    }
}

/// Finds bar codes and QR codes.
final class CodeDetector: MetadataDetector {
    private var reader: CodeReader?

    static let types = CodeReader.Kind.allCases.map(AVMetadataObject.ObjectType.init)

    var types: [AVMetadataObject.ObjectType] { Self.types }

    func findings(in picture: CVPixelBuffer, part: CGRect) -> [MetadataFinding] {
        guard !part.isEmpty else { return [] }
        let (width, height) = (CVPixelBufferGetWidth(picture), CVPixelBufferGetHeight(picture))
        // All of it is read: a code that lies half outside of the part is to be found, and by its half cannot be read.
        let grey = [UInt8](unsafeUninitializedCapacity: width * height) { bytes, count in
            picture.withPlane(0) { plane in
                for row in 0..<height {
                    UnsafeMutableRawBufferPointer(bytes)[(row * width)..<((row + 1) * width)]
                        .copyBytes(
                            from: UnsafeRawBufferPointer(
                                start: plane.baseAddress + row * plane.bytesPerRow, count: width))
                }
            }
            count = width * height
        }
        if reader == nil { reader = CodeReader() }
        return (reader?.read(grey, width: width, height: height) ?? []).map { code in
            MetadataFinding(
                type: AVMetadataObject.ObjectType(code.kind), text: code.text,
                corners: code.corners.map { corner in
                    CGPoint(x: CGFloat(corner.x / Double(width)), y: CGFloat(corner.y / Double(height)))
                })
        }.filter { $0.touches(part) }
    }
}

extension AVMetadataObject.ObjectType {
    init(_ kind: CodeReader.Kind) {
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
