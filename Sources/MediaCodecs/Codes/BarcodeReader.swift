import CZBar
import Foundation
package import MediaTypes

/// Reads bar codes and QR codes in gray images with zbar.
///
/// - Important: Confined to one thread at a time.
package final class BarcodeReader {
    /// The symbology of a code, named after its standard.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// ISO/IEC 18004.
        case qr
        /// ISO/IEC 15420; a UPC-A code is an EAN-13 code that begins with 0.
        case ean13, ean8, upcE
        /// ISO/IEC 15417.
        case code128
        /// ISO/IEC 16388.
        case code39
        /// AIM USS-93.
        case code93
        /// ANSI/AIM BC3.
        case codabar
        /// ISO/IEC 16390.
        case interleaved2of5
        /// ISO/IEC 24724.
        case dataBar, dataBarExpanded

        fileprivate var symbol: zbar_symbol_type_t {
            switch self {
            case .qr: ZBAR_QRCODE
            case .ean13: ZBAR_EAN13
            case .ean8: ZBAR_EAN8
            case .upcE: ZBAR_UPCE
            case .code128: ZBAR_CODE128
            case .code39: ZBAR_CODE39
            case .code93: ZBAR_CODE93
            case .codabar: ZBAR_CODABAR
            case .interleaved2of5: ZBAR_I25
            case .dataBar: ZBAR_DATABAR
            case .dataBarExpanded: ZBAR_DATABAR_EXP
            }
        }
    }

    /// A code found in an image.
    package struct Code: Sendable, Hashable {
        /// The symbology.
        package var kind: Kind
        /// The contents; nil if they are not UTF-8 text.
        package var text: String?
        /// The corners of the code in pixels, counterclockwise from the top left corner of the upright code. For bar
        /// codes, the corners of the bounding box of the scan positions.
        package var corners: [Corner]
    }

    /// A position in pixels.
    package struct Corner: Sendable, Hashable {
        package var x: Double
        package var y: Double
    }

    /// The kinds to read.
    package let kinds: Set<Kind>
    private let scanner: OpaquePointer

    /// Creates a reader.
    ///
    /// Each kind costs time: all of them take almost three times as long as QR codes alone. Rows and columns are scanned
    /// without gaps, because a coarser scan misses QR codes with modules of two pixels, and some small bar codes.
    ///
    /// - Parameter kinds: The kinds to read.
    /// - Returns: nil if zbar is not installed or memory ran out.
    package init?(_ kinds: Set<Kind> = Set(Kind.allCases)) {
        guard czbar_load() == nil, let scanner = czbar_image_scanner_create() else { return nil }
        self.scanner = scanner
        self.kinds = kinds
        // Without UPC-E, zbar reads a UPC-E code as the EAN-13 code with the same number.
        let enabled = kinds.contains(.ean13) ? kinds.union([.upcE]) : kinds
        czbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
        for kind in enabled { czbar_image_scanner_set_config(scanner, kind.symbol, ZBAR_CFG_ENABLE, 1) }
        czbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_POSITION, 1)
    }

    deinit { czbar_image_scanner_destroy(scanner) }

    /// Reads the codes in the first plane of an image, which contains gray or luma with 8 bits per pixel.
    package func read(_ image: CVPixelBuffer) -> [Code] {
        let (width, height) = (CVPixelBufferGetWidth(image), CVPixelBufferGetHeight(image))
        let gray = [UInt8](unsafeUninitializedCapacity: width * height) { bytes, count in
            image.withPlane(0) { plane in
                for row in 0..<height {
                    UnsafeMutableRawBufferPointer(bytes)[(row * width)..<((row + 1) * width)]
                        .copyBytes(
                            from: UnsafeRawBufferPointer(
                                start: plane.baseAddress + row * plane.bytesPerRow, count: width))
                }
            }
            count = width * height
        }
        return read(gray, width: width, height: height)
    }

    /// Reads the codes in an image, ordered by position: top to bottom, then left to right.
    ///
    /// - Parameter gray: One byte per pixel, rows without padding; `width` times `height` bytes.
    package func read(_ gray: [UInt8], width: Int, height: Int) -> [Code] {
        precondition(gray.count == width * height, "\(gray.count) bytes are not an image of \(width)x\(height)")
        guard width > 0, height > 0, let image = czbar_image_create() else { return [] }
        defer { czbar_image_destroy(image) }
        czbar_image_set_format(image, czbar_gray)
        czbar_image_set_size(image, UInt32(width), UInt32(height))
        var codes: [Code] = []
        gray.withUnsafeBytes { bytes in
            czbar_image_set_data(image, bytes.baseAddress, UInt(bytes.count), nil)
            guard czbar_scan_image(scanner, image) > 0 else { return }
            var symbol = czbar_image_first_symbol(image)
            while let current = symbol {
                if let code = Self.code(current), kinds.contains(code.kind) { codes.append(code) }
                symbol = czbar_symbol_next(current)
            }
        }
        return codes.sorted { Self.isBefore($0, $1) }
    }

    private static func isBefore(_ a: Code, _ b: Code) -> Bool {
        let (first, second) = (a.corners.first ?? Corner(x: 0, y: 0), b.corners.first ?? Corner(x: 0, y: 0))
        return (first.y, first.x, a.kind.rawValue) < (second.y, second.x, b.kind.rawValue)
    }

    private static func code(_ symbol: OpaquePointer) -> Code? {
        let type = czbar_symbol_get_type(symbol)
        guard let kind = Kind.allCases.first(where: { $0.symbol == type }) else { return nil }
        let count = Int(czbar_symbol_get_data_length(symbol))
        let text = czbar_symbol_get_data(symbol).flatMap { data in
            String(validating: UnsafeRawBufferPointer(start: data, count: count), as: UTF8.self)
        }
        let points = (0..<czbar_symbol_get_loc_size(symbol)).map { index in
            Corner(x: Double(czbar_symbol_get_loc_x(symbol, index)), y: Double(czbar_symbol_get_loc_y(symbol, index)))
        }
        guard !points.isEmpty else { return nil }
        return Code(kind: kind, text: text, corners: kind == .qr && points.count == 4 ? points : boundingBox(points))
    }

    private static func boundingBox(_ points: [Corner]) -> [Corner] {
        let (left, right) = (points.map(\.x).min() ?? 0, points.map(\.x).max() ?? 0)
        let (top, bottom) = (points.map(\.y).min() ?? 0, points.map(\.y).max() ?? 0)
        return [
            Corner(x: left, y: top), Corner(x: left, y: bottom), Corner(x: right, y: bottom), Corner(x: right, y: top),
        ]
    }
}
