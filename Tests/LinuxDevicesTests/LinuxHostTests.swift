import CaptureHAL
import MediaTypes
import XCTest

@testable import LinuxDevices

final class LinuxHostTests: XCTestCase {
    // The host's watcher uses a real thread, so changes are delivered on the real clock.
    private let clock = HostClock()
    private lazy var kernel = FakeKernel(clock: clock)
    private lazy var sound = FakeAudioSystem(kernel: kernel)

    func testCamerasAreListedByDeviceNumberBeforeMicrophones() {
        for number in [10, 2, 0] { kernel.plug(FakeV4L2Device(card: "Cam \(number)"), at: "/dev/video\(number)") }
        sound.setEndpoints([FakeAudioSystem.endpoint("B", order: 1), FakeAudioSystem.endpoint("A", order: 0)])
        let host = LinuxHost(clock: clock, kernel: kernel, audioSystem: sound)
        XCTAssertEqual(host.name, "linux")
        XCTAssertEqual(host.devices.map(\.descriptor.localizedName), ["Cam 0", "Cam 2", "Cam 10", "A", "B"])
        XCTAssertEqual(host.hotplugSource, "inotify")
    }

    func testAReconnectedCameraIsANewDeviceWithTheSameUniqueID() throws {
        kernel.plug(FakeV4L2Device(), at: "/dev/video0")
        let host = LinuxHost(clock: clock, kernel: kernel, audioSystem: sound)
        let observer = RecordingObserver()
        let observation = host.observeDevices(observer.record)
        let first = try XCTUnwrap(host.devices.first)
        kernel.unplug("/dev/video0")
        kernel.plug(FakeV4L2Device(), at: "/dev/video0")
        XCTAssertEqual(observer.wait(for: 2), ["-Fake Camera", "+Fake Camera"])
        let second = try XCTUnwrap(host.devices.first)
        XCTAssertFalse(first.isConnected)
        XCTAssertTrue(second.isConnected)
        XCTAssertEqual(first.descriptor.uniqueID, second.descriptor.uniqueID)
        XCTAssertFalse(first === second)
        assertCode(try first.open(), .disconnected)
        observation.cancel()
    }

    func testACameraBecomesUsableWhenItsPermissionsChange() throws {
        let fake = FakeV4L2Device()
        fake.openError = EACCES
        kernel.plug(fake, at: "/dev/video0")
        let host = LinuxHost(clock: clock, kernel: kernel, audioSystem: sound)
        XCTAssertEqual(host.devices.first?.formats.count, 0)
        let observer = RecordingObserver()
        let observation = host.observeDevices(observer.record)
        kernel.changePermissions(of: "/dev/video0", nil)
        XCTAssertEqual(observer.wait(for: 2).count, 2)
        XCTAssertEqual(host.devices.first?.formats.count, 2)
        observation.cancel()
    }

    func testACameraThatCannotBeOpenedAtFirstIsFoundLater() throws {
        let host = LinuxHost(clock: clock, kernel: kernel, audioSystem: sound)
        let observer = RecordingObserver()
        let observation = host.observeDevices(observer.record)
        kernel.fail("open", with: ENODEV)
        kernel.plug(FakeV4L2Device(), at: "/dev/video0")
        XCTAssertEqual(observer.wait(for: 1), ["+Fake Camera"])
        XCTAssertEqual(host.devices.count, 1)
        observation.cancel()
    }

    func testConnectedAndDisconnectedMicrophonesAreReported() {
        let host = LinuxHost(clock: clock, kernel: kernel, audioSystem: sound)
        let observer = RecordingObserver()
        let observation = host.observeDevices(observer.record)
        sound.setEndpoints([FakeAudioSystem.endpoint()])
        kernel.plug(FakeV4L2Device(), at: "/dev/snd/pcmC0D0c")
        XCTAssertEqual(observer.wait(for: 1), ["+Mic"])
        sound.setEndpoints([])
        kernel.unplug("/dev/snd/pcmC0D0c")
        XCTAssertEqual(observer.wait(for: 2), ["+Mic", "-Mic"])
        observation.cancel()
    }

    func testMicrophonesAreListedInTheCurrentOrderOfTheirEndpoints() {
        func setEndpoints(_ names: [String]) {
            sound.setEndpoints(names.enumerated().map { FakeAudioSystem.endpoint($1, order: $0) })
        }
        setEndpoints(["A", "B", "S"])
        let host = LinuxHost(clock: clock, kernel: kernel, audioSystem: sound)
        let observer = RecordingObserver()
        let observation = host.observeDevices(observer.record)
        func names() -> [String] { host.devices(with: .audio).map(\.descriptor.localizedName) }
        XCTAssertEqual(names(), ["A", "B", "S"])
        // A card with four endpoints replaces the first one.
        setEndpoints(["C0", "C1", "C2", "C3", "B", "S"])
        kernel.plug(FakeV4L2Device(), at: "/dev/snd/pcmC0D0c")
        XCTAssertEqual(observer.wait(for: 5), ["-A", "+C0", "+C1", "+C2", "+C3"])
        XCTAssertEqual(names(), ["C0", "C1", "C2", "C3", "B", "S"])
        observation.cancel()
    }

