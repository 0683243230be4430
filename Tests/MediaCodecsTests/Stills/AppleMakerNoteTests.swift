import Foundation
import TestSupport
import XCTest

@testable import MediaCodecs

final class AppleMakerNoteTests: XCTestCase {
    private static let identifier = "5F1D8A0C-6E5B-4E7C-9B42-0A3B1D3A77C1"

    func testTextsAreFoundAmongOtherTags() throws {
        let note = AppleMakerNoteData.make([(0x01, "a"), (0x0B, "burst"), (0x11, Self.identifier)])
        let found = try XCTUnwrap(AppleMakerNote(note + Data("after".utf8)))
        XCTAssertEqual(found.text(.contentIdentifier), Self.identifier)
        XCTAssertEqual(found.text(.burstIdentifier), "burst")
        // The last value can end with the file.
        XCTAssertEqual(try XCTUnwrap(AppleMakerNote(note)).text(.contentIdentifier), Self.identifier)
    }

    func testAPhotoWithoutTheTagHasNoIdentifier() throws {
        let note = try XCTUnwrap(AppleMakerNote(AppleMakerNoteData.make([(0x01, "a")])))
        XCTAssertNil(note.text(.contentIdentifier))
        XCTAssertNil(AppleMakerNote(Data("Apple iOS".utf8)))
    }

    func testACutOffNoteIsReadAsFarAsItGoes() throws {
        let note = AppleMakerNoteData.make([(0x0B, "burst identifier"), (0x11, Self.identifier)])
        for count in 14..<note.count {
            guard let cut = AppleMakerNote(note.prefix(count)) else { return XCTFail("\(count)") }
            XCTAssertNil(cut.text(.contentIdentifier), "\(count)")
        }
    }
}
