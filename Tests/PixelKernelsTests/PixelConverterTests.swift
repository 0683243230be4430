import MediaTypes
import XCTest

@testable import PixelKernels

final class PixelConverterTests: XCTestCase {
    private let converter = PixelConverter()
    private let bt601 = kCVImageBufferYCbCrMatrix_ITU_R_601_4
    private let bt709 = kCVImageBufferYCbCrMatrix_ITU_R_709_2

    /// Rounding to bytes in Y'CbCr costs one or two levels, which decoding amplifies.
    private let tolerance = 3.0

    private func expectedImage(_ image: ReferenceImage, in format: OSType, from: OSType, _ matrix: CFString)
        -> ReferenceImage
    {
        let weights = ReferenceBuffer.encoding(from, matrix)
        let isGray = [from, format].contains(kCVPixelFormatType_OneComponent8)
        return isGray ? image.gray((weights.red, weights.blue)) : image
    }

    func testEveryConversionAgreesWithTheReference() throws {
        let formats = PixelLayout.pixelFormats + PixelLayout.tenBitPixelFormats
        for (index, from) in formats.enumerated() {
            for to in formats {
                for matrix in [bt601, bt709, kCVImageBufferYCbCrMatrix_ITU_R_2020] {
                    let image = ReferenceImage.squares(width: 38, height: 22, seed: UInt64(index))
                    let source = try ReferenceBuffer.make(38, 22, from, matrix: matrix)
                    try ReferenceBuffer.write(image, to: source, matrix: matrix)
                    let target = try ReferenceBuffer.make(38, 22, to, matrix: matrix)
                    try converter.convert(source, to: target)
                    let result = try ReferenceBuffer.read(target, matrix: matrix)
                    let expected = expectedImage(image, in: to, from: from, matrix)
                    XCTAssertLessThanOrEqual(
                        result.distance(to: expected), tolerance,
                        "\(fourCharacterText(from)) to \(fourCharacterText(to)), \(matrix)")
                }
            }
        }
    }

    func testTenBitsAreKeptBetweenFormatsOfTenBits() throws {
        // Each of the 1,024 codes of luma once; chroma is constant in blocks of 2x2.
        func make(_ format: OSType, _ width: Int, _ height: Int) throws -> CVPixelBuffer {
            try ReferenceBuffer.make(width, height, format, matrix: bt709)
        }
        func luma(_ buffer: CVPixelBuffer) throws -> [UInt16] {
            CVPixelBufferLockBaseAddress(buffer, .readOnly)
            defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
            let (base, stride, _) = try ReferenceBuffer.plane(0, of: buffer)
            return (0..<CVPixelBufferGetHeight(buffer)).flatMap { y in
                (0..<CVPixelBufferGetWidth(buffer)).map { x in
                    UInt16(base[y * stride + 2 * x]) | UInt16(base[y * stride + 2 * x + 1]) << 8
                }
            }
        }
        let source = try make(kCVPixelFormatType_420YpCbCr10BiPlanarFullRange, 64, 16)
        CVPixelBufferLockBaseAddress(source, [])
        for plane in 0...1 {
            let (base, stride, rows) = try ReferenceBuffer.plane(plane, of: source)
            for y in 0..<rows {
                for x in 0..<64 {
                    let code = plane == 0 ? y * 64 + x : 300 + y * 32 + x / 2
                    (base[y * stride + 2 * x], base[y * stride + 2 * x + 1]) = (
                        UInt8(code << 6 & 0xff), UInt8(code >> 2)
                    )
                }
            }
        }
        CVPixelBufferUnlockBaseAddress(source, [])
        let codes = try luma(source)
        XCTAssertEqual(codes, (0..<1024).map { UInt16($0) << 6 })
        // Convert to 4:2:2, rotate, and convert back.
        let chroma422 = try make(kCVPixelFormatType_422YpCbCr10BiPlanarFullRange, 64, 16)
        try converter.convert(source, to: chroma422)
        let rotated = try make(kCVPixelFormatType_422YpCbCr10BiPlanarFullRange, 16, 64)
        try converter.convert(chroma422, to: rotated, PixelTransform(rotation: .clockwise90))
        let restored = try make(kCVPixelFormatType_420YpCbCr10BiPlanarFullRange, 64, 16)
        try converter.convert(rotated, to: restored, PixelTransform(rotation: .clockwise270))
        XCTAssertEqual(try luma(restored), codes)
        // Mirror twice.
        let mirrored = try make(kCVPixelFormatType_420YpCbCr10BiPlanarFullRange, 64, 16)
        try converter.convert(source, to: mirrored, PixelTransform(isMirrored: true))
        XCTAssertEqual(try luma(mirrored)[0], UInt16(63) << 6)
        try converter.convert(mirrored, to: restored, PixelTransform(isMirrored: true))
        XCTAssertEqual(try luma(restored), codes)
        XCTAssertEqual(try PixelChecksum(restored).value, try PixelChecksum(source).value, "chroma, too")
        // The video range has 876 steps, so that each code is at most one off.
        let video = try make(kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, 64, 16)
        try converter.convert(source, to: video)
        XCTAssertEqual(try luma(video).min(), 64 << 6)
        XCTAssertEqual(try luma(video).max(), 940 << 6)
        try converter.convert(video, to: restored)
        XCTAssertTrue(zip(try luma(restored), codes).allSatisfy { abs(Int($0 >> 6) - Int($1 >> 6)) <= 1 })
        // Convert to 8 bits and back.
        let bytes = try ReferenceBuffer.make(64, 16, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, matrix: bt709)
        try converter.convert(source, to: bytes)
        try converter.convert(bytes, to: restored)
        XCTAssertTrue(zip(try luma(restored), codes).allSatisfy { abs(Int($0 >> 6) - Int($1 >> 6)) <= 3 })
    }

