import CaptureHAL
import Foundation
import MediaStorage
import MediaTypes
import XCTest

@testable import CaptureCore
@testable import MediaAssets

final class AVErrorTests: XCTestCase {
    func testAnErrorBridgesWithDomainCodeAndUserInfo() {
        let cause = DeviceError(.busy, device: "camera", "in use")
        let error: any Error = AVError(.diskFull, "no room", cause: cause, [AVErrorTimeKey: CMTime.zero])
        let bridged = error as NSError
        XCTAssertEqual(bridged.domain, AVFoundationErrorDomain)
        XCTAssertEqual(bridged.code, -11807)
        XCTAssertEqual(bridged.localizedDescription, "no room")
        XCTAssertNotNil(bridged.userInfo[NSUnderlyingErrorKey])
        XCTAssertEqual((error as? AVError)?.time, .zero)
        XCTAssertEqual(error.localizedDescription, "no room")
    }

    func testACodeMatchesErrorsInCatchClauses() {
        do {
            throw AVError(.deviceNotConnected)
        } catch AVError.deviceWasDisconnected {
            XCTFail("another code")
        } catch AVError.deviceNotConnected {
        } catch {
            XCTFail("\(error)")
        }
        XCTAssertEqual(AVError(.diskFull), AVError(.diskFull, userInfo: ["a": 1]))
        XCTAssertNotEqual(AVError(.diskFull), AVError(.unknown))
    }

    func testHardwareErrorsKeepTheirMessageAndCause() {
        for code in DeviceError.Code.allCases {
            let cause = DeviceError(code, device: "camera", "what happened")
            let error = AVError(cause)
            XCTAssertEqual(error.localizedDescription, "what happened")
            XCTAssertEqual(error.userInfo[NSUnderlyingErrorKey] as? DeviceError, cause)
            XCTAssertNil(error.device)
        }
        XCTAssertEqual(AVError(DeviceError(.disconnected, device: "", "")).code, .deviceWasDisconnected)
        XCTAssertEqual(AVError(DeviceError(.busy, device: "", "")).code, .deviceInUseByAnotherApplication)
    }

    func testStorageErrorsKeepTheirReason() {
        XCTAssertEqual(AVError(StorageError(.diskFull, .write, path: "/a")).code, .diskFull)
        XCTAssertEqual(AVError(StorageError(.alreadyExists, .create, path: "/a")).code, .fileAlreadyExists)
        XCTAssertTrue(
            AVError(StorageError(.notFound, .create, path: "/a")).localizedDescription.contains("cannot create /a"))
    }
}
