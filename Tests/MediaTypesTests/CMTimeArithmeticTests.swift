import MediaTypes
import XCTest

final class CMTimeArithmeticTests: XCTestCase {
    private func assertTime(
        _ time: CMTime, _ value: Int64, _ timescale: Int32, rounded: Bool = false, epoch: Int64 = 0,
        line: UInt = #line
    ) {
        XCTAssertTrue(time.isNumeric, "\(time)", line: line)
        XCTAssertEqual(time.value, value, line: line)
        XCTAssertEqual(time.timescale, timescale, line: line)
        XCTAssertEqual(time.hasBeenRounded, rounded, line: line)
        XCTAssertEqual(time.epoch, epoch, line: line)
    }

    // MARK: Sums

    func testSumsOfEqualTimescalesKeepTheTimescale() {
        assertTime(CMTime(value: 1, timescale: 600) + CMTime(value: 5, timescale: 600), 6, 600)
        assertTime(CMTime(value: 1, timescale: 600) - CMTime(value: 5, timescale: 600), -4, 600)
    }

    func testSumsUseTheLeastCommonMultipleOfTheTimescales() {
        assertTime(CMTime(value: 1, timescale: 4) + CMTime(value: 1, timescale: 6), 5, 12)
        assertTime(CMTime(value: 1, timescale: 44100) + CMTime(value: 1, timescale: 30), 1471, 44100)
        assertTime(CMTime.zero + CMTime(value: 1, timescale: 30), 1, 30)
    }

    func testSumsAreRoundedAtTheLargestTimescale() {
        let sum = CMTime(value: 1, timescale: 2_147_483_647) + CMTime(value: 1, timescale: 2_147_483_646)
        assertTime(sum, 2, kCMTimeMaxTimescale, rounded: true)
        let large = CMTime(value: 1, timescale: 1_000_003) + CMTime(value: 1, timescale: 1_000_033)
        XCTAssertEqual(large.timescale, kCMTimeMaxTimescale)
        XCTAssertTrue(large.hasBeenRounded)
        XCTAssertEqual(large.seconds, 1.0 / 1_000_003 + 1.0 / 1_000_033, accuracy: 1e-9)
    }

    func testAnOverflowHalvesTheTimescale() {
        let maximum = CMTime(value: .max, timescale: 600)
        let sum = maximum + maximum
        assertTime(sum, .max, 300)
        assertTime(maximum + CMTime(value: 1, timescale: 600), 1 << 62, 300)
        assertTime(maximum + CMTime(value: 2, timescale: 600), 1 << 62 + 1, 300, rounded: true)
    }

    func testAnOverflowAtTimescaleOneIsInfinite() {
        let maximum = CMTime(value: .max, timescale: 1)
        XCTAssertTrue((maximum + maximum).isPositiveInfinity)
        XCTAssertTrue((CMTime(value: .min, timescale: 1) - maximum).isNegativeInfinity)
    }

    func testRoundingIsInherited() {
        let rounded = CMTime(value: 1, timescale: 1, flags: [.valid, .hasBeenRounded], epoch: 0)
        XCTAssertTrue((rounded + .zero).hasBeenRounded)
        XCTAssertTrue((CMTime.zero - rounded).hasBeenRounded)
        XCTAssertTrue(CMTimeMultiply(rounded, multiplier: 2).hasBeenRounded)
        XCTAssertTrue(CMTimeMultiplyByFloat64(rounded, multiplier: 2).hasBeenRounded)
        XCTAssertTrue(CMTimeMultiplyByRatio(rounded, multiplier: 2, divisor: 1).hasBeenRounded)
        XCTAssertTrue(rounded.convertScale(600, method: .default).hasBeenRounded)
    }

