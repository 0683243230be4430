import MediaTypes
import XCTest

@testable import PixelKernels

final class DepthMapTests: XCTestCase {
    private func buffer(_ width: Int, _ height: Int, _ type: OSType) throws -> CVPixelBuffer {
        try XCTUnwrap(CVPixelBuffer(width: width, height: height, pixelFormat: type))
    }

    private func map(_ width: Int, _ values: [Float], isDisparity: Bool = true) -> DepthMap {
        DepthMap(width: width, height: values.count / width, isDisparity: isDisparity, values: values)
    }

    #if !(os(macOS) && arch(x86_64))
    func testEveryHalfFloatIsReadAsSwiftConvertsIt() throws {
        let halves = try buffer(256, 256, kCVPixelFormatType_DepthFloat16)
        halves.withPlane(0) { plane in
            for code in 0..<65536 {
                (plane.baseAddress + code / 256 * plane.bytesPerRow).storeBytes(
                    of: UInt16(code), toByteOffset: code % 256 * 2, as: UInt16.self)
            }
        }
        let values = try DepthMap(halves, asDisparity: false).values
        for code in 0..<65536 {
            let expected = Float(Float16(bitPattern: UInt16(code)))
            XCTAssertTrue(
                values[code].bitPattern == expected.bitPattern || values[code].isNaN && expected.isNaN, "\(code)")
        }
    }

    func testValuesAreRoundedToTheNearestHalfFloat() throws {
        var generator = Xorshift32(state: 7)
        var values: [Float] = [
            0, -0.0, .infinity, 65519.99, 65520, 6e-8, 2.9e-8, 5.9604645e-8, 1, 0.1, 3.0517578e-5,
        ]
        while values.count < 4096 { values.append(Float(bitPattern: generator.next())) }
        values = values.map { $0.isNaN ? 1 : $0 }
        let halves = try buffer(64, 64, kCVPixelFormatType_DepthFloat16)
        try map(64, values, isDisparity: false).write(to: halves)
        let decoded = try DepthMap(halves, asDisparity: false).values
        for (value, read) in zip(values, decoded) { XCTAssertEqual(read, Float(Float16(value)), "\(value)") }
    }
    #endif

    func testDistancesAndDisparitiesAreReciprocals() throws {
        let meters: [Float] = [0.25, 0.5, 1, 2, 4, .infinity, .nan, 8]
        let depth = try buffer(4, 2, kCVPixelFormatType_DepthFloat32)
        try map(4, meters, isDisparity: false).write(to: depth)
        let disparities = try DepthMap(depth, asDisparity: true).values
        XCTAssertEqual(Array(disparities[..<6]), [4, 2, 1, 0.5, 0.25, 0])
        XCTAssertTrue(disparities[6].isNaN)
        let half = try buffer(4, 2, kCVPixelFormatType_DisparityFloat16)
        try map(4, meters, isDisparity: false).write(to: half)
        let decoded = try DepthMap(half, asDisparity: false).values
        XCTAssertEqual(Array(decoded[..<6]), Array(meters[..<6]))
        XCTAssertTrue(decoded[6].isNaN)
        XCTAssertEqual(decoded[7], 8)
    }

    func testMapsAreRotatedClockwiseAndThenMirrored() {
        // 1 2 3
        // 4 5 6
        let source = map(3, [1, 2, 3, 4, 5, 6])
        XCTAssertEqual(source.rotated(.clockwise90, isMirrored: false).values, [4, 1, 5, 2, 6, 3])
        XCTAssertEqual(source.rotated(.clockwise90, isMirrored: false).width, 2)
        XCTAssertEqual(source.rotated(.clockwise180, isMirrored: false).values, [6, 5, 4, 3, 2, 1])
        XCTAssertEqual(source.rotated(.clockwise270, isMirrored: false).values, [3, 6, 2, 5, 1, 4])
        XCTAssertEqual(source.rotated(.none, isMirrored: true).values, [3, 2, 1, 6, 5, 4])
        XCTAssertEqual(source.rotated(.clockwise90, isMirrored: true).values, [1, 4, 2, 5, 3, 6])
    }

    func testBuffersOfAnotherFormatOrSizeAreRejected() throws {
        XCTAssertThrowsError(try DepthMap(buffer(4, 4, kCVPixelFormatType_32BGRA), asDisparity: true)) {
            XCTAssertEqual(($0 as? ImageError)?.code, .unsupportedFormat)
        }
        XCTAssertThrowsError(try map(2, [1, 2]).write(to: buffer(2, 2, kCVPixelFormatType_DepthFloat16))) {
            XCTAssertEqual(($0 as? ImageError)?.code, .invalidGeometry)
        }
    }

    func testHolesAreFilledWithTheFartherNeighbor() {
        let hole = Float.nan
        let filled = DepthFilter.smoothed(map(6, [hole, 2, hole, hole, 1, hole])).values
        XCTAssertEqual(filled, [2, 2, 1, 1, 1, 1])
        let rows = DepthFilter.smoothed(map(2, [hole, hole, 3, hole, hole, hole])).values
        XCTAssertEqual(rows, [3, 3, 3, 3, 3, 3])
        XCTAssertEqual(DepthFilter.smoothed(map(2, [hole, hole])).values, [0, 0])
    }

    func testNoiseIsAveragedAndEdgesArePreserved() {
        var generator = Xorshift32(state: 3)
        var filter = DepthFilter()
        var variance: Float = 0
        for _ in 0..<6 {
            let values = (0..<64 * 16).map { index -> Float in
                (index % 64 < 32 ? 2 : 1) + (Float(generator.next() % 1000) / 1000 - 0.5) * 0.05
            }
            let result = filter.filter(map(64, values)).values
            for row in 0..<16 {
                XCTAssertEqual(result[row * 64 + 31], 2, accuracy: 0.03)
                XCTAssertEqual(result[row * 64 + 32], 1, accuracy: 0.03)
            }
            variance =
                result.enumerated().map { pow($1 - ($0 % 64 < 32 ? 2 : 1), 2) }.reduce(0, +) / Float(result.count)
        }
        // The standard deviation of the noise in the source is 0.05 / √12.
        XCTAssertLessThan(variance.squareRoot(), 0.05 / Float(12).squareRoot() / 3)
    }
}

/// Xorshift random numbers (G. Marsaglia 2003).
private struct Xorshift32 {
    var state: UInt32

    mutating func next() -> UInt32 {
        state ^= state << 13
        state ^= state >> 17
        state ^= state << 5
        return state
    }
}
