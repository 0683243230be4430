import CLinuxDevices
import CaptureHAL
import Foundation
import MediaAssets
import MediaTypes
import Playback
import TestSupport
import XCTest

@testable import LinuxDevices

/// Tests the sound of players with the loopback card (snd-aloop), which records the played sound.
final class SpeakerLabTests: LabTestCase {
    func testThePlayedToneIsCapturedFromTheLoopbackCard() throws {
        let media = try AssetWriterFixture()
        let writer = try media.makeWriter("tone.mov")
        // A tone of 1 kHz.
        try media.writeMedia(6, writer, video: nil, audio: media.makeAudioInput(kAudioFormatLinearPCM))
        let microphone = try XCTUnwrap(
            host.devices.first { $0.descriptor.uniqueID == "alsa:hw:CARD=Loopback,DEV=1" })
        let opened = try microphone.open()
        defer { opened.close() }
        let format = StreamFormat.audio(AudioStreamFormat(sampleRate: 48_000, channelCount: 2, sample: .int16))
        let stream = try opened.makeStream(
            StreamConfiguration(format: format, frameDuration: CMTime(value: 1, timescale: 50)))
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        let system = CaptureSystem(
            hosts: [], clock: clock,
            speaker: ALSASpeaker { () throws(KernelError) in try ALSASpeaker.open("plughw:CARD=Loopback,DEV=0") })
        let player = system.run { AVPlayer(url: writer.outputURL) }
        player.play()
        // The player prepares its item on the main thread. The main thread must therefore run during the wait.
        let enoughChunks = expectation(
            for: NSPredicate { _, _ in receiver.events.count >= 200 }, evaluatedWith: nil)
        wait(for: [enoughChunks], timeout: labTimeout)
        let chunks = receiver.events.compactMap(\.chunk)
        stream.stop()
        player.pause()
        let samples = chunks.flatMap { chunk in
            chunk.data.withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count, by: 4).map {
                    Float(bytes.load(fromByteOffset: $0, as: Int16.self)) / 32768
                }
            }
        }
        // If the emulated machine is late, the tone is interrupted. Each window is therefore checked separately.
        let windows = stride(from: 0, to: samples.count - 2400, by: 2400).map { samples[$0..<$0 + 2400] }
        let windowsWithTone = windows.filter { Tone.peak($0) > 0.1 && abs(Tone.frequency($0) - 1000) < 10 }
        XCTAssertGreaterThan(
            windowsWithTone.count, 8, "of \(windows.count) windows of 50 ms; peak \(Tone.peak(samples))")
    }

    func testASpeakerInUseByAnotherProgramIsBusy() throws {
        let handle = try Loopback.openPlayback()
        defer { snd_pcm_close(handle) }
        let speaker = ALSASpeaker { () throws(KernelError) in try ALSASpeaker.open("hw:CARD=Loopback,DEV=0") }
        let format = AudioStreamFormat(sampleRate: 48_000, channelCount: 2, sample: .float32)
        assertCode(try speaker.open(format, bufferFrameCount: 4800), .busy)
    }
}
