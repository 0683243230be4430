import CaptureHAL
import MediaTypes
import TestSupport
import XCTest

@testable import SimDevices

/// Measures the motion of rendered frames with hand shake, without and with stabilization.
final class HandShakeRenderingTests: XCTestCase {
    /// A bright square of 8x8 pixels on black, in the center of the view.
    private func mark(_ shake: HandShake?, seconds: Double = 0.001) throws -> RenderingFixture {
        let fixture = try RenderingFixture(shake: shake) { view in
            FakeScene(backdrop: [
                PlacedLayer(
                    bitmap: FakeScene.card(0, width: view.width, height: view.height), x: 0, y: 0, depth: 4),
                PlacedLayer(
                    bitmap: FakeScene.card(1, width: 8, height: 8), x: view.width / 2 - 4, y: view.height / 2 - 4,
                    depth: 4, brightness: 8),
            ])
        }
        fixture.profile.sensor.fullWell = 200_000
        fixture.profile.sensor.readNoise = 0
        fixture.state.lensPosition = Optics.lensPosition(of: fixture.profile.lens, distance: 4)
        fixture.expose(seconds: seconds, iso: 50)
        return fixture
    }

    /// Returns the centroid of the light relative to the frame's center, and the variance of the light on the x axis.
    private func measure(_ fixture: RenderingFixture, at nanoseconds: Int64) -> (x: Double, y: Double, variance: Double)
    {
        fixture.render(at: nanoseconds)
        var (sum, x, y, squares) = (0.0, 0.0, 0.0, 0.0)
        for row in 160..<320 {
            for column in 240..<400 {
                let light = max(0, fixture.light(column, row) - 0.003)
                sum += light
                x += light * (Double(column) + 0.5)
                y += light * (Double(row) + 0.5)
                squares += light * (Double(column) + 0.5) * (Double(column) + 0.5)
            }
        }
        return (x / sum - 320, y / sum - 240, squares / sum - (x / sum) * (x / sum))
    }

    private static let times = (0..<150).map { Int64($0) * 1_000_000_000 / 15 }

    /// Returns the displacement of the mark in pixels. Its row is exposed half a readout after the first one.
    private func expected(
        _ fixture: RenderingFixture, _ nanoseconds: Int64, _ filter: StabilizationFilter = .none
    ) throws -> (x: Double, y: Double) {
        let path = try XCTUnwrap(fixture.shake).path
        let delay = Int64(fixture.profile.sensor.readoutSeconds * 0.5e9) + fixture.state.exposure.nanoseconds / 2
        let angles = path.angles(at: nanoseconds + delay, through: filter)
        return (
            -Double(angles.x) * ShakePath.Angles.unit * fixture.view.scale,
            -Double(angles.y) * ShakePath.Angles.unit * fixture.view.scale
        )
    }

    private func rootMeanSquare(_ values: [Double]) -> Double {
        (values.map { $0 * $0 }.reduce(0, +) / Double(values.count)).squareRoot()
    }

    func testTheImageMovesAlongThePath() throws {
        let fixture = try mark(HandShake(milliradians: 6))
        for time in Self.times.prefix(40) {
            let (measured, predicted) = (measure(fixture, at: time), try expected(fixture, time))
            XCTAssertEqual(measured.x, predicted.x, accuracy: 0.2)
            XCTAssertEqual(measured.y, predicted.y, accuracy: 0.2)
        }
    }

    func testWithoutHandShakeTheImageDoesNotMove() throws {
        let fixture = try mark(nil)
        for time in Self.times.prefix(5) {
            let measured = measure(fixture, at: time)
            XCTAssertEqual(measured.x, 0, accuracy: 0.05)
            XCTAssertEqual(measured.y, 0, accuracy: 0.05)
        }
    }

