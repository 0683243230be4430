import CaptureHAL
import Foundation
import MediaTypes
import RecordedDevices
import XCTest

@testable import LinuxDevices

/// Traces of vivid and of the loop device. They are brought out of the lab: `Fixtures/Traces` holds one of each.
final class TraceLabTests: LabTestCase {
    /// One device of a host, to keep a trace small.
    private final class SelectedHost: HardwareHost {
        private let base: any HardwareHost
        private let id: String

        init(_ base: any HardwareHost, _ id: String) {
            self.base = base
            self.id = id
        }

        var name: String { base.name }
        var devices: [any HardwareDevice] { base.devices.filter { $0.descriptor.uniqueID == id } }

        func observeDevices(_ handler: @escaping @Sendable (DeviceChange) -> Void) -> ObserverToken {
            base.observeDevices { [id] in if $0.device.descriptor.uniqueID == id { handler($0) } }
        }
    }

    private func recorder(_ name: String, _ id: String) throws -> (TraceRecorder, URL) {
        let out = ProcessInfo.processInfo.environment["OBSCURA_LAB_OUT"] ?? NSTemporaryDirectory()
        let folder = URL(fileURLWithPath: out, isDirectory: true).appendingPathComponent(name, isDirectory: true)
        return (try TraceRecorder(SelectedHost(host, id), to: folder, clock: clock), folder)
    }

    /// What a finished trace holds of its one stream.
    private func check(_ recorder: TraceRecorder, _ folder: URL) throws -> TraceSummary.Stream {
        try recorder.finish()
        let summary = TraceSummary(try Trace(folder: folder))
        XCTAssertEqual(summary.warnings, [])
        XCTAssertEqual(summary.withoutBytes, 0)
        XCTAssertEqual(summary.devices.count, 1)
        return try XCTUnwrap(summary.devices.first?.streams.first)
    }

    func testACameraIsTracedWithItsControlsUntilItIsUnplugged() throws {
        let id = try cameras()[0].descriptor.uniqueID
        let (recorder, folder) = try recorder("vivid", id)
        let camera = try XCTUnwrap(recorder.devices.first)
        let opened = try camera.open()
        let observation = opened.observeControls { _, _ in }
        let duration = CMTime(value: 1, timescale: 15)
        let format = try XCTUnwrap(
            camera.formats.first { format in
                guard case .video(let video) = format else { return false }
                return video.encoding == .pixels(kCVPixelFormatType_422YpCbCr8_yuvs) && video.dimensions.width == 320
                    && video.supports(frameDuration: duration)
            })
        let stream = try opened.makeStream(
            StreamConfiguration(format: format, frameDuration: duration, bufferCount: 4))
        let receiver = RecordingReceiver(keepsFrames: false)
        try stream.start(receiver.receive)
        XCTAssertGreaterThanOrEqual(receiver.wait(for: 6).count, 6)
        try opened.set(.brightness, to: .number(0.75))
        guard case .number(let brightness) = try opened.value(of: .brightness) else { return XCTFail("no number") }
        XCTAssertEqual(brightness, 0.75, accuracy: 0.01)
        assertCode(try opened.set(.brightness, to: .number(2)), .unsupportedControl)
        try stream.setFrameDuration(CMTime(value: 1, timescale: 30))
        XCTAssertGreaterThanOrEqual(receiver.wait(for: 12).count, 12)
        try opened.set(.brightness, to: .number(0.5))
        XCTAssertGreaterThanOrEqual(receiver.wait(for: 18).count, 18)
        let gone = expectation(description: "the disconnection is told")
        let changes = recorder.observeDevices { if case .disconnected = $0 { gone.fulfill() } }
        try Vivid.unplug()
        XCTAssertEqual(failure(in: receiver)?.code, .disconnected)
        wait(for: [gone], timeout: 20)
        stream.stop()
        opened.close()
        observation.cancel()
        changes.cancel()
        let kept = try check(recorder, folder)
        XCTAssertGreaterThanOrEqual(kept.frames, 18)
        XCTAssertEqual(kept.end?.hasPrefix("failed: "), true, "\(kept)")
        let back = expectation(description: "both cameras are back")
        back.expectedFulfillmentCount = 2
        let connections = host.observeDevices { if case .connected = $0 { back.fulfill() } }
        try Vivid.plug()
        wait(for: [back], timeout: 20)
        connections.cancel()
    }

    func testTheLoopIsTracedWithTheToneThatIsPlayedIn() throws {
        let (recorder, folder) = try recorder("loop", "alsa:hw:CARD=Loopback,DEV=1")
        let microphone = try XCTUnwrap(recorder.devices.first)
        let player = try TonePlayer()
        let opened = try microphone.open()
        let format = StreamFormat.audio(AudioStreamFormat(sampleRate: 48_000, channelCount: 2, sample: .int16))
        let stream = try opened.makeStream(
            StreamConfiguration(format: format, frameDuration: CMTime(value: 1, timescale: 50)))
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        XCTAssertGreaterThanOrEqual(receiver.wait(for: 40).count, 40)
        try opened.set(.mute, to: .flag(true))
        XCTAssertEqual(try opened.value(of: .mute), .flag(true))
        XCTAssertGreaterThanOrEqual(receiver.wait(for: 50).count, 50)
        try opened.set(.mute, to: .flag(false))
        XCTAssertGreaterThanOrEqual(receiver.wait(for: 60).count, 60)
        stream.stop()
        opened.close()
        player.stop()
        let kept = try check(recorder, folder)
        XCTAssertGreaterThanOrEqual(kept.chunks, 60)
        XCTAssertNil(kept.end)
    }
}
