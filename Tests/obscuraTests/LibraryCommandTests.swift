import Foundation
import XCTest

/// `obscura library` and `--save`.
final class LibraryCommandTests: ObscuraTestCase {
    private func list() throws -> [[String: Any]] {
        try XCTUnwrap(try obscura("library", "list", "--json").object()["assets"] as? [[String: Any]])
    }

    func testSavedFilesAreListedAndExportedUnchangedByAnotherProcess() throws {
        let movie = try obscura("record", "m.mov", "--duration", "300ms", "--size", "640x480", "--save", "--json")
            .object()
        let photo = try obscura("photo", "p.jpg", "--size", "640x480", "--after", "100ms", "--save", "--json").object()
        let assets = try list()
        XCTAssertEqual(assets.count, 2)
        for (report, name, type) in [(movie, "m.mov", "movie"), (photo, "p.jpg", "picture")] {
            // The identifier of the saved asset.
            let id = try XCTUnwrap(report["library"] as? String)
            let asset = try XCTUnwrap(assets.first { $0["id"] as? String == id }, "\(assets)")
            XCTAssertEqual(asset["file"] as? String, name)
            XCTAssertEqual(asset["type"] as? String, type)
            XCTAssertEqual(asset["width"] as? Int, 640)
            XCTAssertEqual(asset["height"] as? Int, 480)
            let outcome = try obscura("library", "export", id, "copy-\(name)")
            XCTAssertEqual(outcome.status, 0, outcome.errors)
            XCTAssertEqual(try Data(contentsOf: file("copy-\(name)")), try Data(contentsOf: file(name)))
            // The recorded file is not overwritten.
            try assertFails(1, "library", "export", id, name, containing: ["\(name) exists already"])
        }
        let length = assets.compactMap { $0["duration"] as? Double }.max()
        XCTAssertEqual(try XCTUnwrap(length), 0.3, accuracy: 0.001)
    }

    func testFilesAreImportedUnderTheirNames() throws {
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

    func testAnEmptyLibraryIsReportedAsEmpty() throws {
        let outcome = try obscura("library", "list")
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertTrue(outcome.text.contains("is empty"), outcome.text)
    }

    func testWithoutXDGDataHomeTheDefaultLibraryIsInTheHomeFolder() throws {
        let arguments = ["photo", "p.jpg", "--size", "640x480", "--after", "100ms", "--save"]
        let outcome = try run(
            process(Self.tool, arguments, environment: ["XDG_DATA_HOME": "", "HOME": file("home").path]))
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        let index = file("home/.local/share/obscura/library/index.sqlite")
        XCTAssertTrue(FileManager.default.fileExists(atPath: index.path))
    }

    func testSeveralProcessesSaveToOneLibraryAtTheSameTime() throws {
        let processes = (0..<6).map { number in
            process(
                Self.tool, ["photo", "p\(number).jpg", "--size", "640x480", "--after", "100ms", "--save"])
        }
        let errors = processes.map { process in
            let pipe = Pipe()
            process.standardOutput = FileHandle.nullDevice
            process.standardError = pipe
            return pipe
        }
        for process in processes { try process.run() }
        for (process, pipe) in zip(processes, errors) {
            let message = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            XCTAssertEqual(process.terminationStatus, 0, message)
        }
        let assets = try list()
        XCTAssertEqual(Set(assets.compactMap { $0["file"] as? String }), Set((0..<6).map { "p\($0).jpg" }))
        XCTAssertEqual(Set(assets.compactMap { $0["id"] as? String }).count, 6)
    }

    func testAnOriginalIsExportedOnlyWithTheExtensionOfItsType() throws {
        let movie = try obscura("record", "m.mov", "--duration", "100ms", "--size", "640x480", "--save", "--json")
            .object()
        let id = try XCTUnwrap(movie["library"] as? String)
        try assertFails(64, "library", "export", id, "out.jpg", containing: ["out.jpg", ".mov"])
        try assertFails(64, "library", "export", id, "out", containing: ["out", ".mov"])
        XCTAssertEqual(try obscura("library", "export", id, "out.MOV").status, 0)
    }
}
