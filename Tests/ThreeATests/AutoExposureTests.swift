import MediaTypes
import XCTest

@testable import ThreeA

/// A camera of which only the mean brightness is known, behind a delay.
struct ExposureBench {
    var loop: AutoExposure
    /// The scene: the mean of linear light at a product of 1.
    var light: Double
    /// Frames by which the camera is late, and by which the loop thinks it is.
    var lag = 0
    var assumedLag = 0
    /// What the camera's tone curve makes of the loop's idea of it, as a power.
    var gamma = 1.0
    var longest = 1.0 / 30
    var current: Exposure
    private var past: [Exposure] = []
    private var line: DelayLine<Exposure>

    init(_ loop: AutoExposure, light: Double, lag: Int = 0, assumedLag: Int = 0, gamma: Double = 1) {
        (self.loop, self.light, self.lag, self.assumedLag, self.gamma) = (loop, light, lag, assumedLag, gamma)
        current = Exposure(nanoseconds: 1_000_000, iso: loop.program.isos.lowerBound)
        line = DelayLine(lag: assumedLag, value: current)
    }

    /// The mean of the frame that comes now.
    private(set) var mean = 0.0

    /// One frame; the loop answers it.
    mutating func frame(bias: Double = 0, noise: Double = 1) {
        past.append(current)
        let formed = past[max(0, past.count - 1 - lag)]
        // Eight bits.
        let level = min(1, RepeatableMath.exp2(gamma * RepeatableMath.log2(max(light * formed.product, 1e-9))) * noise)
        mean = (level * 4095).rounded() / 4095
        current = loop.step(
            after: line.advance(current), current: current, light: MeteredLight(mean: mean), bias: bias,
            longest: longest)
    }

    /// Frames until the loop rests and the picture shows it, for good as it seems; nil where it takes more than `limit`.
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

    /// In EV.
    var error: Double { RepeatableMath.log2(mean / AutoExposure.target) }
}

final class AutoExposureTests: XCTestCase {
    private let phone = ExposureProgram(durations: 0.00002...1, isos: 50...6400)
    /// As a webcam has it: steps of 100 µs, and gain in 16 steps.
    private let webcam = ExposureProgram(
        durations: 0.0001...0.5, durationStep: 100_000, isos: 1...16, isoStep: 1, powerLineHertz: 50)

    private func light(for product: Double) -> Double { AutoExposure.target / product }

    func testEveryStepOfTheSceneSettlesAndHoldsStill() {
        for program in [phone, webcam] {
            for dynamics in [AutoExposure.Dynamics(), .forUnknownDelay] {
                for lag in 0...3 {
                    for change in [1.0 / 16, 1.0 / 8, 0.25, 0.5, 2, 4, 8, 16] {
                        var bench = ExposureBench(
                            AutoExposure(program: program, dynamics: dynamics),
                            light: light(for: 0.01 * program.isos.lowerBound), lag: lag, assumedLag: lag)
                        XCTAssertNotNil(bench.settle(within: 60))
                        bench.light *= change
                        let count = bench.settle(within: 60)
                        let story = "\(change) times, \(lag) frames late, settled in \(count ?? -1)"
                        XCTAssertNotNil(count, story)
                        XCTAssertLessThan(abs(bench.error), program == phone ? 1.0 / 6 : 0.3, story)
                        let settled = bench.current
                        for _ in 0..<100 {
                            bench.frame()
                            XCTAssertEqual(bench.current, settled, story)
                            XCTAssertFalse(bench.loop.isAdjusting, story)
                        }
                    }
                }
            }
        }
    }

    func testADelayThatIsNotKnownDoesNotMakeItOscillate() {
        for assumed in 1...4 {
            for lag in max(0, assumed - 2)...(assumed + 2) {
                for gamma in [0.45, 1, 1.6] {
                    for change in [1.0 / 16, 16] {
                        var bench = ExposureBench(
                            AutoExposure(program: phone, dynamics: .forUnknownDelay),
                            light: light(for: 0.5), lag: lag, assumedLag: assumed, gamma: gamma)
                        XCTAssertNotNil(bench.settle(within: 200), "\(lag) for \(assumed), gamma \(gamma)")
                        bench.light *= change
                        let count = bench.settle(within: 200)
                        XCTAssertNotNil(count, "\(change) times, \(lag) for \(assumed), gamma \(gamma)")
                        for _ in 0..<100 { bench.frame() }
                        XCTAssertFalse(bench.loop.isAdjusting, "\(lag) for \(assumed), gamma \(gamma)")
                    }
                }
            }
        }
    }

