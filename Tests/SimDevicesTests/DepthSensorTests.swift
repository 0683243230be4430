import CaptureHAL
import MediaTypes
import TestSupport
import XCTest

@testable import SimDevices

/// Compares depth maps with the known depths of scenes.
final class DepthSensorTests: XCTestCase {
    /// The maps of a run, converted to meters.
    private struct Maps {
        var meters: [[Float]]
        var width: Int
        var height: Int
        var times: [CMTime]
        var frames: [VideoFrame]

        func value(_ x: Int, _ y: Int, map: Int = 0) -> Double { Double(meters[map][y * width + x]) }

        /// Returns mean and standard deviation of a part of the first map, and the fraction of samples without depth.
        func statistics(x: Range<Int>, y: Range<Int>) -> (mean: Double, deviation: Double, holes: Double) {
            var values: [Double] = []
            var holes = 0.0
            for row in y {
                for column in x {
                    let value = value(column, row)
                    if value.isNaN { holes += 1 } else { values.append(value) }
                }
            }
            let mean = values.reduce(0, +) / Double(max(values.count, 1))
            let squares = values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +)
            return (
                mean, (squares / Double(max(values.count, 1))).squareRoot(), holes / Double(x.count * y.count)
            )
        }
    }

    private func run(
        _ device: String, scene: SimScene, mapSize: (Int32, Int32) = (320, 240), seed: UInt64 = 1,
        milliseconds: Int = 40, zoom: Double? = nil, frameDuration: CMTime = CMTime(value: 1, timescale: 30),
        depthDuration: CMTime = CMTime(value: 1, timescale: 15), orientation: DeviceOrientation? = nil,
        isShutterClosed: Bool = false
    ) throws -> Maps {
        let clock = SimClock()
        // By default, the landscape orientation in which the camera's frames are level.
        let orientation = orientation ?? (device.contains("front") ? .landscapeRight : .landscapeLeft)
        let host = try SimHost(
            profile: "phone", scene: scene, seed: seed, orientation: orientation, clock: clock)
        let hardware = try XCTUnwrap(host.devices.first { $0.descriptor.uniqueID == device })
        XCTAssertTrue(hardware.descriptor.media.contains(.depth))
        let format = try XCTUnwrap(
            hardware.formats.first {
                if case .video(let video) = $0 {
                    video.size == PixelSize(width: 640, height: 480)
                        && video.supports(frameDuration: frameDuration)
                } else {
                    false
                }
            })
        guard case .video(let video) = format else { throw MissingRequirement("no video format") }
        let depthFormat = try XCTUnwrap(
            video.depthFormats.first { $0.size == PixelSize(width: mapSize.0, height: mapSize.1) })
        let opened = try hardware.open()
        if isShutterClosed { try host.setSuspended(true, uniqueID: device) }
        if let zoom { try opened.set(.zoomFactor, to: .number(zoom)) }
        let stream = try opened.makeStream(
            StreamConfiguration(
                format: format, frameDuration: frameDuration,
                depth: DepthConfiguration(format: depthFormat, frameDuration: depthDuration)))
        let received = Lock<[VideoFrame]>([])
        try stream.start { event in
            if case .video(let frame) = event { received.withLock { $0.append(frame) } }
        }
        clock.advance(by: .milliseconds(milliseconds))
        stream.stop()
        let frames = received.withLock { $0 }
        let withDepth = frames.filter { $0.depth != nil }
        let meters = try withDepth.map { frame -> [Float] in
            guard case .map(let depth)? = frame.depth else { throw MissingRequirement("dropped") }
            return depth.map.meters
        }
        return Maps(
            meters: meters, width: Int(mapSize.0), height: Int(mapSize.1), times: withDepth.map(\.presentationTime),
            frames: frames)
    }

    func testTheNoiseOfTriangulationGrowsWithTheSquareOfTheDistance() throws {
        // The noise is 3 mm at 1 m. The chart is at 1.5 m, the card at 1 m.
        for (scene, distance) in [(SimScene.grey, 1.0), (.chart, 1.5)] {
            let maps = try run("phone.front-true-depth", scene: scene)
            let measured = maps.statistics(x: 120..<200, y: 80..<160)
            XCTAssertEqual(measured.holes, 0)
            XCTAssertEqual(measured.mean, distance, accuracy: 0.001)
            XCTAssertEqual(measured.deviation, 0.003 * distance * distance, accuracy: 0.0003)
        }
    }

    func testTheNoiseOfTimeOfFlightIsProportionalToTheDistance() throws {
        for (scene, distance) in [(SimScene.grey, 1.0), (.chart, 1.5)] {
            let maps = try run("phone.back-lidar", scene: scene)
            let measured = maps.statistics(x: 120..<200, y: 80..<160)
            XCTAssertEqual(measured.mean, distance, accuracy: 0.002)
            XCTAssertEqual(measured.deviation, 0.008 * distance, accuracy: 0.001)
        }
    }

    func testAClosedShutterCoversTheDepthSensor() throws {
        for (device, zoom) in [
            ("phone.front-true-depth", nil), ("phone.back-lidar", nil), ("phone.back-dual-wide", 2.5 as Double?),
        ] {
            let open = try run(device, scene: .chart, zoom: zoom)
            XCTAssertLessThan(open.statistics(x: 120..<200, y: 80..<160).holes, 0.1, device)
            let closed = try run(device, scene: .chart, zoom: zoom, isShutterClosed: true)
            XCTAssertEqual(closed.meters.count, 1, device)
            XCTAssertTrue(closed.meters.joined().allSatisfy(\.isNaN), device)
        }
    }

    func testStereoDepthRequiresThatBothCamerasCoverTheFrame() throws {
        XCTAssertEqual(
            try run("phone.back-dual-wide", scene: .chart).meters.count, 0, "only one camera sees the edges")
        let maps = try run("phone.back-dual-wide", scene: .chart, zoom: 2.5)
        let measured = maps.statistics(x: 120..<200, y: 80..<160)
        XCTAssertEqual(measured.mean, 1.5, accuracy: 0.01)
        XCTAssertEqual(measured.deviation, 0.012 * 2.25, accuracy: 0.003)
        guard case .map(let depth)? = maps.frames.first?.depth else { return XCTFail("no depth") }
        XCTAssertFalse(depth.isAbsolute)
    }

    func testPeopleHaveTheirDepthsAndOccludeTheWallForTheSecondCamera() throws {
        let maps = try run("phone.front-true-depth", scene: .portrait, mapSize: (640, 480))
        // Positions are in meters from the optical axis, at the person's depth.
        let focal = 640.0 / 2 / (18.0 / 23)
        for person in PortraitScene.positions {
            let x = Int(320 + person.x / person.depth * focal)
            let y = Int(240 - (person.y - 0.03) / person.depth * focal)
            XCTAssertEqual(maps.value(x, y), person.depth, accuracy: person.depth * person.depth * 0.012)
        }
        // The second camera is B = 27 mm to the right. For it, the nearest head at 0.9 m occludes f B (1 / 0.9 - 1 / 4)
        // samples of the wall at 4 m to the left of the head, with f the focal length in samples. The wall to the right
        // is not occluded.
        let head = PortraitScene.positions[2]
        let row = Int(240 - head.y / head.depth * focal)
        var left = Int(320 + head.x / head.depth * focal)
        while left > 0, maps.value(left, row) < 1 { left -= 1 }
        var end = left
        while end > 0, maps.value(end, row).isNaN { end -= 1 }
        let width = focal * 0.027 * (1 / head.depth - 1 / maps.value(end, row))
        XCTAssertEqual(Double(left - end), width, accuracy: 2)
        var right = Int(320 + head.x / head.depth * focal)
        while right < 639, maps.value(right, row) < 1 { right += 1 }
        XCTAssertFalse(maps.value(right, row).isNaN)
    }

    func testFurnitureIsNearerThanTheWall() throws {
        // The bookcase, the shade of the lamp, the pot of the plant and the wall.
        let file = try SceneFile(yaml: "scene: 1\nname: room\nbase: portrait\n", file: "room.yaml")
        for scene in [SimScene.portrait, .file(file)] {
            let maps = try run("phone.front-true-depth", scene: scene, mapSize: (640, 480))
            let areas = [
                (40..<60, 190..<210, 3.8), (514..<526, 140..<156, 3.55), (580..<600, 370..<390, 3.4),
                (396..<408, 110..<124, 4.0),
            ]
            for (x, y, depth) in areas {
                let measured = maps.statistics(x: x, y: y)
                XCTAssertEqual(measured.holes, 0, "\(scene.name) at \(x), \(y)")
                XCTAssertEqual(measured.mean, depth, accuracy: 0.03, "\(scene.name) at \(x), \(y)")
            }
        }
    }

    func testDepthOutOfRangeIsNotMeasured() throws {
        let maps = try run("phone.back-lidar", scene: .street)
        // Houses at 22 m, a range of 5 m; only the ground is nearer.
        XCTAssertEqual(maps.statistics(x: 0..<320, y: 0..<100).holes, 1)
        let ground = maps.statistics(x: 0..<320, y: 230..<240)
        XCTAssertLessThan(ground.holes, 0.2)
        XCTAssertLessThan(ground.mean, 5)
    }

    func testTheGroundIsNearerInLowerRows() throws {
        let maps = try run("phone.back-lidar", scene: .street)
        XCTAssertLessThan(
            maps.statistics(x: 0..<320, y: 236..<240).mean, maps.statistics(x: 0..<320, y: 228..<232).mean - 0.02)
    }

    func testZoomAppliesToTheDepthMap() throws {
        let unzoomed = try run("phone.front-true-depth", scene: .portrait)
        let zoomed = try run("phone.front-true-depth", scene: .portrait, zoom: 2)
        var matchCount = 0
        for y in 0..<120 {
            for x in 0..<160 {
                let (a, b) = (unzoomed.value(80 + x, 60 + y), zoomed.value(2 * x, 2 * y))
                if a.isNaN && b.isNaN || abs(a - b) < 0.1 * a { matchCount += 1 }
            }
        }
        XCTAssertGreaterThan(Double(matchCount) / (120 * 160), 0.93)
        guard case .map(let depth)? = zoomed.frames.first?.depth, let calibration = depth.calibration else {
            return XCTFail("no calibration")
        }
        // f = width / 2 / tan(half the field of view), times the zoom factor. The pixel size follows from the lens.
        XCTAssertEqual(calibration.focalLength, 2 * 320 / (18.0 / 23), accuracy: 1e-6)
        XCTAssertEqual(calibration.centerX, 320, accuracy: 1e-6)
        XCTAssertEqual(calibration.centerY, 240, accuracy: 1e-6)
        XCTAssertEqual(calibration.pixelSizeMillimeters * calibration.focalLength, 2.69, accuracy: 1e-6)
    }

    func testMapsAreDeliveredAtTheirOwnRate() throws {
        let maps = try run(
            "phone.front-true-depth", scene: .grey, milliseconds: 240, frameDuration: CMTime(value: 1, timescale: 60))
        XCTAssertEqual(maps.frames.count, 15)
        XCTAssertEqual(maps.meters.count, 4)
        let times = maps.times.map(\.nanoseconds)
        for (time, next) in zip(times, times.dropFirst()) { XCTAssertEqual(next - time, 66_666_667, accuracy: 2) }
    }

    func testALostFrameCarriesTheMapThatIsDueAfterRounding() throws {
        // Frame 4 is due at 133,333,333 ns after the first frame, the map at 133,333,334 ns.
        let clock = SimClock()
        let host = try SimHost(profile: "phone", scene: .grey, clock: clock)
        let id = "phone.front-true-depth"
        let hardware = try XCTUnwrap(host.devices.first { $0.descriptor.uniqueID == id })
        let thirtieth = CMTime(value: 1, timescale: 30)
        let format = try XCTUnwrap(
            hardware.formats.first {
                if case .video(let video) = $0 {
                    !video.depthFormats.isEmpty && video.supports(frameDuration: thirtieth)
                } else {
                    false
                }
            })
        guard case .video(let video) = format else { throw MissingRequirement("no video format") }
        let depth = DepthConfiguration(
            format: try XCTUnwrap(video.depthFormats.first), frameDuration: CMTime(value: 1, timescale: 15))
        for (fault, remaining) in [
            (.dropFrames(count: 1), ["5", "6 with a map"]), (.disconnect(inFrame: true), []),
        ] as [(SimFault, [String])] {
            let received = Lock<[String]>([])
            let opened = try hardware.open()
            let stream = try opened.makeStream(
                StreamConfiguration(format: format, frameDuration: thirtieth, depth: depth))
            try host.schedule(fault, uniqueID: id, at: .frame(4))
            try stream.start { event in
                switch event {
                case .video(let frame):
                    let map = frame.depth == nil ? "" : " with a map"
                    received.withLock { $0.append("\(frame.sequenceNumber)\(map)") }
                case .dropped(let drop):
                    let map = drop.carriesDepth ? " with a map" : ""
                    received.withLock { $0.append("lost \(drop.sequenceNumber)\(map)") }
                case .audio, .failed, .ended: break
                }
            }
            clock.advance(by: .milliseconds(220))
            stream.stop()
            opened.close()
            XCTAssertEqual(
                received.withLock { $0 },
                ["0 with a map", "1", "2 with a map", "3", "lost 4 with a map"] + remaining, "\(fault)")
        }
    }

    func testAFrameThatIsDamagedByDisconnectionCarriesItsMap() throws {
        let drop = StreamEvent.dropped(
            DroppedFrame(
                reason: .discontinuity, presentationTime: .zero, sequenceNumber: 3, message: "unplugged",
                carriesDepth: true))
        guard case .dropped(let damaged) = drop.damaged else { return XCTFail("no drop") }
        XCTAssertEqual(damaged.reason, .damaged)
        XCTAssertEqual(damaged.sequenceNumber, 3)
        XCTAssertEqual(damaged.message, "unplugged")
        XCTAssertTrue(damaged.carriesDepth)
    }

    func testTheNoiseIsDeterminedByTheSeed() throws {
        let maps = try (1...3).map {
            try run("phone.back-lidar", scene: .grey, seed: $0 == 3 ? 2 : 1, milliseconds: 200)
        }
        XCTAssertEqual(maps[0].meters, maps[1].meters)
        XCTAssertNotEqual(maps[0].meters[0], maps[2].meters[0])
        XCTAssertNotEqual(maps[0].meters[0], maps[0].meters[1])
    }

    func testUnsupportedDepthFormatsAreRejected() throws {
        let host = try SimHost(profile: "phone", scene: .grey, clock: SimClock())
        func device(_ id: String) throws -> any HardwareDevice {
            try XCTUnwrap(host.devices.first { $0.descriptor.uniqueID == id })
        }
        let (wide, lidar) = (try device("phone.back-wide"), try device("phone.back-lidar"))
        guard case .video(let video) = lidar.formats[0], let depth = video.depthFormats.first else {
            return XCTFail("no depth")
        }
        XCTAssertEqual(depth.size, PixelSize(width: 320, height: 180), "the aspect ratio of 1920x1080")
        let thirtieth = CMTime(value: 1, timescale: 30)
        func errorCode(_ device: any HardwareDevice, _ depth: DepthConfiguration) throws -> DeviceError.Code? {
            do {
                _ = try device.open().makeStream(
                    StreamConfiguration(format: device.formats[0], frameDuration: thirtieth, depth: depth))
                return nil
            } catch { return error.code }
        }
        XCTAssertEqual(
            try errorCode(wide, DepthConfiguration(format: depth, frameDuration: thirtieth)), .unsupportedFormat)
        XCTAssertEqual(
            try errorCode(lidar, DepthConfiguration(format: depth, frameDuration: CMTime(value: 1, timescale: 90))),
            .unsupportedFormat)
        XCTAssertNil(try errorCode(lidar, DepthConfiguration(format: depth, frameDuration: thirtieth)))
    }

    func testBinnedFormatsAndOtherAspectRatiosHaveNoDepth() throws {
        let profile = try DeviceProfile.builtIn("phone")
        guard case .camera(let camera)? = profile.devices.first(where: { $0.id == "front-true-depth" }) else {
            return XCTFail("no camera")
        }
        for format in camera.formats {
            let has11To9 = format.size == PixelSize(width: 352, height: 288)
            XCTAssertEqual(format.depthFormats.isEmpty, format.isBinned || has11To9, "\(format.dimensions)")
        }
    }

    func testInvalidDepthProfilesAreRejected() throws {
        let good = """
            profile: 1
            name: p
            manufacturer: M
            devices:
              - camera:
                  id: c
                  name: C
                  model: m
                  kind: builtInLiDARDepthCamera
                  lens: {aperture: 2, focalLength: 4 mm, equivalentFocalLength: 24 mm}
                  sensor: {fullWell: 5000 e, readNoise: 2 e}
                  exposure: {durations: [1/1000 s, 1/10 s], iso: [50, 800]}
                  whiteBalance: {temperatures: [2800 K, 6500 K]}
                  formats: [{size: 640x480, pixelFormats: [420v], frameRates: [30 fps]}]
                  depth:
                    method: timeOfFlight
                    range: [20 cm, 5 m]
                    noise: 8 mm
                    formats: [{size: 320x240, pixelFormats: [hdep], frameRates: [30 fps]}]
            """
        let profile = try DeviceProfile(yaml: good, file: "p.yaml")
        guard case .camera(let camera) = profile.devices[0] else { return XCTFail("no camera") }
        XCTAssertEqual(camera.depth?.range, 0.2...5)
        let wide = try DeviceProfile(
            yaml: good.replacingOccurrences(of: "320x240", with: "16384x12288"), file: "p.yaml")
        guard case .camera(let wideCamera) = wide.devices[0] else { return XCTFail("no camera") }
        XCTAssertEqual(wideCamera.depth?.formats.map(\.dimensions.width), [16384])
        for (from, to, word) in [
            ("timeOfFlight", "stereo", "stereo"), ("noise: 8 mm", "noise: 8", "no unit"),
            ("range: [20 cm, 5 m]", "range: [5 m, 20 cm]", "before it begins"), ("hdep", "420v", "420v"),
            ("320x240", "16386x240", "p.yaml:19:26: devices[0].camera.depth.formats[0].size: 16386x240"),
            ("noise: 8 mm", "noise: 8 mm\n        baseline: 10 mm", "no baseline"),
            ("method: timeOfFlight", "method: structuredLight", "baseline"),
        ] {
            XCTAssertThrowsError(
                try DeviceProfile(yaml: good.replacingOccurrences(of: from, with: to), file: "p.yaml"), to
            ) { XCTAssertTrue("\(($0 as? ProfileError)?.message ?? "")".contains(word), "\(to): \($0)") }
        }
    }
}

extension CVPixelBuffer {
    /// A depth map converted to meters.
    fileprivate var meters: [Float] {
        let type = CVPixelBufferGetPixelFormatType(self)
        let plane = planes[0]
        return (0..<plane.height).flatMap { y in
            (0..<plane.width).map { x in
                let row = plane.baseAddress + y * plane.bytesPerRow
                switch type {
                case kCVPixelFormatType_DisparityFloat16:
                    return 1 / Float(row.load(fromByteOffset: 2 * x, as: Float16.self))
                case kCVPixelFormatType_DepthFloat16: return Float(row.load(fromByteOffset: 2 * x, as: Float16.self))
                case kCVPixelFormatType_DisparityFloat32: return 1 / row.load(fromByteOffset: 4 * x, as: Float.self)
                default: return row.load(fromByteOffset: 4 * x, as: Float.self)
                }
            }
        }
    }
}
