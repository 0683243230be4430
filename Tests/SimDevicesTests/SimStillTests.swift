import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes
import TestSupport
import XCTest

@testable import SimDevices

/// The stills that a simulated phone captures beside its stream.
final class SimStillTests: XCTestCase {
    private final class Camera: @unchecked Sendable {
        // SAFETY: tests use a camera on one thread; events of the clock's thread are protected by a lock.
        let clock = SimClock()
        let device: any OpenDevice
        private let host: SimHost
        private let stream: any DeviceStream
        private let received = Lock<[VideoFrame]>([])

        init(
            scene: SimScene = .grey, light: SceneLight? = nil, shake: HandShake? = nil,
            photoSize: CMVideoDimensions = CMVideoDimensions(width: 960, height: 720)
        ) throws {
            var profile = try DeviceProfile.builtIn("phone")
            for index in profile.devices.indices {
                guard case .camera(var camera) = profile.devices[index] else { continue }
                for format in camera.formats.indices where camera.formats[format].dimensions.width == 640 {
                    camera.formats[format].photoDimensions = [camera.formats[format].dimensions, photoSize]
                }
                profile.devices[index] = .camera(camera)
            }
            host = try SimHost(
                profiles: [profile], scene: scene, light: light, shake: shake, orientation: .landscapeLeft, clock: clock
            )
            let hardware = try XCTUnwrap(host.devices.first { $0.descriptor.uniqueID == "phone.back-wide" })
            device = try hardware.open()
            let format = try XCTUnwrap(
                hardware.formats.first { format in
                    guard case .video(let video) = format else { return false }
                    return video.size == PixelSize(width: 640, height: 480)
                        && video.encoding == .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
                })
            stream = try device.makeStream(
                StreamConfiguration(
                    format: format, frameDuration: CMTime(value: 1, timescale: 30), bufferCount: 200))
        }

        /// Starts the stream, retains its frames, and lets its automatic loops converge.
        func start() throws {
            try stream.start { [received] event in
                if case .video(let frame) = event { received.withLock { $0.append(frame) } }
            }
            clock.advance(by: .milliseconds(1500))
        }

        func stop() { stream.stop() }

        /// Captures requests at once, and returns the stills of all.
        func capture(_ requests: [StillRequest]) throws -> [StillFrame] {
            for request in requests { try device.captureStill(request) }
            clock.advance(by: .milliseconds(500))
            return received.withLock { $0.flatMap(\.stills) }
        }

        var frames: [VideoFrame] { received.withLock { $0 } }

        func request(
            _ id: UInt64 = 1, width: Int32 = 640, height: Int32 = 480,
            exposures: [StillRequest.Exposure] = [.metered], merging count: Int = 1, flash: Bool = false,
            recent: Bool = false
        ) -> StillRequest {
            StillRequest(
                id: id, dimensions: CMVideoDimensions(width: width, height: height), exposures: exposures,
                mergedFrameCount: count, firesFlash: flash,
                timing: recent ? .recent(clock.now) : .next(notBefore: clock.now))
        }
    }

    private func pixels(_ still: StillFrame?) throws -> CVPixelBuffer {
        let still = try XCTUnwrap(still)
        XCTAssertNil(still.error)
        guard case .pixels(let buffer)? = still.payload else { throw MissingRequirement("an uncompressed still") }
        return buffer
    }

    /// Returns the standard deviation of luma in the middle of an image.
    private func deviation(_ buffer: CVPixelBuffer) -> Double {
        let plane = buffer.planes[0]
        var (sum, squares, count) = (0.0, 0.0, 0.0)
        for y in buffer.height / 4..<buffer.height * 3 / 4 {
            for x in buffer.width / 4..<buffer.width * 3 / 4 {
                let value = Double(plane.baseAddress.load(fromByteOffset: y * plane.bytesPerRow + x, as: UInt8.self))
                (sum, squares, count) = (sum + value, squares + value * value, count + 1)
            }
        }
        return (squares / count - (sum / count) * (sum / count)).squareRoot()
    }

    /// Returns the mean luma of each block of 16x16 pixels.
    private func blocks(_ buffer: CVPixelBuffer) -> [Double] {
        let plane = buffer.planes[0]
        var means: [Double] = []
        for top in stride(from: 0, to: buffer.height - 15, by: 16) {
            for left in stride(from: 0, to: buffer.width - 15, by: 16) {
                var sum = 0
                for y in top..<top + 16 {
                    for x in left..<left + 16 {
                        sum += Int(plane.baseAddress.load(fromByteOffset: y * plane.bytesPerRow + x, as: UInt8.self))
                    }
                }
                means.append(Double(sum) / 256)
            }
        }
        return means
    }