    func testStabilizationAppliesItsFilterToThePath() throws {
        let fixture = try mark(HandShake(milliradians: 6))
        let path = try XCTUnwrap(fixture.shake).path
        func motion() -> (x: [Double], y: [Double]) {
            let positions = Self.times.map { measure(fixture, at: $0) }
            return (positions.map(\.x), positions.map(\.y))
        }
        let unstabilized = motion()
        var before = 1.0
        for mode in [VideoStabilization.standard, .cinematic, .cinematicExtended] {
            fixture.stabilization = mode
            let filter = StabilizationFilter(mode)
            // The crop magnifies the remaining motion.
            let enlargement = 1 / (1 - 2 * (fixture.profile.stabilization[mode] ?? 0))
            let stabilized = motion()
            for (index, time) in Self.times.enumerated() {
                let predicted = try expected(fixture, time, filter)
                XCTAssertEqual(stabilized.x[index] / enlargement, predicted.x, accuracy: 0.25, "\(mode)")
                XCTAssertEqual(stabilized.y[index] / enlargement, predicted.y, accuracy: 0.25, "\(mode)")
            }
            let remaining =
                rootMeanSquare(stabilized.x + stabilized.y) / enlargement
                / rootMeanSquare(unstabilized.x + unstabilized.y)
            // Ten seconds are only a sample of the path, so that the factor is approximate.
            XCTAssertEqual(remaining, path.residual(of: filter), accuracy: 0.12, "\(mode)")
            XCTAssertLessThan(path.residual(of: filter), before)
            before = path.residual(of: filter)
        }
    }

    func testStabilizationReducesJitterByTheDocumentedFactor() throws {
        let fixture = try mark(HandShake(milliradians: 6))
        let path = try XCTUnwrap(fixture.shake).path
        // Between frames at 30 fps, the motion is dominated by tremor.
        func jitter() -> Double {
            let positions = (0..<120).map { measure(fixture, at: Int64($0) * 33_333_333) }
            let steps = zip(positions, positions.dropFirst()).flatMap { [$1.x - $0.x, $1.y - $0.y] }
            return rootMeanSquare(steps)
        }
        let unstabilized = jitter()
        for (mode, stated) in [(VideoStabilization.standard, 0.12), (.cinematic, 0.09), (.cinematicExtended, 0.05)] {
            fixture.stabilization = mode
            // `docs/scenes.md` documents the mean; each path has individual frequencies.
            let factor = path.residual(of: StabilizationFilter(mode), between: 1.0 / 30)
            XCTAssertEqual(factor, stated, accuracy: 0.015, "\(mode)")
            let enlargement = 1 / (1 - 2 * (fixture.profile.stabilization[mode] ?? 0))
            // Four seconds are only a sample of the path.
            XCTAssertEqual(jitter() / enlargement / unstabilized, factor, accuracy: 0.3 * factor, "\(mode)")
        }
    }

    func testStabilizationIsLimitedToItsMargin() throws {
        let fixture = try mark(HandShake(milliradians: 25))
        fixture.profile.stabilization[.cinematicExtended] = 0.01
        fixture.stabilization = .cinematicExtended
        var limitedCount = 0
        for time in Self.times.prefix(60) {
            let (unstabilized, smooth) = (try expected(fixture, time), try expected(fixture, time, .cinematicExtended))
            let measured = measure(fixture, at: time).x * (1 - 0.02)
            let margin = 0.01 * Double(fixture.view.width)
            let predicted = unstabilized.x + min(max(smooth.x - unstabilized.x, -margin), margin)
            if abs(predicted - smooth.x) > 1 { limitedCount += 1 }
            // Large rotations within a readout are not linear.
            if abs(predicted) < 70 { XCTAssertEqual(measured, predicted, accuracy: 1) }
        }
        XCTAssertGreaterThan(limitedCount, 10)
    }

