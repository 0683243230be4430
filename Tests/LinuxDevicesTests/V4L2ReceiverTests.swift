import CLinuxDevices
import CaptureHAL
import MediaTypes
import XCTest

@testable import LinuxDevices

/// Tests video receivers, such as HDMI capture cards and TV tuners: EDID, frequencies and changes of the signal.
final class V4L2ReceiverTests: XCTestCase {
    /// Creates an HDMI receiver with a signal of 64x48 pixels.
    ///
    /// - Parameter edid: The EDID of the receiver; empty if it has none, nil if the driver does not support EDIDs.
    private func receiver(edid: [UInt8]?, bus: String = "usb-0000:00:14.0-1") -> FakeV4L2Device {
        let fake = FakeV4L2Device(bus: bus, modes: [.yuyv([])])
        fake.inputs = [
            FakeV4L2Device.Input(capabilities: UInt32(V4L2_IN_CAP_DV_TIMINGS), signal: (64, 48), edid: edid)
        ]
        return fake
    }

    private func sizes(_ device: any HardwareDevice) -> [String] {
        device.formats.compactMap { format in
            if case .video(let video) = format { "\(video.dimensions.width)x\(video.dimensions.height)" } else { nil }
        }
    }

    // MARK: EDID

    /// Returns the video identification codes in the video data block of an EDID's extension.
    private func codes(_ bytes: [UInt8]) -> [UInt8] {
        bytes[133..<133 + Int(bytes[132] & 31)].map { $0 & 0x7f }
    }

    func testAReceiverWithoutAnEDIDGetsOneThatListsItsModes() throws {
        let fake = receiver(edid: [])
        fake.inputs[0].limits = (1280, 800, 80_000_000)
        _ = try V4L2Fixture(fake).camera()
        let bytes = try XCTUnwrap(fake.inputs[0].edid)
        XCTAssertEqual(bytes.count, 256)
        XCTAssertEqual(Array(bytes.prefix(8)), [0, 255, 255, 255, 255, 255, 255, 0])
        for block in [bytes[..<128], bytes[128...]] {
            XCTAssertEqual(block.reduce(UInt8(0), &+), 0, "the checksum of a block")
        }
        // The preferred timing is 1280x720 with 370 pixels of horizontal blanking and a pixel clock of 74.25 MHz, in
        // units of 10 kHz.
        XCTAssertEqual(Int(bytes[54]) | Int(bytes[55]) << 8, 7425)
        XCTAssertEqual(Int(bytes[56]) | Int(bytes[58] & 0xf0) << 4, 1280)
        XCTAssertEqual(Int(bytes[57]) | Int(bytes[58] & 0x0f) << 8, 370)
        XCTAssertEqual(Int(bytes[59]) | Int(bytes[61] & 0xf0) << 4, 720)
        XCTAssertEqual(bytes[126], 1, "one extension")
        XCTAssertEqual(bytes[128...130], [2, 3, UInt8(4 + 1 + codes(bytes).count + 6)])
        XCTAssertEqual(codes(bytes), [4, 19, 18, 3, 1], "nothing larger or faster")
    }

    func testAnExistingEDIDIsKept() throws {
        let own = [UInt8](repeating: 7, count: 128)
        let fake = receiver(edid: own)
        _ = try V4L2Fixture(fake).camera()
        XCTAssertEqual(fake.inputs[0].edid, own)
    }

    func testAReceiverWithoutEDIDSupportIsUnchanged() throws {
        let fake = receiver(edid: nil)
        XCTAssertEqual(sizes(try V4L2Fixture(fake).camera()), ["64x48"])
    }

    func testAReceiverWithoutACommonModeGetsNoEDID() throws {
        XCTAssertNil(V4L2EDID(maximumWidth: 320, maximumHeight: 240, maximumPixelClock: 0))
        // A maximum of 0 means no limit.
        let unlimited = try XCTUnwrap(V4L2EDID(maximumWidth: 0, maximumHeight: 0, maximumPixelClock: 0))
        XCTAssertEqual(codes(unlimited.bytes), V4L2EDID.modes.map(\.code))
    }

    // MARK: Tuner

    private func tvTuner() -> FakeV4L2Device {
        let fake = FakeV4L2Device()
        fake.inputs = [
            FakeV4L2Device.Input(capabilities: UInt32(V4L2_IN_CAP_STD), type: UInt32(V4L2_INPUT_TYPE_TUNER))
        ]
        fake.tuner = FakeV4L2Device.Tuner()
        return fake
    }

