import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

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

    /// Whether the bounds, which may have no area, share a point with a region of the frame.
    func touches(_ region: CGRect) -> Bool {
        let bounds = bounds
        return bounds.minX <= region.maxX && bounds.maxX >= region.minX && bounds.minY <= region.maxY
            && bounds.maxY >= region.minY
    }
}

/// Detects bar codes, QR codes, and other matrix codes if their reader is installed.
///
/// A frame that differs from the last scanned frame only by noise is not scanned; its codes are those of that frame.
/// - Important: Confined to the worker of its output.
final class CodeDetector {
    /// The codes in a scanned frame.
    private struct Scan {
        var types: Set<AVMetadataObject.ObjectType>
        var time: CMTime
        var brightness: BlockBrightness
        var codes: [DetectedCode]
    }

    /// The difference of a block's mean brightness, on a scale of 0 to 255, that is due to noise. A code that appears
    /// or moves by a module changes some blocks by more.
    private static let noiseTolerance = 4
    /// The time after which a frame is scanned again although it has not changed, since noise or a slight blur can
    /// prevent the reading of a code.
    private static let maximumScanAge = CMTime(value: 1, timescale: 2)

    private var reader: BarcodeReader?
    private var lastScan: Scan?
    /// The number of frames that were scanned.
    private(set) var scanCount = 0

    /// The types that can be detected.
    static var types: [AVMetadataObject.ObjectType] {
        BarcodeReader.Kind.allCases.map(AVMetadataObject.ObjectType.init) + matrixTypes
    }

    private static var matrixTypes: [AVMetadataObject.ObjectType] {
        MatrixCodeReader.isAvailable ? MatrixCodeReader.Kind.allCases.map(AVMetadataObject.ObjectType.init) : []
    }

    /// Returns the codes that intersect a region of a frame: bar codes and QR codes, then matrix codes, each ordered by
    /// position.
    ///
    /// - Parameters:
    ///   - types: The types to detect.
    ///   - frame: 4:2:0 in two planes.
    ///   - time: The presentation time of the frame.
    ///   - region: In the coordinates of `DetectedCode`. The complete frame is searched, since a code that is only
    ///     partly inside the region could not be decoded otherwise.
    func detections(
        of types: [AVMetadataObject.ObjectType], in frame: CVPixelBuffer, at time: CMTime, region: CGRect
    ) -> [DetectedCode] {
        guard !region.isEmpty else { return [] }
        return codes(of: Set(types), in: frame, at: time).filter { $0.touches(region) }
    }

    /// Returns all codes in a frame, or those of the last scanned frame if the frame has not changed.
    private func codes(
        of types: Set<AVMetadataObject.ObjectType>, in frame: CVPixelBuffer, at time: CMTime
    ) -> [DetectedCode] {
        let brightness = BlockBrightness(frame)
        if let scan = lastScan, scan.types == types, time >= scan.time, time - scan.time < Self.maximumScanAge,
            !brightness.differs(from: scan.brightness, by: Self.noiseTolerance)
        {
            return scan.codes
        }
        let kinds = Set(BarcodeReader.Kind.allCases.filter { types.contains(.init($0)) })
        let matrixKinds = Set(MatrixCodeReader.Kind.allCases.filter { types.contains(.init($0)) })
        let codes =
            (kinds.isEmpty ? [] : barcodes(of: kinds, in: frame))
            + (matrixKinds.isEmpty ? [] : Self.matrixCodes(of: matrixKinds, in: frame))
        lastScan = Scan(types: types, time: time, brightness: brightness, codes: codes)
        scanCount += 1
        return codes
    }

    private func barcodes(of kinds: Set<BarcodeReader.Kind>, in frame: CVPixelBuffer) -> [DetectedCode] {
        let (width, height) = (CVPixelBufferGetWidth(frame), CVPixelBufferGetHeight(frame))
        if reader?.kinds != kinds { reader = BarcodeReader(kinds) }
        return (reader?.read(frame) ?? []).map { code in
            DetectedCode(
                type: AVMetadataObject.ObjectType(code.kind), text: code.text,
                corners: code.corners.map { $0.fraction(ofWidth: width, height: height) })
        }
    }

    private static func matrixCodes(
        of kinds: Set<MatrixCodeReader.Kind>, in frame: CVPixelBuffer
    ) -> [DetectedCode] {
        let (width, height) = (CVPixelBufferGetWidth(frame), CVPixelBufferGetHeight(frame))
        return frame.withPlane(0) { plane in
            MatrixCodeReader.read(
                kinds, in: plane.baseAddress, width: width, height: height, bytesPerRow: plane.bytesPerRow)
        }.map { code in
            DetectedCode(
                type: AVMetadataObject.ObjectType(code.kind), text: code.text,
                corners: code.corners.map { $0.fraction(ofWidth: width, height: height) })
        }
    }
}

extension BarcodeReader.Corner {
    /// Returns the position in the coordinates of `DetectedCode`.
    fileprivate func fraction(ofWidth width: Int, height: Int) -> CGPoint {
        CGPoint(x: CGFloat(x / Double(width)), y: CGFloat(y / Double(height)))
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

extension AVMetadataObject.ObjectType {
    init(_ kind: MatrixCodeReader.Kind) {
        self =
            switch kind {
            case .aztec: .aztec
            case .dataMatrix: .dataMatrix
            case .pdf417: .pdf417
            }
    }
}
