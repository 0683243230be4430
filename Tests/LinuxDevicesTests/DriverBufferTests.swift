import AssetTypes
import CaptureCore
import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import LinuxDevices

/// Tests when the driver's buffers are queued again, while a client of a session uses or retains its sample buffers.
final class DriverBufferTests: XCTestCase {
    private final class Client: AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
        private struct State {
            var keepsSamples = false
            var readsPixels = true
            /// The frame numbers in the received pixel buffers; nil if the client did not access them.
            var frameNumbers: [UInt32?] = []
            var formats: [OSType?] = []
            var times: [CMTime] = []
            var kept: [CMSampleBuffer] = []
            var weak: [WeakSample] = []
        }

        private struct WeakSample { weak var sample: CMSampleBuffer? }

        let queue = DispatchQueue(label: "client")
        /// A semaphore that is signaled once for each frame.
        let received = DispatchSemaphore(value: 0)
        private let state = Lock(State())

        var frameNumbers: [UInt32?] { state.withLock { $0.frameNumbers } }
        var formats: [OSType?] { state.withLock { $0.formats } }
        var times: [CMTime] { state.withLock { $0.times } }
        var kept: [CMSampleBuffer] { state.withLock { $0.kept } }
        /// The number of received sample buffers that still exist.
        var existingCount: Int { state.withLock { state in state.weak.count { $0.sample != nil } } }

        /// Changes the behavior of the client, and releases the kept samples.
        ///
        /// - Parameters:
        ///   - keepsSamples: Whether the client retains the next samples.
        ///   - readsPixels: Whether the client accesses the pixel buffers.
        func change(keepsSamples: Bool = false, readsPixels: Bool = true) {
            let kept = state.withLock { state in
                (state.keepsSamples, state.readsPixels) = (keepsSamples, readsPixels)
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
                let pixelBuffer = state.readsPixels ? sampleBuffer.imageBuffer : nil
                state.frameNumbers.append(pixelBuffer?.frameNumber)
                state.formats.append(pixelBuffer.map(CVPixelBufferGetPixelFormatType))
                state.times.append(sampleBuffer.presentationTimeStamp)
                state.weak.append(WeakSample(sample: sampleBuffer))
                if state.keepsSamples { state.kept.append(sampleBuffer) }
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
            let host = LinuxHost(clock: clock, kernel: kernel, audioSystem: FakeAudioSystem(kernel: kernel))
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

        /// Captures frames, each after the client has received the previous one.
        func expose(_ count: Int) {
            for _ in 0..<count {
                fake.expose()
                XCTAssertEqual(client.received.wait(timeout: .now() + 20), .success)
            }
        }

        /// Waits until all buffers except `count` are queued in the driver; returns false after a timeout.
        func waitUntilBuffersAreQueued(except count: Int = 0) -> Bool {
            kernel.waitUntil { fake.queuedCount == fake.bufferCount - count }
        }
    }

    func testFramesArriveInOrderWhetherTheirPixelsAreAccessedOrNot() throws {
        let fixture = try Fixture()
        fixture.expose(30)
        fixture.client.change(readsPixels: false)
        fixture.expose(10)
        fixture.client.change()
        fixture.expose(10)
        let numbers = (0..<50).map { UInt32($0) }
        XCTAssertEqual(fixture.client.frameNumbers, numbers.map { (30..<40).contains($0) ? nil : $0 })
        let times = fixture.client.times
        XCTAssertTrue(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        XCTAssertTrue(fixture.waitUntilBuffersAreQueued())
        XCTAssertEqual(fixture.client.existingCount, 0)
        fixture.session.stopRunning()
    }

    func testRetainedFramesKeepTheirPixels() throws {
        let fixture = try Fixture()
        fixture.expose(2)
        fixture.client.change(keepsSamples: true, readsPixels: false)
        fixture.expose(3)
        let kept = fixture.client.kept
        fixture.client.change()
        fixture.expose(12)
        XCTAssertEqual(kept.map { $0.imageBuffer?.frameNumber }, [2, 3, 4], "the driver has not written into them")
        XCTAssertTrue(fixture.waitUntilBuffersAreQueued(except: 3))
        XCTAssertEqual(fixture.client.existingCount, 3)
        fixture.session.stopRunning()
        XCTAssertEqual(kept.map { $0.imageBuffer?.frameNumber }, [2, 3, 4], "the mappings are valid after STREAMOFF")
    }

    func testFramesOfAStreamShareOneFormatDescription() throws {
        let fixture = try Fixture()
        fixture.client.change(keepsSamples: true)
        fixture.expose(3)
        let descriptions = Set(fixture.client.kept.compactMap { $0.formatDescription.map { ObjectIdentifier($0) } })
        XCTAssertEqual(descriptions.count, 1)
        fixture.session.stopRunning()
    }

    func testANewPixelFormatAppliesFromTheNextFrame() throws {
        let fixture = try Fixture()
        fixture.expose(3)
        fixture.output.videoSettings = [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA]
        fixture.expose(3)
        fixture.output.videoSettings = [:]
        fixture.expose(3)
        let native = kCVPixelFormatType_422YpCbCr8_yuvs
        let others = Array(repeating: kCVPixelFormatType_32BGRA, count: 3)
        XCTAssertEqual(fixture.client.formats, [native, native, native] + others + [native, native, native])
        XCTAssertTrue(fixture.waitUntilBuffersAreQueued())
        fixture.session.stopRunning()
    }
}
