import Foundation
import XCTest

@testable import MediaTypes

final class CMTagTests: XCTestCase {
    func testATagHasACategoryAndATypedValue() {
        let tags: [CMTag] = [
            .stereoView([.leftEye]), .mediaType(.video), .projectionType(.fisheye), .trackID(7),
            .pixelFormat(kCVPixelFormatType_32BGRA),
        ]
        XCTAssertEqual(tags[0].rawTagValue, .flags(1))
        XCTAssertEqual(tags[1].rawTagValue, .osType(kCMMediaType_Video))
        XCTAssertEqual(tags.map { $0.value(onlyIfMatching: .trackID) }, [nil, nil, nil, 7, nil])
        XCTAssertEqual(tags.firstValue(matchingCategory: .projectionType), .fisheye)
        XCTAssertEqual(tags.first(matchingCategory: .stereoView)?.typedValue, .leftEye)
        XCTAssertNil(tags.firstValue(matchingCategory: .packingType))
        XCTAssertEqual(tags[3], CMTag(rawCategory: 0x7472_616b, rawTagValue: .int64(7)))
        XCTAssertEqual(tags[1].description, "{category:'mdia' value:'vide'}")
    }
}
