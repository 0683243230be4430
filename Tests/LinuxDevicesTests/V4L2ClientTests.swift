import CLinuxDevices
import CaptureHAL
import Foundation
import MediaTypes
import TestSupport
import XCTest

@testable import LinuxDevices

/// Tests a stream with a client that is called on its own queue in real time, like the clients of a session.
final class V4L2ClientTests: XCTestCase {
    /// A client of a fake camera that captures a frame on each call of `expose`.
    private final class Client: Sendable {
        private static let path = "/dev/video0"
        let fake = FakeV4L2Device()
        let kernel: FakeKernel
        let clock = HostClock()
        let queue = DispatchQueue(label: "client")
        let camera: V4L2Camera
        let opened: any OpenDevice
        let stream: any DeviceStream
        private let lines = Lock<[String]>([])
        /// The actions to run in the client's callbacks, by frame number.
        let onCallback = Lock<[UInt64: @Sendable () -> Void]>([:])
        /// The actions to run in the receiver of the stream's events, by frame number.
        let onEvent = Lock<[UInt64: @Sendable () -> Void]>([:])

        init() throws {
            kernel = FakeKernel(clock: clock)
            kernel.plug(fake, at: Self.path)
            camera = try XCTUnwrap(V4L2Camera(path: Self.path, kernel: kernel, clock: clock))
            opened = try camera.open()
            guard case .video(let format)? = camera.formats.first else {
                throw MissingRequirement("the camera has no format")
            }
            stream = try opened.makeStream(
                StreamConfiguration(
                    format: .video(format), frameDuration: format.frameDurations[0].minimum, bufferCount: 8))
        }

        func start() throws { try stream.start { [self] in receive($0) } }

        private func receive(_ event: StreamEvent) {
            switch event {
            case .video(let frame):
                let number = frame.sequenceNumber
                log("frame \(number)")
                clock.deliver(on: queue) { [self] in
                    dispatchPrecondition(condition: .onQueue(queue))
                    log("begin \(number)")
                    onCallback.withLock { $0[number] }?()
                    log("end \(number)")
                }
                guard let hook = onEvent.withLock({ $0[number] }) else { return }
                hook()
                log("handled \(number)")
            case .failed(let error, _): log("failed \(error.code)")
            default: log("\(event)")
            }
        }

        private func log(_ line: String) {
            // The kernel's lock wakes the waiting test.
            kernel.locked { lines.withLock { $0.append(line) } }
        }

        var log: [String] { lines.withLock { $0 } }
        var callbacks: [String] { log.filter { !$0.hasPrefix("frame") } }

        func waitFor(_ line: String, count: Int = 1) -> Bool {
            kernel.waitUntil { lines.withLock { lines in lines.count { $0 == line } >= count } }
        }

        /// Captures a frame when the earlier ones have been dequeued; returns false if they still wait after a timeout.
        func expose() -> Bool {
            guard kernel.waitUntil({ fake.isStreaming && fake.filledIndices.isEmpty }) else { return false }
            fake.expose()
            return true
        }

        func unplug() { kernel.unplug(Self.path) }

        /// Closes the camera, and checks that its only open file descriptor is that of the controls.
        func close(file: StaticString = #filePath, line: UInt = #line) {
            opened.close()
            queue.sync {}
            // `opened` retains the controls.
            XCTAssertTrue(
                kernel.waitUntil { kernel.openCameraCount == 1 }, "another file descriptor is open", file: file,
                line: line)
        }
    }

    func testCallbacksRunOnTheClientsQueueInOrder() throws {
        let client = try Client()
        try client.start()
        for number in 0..<5 {
            XCTAssertTrue(client.expose())
            XCTAssertTrue(client.waitFor("end \(number)"))
        }
        XCTAssertEqual(client.callbacks, (0..<5).flatMap { ["begin \($0)", "end \($0)"] })
        client.stream.stop()
        client.close()
    }

    func testASlowClientDoesNotDelayTheStream() throws {
        let client = try Client()
        let resume = DispatchSemaphore(value: 0)
        client.onCallback.withLock { $0[0] = { resume.wait() } }
        try client.start()
        for number in 0..<4 {
            XCTAssertTrue(client.expose())
            XCTAssertTrue(client.waitFor("frame \(number)"))
        }
        XCTAssertFalse(client.log.contains("end 0"))
        resume.signal()
        XCTAssertTrue(client.waitFor("end 3"))
        XCTAssertEqual(client.callbacks, (0..<4).flatMap { ["begin \($0)", "end \($0)"] })
        client.stream.stop()
        client.close()
    }

