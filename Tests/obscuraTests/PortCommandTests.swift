import Foundation
import XCTest

/// `obscura port`.
final class PortCommandTests: ObscuraTestCase {
    func testPlacesAreListedByFileAndLine() throws {
        try Data("import os\nlet a = 1\n".utf8).write(to: file("a.swift"))
        try Data("let b = 2\n".utf8).write(to: file("b.swift"))
        let outcome = try obscura("port", "a.swift", "b.swift", "a.swift")
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertTrue(outcome.text.hasPrefix("a.swift\n  1: import os: remove the import; "), outcome.text)
        XCTAssertTrue(
            outcome.text.hasSuffix("\n1 place in 1 of 2 files: 1 with a missing module.\n"), outcome.text)
        let json = try obscura("port", "a.swift", "--json").text
        XCTAssertTrue(
            json.contains("\"kind\" : \"missing-module\"") || json.contains("\"kind\":\"missing-module\""), json)
        XCTAssertEqual(try obscura("port", "b.swift").text, "Nothing found in 1 file.\n")
    }

    func testAPathThatDoesNotExistIsNamed() throws {
        let outcome = try obscura("port", "nowhere")
        XCTAssertEqual(outcome.status, 1)
        XCTAssertTrue(outcome.errors.contains("nowhere does not exist"), outcome.errors)
    }
}
