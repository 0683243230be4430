import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import RecordedDevices

/// Repeats the calls of a trace's client on a host at the recorded times.
final class TraceRerun {
    private let trace: Trace
    private let host: any HardwareHost
    private let clock: SimClock
    private var opened: [Int: any OpenDevice] = [:]
    private var streams: [Int: any DeviceStream] = [:]
    private var observations: [ObserverToken] = []

    init(_ trace: Trace, on host: any HardwareHost, clock: SimClock) {
        self.trace = trace
        self.host = host
        self.clock = clock
        observations.append(host.observeDevices { _ in })
    }

    /// Performs all calls of the trace and advances the clock between them.
    func run() throws {
        for (index, event) in trace.events.enumerated() {
            if clock.now.nanoseconds < event.time { clock.advance(to: CMTime(nanoseconds: event.time)) }
            try perform(event.content, index)
        }
    }

    private func perform(_ content: TraceEvent.Content, _ index: Int) throws {
        switch content {
        case .open(let number, let result):
            let device = try XCTUnwrap(
                host.devices.first { $0.descriptor == trace.devices[number].descriptor } ?? lastOpened)
            if case .success(let opening) = result {
                opened[opening] = try device.open()
                lastOpened = device
            } else {
                XCTAssertThrowsError(try device.open())
            }
        case .inUse(let number, let isInUse):
            let device = host.devices.first { $0.descriptor == trace.devices[number].descriptor }
            XCTAssertEqual(device?.isInUseByAnotherApplication, isInUse)
        case .value(let opening, let control, _):
            // The result is compared in the log.
            _ = try? opened[opening]?.value(of: control)
        case .set(let opening, let control, let value, _):
            try? opened[opening]?.set(control, to: value)
        case .stream(let opening, let configuration, let result):
            let device = trace.devices[trace.openings[opening].device]
            let created = try? opened[opening]?.makeStream(
                StreamConfiguration(
                    format: device.formats[configuration.format], frameDuration: configuration.frameDuration,
                    bufferCount: configuration.bufferCount))
            if case .success(let stream) = result { streams[stream] = try XCTUnwrap(created) }
        case .start(let stream): try? streams[stream]?.start { _ in }
        case .startWhileRunningFailed(let stream, _): try? streams[stream]?.start { _ in }
        case .setFrameDuration(let stream, let duration, _): try? streams[stream]?.setFrameDuration(duration)
        case .stop(let stream): streams[stream]?.stop()
        case .close(let opening): opened[opening]?.close()
        case .host, .device, .format, .connected, .disconnected, .control, .changed, .startFailed, .attachments, .frame,
            .audio,
            .dropped, .failed, .ended, .limit, .end:
            break
        }
    }

    /// The device that was opened last. The host does not list it after its disconnection.
    private var lastOpened: (any HardwareDevice)?
}
