import MobileCoreServices
import XCTest

final class UTCoreTypesTests: XCTestCase {
    func testTypesAreConvertedFromExtensionsAndToMIMETypes() {
        let movie = UTTypeCreatePreferredIdentifierForTag(kUTTagClassFilenameExtension, "MOV", nil)
        XCTAssertEqual(movie?.takeRetainedValue(), kUTTypeQuickTimeMovie)
        XCTAssertEqual(
            UTTypeCopyPreferredTagWithClass(kUTTypeJPEG, kUTTagClassMIMEType)?.takeRetainedValue(), "image/jpeg")
        XCTAssertNil(UTTypeCreatePreferredIdentifierForTag(kUTTagClassFilenameExtension, "mov", kUTTypeImage))
        XCTAssertNil(UTTypeCopyPreferredTagWithClass(kUTTypeImage, kUTTagClassFilenameExtension))
    }

    func testTypesConformToOthers() {
        XCTAssertTrue(UTTypeConformsTo(kUTTypeMPEG4, kUTTypeMovie))
        XCTAssertTrue(UTTypeConformsTo(kUTTypeJPEG, kUTTypeData))
        XCTAssertFalse(UTTypeConformsTo(kUTTypeMP3, kUTTypeMovie))
        XCTAssertTrue(UTTypeEqual("PUBLIC.JPEG", kUTTypeJPEG))
    }
}