    func testSumsOfInfinitiesFollowTheirSigns() {
        let (plus, minus) = (CMTime.positiveInfinity, CMTime.negativeInfinity)
        XCTAssertTrue((plus + plus).isPositiveInfinity)
        XCTAssertTrue((minus + minus).isNegativeInfinity)
        XCTAssertFalse((plus + minus).isValid)
        XCTAssertFalse((minus + plus).isValid)
        XCTAssertFalse((plus - plus).isValid)
        XCTAssertFalse((minus - minus).isValid)
        XCTAssertTrue((plus - minus).isPositiveInfinity)
        XCTAssertTrue((minus - plus).isNegativeInfinity)
        XCTAssertTrue((CMTime.zero - plus).isNegativeInfinity)
        XCTAssertTrue((plus + .indefinite).isPositiveInfinity)
        XCTAssertTrue((CMTime.indefinite - plus).isNegativeInfinity)
    }

    func testIndefiniteAndInvalidOperandsPropagate() {
        XCTAssertTrue((CMTime.indefinite + .zero).isIndefinite)
        XCTAssertTrue((CMTime.zero - .indefinite).isIndefinite)
        for time in [CMTime.zero, .indefinite, .positiveInfinity, .invalid] {
            XCTAssertFalse((time + .invalid).isValid)
            XCTAssertFalse((CMTime.invalid - time).isValid)
        }
    }

    func testSumsKeepTheEpochAndDifferencesOfEqualEpochsHaveNone() {
        let time = CMTimeMakeWithEpoch(value: 5, timescale: 1, epoch: 3)
        let duration = CMTime(value: 1, timescale: 1)
        assertTime(time + duration, 6, 1, epoch: 3)
        assertTime(duration + time, 6, 1, epoch: 3)
        assertTime(time - duration, 4, 1, epoch: 3)
        assertTime(time - time, 0, 1, epoch: 0)
        assertTime(time + time, 10, 1, epoch: 0)
        XCTAssertFalse((time - CMTimeMakeWithEpoch(value: 5, timescale: 1, epoch: 4)).isValid)
    }

    func testSumsOfRandomTimesAreRoundedOnce() {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<4000 {
            let (a, b) = (randomTime(&generator), randomTime(&generator))
            let (da, db) = (ExactInteger(a.timescale), ExactInteger(b.timescale))
            let (na, nb) = (ExactInteger(a.value) * db, ExactInteger(b.value) * da)
            let common = Int64(a.timescale) / gcd(Int64(a.timescale), Int64(b.timescale)) * Int64(b.timescale)
            assertNearest(a + b, na + nb, da * db, "\(a) + \(b)")
            assertNearest(a - b, na - nb, da * db, "\(a) - \(b)")
            assertLargestTimescale(a + b, na + nb, da * db, Int32(clamping: common), "\(a) + \(b)")
            assertLargestTimescale(a - b, na - nb, da * db, Int32(clamping: common), "\(a) - \(b)")
            let order = na == nb ? 0 : (na < nb ? -1 : 1)
            XCTAssertEqual(Int(CMTimeCompare(a, b)), order, "\(a) <=> \(b)")
        }
    }

    // MARK: Products

    func testProductsWithIntegersAreExactOrHalveTheTimescale() {
        assertTime(CMTimeMultiply(CMTime(value: 7, timescale: 600), multiplier: -3), -21, 600)
        assertTime(CMTimeMultiply(CMTime(value: .max, timescale: 600), multiplier: 2), .max, 300)
        XCTAssertTrue(CMTimeMultiply(CMTime(value: .max, timescale: 1), multiplier: 2).isPositiveInfinity)
        XCTAssertTrue(CMTimeMultiply(.negativeInfinity, multiplier: -2).isPositiveInfinity)
        XCTAssertTrue(CMTimeMultiply(.positiveInfinity, multiplier: -2).isNegativeInfinity)
        XCTAssertTrue(CMTimeMultiply(.indefinite, multiplier: -2).isIndefinite)
        XCTAssertFalse(CMTimeMultiply(.invalid, multiplier: 0).isValid)
    }

    func testProductsWithFloatingPointNumbersDoubleSmallTimescales() {
        let product = CMTimeMultiplyByFloat64(CMTime(value: 1, timescale: 600), multiplier: 0.5)
        assertTime(product, 64, 76800)
        assertTime(CMTimeMultiplyByFloat64(CMTime(value: 1, timescale: 65536), multiplier: 3), 3, 65536)
        let third = CMTimeMultiplyByFloat64(CMTime(value: 1, timescale: 90000), multiplier: 1.0 / 3)
        assertTime(third, 0, 90000, rounded: true)
        assertTime(
            CMTimeMultiplyByFloat64(CMTime(value: -3, timescale: 90000), multiplier: 0.5), -2, 90000, rounded: true)
    }

