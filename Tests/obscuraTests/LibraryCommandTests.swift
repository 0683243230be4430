import Foundation
import XCTest

/// `obscura library`, and `--save`.
final class LibraryCommandTests: ObscuraTestCase {
    private func list() throws -> [[String: Any]] {
        try XCTUnwrap(try obscura("library", "list", "--json").object()["assets"] as? [[String: Any]])
    }

    func testWhatWasSavedIsThereAfterARestartAndComesOutAsItWas() throws {
        let movie = try obscura("record", "m.mov", "--duration", "300ms", "--size", "640x480", "--save", "--json")
            .object()
        let photo = try obscura("photo", "p.jpg", "--size", "640x480", "--after", "100ms", "--save", "--json").object()
        let assets = try list()
        XCTAssertEqual(assets.count, 2)
        for (report, name, type) in [(movie, "m.mov", "movie"), (photo, "p.jpg", "picture")] {
            let id = try XCTUnwrap(report["library"] as? String)
            let asset = try XCTUnwrap(assets.first { $0["id"] as? String == id }, "\(assets)")
            XCTAssertEqual(asset["file"] as? String, name)
            XCTAssertEqual(asset["type"] as? String, type)
            XCTAssertEqual(asset["width"] as? Int, 640)
            XCTAssertEqual(asset["height"] as? Int, 480)
            let outcome = try obscura("library", "export", id, "copy-\(name)")
            XCTAssertEqual(outcome.status, 0, outcome.errors)
            XCTAssertEqual(try Data(contentsOf: file("copy-\(name)")), try Data(contentsOf: file(name)))
            try assertFails(1, "library", "export", id, name, saying: ["\(name) exists already"])
        }
        let length = assets.compactMap { $0["duration"] as? Double }.max()
        XCTAssertEqual(try XCTUnwrap(length), 0.3, accuracy: 0.001)
    }

    func testFilesAreImportedByTheirNames() throws {
        XCTAssertEqual(try obscura("photo", "p.jpg", "--size", "640x480", "--after", "100ms").status, 0)
        let report = try obscura(
            "library", "import", "p.jpg", Self.media("handheld-3s.mp4").path, "--json"
        ).object()
        XCTAssertEqual((report["imported"] as? [Any])?.count, 2)
        XCTAssertEqual(Set(try list().compactMap { $0["file"] as? String }), ["p.jpg", "handheld-3s.mp4"])
    }

    func testAnotherFolderIsAnotherLibrary() throws {
        let outcome = try obscura(
            "photo", "p.jpg", "--size", "640x480", "--after", "100ms", "--save", "--library", "other")
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertEqual(try list().count, 0)
        let other = try obscura("library", "list", "--library", "other").text
        XCTAssertTrue(other.contains("picture p.jpg, 640x480"), other)
    }

    func testAnEmptyLibrarySaysSo() throws {
        let outcome = try obscura("library", "list", "--library", "empty")
        XCTAssertEqual(outcome.status, 0)
        XCTAssertTrue(outcome.text.contains("empty is empty"), outcome.text)
    }
}
