import XCTest

/// What every start of the program costs.
final class StartTests: ObscuraTestCase {
    func testFFmpegsLibrariesAreNotLoadedAtTheStart() throws {
        // With this variable the loader lists what it would load and runs nothing (ld.so(8)).
        let outcome = try run(process(Self.tool, ["--help"], environment: ["LD_TRACE_LOADED_OBJECTS": "1"]))
        XCTAssert(outcome.text.contains("libudev.so"), "the list itself: \(outcome.text)")
        for name in ["libavcodec", "libavformat", "libavutil", "libswscale", "libswresample"] {
            XCTAssertFalse(outcome.text.contains(name), name)
        }
        let count = outcome.text.split(separator: "\n").count
        XCTAssertLessThan(count, 60, "the loader has to look through \(count) libraries")
    }
}