    func testProductsWithFloatingPointNumbersHandleOverflow() {
        let maximum = CMTime(value: .max, timescale: 65536)
        assertTime(CMTimeMultiplyByFloat64(maximum, multiplier: 2), .max, 32768)
        assertTime(CMTimeMultiplyByFloat64(CMTime(value: 1, timescale: 1), multiplier: 0x1p62), 1 << 62, 1)
        XCTAssertTrue(CMTimeMultiplyByFloat64(CMTime(value: 1, timescale: 1), multiplier: 0x1p63).isPositiveInfinity)
        XCTAssertTrue(CMTimeMultiplyByFloat64(maximum, multiplier: -1e300).isNegativeInfinity)
        assertTime(CMTimeMultiplyByFloat64(maximum, multiplier: 1e-300), 0, 65536, rounded: true)
        assertTime(CMTimeMultiplyByFloat64(maximum, multiplier: 0), 0, 65536)
        XCTAssertFalse(CMTimeMultiplyByFloat64(maximum, multiplier: .nan).isValid)
        XCTAssertTrue(CMTimeMultiplyByFloat64(.positiveInfinity, multiplier: -1).isNegativeInfinity)
        XCTAssertTrue(CMTimeMultiplyByFloat64(.indefinite, multiplier: -1).isIndefinite)
    }

    func testRandomProductsWithFloatingPointNumbersAreRoundedOnce() {
        var generator = SplitMix64(seed: 2)
        for _ in 0..<4000 {
            let time = randomTime(&generator)
            let exponent = Int.random(in: -80...70, using: &generator)
            let significand = Double.random(in: 1..<2, using: &generator)
            let multiplier = Double(
                sign: Bool.random(using: &generator) ? .plus : .minus, exponent: exponent, significand: significand)
            // The multiplier is an integer over a power of two; scale the fraction to integers.
            var numerator = ExactInteger(time.value) * ExactInteger(Int64(multiplier.significand * 0x1p52))
            if multiplier < 0 { numerator = -numerator }
            var denominator = ExactInteger(time.timescale)
            let power = exponent - 52
            for _ in 0..<abs(power) {
                if power > 0 { numerator = numerator + numerator } else { denominator = denominator + denominator }
            }
            assertNearest(
                CMTimeMultiplyByFloat64(time, multiplier: multiplier), numerator, denominator, "\(time) * \(multiplier)"
            )
        }
    }

    func testRatiosAreExactIfPossible() {
        assertTime(CMTimeMultiplyByRatio(CMTime(value: 100, timescale: 600), multiplier: 1, divisor: 2), 50, 600)
        let third = CMTimeMultiplyByRatio(CMTime(value: 1, timescale: 30), multiplier: 1, divisor: 3)
        assertTime(third, 1, 90)
        assertTime(CMTimeMultiplyByRatio(CMTime(value: 1, timescale: 30), multiplier: 1, divisor: -3), -1, 90)
    }

    func testRatiosWithDivisorZeroAreInfiniteOrInvalid() {
        let time = CMTime(value: 1, timescale: 30)
        XCTAssertFalse(CMTimeMultiplyByRatio(.zero, multiplier: 1, divisor: 0).isValid)
        XCTAssertFalse(CMTimeMultiplyByRatio(time, multiplier: 0, divisor: 0).isValid)
        XCTAssertTrue(CMTimeMultiplyByRatio(time, multiplier: 1, divisor: 0).isPositiveInfinity)
        XCTAssertTrue(CMTimeMultiplyByRatio(time, multiplier: -1, divisor: 0).isNegativeInfinity)
        XCTAssertTrue(CMTimeMultiplyByRatio(.indefinite, multiplier: -1, divisor: 3).isIndefinite)
        XCTAssertFalse(CMTimeMultiplyByRatio(.invalid, multiplier: -1, divisor: 3).isValid)
    }

