import Foundation
import XCTest

@testable import CaptureCore

final class DeviceClaimsTests: XCTestCase {
    private let objects = (0..<5).map { _ in NSObject() }
    private var camera: ObjectIdentifier { ObjectIdentifier(objects[0]) }
    private var microphone: ObjectIdentifier { ObjectIdentifier(objects[1]) }
    private var first: ObjectIdentifier { ObjectIdentifier(objects[2]) }
    private var second: ObjectIdentifier { ObjectIdentifier(objects[3]) }
    private var third: ObjectIdentifier { ObjectIdentifier(objects[4]) }

    func testAClaimToADeviceOfAnotherSessionClaimsNothing() {
        var claims = DeviceClaims<String>()
        // The result lists preempted sessions, so it is empty both for the accepted and for the rejected claim.
        XCTAssertEqual(claims.claim([camera], for: "first", id: first, preempting: false), [])
        XCTAssertEqual(claims.claim([microphone, camera], for: "second", id: second, preempting: false), [])
        XCTAssertTrue(claims.isClaimed(camera, byOtherThan: second))
        XCTAssertFalse(claims.isClaimed(camera, byOtherThan: first))
        XCTAssertFalse(claims.isClaimed(microphone, byOtherThan: first), "a session claims all devices or none")
    }

    func testEachPreemptedSessionIsReportedOnce() {
        var claims = DeviceClaims<String>()
        _ = claims.claim([camera, microphone], for: "first", id: first, preempting: false)
        XCTAssertEqual(claims.claim([microphone, camera], for: "second", id: second, preempting: true), ["first"])
        XCTAssertTrue(claims.isClaimed(camera, byOtherThan: first))
        XCTAssertTrue(claims.isClaimed(microphone, byOtherThan: first))
    }

    func testPreemptedSessionsAreInTheOrderOfTheDevices() {
        var claims = DeviceClaims<String>()
        _ = claims.claim([camera], for: "first", id: first, preempting: false)
        _ = claims.claim([microphone], for: "second", id: second, preempting: false)
        XCTAssertEqual(
            claims.claim([microphone, camera], for: "third", id: third, preempting: true), ["second", "first"])
    }

    func testAReleaseFreesDevicesThatAreNotKept() {
        var claims = DeviceClaims<String>()
        _ = claims.claim([camera, microphone], for: "first", id: first, preempting: false)
        // The second session has no claims.
        XCTAssertEqual(claims.release(of: second), [])
        XCTAssertEqual(claims.release(of: first, except: [camera]), [microphone])
        XCTAssertTrue(claims.isClaimed(camera, byOtherThan: second))
        XCTAssertFalse(claims.isClaimed(microphone, byOtherThan: second))
        XCTAssertEqual(claims.release(of: first), [camera])
        XCTAssertEqual(claims.release(of: first), [])
    }
}
