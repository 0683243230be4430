import CLinuxDevices
import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import LinuxDevices

/// What a courier does for a client whose callbacks go through the clock, as a session's do.
final class V4L2CourierTests: XCTestCase {
    /// A client on a camera without a signal, on real time; the fake camera exposes when told.
    private final class Client: Sendable {
        private static let path = "/dev/video0"
        private static let frameNanoseconds: Int64 = 200_000_000
        let fake: FakeCamera
        let kernel: FakeKernel
        let clock = HostClock()
        let queue = DispatchQueue(label: "client")
        let camera: V4L2Camera
        let opened: any OpenDevice
        let stream: any DeviceStream
        private let lines = Lock<[String]>([])
        private let threads = Lock<Set<String>>([])
        /// Runs inside the callback of the frame of a number.
        let onCallback = Lock<[UInt64: @Sendable () -> Void]>([:])
        /// Runs while the frame of a number is told.
        let onEvent = Lock<[UInt64: @Sendable () -> Void]>([:])

        init(_ change: (FakeCamera) -> Void = { _ in }) throws {
            kernel = FakeKernel(clock: clock)
            fake = FakeCamera()
            // Long, that a machine under load does not take a quick client for a slow one.
            fake.modes[0].intervals = [
                v4l2_fract(numerator: 1, denominator: UInt32(1_000_000_000 / Self.frameNanoseconds))
            ]
            change(fake)
            fake.inputs = [FakeCamera.Input()]
            fake.inputs[0].type = UInt32(V4L2_INPUT_TYPE_CAMERA)
            fake.inputs[0].capabilities = 0
            kernel.plug(fake, at: Self.path)
            camera = try XCTUnwrap(V4L2Camera(path: Self.path, kernel: kernel, clock: clock))
            opened = try camera.open()
            guard case .video(let format)? = camera.formats.first else { throw XCTSkip("the camera has no format") }
            stream = try opened.makeStream(
                StreamConfiguration(
                    format: .video(format), frameDuration: format.frameDurations[0].minimum, bufferCount: 8))
        }

        func start() throws { try stream.start { [self] in receive($0) } }

        private func receive(_ event: StreamEvent) {
            switch event {
            case .video(let frame):
                let number = frame.sequenceNumber
                note("told \(number)")
                clock.deliver(on: queue) { [self] in
                    threads.withLock { _ = $0.insert(Self.threadName) }
                    note("begun \(number)")
                    onCallback.withLock { $0[number] }?()
                    note("done \(number)")
                }
                onEvent.withLock { $0[number] }?()
            case .failed(let error, _): note("failed \(error.code)")
            default: note("\(event)")
            }
        }

        private func note(_ line: String) {
            // Under the kernel's lock, which wakes who waits for it.
            kernel.locked { lines.withLock { $0.append(line) } }
        }

        var log: [String] { lines.withLock { $0 } }
        var threadNames: Set<String> { threads.withLock { $0 } }

        func waitFor(_ line: String) -> Bool { kernel.waitUntil { lines.withLock { $0.contains(line) } } }

        /// Exposes a frame once `count` threads wait for it.
        func expose(waiting count: Int) -> Bool {
            guard kernel.waitUntil({ kernel.sharedWaitCount == count && fake.done.isEmpty }) else { return false }
            fake.expose()
            return true
        }

        /// Exposes a frame once the courier waits for it inside the driver.
        func exposeInside() -> Bool {
            guard kernel.waitUntil({ kernel.waitingDequeues.count == 1 }) else { return false }
            fake.expose()
            return true
        }

        /// Is quick until the courier waits inside the driver.
        ///
        /// - Returns: The number of the next frame.
        func settle() -> UInt64? {
            // A machine under load is not always quick.
            for number in 0..<UInt64(100 * V4L2Courier.quickFrameCount) {
                var isInside = false
                let isWaiting = kernel.waitUntil {
                    isInside = kernel.waitingDequeues.count == 1
                    return isInside || kernel.sharedWaitCount == 2 && fake.done.isEmpty
                }
                guard isWaiting, !isInside else { return isInside ? number : nil }
                fake.expose()
                guard waitFor("done \(number)") else { return nil }
            }
            return nil
        }

        /// Works for longer than a frame.
        func workLong() {
            let end = clock.now + CMTime(nanoseconds: Self.frameNanoseconds)
            while clock.now < end {}
        }

        /// As the kernel has it (proc(5)).
        private static var threadName: String {
            let text = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
            return text?.trimmingCharacters(in: .newlines) ?? "none"
        }

