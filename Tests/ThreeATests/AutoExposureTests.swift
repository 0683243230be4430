import MediaTypes
import XCTest

@testable import ThreeA

/// A model of a camera that reports the mean brightness of its frames after a delay.
struct ExposureSimulation {
    var loop: AutoExposure
    /// The scene's mean linear light at an exposure product of 1.
    var light: Double
    /// The delay of the camera in frames.
    var lag = 0
    /// The delay assumed by the loop in frames.
    var assumedLag = 0
    /// The exponent of the difference between the camera's tone curve and the one assumed by the loop.
    var gamma = 1.0
    /// The longest exposure time in seconds.
    var longest = 1.0 / 30
    var current: Exposure
    private var past: [Exposure] = []
    private var line: DelayLine<Exposure>

    init(_ loop: AutoExposure, light: Double, lag: Int = 0, assumedLag: Int = 0, gamma: Double = 1) {
        (self.loop, self.light, self.lag, self.assumedLag, self.gamma) = (loop, light, lag, assumedLag, gamma)
        current = Exposure(nanoseconds: 1_000_000, iso: loop.program.isos.lowerBound)
        line = DelayLine(lag: assumedLag, value: current)
    }

    /// The mean linear light of the current frame, 0 … 1.
    private(set) var mean = 0.0

    /// Simulates one frame and a step of the loop.
    ///
    /// - Parameters:
    ///   - bias: The exposure bias in EV.
    ///   - noise: The factor by which noise changes the mean.
    mutating func frame(bias: Double = 0, noise: Double = 1) {
        past.append(current)
        let appliedExposure = past[max(0, past.count - 1 - lag)]
        // The camera has a limited resolution.
        let level = min(
            1, RepeatableMath.exp2(gamma * RepeatableMath.log2(max(light * appliedExposure.product, 1e-9))) * noise)
        mean = (level * 4095).rounded() / 4095
        current = loop.step(
            after: line.advance(current), current: current, light: MeteredLight(mean: mean), bias: bias,
            longest: longest)
    }

    /// Returns the number of frames until the loop has stopped and the frames have its final exposure; nil if it
    /// exceeds `limit`.
    mutating func settle(within limit: Int, bias: Double = 0) -> Int? {
        var restCount = 0
        for count in 0..<limit {
            frame(bias: bias)
            let isShown = past.suffix(lag + 1).allSatisfy { $0 == current }
            restCount = !loop.isAdjusting && isShown ? restCount + 1 : 0
            if restCount > 8 { return count - 8 }
        }
        return nil
    }

    /// The difference between the mean and the target in EV.
    var error: Double { RepeatableMath.log2(mean / AutoExposure.target) }
}

final class AutoExposureTests: XCTestCase {
    private let phone = ExposureProgram(durations: 0.00002...1, isos: 50...6400)
    /// A typical webcam: steps of 100 µs, and 16 steps of gain.
    private let webcam = ExposureProgram(
        durations: 0.0001...0.5, durationStep: 100_000, isos: 1...16, isoStep: 1, powerLineHertz: 50)

    /// Returns the light of a scene that is exposed correctly by an exposure product.
    private func light(for product: Double) -> Double { AutoExposure.target / product }

    func testTheLoopSettlesAfterEachChangeOfTheScene() {
        for program in [phone, webcam] {
            for dynamics in [AutoExposure.Dynamics(), .forUnknownDelay] {
                for lag in 0...3 {
                    for change in [1.0 / 16, 1.0 / 8, 0.25, 0.5, 2, 4, 8, 16] {
                        var fixture = ExposureSimulation(
                            AutoExposure(program: program, dynamics: dynamics),
                            light: light(for: 0.01 * program.isos.lowerBound), lag: lag, assumedLag: lag)
                        XCTAssertNotNil(fixture.settle(within: 60))
                        fixture.light *= change
                        let count = fixture.settle(within: 60)
                        let message = "\(change) times, \(lag) frames late, settled in \(count ?? -1)"
                        XCTAssertNotNil(count, message)
                        XCTAssertLessThan(abs(fixture.error), program == phone ? 1.0 / 6 : 0.3, message)
                        let settled = fixture.current
                        for _ in 0..<100 {
                            fixture.frame()
                            XCTAssertEqual(fixture.current, settled, message)
                            XCTAssertFalse(fixture.loop.isAdjusting, message)
                        }
                    }
                }
            }
        }
    }

