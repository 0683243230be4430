import XCTest

@testable import SimDevices

final class ConstituentSelectorTests: XCTestCase {
    /// The limits of a triple camera: ultra-wide, wide and telephoto.
    private static let lenses = [
        ConstituentSelector.Lens(nearestFocus: 0.02, darkestLight: 4),
        ConstituentSelector.Lens(nearestFocus: 0.2, darkestLight: 1),
        ConstituentSelector.Lens(nearestFocus: 1, darkestLight: 8),
    ]

    /// A selector with a preferred constituent.
    private func selector(
        preferred: Int, _ lenses: [ConstituentSelector.Lens] = ConstituentSelectorTests.lenses
    ) -> ConstituentSelector {
        var selector = ConstituentSelector(lenses: lenses)
        selector.zoomDidChange(preferred: preferred)
        return selector
    }

    private func measurement(
        _ distance: Double?, light: Double? = 100, isSettled: Bool = true
    ) -> ConstituentSelector.Measurement {
        ConstituentSelector.Measurement(distance: distance, light: light, isSettled: isSettled)
    }

    /// Returns the active constituent after half a second with a measurement.
    private func settle(
        _ selector: inout ConstituentSelector, _ measurement: ConstituentSelector.Measurement
    ) -> Int {
        for _ in 0..<15 {
            time += 33_000_000
            selector.update(measurement, at: time)
        }
        return selector.active
    }

    private var time: Int64 = 0

    func testTheLongestLensThatCanFocusDelivers() {
        for (preferred, distance, expected) in [
            (2, 3.0, 2), (2, 0.5, 1), (2, 0.1, 0), (1, 0.5, 1), (1, 0.1, 0), (0, 0.01, 0), (0, 3, 0),
        ] {
            var selector = selector(preferred: preferred)
            selector.start(measurement(distance))
            XCTAssertEqual(selector.active, expected, "\(preferred) at \(distance) m")
        }
    }

    func testASubjectThatIsTooNearForAllLensesIsSeenByTheNearest() {
        var selector = selector(preferred: 2)
        selector.start(measurement(0.005))
        XCTAssertEqual(selector.active, 0)
    }

    func testAReplacementIsDelayedAndHasHysteresis() {
        var selector = selector(preferred: 1)
        selector.start(measurement(1))
        selector.update(measurement(0.1), at: 0)
        selector.update(measurement(0.1), at: 199_000_000)
        XCTAssertEqual(selector.active, 1)
        // A single frame at a larger distance restarts the delay.
        selector.update(measurement(1), at: 199_500_000)
        selector.update(measurement(0.1), at: 201_000_000)
        XCTAssertEqual(selector.active, 1)
        selector.update(measurement(0.1), at: 401_000_000)
        XCTAssertEqual(selector.active, 0)
        time = 401_000_000
        // The wide camera focuses at 0.2 m and returns beyond 0.22 m.
        XCTAssertEqual(settle(&selector, measurement(0.21)), 0)
        XCTAssertEqual(settle(&selector, measurement(0.225)), 1)
        XCTAssertEqual(settle(&selector, measurement(0.197)), 1)
        XCTAssertEqual(settle(&selector, measurement(0.19)), 0)
    }

    func testACameraWithMoreLightReplacesTheTelephotoCameraInTheDark() {
        var selector = selector(preferred: 2)
        selector.start(measurement(3))
        XCTAssertEqual(settle(&selector, measurement(3, light: 7)), 1)
        XCTAssertEqual(settle(&selector, measurement(3, light: 11)), 1)
        XCTAssertEqual(settle(&selector, measurement(3, light: 13)), 2)
        // If no camera has enough light, the preferred one delivers.
        XCTAssertEqual(settle(&selector, measurement(3, light: 0.5)), 2)
        // While the exposure adjusts, the last light counts.
        XCTAssertEqual(settle(&selector, measurement(3, light: 5)), 1)
        XCTAssertEqual(settle(&selector, measurement(3, light: nil)), 1)
    }

    func testALensWithFixedFocusIsNoFallback() {
        var lenses = Self.lenses
        lenses[0].nearestFocus = nil
        var selector = selector(preferred: 1, lenses)
        XCTAssertEqual(selector.fallbacks, [1])
        selector.start(measurement(0.1))
        XCTAssertEqual(selector.active, 1)
    }

    func testOnlyEnabledFallbacksReplace() {
        var selector = selector(preferred: 2)
        selector.set(.fallbackConstituents, to: .integer(0b01))
        selector.start(measurement(0.5))
        XCTAssertEqual(selector.active, 0)
        selector.set(.fallbackConstituents, to: .integer(0))
        XCTAssertEqual(settle(&selector, measurement(0.5)), 2)
    }

    func testRestrictedSwitchingWaitsForACondition() {
        var selector = selector(preferred: 1)
        selector.set(.constituentSwitching, to: .integer(2))
        selector.start(measurement(0.1))
        XCTAssertEqual(settle(&selector, measurement(0.1)), 1)
        selector.note(.exposureModeChanged)
        XCTAssertEqual(settle(&selector, measurement(0.1)), 1)
        selector.note(.focusModeChanged)
        XCTAssertEqual(settle(&selector, measurement(0.1, isSettled: false)), 1)
        XCTAssertEqual(settle(&selector, measurement(0.1)), 0)
        // The condition is used up.
        XCTAssertEqual(settle(&selector, measurement(2)), 0)
    }

    func testZoomingIsFreeInRestrictedSwitching() {
        var selector = selector(preferred: 1)
        selector.set(.constituentSwitching, to: .integer(0))
        selector.start(measurement(3))
        selector.update(measurement(3), at: 0)
        selector.zoomDidChange(preferred: 2)
        XCTAssertEqual(selector.active, 2)
        selector.zoomDidChange(preferred: 0)
        XCTAssertEqual(selector.active, 0)
        // A lens that becomes available is taken only if it can focus.
        selector.update(measurement(0.1), at: 0)
        selector.zoomDidChange(preferred: 1)
        XCTAssertEqual(selector.active, 0)
    }

    func testALockedConstituentDelivers() {
        var selector = selector(preferred: 1)
        selector.set(.constituent, to: .integer(1))
        selector.start(measurement(0.1))
        XCTAssertEqual(settle(&selector, measurement(0.1)), 1)
        selector.zoomDidChange(preferred: 2)
        XCTAssertEqual(selector.active, 1)
        XCTAssertEqual(selector.value(of: .constituent), .integer(1))
        // Unlocking chooses anew.
        selector.set(.constituent, to: .integer(-1))
        XCTAssertEqual(selector.active, 0)
    }
}
