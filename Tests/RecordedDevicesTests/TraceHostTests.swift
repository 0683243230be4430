import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import XCTest

@testable import RecordedDevices

final class TraceHostTests: XCTestCase {
    /// Runs a client on a host, on a recorder of the host and twice on the recorded trace, and compares the logs.
    private func assertReplays(
        _ makeHost: (SimClock) throws -> any HardwareHost, _ runClient: (TraceClient) throws -> Void,
        expecting texts: [String], file: StaticString = #filePath, line: UInt = #line
    ) throws {
        let plainClock = SimClock()
        let plainClient = TraceClient(try makeHost(plainClock), plainClock)
        try runClient(plainClient)
        for text in texts {
            XCTAssertTrue(
                plainClient.loggedLines.contains { $0.contains(text) }, "no \(text) in the log", file: file, line: line)
        }

        let folder = try traceFolder()
        let clock = SimClock()
        let recorder = try TraceRecorder(try makeHost(clock), to: folder, clock: clock)
        let recorded = TraceClient(recorder, clock)
        try runClient(recorded)
        try recorder.finish()
        assertSame(plainClient.loggedLines, recorded.loggedLines, "recording changes nothing", file: file, line: line)

        for run in 1...2 {
            let clock = SimClock()
            let trace = try Trace(folder: folder)
            XCTAssertEqual(trace.warnings, [], file: file, line: line)
            let played = TraceClient(TraceHost(trace, clock: clock), clock)
            try runClient(played)
            assertSame(recorded.loggedLines, played.loggedLines, "replay \(run)", file: file, line: line)
        }

        // A trace recorded from a replay has the same lines and bytes.
        let second = folder.deletingLastPathComponent().appendingPathComponent("second", isDirectory: true)
        let secondClock = SimClock()
        let secondRecorder = try TraceRecorder(
            TraceHost(path: folder.path, clock: secondClock), to: second, clock: secondClock)
        let client = TraceClient(secondRecorder, secondClock)
        try runClient(client)
        try secondRecorder.finish()
        assertSame(recorded.loggedLines, client.loggedLines, "recording the replay", file: file, line: line)
        for name in [TraceFolder.index, TraceFolder.media] {
            let (one, two) = (
                try Data(contentsOf: folder.appendingPathComponent(name)),
                try Data(contentsOf: second.appendingPathComponent(name))
            )
            if name == TraceFolder.index {
                // The host's name differs.
                let lines = [one, two].map { String(decoding: $0, as: UTF8.self).split(separator: "\n").dropFirst(2) }
                assertSame(lines[0].map(String.init), lines[1].map(String.init), "index", file: file, line: line)
            } else {
                XCTAssertTrue(one == two, "\(name) differs", file: file, line: line)
            }
        }
    }

    private func sim(_ clock: SimClock) throws -> SimHost {
        try SimHost(scene: .chart, seed: 7, clock: clock)
    }

    func testReplayingASimulatedHostReproducesLogAndBytes() throws {
        try assertReplays(
            { try sim($0) },
            { client in
                let camera = try XCTUnwrap(client.open(SimHost.camera))
                let microphone = try XCTUnwrap(client.open(SimHost.microphone))
                client.attempt("iso") { try camera.value(of: .iso) }
                client.attempt("torch") { try camera.set(.torchLevel, to: .number(0.5)) }
                client.attempt("bad torch") { try camera.set(.torchLevel, to: .number(7)) }
                client.attempt("kelvin") { try camera.value(of: .inputGain) }
                let video = try XCTUnwrap(client.stream(camera, SimHost.camera))
                let audio = try XCTUnwrap(client.stream(microphone, SimHost.microphone))
                client.start(audio, "audio")
                client.clock.advance(by: .milliseconds(11))
                client.start(video, "video")
                client.start(video, "video again")
                client.clock.advance(by: .milliseconds(200))
                client.attempt("mode") { try camera.set(.exposureMode, to: .integer(ControlMode.locked.rawValue)) }
                client.attempt("rate") { try video.setFrameDuration(CMTime(value: 1, timescale: 20)) }
                client.clock.advance(by: .milliseconds(200))
                video.stop()
                client.clock.advance(by: .milliseconds(100))
                client.start(video, "video once more")
                client.clock.advance(by: .milliseconds(100))
                client.attempt("iso") { try camera.value(of: .iso) }
                camera.close()
                microphone.close()
                client.clock.advance(by: .milliseconds(100))
            },
            expecting: [
                "video frame 5", "audio sound", "video once more frame 1", "bad torch: phone", "already running",
            ])
    }

