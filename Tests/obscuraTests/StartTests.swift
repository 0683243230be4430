import XCTest

/// The start-up of the executable.
final class StartTests: ObscuraTestCase {
    func testTheVersionIsPrinted() throws {
        let outcome = try obscura("--version")
        XCTAssertEqual(outcome.status, 0, outcome.errors)
        XCTAssertEqual(outcome.text, "0.1.0\n")
    }

    func testFFmpegAndZBarAreNotLoadedAtStartUp() throws {
        // With this variable the loader only lists the libraries that it would load (ld.so(8)).
        let outcome = try run(process(Self.tool, ["--help"], environment: ["LD_TRACE_LOADED_OBJECTS": "1"]))
        XCTAssert(outcome.text.contains("libudev.so"), "not a list of libraries: \(outcome.text)")
        for name in ["libavcodec", "libavformat", "libavutil", "libswscale", "libswresample", "libzbar"] {
            XCTAssertFalse(outcome.text.contains(name), name)
        }
        let count = outcome.text.split(separator: "\n").count
        XCTAssertLessThan(count, 40, "the loader loads \(count) libraries")
    }

    func testWithoutFFmpegOnlyCommandsThatNeedItFail() throws {
        // Empty files shadow the library in all versions.
        for version in 55...75 {
            try Data().write(to: file("libavformat.so.\(version)"))
        }
        let environment = ["LD_LIBRARY_PATH": folder.path]
        func obscura(_ arguments: String...) throws -> Outcome {
            try run(process(Self.tool, arguments, environment: environment))
        }
        let counted = try obscura("record", "--null", "--backend", "sim", "--duration", "0.1s")
        XCTAssertEqual(counted.status, 0, counted.errors)
        let recorded = try obscura("record", file("x.mov").path, "--backend", "sim", "--duration", "0.1s")
        XCTAssertEqual(recorded.status, 1)
        XCTAssert(recorded.errors.contains("libavformat.so"), recorded.errors)
        let sheet = try obscura("sheet", Self.media("street-3s.avi").path, file("x.png").path)
        XCTAssertEqual(sheet.status, 1)
        XCTAssert(sheet.errors.contains("libavformat.so"), sheet.errors)
    }
}
