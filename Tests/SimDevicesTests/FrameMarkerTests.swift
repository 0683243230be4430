import CaptureHAL
import MediaTypes
import TestSupport
import XCTest

@testable import SimDevices

final class FrameMarkerTests: XCTestCase {
    /// The luma of an image in plain memory, for rotating, mirroring and scaling.
    private struct LumaImage {
        var width: Int
        var height: Int
        var luma: [UInt8]

        init(width: Int, height: Int, _ value: (_ x: Int, _ y: Int) -> UInt8) {
            self.width = width
            self.height = height
            luma = []
            luma.reserveCapacity(width * height)
            for y in 0..<height { for x in 0..<width { luma.append(value(x, y)) } }
        }

        init(_ buffer: CVPixelBuffer) {
            let plane = buffer.planes[0]
            self.init(width: plane.width, height: plane.height) { x, y in
                plane.baseAddress.load(fromByteOffset: y * plane.bytesPerRow + x, as: UInt8.self)
            }
        }

        subscript(x: Int, y: Int) -> UInt8 { luma[y * width + x] }
        var rotated: LumaImage { LumaImage(width: height, height: width) { self[$1, height - 1 - $0] } }
        var mirrored: LumaImage { LumaImage(width: width, height: height) { self[width - 1 - $0, $1] } }
        var halved: LumaImage {
            LumaImage(width: width / 2, height: height / 2) { x, y in
                let sum = Int(self[2 * x, 2 * y]) + Int(self[2 * x + 1, 2 * y]) + Int(self[2 * x, 2 * y + 1])
                return UInt8((sum + Int(self[2 * x + 1, 2 * y + 1]) + 2) / 4)
            }
        }
        var marker: FrameMarker? { FrameMarker.read(width: width, height: height) { Int(self[$0, $1]) } }
    }