    func testRequestsAtOnceHaveOneExposureEachInTheirOrder() throws {
        let camera = try Camera()
        try camera.start()
        let stills = try camera.capture((1...3).map { camera.request($0) })
        XCTAssertEqual(stills.map(\.requestID), [1, 2, 3])
        let times = stills.map(\.presentationTime.seconds)
        XCTAssertGreaterThanOrEqual(times[0], 1.5)
        for (earlier, later) in zip(times, times.dropFirst()) {
            XCTAssertEqual(later - earlier, 1.0 / 30, accuracy: 1e-6)
        }
        XCTAssertEqual(Set(try stills.map { try pixels($0).checksum }).count, 3, "each exposure has noise of its own")
        // A still of the stream's size with the metered exposure is the frame of the stream.
        for still in stills {
            let frame = try XCTUnwrap(camera.frames.first { $0.presentationTime == still.presentationTime })
            XCTAssertEqual(try pixels(still).checksum, try frame.buffer.checksum)
        }
        camera.stop()
    }

    func testAStillHasTheRequestedSizeBesideAnUnchangedStream() throws {
        func checksums(withStill: Bool) throws -> [UInt64] {
            let camera = try Camera(scene: .chart)
            try camera.start()
            let requests = withStill ? [camera.request(width: 960, height: 720)] : []
            let stills = try camera.capture(requests)
            XCTAssertEqual(stills.count, requests.count)
            if withStill {
                let image = try pixels(stills.first)
                XCTAssertEqual([image.width, image.height], [960, 720])
                // The same scene: a tenth of the image has the same brightness at both sizes.
                let frame = try XCTUnwrap(camera.frames.first { $0.presentationTime == stills[0].presentationTime })
                for x in [0.1, 0.3, 0.5, 0.7, 0.9] {
                    XCTAssertEqual(
                        image.mean(x, 0.4, 0.05, 0.1).y, try frame.buffer.mean(x, 0.4, 0.05, 0.1).y, accuracy: 4)
                }
            }
            camera.stop()
            return try camera.frames.map { try $0.buffer.checksum }
        }
        XCTAssertEqual(try checksums(withStill: true), try checksums(withStill: false))
    }

    func testTheExposuresOfABracketDifferByTheirBias() throws {
        let camera = try Camera()
        try camera.start()
        let stills = try camera.capture([camera.request(exposures: [.biased(-1), .metered, .biased(1)])])
        XCTAssertEqual(stills.map(\.exposureIndex), [0, 1, 2])
        let light = try stills.map { linear(try pixels($0).mean(0.25, 0.25, 0.5, 0.5).y) }
        XCTAssertEqual(log2(light[1] / light[0]), 1, accuracy: 0.1)
        XCTAssertEqual(log2(light[2] / light[1]), 1, accuracy: 0.1)
        let manual = try camera.capture([
            camera.request(2, exposures: [.custom(seconds: 0.25, iso: 50), .custom(seconds: nil, iso: 100)])
        ]).filter { $0.requestID == 2 }
        XCTAssertEqual(
            manual.map(\.settings.exposureDuration?.seconds), [0.25, stills[1].settings.exposureDuration?.seconds])
        XCTAssertEqual(manual.map(\.settings.iso), [50, 100])
        // The sensor is busy during the long exposure.
        XCTAssertGreaterThanOrEqual(
            manual[1].presentationTime.seconds - manual[0].presentationTime.seconds, 0.25)
        camera.stop()
    }

    func testMergingReducesTheNoiseByTheRootOfTheNumberOfFrames() throws {
        var deviations: [Int: Double] = [:]
        for count in [1, 2, 4] {
            let camera = try Camera(light: SceneLight(lux: 5, kelvin: 4000))
            try camera.start()
            let still = try camera.capture([camera.request(merging: count)]).first
            XCTAssertEqual(still?.mergedFrameCount, count)
            deviations[count] = deviation(try pixels(still))
            camera.stop()
        }
        let single = try XCTUnwrap(deviations[1])
        XCTAssertGreaterThan(single, 5)
        for count in [2, 4] {
            XCTAssertEqual(try XCTUnwrap(deviations[count]) * Double(count).squareRoot() / single, 1, accuracy: 0.08)
        }
    }