    func testProductsOfInfinitiesFollowTheSignAndAreInvalidForZero() {
        let (plus, minus) = (CMTime.positiveInfinity, CMTime.negativeInfinity)
        XCTAssertTrue(CMTimeMultiplyByRatio(plus, multiplier: 2, divisor: 3).isPositiveInfinity)
        XCTAssertTrue(CMTimeMultiplyByRatio(plus, multiplier: -2, divisor: 3).isNegativeInfinity)
        XCTAssertTrue(CMTimeMultiplyByRatio(plus, multiplier: 2, divisor: -3).isNegativeInfinity)
        XCTAssertTrue(CMTimeMultiplyByRatio(minus, multiplier: -2, divisor: 3).isPositiveInfinity)
        XCTAssertTrue(CMTimeMultiplyByRatio(minus, multiplier: -2, divisor: -3).isNegativeInfinity)
        XCTAssertTrue(CMTimeMultiplyByRatio(plus, multiplier: -2, divisor: 0).isNegativeInfinity)
        for time in [plus, minus] {
            XCTAssertFalse(CMTimeMultiplyByRatio(time, multiplier: 0, divisor: 3).isValid)
            XCTAssertFalse(CMTimeMultiplyByRatio(time, multiplier: 0, divisor: 0).isValid)
            XCTAssertFalse(CMTimeMultiply(time, multiplier: 0).isValid)
            XCTAssertFalse(CMTimeMultiplyByFloat64(time, multiplier: 0).isValid)
            XCTAssertFalse(CMTimeMultiplyByFloat64(time, multiplier: -0.0).isValid)
        }
    }

    func testRandomRatiosAreExactOrRoundedOnce() {
        var generator = SplitMix64(seed: 3)
        for _ in 0..<4000 {
            let time = randomTime(&generator)
            let multiplier = Int32.random(in: .min ... .max, using: &generator)
            let divisor = Int32.random(in: 1...(Bool.random(using: &generator) ? 1000 : .max), using: &generator)
            assertNearest(
                CMTimeMultiplyByRatio(time, multiplier: multiplier, divisor: divisor),
                ExactInteger(time.value) * ExactInteger(multiplier),
                ExactInteger(time.timescale) * ExactInteger(divisor),
                "\(time) * \(multiplier) / \(divisor)")
        }
    }

    // MARK: Conversions

    func testEveryRoundingMethodRoundsInItsDirection() {
        func converted(_ value: Int64, _ method: CMTimeRoundingMethod) -> Int64 {
            CMTimeConvertScale(CMTime(value: value, timescale: 10), timescale: 1, method: method).value
        }
        let expected: [(CMTimeRoundingMethod, [Int64: Int64])] = [
            (.roundHalfAwayFromZero, [14: 1, 15: 2, -14: -1, -15: -2, 20: 2]),
            (.roundTowardZero, [19: 1, -19: -1, 20: 2]),
            (.roundAwayFromZero, [11: 2, -11: -2, 20: 2]),
            (.quickTime, [19: 1, -19: -1, -1: -1, 1: 0, 0: 0]),
            (.roundTowardPositiveInfinity, [11: 2, -19: -1, 20: 2]),
            (.roundTowardNegativeInfinity, [19: 1, -11: -2, 20: 2]),
        ]
        for (method, values) in expected {
            for (value, result) in values {
                XCTAssertEqual(converted(value, method), result, "\(value) \(method)")
            }
        }
    }

    func testQuickTimeRoundsAwayFromZeroToALargerTimescale() {
        let time = CMTime(value: 1, timescale: 3)
        XCTAssertEqual(time.convertScale(10, method: .quickTime).value, 4)
        XCTAssertEqual(time.convertScale(2, method: .quickTime).value, 0)
    }

