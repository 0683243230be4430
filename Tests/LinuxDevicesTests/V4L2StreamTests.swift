import CLinuxDevices
import CaptureHAL
import MediaTypes
import XCTest

@testable import LinuxDevices

final class V4L2StreamTests: XCTestCase {
    func testFramesAreInTheDriversMemoryWithItsTimestampsAndSequenceNumbers() throws {
        let fixture = V4L2Fixture()
        let (_, receiver) = try startStream(fixture)
        for _ in 0..<3 { fixture.expose() }
        let frames = receiver.wait(for: 3).compactMap(\.frame)
        XCTAssertEqual(frames.map(\.sequenceNumber), [0, 1, 2])
        XCTAssertEqual(
            frames.map { $0.presentationTime.nanoseconds }, [100_033_000_000, 100_066_000_000, 100_099_000_000])
        XCTAssertEqual(frames.map(\.duration), Array(repeating: CMTime(value: 1, timescale: 30), count: 3))
        let pixelBuffers = receiver.events.compactMap(\.pixelBuffer)
        XCTAssertEqual(pixelBuffers.map(\.frameNumber), [0, 1, 2])
        XCTAssertEqual(pixelBuffers[0].width, 64)
        XCTAssertEqual(pixelBuffers[0].height, 48)
        XCTAssertEqual(pixelBuffers[0].pixelFormat, kCVPixelFormatType_422YpCbCr8_yuvs)
        XCTAssertEqual(
            pixelBuffers[0].attachments[kCVImageBufferYCbCrMatrixKey]?.value as? String,
            kCVImageBufferYCbCrMatrix_ITU_R_601_4)
    }

    func testTheBufferOfAReleasedFrameIsQueuedAgain() throws {
        let fixture = V4L2Fixture()
        let (_, receiver) = try startStream(fixture, bufferCount: 2)
        for number in 0..<UInt32(10) {
            XCTAssertTrue(fixture.kernel.waitUntil { fixture.fake.queuedCount == 2 })
            fixture.expose()
            let pixelBuffers = receiver.wait(for: 1).compactMap(\.pixelBuffer)
            XCTAssertEqual(pixelBuffers.map(\.frameNumber), [number])
            receiver.removeAll()
        }
    }

    func testTheDriverLosesFramesWhileClientsHoldAllBuffers() throws {
        let fixture = V4L2Fixture()
        let (_, receiver) = try startStream(fixture, bufferCount: 2)
        fixture.expose()
        fixture.expose()
        XCTAssertEqual(receiver.wait(for: 2).count, 2)
        fixture.expose()
        fixture.expose()
        receiver.removeAll()
        XCTAssertTrue(fixture.kernel.waitUntil { fixture.fake.queuedCount == 2 })
        fixture.expose()
        let events = receiver.wait(for: 3)
        XCTAssertEqual(events.compactMap(\.drop).map(\.reason), [.outOfBuffers, .outOfBuffers])
        XCTAssertEqual(events.compactMap(\.drop).map(\.sequenceNumber), [2, 3])
        XCTAssertEqual(events.last?.frame?.sequenceNumber, 4)
    }

    func testGapsOfTheDriverAreDiscontinuities() throws {
        let fixture = V4L2Fixture()
        let (_, receiver) = try startStream(fixture)
        fixture.expose()
        XCTAssertEqual(receiver.wait(for: 1).count, 1)
        fixture.fake.skipFrames(2)
        fixture.expose()
        let events = receiver.wait(for: 4)
        XCTAssertEqual(events.compactMap(\.drop).map(\.reason), [.discontinuity, .discontinuity])
        XCTAssertEqual(events.last?.frame?.sequenceNumber, 3)
    }

