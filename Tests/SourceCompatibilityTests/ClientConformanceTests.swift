import AVFoundation
import XCTest

// Apps compare and sort sizes with conformances of their own, because Apple's SDK has none. Compiling them without a
// warning is the test.
extension CMVideoDimensions: Equatable, Comparable {
    public static func == (lhs: CMVideoDimensions, rhs: CMVideoDimensions) -> Bool {
        lhs.width == rhs.width && lhs.height == rhs.height
    }

    public static func < (lhs: CMVideoDimensions, rhs: CMVideoDimensions) -> Bool {
        Int(lhs.width) * Int(lhs.height) < Int(rhs.width) * Int(rhs.height)
    }
}

final class ClientConformanceTests: XCTestCase {
    func testAnAppMakesDimensionsComparable() {
        let sizes = [(1920, 1080), (640, 480)].map { CMVideoDimensions(width: $0, height: $1) }
        XCTAssertEqual(sizes.min(), CMVideoDimensions(width: 640, height: 480))
        XCTAssertEqual(sizes.firstIndex(of: CMVideoDimensions(width: 1920, height: 1080)), 0)
    }
}
