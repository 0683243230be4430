import Foundation
import XCTest

@testable import PhotoStore

final class PHPhotosErrorTests: XCTestCase {
    func testAnErrorSurvivesTheConversionToNSErrorAndBack() throws {
        let cause = CocoaError(.fileNoSuchFile)
        let thrown: any Error = PHPhotosError(.invalidResource, "the file is no photo", cause: cause)
        let bridged = thrown as NSError
        XCTAssertEqual(bridged.domain, PHPhotosErrorDomain)
        XCTAssertEqual(bridged.localizedFailureReason, "the file is no photo")
        XCTAssertFalse("\(bridged)".contains("(null)"), "\(bridged)")
        XCTAssertNotNil(bridged.userInfo[NSUnderlyingErrorKey] as? NSError)
        let error: any Error = bridged
        let back = try XCTUnwrap(error as? PHPhotosError)
        XCTAssertEqual(back.code, .invalidResource)
        XCTAssertEqual(back.message, "the file is no photo")
        XCTAssertNotNil(back.underlyingError)
        let foreign: any Error = NSError(domain: NSCocoaErrorDomain, code: PHPhotosError.Code.invalidResource.rawValue)
        XCTAssertNil(foreign as? PHPhotosError)
    }
}
