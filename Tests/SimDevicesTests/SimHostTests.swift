import CaptureHAL
import MediaTypes
import XCTest

@testable import SimDevices

final class SimHostTests: XCTestCase {
    func testThePhoneListsItsDevicesInOrder() throws {
        let host = try SimHost(clock: SimClock())
        XCTAssertEqual(
            host.devices.map(\.descriptor.uniqueID),
            [
                "phone.back-wide", "phone.back-ultra-wide", "phone.back-telephoto", "phone.front",
                "phone.back-dual-wide", "phone.back-dual", "phone.back-triple", "phone.front-true-depth",
                "phone.back-lidar", "phone.microphone",
            ])
        let wideCamera = try XCTUnwrap(host.devices.first)
        XCTAssertEqual(wideCamera.descriptor.kind, .builtInWideAngleCamera)
        XCTAssertEqual(wideCamera.descriptor.position, .back)
        XCTAssertEqual(wideCamera.descriptor.mountingAngle, 90)
        guard case .video(let format) = wideCamera.formats.first else { return XCTFail("no video format") }
        XCTAssertEqual(format.size, PixelSize(width: 1920, height: 1080))
        XCTAssertEqual(format.horizontalFieldOfView, 73.74)
        XCTAssertTrue(format.supports(frameDuration: CMTime(value: 1001, timescale: 30000)))
        XCTAssertFalse(format.supports(frameDuration: CMTime(value: 1, timescale: 60)))
    }

    func testDisconnectingEndsTheStreamAndReconnectingCreatesANewInstance() throws {
        let fixture = try SimDeviceFixture()
        let changes = Lock<[String]>([])
        let observation = fixture.host.observeDevices { change in
            switch change {
            case .connected(let device): changes.withLock { $0.append("+\(device.descriptor.uniqueID)") }
            case .disconnected(let device): changes.withLock { $0.append("-\(device.descriptor.uniqueID)") }
            }
        }
        let originalDevice = try XCTUnwrap(fixture.host.devices.first)
        try fixture.start()
        let host = fixture.host
        fixture.clock.schedule(at: CMTime(nanoseconds: 50_000_000)) {
            do {
                try host.disconnect(uniqueID: "phone.back-wide")
            } catch {
                XCTFail("\(error)")
            }
        }
        fixture.clock.advance(by: .seconds(1))
        XCTAssertEqual(fixture.eventLog, ["frame 0", "frame 1", "failed disconnected"])
        guard case .failed(_, let time) = fixture.events.last else { return XCTFail("no failure") }
        XCTAssertEqual(time.nanoseconds, 50_000_000)
        XCTAssertFalse(originalDevice.isConnected)
        XCTAssertEqual(fixture.host.devices.count, 9)
        for attempt in [
            { _ = try originalDevice.open() }, { try fixture.start() },
            { try fixture.device.set(.iso, to: .number(100)) },
            { try fixture.stream.setFrameDuration(CMTime(value: 1, timescale: 30)) },
        ] {
            XCTAssertThrowsError(try attempt()) { error in
                XCTAssertEqual((error as? DeviceError)?.code, .disconnected)
            }
        }
        try fixture.host.reconnect(uniqueID: "phone.back-wide")
        fixture.clock.advance(by: .milliseconds(1))
        let reconnectedDevice = try XCTUnwrap(fixture.host.devices.first)
        XCTAssertEqual(reconnectedDevice.descriptor, originalDevice.descriptor)
        XCTAssertFalse(reconnectedDevice === originalDevice)
        XCTAssertTrue(reconnectedDevice.isConnected)
        XCTAssertNoThrow(try reconnectedDevice.open())
        XCTAssertEqual(changes.withLock { $0 }, ["-phone.back-wide", "+phone.back-wide"])
        observation.cancel()
    }

    func testADeviceHasOneClientAtATime() throws {
        let host = try SimHost(clock: SimClock())
        let device = try XCTUnwrap(host.devices.first)
        let open = try device.open()
        XCTAssertThrowsError(try device.open()) { XCTAssertEqual(($0 as? DeviceError)?.code, .busy) }
        open.close()
        open.close()
        var second: (any OpenDevice)? = try device.open()
        XCTAssertNotNil(second)
        second = nil
        XCTAssertNoThrow(try device.open())
    }

    func testUseByAnotherApplicationEndsTheStream() throws {
        let fixture = try SimDeviceFixture()
        try fixture.start()
        fixture.clock.advance(by: .milliseconds(1))
        try fixture.host.setInUse(true, uniqueID: "phone.back-wide")
        fixture.clock.advance(by: .seconds(1))
        XCTAssertEqual(fixture.eventLog, ["frame 0", "failed busy"])
        let device = try XCTUnwrap(fixture.host.devices.first)
        XCTAssertTrue(device.isInUseByAnotherApplication)
        fixture.device.close()
        XCTAssertThrowsError(try device.open()) { XCTAssertEqual(($0 as? DeviceError)?.code, .busy) }
        try fixture.host.setInUse(false, uniqueID: "phone.back-wide")
        XCTAssertNoThrow(try device.open())
    }

