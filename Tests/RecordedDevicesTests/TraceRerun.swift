import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import RecordedDevices

/// Does with a host what the client of a trace did, call by call at the recorded times.
final class TraceRerun {
    private let trace: Trace
    private let host: any HardwareHost
    private let clock: SimClock
    private var opened: [Int: any OpenDevice] = [:]
    private var streams: [Int: any DeviceStream] = [:]
    private var observations: [Observation] = []

    init(_ trace: Trace, on host: any HardwareHost, clock: SimClock) {
        self.trace = trace
        self.host = host
        self.clock = clock
        observations.append(host.observeDevices { _ in })
    }

    /// Plays the whole trace; what comes by itself comes in between.
    func run() throws {
        for (index, event) in trace.events.enumerated() {
            if clock.now.nanoseconds < event.time { clock.advance(to: CMTime(nanoseconds: event.time)) }
            try perform(event.content, index)
        }
    }

    private func perform(_ content: TraceEvent.Content, _ index: Int) throws {
        switch content {
        case .open(let number, let answer):
            let device = try XCTUnwrap(host.devices.first { $0.descriptor == trace.devices[number].descriptor } ?? gone)
            if case .success(let opening) = answer {
                opened[opening] = try device.open()
                gone = device
            } else {
                XCTAssertThrowsError(try device.open())
            }
        case .inUse(let number, let answer):
            let device = host.devices.first { $0.descriptor == trace.devices[number].descriptor }
            XCTAssertEqual(device?.isInUseByAnotherApplication, answer)
        case .value(let opening, let control, _):
            // The answer, good or bad, is compared in the log.
            _ = try? opened[opening]?.value(of: control)
        case .set(let opening, let control, let value, _):
            try? opened[opening]?.set(control, to: value)
        case .stream(let opening, let asked, let answer):
            let device = trace.devices[trace.openings[opening].device]
            let made = try? opened[opening]?.makeStream(
                StreamConfiguration(
                    format: device.formats[asked.format], frameDuration: asked.frameDuration,
                    bufferCount: asked.bufferCount))
            if case .success(let stream) = answer { streams[stream] = try XCTUnwrap(made) }
        case .start(let stream): try? streams[stream]?.start { _ in }
        case .again(let stream, _): try? streams[stream]?.start { _ in }
        case .rate(let stream, let duration, _): try? streams[stream]?.setFrameDuration(duration)
        case .stop(let stream): streams[stream]?.stop()
        case .close(let opening): opened[opening]?.close()
        case .host, .device, .format, .connected, .disconnected, .control, .changed, .refused, .look, .frame, .sound,
            .dropped, .failed, .ended, .limit, .end:
            break
        }
    }

    /// The device that was opened last, which a host no longer lists once it was unplugged.
    private var gone: (any HardwareDevice)?
}
