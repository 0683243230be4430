import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import CaptureBackends

final class BackendTests: XCTestCase {
    func testAnEnvironmentValueSelectsABackend() throws {
        XCTAssertEqual(try Backend(""), .sim)
        XCTAssertEqual(try Backend("sim"), .sim)
        XCTAssertEqual(try Backend("linux"), .linux)
        XCTAssertEqual(try Backend("file:a b.mov"), .file("a b.mov"))
        XCTAssertEqual(try Backend("file:a b.mov").description, "file:a b.mov")
    }

    func testOtherTextsAreRejectedWithTheAcceptedForms() {
        for text in ["camera", "SIM", "file:", "file"] {
            XCTAssertThrowsError(try Backend(text)) { error in
                guard let error = error as? DeviceError else { return XCTFail("\(error)") }
                XCTAssertEqual(error.code, .invalidSource)
                XCTAssertTrue(error.message.contains("\"\(text)\""), error.message)
                XCTAssertTrue(error.message.contains("file:PATH"), error.message)
            }
        }
    }

    func testEachBackendCreatesItsHost() throws {
        let moviePath = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/Media/street-3s.avi").path
        let clock = SimClock()
        XCTAssertEqual(
            try Backend.sim.makeHost(clock: clock, profile: "webcam").devices.map(\.descriptor.uniqueID),
            ["webcam.camera", "webcam.microphone"])
        XCTAssertEqual(
            try Backend.file(moviePath).makeHost(clock: clock).devices.map(\.descriptor.media), [[.video]])
        XCTAssertEqual(try Backend.linux.makeHost(clock: HostClock()).name, "linux")
    }

    func testTheErrorNamesAMissingProfileSceneOrFile() {
        let clock = SimClock()
        for (make, name) in [
            ({ try Backend.sim.makeHost(clock: clock, profile: "toaster") }, "toaster"),
            ({ try Backend.sim.makeHost(clock: clock, scene: "moon") }, "moon"),
            ({ try Backend.file("/nowhere.mov").makeHost(clock: clock) }, "/nowhere.mov"),
        ] as [(() throws -> any HardwareHost, String)] {
            XCTAssertThrowsError(try make()) { error in
                XCTAssertEqual((error as? DeviceError)?.code, .invalidSource)
                XCTAssertTrue("\(error)".contains(name), "\(error)")
            }
        }
    }
}
