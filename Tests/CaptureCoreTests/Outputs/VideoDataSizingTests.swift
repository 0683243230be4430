import XCTest

@testable import CaptureCore

final class VideoDataSizingTests: XCTestCase {
    private func size(_ requested: [Int]?, of natural: [Int], isPreview: Bool = false) -> [Int] {
        let sizing = VideoDataSizing(requested: requested.map { ($0[0], $0[1]) }, isPreview: isPreview)
        let size = sizing.size(of: (natural[0], natural[1]))
        return [size.width, size.height]
    }

    func testARequestedSizeIsUsedRotatedOrFitted() {
        XCTAssertEqual(size(nil, of: [640, 480]), [640, 480])
        XCTAssertEqual(size([320, 240], of: [640, 480]), [320, 240])
        XCTAssertEqual(size([320, 240], of: [480, 640]), [240, 320])
        XCTAssertEqual(size([320, 240], of: [1920, 1080]), [320, 180])
        XCTAssertEqual(size([320, 240], of: [1080, 1920]), [180, 320])
        XCTAssertEqual(size([1280, 720], of: [640, 480]), [640, 480], "frames are not enlarged")
        XCTAssertEqual(size([1920, 1080], of: [1280, 720]), [1280, 720])
        XCTAssertEqual(size([852, 480], of: [1920, 1080]), [852, 480], "the nearest even numbers")
    }

    func testAPreviewFitsAScreenAndIsNotEnlarged() {
        XCTAssertEqual(size(nil, of: [4032, 3024], isPreview: true), [1440, 1080])
        XCTAssertEqual(size(nil, of: [3024, 4032], isPreview: true), [1080, 1440])
        XCTAssertEqual(size(nil, of: [3840, 2160], isPreview: true), [1920, 1080])
        XCTAssertEqual(size(nil, of: [4000, 1000], isPreview: true), [1920, 480])
        XCTAssertEqual(size(nil, of: [3024, 3024], isPreview: true), [1080, 1080])
        XCTAssertEqual(size(nil, of: [1280, 960], isPreview: true), [1280, 960])
        XCTAssertEqual(size([640, 480], of: [4032, 3024], isPreview: true), [1440, 1080])
    }
}