    private func still(
        _ id: UInt64, width: Int32 = 640, height: Int32 = 480, exposures: [StillRequest.Exposure] = [.metered],
        merging count: Int = 1, at time: CMTime
    ) -> StillRequest {
        StillRequest(
            id: id, dimensions: CMVideoDimensions(width: width, height: height), exposures: exposures,
            mergedFrameCount: count, timing: .next(notBefore: time))
    }

    /// A phone whose stills beside 640x480 are small.
    private func phone(_ clock: SimClock) throws -> SimHost {
        var profile = try DeviceProfile.builtIn("phone")
        for index in profile.devices.indices {
            guard case .camera(var camera) = profile.devices[index] else { continue }
            for format in camera.formats.indices where camera.formats[format].dimensions.width == 640 {
                camera.formats[format].photoDimensions = [
                    CMVideoDimensions(width: 640, height: 480), CMVideoDimensions(width: 800, height: 600),
                ]
            }
            profile.devices[index] = .camera(camera)
        }
        return try SimHost(profiles: [profile], scene: .chart, seed: 7, clock: clock)
    }

    func testStillsAreRecordedAndReplayed() throws {
        let id = "phone.back-wide"
        try assertReplays(
            { try phone($0) },
            { client in
                let camera = try XCTUnwrap(client.open(id))
                let video = try XCTUnwrap(client.stream(camera, id))
                client.start(video, "video")
                client.clock.advance(by: .milliseconds(200))
                client.attempt("large") {
                    try camera.captureStill(still(1, width: 800, height: 600, at: client.clock.now))
                }
                client.attempt("merged") { try camera.captureStill(still(2, merging: 3, at: client.clock.now)) }
                client.clock.advance(by: .milliseconds(100))
                client.attempt("bracket") {
                    try camera.captureStill(
                        still(7, exposures: [.biased(-1), .metered, .biased(1)], at: client.clock.now))
                }
                client.clock.advance(by: .milliseconds(200))
                video.stop()
            },
            expecting: [
                "still 1.0 at", "800x600", "still 2.0 at", "of 3 frames", "still 7.0", "still 7.1", "still 7.2",
                "recentFrameCount: 8",
            ])
    }

    func testAClientThatRequestsOtherStillsReceivesFramesOrAnError() throws {
        let (id, folder, clock) = ("phone.back-wide", try traceFolder(), SimClock())
        let recorder = try TraceRecorder(try phone(clock), to: folder, clock: clock)
        let recording = TraceClient(recorder, clock)
        let recorded = try XCTUnwrap(recording.open(id))
        let stream = try XCTUnwrap(recording.stream(recorded, id))
        recording.start(stream, "video")
        clock.advance(by: .milliseconds(100))
        try recorded.captureStill(still(3, width: 800, height: 600, at: clock.now))
        clock.advance(by: .milliseconds(400))
        stream.stop()
        try recorder.finish()

        let second = SimClock()
        let client = TraceClient(TraceHost(try Trace(folder: folder), clock: second), second)
        let camera = try XCTUnwrap(client.open(id))
        XCTAssertThrowsError(try camera.captureStill(still(1, at: second.now)), "there is no stream")
        let video = try XCTUnwrap(client.stream(camera, id))
        client.start(video, "video")
        client.clock.advance(by: .milliseconds(300))
        // The recorded still arrives later than in the recording.
        try camera.captureStill(still(11, width: 800, height: 600, at: second.now))
        try camera.captureStill(still(12, at: second.now))
        XCTAssertThrowsError(
            try camera.captureStill(still(13, exposures: [.biased(-1), .biased(1)], at: second.now))
        ) { XCTAssertTrue("\($0)".contains("stills of 800x600"), "\($0)") }
        client.clock.advance(by: .milliseconds(100))
        video.stop()
        let stills = client.loggedLines.filter { $0.contains(" still ") }
        XCTAssertEqual(stills.count, 1, "both arrive with the next frame")
        XCTAssertTrue(stills[0].contains("still 11.0") && stills[0].contains("800x600"), stills[0])
        XCTAssertTrue(stills[0].contains("still 12.0") && stills[0].contains("640x480"), stills[0])
    }

    func testDepthDataIsRecordedAndReplayed() throws {
        let lidar = "phone.back-lidar"
        try assertReplays(
            { clock in
                let host = try SimHost(profile: "phone", scene: .portrait, clock: clock)
                try host.schedule(.dropFrames(count: 1), uniqueID: lidar, at: .frame(2))
                return host
            },
            { client in
                let camera = try XCTUnwrap(client.open(lidar))
                let video = try XCTUnwrap(
                    client.stream(camera, lidar, bufferCount: 4, depthDuration: CMTime(value: 1, timescale: 15)))
                client.start(video, "video")
                client.clock.advance(by: .milliseconds(400))
                video.stop()
            },
            expecting: [
                "] depth ", "carriesDepth: true", "detectsFaces: true", "encodesHEVCPhotos: true", "DetectedFace(id: 3",
            ])
    }

