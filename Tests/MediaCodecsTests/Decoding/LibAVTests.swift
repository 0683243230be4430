import XCTest

@testable import MediaCodecs

final class LibAVTests: XCTestCase {
    func testTheLibrariesContainAllListedFunctions() {
        XCTAssertNil(LibAV.unavailabilityReason)
        XCTAssertNoThrow(try LibAV.requireForEncoding())
        XCTAssertNoThrow(try LibAV.requireForReading("movie.mov"))
    }
}