        func unplug() { kernel.unplug(Self.path) }

        /// Ends all and looks for leaks.
        func close(file: StaticString = #filePath, line: UInt = #line) {
            opened.close()
            // The one handle that may stay is that of the controls, for as long as `opened` does.
            queue.sync {}
            XCTAssertTrue(
                kernel.waitUntil { kernel.openCameraCount == 1 && kernel.sharedCount == 0 },
                "descriptors stay open", file: file, line: line)
        }
    }

    func testAQuickClientIsCalledByTheCourierOnItsQueue() throws {
        let client = try Client()
        try client.start()
        for number in 0..<5 {
            client.onCallback.withLock { hooks in
                hooks[UInt64(number)] = { [queue = client.queue] in dispatchPrecondition(condition: .onQueue(queue)) }
            }
            XCTAssertTrue(client.expose(waiting: 2))
            XCTAssertTrue(client.waitFor("done \(number)"))
        }
        XCTAssertEqual(client.threadNames, ["v4l2 courier"])
        XCTAssertEqual(client.log, (0..<5).flatMap { ["told \($0)", "begun \($0)", "done \($0)"] })
        client.stream.stop()
        client.close()
    }

    func testWhileAClientIsSlowTheKeeperTakesTheFrames() throws {
        let client = try Client()
        let goOn = DispatchSemaphore(value: 0)
        client.onCallback.withLock { $0[0] = { goOn.wait() } }
        try client.start()
        XCTAssertTrue(client.expose(waiting: 2))
        XCTAssertTrue(client.waitFor("begun 0"))
        for number in 1..<4 {
            XCTAssertTrue(client.expose(waiting: 1))
            XCTAssertTrue(client.waitFor("told \(number)"))
        }
        XCTAssertFalse(client.log.contains("done 0"))
        goOn.signal()
        XCTAssertTrue(client.waitFor("done 3"))
        XCTAssertEqual(
            client.log.filter { !$0.hasPrefix("told") },
            (0..<4).flatMap { ["begun \($0)", "done \($0)"] }, "one after the other, in order")
        XCTAssertTrue(client.expose(waiting: 2), "the courier is back")
        XCTAssertTrue(client.waitFor("done 4"))
        client.stream.stop()
        client.close()
    }

    func testAFrameTakenBeforeABusyQueueIsNotOvertaken() throws {
        let client = try Client()
        let goOn = DispatchSemaphore(value: 0)
        client.queue.async { goOn.wait() }
        try client.start()
        XCTAssertTrue(client.expose(waiting: 2))
        XCTAssertTrue(client.waitFor("told 0"))
        XCTAssertTrue(client.expose(waiting: 1))
        XCTAssertTrue(client.waitFor("told 1"))
        goOn.signal()
        XCTAssertTrue(client.waitFor("done 1"))
        XCTAssertEqual(
            client.log.filter { !$0.hasPrefix("told") }, ["begun 0", "done 0", "begun 1", "done 1"])
        client.stream.stop()
        client.close()
    }

    func testAStreamStopsWhileACallbackRuns() throws {
        let client = try Client()
        let goOn = DispatchSemaphore(value: 0)
        client.onCallback.withLock { $0[0] = { goOn.wait() } }
        try client.start()
        XCTAssertTrue(client.expose(waiting: 2))
        XCTAssertTrue(client.waitFor("begun 0"))
        client.stream.stop()
        XCTAssertFalse(client.log.contains("done 0"), "stopping waits for no client")
        client.onEvent.withLock { $0 = [:] }
        try client.start()
        // The old courier is away still; the new one has taken its place.
        XCTAssertTrue(client.expose(waiting: 2))
        XCTAssertTrue(client.kernel.waitUntil { client.log.filter { $0 == "told 0" }.count == 2 })
        goOn.signal()
        goOn.signal()
        XCTAssertTrue(client.kernel.waitUntil { client.log.filter { $0 == "done 0" }.count == 2 })
        client.stream.stop()
        client.close()
    }

    func testACallbackMayWaitForAThreadThatStopsTheStream() throws {
        let client = try Client()
        let others = DispatchQueue(label: "session")
        client.onCallback.withLock { hooks in hooks[0] = { others.sync { client.stream.stop() } } }
        try client.start()
        XCTAssertTrue(client.expose(waiting: 2))
        XCTAssertTrue(client.waitFor("done 0"))
        client.onCallback.withLock { $0 = [:] }
        client.close()
    }