    func testRoundingConversionsAreMarked() {
        assertTime(CMTime(value: 1, timescale: 2).convertScale(600, method: .default), 300, 600)
        assertTime(CMTime(value: 1, timescale: 3).convertScale(10, method: .default), 3, 10, rounded: true)
        let inEpoch = CMTimeMakeWithEpoch(value: 1, timescale: 2, epoch: 8)
        assertTime(inEpoch.convertScale(4, method: .default), 2, 4, epoch: 8)
    }

    func testConversionKeepsInfiniteIndefiniteAndInvalidTimes() {
        XCTAssertTrue(CMTime.positiveInfinity.convertScale(1, method: .default).isPositiveInfinity)
        XCTAssertTrue(CMTime.indefinite.convertScale(1, method: .default).isIndefinite)
        XCTAssertFalse(CMTime.invalid.convertScale(1, method: .default).isValid)
        XCTAssertFalse(CMTime.zero.convertScale(0, method: .default).isValid)
        XCTAssertTrue(CMTime(value: .max, timescale: 1).convertScale(2, method: .default).isPositiveInfinity)
    }

    // MARK: Reference calculation

    /// Returns a random time; small values and common timescales are as likely as others.
    private func randomTime(_ generator: inout SplitMix64) -> CMTime {
        let bits = Int.random(in: 0...63, using: &generator)
        var value = Int64(truncatingIfNeeded: generator.next() >> UInt64(64 - max(1, bits)))
        if Bool.random(using: &generator) { value = -(value + 1) }
        let scales: [Int32] = [1, 24, 25, 30, 600, 1001, 30000, 44100, 48000, 90000, 1_000_000_000, .max]
        let timescale =
            Bool.random(using: &generator)
            ? scales[Int.random(in: scales.indices, using: &generator)]
            : Int32.random(in: 1 ... .max, using: &generator)
        return CMTime(value: value, timescale: timescale)
    }

    /// Asserts that a time is the nearest one to a fraction at its timescale (halves are rounded away from zero), that
    /// it is marked as rounded only if it differs from the fraction, and that it is infinite only if the value exceeds
    /// 64 bits at timescale 1.
    private func assertNearest(
        _ time: CMTime, _ numerator: ExactInteger, _ denominator: ExactInteger, _ message: String, line: UInt = #line
    ) {
        guard time.isNumeric else {
            XCTAssertTrue(time.isPositiveInfinity || time.isNegativeInfinity, message, line: line)
            XCTAssertEqual(time.isNegativeInfinity, numerator < ExactInteger(0), message, line: line)
            let (two, maximum) = (ExactInteger(2), ExactInteger(Int64.max))
            let limit = two * maximum * denominator + denominator
            XCTAssertGreaterThanOrEqual(two * numerator.magnitude, limit, message, line: line)
            return
        }
        let difference = ExactInteger(time.value) * denominator - numerator * ExactInteger(time.timescale)
        XCTAssertLessThanOrEqual(ExactInteger(2) * difference.magnitude, denominator, message, line: line)
        if ExactInteger(2) * difference.magnitude == denominator {
            let isAway =
                (ExactInteger(time.value) * denominator).magnitude
                > (numerator * ExactInteger(time.timescale)).magnitude
            XCTAssertTrue(isAway, message, line: line)
        }
        XCTAssertEqual(time.hasBeenRounded, difference != ExactInteger(0), message, line: line)
    }

    /// Asserts that the timescale of a time is `first`, halved only until the value fits into 64 bits.
    private func assertLargestTimescale(
        _ time: CMTime, _ numerator: ExactInteger, _ denominator: ExactInteger, _ first: Int32, _ message: String,
        line: UInt = #line
    ) {
        guard time.isNumeric else { return }
        let limit = (ExactInteger(2) * ExactInteger(Int64.max) + ExactInteger(1)) * denominator
        var scale = first
        while ExactInteger(2) * numerator.magnitude * ExactInteger(scale) >= limit, scale > time.timescale {
            scale /= 2
        }
        // −2^63 fits but 2^63 does not, so one fewer halving is possible.
        XCTAssertTrue(time.timescale == scale || time.value == .min, message, line: line)
    }

    private func gcd(_ a: Int64, _ b: Int64) -> Int64 { b == 0 ? a : gcd(b, a % b) }
}
