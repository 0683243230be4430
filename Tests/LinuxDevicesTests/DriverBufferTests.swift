import CaptureCore
import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import LinuxDevices

/// Tests the lifetime of the driver's buffers in the sample buffers of a session's client.
final class DriverBufferTests: XCTestCase {
    private final class Client: AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
        private struct State {
            var keeps = false
            var looks = true
            var exposures: [UInt32?] = []
            var formats: [OSType?] = []
            var times: [CMTime] = []
            var kept: [CMSampleBuffer] = []
            var weak: [WeakSample] = []
        }

        private struct WeakSample { weak var sample: CMSampleBuffer? }

        let queue = DispatchQueue(label: "client")
        /// Signaled once for each frame.
        let received = DispatchSemaphore(value: 0)
        private let state = Lock(State())

        var exposures: [UInt32?] { state.withLock { $0.exposures } }
        var formats: [OSType?] { state.withLock { $0.formats } }
        var times: [CMTime] { state.withLock { $0.times } }
        var kept: [CMSampleBuffer] { state.withLock { $0.kept } }
        var aliveCount: Int { state.withLock { state in state.weak.count { $0.sample != nil } } }

        /// - Parameter looks: Whether the client accesses the pixel buffers.
        func change(keeps: Bool = false, looks: Bool = true) {
            let kept = state.withLock { state in
                (state.keeps, state.looks) = (keeps, looks)
                defer { state.kept = [] }
                return state.kept
            }
            withExtendedLifetime(kept) {}
        }

        func captureOutput(
            _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
        ) {
            dispatchPrecondition(condition: .onQueue(queue))
            state.withLock { state in
                let picture = state.looks ? sampleBuffer.imageBuffer : nil
                state.exposures.append(picture?.frameNumber)
                state.formats.append(picture.map(CVPixelBufferGetPixelFormatType))
                state.times.append(sampleBuffer.presentationTimeStamp)
                state.weak.append(WeakSample(sample: sampleBuffer))
                if state.keeps { state.kept.append(sampleBuffer) }
            }
            received.signal()
        }
    }

    /// A session in real time with a fake camera.
    private struct Fixture {
        let client = Client()
        let fake = FakeV4L2Device()
        let kernel: FakeKernel
        let output: AVCaptureVideoDataOutput
        let session: AVCaptureSession

        init() throws {
            let clock = HostClock()
            kernel = FakeKernel(clock: clock)
            kernel.plug(fake, at: "/dev/video0")
            let host = LinuxHost(clock: clock, kernel: kernel, sound: FakeAudioSystem(kernel: kernel))
            let system = CaptureSystem(hosts: [host], clock: clock)
            session = system.run { AVCaptureSession() }
            output = system.run { AVCaptureVideoDataOutput() }
            // The next frame may be captured before the callback has returned.
            output.alwaysDiscardsLateVideoFrames = false
            let camera = try XCTUnwrap(system.run { AVCaptureDevice.default(for: .video) })
            session.addInput(try AVCaptureDeviceInput(device: camera))
            output.setSampleBufferDelegate(client, queue: client.queue)
            session.addOutput(output)
            session.startRunning()
        }

        /// Captures frames, each after the client has received the last one.
        func expose(_ count: Int) {
            for _ in 0..<count {
                fake.expose()
                XCTAssertEqual(client.received.wait(timeout: .now() + 20), .success)
            }
        }

        /// Whether all buffers are queued at the driver, except some.
        func areBuffersQueued(except count: Int = 0) -> Bool {
            kernel.waitUntil { fake.queuedCount == fake.bufferCount - count }
        }
    }

    func testFramesArriveInOrderWhetherTheirPixelsAreAccessedOrNot() throws {
        let stage = try Fixture()
        stage.expose(30)
        stage.client.change(looks: false)
        stage.expose(10)
        stage.client.change()
        stage.expose(10)
        let numbers = (0..<50).map { UInt32($0) }
        XCTAssertEqual(stage.client.exposures, numbers.map { (30..<40).contains($0) ? nil : $0 })
        let times = stage.client.times
        XCTAssertTrue(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        XCTAssertTrue(stage.areBuffersQueued())
        XCTAssertEqual(stage.client.aliveCount, 0)
        stage.session.stopRunning()
    }

    func testHeldFramesKeepTheirPixelsUntilTheirRelease() throws {
        let stage = try Fixture()
        stage.expose(2)
        stage.client.change(keeps: true, looks: false)
        stage.expose(3)
        let kept = stage.client.kept
        stage.client.change()
        stage.expose(12)
        XCTAssertEqual(kept.map { $0.imageBuffer?.frameNumber }, [2, 3, 4], "the driver has not written into them")
        XCTAssertTrue(stage.areBuffersQueued(except: 3))
        XCTAssertEqual(stage.client.aliveCount, 3)
        stage.session.stopRunning()
        XCTAssertEqual(kept.map { $0.imageBuffer?.frameNumber }, [2, 3, 4], "the mappings outlive STREAMOFF")
    }

    func testFramesOfAStreamShareOneFormatDescription() throws {
        let stage = try Fixture()
        stage.client.change(keeps: true)
        stage.expose(3)
        let descriptions = Set(stage.client.kept.compactMap { $0.formatDescription.map { ObjectIdentifier($0) } })
        XCTAssertEqual(descriptions.count, 1)
        stage.session.stopRunning()
    }

    func testANewPixelFormatAppliesFromTheNextFrame() throws {
        let stage = try Fixture()
        stage.expose(3)
        stage.output.videoSettings = [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA]
        stage.expose(3)
        stage.output.videoSettings = [:]
        stage.expose(3)
        let native = kCVPixelFormatType_422YpCbCr8_yuvs
        let others = Array(repeating: kCVPixelFormatType_32BGRA, count: 3)
        XCTAssertEqual(stage.client.formats, [native, native, native] + others + [native, native, native])
        XCTAssertTrue(stage.areBuffersQueued())
        stage.session.stopRunning()
    }
}