    func testAFrequencyIsRoundedToTheNearestStepOfTheTuner() throws {
        let fake = tvTuner()
        let opened = try V4L2Fixture(fake).camera().open()
        XCTAssertEqual(
            opened.controls[.tunerFrequency], .number(44_000_000...958_000_000, step: 62_500, default: 44_000_000))
        XCTAssertEqual(try opened.value(of: .tunerFrequency), .number(175_250_000))
        try opened.set(.tunerFrequency, to: .number(55_260_000))
        XCTAssertEqual(fake.tuner?.frequency, 884, "the nearest step")
        XCTAssertEqual(try opened.value(of: .tunerFrequency), .number(55_250_000))
        assertCode(try opened.set(.tunerFrequency, to: .number(1)), .unsupportedControl)
    }

    func testTunersCanHaveSmallerSteps() throws {
        for (capability, hertz) in [(V4L2_TUNER_CAP_LOW, 62.5), (V4L2_TUNER_CAP_1HZ, 1)] {
            let fake = tvTuner()
            fake.tuner?.capability = UInt32(capability)
            let opened = try V4L2Fixture(fake).camera().open()
            XCTAssertEqual(try opened.value(of: .tunerFrequency), .number(2804 * hertz))
        }
    }

    func testAnInputWithoutATunerHasNoFrequency() throws {
        let fake = tvTuner()
        fake.inputs[0].type = UInt32(V4L2_INPUT_TYPE_CAMERA)
        let opened = try V4L2Fixture(fake).camera().open()
        XCTAssertNil(opened.controls[.tunerFrequency])
        assertCode(try opened.set(.tunerFrequency, to: .number(60_000_000)), .unsupportedControl)
    }

    // MARK: Changes

    // The host watches devices on threads in real time, so it reports changes in real time.
    private let clock = HostClock()
    private lazy var kernel = FakeKernel(clock: clock)

    private func host() -> LinuxHost {
        LinuxHost(clock: clock, kernel: kernel, audioSystem: FakeAudioSystem(kernel: kernel))
    }

    func testASignalChangeReplacesTheDeviceByOneWithTheSameUniqueID() throws {
        let fake = receiver(edid: nil)
        kernel.plug(fake, at: "/dev/video0")
        let host = host()
        let old = try XCTUnwrap(host.devices.first)
        XCTAssertEqual(sizes(old), ["64x48"])
        let isConnected = expectation(description: "the device is connected again")
        let observation = host.observeDevices { if case .connected = $0 { isConnected.fulfill() } }
        fake.changeSource(to: (128, 64))
        wait(for: [isConnected], timeout: 20)
        let new = try XCTUnwrap(host.devices.first)
        XCTAssertEqual(sizes(new), ["128x64"])
        XCTAssertEqual(new.descriptor, old.descriptor)
        XCTAssertFalse(old.isConnected)
        assertCode(try old.open(), .disconnected)
        observation.cancel()
    }

    func testSignalsAreWatchedAgainAfterAnError() throws {
        let fake = receiver(edid: nil)
        kernel.plug(fake, at: "/dev/video0")
        let host = host()
        let replacements = (1...2).map { expectation(description: "device \($0) is connected") }
        let count = Lock(0)
        let observation = host.observeDevices { change in
            guard case .connected = change else { return }
            let index = count.withLock { count in
                defer { count += 1 }
                return count
            }
            if index < 2 { replacements[index].fulfill() }
        }
        XCTAssertTrue(kernel.waitUntil { kernel.lockedCallCount(of: "poll") == 2 }, "devices and signals are watched")
        // The watcher of signals fails when it waits again after the first change.
        kernel.fail("poll", with: ENOMEM)
        fake.changeSource(to: (96, 64))
        wait(for: [replacements[0]], timeout: 20)
        XCTAssertTrue(kernel.waitUntil { kernel.lockedCallCount(of: "poll") >= 3 })
        fake.changeSource(to: (128, 64))
        wait(for: [replacements[1]], timeout: 20)
        XCTAssertEqual(host.devices.map(sizes), [["128x64"]])
        observation.cancel()
    }

