import MediaTypes
import XCTest

@testable import MediaCodecs
@testable import MediaFiles

final class MovieFileTests: XCTestCase {
    func testTheErrorOfARangeThatIsTooLargeNamesTheMaximum() {
        var map = MovieMap()
        map.byteCount = 1 << 32
        let file = MovieFile(map, MemoryFile([UInt8]()))
        XCTAssertThrowsError(try file.bytes(at: 0, count: 1 << 31)) { error in
            let error = error as? MediaFileError
            XCTAssertEqual(error?.code, .inputOutput)
            XCTAssertEqual(
                error?.message,
                "2147483648 bytes of samples at byte 0 of /memory cannot be read at once; the maximum is 1073741824")
        }
    }
}
