import Foundation
import XCTest

/// `obscura port`.
final class PortCommandTests: ObscuraTestCase {
    func testTheSummaryComesFirstAndFilesWithLittleWorkBeforeOthers() throws {
        try Data("import os\nlet a = UIStackView()\nlet c = UIStackView()\n".utf8).write(to: file("a.swift"))
        try Data("let b = 2\n".utf8).write(to: file("b.swift"))
        try Data("let d: UIStackView? = nil\n".utf8).write(to: file("z.swift"))
        try Data("#if os(iOS)\nlet e = 1\n#endif\n".utf8).write(to: file("c.swift"))
        let all = ["a.swift", "b.swift", "c.swift", "z.swift", "a.swift"]
        let outcome = try run(Self.tool, ["port"] + all)
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        let lines = outcome.text.split(separator: "\n").map(String.init)
        XCTAssertEqual(
            lines.first,
            "2 of 4 files must change, 1 compile without the code that their conditions exclude, 1 need nothing.")
        XCTAssertEqual(lines[1], "Most frequent:")
        XCTAssertTrue(lines[2].hasPrefix("  3  UIStackView: "), outcome.text)
        XCTAssertTrue(lines[3].hasPrefix("  1  import os: remove the import; "), outcome.text)
        XCTAssertEqual(
            lines.suffix(5),
            [
                "Files, those with the least work first:", "  1  c.swift", "  1  z.swift", "  3  a.swift",
                "5 places: 1 with code that Linux does not compile, 1 with a missing module, 3 with missing names.",
            ], outcome.text)
        let details = try run(Self.tool, ["port", "--lines"] + all).text
        XCTAssertTrue(details.contains("\na.swift\n  1: import os: "), details)
        XCTAssertTrue(details.contains("\n  2, 3: UIStackView: "), details)
        let json = try obscura("port", "a.swift", "--json").text
        XCTAssertTrue(json.contains("\"kind\":\"missing-module\""), json)
        let object = try run(Self.tool, ["port", "--json"] + all).object()
        XCTAssertEqual((object["findings"] as? [[String: Any]])?.count, 5)
        let summary = try XCTUnwrap(object["summary"] as? [String: Any])
        XCTAssertEqual(
            ["fileCount", "changedFileCount", "excludingFileCount", "unchangedFileCount"].map { summary[$0] as? Int },
            [4, 2, 1, 1])
        let frequent = try XCTUnwrap(summary["mostFrequent"] as? [[String: Any]])
        XCTAssertEqual(frequent.map { $0["count"] as? Int }, [3, 1])
        let files = try XCTUnwrap(summary["files"] as? [[String: Any]])
        XCTAssertEqual(files.map { $0["path"] as? String }, ["c.swift", "z.swift", "a.swift"])
        XCTAssertEqual(files.map { $0["changes"] as? Int }, [0, 1, 3])
        XCTAssertEqual(
            try obscura("port", "b.swift").text, "0 of 1 file must change, 1 need nothing.\nNothing found.\n")
    }

    func testFindingsAreWrappedOnANarrowTerminal() throws {
        try Data("import os\n".utf8).write(to: file("a.swift"))
        for arguments in [["a.swift"], ["a.swift", "--lines"]] {
            let outcome = try run(process(Self.tool, ["port"] + arguments, environment: ["COLUMNS": "40"]))
            XCTAssertEqual(outcome.status, 0, outcome.errors)
            let finding = outcome.text.split(separator: "\n").filter { $0.hasPrefix("  ") }
            XCTAssertGreaterThan(finding.count, 2, outcome.text)
            for line in finding { XCTAssertLessThanOrEqual(line.count, 40, outcome.text) }
        }
    }

    func testAFlagOfTheBuildIsRead() throws {
        try Data("#if ARKIT\nimport ARKit\n#endif\n".utf8).write(to: file("a.swift"))
        XCTAssertEqual(try obscura("port", "a.swift", "--check").status, 0)
        XCTAssertEqual(try obscura("port", "a.swift", "--check", "-D", "ARKIT").status, 1)
    }

    func testTheStatusTellsAContinuousIntegrationWhetherFilesMustChange() throws {
        try Data("import os\n".utf8).write(to: file("a.swift"))
        try Data("#if os(iOS)\nlet e = 1\n#endif\n".utf8).write(to: file("c.swift"))
        XCTAssertEqual(try obscura("port", "a.swift", "--check").status, 1)
        XCTAssertEqual(try obscura("port", "a.swift", "--check", "--json").status, 1)
        XCTAssertEqual(try obscura("port", "c.swift", "--check").status, 0)
    }

    func testAPathThatDoesNotExistIsNamed() throws {
        let outcome = try obscura("port", "nowhere")
        XCTAssertEqual(outcome.status, 1)
        XCTAssertTrue(outcome.errors.contains("nowhere does not exist"), outcome.errors)
    }
}
