import CaptureHAL
package import Foundation
import MediaCodecs
import MediaStorage
import XCTest

/// The structural checker of `obscura inspect`, for tests.
package enum MovieInspection {
    /// Expects that nothing is wrong with a movie; other files than QuickTime's and MPEG-4's pass.
    ///
    /// Of a recording that died the last box may be cut off, for which no index is in force yet.
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