    func testAnUnknownDelayDoesNotCauseOscillation() {
        for assumed in 1...4 {
            for lag in max(0, assumed - 2)...(assumed + 2) {
                for gamma in [0.45, 1, 1.6] {
                    for change in [1.0 / 16, 16] {
                        var fixture = ExposureSimulation(
                            AutoExposure(program: phone, dynamics: .forUnknownDelay),
                            light: light(for: 0.5), lag: lag, assumedLag: assumed, gamma: gamma)
                        XCTAssertNotNil(fixture.settle(within: 200), "\(lag) for \(assumed), gamma \(gamma)")
                        fixture.light *= change
                        let count = fixture.settle(within: 200)
                        XCTAssertNotNil(count, "\(change) times, \(lag) for \(assumed), gamma \(gamma)")
                        for _ in 0..<100 { fixture.frame() }
                        XCTAssertFalse(fixture.loop.isAdjusting, "\(lag) for \(assumed), gamma \(gamma)")
                    }
                }
            }
        }
    }

    func testNoiseDoesNotRestartTheLoop() {
        var generator = SplitMix64(seed: 7)
        for program in [phone, webcam] {
            var fixture = ExposureSimulation(AutoExposure(program: program), light: light(for: 0.5))
            XCTAssertNotNil(fixture.settle(within: 60))
            let settled = fixture.current
            for _ in 0..<500 {
                fixture.frame(noise: 1 + 0.08 * (generator.number(in: 0...1) - 0.5))
                XCTAssertEqual(fixture.current, settled)
            }
        }
    }

    func testTheResponseHasItsTimeConstantAndOvershoot() {
        // Without overshoot the mean never exceeds the target.
        var fixture = ExposureSimulation(
            AutoExposure(program: phone, dynamics: AutoExposure.Dynamics(response: Response(timeConstant: 6))),
            light: light(for: 0.5))
        fixture.current = phone.exposure(product: 0.25, longest: 1)
        var errors: [Double] = []
        for _ in 0..<40 {
            fixture.frame()
            errors.append(fixture.error)
        }
        XCTAssertEqual(errors, errors.sorted())
        XCTAssertEqual(errors[6] / errors[0], 1 / 2.718, accuracy: 0.02)
        // With overshoot the mean exceeds the target once, by about 0.2 of the initial error of two EV.
        let overshooting = AutoExposure.Dynamics(response: Response(timeConstant: 6, overshoot: 0.2), largestStep: 10)
        fixture = ExposureSimulation(AutoExposure(program: phone, dynamics: overshooting), light: light(for: 0.5))
        fixture.current = phone.exposure(product: 0.125, longest: 1)
        errors = []
        for _ in 0..<60 {
            fixture.frame()
            errors.append(fixture.error)
        }
        XCTAssertEqual(errors.max() ?? 0, 0.4, accuracy: 0.12)
        XCTAssertFalse(fixture.loop.isAdjusting)
    }

    func testTheBiasChangesTheTarget() {
        for bias in [-2.0, -1, 1, 2] {
            var fixture = ExposureSimulation(AutoExposure(program: phone), light: light(for: 0.5))
            XCTAssertNotNil(fixture.settle(within: 60, bias: bias))
            XCTAssertEqual(fixture.error, bias, accuracy: 1.0 / 6)
        }
    }

    func testTheExposureTimeIsLimitedByTheFrameDuration() {
        var fixture = ExposureSimulation(AutoExposure(program: phone), light: light(for: 60))
        fixture.longest = 1.0 / 15
        XCTAssertNotNil(fixture.settle(within: 60))
        XCTAssertEqual(fixture.current.seconds, 1.0 / 15, accuracy: 0.0001)
        // A higher frame rate shortens the time immediately, and higher sensitivity compensates for it.
        fixture.longest = 1.0 / 60
        for _ in 0..<40 {
            fixture.frame()
            XCTAssertLessThanOrEqual(fixture.current.seconds, 1.0 / 60 + 1e-9)
        }
        XCTAssertFalse(fixture.loop.isAdjusting)
        XCTAssertEqual(fixture.error, 0, accuracy: 1.0 / 6)
    }

    func testTheLoopStopsAtTheEndOfItsRange() {
        for change in [1e-6, 1e6] {
            var fixture = ExposureSimulation(AutoExposure(program: phone), light: light(for: 0.5) * change)
            XCTAssertNotNil(fixture.settle(within: 60))
            XCTAssertEqual(fixture.current.iso, change < 1 ? 6400 : 50)
            XCTAssertEqual(fixture.current.seconds, change < 1 ? 1.0 / 30 : 0.00002, accuracy: 1e-6)
        }
    }

    func testAClippedFrameNeverIncreasesTheExposure() {
        // A scene that is 2,000 times too bright results in a white frame at first.
        var fixture = ExposureSimulation(
            AutoExposure(program: phone, dynamics: .forUnknownDelay), light: light(for: 0.0025), lag: 3,
            assumedLag: 3)
        fixture.current = phone.exposure(product: 5, longest: 1.0 / 30)
        let products = (0..<60).map { _ -> Double in
            fixture.frame()
            return fixture.current.product
        }
        XCTAssertEqual(products, products.sorted(by: >))
        XCTAssertFalse(fixture.loop.isAdjusting)
        XCTAssertEqual(fixture.error, 0, accuracy: 1.0 / 6)
    }
}