    func testMarkedAndShortBuffersAreDroppedAsDamagedAndQueuedAgain() throws {
        let fixture = V4L2Fixture()
        let (_, receiver) = try startStream(fixture, bufferCount: 2)
        fixture.expose(FakeV4L2Device.Exposure(flags: UInt32(V4L2_BUF_FLAG_ERROR)))
        XCTAssertEqual(receiver.wait(for: 1).count, 1)
        fixture.expose(FakeV4L2Device.Exposure(byteCount: 100))
        XCTAssertEqual(receiver.wait(for: 2).count, 2)
        XCTAssertTrue(fixture.kernel.waitUntil { fixture.fake.queuedCount == 2 })
        fixture.expose()
        let events = receiver.wait(for: 3)
        XCTAssertEqual(events.compactMap(\.drop).map(\.reason), [.damaged, .damaged])
        XCTAssertEqual(
            events.compactMap(\.drop).map(\.message),
            ["the driver marked the frame as damaged", "the frame is short: 100 of 6144 bytes were delivered"])
        XCTAssertEqual(events.last?.frame?.sequenceNumber, 2)
    }

    func testCompressedFramesAreCopiedWithTheirLength() throws {
        let fixture = V4L2Fixture(FakeV4L2Device(modes: [.mjpeg()]))
        let (_, receiver) = try startStream(fixture)
        fixture.expose(FakeV4L2Device.Exposure(bytes: [0xff, 0xd8, 0xff, 0xd9]))
        guard case .compressed(let data, let codec)? = receiver.wait(for: 1).first?.frame?.payload else {
            return XCTFail("no compressed frame was delivered")
        }
        XCTAssertEqual(codec, kCMVideoCodecType_JPEG)
        XCTAssertEqual(data.withUnsafeBytes { Array($0) }, [0xff, 0xd8, 0xff, 0xd9])
        XCTAssertTrue(fixture.kernel.waitUntil { fixture.fake.queuedCount == 4 })
    }

