import CLinuxDevices
import MediaTypes
import XCTest

@testable import LinuxDevices

/// Compares the unpacking functions with a pixel-by-pixel implementation of "Image Formats" in the kernel's
/// documentation.
final class V4L2UnpackingReferenceTests: XCTestCase {
    /// A frame of pseudorandom bytes in a driver's format.
    private struct Source {
        let format: V4L2PixelFormat
        let layout: V4L2FrameLayout
        let width: Int
        let height: Int
        /// The bytes of each memory plane.
        var memories: [[UInt8]]

        /// - Parameter padding: The number of unused bytes at the end of each row.
        init(_ format: V4L2PixelFormat, _ width: Int, _ height: Int, padding: Int) {
            let unpadded = V4L2FrameLayout(format, width: width, height: height, bytesPerRow: [])
            let strides = (0..<format.memoryPlaneCount).map { memory in
                (unpadded.planes.first { $0.memoryPlane == memory }?.bytesPerRow ?? 0) + padding
            }
            self.format = format
            (self.width, self.height) = (width, height)
            layout = V4L2FrameLayout(format, width: width, height: height, bytesPerRow: strides)
            var state = UInt64(width * 131 + height) &+ UInt64(format.fourcc)
            memories = layout.byteCounts.map { count in
                (0..<count).map { _ in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return UInt8(truncatingIfNeeded: state >> 40)
                }
            }
        }

        /// Returns a byte of a plane; `column` is in bytes.
        func byte(_ plane: Int, _ row: Int, _ column: Int) -> Int {
            let planeLayout = layout.planes[plane]
            return Int(memories[planeLayout.memoryPlane][planeLayout.offset + row * planeLayout.bytesPerRow + column])
        }

        /// Returns the bytes of each plane of the unpacked frame, without the padding of the rows.
        func unpacked(isFullRange: Bool = false) throws -> [[Int]] {
            guard case .pixels(let code) = format.encoding(isFullRange: isFullRange) else { return [] }
            let pool = CVPixelBufferPool(width: width, height: height, pixelFormat: code, maximumBufferCount: 1)
            let pixelBuffer = try XCTUnwrap(pool.makeBuffer())
            var copies = memories
            var bases: [UnsafeMutableBufferPointer<UInt8>] = []
            for index in copies.indices {
                bases.append(.allocate(capacity: copies[index].count))
                _ = bases[index].initialize(from: copies[index])
            }
            copies = []
            defer { for base in bases { base.deallocate() } }
            let planes = try layout.planes.map { plane in
                let base = UnsafeMutableRawPointer(try XCTUnwrap(bases[plane.memoryPlane].baseAddress))
                return PixelPlane(
                    baseAddress: base + plane.offset, width: plane.width, height: plane.height,
                    bytesPerRow: plane.bytesPerRow)
            }
            try XCTUnwrap(format.unpacking).unpack(planes, into: pixelBuffer)
            return (0..<max(1, pixelBuffer.format.planes.count)).map { index in
                pixelBuffer.withPlane(index) { plane in
                    let count = pixelBuffer.format.planes[index].byteCount(ofColumns: plane.width)
                    return (0..<plane.height).flatMap { row in
                        (0..<count).map {
                            Int(plane.baseAddress.load(fromByteOffset: row * plane.bytesPerRow + $0, as: UInt8.self))
                        }
                    }
                }
            }
        }
    }

    /// Compares frames of critical sizes: odd sizes, single rows, and more columns than the unpacking functions process
    /// at once.
    private func check(
        _ fourcc: UInt32, code: OSType? = nil, _ reference: (Source) -> [[Int]], file: StaticString = #filePath,
        line: UInt = #line
    ) throws {
        let formats = V4L2PixelFormat.formats(fourcc).filter { $0.unpacking != nil && (code == nil || $0.code == code) }
        let format = try XCTUnwrap(formats.first, file: file, line: line)
        for (width, height, padding) in [(8, 4, 0), (5, 3, 7), (2, 2, 1), (1, 1, 0), (1030, 3, 2)] {
            let source = Source(format, width, height, padding: padding)
            let (actual, expected) = (try source.unpacked(), reference(source))
            XCTAssertTrue(actual == expected, "\(fourcc) \(width)x\(height)", file: file, line: line)
            if actual != expected {
                let difference = zip(actual.joined(), expected.joined()).enumerated().first { $1.0 != $1.1 }
                XCTFail("byte \(String(describing: difference))", file: file, line: line)
            }
        }
    }