    func testTheFieldOfViewShrinksByTheMargins() throws {
        let fixture = try RenderingFixture { view in
            let canvas = SceneCanvas(width: view.width, height: view.height, scale: 1, originX: 0, originY: 0)
            canvas.rectangle(0, 0, 640, -480, SceneCanvas.Color(linear: 0.02, 0.02, 0.02))
            canvas.rectangle(200, 0, 440, -480, SceneCanvas.Color(linear: 0.5, 0.5, 0.5))
            return FakeScene(backdrop: [PlacedLayer(bitmap: SceneBitmap(canvas), x: 0, y: 0, depth: 1)])
        }
        fixture.expose(seconds: 0.004, iso: 50)
        func width() -> Double {
            fixture.render()
            let light = (0..<640).map { x in fixture.statistics(x: x..<x + 1, y: 200..<280).mean }
            let (dark, bright) = (light[5], light[320])
            return light.map { ($0 - dark) / (bright - dark) }.reduce(0, +)
        }
        XCTAssertEqual(width(), 240, accuracy: 1)
        for mode in [VideoStabilization.standard, .cinematic, .cinematicExtended] {
            fixture.stabilization = mode
            let margin = try XCTUnwrap(fixture.profile.stabilization[mode])
            XCTAssertEqual(width(), 240 / (1 - 2 * margin), accuracy: 1.5, "\(mode)")
        }
    }

    func testThePathHasTheSpectrumOfHandTremor() {
        let path = ShakePath(HandShake(milliradians: 2), seed: 5)
        // 100 seconds, 100 samples per second.
        let angles = (0..<10_000).map { Double(path.angles(at: $0 * 10_000_000).x) * ShakePath.Angles.unit * 1000 }
        XCTAssertEqual(rootMeanSquare(angles), 2, accuracy: 0.25)
        func power(_ hertz: ClosedRange<Double>) -> Double {
            var sum = 0.0
            for bin in Int(hertz.lowerBound * 100)..<Int(hertz.upperBound * 100) {
                var (real, imaginary) = (0.0, 0.0)
                let rotation = Circle.sineAndCosine(turns: Double(bin) / 10_000)
                var (c, s) = (1.0, 0.0)
                for angle in angles {
                    real += angle * c
                    imaginary += angle * s
                    (c, s) = (c * rotation.cosine - s * rotation.sine, c * rotation.sine + s * rotation.cosine)
                }
                sum += real * real + imaginary * imaginary
            }
            return sum
        }
        let tremor = power(8...12)
        XCTAssertGreaterThan(tremor, 4 * power(4...7))
        XCTAssertGreaterThan(tremor, 20 * power(14...20))
        XCTAssertGreaterThan(power(0.05...1), 4 * tremor)
    }

    func testMotionBlurFollowsThePath() throws {
        let fixture = try mark(HandShake(milliradians: 20), seconds: 1.0 / 60)
        fixture.state.exposure.iso = 12
        let path = try XCTUnwrap(fixture.shake).path
        let sharp = try mark(nil)
        let markVariance = measure(sharp, at: 0).variance
        var longest = 0.0
        for time in Self.times.prefix(30) {
            // The path during the exposure of the mark's row, in 1,000 steps.
            let positions = (0..<1000).map { step in
                Double(path.angles(at: time + Int64(step) * 16_667 + 5_000_000).x) * ShakePath.Angles.unit
                    * fixture.view.scale
            }
            let mean = positions.reduce(0, +) / 1000
            let deviation = rootMeanSquare(positions.map { $0 - mean })
            guard deviation > 1.5 else { continue }
            longest = max(longest, deviation)
            let measured = measure(fixture, at: time).variance - markVariance
            XCTAssertEqual(measured.squareRoot() / deviation, 1, accuracy: 0.1)
        }
        XCTAssertGreaterThan(longest, 2)
    }

    func testTheFramesAreDeterminedByTheSeed() throws {
        func checksums(seed: UInt64, _ milliradians: Double) throws -> [UInt64] {
            let fixture = try SimDeviceFixture(scene: .street, shake: HandShake(milliradians: milliradians), seed: seed)
            try fixture.device.set(.videoStabilization, to: .integer(VideoStabilization.mask(of: [.standard])))
            try fixture.start()
            fixture.clock.advance(by: .milliseconds(300))
            return try fixture.frames.flatMap { frame in
                [try frame.buffer.checksum, try frame.stabilizedBuffer(.standard).checksum]
            }
        }
        let first = try checksums(seed: 3, 3)
        XCTAssertEqual(first, try checksums(seed: 3, 3))
        XCTAssertNotEqual(first, try checksums(seed: 4, 3))
        XCTAssertNotEqual(first, try checksums(seed: 3, 2))
    }

