import CLinuxDevices
import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import LinuxDevices

/// Tests the device list of alsa-lib with a custom configuration, which does not need hardware.
final class ALSASystemTests: XCTestCase {
    private var folder = URL(fileURLWithPath: "/")

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("ALSASystemTests-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws {
        unsetenv("ALSA_CONFIG_PATH")
        try FileManager.default.removeItem(at: folder)
    }

    /// Replaces the whole ALSA configuration of the machine until the test ends.
    private func configure(_ text: String) throws {
        let file = folder.appendingPathComponent("asoundrc")
        try text.write(to: file, atomically: true, encoding: .utf8)
        setenv("ALSA_CONFIG_PATH", file.path, 1)
    }

    /// Returns the names of the capture endpoints that are not cards, by key.
    private func endpointNames() -> [String: String] {
        let endpoints = ALSASystem().captureEndpoints().filter { !$0.key.hasPrefix("hw:") }
        return Dictionary(uniqueKeysWithValues: endpoints.map { ($0.key, $0.name) })
    }

    func testConfiguredPCMsAreFoundExceptConverters() throws {
        try configure(
            """
            pcm.pulse { type null hint { show on description "PulseAudio Sound Server" } }
            pcm.pipewire { type null hint { show on description "PipeWire Sound Server" } }
            pcm.desk { type null hint { show on description "Desk microphones\\nFour of them" } }
            pcm.speaker { type null hint { show on description "Speaker" device_output 1 } }
            pcm.lavrate { type null hint { show on description "Rate converter" } }
            pcm.default { type null hint { show on description "Default" } }
            pcm.quiet { type null }
            """)
        let names = endpointNames()
        XCTAssertEqual(names["pulse"], "PulseAudio Sound Server")
        XCTAssertEqual(names["pipewire"], "PipeWire Sound Server")
        XCTAssertNotNil(names["desk"])
        for name in ["lavrate", "default", "quiet"] { XCTAssertNil(names[name], name) }
    }

    func testAPluginConfiguredByTheUserCanBeCaptured() throws {
        let samples = (0..<Int16(4800)).map { $0 &* 5 }
        let input = folder.appendingPathComponent("in.raw")
        try samples.flatMap { [$0, $0] }.withUnsafeBytes { Data($0) }.write(to: input)
        try configure(
            """
            pcm.desk {
                type file
                file "/dev/null"
                infile "\(input.path)"
                format raw
                slave.pcm { type null }
                hint { show on description "Desk microphones" }
            }
            """)
        let sound = ALSASystem()
        let endpoint = try XCTUnwrap(sound.captureEndpoints().first { $0.key == "desk" })
        let clock = HostClock()
        let microphone = ALSAMicrophone(endpoint, audioSystem: sound, kernel: LinuxKernel(), clock: clock)
        XCTAssertEqual(microphone.descriptor.uniqueID, "alsa:desk")
        XCTAssertEqual(microphone.descriptor.localizedName, "Desk microphones")
        let format = StreamFormat.audio(AudioStreamFormat(sampleRate: 48_000, channelCount: 2, sample: .int16))
        XCTAssertTrue(microphone.formats.contains(format))
        let opened = try microphone.open()
        let stream = try opened.makeStream(
            StreamConfiguration(format: format, frameDuration: CMTime(value: 1, timescale: 100)))
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        // The plugin has no clock: it delivers as fast as it is read, and repeats the file at its end.
        let chunks = receiver.wait(for: 10).compactMap(\.chunk)
        stream.stop()
        opened.close()
        let leftChannel = chunks.prefix(10).flatMap { chunk in
            chunk.data.withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count, by: 4).map { bytes.load(fromByteOffset: $0, as: Int16.self) }
            }
        }
        XCTAssertEqual(leftChannel, samples)
    }
}