    // MARK: One sample per pixel

    /// Returns the sample of `bits` bits at a position, according to the documentation of the format.
    private func sample(_ source: Source, _ bits: Int, isPacked: Bool, isBigEndian: Bool, _ x: Int, _ y: Int) -> Int {
        if bits == 8 { return source.byte(0, y, x) }
        if !isPacked {
            let (first, second) = (source.byte(0, y, 2 * x), source.byte(0, y, 2 * x + 1))
            return min(isBigEndian ? first << 8 | second : second << 8 | first, 1 << bits - 1)
        }
        switch bits {
        case 10:
            let low = source.byte(0, y, x / 4 * 5 + 4) >> (x % 4 * 2) & 3
            return source.byte(0, y, x / 4 * 5 + x % 4) << 2 | low
        case 12:
            let low = source.byte(0, y, x / 2 * 3 + 2) >> (x % 2 * 4) & 15
            return source.byte(0, y, x / 2 * 3 + x % 2) << 4 | low
        default:
            // The first sample has the lowest six of 24 bits.
            let lowBits = (0..<3).reduce(0) { $0 | source.byte(0, y, x / 4 * 7 + 4 + $1) << (8 * $1) }
            return source.byte(0, y, x / 4 * 7 + x % 4) << 6 | lowBits >> (x % 4 * 6) & 63
        }
    }

    func testGrayWithMoreThanEightBitsKeepsItsUpperBits() throws {
        for (fourcc, bits, isPacked, isBigEndian) in [
            (clinuxdevices_V4L2_PIX_FMT_Y10, 10, false, false), (clinuxdevices_V4L2_PIX_FMT_Y10P, 10, true, false),
            (clinuxdevices_V4L2_PIX_FMT_Y12, 12, false, false), (clinuxdevices_V4L2_PIX_FMT_Y14, 14, false, false),
            (clinuxdevices_V4L2_PIX_FMT_Y16, 16, false, false), (clinuxdevices_V4L2_PIX_FMT_Y16_BE, 16, false, true),
        ] {
            func all(_ source: Source, _ value: (Int) -> [Int]) -> [[Int]] {
                let positions = (0..<source.height).flatMap { y in (0..<source.width).map { ($0, y) } }
                return [
                    positions.flatMap { x, y in
                        value(sample(source, bits, isPacked: isPacked, isBigEndian: isBigEndian, x, y))
                    }
                ]
            }
            try check(fourcc, code: kCVPixelFormatType_OneComponent8) { all($0) { [$0 >> (bits - 8)] } }
            let deep = try XCTUnwrap(V4L2PixelFormat.formats(fourcc).last)
            XCTAssertEqual(deep.rank, .unconverted)
            XCTAssertNotEqual(deep.code, kCVPixelFormatType_OneComponent8)
            guard fourcc != clinuxdevices_V4L2_PIX_FMT_Y16 else {
                XCTAssertNil(deep.unpacking)
                continue
            }
            try check(fourcc, code: deep.code) { source in
                all(source) { value in
                    let word = value << (16 - bits)
                    return [word & 255, word >> 8]
                }
            }
        }
    }

    func testAllBayerFormatsAreConvertedToColor() throws {
        for (fourccs, bits, isPacked) in Self.mosaics {
            for (fourcc, red) in zip(fourccs, [(1, 1), (0, 1), (1, 0), (0, 0)]) {
                try check(fourcc) { source in
                    [
                        demosaicked(source, red) {
                            sample(source, bits, isPacked: isPacked, isBigEndian: false, $0, $1)
                        }.map { $0 == 255 << 8 ? 255 : $0 >> (bits - 8) }
                    ]
                }
            }
        }
    }

