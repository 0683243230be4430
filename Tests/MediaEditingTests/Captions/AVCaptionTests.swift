import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import MediaAssets
@testable import MediaEditing

final class AVCaptionTests: XCTestCase {
    private func range(_ start: Int64, _ end: Int64) -> CMTimeRange {
        CMTimeRange(start: CMTime(value: start, timescale: 1), end: CMTime(value: end, timescale: 1))
    }

    func testAStyleIsReportedWithTheRangeToWhichItApplies() {
        let caption = AVMutableCaption("Say 😀 loudly", timeRange: range(0, 1))
        let red = CGColor(red: 1, green: 0, blue: 0, alpha: 1)
        caption.setTextColor(red, in: NSRange(location: 4, length: 2))
        caption.setFontWeight(.bold, in: NSRange(location: 0, length: 6))
        caption.setRuby(AVCaption.Ruby(text: "smile"), in: NSRange(location: 4, length: 2))
        var found = NSRange()
        XCTAssertEqual(caption.textColor(at: 5, range: &found), red)
        XCTAssertEqual(found, NSRange(location: 4, length: 2))
        XCTAssertNil(caption.textColor(at: 7, range: &found))
        XCTAssertEqual(found, NSRange(location: 6, length: 7))
        XCTAssertEqual(caption.fontWeight(at: 2, range: &found), .bold)
        XCTAssertEqual(found, NSRange(location: 0, length: 6))
        XCTAssertEqual(caption.ruby(at: 4, range: nil)?.alignment, .distributeSpaceBetween)
        XCTAssertEqual(caption.decoration(at: 99, range: &found), [])
        XCTAssertEqual(found, NSRange(location: 99, length: 0))
        caption.removeTextColor(in: NSRange(location: 0, length: 5))
        XCTAssertNil(caption.textColor(at: 4, range: &found))
        XCTAssertEqual(caption.textColor(at: 5, range: &found), red)
        XCTAssertEqual(found, NSRange(location: 5, length: 1))
    }

    func testSettingTheTextRemovesStylesAndDoesNotChangeCopies() throws {
        let caption = AVMutableCaption("one", timeRange: range(0, 1))
        caption.setFontStyle(.italic, in: NSRange(location: 0, length: 3))
        caption.textAlignment = .center
        let copy = try XCTUnwrap(caption.copy() as? AVCaption)
        XCTAssertEqual(copy, caption)
        let editable = try XCTUnwrap(copy.mutableCopy() as? AVMutableCaption)
        editable.animation = .characterReveal
        XCTAssertNotEqual(editable, copy)
        caption.text = "two words"
        XCTAssertEqual(caption.fontStyle(at: 0, range: nil), .unknown)
        XCTAssertEqual(copy.text, "one")
        XCTAssertEqual(copy.fontStyle(at: 2, range: nil), .italic)
        XCTAssertEqual(copy.textAlignment, .center)
    }

    func testRegionsAreComparedByIdentifierIfTheyHaveOne() throws {
        XCTAssertEqual(AVCaptionRegion.appleITTBottom.origin.y, AVCaptionDimensionMake(85, .percent))
        XCTAssertEqual(AVCaptionRegion.appleITTLeft.writingMode, .topToBottomAndRightToLeft)
        let region = AVMutableCaptionRegion(identifier: "speaker")
        region.size = AVCaptionSize(
            width: AVCaptionDimension(value: 32, units: .cells), height: AVCaptionDimension(value: 2, units: .cells))
        XCTAssertEqual(region, AVMutableCaptionRegion(identifier: "speaker"))
        XCTAssertNotEqual(region, AVCaptionRegion.appleITTTop)
        let editable = try XCTUnwrap(AVCaptionRegion.appleITTTop.mutableCopy() as? AVMutableCaptionRegion)
        XCTAssertEqual(editable, AVCaptionRegion.appleITTTop)
        editable.displayAlignment = .center
        XCTAssertNotEqual(editable, AVCaptionRegion.appleITTTop)
    }

    func testOverlappingCaptionsAreDividedIntoGroups() {
        let grouper = AVCaptionGrouper()
        let (hello, world, late) = (
            AVCaption("Hello", timeRange: range(1, 3)), AVCaption("World", timeRange: range(0, 2)),
            AVCaption("Late", timeRange: range(5, 6))
        )
        grouper.add(hello)
        grouper.add(world)
        let first = grouper.flushAddedCaptions(upTo: CMTime(value: 2, timescale: 1))
        XCTAssertEqual(first.map(\.timeRange), [range(0, 1), range(1, 2)])
        XCTAssertEqual(first.map(\.captions), [[world], [hello, world]])
        grouper.add(late)
        let remainingGroups = grouper.flushAddedCaptions(upTo: .positiveInfinity)
        XCTAssertEqual(remainingGroups.map(\.timeRange), [range(2, 3), range(3, 5), range(5, 6)])
        XCTAssertEqual(remainingGroups.map(\.captions), [[hello], [], [late]])
        XCTAssertEqual(grouper.flushAddedCaptions(upTo: .positiveInfinity), [])
    }

    func testACaptionOutsideTheRangeOfItsGroupIsMisuse() throws {
        let fixture = try AssetWriterFixture()
        fixture.assertMisuse(.invalidArgument, "must be within that of the group") {
            fixture.system.run {
                _ = AVCaptionGroup(captions: [AVCaption("a", timeRange: range(0, 3))], timeRange: range(0, 2))
            }
        }
        XCTAssertEqual(AVCaptionGroup(timeRange: range(0, 2)).captions, [])
    }
}
