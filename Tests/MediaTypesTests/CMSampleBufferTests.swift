import Foundation
import XCTest

@testable import MediaTypes

final class CMSampleBufferTests: XCTestCase {
    private let timing = CMSampleTimingInfo(
        duration: CMTime(value: 1, timescale: 30), presentationTimeStamp: CMTime(value: 5, timescale: 30),
        decodeTimeStamp: .invalid)

    private func makePixelBuffer(_ width: Int = 32) throws -> CVPixelBuffer {
        try XCTUnwrap(CVPixelBuffer(width: width, height: 16, pixelFormat: kCVPixelFormatType_32BGRA))
    }

    private func makeVideoSample() throws -> CMSampleBuffer {
        let pixelBuffer = try makePixelBuffer()
        return CMSampleBuffer(
            imageBuffer: pixelBuffer, formatDescription: CMFormatDescription(describing: pixelBuffer), timing: timing)
    }

    func testAnImageSampleHasItsProperties() throws {
        let pixelBuffer = try makePixelBuffer()
        let description = try CMFormatDescription(imageBuffer: pixelBuffer)
        var (sample, timing): (CMSampleBuffer?, CMSampleTimingInfo) = (nil, timing)
        XCTAssertEqual(
            CMSampleBufferCreateReadyWithImageBuffer(
                allocator: kCFAllocatorDefault, imageBuffer: pixelBuffer, formatDescription: description,
                sampleTiming: &timing, sampleBufferOut: &sample), noErr)
        let created = try XCTUnwrap(sample)
        XCTAssertEqual(CMSampleBufferGetImageBuffer(created), pixelBuffer)
        XCTAssertNil(CMSampleBufferGetDataBuffer(created))
        XCTAssertEqual(CMSampleBufferGetNumSamples(created), 1)
        XCTAssertEqual(CMSampleBufferGetPresentationTimeStamp(created), timing.presentationTimeStamp)
        XCTAssertEqual(CMSampleBufferGetDuration(created), timing.duration)
        XCTAssertTrue(CMSampleBufferDataIsReady(created))
        XCTAssertEqual(
            CMSampleBufferCreateReadyWithImageBuffer(
                allocator: nil, imageBuffer: try self.makePixelBuffer(48), formatDescription: description,
                sampleTiming: &timing, sampleBufferOut: &sample), kCMSampleBufferError_InvalidMediaFormat)
    }

    func testADroppedFrameHasTimingAndAReasonButNoPixels() {
        let dropped = CMSampleBuffer(
            droppedFrame: timing, formatDescription: nil, reason: kCMSampleBufferDroppedFrameReason_FrameWasLate)
        XCTAssertNil(dropped.imageBuffer)
        XCTAssertEqual(dropped.presentationTimeStamp, timing.presentationTimeStamp)
        var mode: CMAttachmentMode = 9
        let reason = CMGetAttachment(
            dropped, key: kCMSampleBufferAttachmentKey_DroppedFrameReason, attachmentModeOut: &mode)
        XCTAssertEqual(reason as? String, kCMSampleBufferDroppedFrameReason_FrameWasLate)
        XCTAssertEqual(mode, kCMAttachmentMode_ShouldPropagate)
    }

    func testAValueThatCannotHaveAttachmentsHasNone() {
        let text: CFString = "text"
        CMSetAttachment(text, key: "key", value: 1, attachmentMode: kCMAttachmentMode_ShouldPropagate)
        XCTAssertNil(CMGetAttachment(text, key: "key", attachmentModeOut: nil))
        XCTAssertNil(
            CMCopyDictionaryOfAttachments(
                allocator: kCFAllocatorDefault, target: text, attachmentMode: kCMAttachmentMode_ShouldPropagate))
    }

    func testOneTimingEntryAppliesToAllSamples() throws {
        let sample = try CMSampleBuffer(
            dataBuffer: CMBlockBuffer(length: 12), formatDescription: nil, numSamples: 3, sampleTimings: [timing],
            sampleSizes: [4])
        XCTAssertEqual(sample.duration, CMTime(value: 3, timescale: 30))
        XCTAssertEqual(
            try sample.sampleTimingInfo(at: 2).presentationTimeStamp, CMTime(value: 7, timescale: 30))
        XCTAssertEqual(sample.sampleSize(at: 2), 4)
        XCTAssertEqual(sample.totalSampleSize, 12)
        XCTAssertThrowsError(try sample.sampleTimingInfo(at: 3))
        XCTAssertEqual(sample.sampleSize(at: 3), 0)
    }

    func testIndividualTimingYieldsTheEarliestTimeAndTheSpan() throws {
        func entry(_ shown: Int64, _ decoded: Int64) -> CMSampleTimingInfo {
            CMSampleTimingInfo(
                duration: CMTime(value: 1, timescale: 30), presentationTimeStamp: CMTime(value: shown, timescale: 30),
                decodeTimeStamp: CMTime(value: decoded, timescale: 30))
        }
        let sample = try CMSampleBuffer(
            dataBuffer: CMBlockBuffer(length: 6), formatDescription: nil, numSamples: 3,
            sampleTimings: [entry(4, 0), entry(2, 1), entry(3, 2)], sampleSizes: [1, 2, 3])
        XCTAssertEqual(sample.presentationTimeStamp, CMTime(value: 2, timescale: 30))
        XCTAssertEqual(sample.decodeTimeStamp, .zero)
        XCTAssertEqual(sample.duration, CMTime(value: 3, timescale: 30))
        XCTAssertEqual(sample.totalSampleSize, 6)
    }

