import CaptureHAL
import Foundation
import MediaStorage
import MediaTypes
import XCTest

@testable import AssetTypes
@testable import CaptureCore
@testable import MediaCodecs

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

    func testAnErrorSurvivesTheConversionToNSErrorAndBack() throws {
        let thrown: any Error = AVError(.diskFull, "no room", cause: nil, [AVErrorTimeKey: CMTime.zero])
        // The static type `NSError` is lost, as in a delegate's `(any Error)?`.
        let bridged: any Error = thrown as NSError
        let roundTripped = try XCTUnwrap(bridged as? AVError)
        XCTAssertEqual(roundTripped.code, .diskFull)
        XCTAssertEqual(roundTripped.time, .zero)
        XCTAssertEqual(roundTripped.localizedDescription, "no room")
        do {
            throw bridged
        } catch AVError.diskFull {
        } catch {
            XCTFail("\(error)")
        }
        let otherErrors: [any Error] = [
            NSError(domain: NSCocoaErrorDomain, code: AVError.Code.diskFull.rawValue),
            NSError(domain: AVFoundationErrorDomain, code: 1),
        ]
        for error in otherErrors { XCTAssertNil(error as? AVError) }
    }

    func testEveryErrorHasADescriptionAndAReason() {
        let cause = DeviceError(.busy, device: "camera", "in use")
        for code in AVError.Code.allCases {
            for error: any Error in [AVError(code), AVError(code, "what happened", cause: cause)] {
                let bridged = error as NSError
                let reason = bridged.localizedFailureReason ?? ""
                XCTAssertTrue(reason.hasSuffix("."), "\(code): \(reason)")
                XCTAssertFalse(bridged.localizedDescription.isEmpty)
                XCTAssertFalse("\(bridged) \(error)".contains("(null)"), "\(bridged)")
            }
            XCTAssertNotNil(AVError(code, "what happened").userInfo[NSLocalizedFailureReasonErrorKey], "\(code)")
        }
        let bridged = AVError(.unknown, "what happened", cause: cause) as NSError
        let underlying = bridged.userInfo[NSUnderlyingErrorKey] as? NSError
        XCTAssertEqual(underlying?.localizedDescription, "\(cause)")
    }

    func testTheErrorForDeniedPermissionNamesTheDevice() throws {
        let fixture = try CaptureFixture(states: [.video: .denied])
        let device = try fixture.device(CaptureFixture.camera)
        XCTAssertThrowsError(try fixture.inSystem { try AVCaptureDeviceInput(device: device) }) { error in
            XCTAssertEqual(
                (error as NSError).localizedFailureReason,
                "This app is not authorized to use \(device.localizedName).")
            XCTAssertTrue(error.localizedDescription.contains(device.localizedName), error.localizedDescription)
        }
        let failure = AVError(DeviceError(.notPermitted, device: "", "EACCES"), device: device)
        XCTAssertEqual(
            failure.userInfo[NSLocalizedFailureReasonErrorKey] as? String,
            "This app is not authorized to use \(device.localizedName).")
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