    func testADeviceInUseIsReplacedWhenItIsClosed() throws {
        let fake = receiver(edid: nil)
        // Drivers report changes of each input separately. The host subscribes to those of the current input, here the
        // second one.
        fake.inputs.insert(FakeV4L2Device.Input(status: UInt32(V4L2_IN_ST_NO_SIGNAL)), at: 0)
        fake.input = 1
        kernel.plug(fake, at: "/dev/video0")
        let other = receiver(edid: nil, bus: "usb-0000:00:14.0-2")
        kernel.plug(other, at: "/dev/video1")
        let host = host()
        let old = try XCTUnwrap(host.devices.compactMap { $0 as? V4L2Camera }.first { $0.path == "/dev/video0" })
        let isConnected = expectation(description: "the device is connected again")
        let otherIsConnected = expectation(description: "the other device is connected again")
        let observation = host.observeDevices { event in
            guard case .connected(let device) = event, let camera = device as? V4L2Camera else { return }
            (camera.path == old.path ? isConnected : otherIsConnected).fulfill()
        }
        let opened = try old.open()
        let format = try XCTUnwrap(old.formats.first)
        let stream = try opened.makeStream(
            StreamConfiguration(format: format, frameDuration: CMTime(value: 1, timescale: 30), bufferCount: 2))
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        fake.changeSource(to: (128, 64))
        XCTAssertEqual(receiver.wait(for: 1).last?.failure?.code, .inputOutput)
        // The watcher dequeues the events of the first receiver before the second one changes. When the second one is
        // replaced, the change of the first one has been processed.
        XCTAssertTrue(kernel.waitUntil { fake.events.values.allSatisfy(\.isEmpty) })
        other.changeSource(to: (96, 64))
        wait(for: [otherIsConnected], timeout: 20)
        XCTAssertEqual(host.devices.map(sizes).sorted { $0[0] < $1[0] }, [["64x48"], ["96x64"]])
        XCTAssertTrue(old.isConnected)
        opened.close()
        wait(for: [isConnected], timeout: 20)
        XCTAssertEqual(host.devices.map(sizes).sorted { $0[0] < $1[0] }, [["128x64"], ["96x64"]])
        observation.cancel()
    }

    func testAReceiverIsNotReplacedWhileItIsBeingClosed() throws {
        kernel.plug(receiver(edid: nil), at: "/dev/video0")
        let reported = Lock(0)
        let camera = try XCTUnwrap(
            V4L2Camera(path: "/dev/video0", kernel: kernel, clock: clock) { reported.withLock { $0 += 1 } })
        let opened = try camera.open()
        let stream = try opened.makeStream(
            StreamConfiguration(
                format: try XCTUnwrap(camera.formats.first), frameDuration: CMTime(value: 1, timescale: 30),
                bufferCount: 2))
        try stream.start { _ in }
        // `close()` wakes the stream's thread to end it. At that moment the driver is still in use: a change of the
        // signal must not permit a replacement.
        let replaceability = Lock<[Bool]>([])
        kernel.locked {
            kernel.onSignal = {
                let isReplaceable = camera.markOutdated()
                replaceability.withLock { $0.append(isReplaceable) }
            }
        }
        opened.close()
        kernel.locked { kernel.onSignal = nil }
        XCTAssertEqual(replaceability.withLock(\.first), false)
        XCTAssertEqual(reported.withLock { $0 }, 1)
        XCTAssertNoThrow(try camera.open().close())
    }

    func testTheHostKeepsNoFileDescriptorOfACameraThatIsNotAReceiver() {
        kernel.plug(FakeV4L2Device(), at: "/dev/video0")
        let before = kernel.leaks.descriptors
        let host = host()
        // Two events, and the watched directories for video and audio.
        XCTAssertLessThanOrEqual(kernel.leaks.descriptors - before, 4)
        XCTAssertEqual(kernel.locked { kernel.openCameraCount }, 0)
        withExtendedLifetime(host) {}
    }

    func testAHostWithAReceiverLeaksNothing() {
        kernel.plug(receiver(edid: nil), at: "/dev/video0")
        do {
            let host = host()
            XCTAssertEqual(kernel.locked { kernel.openCameraCount }, 1)
            kernel.unplug("/dev/video0")
            XCTAssertTrue(kernel.waitUntil { kernel.openCameraCount == 0 })
            withExtendedLifetime(host) {}
        }
        // The disconnection may still be processed, which retains the host for a moment.
        XCTAssertTrue(kernel.waitUntil { kernel.descriptorCount == 0 })
    }

    /// Fails the first, second, … system call. The device may be missing afterwards, but no descriptor stays open.
    func testEachFailingCallLeaksNothing() {
        var ordinal = 0
        var isClean = false
        while !isClean {
            ordinal += 1
            let kernel = FakeKernel(clock: clock)
            let fake = receiver(edid: [])
            kernel.plug(fake, at: "/dev/video0")
            kernel.fail(ordinal: ordinal, with: EIO)
            do {
                let host = LinuxHost(clock: clock, kernel: kernel, audioSystem: FakeAudioSystem(kernel: kernel))
                let found = host.devices.map { sizes($0) }
                isClean =
                    found == [["64x48"]] && fake.inputs[0].edid?.count == 256
                    && kernel.locked { kernel.callCount } < ordinal
            }
            XCTAssertEqual(kernel.leaks.descriptors, 0, "after call \(ordinal) failed")
            if ordinal > 300 { return XCTFail("a call failed in each run") }
        }
        XCTAssertGreaterThan(ordinal, 15)
    }
}
