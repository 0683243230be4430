import MediaTypes
import XCTest

final class CMTimeRangeTests: XCTestCase {
    private func seconds(_ value: Int64) -> CMTime { CMTime(value: value, timescale: 1) }
    private func range(_ start: Int64, _ end: Int64) -> CMTimeRange {
        CMTimeRange(start: seconds(start), end: seconds(end))
    }

    func testRangesReportValidityEmptinessAndEnd() {
        XCTAssertTrue(range(1, 3).isValid)
        XCTAssertFalse(CMTimeRange.invalid.isValid)
        XCTAssertTrue(CMTimeRange.zero.isEmpty)
        XCTAssertFalse(CMTIMERANGE_IS_EMPTY(range(1, 3)))
        XCTAssertEqual(range(1, 3).end, seconds(3))
        XCTAssertFalse(range(3, 1).isValid)
        XCTAssertFalse(CMTimeRange.invalid.end.isValid)
        XCTAssertTrue(CMTimeRange(start: .zero, duration: .indefinite).isIndefinite)
        XCTAssertTrue(CMTimeRange(start: .zero, duration: .positiveInfinity).end.isPositiveInfinity)
    }

    func testTheDurationMustBeInEpochZero() {
        let timeInEpochOne = CMTimeMakeWithEpoch(value: 1, timescale: 1, epoch: 1)
        XCTAssertFalse(CMTimeRange(start: .zero, duration: timeInEpochOne).isValid)
        XCTAssertTrue(CMTimeRange(start: timeInEpochOne, duration: seconds(1)).isValid)
        XCTAssertFalse(CMTimeRange(start: .zero, end: timeInEpochOne).isValid)
    }

    func testTheEndIsExcluded() {
        XCTAssertTrue(range(1, 3).containsTime(seconds(1)))
        XCTAssertFalse(range(1, 3).containsTime(range(1, 3).end))
        XCTAssertFalse(range(1, 3).containsTime(.invalid))
        XCTAssertFalse(CMTimeRange.zero.containsTime(.zero))
        XCTAssertTrue(range(1, 5).containsTimeRange(range(1, 5)))
        XCTAssertFalse(range(1, 5).containsTimeRange(range(1, 6)))
    }

    func testTheUnionCoversBothRangesAndTheIntersectionIsTheirOverlap() {
        XCTAssertEqual(range(1, 3).union(range(7, 9)), range(1, 9))
        XCTAssertEqual(range(1, 3).union(.zero), range(1, 3))
        XCTAssertEqual(range(1, 5).intersection(range(3, 9)), range(3, 5))
        XCTAssertTrue(range(1, 3).intersection(range(3, 9)).isEmpty)
        XCTAssertFalse(range(1, 3).union(.invalid).isValid)
        XCTAssertFalse(range(1, 3).intersection(.invalid).isValid)
        let endless = CMTimeRange(start: seconds(2), duration: .positiveInfinity)
        XCTAssertEqual(range(1, 5).intersection(endless), range(2, 5))
    }

    func testMappingTimesKeepsStartAndEnd() {
        let (from, to) = (range(10, 20), range(100, 105))
        XCTAssertEqual(CMTimeMapTimeFromRangeToRange(seconds(10), fromRange: from, toRange: to), seconds(100))
        XCTAssertEqual(CMTimeMapTimeFromRangeToRange(seconds(20), fromRange: from, toRange: to), seconds(105))
        XCTAssertEqual(
            CMTimeMapTimeFromRangeToRange(seconds(13), fromRange: from, toRange: to),
            CMTime(value: 203, timescale: 2))
        XCTAssertFalse(CMTimeMapTimeFromRangeToRange(.zero, fromRange: .zero, toRange: to).isValid)
        let otherEpoch = CMTimeMakeWithEpoch(value: 13, timescale: 1, epoch: 2)
        XCTAssertFalse(CMTimeMapTimeFromRangeToRange(otherEpoch, fromRange: from, toRange: to).isValid)
    }

    func testMappingBetweenInfiniteRangesOnlyTranslates() {
        let from = CMTimeRange(start: seconds(1), duration: .positiveInfinity)
        let to = CMTimeRange(start: seconds(11), duration: .positiveInfinity)
        XCTAssertEqual(CMTimeMapTimeFromRangeToRange(seconds(5), fromRange: from, toRange: to), seconds(15))
    }

    func testMappingDurationsScales() {
        XCTAssertEqual(
            CMTimeMapDurationFromRangeToRange(seconds(3), fromRange: range(0, 2), toRange: range(5, 6)),
            CMTime(value: 3, timescale: 2))
        XCTAssertFalse(
            CMTimeMapDurationFromRangeToRange(
                CMTimeMakeWithEpoch(value: 3, timescale: 1, epoch: 1), fromRange: range(0, 2), toRange: range(5, 6)
            ).isValid)
    }

    func testClampingLimitsATimeToTheRange() {
        XCTAssertEqual(CMTimeClampToRange(seconds(2), range: range(1, 3)), seconds(2))
        XCTAssertEqual(CMTimeClampToRange(seconds(0), range: range(1, 3)), seconds(1))
        XCTAssertEqual(CMTimeClampToRange(seconds(9), range: range(1, 3)), seconds(3))
        XCTAssertFalse(CMTimeClampToRange(seconds(9), range: .zero).isValid)
        XCTAssertFalse(CMTimeClampToRange(.invalid, range: range(1, 3)).isValid)
    }

    func testFoldingRepeatsTheRangeInBothDirections() {
        XCTAssertEqual(CMTimeFoldIntoRange(seconds(17), foldRange: range(10, 13)), seconds(11))
        XCTAssertEqual(CMTimeFoldIntoRange(seconds(13), foldRange: range(10, 13)), seconds(10))
        XCTAssertEqual(CMTimeFoldIntoRange(seconds(8), foldRange: range(10, 13)), seconds(11))
        let odd = CMTimeRange(start: .zero, duration: CMTime(value: 1001, timescale: 30000))
        XCTAssertEqual(
            CMTimeFoldIntoRange(CMTime(value: 1, timescale: 25), foldRange: odd),
            CMTime(value: 199, timescale: 30000))
        XCTAssertFalse(CMTimeFoldIntoRange(.zero, foldRange: .zero).isValid)
    }

    func testDictionariesKeepRangesAndMappings() {
        let source = range(1, 3)
        XCTAssertEqual(
            CMTimeRangeCopyAsDictionary(source, allocator: nil).map(CMTimeRangeMakeFromDictionary), source)
        XCTAssertFalse(CMTimeRangeMakeFromDictionary([:]).isValid)
        let mapping = CMTimeMapping(source: source, target: range(5, 6))
        let copy = CMTimeMappingCopyAsDictionary(mapping, allocator: nil).map(CMTimeMappingMakeFromDictionary)
        XCTAssertEqual(copy?.source, source)
        XCTAssertEqual(copy?.target, range(5, 6))
        XCTAssertFalse(CMTimeMappingMakeFromDictionary([:]).isValid)
    }

    func testAnEmptyMappingHasNoSource() {
        let mapping = CMTimeMappingMakeEmpty(target: range(0, 4))
        XCTAssertTrue(CMTIMEMAPPING_IS_EMPTY(mapping))
        XCTAssertTrue(mapping.isValid)
        XCTAssertFalse(CMTimeMapping(source: range(0, 1), target: range(0, 4)).isEmpty)
    }
}