    func testAStreamStopsAndStartsAnewFromInsideAnEvent() throws {
        let client = try Client()
        client.onEvent.withLock { hooks in
            hooks[0] = {
                client.onEvent.withLock { $0 = [:] }
                client.stream.stop()
                do { try client.start() } catch { XCTFail("\(error)") }
            }
        }
        try client.start()
        XCTAssertTrue(client.expose(waiting: 2))
        XCTAssertTrue(client.waitFor("done 0"))
        // Two threads of the new run; those of the old one end by themselves.
        XCTAssertTrue(client.expose(waiting: 2))
        XCTAssertTrue(client.kernel.waitUntil { client.log.filter { $0 == "done 0" }.count == 2 })
        client.stream.stop()
        client.close()
    }

    func testACameraThatIsClosedInsideAnEventIsFree() throws {
        for _ in 0..<20 {
            let client = try Client()
            client.onEvent.withLock { hooks in hooks[0] = { client.opened.close() } }
            try client.start()
            XCTAssertTrue(client.expose(waiting: 2))
            XCTAssertTrue(client.waitFor("done 0"))
            XCTAssertTrue(client.kernel.waitUntil { client.kernel.sharedCount == 0 }, "both threads have ended")
            XCTAssertNoThrow(try client.camera.open().close())
            client.onEvent.withLock { $0 = [:] }
        }
    }

    func testAnUnpluggedCameraIsToldOnce() throws {
        let client = try Client()
        try client.start()
        XCTAssertTrue(client.expose(waiting: 2))
        XCTAssertTrue(client.waitFor("done 0"))
        XCTAssertTrue(client.kernel.waitUntil { client.kernel.sharedWaitCount == 2 })
        client.unplug()
        XCTAssertTrue(client.waitFor("failed disconnected"))
        client.stream.stop()
        XCTAssertEqual(client.log.filter { $0.hasPrefix("failed") }.count, 1)
        client.close()
    }

    func testAClientThatStaysQuickIsServedFromInsideTheDriver() throws {
        let client = try Client()
        try client.start()
        let first = try XCTUnwrap(client.settle())
        for number in first..<first + 5 {
            XCTAssertTrue(client.exposeInside())
            XCTAssertTrue(client.waitFor("done \(number)"))
        }
        XCTAssertEqual(client.threadNames, ["v4l2 courier"])
        XCTAssertEqual(client.log, (0..<first + 5).flatMap { ["told \($0)", "begun \($0)", "done \($0)"] })
        client.stream.stop()
        client.close()
    }

    func testADriverWithAQueueOfItsOwnIsNeverWaitedForInside() throws {
        let client = try Client { $0.isKernelQueue = false }
        try client.start()
        for number in 0..<UInt64(2 * V4L2Courier.quickFrameCount) {
            XCTAssertTrue(client.expose(waiting: 2))
            XCTAssertTrue(client.waitFor("done \(number)"))
        }
        client.stream.stop()
        client.close()
    }

    func testAClientOnWhomOthersDependIsNeverWaitedForInside() throws {
        let client = try Client()
        try client.start()
        let first = try XCTUnwrap(client.settle())
        // The next frame goes to someone else, too.
        client.onEvent.withLock { hooks in hooks[first] = { DeliveryHold.noteOthers() } }
        XCTAssertTrue(client.exposeInside())
        XCTAssertTrue(client.waitFor("done \(first)"))
        let goOn = DispatchSemaphore(value: 0)
        client.onCallback.withLock { $0[first + 1] = { goOn.wait() } }
        XCTAssertTrue(client.expose(waiting: 2), "both watch again")
        XCTAssertTrue(client.waitFor("begun \(first + 1)"))
        XCTAssertTrue(client.expose(waiting: 1))
        XCTAssertTrue(client.waitFor("told \(first + 2)"), "the keeper has taken it")
        goOn.signal()
        XCTAssertTrue(client.waitFor("done \(first + 2)"))
        client.stream.stop()
        client.close()
    }

    func testASettledStreamStopsWhileACallbackRuns() throws {
        let client = try Client()
        try client.start()
        let first = try XCTUnwrap(client.settle())
        let goOn = DispatchSemaphore(value: 0)
        client.onCallback.withLock { $0[first] = { goOn.wait() } }
        XCTAssertTrue(client.exposeInside())
        XCTAssertTrue(client.waitFor("begun \(first)"))
        client.stream.stop()
        XCTAssertFalse(client.log.contains("done \(first)"), "stopping waits for no client")
        goOn.signal()
        XCTAssertTrue(client.waitFor("done \(first)"))
        client.close()
    }