    func testFramesContainTheRequestedStabilizedImagesAndTheUnchangedImage() throws {
        func frames(_ modes: [VideoStabilization]) throws -> [VideoFrame] {
            let fixture = try SimDeviceFixture(scene: .street, shake: HandShake(milliradians: 3), bufferCount: 100)
            try fixture.device.set(.videoStabilization, to: .integer(VideoStabilization.mask(of: modes)))
            let clock = fixture.clock
            try fixture.start { event in
                guard case .video(let frame) = event else { return }
                XCTAssertEqual(clock.now.nanoseconds, frame.presentationTime.nanoseconds, accuracy: 1)
            }
            clock.advance(by: .milliseconds(300))
            return fixture.frames
        }
        let (plain, stabilized) = (try frames([]), try frames([.standard, .cinematic]))
        XCTAssertTrue(plain.allSatisfy(\.stabilized.isEmpty))
        XCTAssertEqual(try plain.map { try $0.buffer.checksum }, try stabilized.map { try $0.buffer.checksum })
        for frame in stabilized {
            XCTAssertEqual(Set(frame.stabilized.keys), [.standard, .cinematic])
            XCTAssertEqual(frame.stabilized[.standard]?.lookAhead, .zero)
            XCTAssertEqual(frame.stabilized[.cinematic]?.lookAhead, CMTime(value: 1, timescale: 2))
            let checksums = [
                try frame.buffer.checksum, try frame.stabilizedBuffer(.standard).checksum,
                try frame.stabilizedBuffer(.cinematic).checksum,
            ]
            XCTAssertEqual(Set(checksums).count, 3)
        }
    }

    func testImagesThatWaitForTheirLookAheadDoNotCountAsHeldByClients() throws {
        let fixture = try SimDeviceFixture(scene: .grey, shake: HandShake(milliradians: 2), bufferCount: 4)
        let waiting = Lock<[(due: CMTime, image: VideoFrame.StabilizedImage)]>([])
        let (count, drops) = (Lock(0), Lock(0))
        try fixture.start(keeping: false) { event in
            guard case .video(let frame) = event else { return drops.withLock { $0 += 1 } }
            count.withLock { $0 += 1 }
            waiting.withLock { waiting in
                waiting.removeAll { $0.due <= frame.presentationTime }
                waiting += frame.stabilized.values.map { (frame.presentationTime + $0.lookAhead, $0) }
            }
        }
        for mode in [VideoStabilization.cinematicExtended, .off, .cinematic] {
            try fixture.device.set(.videoStabilization, to: .integer(VideoStabilization.mask(of: [mode])))
            fixture.clock.advance(by: .seconds(2))
        }
        XCTAssertEqual(drops.withLock { $0 }, 0)
        XCTAssertGreaterThanOrEqual(count.withLock { $0 }, 180)
    }
}

extension VideoFrame {
    /// The pixels of a stabilized image.
    fileprivate func stabilizedBuffer(_ mode: VideoStabilization) throws -> CVPixelBuffer {
        guard case .pixels(let buffer)? = stabilized[mode]?.payload else {
            throw MissingRequirement("the frame has no pixels stabilized with \(mode)")
        }
        return buffer
    }
}

extension ShakePath {
    /// Returns the ratio of the root mean square of the angle after a filter to that before it; 1 without shake.
    ///
    /// - Parameter interval: The frame interval in seconds, to compare the change of the angle from frame to frame
    ///   instead of the angle; nil to compare the angle.
    fileprivate func residual(of filter: StabilizationFilter, between interval: Double? = nil) -> Double {
        var (filteredPower, totalPower) = (0.0, 0.0)
        for component in horizontal + vertical {
            let gain = filter.gain(at: component.frequency)
            // During a time t, a sine changes by at most 2 sin π f t times its amplitude.
            let change = interval.map { 2 * Circle.sine(turns: component.frequency * $0 / 2) } ?? 1
            let strength = component.strength * change
            let power = strength * strength
            filteredPower += power * (gain.real * gain.real + gain.imaginary * gain.imaginary)
            totalPower += power
        }
        return totalPower > 0 ? (filteredPower / totalPower).squareRoot() : 1
    }
}
