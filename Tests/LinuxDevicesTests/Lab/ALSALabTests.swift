import CLinuxDevices
import CaptureHAL
import Glibc
import MediaTypes
import XCTest

@testable import LinuxDevices

/// Tests microphones with the ALSA test cards: the loopback card (snd-aloop) and the dummy card (snd-dummy).
final class ALSALabTests: LabTestCase {
    /// Returns a microphone by its ALSA device name.
    private func microphone(_ name: String) throws -> any HardwareDevice {
        try XCTUnwrap(
            host.devices.first { $0.descriptor.uniqueID == "alsa:\(name)" },
            "\(host.devices.map(\.descriptor.uniqueID))")
    }

    private func audioConfiguration(_ microphone: any HardwareDevice) throws -> StreamConfiguration {
        let format = StreamFormat.audio(AudioStreamFormat(sampleRate: 48_000, channelCount: 2, sample: .int16))
        XCTAssertTrue(microphone.formats.contains(format))
        return StreamConfiguration(format: format, frameDuration: CMTime(value: 1, timescale: 50))
    }

    func testLoopbackAudioIsCapturedSampleForSample() throws {
        let player = try RampPlayer(frameCount: 48_000)
        let microphone = try microphone("hw:CARD=Loopback,DEV=1")
        let opened = try microphone.open()
        assertCode(try LinuxHost(clock: clock).open(microphone.descriptor.uniqueID), .busy)
        let stream = try opened.makeStream(audioConfiguration(microphone))
        let receiver = RecordingReceiver()
        let startTime = clock.now
        try stream.start(receiver.receive)
        XCTAssertGreaterThan(receiver.wait(for: 2).count, 1)
        try player.play()
        let chunks = receiver.wait(for: 60).compactMap(\.chunk)
        stream.stop()
        opened.close()
        player.close()
        XCTAssertGreaterThanOrEqual(chunks.count, 60, "\(receiver.events.compactMap(\.failure))")
        var position: Int64 = 0
        for chunk in chunks where !chunk.followsDiscontinuity {
            XCTAssertEqual(chunk.samplePosition, position)
            position += Int64(chunk.frameCount)
        }
        let (first, last) = (chunks[0], chunks[chunks.count - 1])
        XCTAssertEqual(
            (last.presentationTime - first.presentationTime).seconds,
            Double(last.samplePosition - first.samplePosition) / 48_000, accuracy: 0.1)
        XCTAssertGreaterThan(first.presentationTime.seconds, startTime.seconds - 0.5)
        XCTAssertLessThan(last.presentationTime, clock.now)
        let leftChannel = chunks.flatMap { chunk in
            chunk.data.withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count, by: 4).map { bytes.load(fromByteOffset: $0, as: Int16.self) }
            }
        }
        let captured = leftChannel.drop { $0 == 0 }.prefix(20_000)
        XCTAssertEqual(captured.count, 20_000, "the captured part of the ramp is too short")
        XCTAssertEqual(Array(captured), RampPlayer.ramp(captured.count), "the ramp has changed or has a gap")
    }

    func testDummyCardDeliversAudioAtItsSampleRate() throws {
        let microphone = try microphone("hw:CARD=Dummy,DEV=0")
        let opened = try microphone.open()
        XCTAssertNotNil(opened.controls[.inputGain], "\(opened.controls)")
        try opened.set(.inputGain, to: .number(0.5))
        guard case .number(let gain) = try opened.value(of: .inputGain) else { return XCTFail("no gain") }
        XCTAssertEqual(gain, 0.5, accuracy: 0.05)
        let stream = try opened.makeStream(audioConfiguration(microphone))
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        let chunks = receiver.wait(for: 50).compactMap(\.chunk)
        stream.stop()
        XCTAssertGreaterThanOrEqual(chunks.count, 50)
        let duration = (chunks[49].presentationTime - chunks[0].presentationTime).seconds
        XCTAssertEqual(duration, Double(chunks[49].samplePosition) / 48_000, accuracy: 0.1)
        opened.close()
    }

    /// Blocks the receiver for longer than the duration of the card's buffer, which causes an overrun. The expected
    /// number of lost frames follows from the timestamps.
    func testOverrunAdvancesTheSamplePositionByTheLostFrames() throws {
        let microphone = try microphone("hw:CARD=Dummy,DEV=0")
        let opened = try microphone.open()
        let stream = try opened.makeStream(audioConfiguration(microphone))
        let pause = DispatchSemaphore(value: 0)
        let isFirst = Lock(true)
        let receiver = RecordingReceiver { [clock] _ in
            let mustBlock = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard mustBlock else { return }
            clock.schedule(at: clock.now + CMTime(value: 4, timescale: 1)) { pause.signal() }
            pause.wait()
        }
        try stream.start(receiver.receive)
        var chunks: [AudioChunk] = []
        for count in 2...100 where !chunks.contains(where: \.followsDiscontinuity) {
            chunks = receiver.wait(for: count).compactMap(\.chunk)
        }
        stream.stop()
        opened.close()
        let index = try XCTUnwrap(chunks.firstIndex(where: \.followsDiscontinuity))
        let (previous, next) = (chunks[index - 1], chunks[index])
        let lostCount = next.samplePosition - previous.samplePosition - Int64(previous.frameCount)
        XCTAssertGreaterThan(lostCount, 48_000)
        let elapsedCount = (next.presentationTime - previous.presentationTime).seconds * 48_000
        XCTAssertEqual(Double(next.samplePosition - previous.samplePosition), elapsedCount, accuracy: 480)
    }
}

extension LinuxHost {
    /// Opens the device with a unique ID.
    fileprivate func open(_ id: String) throws -> any OpenDevice {
        try XCTUnwrap(devices.first { $0.descriptor.uniqueID == id }).open()
    }
}