    func testWhatCameDuringALongCallbackIsToldBeforeItCounts() throws {
        let client = try Client()
        try client.start()
        let first = try XCTUnwrap(client.settle())
        client.onCallback.withLock { hooks in
            hooks[first] = {
                client.workLong()
                client.fake.expose()
                client.fake.expose()
            }
        }
        XCTAssertTrue(client.exposeInside())
        XCTAssertTrue(client.waitFor("done \(first + 2)"))
        XCTAssertEqual(
            client.log.suffix(7),
            ["done \(first)", "told \(first + 1)", "told \(first + 2)"]
                + (first + 1..<first + 3).flatMap { ["begun \($0)", "done \($0)"] })
        XCTAssertTrue(client.expose(waiting: 2), "both watch again")
        XCTAssertTrue(client.waitFor("done \(first + 3)"))
        client.stream.stop()
        client.close()
    }

    func testASettledStreamStopsInsideACallbackAndStartsAnew() throws {
        let client = try Client()
        try client.start()
        let first = try XCTUnwrap(client.settle())
        client.onCallback.withLock { hooks in hooks[first] = { client.stream.stop() } }
        XCTAssertTrue(client.exposeInside())
        XCTAssertTrue(client.waitFor("done \(first)"))
        client.onCallback.withLock { $0 = [:] }
        try client.start()
        XCTAssertTrue(client.kernel.waitUntil { client.kernel.sharedWaitCount == 2 }, "it begins watchful")
        client.fake.expose()
        XCTAssertTrue(client.kernel.waitUntil { client.log.filter { $0 == "done 0" }.count == 2 })
        client.stream.stop()
        client.close()
    }

    func testASettledCameraThatIsUnpluggedIsToldOnce() throws {
        let client = try Client()
        try client.start()
        _ = try XCTUnwrap(client.settle())
        client.unplug()
        XCTAssertTrue(client.waitFor("failed disconnected"))
        client.stream.stop()
        XCTAssertEqual(client.log.filter { $0.hasPrefix("failed") }.count, 1)
        client.close()
    }

    func testEachCallOfASettledRunThatFailsOnceEndsInAnErrorOrInFrames() throws {
        var sawAll = false
        for ordinal in 1..<40 where !sawAll {
            let client = try Client()
            try client.start()
            let first = try XCTUnwrap(client.settle())
            client.kernel.fail(ordinal: ordinal, with: EIO)
            client.onCallback.withLock { hooks in hooks[first] = { client.workLong() } }
            XCTAssertTrue(client.exposeInside())
            func hasFailed() -> Bool { client.log.contains { $0.hasPrefix("failed") } }
            XCTAssertTrue(
                client.kernel.waitUntil { client.kernel.sharedWaitCount == 2 || hasFailed() }, "call \(ordinal)")
            client.fake.expose()
            XCTAssertTrue(
                client.kernel.waitUntil { client.log.contains("done \(first + 1)") || hasFailed() }, "call \(ordinal)")
            sawAll = client.log.contains("done \(first + 1)") && !hasFailed()
            client.kernel.endFailures()
            client.stream.stop()
            client.close()
        }
        XCTAssertTrue(sawAll, "with enough calls before the failure, there is none")
    }

    func testEachCallThatFailsOnceEndsInAnErrorOrInFrames() throws {
        var sawAll = false
        for ordinal in 1..<80 where !sawAll {
            let client = try Client()
            client.kernel.fail(ordinal: ordinal, with: EIO)
            var isStarted = true
            do { try client.start() } catch { isStarted = false }
            if isStarted {
                var exposed = 0
                while exposed < 2, !client.log.contains(where: { $0.hasPrefix("failed") }) {
                    let isOver = client.kernel.waitUntil {
                        client.kernel.sharedWaitCount == 2 && client.fake.done.isEmpty
                            || client.log.contains { $0.hasPrefix("failed") }
                    }
                    XCTAssertTrue(isOver, "call \(ordinal)")
                    client.fake.expose()
                    exposed += 1
                }
                sawAll = client.kernel.waitUntil {
                    client.log.contains("done 1") || client.log.contains { $0.hasPrefix("failed") }
                }
                sawAll = sawAll && client.log.contains("done 1")
            }
            client.kernel.endFailures()
            client.stream.stop()
            client.close()
        }
        XCTAssertTrue(sawAll, "with enough calls before the failure, there is none")
    }
}
