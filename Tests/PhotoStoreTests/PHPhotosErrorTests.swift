import CSQLite
import Foundation
import XCTest

@testable import PhotoStore

final class PHPhotosErrorTests: XCTestCase {
    func testEachErrorOfTheIndexHasACodeAndNamesTheIndex() {
        let codes: [(Int32, PHPhotosError.Code)] = [
            (SQLITE_FULL, .notEnoughSpace),
            (SQLITE_CANTOPEN, .libraryVolumeOffline),
            (SQLITE_READONLY | 4 << 8, .libraryVolumeOffline),
            (SQLITE_NOTADB, .libraryVolumeOffline),
            (SQLITE_CORRUPT | 1 << 8, .libraryVolumeOffline),
            (SQLITE_BUSY | 2 << 8, .operationInterrupted),
            (SQLITE_LOCKED, .operationInterrupted),
            (SQLITE_CONSTRAINT | 8 << 8, .internalError),
            (SQLITE_IOERR | 4 << 8, .internalError),
            (SQLITE_MISMATCH, .internalError),
        ]
        for (extendedCode, code) in codes {
            let cause = SQLiteError(extendedCode: extendedCode, message: "a secret", sql: "SELECT 'a secret'")
            let error = PHPhotosError(cause as any Error, index: "/library/index.sqlite")
            XCTAssertEqual(error.code, code, "\(extendedCode)")
            XCTAssertTrue(error.message.contains("/library/index.sqlite"), error.message)
            XCTAssertFalse(error.message.contains("secret"), error.message)
            XCTAssertEqual((error.underlyingError as? SQLiteError)?.extendedCode, extendedCode)
        }
    }

    func testAnErrorSurvivesTheConversionToNSErrorAndBack() throws {
        let cause = CocoaError(.fileNoSuchFile)
        let thrown: any Error = PHPhotosError(.invalidResource, "the file is no photo", cause: cause)
        let bridged = thrown as NSError
        XCTAssertEqual(bridged.domain, PHPhotosErrorDomain)
        XCTAssertEqual(bridged.localizedFailureReason, "the file is no photo")
        XCTAssertFalse("\(bridged)".contains("(null)"), "\(bridged)")
        XCTAssertNotNil(bridged.userInfo[NSUnderlyingErrorKey] as? NSError)
        let error: any Error = bridged
        let restored = try XCTUnwrap(error as? PHPhotosError)
        XCTAssertEqual(restored.code, .invalidResource)
        XCTAssertEqual(restored.message, "the file is no photo")
        XCTAssertNotNil(restored.underlyingError)
        let foreign: any Error = NSError(domain: NSCocoaErrorDomain, code: PHPhotosError.Code.invalidResource.rawValue)
        XCTAssertNil(foreign as? PHPhotosError)
    }
}
