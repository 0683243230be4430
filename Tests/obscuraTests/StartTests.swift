import XCTest

/// What every start of the program costs.
final class StartTests: ObscuraTestCase {
    func testLibrariesThatDrawInManyAreNotLoadedAtTheStart() throws {
        // With this variable the loader lists what it would load and runs nothing (ld.so(8)).
        let outcome = try run(process(Self.tool, ["--help"], environment: ["LD_TRACE_LOADED_OBJECTS": "1"]))
        XCTAssert(outcome.text.contains("libudev.so"), "the list itself: \(outcome.text)")
        for name in ["libavcodec", "libavformat", "libavutil", "libswscale", "libswresample", "libzbar"] {
            XCTAssertFalse(outcome.text.contains(name), name)
        }
        let count = outcome.text.split(separator: "\n").count
        XCTAssertLessThan(count, 40, "the loader has to look through \(count) libraries")
    }

    func testWithoutFFmpegWhatNeedsItSaysSoAndTheRestRuns() throws {
        // An empty file in the place of the library, whatever its version.
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
        let read = try obscura("sheet", Self.media("street.avi").path, file("x.png").path)
        XCTAssertEqual(read.status, 1)
        XCTAssert(read.errors.contains("libavformat.so"), read.errors)
    }
}