    /// Returns blue, green, red and alpha of each pixel. Colors have the bits of the samples; alpha is 255 << 8.
    ///
    /// - Parameter red: The position of red in each cell of 2x2 samples.
    private func demosaicked(
        _ source: Source, _ red: (x: Int, y: Int), _ sample: (Int, Int) -> Int
    ) -> [Int] {
        /// Mirrors a position outside the frame at the frame's edge.
        func inside(_ position: Int, _ count: Int) -> Int {
            let mirrored = position < 0 ? -position : position >= count ? 2 * count - 2 - position : position
            return min(max(mirrored, 0), count - 1)
        }
        // In a single row or column, the pixel is its own neighbor.
        func value(_ x: Int, _ y: Int) -> Int { sample(inside(x, source.width), inside(y, source.height)) }
        var result: [Int] = []
        for y in 0..<source.height {
            for x in 0..<source.width {
                let isRedColumn = x % 2 == red.x
                let isRedRow = y % 2 == red.y
                let row = (value(x - 1, y) + value(x + 1, y) + 1) / 2
                let column = (value(x, y - 1) + value(x, y + 1) + 1) / 2
                let cross = (value(x - 1, y) + value(x + 1, y) + value(x, y - 1) + value(x, y + 1) + 2) / 4
                let corners =
                    (value(x - 1, y - 1) + value(x + 1, y - 1) + value(x - 1, y + 1) + value(x + 1, y + 1) + 2) / 4
                let (r, g, b): (Int, Int, Int) =
                    switch (isRedColumn, isRedRow) {
                    case (true, true): (value(x, y), cross, corners)
                    case (false, false): (corners, cross, value(x, y))
                    case (false, true): (row, value(x, y), column)
                    case (true, false): (column, value(x, y), row)
                    }
                result += [b, g, r, 255 << 8]
            }
        }
        return result
    }

    /// The Bayer formats in the order BGGR, GBRG, GRBG, RGGB, the bits per sample, and whether samples are packed.
    private static let mosaics: [([UInt32], Int, Bool)] = [
        (
            [
                clinuxdevices_V4L2_PIX_FMT_SBGGR8, clinuxdevices_V4L2_PIX_FMT_SGBRG8,
                clinuxdevices_V4L2_PIX_FMT_SGRBG8, clinuxdevices_V4L2_PIX_FMT_SRGGB8,
            ], 8, false
        ),
        (
            [
                clinuxdevices_V4L2_PIX_FMT_SBGGR10, clinuxdevices_V4L2_PIX_FMT_SGBRG10,
                clinuxdevices_V4L2_PIX_FMT_SGRBG10, clinuxdevices_V4L2_PIX_FMT_SRGGB10,
            ], 10, false
        ),
        (
            [
                clinuxdevices_V4L2_PIX_FMT_SBGGR10P, clinuxdevices_V4L2_PIX_FMT_SGBRG10P,
                clinuxdevices_V4L2_PIX_FMT_SGRBG10P, clinuxdevices_V4L2_PIX_FMT_SRGGB10P,
            ], 10, true
        ),
        (
            [
                clinuxdevices_V4L2_PIX_FMT_SBGGR12, clinuxdevices_V4L2_PIX_FMT_SGBRG12,
                clinuxdevices_V4L2_PIX_FMT_SGRBG12, clinuxdevices_V4L2_PIX_FMT_SRGGB12,
            ], 12, false
        ),
        (
            [
                clinuxdevices_V4L2_PIX_FMT_SBGGR12P, clinuxdevices_V4L2_PIX_FMT_SGBRG12P,
                clinuxdevices_V4L2_PIX_FMT_SGRBG12P, clinuxdevices_V4L2_PIX_FMT_SRGGB12P,
            ], 12, true
        ),
        (
            [
                clinuxdevices_V4L2_PIX_FMT_SBGGR14P, clinuxdevices_V4L2_PIX_FMT_SGBRG14P,
                clinuxdevices_V4L2_PIX_FMT_SGRBG14P, clinuxdevices_V4L2_PIX_FMT_SRGGB14P,
            ], 14, true
        ),
        (
            [
                clinuxdevices_V4L2_PIX_FMT_SBGGR16, clinuxdevices_V4L2_PIX_FMT_SGBRG16,
                clinuxdevices_V4L2_PIX_FMT_SGRBG16, clinuxdevices_V4L2_PIX_FMT_SRGGB16,
            ], 16, false
        ),
    ]

    // MARK: Y'CbCr

    /// Returns packed 4:2:2 bytes in the order Y, Cb, Y, Cr. Each pair of pixels has the mean of its chroma.
    private func yuvs(_ source: Source, _ component: (_ x: Int, _ y: Int) -> (y: Int, cb: Int, cr: Int)) -> [[Int]] {
        var result: [Int] = []
        for y in 0..<source.height {
            for x in stride(from: 0, to: source.width, by: 2) {
                let left = component(x, y)
                let right = x + 1 < source.width ? component(x + 1, y) : left
                result += [left.y, (left.cb + right.cb + 1) / 2, right.y, (left.cr + right.cr + 1) / 2]
            }
        }
        return [result]
    }