    func testNoiseDoesNotWakeIt() {
        var dice = SeededDice(seed: 7)
        for program in [phone, webcam] {
            var bench = ExposureBench(AutoExposure(program: program), light: light(for: 0.5))
            XCTAssertNotNil(bench.settle(within: 60))
            let settled = bench.current
            for _ in 0..<500 {
                bench.frame(noise: 1 + 0.08 * (dice.unit - 0.5))
                XCTAssertEqual(bench.current, settled)
            }
        }
    }

    func testTheResponseGoesToItsTargetAsItsNumbersSay() {
        // Without overshoot: never past the target.
        var bench = ExposureBench(
            AutoExposure(program: phone, dynamics: AutoExposure.Dynamics(response: Response(timeConstant: 6))),
            light: light(for: 0.5))
        bench.current = phone.exposure(product: 0.25, longest: 1)
        var errors: [Double] = []
        for _ in 0..<40 {
            bench.frame()
            errors.append(bench.error)
        }
        XCTAssertEqual(errors, errors.sorted())
        XCTAssertEqual(errors[6] / errors[0], 1 / 2.718, accuracy: 0.02)
        // With it: past the target by about so much of the way, once.
        let swinging = AutoExposure.Dynamics(response: Response(timeConstant: 6, overshoot: 0.2), largestStep: 10)
        bench = ExposureBench(AutoExposure(program: phone, dynamics: swinging), light: light(for: 0.5))
        bench.current = phone.exposure(product: 0.125, longest: 1)
        errors = []
        for _ in 0..<60 {
            bench.frame()
            errors.append(bench.error)
        }
        XCTAssertEqual(errors.max() ?? 0, 0.4, accuracy: 0.12)
        XCTAssertFalse(bench.loop.isAdjusting)
    }

    func testTheBiasMovesTheTarget() {
        for bias in [-2.0, -1, 1, 2] {
            var bench = ExposureBench(AutoExposure(program: phone), light: light(for: 0.5))
            XCTAssertNotNil(bench.settle(within: 60, bias: bias))
            XCTAssertEqual(bench.error, bias, accuracy: 1.0 / 6)
        }
    }

    func testNoExposureIsLongerThanTheFrame() {
        var bench = ExposureBench(AutoExposure(program: phone), light: light(for: 60))
        bench.longest = 1.0 / 15
        XCTAssertNotNil(bench.settle(within: 60))
        XCTAssertEqual(bench.current.seconds, 1.0 / 15, accuracy: 0.0001)
        // A faster rate takes the time at once, and sensitivity makes up for it.
        bench.longest = 1.0 / 60
        for _ in 0..<40 {
            bench.frame()
            XCTAssertLessThanOrEqual(bench.current.seconds, 1.0 / 60 + 1e-9)
        }
        XCTAssertFalse(bench.loop.isAdjusting)
        XCTAssertEqual(bench.error, 0, accuracy: 1.0 / 6)
    }

    func testAtTheEndOfItsRangeItRests() {
        for change in [1e-6, 1e6] {
            var bench = ExposureBench(AutoExposure(program: phone), light: light(for: 0.5) * change)
            XCTAssertNotNil(bench.settle(within: 60))
            XCTAssertEqual(bench.current.iso, change < 1 ? 6400 : 50)
            XCTAssertEqual(bench.current.seconds, change < 1 ? 1.0 / 30 : 0.00002, accuracy: 1e-6)
        }
    }

    func testAWhitePictureIsNotTakenForItsLight() {
        // A scene 2,000 times too bright is white at first, and tells no more than that.
        var bench = ExposureBench(
            AutoExposure(program: phone, dynamics: .forUnknownDelay), light: light(for: 0.0025), lag: 3,
            assumedLag: 3)
        bench.current = phone.exposure(product: 5, longest: 1.0 / 30)
        let products = (0..<60).map { _ -> Double in
            bench.frame()
            return bench.current.product
        }
        XCTAssertEqual(products, products.sorted(by: >))
        XCTAssertFalse(bench.loop.isAdjusting)
        XCTAssertEqual(bench.error, 0, accuracy: 1.0 / 6)
    }
}

/// SplitMix64: G. Steele et al.: "Fast splittable pseudorandom number generators", OOPSLA 2014.
struct SeededDice {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var x = state
        x = (x ^ (x >> 30)) &* 0xbf58_476d_1ce4_e5b9
        x = (x ^ (x >> 27)) &* 0x94d0_49bb_1331_11eb
        return x ^ (x >> 31)
    }

    /// 0 … 1.
    var unit: Double { mutating get { Double(next() >> 11) / Double(1 << 53) } }
}
