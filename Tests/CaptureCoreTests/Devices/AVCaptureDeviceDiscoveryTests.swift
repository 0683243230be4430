import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import AssetTypes
@testable import CaptureCore

final class AVCaptureDeviceDiscoveryTests: XCTestCase {
    func testAWebcamAndItsMicrophoneAreLinked() throws {
        let fixture = try CaptureFixture(profile: "webcam")
        let (camera, microphone) = try (fixture.device("webcam.camera"), fixture.device("webcam.microphone"))
        XCTAssertEqual(camera.linkedDevices, [microphone])
        XCTAssertEqual(microphone.linkedDevices, [camera])
        XCTAssertEqual(camera.transportType, 0x7573_6220)  // 'usb '
        try fixture.host.disconnect(uniqueID: "webcam.microphone")
        fixture.clock.settle()
        XCTAssertEqual(camera.linkedDevices, [])
        let phone = try CaptureFixture(profile: "phone").device("phone.back-wide")
        XCTAssertEqual(phone.linkedDevices, [])
        XCTAssertEqual(phone.transportType, 0x626C_746E)  // 'bltn'
    }

    private func ids(
        _ types: [AVCaptureDevice.DeviceType], _ media: AVMediaType? = nil,
        _ position: AVCaptureDevice.Position = .unspecified
    ) -> [String] {
        AVCaptureDevice.DiscoverySession(deviceTypes: types, mediaType: media, position: position).devices
            .map(\.uniqueID)
    }

    func testDiscoverySortsByTypeThenByPosition() throws {
        try CaptureFixture(profile: "phone").inSystem {
            XCTAssertEqual(
                ids([.microphone, .builtInTelephotoCamera, .builtInWideAngleCamera]),
                ["phone.microphone", "phone.back-telephoto", "phone.back-wide", "phone.front"])
            XCTAssertEqual(
                ids([.builtInWideAngleCamera, .builtInUltraWideCamera], .video, .back),
                ["phone.back-wide", "phone.back-ultra-wide"])
            XCTAssertEqual(ids([.builtInWideAngleCamera], .video, .front), ["phone.front"])
            XCTAssertEqual(ids([.builtInWideAngleCamera], .audio), [])
            XCTAssertEqual(ids([.external]), [])
        }
    }

    func testTheListOfDevicesHasOneCameraAtEachPosition() throws {
        let uniqueID = { (device: AVCaptureDevice) in device.uniqueID }
        try CaptureFixture(profile: "phone").inSystem {
            XCTAssertEqual(deviceList.devices(for: .video).map(uniqueID), ["phone.back-wide", "phone.front"])
            XCTAssertEqual(
                Set(deviceList.devices().map(uniqueID)), ["phone.back-wide", "phone.front", "phone.microphone"])
        }
        try CaptureFixture(profile: "webcam").inSystem {
            XCTAssertEqual(deviceList.devices(for: .video).map(uniqueID), ["webcam.camera"])
        }
    }

    func testADeviceWithoutAPositionIsListedBeforeTheOthersOfItsType() throws {
        let fixture = try CaptureFixture(profile: "phone") { machine in
            machine.devices = machine.devices.map { device in
                guard case .camera(var camera) = device, camera.id == "front" else { return device }
                camera.position = .unspecified
                return .camera(camera)
            }
        }
        fixture.inSystem { XCTAssertEqual(ids([.builtInWideAngleCamera]), ["phone.front", "phone.back-wide"]) }
    }

