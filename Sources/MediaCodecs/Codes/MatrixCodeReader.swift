import CDetectors
import Foundation

/// Reads matrix codes that zbar does not support, with the library that `Sources/Detectors/build` builds.
///
/// - Important: Thread-safe.
package enum MatrixCodeReader {
    /// The symbology of a code, named after its standard.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// ISO/IEC 24778.
        case aztec
        /// ISO/IEC 16022.
        case dataMatrix
        /// ISO/IEC 15438.
        case pdf417

        fileprivate var symbology: obscura_code_kind {
            switch self {
            case .aztec: OBSCURA_CODE_AZTEC
            case .dataMatrix: OBSCURA_CODE_DATA_MATRIX
            case .pdf417: OBSCURA_CODE_PDF417
            }
        }
    }

    /// A code found in an image.
    package struct Code: Sendable, Hashable {
        /// The symbology.
        package var kind: Kind
        /// The contents; nil if they are not text.
        package var text: String?
        /// The corners of the code in pixels, counterclockwise from the top left corner of the upright code.
        package var corners: [BarcodeReader.Corner]
    }

    /// The maximum number of codes that `read` returns.
    package static let capacity = 16
    /// Whether the library is installed. Loads it.
    package static var isAvailable: Bool { cdetectors_load_codes() == nil }
    /// The reason why the library cannot be used, without a final period; nil if it can.
    package static var unavailabilityReason: String? { cdetectors_load_codes().map { String(cString: $0) } }

    /// Reads the codes in an image, ordered by position: top to bottom, then left to right. Returns no codes if the
    /// library is not installed.
    ///
    /// - Parameters:
    ///   - kinds: The symbologies to read.
    ///   - gray: One byte per pixel; rows begin every `bytesPerRow` bytes.
    package static func read(
        _ kinds: Set<Kind>, in gray: UnsafeRawPointer, width: Int, height: Int, bytesPerRow: Int
    ) -> [Code] {
        guard isAvailable, width > 0, height > 0 else { return [] }
        let found = [obscura_code](unsafeUninitializedCapacity: capacity) { codes, count in
            let result = cdetectors_codes_read(
                kinds.reduce(0) { $0 | 1 << $1.symbology.rawValue }, gray.assumingMemoryBound(to: UInt8.self),
                Int32(width), Int32(height), bytesPerRow,
                codes.baseAddress, Int32(codes.count))
            count = max(0, Int(result))
        }
        return found.compactMap { code in
            defer { free(code.text) }
            guard let kind = Kind.allCases.first(where: { $0.symbology == code.kind }) else { return nil }
            let c = code.corners
            return Code(
                kind: kind, text: code.text.map { String(cString: $0) },
                corners: [(c.0, c.1), (c.2, c.3), (c.4, c.5), (c.6, c.7)].map { BarcodeReader.Corner(x: $0.0, y: $0.1) }
            )
        }
    }
}