    func testMergingLeavesNoGhostsOfMovingObjects() throws {
        let camera = try Camera(scene: .street)
        try camera.start()
        let still = try XCTUnwrap(try camera.capture([camera.request(merging: 4)]).first)
        XCTAssertEqual(still.mergedFrameCount, 4)
        let merged = blocks(try pixels(still))
        let index = try XCTUnwrap(camera.frames.firstIndex { $0.presentationTime == still.presentationTime })
        let frames = try camera.frames[index - 3...index].map { blocks(try $0.buffer) }
        let single = try XCTUnwrap(frames.last)
        let mean = single.indices.map { block in frames.reduce(0) { $0 + $1[block] } / 4 }
        let ghosts = zip(mean, single).map { abs($0 - $1) }.max() ?? 0
        let differences = zip(merged, single).map { abs($0 - $1) }.max() ?? 0
        XCTAssertGreaterThan(ghosts, 8, "the mean of the frames shows ghosts")
        XCTAssertLessThan(differences, 2)
        camera.stop()
    }

    func testMergedFramesOfAShakingCameraAreAligned() throws {
        let light = SceneLight(lux: 5, kelvin: 4000)
        let camera = try Camera(scene: .chart, light: light, shake: HandShake(milliradians: 2))
        try camera.start()
        let stills = try camera.capture([camera.request(1, merging: 4), camera.request(2)])
        let still = try XCTUnwrap(stills.first)
        let frame = try XCTUnwrap(camera.frames.first { $0.presentationTime == still.presentationTime })
        XCTAssertEqual(still.mergedFrameCount, 4)
        // The patches of the chart keep their brightness.
        for (merged, single) in zip(blocks(try pixels(still)), blocks(try frame.buffer)) {
            XCTAssertEqual(merged, single, accuracy: 6)
        }
        camera.stop()
    }

    func testRecentStillsPrecedeTheirRequests() throws {
        let camera = try Camera()
        try camera.start()
        let requested = camera.clock.now
        let stills = try camera.capture([camera.request(1, recent: true), camera.request(2, recent: true)])
        let (first, second) = (try XCTUnwrap(stills.first), try XCTUnwrap(stills.last))
        XCTAssertLessThanOrEqual(first.presentationTime, requested)
        XCTAssertGreaterThan(first.presentationTime.seconds, requested.seconds - 1.0 / 30 - 1e-6)
        XCTAssertGreaterThan(second.presentationTime, first.presentationTime, "each request has an exposure of its own")
        let frame = try XCTUnwrap(camera.frames.first { $0.presentationTime == first.presentationTime })
        XCTAssertEqual(try pixels(first).checksum, try frame.buffer.checksum)
        camera.stop()
    }

    /// Returns the scene of a card of 18 % reflectance that fills the frame.
    private func card(atMeters distance: Double) throws -> SimScene {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("obscura-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pixels = try XCTUnwrap(
            CVPixelBuffer(width: 64, height: 64, pixelFormat: kCVPixelFormatType_32BGRA))
        pixels.withPlane(0) { plane in
            for y in 0..<64 {
                for x in 0..<64 {
                    // 118 is the sRGB code of 18 %.
                    (plane.baseAddress + y * plane.bytesPerRow).storeBytes(
                        of: UInt32(0xFF76_7676), toByteOffset: 4 * x, as: UInt32.self)
                }
            }
        }
        try PNGCodec().encode(pixels).write(to: folder.appendingPathComponent("card.png"))
        return .file(
            try SceneFile(
                yaml: "scene: 1\nname: card\nlayers: [{picture: card.png, depth: \(distance) m}]\n",
                file: folder.appendingPathComponent("card.yaml").path))
    }

    func testTheFlashExposesTheCardAsWithoutFlash() throws {
        for distance in [0.5, 1, 2] {
            let scene = try card(atMeters: distance)
            func light(_ lux: Double, flash: Bool) throws -> Double {
                let camera = try Camera(scene: scene, light: SceneLight(lux: lux, kelvin: 4000))
                try camera.start()
                let still = try camera.capture([camera.request(flash: flash)]).first
                XCTAssertEqual(still?.settings.flashFired, flash)
                camera.stop()
                return linear(try pixels(still).mean(0.4, 0.4, 0.2, 0.2).y)
            }
            let error = log2(try light(3, flash: true) / (try light(1000, flash: false)))
            XCTAssertLessThan(abs(error), 0.15, "at \(distance) m")
        }
    }

    func testRequestsThatTheCameraCannotCaptureAreRejected() throws {
        let camera = try Camera()
        XCTAssertThrowsError(try camera.device.captureStill(camera.request())) {
            XCTAssertEqual(($0 as? DeviceError)?.code, .invalidState)
        }
        try camera.start()
        let rejected = [
            camera.request(width: 800, height: 600), camera.request(exposures: []),
            camera.request(exposures: [.metered, .metered, .metered, .metered]), camera.request(merging: 5),
        ]
        for request in rejected {
            XCTAssertThrowsError(try camera.device.captureStill(request)) {
                XCTAssertEqual(($0 as? DeviceError)?.code, .unsupportedFormat)
            }
        }
        camera.stop()
    }
}
