import XCTest

@testable import MediaCodecs

final class LibAVTests: XCTestCase {
    func testAllFunctionsOfTheListAreInTheLibraries() {
        XCTAssertNil(LibAV.shortcoming)
        XCTAssertNoThrow(try LibAV.requireForCoding())
        XCTAssertNoThrow(try LibAV.requireForReading("movie.mov"))
    }
}