    func testCountsAndSizesMustMatch() {
        func make(_ count: Int, _ timings: Int, _ sizes: [Int]) throws {
            _ = try CMSampleBuffer(
                dataBuffer: CMBlockBuffer(length: 6), formatDescription: nil, numSamples: count,
                sampleTimings: [CMSampleTimingInfo](repeating: timing, count: timings), sampleSizes: sizes)
        }
        XCTAssertNoThrow(try make(3, 0, []))
        XCTAssertThrowsError(try make(3, 2, []))
        XCTAssertThrowsError(try make(3, 3, [1, 2]))
        XCTAssertThrowsError(try make(3, 3, [3, 3, 3]))
        XCTAssertThrowsError(try make(3, 3, [.max]))
        XCTAssertThrowsError(try make(-1, 0, []))
        XCTAssertThrowsError(try make(1, 0, [-1]))
    }

    func testTheTimingArrayReturnsItsSize() throws {
        let sample = try makeVideoSample()
        var entryCount = 0
        XCTAssertEqual(
            CMSampleBufferGetSampleTimingInfoArray(
                sample, entryCount: 0, arrayToFill: nil, entriesNeededOut: &entryCount),
            noErr)
        XCTAssertEqual(entryCount, 1)
        var array = [CMSampleTimingInfo](repeating: .invalid, count: entryCount)
        XCTAssertEqual(
            CMSampleBufferGetSampleTimingInfoArray(
                sample, entryCount: entryCount, arrayToFill: &array, entriesNeededOut: nil), noErr)
        XCTAssertEqual(
            array.flatMap { [$0.duration, $0.presentationTimeStamp, $0.decodeTimeStamp] },
            [timing.duration, timing.presentationTimeStamp, timing.decodeTimeStamp])
        XCTAssertEqual(
            CMSampleBufferGetSampleTimingInfoArray(sample, entryCount: 0, arrayToFill: &array, entriesNeededOut: nil),
            kCMSampleBufferError_ArrayTooSmall)
    }

    func testACopyWithNewTimingSharesThePayload() throws {
        let sample = try makeVideoSample()
        CMSetAttachment(sample, key: "key", value: 3, attachmentMode: kCMAttachmentMode_ShouldPropagate)
        sample.setSync(false)
        var laterTiming = timing
        laterTiming.presentationTimeStamp = CMTime(value: 1, timescale: 1)
        var copy: CMSampleBuffer?
        XCTAssertEqual(
            CMSampleBufferCreateCopyWithNewTiming(
                allocator: nil, sampleBuffer: sample, sampleTimingEntryCount: 1, sampleTimingArray: &laterTiming,
                sampleBufferOut: &copy), noErr)
        let created = try XCTUnwrap(copy)
        XCTAssertTrue(created.imageBuffer === sample.imageBuffer)
        XCTAssertEqual(created.presentationTimeStamp, laterTiming.presentationTimeStamp)
        XCTAssertEqual(sample.presentationTimeStamp, timing.presentationTimeStamp)
        XCTAssertEqual(created.attachments["key"]?.value as? Int, 3)
        XCTAssertFalse(created.isSync)
    }

