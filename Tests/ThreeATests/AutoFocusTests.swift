import MediaTypes
import XCTest

@testable import ThreeA

/// A model of a lens and a scene. The contrast has one peak.
private struct FocusSimulation {
    var loop: AutoFocus
    var peak: Double
    /// The distance from the peak at which half of `height` remains.
    var halfWidth = 0.08
    /// The contrast at the peak minus `floor`.
    var height = 0.4
    /// The contrast out of focus.
    var floor = 0.02
    var noise = 0.0
    var lag = 2
    var current: Double
    var generator: SplitMix64
    /// The light of each zone.
    var light: UInt16 = 9000
    /// The mean brightness of the focus window, in codes.
    var brightness = 100.0
    private(set) var positions: [Double] = []
    private var line: DelayLine<Double>

    init(_ loop: AutoFocus, peak: Double, from start: Double, lag: Int = 2, seed: UInt64 = 1) {
        (self.loop, self.peak, self.lag, current) = (loop, peak, lag, start)
        generator = SplitMix64(seed: seed)
        line = DelayLine(lag: lag, value: start)
    }

    mutating func frame(isContinuous: Bool = false, isExposureSteady: Bool = true) {
        positions.append(current)
        let position = positions[max(0, positions.count - 1 - lag)]
        let offset = (position - peak) / halfWidth
        let contrast = (floor + height / (1 + offset * offset)) * (1 + noise * (generator.number(in: 0...1) - 0.5))
        let frame = AutoFocus.Frame(
            contrast: contrast, gradient: contrast * brightness * brightness,
            zones: Array(repeating: light, count: 144), position: line.advance(current),
            isExposureSteady: isExposureSteady)
        current = loop.step(frame, current: current, isContinuous: isContinuous)
    }

    /// Returns the number of frames until the loop stops; nil if it exceeds `limit`.
    mutating func settle(within limit: Int, isContinuous: Bool = false) -> Int? {
        for count in 0..<limit {
            frame(isContinuous: isContinuous)
            if !loop.isAdjusting { return count }
        }
        return nil
    }
}

final class AutoFocusTests: XCTestCase {
    func testAScanStaysInItsRange() throws {
        for (range, peak, expectedPosition) in [(0.0...0.5, 0.8, 0.5), (0.5...1.0, 0.2, 0.5), (0.0...0.5, 0.3, 0.3)] {
            for start in [0, 0.45, 0.55, 1] {
                var fixture = FocusSimulation(AutoFocus(), peak: peak, from: start)
                fixture.loop.range = range
                fixture.loop.start()
                XCTAssertNotNil(fixture.settle(within: 200))
                XCTAssertEqual(fixture.current, expectedPosition, accuracy: 0.03, "peak \(peak) from \(start)")
                // Positions outside of the range are allowed only before the range is reached.
                XCTAssertTrue(fixture.positions.dropFirst().allSatisfy { range.contains($0) || $0 == start })
            }
        }
    }

    func testAScanFindsThePeakFromAnyPositionDespiteNoise() {
        for seed in UInt64(1)...5 {
            for peak in stride(from: 0, through: 1, by: 0.083) {
                for start in [0, 0.3, 0.5, 0.77, 1] {
                    for (lag, lensStep) in [(0, 0.0001), (3, 1.0 / 250)] {
                        var dynamics = AutoFocus.Dynamics()
                        dynamics.lensStep = lensStep
                        var fixture = FocusSimulation(
                            AutoFocus(dynamics: dynamics), peak: peak, from: start, lag: lag, seed: seed)
                        fixture.noise = 0.06
                        fixture.loop.start()
                        let message = "peak \(peak) from \(start), \(lag) frames late, seed \(seed)"
                        XCTAssertNotNil(fixture.settle(within: 200), message)
                        XCTAssertEqual(fixture.loop.outcome, .focused, message)
                        XCTAssertEqual(fixture.current, peak, accuracy: dynamics.fineStep, message)
                    }
                }
            }
        }
    }

    func testInASceneWithoutContrastTheScanFailsAndTheLensReturns() {
        for start in [0, 0.4, 1] {
            var fixture = FocusSimulation(AutoFocus(), peak: 0.5, from: start, seed: 9)
            fixture.height = 0
            fixture.noise = 0.08
            fixture.loop.start()
            XCTAssertNotNil(fixture.settle(within: 200))
            XCTAssertEqual(fixture.loop.outcome, .failed)
            XCTAssertEqual(fixture.current, start, accuracy: 0.0001)
        }
    }

    func testTheLensStaysAfterASingleScan() {
        var fixture = FocusSimulation(AutoFocus(), peak: 0.3, from: 1)
        fixture.loop.start()
        XCTAssertTrue(fixture.loop.isAdjusting)
        XCTAssertNotNil(fixture.settle(within: 200))
        let position = fixture.current
        fixture.peak = 0.8
        for _ in 0..<100 { fixture.frame() }
        XCTAssertEqual(fixture.current, position)
        XCTAssertFalse(fixture.loop.isAdjusting)
    }

