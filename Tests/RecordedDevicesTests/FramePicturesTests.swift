import CaptureHAL
import Foundation
import MediaTypes
import RecordedDevices
import XCTest

final class FramePicturesTests: XCTestCase {
    private var folder = URL(fileURLWithPath: "/")

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

    /// Plays a raw movie to its end and keeps its pictures.
    private func play(_ movie: RawMovie, bufferCount: Int = 16) throws -> FileRun.State {
        let url = folder.appendingPathComponent("raw.avi")
        try movie.write(to: url)
        let clock = SimClock()
        let host = try MediaFileHost(path: url.path, clock: clock)
        let device = try XCTUnwrap(host.devices.first)
        let opened = try device.open()
        defer { opened.close() }
        let stream = try opened.makeStream(
            StreamConfiguration(
                format: device.formats[0], frameDuration: CMTime(value: 1, timescale: 10), bufferCount: bufferCount))
        let run = FileRun(stream, clock, keepsBuffers: true)
        try run.start()
        clock.advance(by: .seconds(4))
        return run.seen
    }

    private func bytes(_ pixels: CVPixelBuffer) throws -> [UInt8] {
        CVPixelBufferLockBaseAddress(pixels, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
        var bytes: [UInt8] = []
        for plane in 0..<2 {
            let base = try XCTUnwrap(CVPixelBufferGetBaseAddressOfPlane(pixels, plane))
            for row in 0..<CVPixelBufferGetHeightOfPlane(pixels, plane) {
                bytes += UnsafeRawBufferPointer(
                    start: base + row * CVPixelBufferGetBytesPerRowOfPlane(pixels, plane),
                    count: CVPixelBufferGetWidth(pixels))
            }
        }
        return bytes
    }

    func testUncompressedFramesAreShownWhereTheyWereRead() throws {
        // Rows of 80 bytes: a buffer of a pool would pad them to 128.
        let movie = RawMovie(width: 80, height: 48, frameCount: 12)
        let seen = try play(movie)
        XCTAssertEqual(seen.buffers.map { CVPixelBufferGetBytesPerRowOfPlane($0, 0) }, Array(repeating: 80, count: 12))
        XCTAssertEqual(try seen.buffers.map(bytes), movie.frames)
        XCTAssertTrue(seen.drops.isEmpty && seen.failures.isEmpty)
    }

    func testFramesOfOddRowsAreCopiedAndTaggedTheSame() throws {
        let movie = RawMovie(width: 72, height: 48, frameCount: 3)
        let copied = try play(movie)
        XCTAssertEqual(try copied.buffers.map(bytes), movie.frames)
        XCTAssertEqual(CVPixelBufferGetBytesPerRowOfPlane(try XCTUnwrap(copied.buffers.first), 0), 128)
        let shown = try play(RawMovie(width: 80, height: 48, frameCount: 3))
        let tags = [kCVImageBufferYCbCrMatrixKey, kCVImageBufferColorPrimariesKey, kCVImageBufferTransferFunctionKey]
        for (one, other) in zip(copied.buffers, shown.buffers) {
            for tag in tags {
                XCTAssertEqual(
                    CVBufferCopyAttachment(one, tag, nil) as? String, CVBufferCopyAttachment(other, tag, nil) as? String
                )
            }
        }
        XCTAssertEqual(
            shown.buffers.first.flatMap { CVBufferCopyAttachment($0, kCVImageBufferYCbCrMatrixKey, nil) } as? String,
            kCVImageBufferYCbCrMatrix_ITU_R_601_4)
    }

    func testFramesInMemoryOfTheirOwnCountAsTheStreamsBuffers() throws {
        let movie = RawMovie(width: 80, height: 48, frameCount: 12)
        let seen = try play(movie, bufferCount: 4)
        // Four for the consumer and the look-ahead's, then none is left.
        XCTAssertEqual(try seen.buffers.map(bytes), Array(movie.frames.prefix(7)))
        XCTAssertEqual(seen.drops.map(\.reason), Array(repeating: .outOfBuffers, count: 5))
    }

    func testWhatAClientWritesStaysInItsFrame() throws {
        let movie = RawMovie(width: 80, height: 48, frameCount: 6)
        let seen = try play(movie)
        let first = try XCTUnwrap(seen.buffers.first)
        CVPixelBufferLockBaseAddress(first, [])
        for plane in 0..<2 {
            let base = try XCTUnwrap(CVPixelBufferGetBaseAddressOfPlane(first, plane))
            memset(base, 7, 80 * CVPixelBufferGetHeightOfPlane(first, plane))
        }
        CVPixelBufferUnlockBaseAddress(first, [])
        XCTAssertEqual(try seen.buffers.dropFirst().map(bytes), Array(movie.frames.dropFirst()))
        XCTAssertEqual(try bytes(first), Array(repeating: 7, count: 80 * 72))
    }
}
