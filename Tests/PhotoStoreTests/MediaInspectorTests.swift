import Foundation
import MediaCodecs
import XCTest

@testable import PhotoStore

final class MediaInspectorTests: XCTestCase {
    func testFormatsAreDetectedFromTheFirstBytes() {
        let cases: [(String, MediaKind)] = [
            ("\u{0}\u{0}\u{0}\u{14}ftypqt  ", .quickTime), ("\u{0}\u{0}\u{0}\u{14}ftypisom", .mpeg4),
            ("\u{0}\u{0}\u{1}\u{0}moov....", .quickTime), ("RIFF....AVI LIST", .avi), ("RIFF....WAVEfmt ", .unknown),
            ("MM\u{0}*", .rawPhoto), ("II*\u{0}", .rawPhoto), ("ftyp", .unknown), ("", .unknown),
            ("\u{0}\u{0}\u{0}\u{18}ftypheic\u{0}\u{0}\u{0}\u{0}mif1heic", .heic),
            ("\u{0}\u{0}\u{0}\u{18}ftypmif1\u{0}\u{0}\u{0}\u{0}mif1avif", .avif),
        ]
        for (start, kind) in cases { XCTAssertEqual(MediaKind(start: Data(start.utf8)), kind, start) }
        XCTAssertEqual(MediaKind(start: Data([0xFF, 0xD8, 0xFF, 0xE1])), .jpeg)
        XCTAssertEqual(MediaKind(start: Data([0x1A, 0x45, 0xDF, 0xA3, 0x01])), .matroska)
    }

    func testAnInvalidEXIFDateIsIgnored() {
        var moment = EXIF.Moment(year: 2000, month: 2, day: 29, hour: 0, minute: 0, second: 0)
        XCTAssertEqual(moment.date, Date(timeIntervalSince1970: 951_782_400))
        moment.offsetMinutes = -90
        XCTAssertEqual(moment.date, Date(timeIntervalSince1970: 951_787_800))
        moment.year = 2001
        XCTAssertNil(moment.date, "29 February 2001")
        XCTAssertNil(EXIF.Moment(year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0).date)
    }
}