    func testTheDefaultDevicesAreTheBackWideCameraAndTheMicrophone() throws {
        try CaptureFixture(profile: "phone").inSystem {
            XCTAssertEqual(AVCaptureDevice.default(for: .video)?.uniqueID, "phone.back-wide")
            XCTAssertEqual(AVCaptureDevice.default(for: .audio)?.uniqueID, "phone.microphone")
            XCTAssertNil(AVCaptureDevice.default(for: .depthData))
            let front = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .front)
            XCTAssertEqual(front?.position, .front)
            XCTAssertNil(AVCaptureDevice.default(.builtInTelephotoCamera, for: .video, position: .front))
        }
    }

    func testTheDefaultCameraIsTheExternalOneIfThereIsNoOther() throws {
        try CaptureFixture().inSystem {
            XCTAssertEqual(AVCaptureDevice.default(for: .video)?.uniqueID, CaptureFixture.camera)
        }
    }

    func testTheDefaultCameraIsTheFrontOneIfThereIsNoBackCamera() throws {
        let fixture = try CaptureFixture(profile: "phone") { machine in
            machine.devices.removeAll { $0.id.hasPrefix("back") }
        }
        fixture.inSystem { XCTAssertEqual(AVCaptureDevice.default(for: .video)?.uniqueID, "phone.front") }
    }

    func testEveryLookupReturnsTheSameInstance() throws {
        try CaptureFixture(profile: "phone").inSystem {
            let first = try XCTUnwrap(AVCaptureDevice.default(for: .video))
            let second = AVCaptureDevice.DiscoverySession(
                deviceTypes: [.builtInWideAngleCamera], mediaType: .video, position: .back
            ).devices.first
            XCTAssertTrue(first === second)
            XCTAssertTrue(first.hasMediaType(.video))
            XCTAssertFalse(first.hasMediaType(.audio))
            XCTAssertEqual(first.localizedName, "Back Camera")
            XCTAssertEqual(first.lensAperture, 1.78, accuracy: 0.001)
        }
    }

    func testTwoSystemsHaveSeparateDevices() throws {
        let (one, other) = (try CaptureFixture(), try CaptureFixture())
        let device = try one.device(CaptureFixture.camera)
        XCTAssertFalse(try device === other.device(CaptureFixture.camera))
        try one.host.disconnect(uniqueID: CaptureFixture.camera)
        one.clock.settle()
        XCTAssertFalse(device.isConnected)
        XCTAssertTrue(try other.device(CaptureFixture.camera).isConnected)
    }

    func testAReconnectedDeviceIsANewInstance() throws {
        let fixture = try CaptureFixture()
        let notifications = RecordingNotifications(fixture)
        let old = try fixture.device(CaptureFixture.camera)
        try fixture.host.disconnect(uniqueID: CaptureFixture.camera)
        fixture.clock.settle()
        XCTAssertFalse(old.isConnected)
        XCTAssertNil(fixture.inSystem { AVCaptureDevice.default(for: .video) })
        try fixture.host.reconnect(uniqueID: CaptureFixture.camera)
        fixture.clock.settle()
        XCTAssertEqual(notifications.events, ["disconnected webcam.camera", "connected webcam.camera"])
        let new = try fixture.device(CaptureFixture.camera)
        XCTAssertFalse(old.isConnected)
        XCTAssertTrue(new.isConnected)
        XCTAssertFalse(old === new)
        XCTAssertTrue(notifications.notifications.first?.object as? AVCaptureDevice === old)
        XCTAssertTrue(notifications.notifications.last?.object as? AVCaptureDevice === new)
    }

    func testEnumeratingBeforeTheNotificationDoesNotLoseIt() throws {
        let fixture = try CaptureFixture()
        let notifications = RecordingNotifications(fixture)
        let old = try fixture.device(CaptureFixture.camera)
        try fixture.host.disconnect(uniqueID: CaptureFixture.camera)
        XCTAssertNil(fixture.inSystem { AVCaptureDevice.default(for: .video) })
        fixture.clock.settle()
        XCTAssertEqual(notifications.events, ["disconnected webcam.camera"])
        XCTAssertTrue(notifications.notifications.first?.object as? AVCaptureDevice === old)
    }

    func testASessionIsSufficientToReceiveDeviceNotifications() throws {
        let fixture = try CaptureFixture()
        let notifications = RecordingNotifications(fixture)
        let session = fixture.inSystem { AVCaptureSession() }
        try fixture.host.disconnect(uniqueID: CaptureFixture.camera)
        fixture.clock.settle()
        XCTAssertEqual(notifications.events, ["disconnected webcam.camera"])
        withExtendedLifetime(session) {}
    }
}

/// The deprecated lists of devices, declared in a protocol so that the tests call them without warnings.
private protocol DeviceList {
    static func devices() -> [AVCaptureDevice]
    static func devices(for mediaType: AVMediaType) -> [AVCaptureDevice]
}

extension AVCaptureDevice: DeviceList {}

private var deviceList: any DeviceList.Type { AVCaptureDevice.self }
