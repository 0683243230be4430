import CaptureHAL
import MediaTypes
import XCTest

@testable import LinuxDevices

final class ALSAMicrophoneTests: XCTestCase {
    private let clock = SimClock(start: CMTime(value: 50, timescale: 1))
    private lazy var kernel = FakeKernel(clock: clock)
    private lazy var sound = FakeAudioSystem(kernel: kernel)
    private lazy var microphone = ALSAMicrophone(
        FakeAudioSystem.endpoint(), audioSystem: sound, kernel: kernel, clock: clock)

    /// Opens the microphone and creates a stream with chunks of 10 ms, which are 10 frames at 1 kHz.
    private func open() throws -> (any OpenDevice, any DeviceStream) {
        let opened = try microphone.open()
        let format = try XCTUnwrap(microphone.formats.first)
        let stream = try opened.makeStream(
            StreamConfiguration(format: format, frameDuration: CMTime(value: 10, timescale: 1000)))
        return (opened, stream)
    }

    /// Advances the clock by `count` milliseconds, in which the card captures `count` frames.
    private func push(_ count: Int) {
        clock.advance(by: .milliseconds(count))
        sound.pcm.push(count)
    }

    private func samples(_ chunk: AudioChunk) -> [Int16] {
        chunk.data.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    }

    func testTheTransportAndHousingAreThoseOfTheCard() {
        let usb = "/sys/devices/usb1/1-3"
        kernel.setLink("/sys/class/sound/card0/device", usb + "/1-3:1.2")
        XCTAssertEqual(microphone.descriptor.transport, .unknown)
        kernel.setFile("\(usb)/idVendor", "046d")
        let webcam = ALSAMicrophone(FakeAudioSystem.endpoint(), audioSystem: sound, kernel: kernel, clock: clock)
        XCTAssertEqual(webcam.descriptor.transport, .usb)
        XCTAssertEqual(webcam.descriptor.housing, usb)
        kernel.setLink("/sys/class/sound/card1/device/subsystem", "/sys/bus/pci")
        var endpoint = FakeAudioSystem.endpoint()
        endpoint.card = 1
        let builtIn = ALSAMicrophone(endpoint, audioSystem: sound, kernel: kernel, clock: clock)
        XCTAssertEqual(builtIn.descriptor.transport, .pci)
        XCTAssertNil(builtIn.descriptor.housing)
        endpoint.card = nil
        let server = ALSAMicrophone(endpoint, audioSystem: sound, kernel: kernel, clock: clock)
        XCTAssertEqual(server.descriptor.transport, .virtual)
    }

    func testSamplesAreDeliveredInChunksWithPositionAndTime() throws {
        let (opened, stream) = try open()
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        for count in 1...3 {
            push(10)
            XCTAssertEqual(receiver.wait(for: count).count, count)
        }
        let chunks = receiver.events.compactMap(\.chunk)
        XCTAssertEqual(chunks.flatMap(samples), Array(0..<30))
        XCTAssertEqual(chunks.map(\.samplePosition), [0, 10, 20])
        XCTAssertEqual(
            chunks.map { $0.presentationTime.nanoseconds }, [50_000_000_000, 50_010_000_000, 50_020_000_000])
        XCTAssertEqual(chunks.map(\.followsDiscontinuity), [false, false, false])
        stream.stop()
        opened.close()
    }

    func testAfterAnOverrunCaptureContinuesAndLostSamplesAreCounted() throws {
        let (opened, stream) = try open()
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        push(10)
        XCTAssertEqual(receiver.wait(for: 1).count, 1)
        clock.advance(by: .milliseconds(70))
        sound.pcm.overrun(losing: 70)
        XCTAssertTrue(kernel.waitUntil { self.sound.pcm.startCount == 2 })
        push(10)
        let chunk = try XCTUnwrap(receiver.wait(for: 2).last?.chunk)
        XCTAssertEqual(chunk.samplePosition, 80)
        XCTAssertTrue(chunk.followsDiscontinuity)
        XCTAssertEqual(samples(chunk), Array(80..<90))
        XCTAssertEqual(chunk.presentationTime.nanoseconds, 50_080_000_000)
        stream.stop()
        opened.close()
    }

    func testDisconnectingEndsTheStreamOnce() throws {
        let (opened, stream) = try open()
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        sound.pcm.overrun(losing: 0, ENODEV)
        XCTAssertEqual(receiver.wait(for: 1).last?.failure?.code, .disconnected)
        stream.stop()
        opened.close()
        XCTAssertEqual(receiver.events.count, 1)
    }

    func testADeviceThatDeliversNothingFailsAfterATimeout() throws {
        let (opened, stream) = try open()
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        // The first iteration of the thread may count as activity, so the watchdog may need a second check.
        clock.advance(by: .seconds(10))
        XCTAssertEqual(receiver.wait(for: 1).last?.failure?.code, .inputOutput)
        opened.close()
    }

