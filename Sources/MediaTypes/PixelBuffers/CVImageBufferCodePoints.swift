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

private func code(of name: CFString?, in table: [(name: CFString, code: Int32)]) -> Int32 {
    table.first { $0.name == name }?.code ?? unspecified
}

/// Returns the code point of a YCbCr matrix; 2 (unspecified) if it has none.
public func CVYCbCrMatrixGetIntegerCodePointForString(_ yCbCrMatrixString: CFString?) -> Int32 {
    code(of: yCbCrMatrixString, in: matrices)
}

/// Returns the code point of color primaries; 2 (unspecified) if they have none.
public func CVColorPrimariesGetIntegerCodePointForString(_ colorPrimariesString: CFString?) -> Int32 {
    code(of: colorPrimariesString, in: primaries)
}

/// Returns the code point of a transfer function; 2 (unspecified) if it has none.
public func CVTransferFunctionGetIntegerCodePointForString(_ transferFunctionString: CFString?) -> Int32 {
    code(of: transferFunctionString, in: transferFunctions)
}

/// Returns the YCbCr matrix with a code point; nil if there is none.
public func CVYCbCrMatrixGetStringForIntegerCodePoint(_ yCbCrMatrixCodePoint: Int32) -> CFString? {
    // 5 is BT.470 B/G, with the matrix of BT.601.
    matrices.first { $0.code == (yCbCrMatrixCodePoint == 5 ? 6 : yCbCrMatrixCodePoint) }?.name
}

/// Returns the color primaries with a code point; nil if there are none.
public func CVColorPrimariesGetStringForIntegerCodePoint(_ colorPrimariesCodePoint: Int32) -> CFString? {
    primaries.first { $0.code == colorPrimariesCodePoint }?.name
}

/// Returns the transfer function with a code point; nil if there is none.
public func CVTransferFunctionGetStringForIntegerCodePoint(_ transferFunctionCodePoint: Int32) -> CFString? {
    switch transferFunctionCodePoint {
    // BT.601 has the function of BT.709.
    case 6: kCVImageBufferTransferFunction_ITU_R_709_2
    // BT.2020 with 10 and 12 bits.
    case 15: kCVImageBufferTransferFunction_ITU_R_2020
    default: transferFunctions.first { $0.code == transferFunctionCodePoint }?.name
    }
}

/// Whether buffers can have a compressed pixel format; always false.
public func CVIsCompressedPixelFormatAvailable(_ pixelFormatType: OSType) -> Bool { false }
