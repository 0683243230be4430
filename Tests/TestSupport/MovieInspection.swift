import CaptureHAL
package import Foundation
import MediaCodecs
import MediaFiles
import MediaStorage
import XCTest

/// Tests movies with the structural checker of `obscura inspect`.
package enum MovieInspection {
    /// Asserts that a movie has no structural problems; files other than QuickTime and MPEG-4 pass.
    ///
    /// The last box of an interrupted recording may be truncated, since no index refers to it yet.
    package static func assertNoProblems(_ url: URL, file: StaticString = #filePath, line: UInt = #line) throws {
        let open = try DiskStorage().open(url, for: .reading)
        guard try MovieMap.canRead(open) else { return }
        let map = try MovieMap(reading: open)
        let problems = try MovieChecker.problems(of: map, in: open).filter {
            !(map.isFragmented && $0.message.contains("inside its last box, mdat"))
        }
        XCTAssertEqual(problems, [], url.lastPathComponent, file: file, line: line)
    }
}