    func testAllYCbCrLayoutsAreRepacked() throws {
        typealias ComponentReader = (Source, Int, Int) -> (y: Int, cb: Int, cr: Int)
        func packed422(_ y: Int, _ cb: Int, _ cr: Int) -> ComponentReader {
            { s, x, row in (s.byte(0, row, 2 * x + y), s.byte(0, row, x / 2 * 4 + cb), s.byte(0, row, x / 2 * 4 + cr)) }
        }
        func packed444(_ bytesPerPixel: Int, _ y: Int, _ cb: Int, _ cr: Int) -> ComponentReader {
            { s, x, row in
                let pixel = bytesPerPixel * x
                return (s.byte(0, row, pixel + y), s.byte(0, row, pixel + cb), s.byte(0, row, pixel + cr))
            }
        }
        func semiPlanar(_ subsampling: Int, _ cb: Int, _ cr: Int) -> ComponentReader {
            { s, x, row in
                (s.byte(0, row, x), s.byte(1, row, x / subsampling * 2 + cb), s.byte(1, row, x / subsampling * 2 + cr))
            }
        }
        func planar(_ subsampling: Int) -> ComponentReader {
            { s, x, row in (s.byte(0, row, x), s.byte(1, row, x / subsampling), s.byte(2, row, x / subsampling)) }
        }
        let formats: [(UInt32, ComponentReader)] = [
            (clinuxdevices_V4L2_PIX_FMT_YVYU, packed422(0, 3, 1)),
            (clinuxdevices_V4L2_PIX_FMT_VYUY, packed422(1, 2, 0)),
            (clinuxdevices_V4L2_PIX_FMT_NV16, semiPlanar(2, 0, 1)),
            (clinuxdevices_V4L2_PIX_FMT_NV16M, semiPlanar(2, 0, 1)),
            (clinuxdevices_V4L2_PIX_FMT_NV61, semiPlanar(2, 1, 0)),
            (clinuxdevices_V4L2_PIX_FMT_NV61M, semiPlanar(2, 1, 0)),
            (clinuxdevices_V4L2_PIX_FMT_NV24, semiPlanar(1, 0, 1)),
            (clinuxdevices_V4L2_PIX_FMT_NV42, semiPlanar(1, 1, 0)), (clinuxdevices_V4L2_PIX_FMT_YUV422P, planar(2)),
            (clinuxdevices_V4L2_PIX_FMT_YUV422M, planar(2)), (clinuxdevices_V4L2_PIX_FMT_YUV444M, planar(1)),
            (clinuxdevices_V4L2_PIX_FMT_YUV24, packed444(3, 0, 1, 2)),
            (clinuxdevices_V4L2_PIX_FMT_YUV32, packed444(4, 1, 2, 3)),
            (clinuxdevices_V4L2_PIX_FMT_AYUV32, packed444(4, 1, 2, 3)),
            (clinuxdevices_V4L2_PIX_FMT_XYUV32, packed444(4, 1, 2, 3)),
            (clinuxdevices_V4L2_PIX_FMT_VUYA32, packed444(4, 2, 1, 0)),
            (clinuxdevices_V4L2_PIX_FMT_VUYX32, packed444(4, 2, 1, 0)),
            (clinuxdevices_V4L2_PIX_FMT_YUVA32, packed444(4, 0, 1, 2)),
            (clinuxdevices_V4L2_PIX_FMT_YUVX32, packed444(4, 0, 1, 2)),
        ]
        for (fourcc, reader) in formats { try check(fourcc) { s in yuvs(s) { reader(s, $0, $1) } } }
    }

    func testPlanesWithCrFirstAreSwapped() throws {
        for (fourcc, crMemory, cbMemory, subsampling) in [
            (clinuxdevices_V4L2_PIX_FMT_YVU422M, 1, 2, 2), (clinuxdevices_V4L2_PIX_FMT_YVU444M, 1, 2, 1),
        ] {
            let format = try XCTUnwrap(V4L2PixelFormat.formats(fourcc).first)
            let source = Source(format, 6, 2, padding: 0)
            let expected = yuvs(source) { x, y in
                let chroma = (y * (6 / subsampling)) + x / subsampling
                return (
                    Int(source.memories[0][y * 6 + x]), Int(source.memories[cbMemory][chroma]),
                    Int(source.memories[crMemory][chroma])
                )
            }
            XCTAssertEqual(try source.unpacked(), expected)
        }
    }