    func testContinuousFocusFollowsSceneChangesAndStaysOtherwise() {
        var fixture = FocusSimulation(AutoFocus(), peak: 0.3, from: 1)
        fixture.noise = 0.06
        fixture.loop.start()
        XCTAssertNotNil(fixture.settle(within: 200, isContinuous: true))
        for peak in [0.8, 0.1, 0.55] {
            let position = fixture.current
            for _ in 0..<100 {
                fixture.frame(isContinuous: true)
                XCTAssertEqual(fixture.current, position)
            }
            fixture.peak = peak
            var wasAdjusting = false
            for _ in 0..<200 {
                fixture.frame(isContinuous: true)
                wasAdjusting = wasAdjusting || fixture.loop.isAdjusting
            }
            XCTAssertTrue(wasAdjusting)
            XCTAssertFalse(fixture.loop.isAdjusting)
            XCTAssertEqual(fixture.current, peak, accuracy: 1.0 / 48)
        }
    }

    func testABrightObjectWithoutDetailInTheWindowIsNotAChangeOfTheScene() {
        var fixture = FocusSimulation(AutoFocus(), peak: 0.3, from: 1)
        fixture.loop.start()
        XCTAssertNotNil(fixture.settle(within: 200, isContinuous: true))
        for _ in 0..<10 { fixture.frame(isContinuous: true) }
        // Twice the brightness with the same gradients is a quarter of the contrast.
        let height = fixture.height
        (fixture.height, fixture.floor, fixture.brightness) = (height / 4, fixture.floor / 4, 200)
        for _ in 0..<100 {
            fixture.frame(isContinuous: true)
            XCTAssertFalse(fixture.loop.isAdjusting)
        }
        // If the gradients are weaker as well, the scene has changed.
        fixture.brightness = 100
        for _ in 0..<6 { fixture.frame(isContinuous: true) }
        XCTAssertTrue(fixture.loop.isAdjusting)
    }

    func testAChangeOfExposureIsNotAChangeOfTheScene() {
        var fixture = FocusSimulation(AutoFocus(), peak: 0.3, from: 1)
        fixture.loop.start()
        XCTAssertNotNil(fixture.settle(within: 200, isContinuous: true))
        for _ in 0..<10 { fixture.frame(isContinuous: true) }
        fixture.light = 20000
        fixture.brightness = 150
        for _ in 0..<20 { fixture.frame(isContinuous: true, isExposureSteady: false) }
        XCTAssertFalse(fixture.loop.isAdjusting)
        (fixture.light, fixture.brightness) = (9000, 100)
        for _ in 0..<20 { fixture.frame(isContinuous: true) }
        XCTAssertFalse(fixture.loop.isAdjusting)
        // Different light with a steady exposure is a change of the scene.
        fixture.light = 20000
        for _ in 0..<6 { fixture.frame(isContinuous: true) }
        XCTAssertTrue(fixture.loop.isAdjusting)
    }

    func testAScanWaitsForTheExposureForALimitedTime() {
        var fixture = FocusSimulation(AutoFocus(), peak: 0.3, from: 1)
        fixture.loop.start()
        for _ in 0..<30 {
            fixture.frame(isExposureSteady: false)
            XCTAssertEqual(fixture.current, 1)
            XCTAssertTrue(fixture.loop.isAdjusting)
        }
        for _ in 0..<300 { fixture.frame(isExposureSteady: false) }
        XCTAssertEqual(fixture.current, 0.3, accuracy: 1.0 / 48)
    }

    func testSmoothFocusMovesSlowlyAndTakesLonger() throws {
        var counts: [Int] = []
        for isSmooth in [false, true] {
            var fixture = FocusSimulation(AutoFocus(), peak: 0.3, from: 1)
            fixture.loop.isSmooth = isSmooth
            fixture.loop.start()
            counts.append(try XCTUnwrap(fixture.settle(within: 400)))
            XCTAssertEqual(fixture.current, 0.3, accuracy: 1.0 / 48)
            let steps = zip(fixture.positions, fixture.positions.dropFirst()).map { abs($0 - $1) }
            if isSmooth { XCTAssertLessThanOrEqual(steps.max() ?? 1, 0.0301) }
        }
        XCTAssertGreaterThan(counts[1], counts[0] * 5 / 4)
    }

    func testALockedLensDoesNotMove() {
        var fixture = FocusSimulation(AutoFocus(), peak: 0.3, from: 1)
        fixture.loop.start()
        for _ in 0..<10 { fixture.frame() }
        fixture.loop.stop()
        let position = fixture.current
        for _ in 0..<20 { fixture.frame() }
        XCTAssertEqual(fixture.current, position)
        XCTAssertFalse(fixture.loop.isAdjusting)
    }
}