    func testAnOpenedDeviceIsBusyUntilItIsClosed() throws {
        let opened = try microphone.open()
        assertCode(try microphone.open(), .busy)
        opened.close()
        sound.setOpenError(EBUSY)
        XCTAssertTrue(microphone.isInUseByAnotherApplication)
        assertCode(try microphone.open(), .busy)
        sound.setOpenError(EACCES)
        assertCode(try microphone.open(), .notPermitted)
        sound.setOpenError(nil)
        XCTAssertFalse(microphone.isInUseByAnotherApplication)
        try microphone.open().close()
    }

    func testClosingTheDeviceWhileItCreatesAStreamClosesTheStream() throws {
        let (opened, first) = try open()
        // The second stream opens the PCM again.
        sound.onOpen = { opened.close() }
        let configuration = first.configuration
        assertCode(try opened.makeStream(configuration), .invalidState)
        XCTAssertFalse(sound.kernel.locked { sound.pcm.isOpen })
        sound.onOpen = nil
        try microphone.open().close()
    }

    func testGainAndMuteControlTheMixer() throws {
        let mixer = FakeMixer(kernel)
        sound.mixerState = mixer
        let opened = try microphone.open()
        XCTAssertEqual(try opened.value(of: .inputGain), .number(0.5))
        try opened.set(.inputGain, to: .number(0.25))
        XCTAssertEqual(try mixer.volume(), 0.25)
        try opened.set(.mute, to: .flag(true))
        XCTAssertEqual(try mixer.isOn(), false)
        XCTAssertEqual(try opened.value(of: .mute), .flag(true))
        assertCode(try opened.set(.inputGain, to: .number(2)), .unsupportedControl)
        assertCode(try opened.value(of: .focusMode), .unsupportedControl)
    }

    func testOnlyMixerChangesByOtherProgramsAreReported() throws {
        let mixer = FakeMixer(kernel)
        sound.mixerState = mixer
        let opened = try microphone.open()
        let changes = Lock<[String]>([])
        let kernel = kernel
        let observation = opened.observeControls { control, value in
            changes.withLock { $0.append("\(control.rawValue) \(value)") }
            kernel.locked {}
        }
        try opened.set(.inputGain, to: .number(0.25))
        mixer.changeExternally(level: 0.75)
        XCTAssertTrue(kernel.waitUntil { changes.withLock { $0.count == 1 } })
        mixer.changeExternally(level: 0.75, isOn: false)
        XCTAssertTrue(kernel.waitUntil { changes.withLock { $0.count == 2 } })
        XCTAssertEqual(changes.withLock { $0 }, ["inputGain number(0.75)", "mute flag(true)"])
        observation.cancel()
        opened.close()
        XCTAssertEqual(kernel.leaks.descriptors, 0)
    }

    func testMixerChangesAreReportedAfterAnErrorOfTheirMonitor() throws {
        let mixer = FakeMixer(kernel)
        sound.mixerState = mixer
        // The monitor starts again in real time.
        let opened = try ALSAMicrophone(
            FakeAudioSystem.endpoint(), audioSystem: sound, kernel: kernel, clock: HostClock()
        ).open()
        let isReported = expectation(description: "a change is reported")
        let observation = opened.observeControls { control, value in
            XCTAssertEqual(control, .inputGain)
            XCTAssertEqual(value, .number(0.75))
            isReported.fulfill()
        }
        mixer.failWait(with: ENOMEM)
        mixer.changeExternally(level: 0.75)
        wait(for: [isReported], timeout: 20)
        observation.cancel()
        opened.close()
        XCTAssertEqual(kernel.leaks.descriptors, 0)
    }

    func testDisconnectingAMixerEndsItsObservation() throws {
        let mixer = FakeMixer(kernel)
        sound.mixerState = mixer
        let opened = try microphone.open()
        let observation = opened.observeControls { _, _ in XCTFail("nothing changed") }
        mixer.unplug()
        opened.close()
        observation.cancel()
        XCTAssertEqual(kernel.leaks.descriptors, 0)
    }

    /// The switch of the mixer of snd-dummy, for example, does not change the samples.
    func testMutingDeliversSilenceIfTheMixerSwitchHasNoEffect() throws {
        let mixer = FakeMixer(kernel)
        sound.mixerState = mixer
        let (opened, stream) = try open()
        try opened.set(.mute, to: .flag(true))
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        push(10)
        XCTAssertEqual(receiver.wait(for: 1).first?.chunk.map(samples), Array(repeating: 0, count: 10))
        try mixer.setOn(true)
        XCTAssertEqual(try opened.value(of: .mute), .flag(false))
        push(10)
        XCTAssertEqual(receiver.wait(for: 2).last?.chunk.map(samples), Array(10..<20))
        stream.stop()
        opened.close()
    }

    func testMutingDeliversSilenceIfThereIsNoMixer() throws {
        let (opened, stream) = try open()
        try opened.set(.mute, to: .flag(true))
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        push(10)
        XCTAssertEqual(receiver.wait(for: 1).first?.chunk.map(samples), Array(repeating: 0, count: 10))
        stream.stop()
    }
}
