import FoundationAdditions
import Glibc
import XCTest

final class DarwinConstantsTests: XCTestCase {
    func testTheNameLengthIsTheSizeOfTheFieldsOfUtsname() {
        let names = utsname()
        XCTAssertEqual(MemoryLayout.size(ofValue: names.machine), Int(_SYS_NAMELEN))
    }
}