    func testEachSampleHasAttachments() throws {
        let sample = try makeVideoSample()
        XCTAssertNil(CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false))
        XCTAssertEqual(CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: true)?.count, 1)
        XCTAssertTrue(sample.isSync)
        sample.sampleAttachments[0][.notSync] = true
        XCTAssertFalse(sample.isSync)
        let array = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false) as? [[CFString: Any]]
        XCTAssertEqual(array?.first?[kCMSampleAttachmentKey_NotSync] as? Bool, true)
    }

    func testAttachmentsPropagateByMode() throws {
        let (first, second) = (try makeVideoSample(), try makeVideoSample())
        CMSetAttachment(first, key: "stays", value: 1, attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
        CMSetAttachment(first, key: "goes", value: 2, attachmentMode: kCMAttachmentMode_ShouldPropagate)
        CMPropagateAttachments(first, destination: second)
        XCTAssertNil(CMGetAttachment(second, key: "stays", attachmentModeOut: nil))
        XCTAssertEqual(CMGetAttachment(second, key: "goes", attachmentModeOut: nil) as? Int, 2)
        XCTAssertEqual(
            CMCopyDictionaryOfAttachments(
                allocator: nil, target: first, attachmentMode: kCMAttachmentMode_ShouldNotPropagate)?.count, 1)
        CMRemoveAttachment(first, key: "goes")
        CMRemoveAllAttachments(second)
        XCTAssertNil(second.attachments["goes"])
    }

    func testTrimsAndSpeedDetermineTheOutput() throws {
        let sample = try CMSampleBuffer(
            dataBuffer: nil, formatDescription: nil, numSamples: 30, sampleTimings: [timing], sampleSizes: [])
        let trim = CMTimeCopyAsDictionary(CMTime(value: 1, timescale: 2), allocator: nil)
        CMSetAttachment(
            sample, key: kCMSampleBufferAttachmentKey_TrimDurationAtStart, value: trim,
            attachmentMode: kCMAttachmentMode_ShouldPropagate)
        XCTAssertEqual(sample.outputDuration, CMTime(value: 1, timescale: 2))
        XCTAssertEqual(sample.outputPresentationTimeStamp, CMTime(value: 2, timescale: 3))
        CMSetAttachment(
            sample, key: kCMSampleBufferAttachmentKey_SpeedMultiplier, value: 2.0,
            attachmentMode: kCMAttachmentMode_ShouldPropagate)
        XCTAssertEqual(sample.outputDuration, CMTime(value: 1, timescale: 4))
        try sample.setOutputPresentationTimeStamp(.zero)
        XCTAssertEqual(sample.outputPresentationTimeStamp, .zero)
    }

    func testTheSpeedScalesTheDecodeTimeOfTheOutput() throws {
        let sample = try CMSampleBuffer(
            dataBuffer: nil, formatDescription: nil, numSamples: 1,
            sampleTimings: [
                CMSampleTimingInfo(
                    duration: CMTime(value: 1, timescale: 30), presentationTimeStamp: CMTime(value: 3, timescale: 30),
                    decodeTimeStamp: CMTime(value: 1, timescale: 30))
            ], sampleSizes: [])
        CMSetAttachment(
            sample, key: kCMSampleBufferAttachmentKey_SpeedMultiplier, value: 2.0,
            attachmentMode: kCMAttachmentMode_ShouldPropagate)
        // The header of CMSampleBuffer: OutputPTS + ((DTS - PTS) / SpeedMultiplier).
        XCTAssertEqual(sample.outputDecodeTimeStamp, CMTime(value: 2, timescale: 30))
    }

    func testReversedMediaBeginsAtItsEnd() throws {
        let sample = try CMSampleBuffer(
            dataBuffer: nil, formatDescription: nil, numSamples: 30, sampleTimings: [timing], sampleSizes: [])
        let start = sample.presentationTimeStamp
        CMSetAttachment(
            sample, key: kCMSampleBufferAttachmentKey_Reverse, value: true,
            attachmentMode: kCMAttachmentMode_ShouldPropagate)
        XCTAssertEqual(sample.outputPresentationTimeStamp, start + CMTime(value: 1, timescale: 1))
        CMSetAttachment(
            sample, key: kCMSampleBufferAttachmentKey_TrimDurationAtEnd,
            value: CMTimeCopyAsDictionary(CMTime(value: 1, timescale: 4), allocator: nil),
            attachmentMode: kCMAttachmentMode_ShouldPropagate)
        XCTAssertEqual(sample.outputPresentationTimeStamp, start + CMTime(value: 3, timescale: 4))
    }

    func testDataCanBeSetLaterOnce() throws {
        var sample: CMSampleBuffer?
        XCTAssertEqual(
            CMSampleBufferCreate(
                allocator: nil, dataBuffer: nil, dataReady: false,
                makeDataReadyCallback: { sample, _ in
                    CMSampleBufferSetDataBuffer(sample, newValue: CMBlockBuffer(length: 4))
                }, refcon: nil, formatDescription: nil, sampleCount: 1, sampleTimingEntryCount: 0,
                sampleTimingArray: nil, sampleSizeEntryCount: 0, sampleSizeArray: nil, sampleBufferOut: &sample), noErr)
        let created = try XCTUnwrap(sample)
        XCTAssertEqual(created.dataReadiness, .notReady)
        XCTAssertEqual(CMSampleBufferMakeDataReady(created), noErr)
        XCTAssertTrue(CMSampleBufferDataIsReady(created))
        XCTAssertEqual(
            CMSampleBufferSetDataBuffer(created, newValue: CMBlockBuffer(length: 4)),
            kCMSampleBufferError_AlreadyHasDataBuffer)
    }

    func testInvalidationHappensOnce() throws {
        let sample = try makeVideoSample()
        let calls = Lock(0)
        XCTAssertEqual(CMSampleBufferSetInvalidateHandler(sample) { _ in calls.withLock { $0 += 1 } }, noErr)
        XCTAssertEqual(CMSampleBufferInvalidate(sample), noErr)
        XCTAssertEqual(CMSampleBufferInvalidate(sample), kCMSampleBufferError_Invalidated)
        XCTAssertFalse(CMSampleBufferIsValid(sample))
        XCTAssertEqual(calls.withLock { $0 }, 1)
        var copy: CMSampleBuffer?
        XCTAssertEqual(
            CMSampleBufferCreateCopy(allocator: nil, sampleBuffer: sample, sampleBufferOut: &copy),
            kCMSampleBufferError_Invalidated)
    }
}
