import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels
import XCTest

final class JPEGCodecTests: XCTestCase {
    private let formats = [
        kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
        kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_32BGRA, kCVPixelFormatType_24RGB,
    ]

    /// Creates a smooth image: red increases to the right, green downwards.
    private func image(_ width: Int, _ height: Int, _ format: OSType) throws -> CVPixelBuffer {
        let source = try MediaFixture.makeBuffer(width, height, kCVPixelFormatType_32BGRA)
        CVPixelBufferLockBaseAddress(source, [])
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(source))
        let stride = CVPixelBufferGetBytesPerRow(source)
        for y in 0..<height {
            for x in 0..<width {
                let pixel = [UInt8(90), UInt8(y * 200 / height), UInt8(x * 200 / width), 255]
                for (index, byte) in pixel.enumerated() {
                    base.storeBytes(of: byte, toByteOffset: y * stride + 4 * x + index, as: UInt8.self)
                }
            }
        }
        CVPixelBufferUnlockBaseAddress(source, [])
        let target = try MediaFixture.makeBuffer(width, height, format)
        try PixelConverter().convert(source, to: target)
        return target
    }

    private func psnr(_ first: CVPixelBuffer, _ second: CVPixelBuffer) throws -> Double {
        let converter = PixelConverter()
        let (width, height) = (CVPixelBufferGetWidth(first), CVPixelBufferGetHeight(first))
        let rows = try [first, second].map { buffer -> [UInt8] in
            let bgra = try MediaFixture.makeBuffer(width, height, kCVPixelFormatType_32BGRA)
            try converter.convert(buffer, to: bgra)
            CVPixelBufferLockBaseAddress(bgra, .readOnly)
            defer { CVPixelBufferUnlockBaseAddress(bgra, .readOnly) }
            let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(bgra))
            return (0..<height).flatMap { row in
                UnsafeRawBufferPointer(start: base + row * CVPixelBufferGetBytesPerRow(bgra), count: 4 * width)
            }
        }
        let sum = zip(rows[0], rows[1]).reduce(0.0) { $0 + pow(Double($1.0) - Double($1.1), 2) }
        return sum == 0 ? .infinity : 10 * log10(255 * 255 / (sum / Double(rows[0].count)))
    }

    func testAllFormatsAndSubsamplingsAreReadBack() throws {
        let codec = try JPEGCodec()
        for format in formats {
            for subsampling in JPEGCodec.Subsampling.allCases where subsampling != .gray {
                for (width, height) in [(64, 48), (65, 33)] {
                    let source = try image(width, height, format)
                    let data = try codec.encode(source, settings: .init(quality: 95, subsampling: subsampling))
                    let header = try codec.header(of: data)
                    XCTAssertEqual([header.width, header.height], [width, height])
                    XCTAssertEqual(header.subsampling, subsampling)
                    for target in formats {
                        let result = try codec.decode(data, pixelFormat: target)
                        XCTAssertNil(result.warning)
                        XCTAssertGreaterThan(
                            try psnr(source, result.pixels), 38, "\(format) \(subsampling) \(width) \(target)")
                    }
                }
            }
        }
    }

    func testEqualImagesAreEncodedAsEqualBytes() throws {
        let source = try image(64, 48, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        XCTAssertEqual(try JPEGCodec().encode(source), try JPEGCodec().encode(source))
    }

    func testAGrayImageIsEncodedAsGray() throws {
        let codec = try JPEGCodec()
        let source = try image(64, 48, kCVPixelFormatType_OneComponent8)
        let data = try codec.encode(source, settings: .init(quality: 95, subsampling: .gray))
        XCTAssertEqual(try codec.header(of: data).subsampling, .gray)
        XCTAssertGreaterThan(try psnr(source, codec.decode(data).pixels), 40)
    }

    func testTruncatedDataResultsInAnImageAndAWarning() throws {
        let codec = try JPEGCodec()
        let data = try codec.encode(image(640, 480, kCVPixelFormatType_32BGRA))
        for format in formats {
            let result = try codec.decode(data.prefix(data.count / 2), pixelFormat: format)
            XCTAssertNotNil(result.warning)
            XCTAssertEqual(CVPixelBufferGetWidth(result.pixels), 640)
        }
    }

    func testOtherDataIsRejected() throws {
        let codec = try JPEGCodec()
        for data in [Data(), Data("not an image".utf8), Data([0xFF, 0xD8, 0xFF, 0xD9]), Data(count: 5000)] {
            XCTAssertThrowsError(try codec.decode(data)) { XCTAssertEqual(($0 as? ImageError)?.code, .damaged) }
        }
        let source = try image(16, 16, kCVPixelFormatType_32BGRA)
        XCTAssertThrowsError(try codec.encode(source, settings: .init(quality: 0))) { error in
            XCTAssertEqual((error as? ImageError)?.code, .invalidInput)
        }
        let depth = try MediaFixture.makeBuffer(16, 16, kCVPixelFormatType_DepthFloat32)
        XCTAssertThrowsError(try codec.encode(depth)) { XCTAssertEqual(($0 as? ImageError)?.code, .unsupportedFormat) }
    }

    func testRandomDamageNeverCrashesTheDecoder() throws {
        let codec = try JPEGCodec()
        let encoded = [UInt8](try codec.encode(image(96, 64, kCVPixelFormatType_32BGRA)))
        for seed in 0..<300 {
            var generator = SplitMix64(seed: UInt64(seed))
            var bytes = encoded
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            do {
                let header = try codec.header(of: Data(bytes))
                guard header.width * header.height < 1_000_000 else { continue }
                let result = try codec.decode(Data(bytes))
                XCTAssertEqual(CVPixelBufferGetWidth(result.pixels), header.width)
            } catch {
                XCTAssertFalse(error.description.isEmpty)
            }
        }
    }

    func testAThumbnailFitsAndIsUpright() throws {
        let codec = try JPEGCodec()
        let data = try codec.encode(image(640, 480, kCVPixelFormatType_32BGRA))
        for side in [2, 100, 160, 500, 2000] {
            let header = try codec.header(of: codec.thumbnail(of: data, maximumSide: side))
            XCTAssertEqual(header.width, min(side, 640))
            XCTAssertEqual(Double(header.height), Double(min(side, 640)) * 0.75, accuracy: 0.6)
        }
        let rotated = try codec.thumbnail(of: data, maximumSide: 160, orientation: .right)
        let result = try codec.decode(rotated, pixelFormat: kCVPixelFormatType_32BGRA).pixels
        XCTAssertEqual(CVPixelBufferGetWidth(result), 120)
        XCTAssertEqual(CVPixelBufferGetHeight(result), 160)
        // The bottom left corner, green without red, is now at the top left.
        CVPixelBufferLockBaseAddress(result, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(result, .readOnly) }
        let corner = try XCTUnwrap(CVPixelBufferGetBaseAddress(result)).assumingMemoryBound(to: UInt8.self)
        XCTAssertGreaterThan(corner[1], 180)
        XCTAssertLessThan(corner[2], 20)
    }
}