    func testFaultsAreRecordedAndReplayed() throws {
        try assertReplays(
            { clock in
                let host = try sim(clock)
                try host.schedule(.refuseOpen(count: 1), uniqueID: SimHost.camera, at: .time(.zero))
                try host.schedule(.dropFrames(count: 2), uniqueID: SimHost.camera, at: .frame(2))
                try host.schedule(.fail(.inputOutput), uniqueID: SimHost.camera, at: .frame(8))
                try host.schedule(
                    .stall(duration: CMTime(value: 1, timescale: 20)), uniqueID: SimHost.microphone, at: .frame(3))
                clock.schedule(at: CMTime(value: 4, timescale: 10)) {
                    do { try host.disconnect(uniqueID: SimHost.microphone) } catch { XCTFail("\(error)") }
                }
                clock.schedule(at: CMTime(value: 6, timescale: 10)) {
                    do { try host.reconnect(uniqueID: SimHost.microphone) } catch { XCTFail("\(error)") }
                }
                return host
            },
            { client in
                let busyCamera = client.open(SimHost.camera)
                XCTAssertNil(busyCamera)
                let camera = try XCTUnwrap(client.open(SimHost.camera))
                _ = client.open(SimHost.camera)
                let microphone = try XCTUnwrap(client.open(SimHost.microphone))
                let video = try XCTUnwrap(client.stream(camera, SimHost.camera))
                let audio = try XCTUnwrap(client.stream(microphone, SimHost.microphone))
                client.start(video, "video")
                client.start(audio, "audio")
                client.clock.advance(by: .milliseconds(500))
                client.log("\(client.host.devices.map(\.descriptor.uniqueID))")
                _ = client.open(SimHost.microphone)
                client.clock.advance(by: .milliseconds(500))
                client.log("\(client.host.devices.map(\.descriptor.uniqueID))")
                let reconnected = try XCTUnwrap(client.open(SimHost.microphone))
                let stream = try XCTUnwrap(client.stream(reconnected, SimHost.microphone))
                client.start(stream, "back")
                client.clock.advance(by: .milliseconds(100))
                for device in [camera, microphone, reconnected] { device.close() }
            },
            expecting: [
                "busy", "video dropped", "video failed", "audio failed", "disconnected phone.microphone",
                "connected phone.microphone", "back sound", "no phone.microphone",
            ])
    }

    func testReplayingAMediaFileReproducesLogAndBytes() throws {
        for name in ["street-3s.avi", "handheld-3s.mp4"] {
            try assertReplays(
                { try MediaFileHost(path: TestMedia.path(name), clock: $0) },
                { client in
                    var opened: [any OpenDevice] = []
                    var streams: [any DeviceStream] = []
                    for device in client.host.devices {
                        let id = device.descriptor.uniqueID
                        guard case .video(let video)? = device.formats.first else {
                            let open = try XCTUnwrap(client.open(id))
                            opened.append(open)
                            streams.append(try XCTUnwrap(client.stream(open, id)))
                            continue
                        }
                        let open = try XCTUnwrap(client.open(id))
                        opened.append(open)
                        streams.append(
                            try XCTUnwrap(
                                client.stream(
                                    open, id, width: video.dimensions.width, height: video.dimensions.height,
                                    duration: video.frameDurations[0].minimum)))
                    }
                    for (number, stream) in streams.enumerated() { client.start(stream, "stream \(number)") }
                    client.clock.advance(by: .seconds(4))
                    for device in opened { device.close() }
                }, expecting: ["stream 0 frame 10", "stream 0 ended"])
        }
    }

    // MARK: Other clients

    /// Records a trace of a camera stream of half a second that starts after 0.25 s. Returns the client's log.
    private func record(_ folder: URL, byteLimit: Int64 = TraceRecorder.standardByteLimit) throws -> [String] {
        let clock = SimClock(start: CMTime(value: 3, timescale: 1))
        let recorder = try TraceRecorder(try sim(clock), to: folder, clock: clock, byteLimit: byteLimit)
        let client = TraceClient(recorder, clock)
        let camera = try XCTUnwrap(client.open(SimHost.camera))
        client.attempt("torch") { try camera.set(.torchLevel, to: .number(0.5)) }
        let stream = try XCTUnwrap(client.stream(camera, SimHost.camera))
        clock.advance(by: .milliseconds(250))
        client.start(stream, "video")
        clock.advance(by: .milliseconds(500))
        stream.stop()
        camera.close()
        try recorder.finish()
        return client.loggedLines
    }

