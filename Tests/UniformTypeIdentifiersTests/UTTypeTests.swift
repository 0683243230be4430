import Foundation
import XCTest

@testable import UniformTypeIdentifiers

final class UTTypeTests: XCTestCase {
    func testTypesAreFoundByExtensionAndMIMEType() {
        XCTAssertEqual(UTType.png.preferredFilenameExtension, "png")
        XCTAssertEqual(UTType.quickTimeMovie.preferredMIMEType, "video/quicktime")
        XCTAssertEqual(UTType(filenameExtension: "JPG"), .jpeg)
        XCTAssertEqual(UTType(mimeType: "video/mp4"), .mpeg4Movie)
        XCTAssertEqual(UTType(filenameExtension: "mp4", conformingTo: .audio), .mpeg4Audio)
        XCTAssertNil(UTType(filenameExtension: "mov", conformingTo: .image))
        XCTAssertNil(UTType(filenameExtension: "unknown"))
        XCTAssertNil(UTType(""))
    }

    func testATypeConformsToAllItsSupertypes() {
        XCTAssertTrue(UTType.heic.conforms(to: .image))
        XCTAssertTrue(UTType.heic.isSubtype(of: .item))
        XCTAssertTrue(UTType.movie.isSupertype(of: .quickTimeMovie))
        XCTAssertFalse(UTType.movie.isSubtype(of: .movie))
        XCTAssertEqual(UTType("com.example.camera")?.supertypes, [])
    }

    func testTheTableContainsEachSupertype() {
        let identifiers = Set(UTTypeRecord.all.map(\.identifier))
        XCTAssertEqual(identifiers.count, UTTypeRecord.all.count)
        for record in UTTypeRecord.all {
            for supertype in record.supertypes { XCTAssertTrue(identifiers.contains(supertype), supertype) }
        }
    }

    func testAnExtensionIsAppendedOnlyIfItIsMissing() {
        let folder = URL(fileURLWithPath: "/tmp")
        XCTAssertEqual(folder.appendingPathComponent("a", conformingTo: .jpeg).lastPathComponent, "a.jpeg")
        XCTAssertEqual(folder.appendingPathComponent("a.JPG", conformingTo: .jpeg).lastPathComponent, "a.JPG")
    }

    func testATypeIsEncodedAsItsIdentifier() throws {
        let data = try JSONEncoder().encode([UTType.jpeg])
        XCTAssertEqual(String(decoding: data, as: UTF8.self), "[\"public.jpeg\"]")
        XCTAssertEqual(try JSONDecoder().decode([UTType].self, from: data), [.jpeg])
        XCTAssertThrowsError(try JSONDecoder().decode([UTType].self, from: Data("[\"\"]".utf8)))
    }
}
