import CLinuxDevices
import CaptureHAL
import MediaTypes
import XCTest

@testable import LinuxDevices

final class V4L2UnpackingTests: XCTestCase {
    /// Streams one frame of the given bytes from a camera that has a single encoding.
    private func makeFrame(_ fourcc: UInt32, bytesPerPixel: Double, _ bytes: [UInt8]) throws -> CVPixelBuffer {
        let mode = FakeV4L2Device.Mode(
            fourcc: fourcc, sizes: [(4, 4)], intervals: FakeV4L2Device.Mode.rates, bytesPerPixel: bytesPerPixel)
        let fixture = V4L2Fixture(FakeV4L2Device(modes: [mode]))
        let camera = try fixture.camera()
        let opened = try camera.open()
        let stream = try opened.makeStream(fixture.configuration(camera))
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        fixture.expose(FakeV4L2Device.Exposure(bytes: bytes))
        let pixelBuffer = try XCTUnwrap(receiver.wait(for: 1).last?.pixelBuffer, "\(receiver.events)")
        stream.stop()
        opened.close()
        XCTAssertEqual(fixture.fake.bufferCount, 0, "the driver's buffers are released while the pixel buffer exists")
        return pixelBuffer
    }

    private func bytes(_ pixelBuffer: CVPixelBuffer, _ plane: Int, count: Int) -> [[UInt8]] {
        pixelBuffer.withPlane(plane) { plane in
            (0..<plane.height).map { row in
                (0..<count).map { plane.baseAddress.load(fromByteOffset: row * plane.bytesPerRow + $0, as: UInt8.self) }
            }
        }
    }

    func testChromaWithCrFirstIsSwapped() throws {
        let luma = (0..<16).map { UInt8($0) }
        let chroma: [UInt8] = [200, 100, 201, 101, 202, 102, 203, 103]
        let pixelBuffer = try makeFrame(clinuxdevices_V4L2_PIX_FMT_NV21, bytesPerPixel: 1.5, luma + chroma)
        XCTAssertEqual(pixelBuffer.pixelFormat, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        XCTAssertEqual(bytes(pixelBuffer, 0, count: 4).flatMap { $0 }, luma)
        XCTAssertEqual(bytes(pixelBuffer, 1, count: 4), [[100, 200, 101, 201], [102, 202, 103, 203]])
    }

    func testSixteenBitPixelsAreConvertedToEightBitsPerComponent() throws {
        // White, red, green and blue; all other pixels are black.
        let pixels: [UInt16] = [0xffff, 0xf800, 0x07e0, 0x001f] + Array(repeating: 0, count: 12)
        let pixelBuffer = try makeFrame(
            clinuxdevices_V4L2_PIX_FMT_RGB565, bytesPerPixel: 2,
            pixels.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })
        XCTAssertEqual(pixelBuffer.pixelFormat, kCVPixelFormatType_32BGRA)
        let rows = bytes(pixelBuffer, 0, count: 16)
        XCTAssertEqual(rows[0], [255, 255, 255, 255, 0, 0, 255, 255, 0, 255, 0, 255, 255, 0, 0, 255])
        XCTAssertEqual(rows[1], [0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255])
    }

    func testUniformBayerSamplesAreAUniformColor() throws {
        // Red 30, green 20, blue 10.
        for (fourcc, cell) in [
            (clinuxdevices_V4L2_PIX_FMT_SBGGR8, [10, 20, 20, 30]),
            (clinuxdevices_V4L2_PIX_FMT_SGBRG8, [20, 10, 30, 20]),
            (clinuxdevices_V4L2_PIX_FMT_SGRBG8, [20, 30, 10, 20]),
            (clinuxdevices_V4L2_PIX_FMT_SRGGB8, [30, 20, 20, 10]),
        ] {
            let bytes = (0..<16).map { UInt8(cell[$0 / 4 % 2 * 2 + $0 % 2]) }
            let pixelBuffer = try makeFrame(fourcc, bytesPerPixel: 1, bytes)
            let uniform = Array(repeating: [UInt8](repeatElement([10, 20, 30, 255], count: 4).joined()), count: 4)
            XCTAssertEqual(self.bytes(pixelBuffer, 0, count: 16), uniform, "\(cell)")
        }
    }

    func testAMissingColorIsTheMeanOfItsNeighbors() throws {
        // Red, green / green, blue; all samples differ.
        let samples = (0..<16).map { UInt8($0 * 10) }
        let pixelBuffer = try makeFrame(clinuxdevices_V4L2_PIX_FMT_SRGGB8, bytesPerPixel: 1, samples)
        let rows = bytes(pixelBuffer, 0, count: 16)
        // Blue at (1, 1): green from (1,0), (0,1), (2,1), (1,2); red from the corners.
        XCTAssertEqual(Array(rows[1][4..<8]), [50, 50, 50, 255])
        // Green at (1, 0), on the upper edge: blue only below, at 50; red left and right, at 0 and 20.
        XCTAssertEqual(Array(rows[0][4..<8]), [50, 10, 10, 255])
        // Red in the corner: its neighbors are to the right and below.
        XCTAssertEqual(Array(rows[0][0..<4]), [50, 25, 0, 255])
    }

    func testFormatsThatNeedUnpackingAreListedLast() throws {
        let bayer = FakeV4L2Device.Mode(
            fourcc: clinuxdevices_V4L2_PIX_FMT_SRGGB8, sizes: [(64, 48)], intervals: FakeV4L2Device.Mode.rates,
            bytesPerPixel: 1)
        let formats = try V4L2Fixture(FakeV4L2Device(modes: [bayer, .yuyv()])).camera().formats
        let encodings = formats.compactMap { format -> VideoStreamFormat.Encoding? in
            if case .video(let video) = format { video.encoding } else { nil }
        }
        XCTAssertEqual(
            encodings,
            [
                .pixels(kCVPixelFormatType_422YpCbCr8_yuvs), .pixels(kCVPixelFormatType_422YpCbCr8_yuvs),
                .pixels(kCVPixelFormatType_32BGRA),
            ])
    }

    func testFramesAreDroppedWhileAllUnpackedBuffersAreRetained() throws {
        let mode = FakeV4L2Device.Mode(
            fourcc: clinuxdevices_V4L2_PIX_FMT_RGB565, sizes: [(4, 4)], intervals: FakeV4L2Device.Mode.rates,
            bytesPerPixel: 2)
        let fixture = V4L2Fixture(FakeV4L2Device(modes: [mode]))
        let camera = try fixture.camera()
        let opened = try camera.open()
        let stream = try opened.makeStream(fixture.configuration(camera))
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        for count in 1...V4L2FrameBuilder.unpackedLimit {
            fixture.expose()
            XCTAssertNotNil(receiver.wait(for: count).last?.pixelBuffer)
        }
        fixture.expose()
        let drop = receiver.wait(for: V4L2FrameBuilder.unpackedLimit + 1).last?.drop
        XCTAssertEqual(drop?.reason, .outOfBuffers)
        receiver.removeAll()
        fixture.expose()
        XCTAssertNotNil(receiver.wait(for: 1).last?.pixelBuffer)
        stream.stop()
        opened.close()
    }
}