    func testTimesAreRelativeToTheStartOfTheStream() throws {
        let folder = try traceFolder()
        _ = try record(folder)
        let clock = SimClock(start: CMTime(value: 100, timescale: 1))
        let client = TraceClient(try TraceHost(path: folder.path, clock: clock), clock)
        let camera = try XCTUnwrap(client.open(SimHost.camera))
        let stream = try XCTUnwrap(client.stream(camera, SimHost.camera))
        clock.advance(by: .seconds(1))
        let times = Lock<[(frame: CMTime, arrival: CMTime)]>([])
        try stream.start { event in
            if case .video(let frame) = event { times.withLock { $0.append((frame.presentationTime, clock.now)) } }
        }
        clock.advance(by: .milliseconds(499))
        let received = times.withLock { $0 }
        XCTAssertGreaterThan(received.count, 12)
        XCTAssertEqual(received.first?.arrival.seconds ?? 0, 101.1, accuracy: 0.1)
        for (one, two) in zip(received, received.dropFirst()) {
            XCTAssertEqual((two.frame - one.frame).seconds, 1 / 30.0, accuracy: 1e-6)
        }
        camera.close()
    }

    func testAStreamThatIsNotStoppedEndsAfterTheRecordedStop() throws {
        let folder = try traceFolder()
        _ = try record(folder)
        let clock = SimClock()
        let client = TraceClient(try TraceHost(path: folder.path, clock: clock), clock)
        let camera = try XCTUnwrap(client.open(SimHost.camera))
        let stream = try XCTUnwrap(client.stream(camera, SimHost.camera))
        client.start(stream, "video")
        clock.advance(by: .seconds(2))
        XCTAssertEqual(client.loggedLines.last, "533333333 video ended at 500000000/1000000000")
        client.start(stream, "again")
        clock.advance(by: .seconds(2))
        let frames = ["video frame", "again frame"].map { text in
            client.loggedLines.filter { $0.contains(text) }.map { $0.suffix(40) }
        }
        XCTAssertEqual(frames[0], frames[1])
        XCTAssertFalse(frames[0].isEmpty)
        camera.close()
        XCTAssertNotNil(client.open(SimHost.camera), "successful openings are repeated")
    }

    func testAStreamOfADeviceThatIsClosedMeanwhileIsNotCreated() throws {
        let folder = try traceFolder()
        _ = try record(folder)
        let clock = InterceptingClock()
        let host = try TraceHost(path: folder.path, clock: clock)
        let device = try XCTUnwrap(host.devices.first { $0.descriptor.uniqueID == SimHost.camera })
        let opened = try device.open()
        let duration = CMTime(value: 1, timescale: 30)
        let format = try XCTUnwrap(
            device.formats.first { format in
                guard case .video(let video) = format else { return false }
                return video.size == PixelSize(width: 640, height: 480) && video.supports(frameDuration: duration)
            })
        // A stream creates its worker after the device has checked that it is open.
        clock.onMakeWorker.withLock { $0 = { opened.close() } }
        let configuration = StreamConfiguration(format: format, frameDuration: duration, bufferCount: 16)
        XCTAssertThrowsError(try opened.makeStream(configuration)) { error in
            XCTAssertEqual((error as? DeviceError)?.code, .invalidState, "\(error)")
        }
    }

