import CaptureHAL
import MediaTypes
import XCTest

@testable import SimDevices

final class NativeFrameEncoderTests: XCTestCase {
    /// Returns a frame of a camera with a native format.
    private func frame(_ name: String) throws -> VideoFrame {
        let yaml = """
            profile: 1
            name: cam
            manufacturer: M
            devices:
              - camera:
                  id: c
                  name: C
                  model: m
                  kind: external
                  lens: {aperture: 2, focalLength: 4 mm, equivalentFocalLength: 28 mm}
                  sensor: {fullWell: 9000 e, readNoise: 1 e}
                  exposure: {durations: [1/10000 s, 1/15 s], iso: [100, 1600]}
                  whiteBalance: {temperatures: [2800 K, 6500 K]}
                  formats: [{size: 640x480, pixelFormats: [\(name)], frameRates: [30 fps]}]
            """
        let clock = SimClock()
        let host = try SimHost(
            profiles: [DeviceProfile(yaml: yaml, file: "cam.yaml")], scene: .chart, hasMarker: true, clock: clock)
        let hardware = try XCTUnwrap(host.devices.first)
        let device = try hardware.open()
        let stream = try device.makeStream(
            StreamConfiguration(
                format: try XCTUnwrap(hardware.formats.first), frameDuration: CMTime(value: 1, timescale: 30),
                bufferCount: 4))
        let frames = Lock<[VideoFrame]>([])
        try stream.start { event in
            if case .video(let frame) = event { frames.withLock { $0.append(frame) } }
        }
        clock.advance(by: .milliseconds(1))
        stream.stop()
        device.close()
        return try XCTUnwrap(frames.withLock { $0.first })
    }

    func testPackedFormatsHaveTheContentOfPlanarOnes() throws {
        let planar = try frame("420v").buffer
        for (name, code, lumaAt) in [
            ("2vuy", kCVPixelFormatType_422YpCbCr8, 1), ("yuvs", kCVPixelFormatType_422YpCbCr8_yuvs, 0),
        ] {
            let packed = try frame(name).buffer
            XCTAssertEqual(packed.pixelFormat, code)
            let (luma, chroma, plane) = (planar.planes[0], planar.planes[1], packed.planes[0])
            func byte(_ plane: PixelPlane, _ x: Int, _ y: Int) -> UInt8 {
                plane.baseAddress.load(fromByteOffset: y * plane.bytesPerRow + x, as: UInt8.self)
            }
            for (x, y) in [(0, 0), (333, 201), (639, 479), (100, 300)] {
                XCTAssertEqual(byte(plane, 2 * x + lumaAt, y), byte(luma, x, y), name)
                XCTAssertEqual(byte(plane, x / 2 * 4 + 1 - lumaAt, y), byte(chroma, x / 2 * 2, y / 2), name)
                XCTAssertEqual(byte(plane, x / 2 * 4 + 3 - lumaAt, y), byte(chroma, x / 2 * 2 + 1, y / 2), name)
            }
            XCTAssertEqual(FrameMarker.read(from: packed)?.counter, 0)
        }
    }

    func testBGRAHasTheChartsColors() throws {
        let planar = try frame("420f").buffer
        let packed = try frame("BGRA").buffer
        XCTAssertEqual(packed.pixelFormat, kCVPixelFormatType_32BGRA)
        let plane = packed.planes[0]
        for index in [0, 6, 12, 13, 14, 18, 21] {
            let patch = ChartScene.patchFrame(index)
            let (x, y) = (patch.x + patch.width / 4, patch.y + patch.height / 4)
            let mean = planar.mean(x, y, patch.width / 2, patch.height / 2)
            var sums = [0.0, 0, 0, 0]
            var count = 0.0
            for row in Int(y * 480)..<Int((y + patch.height / 2) * 480) {
                for column in Int(x * 640)..<Int((x + patch.width / 2) * 640) {
                    for part in 0..<4 {
                        sums[part] += Double(
                            plane.baseAddress.load(
                                fromByteOffset: row * plane.bytesPerRow + 4 * column + part, as: UInt8.self))
                    }
                    count += 1
                }
            }
            XCTAssertEqual(sums[0] / count, mean.y + 1.8556 * mean.cb, accuracy: 2.5, "blue of \(index)")
            XCTAssertEqual(
                sums[1] / count, mean.y - 0.1873 * mean.cb - 0.4681 * mean.cr, accuracy: 2, "green of \(index)")
            XCTAssertEqual(sums[2] / count, mean.y + 1.5748 * mean.cr, accuracy: 2.5, "red of \(index)")
            XCTAssertEqual(sums[3] / count, 255)
        }
        XCTAssertEqual(FrameMarker.read(from: packed)?.counter, 0)
    }

    func testAJPEGIsWellFormed() throws {
        let frame = try frame("jpeg")
        guard case .compressed(let data, let codec) = frame.payload else { return XCTFail("not compressed") }
        XCTAssertEqual(codec, kCMVideoCodecType_JPEG)
        let bytes = [UInt8](try data.dataBytes())
        XCTAssertEqual(Array(bytes.prefix(4)), [0xff, 0xd8, 0xff, 0xe0])
        XCTAssertEqual(Array(bytes.suffix(2)), [0xff, 0xd9])
        XCTAssertGreaterThan(bytes.count, 15_000)
        XCTAssertLessThan(bytes.count, 200_000)
        // The frame header contains the size: SOF0, length, 8 bits, 480 rows, 640 columns, three components.
        let header = [0xff, 0xc0, 0, 17, 8, 480 >> 8, 480 & 255, 640 >> 8, 640 & 255, 3].map { UInt8($0) }
        XCTAssertTrue((0..<bytes.count - 10).contains { Array(bytes[$0..<$0 + 10]) == header })
        // The scan contains no markers, only stuffed bytes.
        let scan = try XCTUnwrap((0..<bytes.count - 1).first { bytes[$0] == 0xff && bytes[$0 + 1] == 0xda })
        for index in scan + 2..<bytes.count - 2 where bytes[index] == 0xff { XCTAssertEqual(bytes[index + 1], 0) }
    }
}
