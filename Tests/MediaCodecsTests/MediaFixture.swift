import Foundation
import MediaTypes
import XCTest

/// Media files shared by tests.
enum MediaFixture {
    static func path(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../Fixtures/Media/\(name)"
        )
        .standardizedFileURL.path
    }

    /// An entry of a `.framecrc` file.
    struct Frame: Equatable {
        /// The presentation time in the time base of the file.
        var time: Int64
        var checksum: UInt32
    }

    static func frames(_ name: String) throws -> [Frame] {
        let text = try String(contentsOfFile: path(name), encoding: .utf8)
        return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            return Frame(
                time: try XCTUnwrap(Int64(fields[2])),
                checksum: try XCTUnwrap(UInt32(fields[5].dropFirst(2), radix: 16)))
        }
    }

    /// Returns the Adler-32 checksum as computed by ffmpeg, with the initial value 0 instead of 1.
    static func adler(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (0, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        return high << 16 | low
    }

    /// Returns the visible bytes of an 8-bit 4:2:0 buffer with two planes.
    static func bytes(_ pixels: CVPixelBuffer) throws -> [UInt8] {
        CVPixelBufferLockBaseAddress(pixels, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
        var bytes: [UInt8] = []
        let width = CVPixelBufferGetWidth(pixels)
        for plane in 0..<2 {
            let base = try XCTUnwrap(CVPixelBufferGetBaseAddressOfPlane(pixels, plane))
            let stride = CVPixelBufferGetBytesPerRowOfPlane(pixels, plane)
            for row in 0..<CVPixelBufferGetHeightOfPlane(pixels, plane) {
                bytes.append(contentsOf: UnsafeRawBufferPointer(start: base + row * stride, count: width))
            }
        }
        return bytes
    }

    static func makeBuffer(_ width: Int, _ height: Int, _ format: OSType) throws -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        XCTAssertEqual(CVPixelBufferCreate(nil, width, height, format, nil, &buffer), kCVReturnSuccess)
        return try XCTUnwrap(buffer)
    }

    /// Creates a folder that is removed after the test.
    static func folder(_ test: XCTestCase) throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        test.addTeardownBlock { try FileManager.default.removeItem(at: url) }
        return url
    }
}
