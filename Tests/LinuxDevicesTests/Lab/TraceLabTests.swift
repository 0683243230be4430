import CaptureHAL
import Foundation
import MediaTypes
import RecordedDevices
import XCTest

@testable import LinuxDevices

/// Records traces of a vivid camera and of the loopback card.
///
/// `CI/hardware-lab` copies the traces to `.build/hardware-lab/out`. `Fixtures/Traces` contains one of each.
final class TraceLabTests: LabTestCase {
    /// A host with only one of another host's devices, to keep a trace small.
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

    /// Returns a recorder of one device, and the folder of its trace.
    private func recorder(_ name: String, _ id: String) throws -> (TraceRecorder, URL) {
        let parent = ProcessInfo.processInfo.environment["OBSCURA_LAB_OUT"] ?? NSTemporaryDirectory()
        let folder = URL(fileURLWithPath: parent, isDirectory: true).appendingPathComponent(name, isDirectory: true)
        return (try TraceRecorder(SelectedHost(host, id), to: folder, clock: clock), folder)
    }

    /// Finishes a trace, checks it, and returns the summary of its only stream.
    private func finish(_ recorder: TraceRecorder, _ folder: URL) throws -> TraceSummary.Stream {
        try recorder.finish()
        let summary = TraceSummary(try Trace(folder: folder))
        XCTAssertEqual(summary.warnings, [])
        XCTAssertEqual(summary.withoutBytes, 0)
        XCTAssertEqual(summary.devices.count, 1)
        return try XCTUnwrap(summary.devices.first?.streams.first)
    }

    func testTraceContainsACameraAndItsControlsUntilUnplugging() throws {
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
        let disconnected = expectation(description: "the disconnection is reported")
        let changes = recorder.observeDevices { if case .disconnected = $0 { disconnected.fulfill() } }
        try Vivid.unplug()
        XCTAssertEqual(receiver.waitForFailure()?.code, .disconnected)
        wait(for: [disconnected], timeout: labTimeout)
        stream.stop()
        opened.close()
        observation.cancel()
        changes.cancel()
        let summary = try finish(recorder, folder)
        // A drop is one of the events that the receiver counts.
        XCTAssertGreaterThanOrEqual(summary.frames + summary.dropped, 18)
        XCTAssertGreaterThanOrEqual(summary.frames, 9)
        XCTAssertEqual(summary.end?.hasPrefix("failed: "), true, "\(summary)")
        let connected = expectation(description: "both cameras are connected")
        connected.expectedFulfillmentCount = 2
        let connections = host.observeDevices { if case .connected = $0 { connected.fulfill() } }
        try Vivid.plug()
        wait(for: [connected], timeout: labTimeout)
        connections.cancel()
    }

    func testTraceContainsTheAudioOfTheLoopbackCard() throws {
        let (recorder, folder) = try recorder("loop", "alsa:hw:CARD=Loopback,DEV=1")
        let microphone = try XCTUnwrap(recorder.devices.first)
        let player = try TonePlayer()
        _ = player.start()
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
        let summary = try finish(recorder, folder)
        XCTAssertGreaterThanOrEqual(summary.chunks, 60)
        XCTAssertNil(summary.end)
    }
}
