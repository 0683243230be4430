import MediaStorage
import XCTest

final class StringParentPathTests: XCTestCase {
    func testTheLastComponentIsRemoved() {
        for (path, parent) in [
            ("a", ""), ("ab.mov", ""), ("a/b", "a"), ("a/b/", "a"), ("./a", "."), ("/a", "/"), ("/a/b", "/a"),
            ("/", "/"),
            ("", ""),
        ] {
            XCTAssertEqual(path.parentPath, parent, path)
        }
    }
}