    func testObserversReceiveConditionsInTheOrderOfTheChanges() throws {
        let fixture = try SimDeviceFixture()
        let (host, device) = (fixture.host, try XCTUnwrap(fixture.host.devices.first))
        let levels = Lock<[SystemPressure.Level]>([])
        let conditions = device.observeCondition { condition in levels.withLock { $0.append(condition.pressure.level) }
        }
        try fixture.device.set(.torchLevel, to: .number(1))
        // A client heats the device further while it is notified of the dimmed torch.
        let isFirst = Lock(true)
        let controls = fixture.device.observeControls { control, _ in
            let isDue = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst && control == .torchLevel
            }
            guard isDue else { return }
            do {
                try host.setPressure(SystemPressure(.critical), uniqueID: "phone.back-wide")
            } catch {
                XCTFail("\(error)")
            }
        }
        try host.setPressure(SystemPressure(.serious), uniqueID: "phone.back-wide")
        XCTAssertEqual(device.condition.pressure.level, .critical)
        XCTAssertEqual(try fixture.device.value(of: .torchLevel), .number(0.1))
        fixture.clock.advance(by: .zero)
        XCTAssertEqual(levels.withLock { $0 }, [.serious, .critical])
        conditions.cancel()
        controls.cancel()
    }

    func testOpeningIsRefusedAsOftenAsScheduled() throws {
        let clock = SimClock()
        let host = try SimHost(clock: clock)
        let device = try XCTUnwrap(host.devices.first)
        try host.schedule(
            .refuseOpen(count: 2), uniqueID: "phone.back-wide", at: .time(CMTime(value: 1, timescale: 1)))
        try device.open().close()
        clock.advance(by: .seconds(1))
        for _ in 0..<2 {
            XCTAssertThrowsError(try device.open()) { XCTAssertEqual(($0 as? DeviceError)?.code, .busy) }
        }
        XCTAssertNoThrow(try device.open())
    }

    func testUnknownDeviceIDsResultInASuggestion() throws {
        let host = try SimHost(clock: SimClock())
        XCTAssertThrowsError(try host.disconnect(uniqueID: "phone.back-wid")) { error in
            XCTAssertTrue("\(error)".contains("did you mean \"phone.back-wide\""), "\(error)")
        }
        XCTAssertThrowsError(try host.reconnect(uniqueID: "phone.front"))
        let phone = try DeviceProfile.builtIn("phone")
        XCTAssertThrowsError(try SimHost(profiles: [phone, phone], clock: SimClock()))
    }

    func testTheBytesAreDeterminedByTheSeed() throws {
        func checksums(seed: UInt64, scene: SimScene) throws -> [UInt64] {
            let fixture = try SimDeviceFixture(scene: scene, seed: seed)
            try fixture.start()
            fixture.clock.advance(by: .milliseconds(200))
            return try fixture.frames.map { try $0.buffer.checksum }
        }
        for scene in SimScene.allCases {
            let first = try checksums(seed: 1, scene: scene)
            XCTAssertEqual(first.count, 7)
            XCTAssertEqual(Set(first).count, 7)
            XCTAssertEqual(try checksums(seed: 1, scene: scene), first)
            XCTAssertTrue(Set(try checksums(seed: 2, scene: scene)).isDisjoint(with: first))
        }
        // A fixed checksum detects differences between machines, compilers and builds.
        XCTAssertEqual(try checksums(seed: 1, scene: .street)[0], 15_274_588_408_964_508_630)
    }

    func testFramesAreDeterminedByTheirTime() throws {
        let earlyFixture = try SimDeviceFixture(scene: .street)
        let lateFixture = try SimDeviceFixture(scene: .street)
        for fixture in [earlyFixture, lateFixture] {
            try fixture.device.set(.iso, to: .number(60))
            try fixture.device.set(.whiteBalanceTemperature, to: .number(5600))
        }
        try earlyFixture.start(keeping: false)
        earlyFixture.clock.advance(by: .milliseconds(999))
        earlyFixture.stream.stop()
        try earlyFixture.start()
        earlyFixture.clock.advance(by: .milliseconds(1))
        lateFixture.clock.advance(by: .milliseconds(999))
        try lateFixture.start()
        lateFixture.clock.advance(by: .milliseconds(1))
        XCTAssertEqual(
            try XCTUnwrap(earlyFixture.frames.last).buffer.checksum,
            try XCTUnwrap(lateFixture.frames.first).buffer.checksum)
    }

    func testStreamsWithUnsupportedFormatsAreRejected() throws {
        let host = try SimHost(clock: SimClock())
        let camera = try XCTUnwrap(host.devices.first)
        let microphone = try XCTUnwrap(host.devices.last)
        let open = try camera.open()
        XCTAssertThrowsError(
            try open.makeStream(
                StreamConfiguration(format: microphone.formats[0], frameDuration: CMTime(value: 1, timescale: 30)))
        ) { XCTAssertEqual(($0 as? DeviceError)?.code, .unsupportedFormat) }
        XCTAssertThrowsError(
            try open.makeStream(
                StreamConfiguration(format: camera.formats[0], frameDuration: CMTime(value: 1, timescale: 90)))
        ) { XCTAssertEqual(($0 as? DeviceError)?.code, .unsupportedFormat) }
        let configuration = StreamConfiguration(
            format: camera.formats[0], frameDuration: CMTime(value: 1, timescale: 30))
        let idle = try open.makeStream(configuration)
        let stream = try open.makeStream(configuration)
        XCTAssertThrowsError(try idle.start { _ in }) {
            XCTAssertEqual(($0 as? DeviceError)?.code, .invalidState, "it was replaced by another")
        }
        try stream.start { _ in }
        XCTAssertThrowsError(try open.makeStream(configuration)) {
            XCTAssertEqual(($0 as? DeviceError)?.code, .busy)
        }
        stream.stop()
    }
}
