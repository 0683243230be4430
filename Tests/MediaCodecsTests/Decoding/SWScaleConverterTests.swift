import Foundation
import MediaCodecs
import MediaFiles
import MediaTypes
import PixelKernels
import XCTest

/// Decodes images with pixel formats that only libswscale converts.
final class SWScaleConverterTests: XCTestCase {
    private func image() throws -> CVPixelBuffer {
        let pixels = try MediaFixture.makeBuffer(96, 64, kCVPixelFormatType_32BGRA)
        CVPixelBufferLockBaseAddress(pixels, [])
        defer { CVPixelBufferUnlockBaseAddress(pixels, []) }
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(pixels)).assumingMemoryBound(to: UInt8.self)
        for y in 0..<64 {
            for x in 0..<96 {
                let pixel = base + y * CVPixelBufferGetBytesPerRow(pixels) + 4 * x
                (pixel[0], pixel[1], pixel[2], pixel[3]) = (UInt8(60 + y), UInt8(2 * x), UInt8(200 - 3 * y), 255)
            }
        }
        return pixels
    }

    /// Decodes an image file to BGRA with `VideoDecoder`.
    private func decode(_ data: Data, _ name: String, in folder: URL) throws -> CVPixelBuffer {
        let url = folder.appendingPathComponent(name)
        try data.write(to: url)
        let reader = try MediaFileReader(path: url.path)
        let track = try XCTUnwrap(reader.tracks.first)
        let decoder = try VideoDecoder(reader: reader, track: track)
        guard case .packet(let packet) = try reader.next() else { throw ImageError(.damaged, "no packet in \(name)") }
        var frames = try decoder.decode(packet).frames
        frames += try decoder.decode(nil).frames
        let pixels = try MediaFixture.makeBuffer(96, 64, kCVPixelFormatType_32BGRA)
        try decoder.render(try XCTUnwrap(frames.first), into: pixels)
        return pixels
    }

    /// Returns the greatest difference between bytes at the same position.
    private func greatestDifference(_ first: CVPixelBuffer, _ second: CVPixelBuffer) throws -> Int {
        let rows = try [first, second].map { buffer -> [UInt8] in
            CVPixelBufferLockBaseAddress(buffer, .readOnly)
            defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
            let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(buffer))
            let stride = CVPixelBufferGetBytesPerRow(buffer)
            return (0..<64).flatMap { UnsafeRawBufferPointer(start: base + $0 * stride, count: 384) }
        }
        return zip(rows[0], rows[1]).map { abs(Int($0) - Int($1)) }.max() ?? 0
    }

    func testEveryJPEGSubsamplingIsDecodedWithTheRightColors() throws {
        let folder = try MediaFixture.folder(self)
        let source = try image()
        for subsampling in [JPEGCodec.Subsampling.chroma420, .chroma422, .chroma444] {
            let data = try JPEGCodec().encode(source, settings: .init(quality: 100, subsampling: subsampling))
            let result = try decode(data, "\(subsampling).jpg", in: folder)
            XCTAssertLessThanOrEqual(try greatestDifference(result, source), 14, "\(subsampling)")
        }
    }

    func testGrayAndRGBImagesKeepTheirLevels() throws {
        let folder = try MediaFixture.folder(self)
        let source = try image()
        XCTAssertEqual(try greatestDifference(try decode(PNGCodec().encode(source), "rgb.png", in: folder), source), 0)
        let gray = try MediaFixture.makeBuffer(96, 64, kCVPixelFormatType_OneComponent8)
        try PixelConverter().convert(source, to: gray)
        let expected = try MediaFixture.makeBuffer(96, 64, kCVPixelFormatType_32BGRA)
        try PixelConverter().convert(gray, to: expected)
        XCTAssertLessThanOrEqual(
            try greatestDifference(try decode(PNGCodec().encode(gray), "gray.png", in: folder), expected), 2)
    }
}