    func testACallThatTheTraceDoesNotContainIsAnErrorWithItsName() throws {
        let folder = try traceFolder()
        _ = try record(folder)
        let clock = SimClock()
        let host = try TraceHost(path: folder.path, clock: clock)
        let client = TraceClient(host, clock)
        XCTAssertEqual(host.name, "trace:trace")
        XCTAssertNil(client.open(SimHost.microphone))
        XCTAssertTrue(
            client.loggedLines.last?.contains("open() is not in the trace") == true,
            client.loggedLines.last ?? "nothing")
        let camera = try XCTUnwrap(client.open(SimHost.camera))
        XCTAssertThrowsError(try camera.set(.torchLevel, to: .number(0.25))) { error in
            XCTAssertEqual((error as? DeviceError)?.code, .unsupportedControl)
            XCTAssertTrue(
                "\(error)".contains("set(torchLevel, to: number(0.25)) is not in the trace")
                    && "\(error)".contains("settings to number(0.5)"), "\(error)")
        }
        XCTAssertNoThrow(try camera.set(.torchLevel, to: .number(0.5)))
        XCTAssertEqual(try camera.value(of: .torchLevel), .number(0.5))
        XCTAssertNotNil(try camera.value(of: .iso), "read when the device was opened")
        XCTAssertThrowsError(try camera.value(of: .inputGain)) { error in
            XCTAssertTrue("\(error)".contains("the controls "), "\(error)")
        }
        XCTAssertNil(client.stream(camera, SimHost.camera, width: 1280, height: 720))
        XCTAssertTrue(
            client.loggedLines.last?.contains("makeStream of 1280x720") == true
                && client.loggedLines.last?.contains("streams of 640x480") == true, client.loggedLines.last ?? "nothing"
        )
        let stream = try XCTUnwrap(client.stream(camera, SimHost.camera))
        XCTAssertThrowsError(try stream.setFrameDuration(CMTime(value: 1, timescale: 10))) { error in
            XCTAssertEqual((error as? DeviceError)?.code, .unsupportedFormat)
        }
        client.start(stream, "video")
        XCTAssertNil(client.stream(camera, SimHost.camera), "one stream at a time")
        stream.stop()
        XCTAssertNotNil(client.stream(camera, SimHost.camera))
        XCTAssertThrowsError(try stream.start { _ in }) { error in
            XCTAssertEqual((error as? DeviceError)?.code, .invalidState)
        }
        camera.close()
        XCTAssertThrowsError(try camera.value(of: .iso))
    }

    func testFramesBeyondTheByteLimitAreRecordedWithoutBytes() throws {
        let folder = try traceFolder()
        _ = try record(folder, byteLimit: 700_000)
        let size = try Data(contentsOf: folder.appendingPathComponent(TraceFolder.media)).count
        XCTAssertLessThanOrEqual(size, 700_000)
        let trace = try Trace(folder: folder)
        XCTAssertTrue(trace.lines.contains { $0.hasSuffix("limit - bytes=700000") })
        XCTAssertGreaterThan(TraceSummary(trace).withoutBytes, 0)
        let clock = SimClock()
        let client = TraceClient(TraceHost(trace, clock: clock), clock)
        let camera = try XCTUnwrap(client.open(SimHost.camera))
        let stream = try XCTUnwrap(client.stream(camera, SimHost.camera))
        client.start(stream, "video")
        clock.advance(by: .milliseconds(500))
        XCTAssertTrue(client.loggedLines.contains { $0.contains("video frame 0") })
        XCTAssertTrue(client.loggedLines.last?.contains("byte limit") == true, client.loggedLines.last ?? "nothing")
        camera.close()
    }

    func testRetainedBuffersExhaustThePoolLikeThatOfADevice() throws {
        let folder = try traceFolder()
        _ = try record(folder)
        let clock = SimClock()
        let client = TraceClient(try TraceHost(path: folder.path, clock: clock), clock)
        let camera = try XCTUnwrap(client.open(SimHost.camera))
        let stream = try XCTUnwrap(client.stream(camera, SimHost.camera, bufferCount: 3))
        let retained = Lock<[CVPixelBuffer]>([])
        let drops = Lock<[DroppedFrame]>([])
        try stream.start { event in
            switch event {
            case .video(let frame):
                if case .pixels(let pixels) = frame.payload { retained.withLock { $0.append(pixels) } }
            case .dropped(let drop): drops.withLock { $0.append(drop) }
            case .audio, .failed, .ended: break
            }
        }
        clock.advance(by: .milliseconds(500))
        XCTAssertEqual(retained.withLock { $0.count }, 3)
        XCTAssertGreaterThan(drops.withLock { $0.count }, 5)
        XCTAssertEqual(Set(drops.withLock { $0.map(\.reason) }), [.outOfBuffers])
        camera.close()
    }
}

/// A simulated clock that calls a function before it creates a worker.
private final class InterceptingClock: CaptureClock {
    private let base = SimClock()
    let onMakeWorker = Lock<(@Sendable () -> Void)?>(nil)

    var now: CMTime { base.now }
    var isVirtual: Bool { base.isVirtual }

    func date(at time: CMTime) -> Date { base.date(at: time) }

    func schedule(at deadline: CMTime, _ action: @escaping @Sendable () -> Void) -> ClockTimer {
        base.schedule(at: deadline, action)
    }

    func deliver(
        on queue: DispatchQueue, _ callback: @escaping @Sendable () -> Void, finished: @escaping @Sendable () -> Void
    ) {
        base.deliver(on: queue, callback, finished: finished)
    }

    func spend(_ cost: Duration) { base.spend(cost) }

    func makeWorker(label: String) -> any ClockWorker {
        onMakeWorker.withLock { $0 }?()
        return base.makeWorker(label: label)
    }
}
