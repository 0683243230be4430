import CLinuxDevices
import CaptureHAL
import Glibc
import MediaTypes
import XCTest

@testable import LinuxDevices

/// Sound of snd-aloop and snd-dummy.
final class ALSALabTests: LabTestCase {
    private func microphone(_ key: String) throws -> any HardwareDevice {
        try XCTUnwrap(
            host.devices.first { $0.descriptor.uniqueID == "alsa:\(key)" }, "\(host.devices.map(\.descriptor.uniqueID))"
        )
    }

    private func soundConfiguration(_ microphone: any HardwareDevice) throws -> StreamConfiguration {
        let wish = StreamFormat.audio(AudioStreamFormat(sampleRate: 48_000, channelCount: 2, sample: .int16))
        XCTAssertTrue(microphone.formats.contains(wish))
        return StreamConfiguration(format: wish, frameDuration: CMTime(value: 1, timescale: 50))
    }

    func testWhatIsPlayedIntoTheLoopComesBackSampleForSample() throws {
        let player = try LoopPlayer(frameCount: 48_000)
        let microphone = try microphone("hw:CARD=Loopback,DEV=1")
        let opened = try microphone.open()
        assertCode(try LinuxHost(clock: clock).open(microphone.descriptor.uniqueID), .busy)
        let stream = try opened.makeStream(soundConfiguration(microphone))
        let receiver = RecordingReceiver()
        let begin = clock.now
        try stream.start(receiver.receive)
        XCTAssertGreaterThan(receiver.wait(for: 2).count, 1)
        try player.play()
        let chunks = receiver.wait(for: 60).compactMap(\.chunk)
        stream.stop()
        opened.close()
        player.finish()
        XCTAssertGreaterThanOrEqual(chunks.count, 60, "\(receiver.events.compactMap(\.failure))")
        var place: Int64 = 0
        for chunk in chunks where !chunk.followsDiscontinuity {
            XCTAssertEqual(chunk.samplePosition, place)
            place += Int64(chunk.frameCount)
        }
        for (chunk, next) in zip(chunks, chunks.dropFirst()) {
            let step = (next.presentationTime - chunk.presentationTime).seconds
            XCTAssertEqual(step, Double(chunk.frameCount) / 48_000, accuracy: 0.005)
        }
        XCTAssertEqual(chunks[0].presentationTime.seconds, begin.seconds, accuracy: 0.5)
        let left = chunks.flatMap { chunk in
            chunk.data.withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count, by: 4).map { bytes.load(fromByteOffset: $0, as: Int16.self) }
            }
        }
        let sounding = left.drop { $0 == 0 }.prefix(20_000)
        XCTAssertEqual(sounding.count, 20_000, "the tone came through")
        XCTAssertEqual(Array(sounding), LoopPlayer.ramp(sounding.count), "unchanged and without a gap")
    }

    func testTheDummyCardDeliversAtItsRate() throws {
        let microphone = try microphone("hw:CARD=Dummy,DEV=0")
        let opened = try microphone.open()
        XCTAssertNotNil(opened.controls[.inputGain], "\(opened.controls)")
        try opened.set(.inputGain, to: .number(0.5))
        guard case .number(let gain) = try opened.value(of: .inputGain) else { return XCTFail("no gain") }
        XCTAssertEqual(gain, 0.5, accuracy: 0.05)
        let stream = try opened.makeStream(soundConfiguration(microphone))
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        let chunks = receiver.wait(for: 50).compactMap(\.chunk)
        stream.stop()
        XCTAssertGreaterThanOrEqual(chunks.count, 50)
        let span = (chunks[49].presentationTime - chunks[0].presentationTime).seconds
        XCTAssertEqual(span, Double(chunks[49].samplePosition) / 48_000, accuracy: 0.02)
        opened.close()
    }

    /// Not reading for longer than the buffer lasts is an overrun; what was lost is counted by the clock.
    func testAnOverrunOfTheDummyCardIsCounted() throws {
        let microphone = try microphone("hw:CARD=Dummy,DEV=0")
        let opened = try microphone.open()
        let stream = try opened.makeStream(soundConfiguration(microphone))
        let pause = DispatchSemaphore(value: 0)
        let isFirst = Lock(true)
        let receiver = RecordingReceiver { [clock] _ in
            let mustPause = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            guard mustPause else { return }
            clock.schedule(at: clock.now + CMTime(value: 2, timescale: 1)) { pause.signal() }
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
        let (last, after) = (chunks[index - 1], chunks[index])
        let lost = after.samplePosition - last.samplePosition - Int64(last.frameCount)
        XCTAssertGreaterThan(lost, 48_000)
        let span = (after.presentationTime - last.presentationTime).seconds * 48_000
        XCTAssertEqual(Double(after.samplePosition - last.samplePosition), span, accuracy: 480)
    }
}

extension LinuxHost {
    /// Opens the device of an identity.
    fileprivate func open(_ id: String) throws -> any OpenDevice {
        try XCTUnwrap(devices.first { $0.descriptor.uniqueID == id }).open()
    }
}