    func testTenBitChromaAndLumaKeepTheirUpperBytes() throws {
        try check(clinuxdevices_V4L2_PIX_FMT_P010) { source in
            let (columns, rows) = ((source.width + 1) / 2, (source.height + 1) / 2)
            return [
                (0..<source.height).flatMap { y in (0..<source.width).map { source.byte(0, y, 2 * $0 + 1) } },
                (0..<rows).flatMap { y in (0..<2 * columns).map { source.byte(1, y, 2 * $0 + 1) } },
            ]
        }
        XCTAssertEqual(
            V4L2PixelFormat.formats(clinuxdevices_V4L2_PIX_FMT_P010).map(\.code),
            [
                kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange,
            ])
    }

    // MARK: RGB

    func testSixteenBitRGBIsConvertedToBGRA() throws {
        // The lowest bit of red, green and blue, their numbers of bits, and whether the first byte is the upper one.
        let formats: [(UInt32, [Int], [Int], Bool)] = [
            (clinuxdevices_V4L2_PIX_FMT_RGB565, [11, 5, 0], [5, 6, 5], false),
            (clinuxdevices_V4L2_PIX_FMT_RGB565X, [11, 5, 0], [5, 6, 5], true),
            (clinuxdevices_V4L2_PIX_FMT_XRGB555, [10, 5, 0], [5, 5, 5], false),
            (clinuxdevices_V4L2_PIX_FMT_ARGB555X, [10, 5, 0], [5, 5, 5], true),
            (clinuxdevices_V4L2_PIX_FMT_RGBX555, [11, 6, 1], [5, 5, 5], false),
            (clinuxdevices_V4L2_PIX_FMT_XBGR555, [0, 5, 10], [5, 5, 5], false),
            (clinuxdevices_V4L2_PIX_FMT_BGRX555, [1, 6, 11], [5, 5, 5], false),
            (clinuxdevices_V4L2_PIX_FMT_RGB444, [8, 4, 0], [4, 4, 4], false),
            (clinuxdevices_V4L2_PIX_FMT_RGBX444, [12, 8, 4], [4, 4, 4], false),
            (clinuxdevices_V4L2_PIX_FMT_XBGR444, [0, 4, 8], [4, 4, 4], false),
            (clinuxdevices_V4L2_PIX_FMT_BGRX444, [4, 8, 12], [4, 4, 4], false),
        ]
        for (fourcc, shifts, counts, isBigEndian) in formats {
            try check(fourcc) { source in
                [
                    (0..<source.height).flatMap { y in
                        (0..<source.width).flatMap { x -> [Int] in
                            let (first, second) = (source.byte(0, y, 2 * x), source.byte(0, y, 2 * x + 1))
                            let word = isBigEndian ? first << 8 | second : second << 8 | first
                            let (r, g, b) = (0, 1, 2)
                            func channel(_ index: Int) -> Int {
                                // The bits, replicated into the lower bits, truncated to eight.
                                let value = word >> shifts[index] & (1 << counts[index] - 1)
                                return (value << counts[index] | value) >> (2 * counts[index] - 8)
                            }
                            return [channel(b), channel(g), channel(r), 255]
                        }
                    }
                ]
            }
        }
    }

    func testTheUnusedByteOf32BitRGBBecomesOpaqueAlpha() throws {
        for (fourcc, red, green, blue) in [
            (clinuxdevices_V4L2_PIX_FMT_XBGR32, 2, 1, 0), (clinuxdevices_V4L2_PIX_FMT_BGR32, 2, 1, 0),
            (clinuxdevices_V4L2_PIX_FMT_BGRX32, 3, 2, 1), (clinuxdevices_V4L2_PIX_FMT_XRGB32, 1, 2, 3),
            (clinuxdevices_V4L2_PIX_FMT_RGB32, 1, 2, 3), (clinuxdevices_V4L2_PIX_FMT_RGBX32, 0, 1, 2),
        ] {
            try check(fourcc) { source in
                [
                    (0..<source.height).flatMap { y in
                        (0..<source.width).flatMap { x in
                            [blue, green, red].map { source.byte(0, y, 4 * x + $0) } + [255]
                        }
                    }
                ]
            }
        }
    }

    /// If a four-character code has two formats, the one that can be converted is first.
    func testFormatsThatCannotBeConvertedAreListedLast() {
        for fourcc in Set(V4L2PixelFormat.all.map(\.fourcc)) {
            let ranks = V4L2PixelFormat.formats(fourcc).map(\.rank)
            XCTAssertEqual(ranks, ranks.sorted())
            XCTAssertNotEqual(ranks.first, .unconverted, "\(fourcc) cannot be shown")
        }
    }
}
