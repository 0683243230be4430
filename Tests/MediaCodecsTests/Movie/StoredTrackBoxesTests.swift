import Foundation
import XCTest

@testable import MediaCodecs

/// The boxes of the sample table in copies of a part of the samples.
final class StoredTrackBoxesTests: XCTestCase {
    private func box(_ type: String, version: UInt8 = 0, _ numbers: [UInt32]) -> Data {
        var builder = BoxBuilder()
        builder.fullBox(type, version: version) { box in for number in numbers { box.unsigned32(number) } }
        return Data(builder.bytes)
    }

    private func boxes(_ sampleBoxes: Data...) -> StoredTrackBoxes {
        var boxes = StoredTrackBoxes(isQuickTime: false)
        boxes.sampleBoxes = sampleBoxes
        return boxes
    }

    func testSampleGroupsFollowTheirSamples() {
        let type: UInt32 = 0x726f_6c6c
        // The samples 0 to 9 are of group 1, 10 to 19 of none, 20 to 29 of group 2, and later ones of none.
        let groups: [UInt32] = [3, 10, 1, 10, 0, 10, 2]
        for (samples, expected) in [
            ([5..<25], [3, 5, 1, 10, 0, 5, 2]), ([0..<10], [1, 10, 1]), ([12..<14], [1, 2, 0]),
            ([25..<40], [2, 5, 2, 10, 0]), ([50..<60], [1, 10, 0]), ([20..<22, 0..<3, 5..<8], [2, 2, 2, 6, 1]),
        ] as [([Range<Int>], [UInt32])] {
            for header in [[type], [type, 7]] {
                let version: UInt8 = header.count == 1 ? 0 : 1
                var copy = boxes(box("sgpd", header), box("sbgp", version: version, header + groups))
                XCTAssertEqual(copy.selectSamples(samples), [])
                XCTAssertEqual(
                    copy.sampleBoxes, [box("sgpd", header), box("sbgp", version: version, header + expected)],
                    "\(samples)")
            }
        }
    }

    func testPartialSyncSamplesFollowTheirSamples() {
        var copy = boxes(box("stps", [4, 1, 5, 11, 20]))
        XCTAssertEqual(copy.selectSamples([4..<11, 0..<1]), [])
        XCTAssertEqual(copy.sampleBoxes, [box("stps", [3, 1, 7, 8])])
    }

    func testDependenciesFollowTheirSamples() {
        var builder = BoxBuilder()
        builder.fullBox("sdtp") { $0.data([0x10, 0x24, 0x98, 0x11]) }
        var copy = boxes(Data(builder.bytes))
        XCTAssertTrue(copy.hasDependencies)
        XCTAssertEqual(copy.selectSamples([1..<3, 3..<6]), [])
        var expected = BoxBuilder()
        expected.fullBox("sdtp") { $0.data([0x24, 0x98, 0x11, 0, 0]) }
        XCTAssertEqual(copy.sampleBoxes, [Data(expected.bytes)])
    }

    func testBoxesThatCannotBeChangedAreRemovedAndNamed() {
        var copy = boxes(box("subs", [0]), box("sbgp", [0x726f_6c6c, 2, 1, 1]), box("sgpd", [1]))
        // The list of groups ends early.
        XCTAssertEqual(copy.selectSamples([0..<2]), ["subs", "sbgp"])
        XCTAssertEqual(copy.sampleBoxes, [box("sgpd", [1])])
        XCTAssertEqual(copy.selectSamples([]), ["sgpd"])
        XCTAssertEqual(copy.sampleBoxes, [])
    }
}