    private func captureFrame(
        _ device: String = "phone.back-wide", profile: String = "phone", size: (Int32, Int32),
        pixelFormat: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    ) throws -> CVPixelBuffer {
        let fixture = try SimDeviceFixture(
            profile: profile, device: device, scene: .grey, size: size, pixelFormat: pixelFormat)
        fixture.clock.advance(by: .milliseconds(1234))
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(40))
        return try XCTUnwrap(fixture.frames.last).buffer
    }

    private let expected = FrameMarker(counter: 1, nanoseconds: 1_234_000_000 + 33_333_333)

    func testTheMarkerIsReadableInAllSizesRotatedMirroredAndScaled() throws {
        for (profile, device, size) in [
            ("phone", "phone.back-wide", (1920, 1080)), ("phone", "phone.back-wide", (1280, 720)),
            ("phone", "phone.back-wide", (640, 480)), ("webcam", "webcam.camera", (320, 240)),
            ("webcam", "webcam.camera", (640, 360)),
        ] as [(String, String, (Int32, Int32))] {
            let buffer = try captureFrame(device, profile: profile, size: size)
            XCTAssertEqual(FrameMarker.read(from: buffer), expected, "\(size)")
            var rotated = LumaImage(buffer)
            for angle in [0, 90, 180, 270] {
                XCTAssertEqual(rotated.marker, expected, "\(size) turned by \(angle)")
                XCTAssertEqual(rotated.mirrored.marker, expected, "\(size) turned by \(angle), mirrored")
                XCTAssertEqual(rotated.halved.marker, expected, "\(size) turned by \(angle), halved")
                rotated = rotated.rotated
            }
        }
    }

    func testTheMarkerIsReadableInAllPixelFormats() throws {
        let full = try captureFrame(size: (1280, 720), pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
        XCTAssertEqual(FrameMarker.read(from: full), expected)
        let source = LumaImage(full)
        for (format, bytes, offset) in [
            (kCVPixelFormatType_32BGRA, 4, 0), (kCVPixelFormatType_32ARGB, 4, 1), (kCVPixelFormatType_24RGB, 3, 0),
            (kCVPixelFormatType_420YpCbCr8Planar, 1, 0), (kCVPixelFormatType_422YpCbCr8, 2, 1),
            (kCVPixelFormatType_422YpCbCr8_yuvs, 2, 0), (kCVPixelFormatType_OneComponent8, 1, 0),
        ] {
            let buffer = try XCTUnwrap(CVPixelBuffer(width: 1280, height: 720, pixelFormat: format))
            let plane = buffer.planes[0]
            for y in 0..<720 {
                for x in 0..<1280 {
                    let base = y * plane.bytesPerRow + x * bytes + offset
                    for channel in 0..<(bytes >= 3 ? 3 : 1) {
                        plane.baseAddress.storeBytes(of: source[x, y], toByteOffset: base + channel, as: UInt8.self)
                    }
                }
            }
            XCTAssertEqual(FrameMarker.read(from: buffer), expected, "format \(format)")
        }
    }

    func testTheMarkerIsReadableWithNoiseAndReducedContrast() throws {
        let source = try LumaImage(captureFrame(size: (1280, 720)))
        var random = SplitMix64(seed: 3)
        let degraded = LumaImage(width: 1280, height: 720) { x, y in
            let noise = Int(random.next() % 81) - 40
            return UInt8(min(255, max(0, 60 + Int(source[x, y]) / 2 + noise)))
        }
        XCTAssertEqual(degraded.marker, expected)
    }

    func testADamagedMarkerIsNotRead() throws {
        let source = try LumaImage(captureFrame(size: (1280, 720)))
        let damaged = LumaImage(width: 1280, height: 720) { x, y in
            (12..<20).contains(x) && (12..<20).contains(y) ? 255 - source[x, y] : source[x, y]
        }
        XCTAssertNil(damaged.marker)
        XCTAssertNil(LumaImage(width: 640, height: 480) { x, y in UInt8((x ^ y) & 255) }.marker)
        XCTAssertNil(LumaImage(width: 8, height: 8) { _, _ in 0 }.marker)
    }

    func testBitsRoundTrip() {
        var random = SplitMix64(seed: 9)
        for _ in 0..<100 {
            let marker = FrameMarker(
                counter: UInt32(truncatingIfNeeded: random.next()), nanoseconds: Int64(bitPattern: random.next()))
            var bits = marker.bits
            XCTAssertEqual(FrameMarker(bits: bits), marker)
            bits[Int(random.next() % 128)].toggle()
            XCTAssertNil(FrameMarker(bits: bits))
        }
    }

    func testFramesHaveNoMarkerUnlessTheHostOrTheProfileRequestsIt() throws {
        for (host, profile) in [(nil, nil), (false, false), (true, nil), (nil, true)] as [(Bool?, Bool?)] {
            let isRequested = host == true || profile == true
            XCTAssertEqual(
                try firstMarker(host: host, profile: profile)?.counter, isRequested ? 0 : nil,
                "host \(String(describing: host)), profile \(String(describing: profile))")
        }
    }

    /// Returns the marker of the first frame of a webcam.
    ///
    /// - Parameters:
    ///   - host: Whether the host requests markers; nil for its default.
    ///   - profile: Whether the profile requests markers; nil for its default.
    private func firstMarker(host: Bool?, profile: Bool?) throws -> FrameMarker? {
        var machine = try DeviceProfile.builtIn("webcam")
        guard case .camera(var camera) = machine.devices[0] else { throw MissingRequirement("a camera") }
        if let profile { camera.hasMarker = profile }
        machine.devices[0] = .camera(camera)
        let clock = SimClock()
        let simulated =
            try host.map { try SimHost(profiles: [machine], scene: .grey, hasMarker: $0, clock: clock) }
            ?? SimHost(profiles: [machine], scene: .grey, clock: clock)
        let hardware = try XCTUnwrap(simulated.devices.first)
        let stream = try hardware.open().makeStream(
            StreamConfiguration(format: hardware.formats[2], frameDuration: CMTime(value: 1, timescale: 30)))
        let buffers = Lock<[CVPixelBuffer]>([])
        try stream.start { event in
            guard case .video(let frame) = event, case .pixels(let buffer) = frame.payload else { return }
            buffers.withLock { $0.append(buffer) }
        }
        clock.advance(by: .milliseconds(1))
        return FrameMarker.read(from: try XCTUnwrap(buffers.withLock { $0.first }))
    }
}
