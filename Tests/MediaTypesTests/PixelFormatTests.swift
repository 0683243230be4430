import XCTest

@testable import MediaTypes

final class PixelFormatTests: XCTestCase {
    func testTheLumaOfABlackBlockMatchesTheRange() {
        let formats = PixelFormat.all.filter { $0.model == .yCbCr && $0.bitsPerComponent == 8 }
        XCTAssertGreaterThan(formats.count, 10)
        for format in formats {
            let hasVideoRangeBlack = format.planes.contains { $0.blackBlock.contains(16) }
            XCTAssertEqual(format.range, hasVideoRangeBlack ? .video : .full, fourCharacterText(format.code))
        }
        XCTAssertEqual(PixelFormat.format(of: kCVPixelFormatType_4444AYpCbCr8)?.range, .video)
    }
}
