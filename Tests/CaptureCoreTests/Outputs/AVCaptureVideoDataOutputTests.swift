import CaptureHAL
import Foundation
import MediaTypes
import SimDevices
import TestSupport
import XCTest

@testable import CaptureCore

final class AVCaptureVideoDataOutputTests: XCTestCase {
    private func makeOutput(_ fixture: CaptureFixture, _ frames: RecordingFrames) -> AVCaptureVideoDataOutput {
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        output.setSampleBufferDelegate(frames, queue: frames.queue)
        return output
    }

    func testFramesAreDeliveredOnTheClientsQueueInOrderWithTheDevicesTimes() throws {
        let fixture = try CaptureFixture()
        let frames = RecordingFrames()
        let session = try fixture.makeSession(microphone: nil, [makeOutput(fixture, frames)])
        fixture.advance(milliseconds: 123)
        session.startRunning()
        fixture.advance(milliseconds: 990)
        session.stopRunning()
        XCTAssertEqual(frames.counters, (0..<30).map { UInt32($0) })
        XCTAssertTrue(frames.frames.allSatisfy(\.isOnQueue))
        XCTAssertEqual(frames.frames.map(\.time), frames.frames.map(\.markedTime))
        XCTAssertEqual(frames.frames.first?.time, .milliseconds(123))
        XCTAssertEqual(Set(frames.frames.map(\.duration)), [CMTime(value: 1, timescale: 30)])
        XCTAssertEqual(frames.drops, [])
    }

    func testADelegateWithoutAQueueIsMisuse() throws {
        let fixture = try CaptureFixture()
        let frames = RecordingFrames()
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        let message = fixture.assertMisuse(.invalidArgument) { output.setSampleBufferDelegate(frames, queue: nil) }
        XCTAssertTrue(message.contains("NULL queue passed"), message)
        XCTAssertNil(output.sampleBufferDelegate)
        output.setSampleBufferDelegate(frames, queue: frames.queue)
        XCTAssertTrue(output.sampleBufferDelegate === frames)
        XCTAssertTrue(output.sampleBufferCallbackQueue === frames.queue)
        output.setSampleBufferDelegate(nil, queue: nil)
        XCTAssertNil(output.sampleBufferDelegate)
        fixture.assertNoMisuse()
    }

    func testAFrameIsDroppedAsLateWhileTheClientIsBusy() throws {
        let fixture = try CaptureFixture()
        let clock = fixture.clock
        let frames = RecordingFrames { _ in clock.spend(.milliseconds(50)) }
        let session = try fixture.makeSession(microphone: nil, [makeOutput(fixture, frames)])
        session.startRunning()
        fixture.advance(milliseconds: 390)
        session.stopRunning()
        XCTAssertEqual(frames.counters, [0, 2, 4, 6, 8, 10])
        XCTAssertEqual(frames.events, "fdfdfdfdfdfd")
        XCTAssertEqual(Set(frames.drops.map(\.reason)), [kCMSampleBufferDroppedFrameReason_FrameWasLate])
        XCTAssertFalse(frames.drops.contains { $0.hasPixels })
        XCTAssertEqual(frames.drops.first?.time.seconds ?? 0, 1.0 / 30, accuracy: 1e-6)
    }

    func testLateFramesWaitIfTheyAreNotDiscarded() throws {
        let fixture = try CaptureFixture()
        let clock = fixture.clock
        let frames = RecordingFrames { _ in clock.spend(.milliseconds(50)) }
        let output = makeOutput(fixture, frames)
        output.alwaysDiscardsLateVideoFrames = false
        let session = try fixture.makeSession(microphone: nil, [output])
        session.startRunning()
        fixture.advance(milliseconds: 390)
        session.stopRunning()
        fixture.advance(milliseconds: 1000)
        XCTAssertEqual(frames.counters, (0..<12).map { UInt32($0) })
        XCTAssertEqual(frames.drops, [])
    }

    func testFramesAreDroppedAsOutOfBuffersIfASlowClientDiscardsNothing() throws {
        let fixture = try CaptureFixture()
        let clock = fixture.clock
        let frames = RecordingFrames { _ in clock.spend(.milliseconds(500)) }
        let output = makeOutput(fixture, frames)
        output.alwaysDiscardsLateVideoFrames = false
        let session = try fixture.makeSession(microphone: nil, [output])
        session.startRunning()
        fixture.advance(milliseconds: 1500)
        session.stopRunning()
        XCTAssertEqual(Set(frames.drops.map(\.reason)), [kCMSampleBufferDroppedFrameReason_OutOfBuffers])
        XCTAssertGreaterThan(frames.drops.count, 20)
        fixture.advance(milliseconds: 20000)
        let counters = frames.counters.compactMap { $0 }
        XCTAssertEqual(counters, counters.sorted())
        XCTAssertEqual(Array(counters.prefix(16)), (0..<16).map { UInt32($0) })
    }

