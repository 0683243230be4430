import CaptureHAL
import Foundation
import MediaTypes
import RecordedDevices
import XCTest

final class FrameBufferPoolTests: XCTestCase {
    private var folder = URL(fileURLWithPath: "/")

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws { try FileManager.default.removeItem(at: folder) }

    /// Plays a raw movie to its end and retains its pixel buffers.
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
        return run.received
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

    func testUncompressedFramesAreDeliveredWithoutACopy() throws {
        // Rows have 80 bytes; a pooled buffer would pad them to 128.
        let movie = RawMovie(width: 80, height: 48, frameCount: 12)
        let received = try play(movie)
        XCTAssertEqual(
            received.buffers.map { CVPixelBufferGetBytesPerRowOfPlane($0, 0) }, Array(repeating: 80, count: 12))
        XCTAssertEqual(try received.buffers.map(bytes), movie.frames)
        XCTAssertTrue(received.drops.isEmpty && received.failures.isEmpty)
    }

    func testFramesWithUnalignedRowsAreCopiedAndHaveTheSameAttachments() throws {
        let movie = RawMovie(width: 72, height: 48, frameCount: 3)
        let copied = try play(movie)
        XCTAssertEqual(try copied.buffers.map(bytes), movie.frames)
        XCTAssertEqual(CVPixelBufferGetBytesPerRowOfPlane(try XCTUnwrap(copied.buffers.first), 0), 128)
        let uncopied = try play(RawMovie(width: 80, height: 48, frameCount: 3))
        let keys = [kCVImageBufferYCbCrMatrixKey, kCVImageBufferColorPrimariesKey, kCVImageBufferTransferFunctionKey]
        for (one, other) in zip(copied.buffers, uncopied.buffers) {
            for key in keys {
                XCTAssertEqual(
                    CVBufferCopyAttachment(one, key, nil) as? String, CVBufferCopyAttachment(other, key, nil) as? String
                )
            }
        }
        XCTAssertEqual(
            uncopied.buffers.first.flatMap { CVBufferCopyAttachment($0, kCVImageBufferYCbCrMatrixKey, nil) } as? String,
            kCVImageBufferYCbCrMatrix_ITU_R_601_4)
    }

    func testFramesInDecoderMemoryCountTowardTheBufferLimit() throws {
        let movie = RawMovie(width: 80, height: 48, frameCount: 12)
        let received = try play(movie, bufferCount: 4)
        // Four buffers for the consumer and three for the look-ahead.
        XCTAssertEqual(try received.buffers.map(bytes), Array(movie.frames.prefix(7)))
        XCTAssertEqual(received.drops.map(\.reason), Array(repeating: .outOfBuffers, count: 5))
    }

    func testWritingToABufferDoesNotAffectOtherFrames() throws {
        let movie = RawMovie(width: 80, height: 48, frameCount: 6)
        let received = try play(movie)
        let first = try XCTUnwrap(received.buffers.first)
        CVPixelBufferLockBaseAddress(first, [])
        for plane in 0..<2 {
            let base = try XCTUnwrap(CVPixelBufferGetBaseAddressOfPlane(first, plane))
            memset(base, 7, 80 * CVPixelBufferGetHeightOfPlane(first, plane))
        }
        CVPixelBufferUnlockBaseAddress(first, [])
        XCTAssertEqual(try received.buffers.dropFirst().map(bytes), Array(movie.frames.dropFirst()))
        XCTAssertEqual(try bytes(first), Array(repeating: 7, count: 80 * 72))
    }
}
