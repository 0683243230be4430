import MediaTypes
import XCTest

@testable import ThreeA

/// A model of a camera that reports the mean color of a scene after a delay.
private struct BalanceSimulation {
    var loop: AutoWhiteBalance
    /// The scene's mean linear light in sensor values.
    var scene: (red: Double, green: Double, blue: Double)
    let lag: Int
    var current = ColorGains(red: 1, green: 1, blue: 1)
    private var past: [ColorGains] = []
    private var line: DelayLine<ColorGains>

    init(_ loop: AutoWhiteBalance, scene: (red: Double, green: Double, blue: Double), lag: Int = 0, assumedLag: Int = 0)
    {
        (self.loop, self.scene, self.lag) = (loop, scene, lag)
        line = DelayLine(lag: assumedLag, value: current)
    }

    private(set) var color = ColorMeans(red: 0, green: 0, blue: 0, share: 0)

    mutating func frame(noise: (Double, Double) = (1, 1), share: Double = 0.9) {
        past.append(current)
        let appliedGains = past[max(0, past.count - 1 - lag)]
        color = ColorMeans(
            red: scene.red * appliedGains.red * noise.0, green: scene.green * appliedGains.green,
            blue: scene.blue * appliedGains.blue * noise.1, share: share)
        current = loop.step(after: line.advance(current), current: current, color: color)
    }

    /// Returns the number of frames until the loop has stopped and the frames have its final gains; nil if it exceeds
    /// `limit`.
    mutating func settle(within limit: Int) -> Int? {
        var restCount = 0
        for count in 0..<limit {
            frame()
            let isShown = past.suffix(lag + 1).allSatisfy { $0 == current }
            restCount = !loop.isAdjusting && isShown ? restCount + 1 : 0
            if restCount > 8 { return count - 8 }
        }
        return nil
    }
}

final class AutoWhiteBalanceTests: XCTestCase {
    private let phone = GainLimits(red: 1...4, green: 1...4, blue: 1...4)
    /// A typical webcam: gains of red and blue only, in coarse steps.
    private let webcam = GainLimits(red: 1...8, green: 2...2, blue: 1...8, step: 1.0 / 64)
    /// A gray scene in five lights from candlelight to shade, with a sensor that is less sensitive to red and blue.
    private let lights: [(red: Double, green: Double, blue: Double)] = [
        (0.28, 0.2, 0.075), (0.2, 0.2, 0.09), (0.13, 0.2, 0.12), (0.11, 0.2, 0.15), (0.08, 0.2, 0.22),
    ]

    func testAnImmediateStepReachesTheGoal() {
        for light in lights {
            var loop = AutoWhiteBalance(limits: phone)
            var gains = ColorGains(red: 1, green: 1, blue: 1)
            func color(_ gains: ColorGains) -> ColorMeans {
                ColorMeans(
                    red: light.red * gains.red, green: light.green * gains.green, blue: light.blue * gains.blue,
                    share: 0.9)
            }
            gains = loop.step(after: gains, current: gains, color: color(gains), isImmediate: true)
            XCTAssertTrue(loop.isAdjusting)
            XCTAssertEqual(color(gains).red / color(gains).green, 1, accuracy: 0.01, "\(light)")
            XCTAssertEqual(color(gains).blue / color(gains).green, 1, accuracy: 0.01, "\(light)")
            // The loop stops with the next frame.
            XCTAssertEqual(loop.step(after: gains, current: gains, color: color(gains), isImmediate: true), gains)
            XCTAssertFalse(loop.isAdjusting)
        }
    }

    func testAGraySceneBecomesNeutralInAnyLight() {
        for limits in [phone, webcam] {
            for lag in 0...3 {
                for light in lights {
                    for next in lights {
                        var fixture = BalanceSimulation(
                            AutoWhiteBalance(limits: limits), scene: light, lag: lag, assumedLag: 2)
                        for scene in [light, next] {
                            fixture.scene = scene
                            let message = "\(scene) from \(light), \(lag) frames late"
                            XCTAssertNotNil(fixture.settle(within: 120), message)
                            XCTAssertEqual(fixture.color.red / fixture.color.green, 1, accuracy: 0.06, message)
                            XCTAssertEqual(fixture.color.blue / fixture.color.green, 1, accuracy: 0.06, message)
                            let settled = fixture.current
                            for _ in 0..<50 { fixture.frame() }
                            XCTAssertEqual(fixture.current, settled, message)
                        }
                    }
                }
            }
        }
    }

    func testGainsStayInTheirRangeAndTheSmallestIsOne() {
        var fixture = BalanceSimulation(AutoWhiteBalance(limits: phone), scene: (0.02, 0.2, 0.3))
        for _ in 0..<100 {
            fixture.frame()
            for gain in [fixture.current.red, fixture.current.green, fixture.current.blue] {
                XCTAssertTrue((1...4).contains(gain), "\(fixture.current)")
            }
            XCTAssertEqual(min(fixture.current.red, fixture.current.green, fixture.current.blue), 1)
        }
        XCTAssertEqual(fixture.current.red, 4)
        XCTAssertFalse(fixture.loop.isAdjusting)
    }

    func testASceneThatIsNotGrayKeepsItsColorBeyondTheLimits() {
        // A red wall: the correction is limited to plausible red light.
        var dynamics = AutoWhiteBalance.Dynamics()
        dynamics.redLimits = -0.5...0.5
        var fixture = BalanceSimulation(AutoWhiteBalance(limits: phone, dynamics: dynamics), scene: (0.4, 0.1, 0.1))
        XCTAssertNotNil(fixture.settle(within: 120))
        XCTAssertEqual(fixture.color.red / fixture.color.green, 2.83, accuracy: 0.1)
    }

    func testNoiseAndDarknessDoNotRestartTheLoop() {
        var generator = SplitMix64(seed: 3)
        var fixture = BalanceSimulation(AutoWhiteBalance(limits: phone), scene: lights[1])
        XCTAssertNotNil(fixture.settle(within: 120))
        let settled = fixture.current
        for _ in 0..<300 {
            fixture.frame(
                noise: (1 + 0.03 * (generator.number(in: 0...1) - 0.5), 1 + 0.03 * (generator.number(in: 0...1) - 0.5)))
            XCTAssertEqual(fixture.current, settled)
        }
        fixture.scene = lights[4]
        for _ in 0..<50 {
            fixture.frame(share: 0.01)
            XCTAssertEqual(fixture.current, settled)
            XCTAssertFalse(fixture.loop.isAdjusting)
        }
    }

    func testTheLoopStopsEvenIfItsGoalOscillates() {
        var fixture = BalanceSimulation(AutoWhiteBalance(limits: webcam), scene: lights[1], lag: 2, assumedLag: 2)
        for count in 0..<150 { fixture.frame(noise: count % 4 < 2 ? (1.025, 0.98) : (0.975, 1.02)) }
        XCTAssertFalse(fixture.loop.isAdjusting)
        let settled = fixture.current
        for count in 0..<100 { fixture.frame(noise: count % 4 < 2 ? (1.025, 0.98) : (0.975, 1.02)) }
        XCTAssertEqual(fixture.current, settled)
        fixture.frame()
        XCTAssertEqual(fixture.color.red / fixture.color.green, 1, accuracy: 0.06)
        XCTAssertEqual(fixture.color.blue / fixture.color.green, 1, accuracy: 0.06)
    }
}