    func testThePlanesOfAMultiPlanarBufferBeginAtTheirOffset() throws {
        let fake = FakeV4L2Device(modes: [.nv12m()])
        fake.capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) | UInt32(V4L2_CAP_STREAMING)
        fake.dataOffset = 128
        let fixture = V4L2Fixture(fake)
        let (_, receiver) = try startStream(fixture)
        fixture.expose()
        fixture.expose()
        let pixelBuffers = receiver.wait(for: 2).compactMap(\.pixelBuffer)
        XCTAssertEqual(
            pixelBuffers.map(\.pixelFormat),
            Array(repeating: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, count: 2))
        XCTAssertEqual(pixelBuffers.map(\.frameNumber), [0, 1])
        XCTAssertEqual(pixelBuffers.map { $0.withPlane(1) { $0.baseAddress.loadUnaligned(as: UInt32.self) } }, [0, 1])
    }

    func testAfterStopNothingArrivesAndAStreamStartsAgainFromNumberZero() throws {
        let fixture = V4L2Fixture()
        let camera = try fixture.camera()
        let opened = try camera.open()
        let stream = try opened.makeStream(fixture.configuration(camera))
        let receiver = RecordingReceiver()
        for round in 1...3 {
            try stream.start(receiver.receive)
            fixture.expose()
            XCTAssertEqual(receiver.wait(for: round).last?.frame?.sequenceNumber, 0)
            stream.stop()
            stream.stop()
            fixture.expose()
            XCTAssertEqual(receiver.events.count, round)
        }
    }

    func testAStreamCanBeStoppedAndStartedInsideItsReceiver() throws {
        let fixture = V4L2Fixture()
        let camera = try fixture.camera()
        let opened = try camera.open()
        let stream = try opened.makeStream(fixture.configuration(camera))
        let second = RecordingReceiver()
        let first = RecordingReceiver { _ in
            stream.stop()
            do { try stream.start(second.receive) } catch { XCTFail("\(error)") }
        }
        try stream.start(first.receive)
        fixture.expose()
        XCTAssertEqual(first.wait(for: 1).count, 1)
        fixture.expose()
        XCTAssertEqual(second.wait(for: 1).first?.frame?.sequenceNumber, 0)
        XCTAssertEqual(first.events.count, 1)
        stream.stop()
    }

    func testStartingARunningStreamThrows() throws {
        let fixture = V4L2Fixture()
        let camera = try fixture.camera()
        let opened = try camera.open()
        let stream = try opened.makeStream(fixture.configuration(camera))
        try stream.start { _ in }
        assertCode(try stream.start { _ in }, .invalidState)
        assertCode(try opened.makeStream(fixture.configuration(camera)), .busy)
        opened.close()
        assertCode(try stream.start { _ in }, .invalidState)
    }

    func testUnpluggingEndsTheStreamOnce() throws {
        let fixture = V4L2Fixture()
        let camera = try fixture.camera()
        let opened = try camera.open()
        let stream = try opened.makeStream(fixture.configuration(camera))
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        fixture.expose()
        XCTAssertEqual(receiver.wait(for: 1).count, 1)
        fixture.kernel.unplug(V4L2Fixture.path)
        XCTAssertEqual(receiver.wait(for: 2).last?.failure?.code, .disconnected)
        stream.stop()
        opened.close()
        XCTAssertEqual(receiver.events.count, 2)
    }

    func testADriverThatDeliversNothingFailsAfterTheTimeout() throws {
        let fixture = V4L2Fixture()
        let (stream, receiver) = try startStream(fixture)
        fixture.expose()
        XCTAssertEqual(receiver.wait(for: 1).count, 1)
        fixture.clock.advance(by: .seconds(5))
        XCTAssertEqual(receiver.wait(for: 2).last?.failure?.code, .inputOutput)
        fixture.expose()
        try stream.start(receiver.receive)
        fixture.expose()
        XCTAssertEqual(receiver.wait(for: 3).last?.frame?.sequenceNumber, 0)
    }

    func testADriverWithoutBuffersDoesNotTimeOut() throws {
        let fixture = V4L2Fixture()
        let (_, receiver) = try startStream(fixture, bufferCount: 2)
        fixture.expose()
        fixture.expose()
        XCTAssertEqual(receiver.wait(for: 2).count, 2)
        fixture.clock.advance(by: .seconds(60))
        receiver.removeAll()
        XCTAssertTrue(fixture.kernel.waitUntil { fixture.fake.queuedCount == 2 })
        fixture.expose()
        XCTAssertNotNil(receiver.wait(for: 1).first?.frame)
    }

    func testASignalThatChangesItsSizeEndsTheStream() throws {
        let fixture = V4L2Fixture()
        let (_, receiver) = try startStream(fixture)
        fixture.fake.changeSource()
        XCTAssertEqual(receiver.wait(for: 1).last?.failure?.code, .inputOutput)
    }

    func testHeldFramesAreValidAfterTheStreamAndTheDeviceAreClosed() throws {
        let fixture = V4L2Fixture()
        var pixelBuffer: CVPixelBuffer?
        do {
            let camera = try fixture.camera()
            let opened = try camera.open()
            let stream = try opened.makeStream(fixture.configuration(camera))
            let receiver = RecordingReceiver()
            try stream.start(receiver.receive)
            fixture.expose()
            pixelBuffer = receiver.wait(for: 1).first?.pixelBuffer
            opened.close()
        }
        XCTAssertEqual(fixture.kernel.leaks.descriptors, 0)
        XCTAssertGreaterThan(fixture.kernel.leaks.mappings, 0)
        XCTAssertEqual(pixelBuffer?.frameNumber, 0)
        pixelBuffer = nil
        XCTAssertEqual(fixture.kernel.leaks.mappings, 0)
    }

    func testAnotherFormatCanFollowWhileOldFramesAreHeld() throws {
        let fixture = V4L2Fixture()
        let camera = try fixture.camera()
        let opened = try camera.open()
        let first = try opened.makeStream(fixture.configuration(camera, format: 0))
        let receiver = RecordingReceiver()
        try first.start(receiver.receive)
        fixture.expose()
        XCTAssertEqual(receiver.wait(for: 1).first?.pixelBuffer?.width, 64)
        first.stop()
        let second = try opened.makeStream(fixture.configuration(camera, format: 1))
        try second.start(receiver.receive)
        fixture.expose()
        XCTAssertEqual(receiver.wait(for: 2).last?.pixelBuffer?.width, 32)
        assertCode(try first.start { _ in }, .invalidState)
        second.stop()
    }

    func testTheFrameRateCanBeSetAndAnUnsupportedOneIsRejected() throws {
        let fixture = V4L2Fixture()
        let camera = try fixture.camera()
        let opened = try camera.open()
        let stream = try opened.makeStream(fixture.configuration(camera))
        try stream.setFrameDuration(CMTime(value: 1, timescale: 15))
        assertCode(try stream.setFrameDuration(CMTime(value: 1, timescale: 60)), .unsupportedFormat)
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        fixture.expose()
        XCTAssertEqual(receiver.wait(for: 1).first?.frame?.duration, CMTime(value: 1, timescale: 15))
        fixture.kernel.fail("VIDIOC_S_PARM", with: EBUSY)
        assertCode(try stream.setFrameDuration(CMTime(value: 1, timescale: 30)), .invalidState)
        stream.stop()
    }

    func testErrorsOfTheStartAreThrown() throws {
        for (number, code) in [
            (ENOSPC, DeviceError.Code.outOfResources), (EBUSY, .busy), (ENODEV, .disconnected), (EIO, .inputOutput),
        ] {
            let fixture = V4L2Fixture()
            let camera = try fixture.camera()
            let opened = try camera.open()
            let stream = try opened.makeStream(fixture.configuration(camera))
            fixture.kernel.fail("VIDIOC_STREAMON", with: number)
            assertCode(try stream.start { _ in }, code)
            try stream.start { _ in }
            stream.stop()
        }
    }

    /// Tests that the client receives an error or the frames if any call fails.
    func testEachFailingCallLeaksNothing() throws {
        var isClean = false
        var ordinal = 0
        while !isClean {
            ordinal += 1
            let fixture = V4L2Fixture()
            fixture.kernel.fail(ordinal: ordinal, with: EIO)
            let receiver = RecordingReceiver()
            do {
                guard let camera = V4L2Camera(path: V4L2Fixture.path, kernel: fixture.kernel, clock: fixture.clock)
                else {
                    continue
                }
                let opened = try camera.open()
                let stream = try opened.makeStream(fixture.configuration(camera))
                try stream.start(receiver.receive)
                fixture.expose()
                if receiver.wait(for: 1).last?.frame != nil {
                    fixture.expose()
                    if receiver.wait(for: 2).last?.frame != nil { receiver.removeAll() }
                }
                let queuedCount = fixture.kernel.locked { fixture.fake.queuedCount }
                stream.stop()
                isClean = receiver.events.isEmpty && queuedCount == 4 && fixture.kernel.callCount < ordinal
                opened.close()
            } catch {
                XCTAssertEqual((error as? DeviceError)?.code, .inputOutput, "call \(ordinal): \(error)")
            }
            receiver.removeAll()
            let leaks = fixture.kernel.leaks
            XCTAssertEqual(leaks.descriptors, 0, "after call \(ordinal) failed")
            XCTAssertEqual(leaks.mappings, 0, "after call \(ordinal) failed")
            if ordinal > 300 { return XCTFail("a call failed in each run") }
        }
    }

    /// Opens the camera and starts a stream, which ends with the test.
    private func startStream(
        _ fixture: V4L2Fixture, bufferCount: Int = 4
    ) throws -> (stream: any DeviceStream, receiver: RecordingReceiver) {
        let camera = try fixture.camera()
        let opened = try camera.open()
        let stream = try opened.makeStream(fixture.configuration(camera, bufferCount: bufferCount))
        addTeardownBlock {
            stream.stop()
            opened.close()
        }
        let receiver = RecordingReceiver()
        try stream.start(receiver.receive)
        return (stream, receiver)
    }
}
