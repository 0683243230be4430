import Foundation
import MediaTypes
import XCTest

final class CMTimeTests: XCTestCase {
    func testZeroedFieldsAreInvalid() {
        XCTAssertFalse(CMTime().isValid)
        XCTAssertEqual(CMTime(), .invalid)
        XCTAssertEqual(CMTime().flags, [])
    }

    func testEachStateHasItsPropertiesAndFlags() {
        XCTAssertTrue(CMTime.positiveInfinity.isPositiveInfinity)
        XCTAssertTrue(CMTime.negativeInfinity.isNegativeInfinity)
        XCTAssertTrue(CMTime.indefinite.isIndefinite)
        XCTAssertTrue(CMTime.zero.isNumeric)
        for time in [CMTime.positiveInfinity, .negativeInfinity, .indefinite] {
            XCTAssertTrue(CMTIME_IS_VALID(time))
            XCTAssertFalse(CMTIME_IS_NUMERIC(time))
        }
        XCTAssertEqual(CMTime.positiveInfinity.flags.rawValue, 5)
        XCTAssertEqual(CMTime.negativeInfinity.flags.rawValue, 9)
        XCTAssertEqual(CMTime.indefinite.flags.rawValue, 17)
    }

    func testAFlagWithoutValidIsInvalid() {
        let time = CMTime(value: 1, timescale: 1, flags: .positiveInfinity, epoch: 0)
        XCTAssertTrue(CMTIME_IS_INVALID(time))
        XCTAssertFalse(time.isPositiveInfinity)
    }

    func testATimescaleMustBePositive() {
        XCTAssertFalse(CMTimeMake(value: 1, timescale: 0).isValid)
        XCTAssertFalse(CMTimeMake(value: 1, timescale: -600).isValid)
        XCTAssertFalse(CMTimeMakeWithSeconds(1, preferredTimescale: 0).isValid)
    }

    func testSecondsOfNonnumericTimesAreInfiniteOrNaN() {
        XCTAssertEqual(CMTimeGetSeconds(CMTime(value: 3, timescale: 2)), 1.5)
        XCTAssertEqual(CMTime(value: 1, timescale: 2, flags: .valid, epoch: 9).seconds, 0.5)
        XCTAssertTrue(CMTime.invalid.seconds.isNaN)
        XCTAssertTrue(CMTime.indefinite.seconds.isNaN)
        XCTAssertEqual(CMTime.positiveInfinity.seconds, .infinity)
        XCTAssertEqual(CMTime.negativeInfinity.seconds, -.infinity)
    }

    func testInexactSecondsAreMarkedAsRounded() {
        let exact = CMTime(seconds: 1.5, preferredTimescale: 600)
        XCTAssertEqual(exact.value, 900)
        XCTAssertFalse(exact.hasBeenRounded)
        XCTAssertFalse(CMTime(seconds: 0.1, preferredTimescale: 600).hasBeenRounded)
        let third = CMTime(seconds: 1.0 / 3, preferredTimescale: 1000)
        XCTAssertEqual(third.value, 333)
        XCTAssertTrue(third.hasBeenRounded)
        XCTAssertEqual(CMTime(seconds: -1.0 / 3, preferredTimescale: 1000).value, -333)
    }

    func testTheTimescaleOfLargeSecondsIsHalvedUntilTheValueFits() {
        let large = CMTime(seconds: 1e15, preferredTimescale: 1_000_000)
        XCTAssertLessThan(large.timescale, 1_000_000)
        XCTAssertEqual(large.seconds, 1e15, accuracy: 1)
        XCTAssertEqual(1_000_000 >> 7, Int(large.timescale))
        XCTAssertTrue(CMTime(seconds: 1e30, preferredTimescale: 600).isPositiveInfinity)
        XCTAssertTrue(CMTime(seconds: -1e30, preferredTimescale: 600).isNegativeInfinity)
        XCTAssertTrue(CMTime(seconds: .infinity, preferredTimescale: 600).isPositiveInfinity)
        XCTAssertFalse(CMTime(seconds: .nan, preferredTimescale: 600).isValid)
    }

    func testStatesAreOrderedFromNegativeInfinityToInvalid() {
        let order: [CMTime] = [
            .negativeInfinity, CMTime(value: -1, timescale: 3), .zero, CMTime(value: .max, timescale: 1), .indefinite,
            .positiveInfinity, .invalid,
        ]
        for (i, first) in order.enumerated() {
            for (j, second) in order.enumerated() {
                XCTAssertEqual(CMTimeCompare(first, second), Int32((i - j).signum()), "\(first) \(second)")
            }
        }
    }

