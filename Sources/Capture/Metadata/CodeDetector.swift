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
    /// What is in a part of a picture, in the order of places.
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
}

/// Finds bar codes and QR codes.
final class CodeDetector: MetadataDetector {
    private var reader: CodeReader?

    static let types = CodeReader.Kind.allCases.map(AVMetadataObject.ObjectType.init)

    var types: [AVMetadataObject.ObjectType] { Self.types }

    func findings(in picture: CVPixelBuffer, part: CGRect) -> [MetadataFinding] {
        let (width, height) = (CVPixelBufferGetWidth(picture), CVPixelBufferGetHeight(picture))
        let whole = part.intersection(CGRect(x: 0, y: 0, width: 1, height: 1))
        let (left, top) = (Int(whole.minX * CGFloat(width)), Int(whole.minY * CGFloat(height)))
        let columns = min(width - left, Int((whole.width * CGFloat(width)).rounded(.up)))
        let rows = min(height - top, Int((whole.height * CGFloat(height)).rounded(.up)))
        guard !whole.isEmpty, columns > 0, rows > 0 else { return [] }
        let grey = [UInt8](unsafeUninitializedCapacity: columns * rows) { bytes, count in
            picture.withPlane(0) { plane in
                for row in 0..<rows {
                    let source = plane.baseAddress + (top + row) * plane.bytesPerRow + left
                    UnsafeMutableRawBufferPointer(bytes)[(row * columns)..<((row + 1) * columns)]
                        .copyBytes(from: UnsafeRawBufferPointer(start: source, count: columns))
                }
            }
            count = columns * rows
        }
        if reader == nil { reader = CodeReader() }
        return (reader?.read(grey, width: columns, height: rows) ?? []).map { code in
            MetadataFinding(
                type: AVMetadataObject.ObjectType(code.kind), text: code.text,
                corners: code.corners.map { corner in
                    CGPoint(
                        x: CGFloat((corner.x + Double(left)) / Double(width)),
                        y: CGFloat((corner.y + Double(top)) / Double(height)))
                })
        }
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