    func testCallbacksWaitForEarlierWorkOnTheQueue() throws {
        let client = try Client()
        let resume = DispatchSemaphore(value: 0)
        client.queue.async { resume.wait() }
        try client.start()
        for number in 0..<2 {
            XCTAssertTrue(client.expose())
            XCTAssertTrue(client.waitFor("frame \(number)"))
        }
        XCTAssertEqual(client.callbacks, [])
        resume.signal()
        XCTAssertTrue(client.waitFor("end 1"))
        XCTAssertEqual(client.callbacks, ["begin 0", "end 0", "begin 1", "end 1"])
        client.stream.stop()
        client.close()
    }

    func testAStreamStopsAndRestartsWhileACallbackRuns() throws {
        let client = try Client()
        let resume = DispatchSemaphore(value: 0)
        client.onCallback.withLock { $0[0] = { resume.wait() } }
        try client.start()
        XCTAssertTrue(client.expose())
        XCTAssertTrue(client.waitFor("begin 0"))
        client.stream.stop()
        XCTAssertFalse(client.log.contains("end 0"), "stop does not wait for clients")
        try client.start()
        XCTAssertTrue(client.expose())
        XCTAssertTrue(client.waitFor("frame 0", count: 2))
        resume.signal()
        resume.signal()
        XCTAssertTrue(client.waitFor("end 0", count: 2))
        client.stream.stop()
        client.close()
    }

    func testACallbackMayWaitForAThreadThatStopsTheStream() throws {
        let client = try Client()
        let sessionQueue = DispatchQueue(label: "session")
        client.onCallback.withLock { hooks in hooks[0] = { sessionQueue.sync { client.stream.stop() } } }
        try client.start()
        XCTAssertTrue(client.expose())
        XCTAssertTrue(client.waitFor("end 0"))
        client.onCallback.withLock { $0 = [:] }
        client.close()
    }

    func testAStreamStopsAndRestartsInsideACallback() throws {
        let client = try Client()
        client.onCallback.withLock { hooks in
            hooks[0] = {
                client.onCallback.withLock { $0 = [:] }
                client.stream.stop()
                do { try client.start() } catch { XCTFail("\(error)") }
            }
        }
        try client.start()
        XCTAssertTrue(client.expose())
        XCTAssertTrue(client.waitFor("end 0"))
        XCTAssertTrue(client.expose())
        XCTAssertTrue(client.waitFor("end 0", count: 2))
        client.stream.stop()
        client.close()
    }

    func testAStreamStopsAndRestartsInsideItsEventReceiver() throws {
        let client = try Client()
        client.onEvent.withLock { hooks in
            hooks[0] = {
                client.onEvent.withLock { $0 = [:] }
                client.stream.stop()
                do { try client.start() } catch { XCTFail("\(error)") }
            }
        }
        try client.start()
        XCTAssertTrue(client.expose())
        XCTAssertTrue(client.waitFor("handled 0"))
        XCTAssertTrue(client.expose())
        XCTAssertTrue(client.waitFor("end 0", count: 2))
        client.stream.stop()
        client.close()
    }

    func testACameraThatIsClosedInsideAnEventReceiverCanBeOpenedAgain() throws {
        for _ in 0..<20 {
            let client = try Client()
            client.onEvent.withLock { hooks in hooks[0] = { client.opened.close() } }
            try client.start()
            XCTAssertTrue(client.expose())
            XCTAssertTrue(client.waitFor("handled 0"))
            XCTAssertNoThrow(try client.camera.open().close())
            client.onEvent.withLock { $0 = [:] }
        }
    }

    func testAnUnpluggedCameraReportsOneFailure() throws {
        let client = try Client()
        try client.start()
        XCTAssertTrue(client.expose())
        XCTAssertTrue(client.waitFor("end 0"))
        client.unplug()
        XCTAssertTrue(client.waitFor("failed disconnected"))
        client.stream.stop()
        XCTAssertEqual(client.log.filter { $0.hasPrefix("failed") }.count, 1)
        client.close()
    }

    func testAfterAnySystemCallFailsTheStreamDeliversFramesOrFails() throws {
        var isClean = false
        for ordinal in 1..<80 where !isClean {
            let client = try Client()
            client.kernel.fail(ordinal: ordinal, with: EIO)
            var isStarted = true
            do { try client.start() } catch { isStarted = false }
            /// Whether the log contains a line or a failure. The line "none" is never logged.
            func isOver(_ line: String) -> Bool {
                client.log.contains(line) || client.log.contains { $0.hasPrefix("failed") }
            }
            for number in 0..<2 where isStarted && !isOver("none") {
                let isWaiting = client.kernel.waitUntil { client.fake.filledIndices.isEmpty || isOver("none") }
                XCTAssertTrue(isWaiting, "call \(ordinal)")
                client.fake.expose()
                XCTAssertTrue(client.kernel.waitUntil { isOver("end \(number)") }, "call \(ordinal)")
            }
            isClean = client.log.contains("end 1")
            client.kernel.endFailures()
            client.stream.stop()
            client.close()
        }
        XCTAssertTrue(isClean, "each run fails, however late the failing call is")
    }
}