    func testTimesAreOrderedByEpochFirst() {
        let first = CMTimeMakeWithEpoch(value: 100, timescale: 1, epoch: 1)
        let second = CMTimeMakeWithEpoch(value: 1, timescale: 1, epoch: 2)
        XCTAssertLessThan(first, second)
        XCTAssertNotEqual(first, CMTime(value: 100, timescale: 1))
    }

    func testEqualTimesHaveEqualHashesAtAnyTimescale() {
        let times = [
            CMTime(value: 1, timescale: 2), CMTime(value: 300, timescale: 600), CMTime(value: 2, timescale: 4),
        ]
        XCTAssertEqual(Set(times).count, 1)
        var rounded = times[0]
        rounded.flags.insert(.hasBeenRounded)
        XCTAssertEqual(rounded, times[0])
        XCTAssertEqual(Set([rounded, times[0]]).count, 1)
        XCTAssertEqual(Set([CMTime.zero, CMTime(value: 0, timescale: 44100)]).count, 1)
    }

    func testMinimumAndMaximumFollowTheOrder() {
        let (a, b) = (CMTime(value: 1, timescale: 3), CMTime(value: 1, timescale: 2))
        XCTAssertEqual(CMTimeMinimum(a, b), a)
        XCTAssertEqual(CMTimeMaximum(a, b), b)
        XCTAssertEqual(CMTimeMaximum(.indefinite, b), .indefinite)
        XCTAssertFalse(CMTimeMaximum(.invalid, .positiveInfinity).isValid)
    }

    func testTheAbsoluteValueIsNotNegative() {
        XCTAssertEqual(CMTimeAbsoluteValue(CMTime(value: -5, timescale: 3)), CMTime(value: 5, timescale: 3))
        XCTAssertTrue(CMTimeAbsoluteValue(.negativeInfinity).isPositiveInfinity)
        XCTAssertTrue(CMTimeAbsoluteValue(.indefinite).isIndefinite)
        XCTAssertFalse(CMTimeAbsoluteValue(.invalid).isValid)
        let lowest = CMTimeAbsoluteValue(CMTime(value: .min, timescale: 2))
        XCTAssertEqual(lowest.timescale, 1)
        XCTAssertEqual(lowest.value, 1 << 62)
    }

    func testDescriptionContainsStateEpochAndRounding() {
        XCTAssertEqual("\(CMTime(value: 3, timescale: 2))", "{3/2 = 1.500}")
        XCTAssertEqual("\(CMTime(value: -1, timescale: 3))", "{-1/3 = -0.333}")
        XCTAssertEqual("\(CMTime.invalid)", "{INVALID}")
        XCTAssertEqual("\(CMTime.positiveInfinity)", "{+INFINITY}")
        XCTAssertEqual("\(CMTime.negativeInfinity)", "{-INFINITY}")
        XCTAssertEqual("\(CMTime.indefinite)", "{INDEFINITE}")
        let time = CMTime(value: 1, timescale: 1, flags: [.valid, .hasBeenRounded], epoch: 4)
        XCTAssertEqual(CMTimeCopyDescription(allocator: nil, time: time), "{1/1 = 1.000, epoch = 4, rounded}")
    }

    func testDictionaryAndCodingKeepEveryField() throws {
        let time = CMTime(value: .max, timescale: 7, flags: [.valid, .hasBeenRounded], epoch: -3)
        for copy in [
            CMTimeMakeFromDictionary(CMTimeCopyAsDictionary(time, allocator: nil)),
            try JSONDecoder().decode(CMTime.self, from: JSONEncoder().encode(time)),
        ] {
            XCTAssertEqual(copy.value, time.value)
            XCTAssertEqual(copy.timescale, time.timescale)
            XCTAssertEqual(copy.flags, time.flags)
            XCTAssertEqual(copy.epoch, time.epoch)
        }
        for value: Int64 in [(1 << 53) + 1, .max, .min] {
            let numbers: [CFString: Any] = [
                kCMTimeValueKey: NSNumber(value: value), kCMTimeScaleKey: NSNumber(value: 600),
                kCMTimeEpochKey: NSNumber(value: 0), kCMTimeFlagsKey: NSNumber(value: 1),
            ]
            XCTAssertEqual(CMTimeMakeFromDictionary(numbers).value, value)
        }
        XCTAssertFalse(CMTimeMakeFromDictionary(nil).isValid)
        XCTAssertFalse(CMTimeMakeFromDictionary([kCMTimeValueKey: 1]).isValid)
        XCTAssertFalse(
            CMTimeMakeFromDictionary([
                kCMTimeValueKey: 1, kCMTimeScaleKey: "one", kCMTimeEpochKey: 0, kCMTimeFlagsKey: 1,
            ]).isValid)
    }
}