    func testAClientThatRetainsAllFramesReceivesNoMoreUntilItReleasesThem() throws {
        for format in [nil, kCVPixelFormatType_32BGRA] {
            let fixture = try CaptureFixture()
            let (retaining, other) = (RecordingFrames(keepsSamples: true), RecordingFrames())
            let (output, second) = (makeOutput(fixture, retaining), makeOutput(fixture, other))
            if let format { output.videoSettings = [kCVPixelBufferPixelFormatTypeKey: format] }
            let session = try fixture.makeSession(microphone: nil, [output, second])
            session.startRunning()
            fixture.advance(milliseconds: 990)
            XCTAssertEqual(retaining.counters, (0..<16).map { UInt32($0) })
            XCTAssertEqual(retaining.drops.count, 14)
            XCTAssertEqual(Set(retaining.drops.map(\.reason)), [kCMSampleBufferDroppedFrameReason_OutOfBuffers])
            // If a client retains native frames, all outputs drop frames. If it retains copies, only its own output
            // does.
            XCTAssertEqual(other.counters.count, format == nil ? 16 : 30)
            retaining.releaseSamples()
            retaining.clear()
            fixture.advance(milliseconds: 200)
            XCTAssertEqual(retaining.counters, (30..<36).map { UInt32($0) })
            XCTAssertEqual(retaining.drops, [])
            session.stopRunning()
        }
    }

    func testPixelFormatAndSizeAreAsRequested() throws {
        let fixture = try CaptureFixture(scene: .chart)
        let formats = [
            kCVPixelFormatType_32BGRA, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
            kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
        ]
        let listeners = formats.map { _ in RecordingFrames() }
        let outputs = listeners.map { makeOutput(fixture, $0) }
        for (index, output) in outputs.enumerated() {
            output.videoSettings =
                index == 2
                ? [
                    kCVPixelBufferPixelFormatTypeKey: formats[index], kCVPixelBufferWidthKey: 240,
                    kCVPixelBufferHeightKey: 180,
                ]
                : [kCVPixelBufferPixelFormatTypeKey: formats[index]]
        }
        let session = try fixture.makeSession(microphone: nil, outputs)
        session.startRunning()
        fixture.advance(milliseconds: 10)
        session.stopRunning()
        for (index, listener) in listeners.enumerated() {
            let frame = try XCTUnwrap(listener.frames.first)
            XCTAssertEqual(frame.pixelFormat, formats[index])
            XCTAssertEqual(frame.width, index == 2 ? 240 : 320)
            XCTAssertEqual(frame.height, index == 2 ? 180 : 240)
            XCTAssertEqual(frame.counter, 0)
        }
        fixture.assertNoMisuse()
    }

    func testTheSettingsReadBackCompletelyAndAnUnsupportedFormatIsMisuse() throws {
        let fixture = try CaptureFixture()
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        let session = try fixture.makeSession([output])
        func value(_ key: CFString) -> Int? { output.videoSettings[key] as? Int }
        XCTAssertEqual(value(kCVPixelBufferWidthKey), 320)
        XCTAssertEqual(value(kCVPixelBufferHeightKey), 240)
        XCTAssertEqual(
            value(kCVPixelBufferPixelFormatTypeKey), Int(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange))
        output.videoSettings = [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA]
        fixture.assertMisuse(.invalidArgument) {
            output.videoSettings = [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32ARGB]
        }
        XCTAssertEqual(value(kCVPixelBufferPixelFormatTypeKey), Int(kCVPixelFormatType_32BGRA))
        output.videoSettings = nil
        XCTAssertEqual(
            value(kCVPixelBufferPixelFormatTypeKey), Int(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange))
        fixture.assertNoMisuse()
        withExtendedLifetime(session) {}
    }

    func testSamplesContainTheExposureAndTheColorSpace() throws {
        let fixture = try CaptureFixture()
        let frames = RecordingFrames(keepsSamples: true)
        let output = makeOutput(fixture, frames)
        output.videoSettings = [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA]
        let session = try fixture.makeSession(microphone: nil, [output])
        session.startRunning()
        fixture.advance(milliseconds: 10)
        session.stopRunning()
        let sample = try XCTUnwrap(frames.samples.first)
        let exif = try XCTUnwrap(
            CMGetAttachment(sample, key: "{Exif}", attachmentModeOut: nil) as? [String: Any])
        XCTAssertEqual(exif["FNumber"] as? Double ?? 0, 2.2, accuracy: 1e-6)
        XCTAssertGreaterThan(exif["ExposureTime"] as? Double ?? 0, 0)
        XCTAssertGreaterThan((exif["ISOSpeedRatings"] as? [Int])?.first ?? 0, 0)
        let pixels = try XCTUnwrap(sample.imageBuffer)
        XCTAssertEqual(
            CVBufferCopyAttachment(pixels, kCVImageBufferColorPrimariesKey, nil) as? String,
            kCVImageBufferColorPrimaries_ITU_R_709_2)
        XCTAssertEqual(sample.formatDescription?.dimensions.pixelSize, PixelSize(width: 320, height: 240))
    }

    func testTheOutputDoesNotRetainItsDelegate() throws {
        let fixture = try CaptureFixture()
        let output = fixture.inSystem { AVCaptureVideoDataOutput() }
        var frames: RecordingFrames? = RecordingFrames()
        output.setSampleBufferDelegate(frames, queue: frames?.queue)
        let session = try fixture.makeSession(microphone: nil, [output])
        session.startRunning()
        fixture.advance(milliseconds: 50)
        XCTAssertEqual(frames?.counters, [0, 1])
        frames = nil
        XCTAssertNil(output.sampleBufferDelegate)
        fixture.advance(milliseconds: 50)
        session.stopRunning()
    }
}
