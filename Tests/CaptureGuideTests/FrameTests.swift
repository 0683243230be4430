import AVFoundation
import CaptureGuide
import CaptureTesting
import TestSupport
import XCTest

/// The number in the name of a test is that of its row in docs/tutorials.md: `testS1_27…` tests S1-27.
final class FrameTests: XCTestCase {
    func testS1_27FramesArriveInOrderInTheCamerasFormatOrBGRA() throws {
        for format in [nil, kCVPixelFormatType_32BGRA] {
            let simulated = try SimulatedSystem(scene: .grey)
            let times = Events<CMTime>()
            let formats = Events<OSType>()
            let receiver = FrameReceiver(pixelFormat: format) { sampleBuffer in
                times.add(sampleBuffer.presentationTimeStamp)
                if let buffer = sampleBuffer.imageBuffer { formats.add(CVPixelBufferGetPixelFormatType(buffer)) }
            }
            let session = try makeSession(receiver.output)
            session.startRunning()
            simulated.advance(by: .seconds(1))
            XCTAssertGreaterThan(times.count, 25)
            XCTAssertEqual(times.all, times.all.sorted())
            XCTAssertEqual(Set(formats.all), [format ?? kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange])
            simulated.close()
        }
    }

    func testS1_28TheAvailableFormatsAreListed() throws {
        let simulated = try SimulatedSystem()
        let receiver = FrameReceiver { _ in }
        let still = StillCamera()
        let session = try makeSession(receiver.output, still.output)
        XCTAssertEqual(
            receiver.output.availableVideoPixelFormatTypes.first, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
            "the camera's own format comes first")
        // An unsupported format would be misuse, which fails the test.
        for format in receiver.output.availableVideoPixelFormatTypes {
            receiver.output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: format]
        }
        XCTAssertTrue(receiver.output.availableVideoPixelFormatTypes.contains(kCVPixelFormatType_32BGRA))
        XCTAssertEqual(receiver.output.availableVideoCodecTypes, [], "the camera does not compress")
        XCTAssertTrue(still.output.availableImageDataCodecTypes.contains(.jpeg))
        XCTAssertTrue(
            still.output.availableImageDataCVPixelFormatTypes.map(\.uint32Value).contains(kCVPixelFormatType_32BGRA))
        withExtendedLifetime((session, simulated)) {}
    }

    /// Runs a receiver that needs 100 ms for each frame, for two seconds. Returns the times of the dropped frames in
    /// seconds and the reasons.
    private func dropTimes(discardsLate: Bool) throws -> (dropped: [Double], reasons: Set<String>) {
        let simulated = try SimulatedSystem(scene: .grey)
        defer { simulated.close() }
        let drops = Events<Double>()
        let reasons = Events<String>()
        let receiver = FrameReceiver(
            discardsLateFrames: discardsLate,
            dropped: { sampleBuffer in
                drops.add(sampleBuffer.presentationTimeStamp.seconds)
                let reason = CMGetAttachment(
                    sampleBuffer, key: kCMSampleBufferAttachmentKey_DroppedFrameReason, attachmentModeOut: nil)
                reasons.add(reason as? String ?? "none")
            }, receive: { _ in simulated.spend(.milliseconds(100)) })
        let session = try makeSession(receiver.output)
        session.startRunning()
        simulated.advance(by: .seconds(2))
        return (drops.all, Set(reasons.all))
    }

    func testS1_29LateFramesAreDiscardedOrQueuedUntilBuffersRunOut() throws {
        let discarding = try dropTimes(discardsLate: true)
        XCTAssertEqual(discarding.reasons, [kCMSampleBufferDroppedFrameReason_FrameWasLate as String])
        XCTAssertLessThan(try XCTUnwrap(discarding.dropped.first), 0.3)
        XCTAssertGreaterThan(discarding.dropped.count, 30)
        let queueing = try dropTimes(discardsLate: false)
        XCTAssertEqual(queueing.reasons, [kCMSampleBufferDroppedFrameReason_OutOfBuffers as String])
        XCTAssertGreaterThan(try XCTUnwrap(queueing.dropped.first), try XCTUnwrap(discarding.dropped.first) + 0.1)
    }

    func testS1_30RetainedBuffersStopTheOutputAndThePreview() throws {
        let simulated = try SimulatedSystem(scene: .grey)
        let retained = Events<CMSampleBuffer>()
        let drops = Events<CMTime>()
        let shown = Events<CMTime>()
        let receiver = FrameReceiver(
            pixelFormat: nil, dropped: { drops.add($0.presentationTimeStamp) }, receive: { retained.add($0) })
        let session = try makeSession(receiver.output)
        let layer = AVCaptureVideoPreviewLayer(session: session)
        layer.bounds = CGRect(x: 0, y: 0, width: 48, height: 64)
        layer.setFrameHandler(on: DispatchQueue(label: "preview")) { shown.add($0.presentationTimeStamp) }
        session.startRunning()
        simulated.advance(by: .seconds(2))
        let (retainedCount, shownCount) = (retained.count, shown.count)
        XCTAssertLessThan(retainedCount, 40)
        XCTAssertGreaterThan(drops.count, 20)
        simulated.advance(by: .seconds(1))
        XCTAssertEqual(retained.count, retainedCount)
        XCTAssertEqual(shown.count, shownCount, "the preview receives no frames")
        retained.removeAll()
        simulated.advance(by: .milliseconds(300))
        XCTAssertGreaterThan(retained.count, 0)
        XCTAssertGreaterThan(shown.count, shownCount)
    }

    func testS1_31TheFrameDurationOfTheCameraLimitsTheRate() throws {
        let simulated = try SimulatedSystem(scene: .grey)
        let times = Events<Double>()
        let receiver = FrameReceiver { times.add($0.presentationTimeStamp.seconds) }
        let session = try makeSession(receiver.output)
        try camera(of: session).limitFrameRate(to: 15)
        session.startRunning()
        simulated.advance(by: .seconds(2))
        XCTAssertEqual(times.count, 30, accuracy: 3)
        for (time, next) in zip(times.all, times.all.dropFirst()) { XCTAssertGreaterThan(next - time, 0.066) }
    }
}
