public import Foundation

/// The contents and structure of a barcode or two-dimensional code, independent of an image.
///
/// - Important: Thread-safe, immutable.
public class CIBarcodeDescriptor: NSObject, NSCopying, @unchecked Sendable {
    // SAFETY: immutable, also in subclasses.
    override init() {}

    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The symbol of a QR code (ISO/IEC 18004).
public final class CIQRCodeDescriptor: CIBarcodeDescriptor, @unchecked Sendable {
    // SAFETY: immutable, like the superclass.
    /// The level of error correction: about 7, 15, 25 or 30 percent of the codewords can be restored.
    public enum ErrorCorrectionLevel: Int, Sendable {
        case levelL = 76
        case levelM = 77
        case levelQ = 81
        case levelH = 72
    }

    /// The data codewords, without the codewords for error correction.
    public let errorCorrectedPayload: Data
    /// 1 (21 × 21 modules) to 40 (177 × 177 modules).
    public let symbolVersion: Int
    /// 0 to 7.
    public let maskPattern: UInt8
    public let errorCorrectionLevel: ErrorCorrectionLevel

    /// Creates a symbol; nil if the version or the mask pattern is out of range.
    public init?(
        payload errorCorrectedPayload: Data, symbolVersion: Int, maskPattern: UInt8,
        errorCorrectionLevel: ErrorCorrectionLevel
    ) {
        guard (1...40).contains(symbolVersion), maskPattern <= 7 else { return nil }
        self.errorCorrectedPayload = errorCorrectedPayload
        self.symbolVersion = symbolVersion
        self.maskPattern = maskPattern
        self.errorCorrectionLevel = errorCorrectionLevel
        super.init()
    }
}

/// The symbol of an Aztec code (ISO/IEC 24778).
public final class CIAztecCodeDescriptor: CIBarcodeDescriptor, @unchecked Sendable {
    // SAFETY: immutable, like the superclass.
    /// The data codewords, without the codewords for error correction.
    public let errorCorrectedPayload: Data
    public let isCompact: Bool
    /// 1 to 4 for compact symbols, else 1 to 32.
    public let layerCount: Int
    /// 1 to 2048.
    public let dataCodewordCount: Int

    /// Creates a symbol; nil if a count is out of range.
    public init?(payload errorCorrectedPayload: Data, isCompact: Bool, layerCount: Int, dataCodewordCount: Int) {
        guard (1...(isCompact ? 4 : 32)).contains(layerCount), (1...2048).contains(dataCodewordCount) else {
            return nil
        }
        self.errorCorrectedPayload = errorCorrectedPayload
        self.isCompact = isCompact
        self.layerCount = layerCount
        self.dataCodewordCount = dataCodewordCount
        super.init()
    }
}

/// The symbol of a PDF417 code (ISO/IEC 15438).
public final class CIPDF417CodeDescriptor: CIBarcodeDescriptor, @unchecked Sendable {
    // SAFETY: immutable, like the superclass.
    /// The data codewords, without the codewords for error correction.
    public let errorCorrectedPayload: Data
    public let isCompact: Bool
    /// 3 to 90.
    public let rowCount: Int
    /// 1 to 30, without the row indicators.
    public let columnCount: Int

    /// Creates a symbol; nil if a count is out of range.
    public init?(payload errorCorrectedPayload: Data, isCompact: Bool, rowCount: Int, columnCount: Int) {
        guard (3...90).contains(rowCount), (1...30).contains(columnCount) else { return nil }
        self.errorCorrectedPayload = errorCorrectedPayload
        self.isCompact = isCompact
        self.rowCount = rowCount
        self.columnCount = columnCount
        super.init()
    }
}

/// The symbol of a Data Matrix code (ISO/IEC 16022).
public final class CIDataMatrixCodeDescriptor: CIBarcodeDescriptor, @unchecked Sendable {
    // SAFETY: immutable, like the superclass.
    /// The algorithm of the error correction.
    public enum ECCVersion: Int, Sendable {
        case v000 = 0
        case v050 = 50
        case v080 = 80
        case v100 = 100
        case v140 = 140
        case v200 = 200
    }

    /// The data codewords, without the codewords for error correction.
    public let errorCorrectedPayload: Data
    /// In modules; 8 to 144.
    public let rowCount: Int
    /// In modules; 9 to 144.
    public let columnCount: Int
    public let eccVersion: ECCVersion

    /// Creates a symbol; nil if a count is out of range.
    public init?(payload errorCorrectedPayload: Data, rowCount: Int, columnCount: Int, eccVersion: ECCVersion) {
        guard (8...144).contains(rowCount), (9...144).contains(columnCount) else { return nil }
        self.errorCorrectedPayload = errorCorrectedPayload
        self.rowCount = rowCount
        self.columnCount = columnCount
        self.eccVersion = eccVersion
        super.init()
    }
}
