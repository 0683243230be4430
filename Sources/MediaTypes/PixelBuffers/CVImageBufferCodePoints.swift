// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's; the code points are those of ITU-T H.273.

/// The code point of an unspecified property.
private let unspecified: Int32 = 2

private let matrices: [(name: CFString, code: Int32)] = [
    (kCVImageBufferYCbCrMatrix_ITU_R_709_2, 1), (kCVImageBufferYCbCrMatrix_ITU_R_601_4, 6),
    (kCVImageBufferYCbCrMatrix_SMPTE_240M_1995, 7), (kCVImageBufferYCbCrMatrix_ITU_R_2020, 9),
]

private let primaries: [(name: CFString, code: Int32)] = [
    (kCVImageBufferColorPrimaries_ITU_R_709_2, 1), (kCVImageBufferColorPrimaries_EBU_3213, 5),
    (kCVImageBufferColorPrimaries_SMPTE_C, 6), (kCVImageBufferColorPrimaries_ITU_R_2020, 9),
    (kCVImageBufferColorPrimaries_DCI_P3, 11), (kCVImageBufferColorPrimaries_P3_D65, 12),
    (kCVImageBufferColorPrimaries_P22, 22),
]

private let transferFunctions: [(name: CFString, code: Int32)] = [
    (kCVImageBufferTransferFunction_ITU_R_709_2, 1), (kCVImageBufferTransferFunction_SMPTE_240M_1995, 7),
    (kCVImageBufferTransferFunction_Linear, 8), (kCVImageBufferTransferFunction_sRGB, 13),
    (kCVImageBufferTransferFunction_ITU_R_2020, 14), (kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ, 16),
    (kCVImageBufferTransferFunction_SMPTE_ST_428_1, 17), (kCVImageBufferTransferFunction_ITU_R_2100_HLG, 18),
]

/// A property of colors, with the prefix of the names of code points that have no constant.
private struct ColorProperty {
    let prefix: String
    let names: [(name: CFString, code: Int32)]

    /// Returns the code point of a name: that of a constant, or the number in a name such as `ColorPrimaries#4`.
    func code(of name: CFString?) -> Int32 {
        guard let name else { return unspecified }
        if let known = names.first(where: { $0.name == name }) { return known.code }
        guard name.hasPrefix(prefix), let code = UInt8(name.dropFirst(prefix.count)) else { return unspecified }
        return Int32(code)
    }

    /// Returns the name of a code point; nil for 2 (unspecified) and for numbers that are not code points.
    func name(of code: Int32) -> CFString? {
        if let known = names.first(where: { $0.code == code }) { return known.name }
        return code == unspecified || !(0...255).contains(code) ? nil : prefix + String(code)
    }
}

private let matrix = ColorProperty(prefix: "YCbCrMatrix#", names: matrices)
private let primary = ColorProperty(prefix: "ColorPrimaries#", names: primaries)
private let transfer = ColorProperty(prefix: "TransferFunction#", names: transferFunctions)

/// Returns the code point of a YCbCr matrix; 2 (unspecified) if it has none.
public func CVYCbCrMatrixGetIntegerCodePointForString(_ yCbCrMatrixString: CFString?) -> Int32 {
    matrix.code(of: yCbCrMatrixString)
}

/// Returns the code point of color primaries; 2 (unspecified) if they have none.
public func CVColorPrimariesGetIntegerCodePointForString(_ colorPrimariesString: CFString?) -> Int32 {
    primary.code(of: colorPrimariesString)
}

/// Returns the code point of a transfer function; 2 (unspecified) if it has none.
public func CVTransferFunctionGetIntegerCodePointForString(_ transferFunctionString: CFString?) -> Int32 {
    transfer.code(of: transferFunctionString)
}

/// Returns the YCbCr matrix with a code point, such as `YCbCrMatrix#8` if it has no constant; nil for 2 (unspecified).
public func CVYCbCrMatrixGetStringForIntegerCodePoint(_ yCbCrMatrixCodePoint: Int32) -> CFString? {
    // 5 is BT.470 B/G, with the matrix of BT.601.
    matrix.name(of: yCbCrMatrixCodePoint == 5 ? 6 : yCbCrMatrixCodePoint)
}

/// Returns the color primaries with a code point, such as `ColorPrimaries#8` if they have no constant; nil for 2
/// (unspecified).
public func CVColorPrimariesGetStringForIntegerCodePoint(_ colorPrimariesCodePoint: Int32) -> CFString? {
    // 7 is SMPTE 240M, with the primaries of SMPTE C.
    primary.name(of: colorPrimariesCodePoint == 7 ? 6 : colorPrimariesCodePoint)
}

/// Returns the transfer function with a code point, such as `TransferFunction#4` if it has no constant; nil for 2
/// (unspecified).
public func CVTransferFunctionGetStringForIntegerCodePoint(_ transferFunctionCodePoint: Int32) -> CFString? {
    switch transferFunctionCodePoint {
    // BT.601 has the function of BT.709.
    case 6: kCVImageBufferTransferFunction_ITU_R_709_2
    // BT.2020 with 10 and 12 bits.
    case 15: kCVImageBufferTransferFunction_ITU_R_2020
    default: transfer.name(of: transferFunctionCodePoint)
    }
}

/// Whether buffers can have a compressed pixel format; always false.
public func CVIsCompressedPixelFormatAvailable(_ pixelFormatType: OSType) -> Bool { false }