    func testColorsAreConvertedToTheMatrixOfTheDestination() throws {
        let image = ReferenceImage.squares(width: 16, height: 8, seed: 3)
        for format in [kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_422YpCbCr8] {
            let source = try ReferenceBuffer.make(16, 8, format, matrix: bt601)
            try ReferenceBuffer.write(image, to: source, matrix: bt601)
            let target = try ReferenceBuffer.make(
                16, 8, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, matrix: bt709)
            try converter.convert(source, to: target)
            XCTAssertLessThanOrEqual(
                try ReferenceBuffer.read(target, matrix: bt709).distance(to: image), tolerance)
        }
    }

    func testAnUntaggedDestinationIsTaggedWithTheSourcesMatrix() throws {
        let source = try ReferenceBuffer.make(16, 8, kCVPixelFormatType_420YpCbCr8Planar, matrix: bt709)
        let target = try ReferenceBuffer.make(16, 8, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        try converter.convert(source, to: target)
        XCTAssertEqual(CVBufferCopyAttachment(target, kCVImageBufferYCbCrMatrixKey, nil) as? String, bt709)
        XCTAssertEqual(try PixelChecksum(target).value, try PixelChecksum(copyAsBiplanar(source)).value)
    }

    /// Returns the same values in the biplanar layout, copied byte by byte.
    private func copyAsBiplanar(_ source: CVPixelBuffer) throws -> CVPixelBuffer {
        let target = try ReferenceBuffer.make(16, 8, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        CVPixelBufferLockBaseAddress(source, .readOnly)
        CVPixelBufferLockBaseAddress(target, [])
        defer {
            CVPixelBufferUnlockBaseAddress(source, .readOnly)
            CVPixelBufferUnlockBaseAddress(target, [])
        }
        let (y, yStride, _) = try ReferenceBuffer.plane(0, of: source)
        let (cb, cbStride, _) = try ReferenceBuffer.plane(1, of: source)
        let (cr, crStride, _) = try ReferenceBuffer.plane(2, of: source)
        let (luma, lumaStride, _) = try ReferenceBuffer.plane(0, of: target)
        let (chroma, chromaStride, _) = try ReferenceBuffer.plane(1, of: target)
        for row in 0..<8 { for x in 0..<16 { luma[row * lumaStride + x] = y[row * yStride + x] } }
        for row in 0..<4 {
            for x in 0..<8 {
                chroma[row * chromaStride + 2 * x] = cb[row * cbStride + x]
                chroma[row * chromaStride + 2 * x + 1] = cr[row * crStride + x]
            }
        }
        return target
    }

    func testUntaggedImagesAreBT709From720RowsOn() throws {
        for (height, matrix) in [(718, bt601), (720, bt709)] {
            let source = try ReferenceBuffer.make(4, height, kCVPixelFormatType_32BGRA)
            let target = try ReferenceBuffer.make(4, height, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            try converter.convert(source, to: target)
            XCTAssertEqual(CVBufferCopyAttachment(target, kCVImageBufferYCbCrMatrixKey, nil) as? String, matrix)
        }
    }

    func testWhiteBlackAndGraysAreExact() throws {
        for (format, range) in [
            (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, 16...235),
            (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 0...255),
        ] {
            for matrix in [bt601, bt709] {
                let image = ReferenceImage(width: 512, height: 2) { x, _ in
                    let level = Double(x / 2)
                    return .init(red: level, green: level, blue: level)
                }
                let source = try ReferenceBuffer.make(512, 2, kCVPixelFormatType_32BGRA)
                try ReferenceBuffer.write(image, to: source, matrix: matrix)
                let target = try ReferenceBuffer.make(512, 2, format, matrix: matrix)
                try converter.convert(source, to: target)
                CVPixelBufferLockBaseAddress(target, .readOnly)
                defer { CVPixelBufferUnlockBaseAddress(target, .readOnly) }
                let (luma, _, _) = try ReferenceBuffer.plane(0, of: target)
                let (chroma, _, _) = try ReferenceBuffer.plane(1, of: target)
                XCTAssertEqual(Int(luma[0]), range.lowerBound)
                XCTAssertEqual(Int(luma[511]), range.upperBound)
                XCTAssertTrue((0..<512).allSatisfy { chroma[$0] == 128 })
            }
        }
    }

    func testValueRangesAreConvertedExactly() throws {
        let source = try ReferenceBuffer.make(256, 2, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, matrix: bt601)
        CVPixelBufferLockBaseAddress(source, [])
        let (luma, _, _) = try ReferenceBuffer.plane(0, of: source)
        let (chroma, _, _) = try ReferenceBuffer.plane(1, of: source)
        for x in 0..<256 {
            luma[x] = UInt8(x)
            chroma[x] = UInt8(x)
        }
        CVPixelBufferUnlockBaseAddress(source, [])
        let target = try ReferenceBuffer.make(256, 2, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, matrix: bt601)
        try converter.convert(source, to: target)
        CVPixelBufferLockBaseAddress(target, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(target, .readOnly) }
        let (fullLuma, _, _) = try ReferenceBuffer.plane(0, of: target)
        let (fullChroma, _, _) = try ReferenceBuffer.plane(1, of: target)
        for x in 0..<256 {
            let y = min(max((Double(x) - 16) * 255 / 219, 0), 255).rounded()
            let c = min(max((Double(x) - 128) * 255 / 224 + 128, 0), 255).rounded()
            XCTAssertEqual(Double(fullLuma[x]), y)
            XCTAssertEqual(Double(fullChroma[x]), c)
        }
    }

    func testOddSizesAreConvertedUpToTheirLastPixel() throws {
        for format in PixelLayout.pixelFormats + PixelLayout.tenBitPixelFormats {
            let image = ReferenceImage.squares(width: 7, height: 5, seed: 9)
            let source = try ReferenceBuffer.make(7, 5, kCVPixelFormatType_32BGRA)
            try ReferenceBuffer.write(image, to: source, matrix: bt601)
            let intermediate = try ReferenceBuffer.make(7, 5, format, matrix: bt601)
            try converter.convert(source, to: intermediate)
            let target = try ReferenceBuffer.make(7, 5, kCVPixelFormatType_32BGRA)
            try converter.convert(intermediate, to: target)
            let expected = format == kCVPixelFormatType_OneComponent8 ? image.gray((0.299, 0.114)) : image
            XCTAssertLessThanOrEqual(
                try ReferenceBuffer.read(target, matrix: bt601).distance(to: expected), tolerance,
                fourCharacterText(format))
        }
    }

    func testAlphaIsOpaqueByDefaultAndCopiedIfPresent() throws {
        let yuv = try ReferenceBuffer.make(4, 2, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        let argb = try ReferenceBuffer.make(4, 2, kCVPixelFormatType_32ARGB)
        try converter.convert(yuv, to: argb)
        let bgra = try ReferenceBuffer.make(4, 2, kCVPixelFormatType_32BGRA)
        CVPixelBufferLockBaseAddress(argb, [])
        let (pixels, _, _) = try ReferenceBuffer.plane(0, of: argb)
        XCTAssertEqual(pixels[0], 255)
        pixels[0] = 77
        CVPixelBufferUnlockBaseAddress(argb, [])
        try converter.convert(argb, to: bgra)
        CVPixelBufferLockBaseAddress(bgra, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(bgra, .readOnly) }
        let (copied, _, _) = try ReferenceBuffer.plane(0, of: bgra)
        XCTAssertEqual(copied[3], 77)
        XCTAssertEqual(copied[7], 255)
    }

    func testTheErrorOfAnUnsupportedFormatContainsItsCode() throws {
        let source = try ReferenceBuffer.make(4, 4, kCVPixelFormatType_DepthFloat32)
        let target = try ReferenceBuffer.make(4, 4, kCVPixelFormatType_32BGRA)
        XCTAssertThrowsError(try converter.convert(source, to: target)) { error in
            XCTAssertEqual((error as? ImageError)?.code, .unsupportedFormat)
            XCTAssertTrue("\(error)".contains("fdep"), "\(error)")
        }
    }

    func testScratchMemoryIsReused() {
        let scratch = ScratchMemory()
        let first = scratch.bytes(.scaled, count: 1000)
        XCTAssertEqual(scratch.bytes(.scaled, count: 900), first)
        XCTAssertEqual(scratch.bytes(.scaled, count: 1000), first)
        XCTAssertNotEqual(scratch.bytes(.oriented, count: 1000), first)
    }
}