    func testDevicesAreComparedAfterLostChanges() throws {
        kernel.plug(FakeV4L2Device(card: "Old"), at: "/dev/video0")
        kernel.plug(FakeV4L2Device(card: "Kept"), at: "/dev/video1")
        let host = LinuxHost(clock: clock, kernel: kernel, audioSystem: sound)
        let kept = try XCTUnwrap(host.devices.last)
        let observer = RecordingObserver()
        let observation = host.observeDevices(observer.record)
        sound.setEndpoints([FakeAudioSystem.endpoint()])
        kernel.loseChanges {
            kernel.unplug("/dev/video0")
            kernel.plug(FakeV4L2Device(card: "New"), at: "/dev/video2")
        }
        XCTAssertEqual(observer.wait(for: 3), ["-Old", "+New", "+Mic"])
        XCTAssertTrue(host.devices.first === kept)
        observation.cancel()
    }

    func testWatchingStartsAgainAfterAnError() {
        for call in ["poll", "read"] {
            let kernel = FakeKernel(clock: clock)
            let host = LinuxHost(clock: clock, kernel: kernel, audioSystem: FakeAudioSystem(kernel: kernel))
            let observer = RecordingObserver()
            let observation = host.observeDevices(observer.record)
            kernel.fail(call, with: EIO)
            kernel.plug(FakeV4L2Device(card: "First"), at: "/dev/video0")
            XCTAssertEqual(observer.wait(for: 1), ["+First"], call)
            kernel.plug(FakeV4L2Device(card: "Second"), at: "/dev/video1")
            XCTAssertEqual(observer.wait(for: 2), ["+First", "+Second"], call)
            observation.cancel()
            withExtendedLifetime(host) {}
        }
    }

    func testTheAudioFolderIsWatchedEachTimeItIsCreated() {
        kernel.removeDirectory("/dev/snd")
        let host = LinuxHost(clock: clock, kernel: kernel, audioSystem: sound)
        let observer = RecordingObserver()
        let observation = host.observeDevices(observer.record)
        for round in 0..<2 {
            kernel.makeDirectory("/dev/snd")
            XCTAssertTrue(kernel.waitUntil { kernel.isWatched("/dev/snd") })
            // The card's files are created after their folder.
            sound.setEndpoints([FakeAudioSystem.endpoint()])
            kernel.plug(FakeV4L2Device(), at: "/dev/snd/pcmC0D0c")
            XCTAssertEqual(observer.wait(for: 2 * round + 1).last, "+Mic")
            sound.setEndpoints([])
            kernel.unplug("/dev/snd/pcmC0D0c")
            kernel.removeDirectory("/dev/snd")
            XCTAssertEqual(observer.wait(for: 2 * round + 2).last, "-Mic")
            XCTAssertTrue(kernel.waitUntil { !kernel.isWatched("/dev/snd") })
        }
        observation.cancel()
        withExtendedLifetime(host) {}
    }

    func testARemovedFolderIsNotReadAfterItsWatchIsClosed() {
        let host = LinuxHost(clock: clock, kernel: kernel, audioSystem: sound)
        let observer = RecordingObserver()
        let observation = host.observeDevices(observer.record)
        // The watches of the folder and of its parent become readable at the same time.
        kernel.removeDirectory("/dev/snd")
        // The next change is reported after all events of the removal have been read.
        XCTAssertTrue(kernel.waitUntil { !kernel.isWatched("/dev/snd") })
        kernel.plug(FakeV4L2Device(), at: "/dev/video0")
        XCTAssertEqual(observer.wait(for: 1), ["+Fake Camera"])
        XCTAssertEqual(kernel.locked { kernel.closedReadCount }, 0)
        observation.cancel()
        withExtendedLifetime(host) {}
    }

    func testAReleasedHostFreesItsResources() {
        kernel.plug(FakeV4L2Device(), at: "/dev/video0")
        do {
            let host = LinuxHost(clock: clock, kernel: kernel, audioSystem: sound)
            XCTAssertEqual(host.devices.count, 1)
        }
        XCTAssertEqual(kernel.leaks.descriptors, 0)
    }
}
