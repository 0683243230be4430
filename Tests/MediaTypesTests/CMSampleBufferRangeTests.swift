import Foundation
import MediaTypes
import XCTest

/// Ranges of sample buffers, and buffers with data that is set after creation.
final class CMSampleBufferRangeTests: XCTestCase {
    /// Returns samples of 1, 2, 3 and 4 bytes with the byte values 0 … 9, 1 s apart.
    private func samples() throws -> CMSampleBuffer {
        let data = CMBlockBuffer(length: 10)
        try Data(0..<10).withUnsafeBytes { try data.replaceDataBytes(with: $0) }
        let times = (0..<4).map { index in
            CMSampleTimingInfo(
                duration: CMTime(value: 1, timescale: 1), presentationTimeStamp: CMTime(value: index, timescale: 1),
                decodeTimeStamp: .invalid)
        }
        return try CMSampleBuffer(
            dataBuffer: data, formatDescription: nil, numSamples: 4, sampleTimings: times, sampleSizes: [1, 2, 3, 4])
    }

    private func copy(_ buffer: CMSampleBuffer, _ location: Int, _ length: Int) -> (OSStatus, CMSampleBuffer?) {
        var result: CMSampleBuffer?
        let status = CMSampleBufferCopySampleBufferForRange(
            allocator: nil, sampleBuffer: buffer, sampleRange: CFRange(location: location, length: length),
            sampleBufferOut: &result)
        return (status, result)
    }

    func testARangeHasItsBytesTimesAndSizes() throws {
        let part = try XCTUnwrap(copy(samples(), 1, 2).1)
        XCTAssertEqual(part.numSamples, 2)
        XCTAssertEqual(part.sampleSizes, [2, 3])
        XCTAssertEqual(try part.dataBuffer?.dataBytes(), Data([1, 2, 3, 4, 5]))
        XCTAssertEqual(part.presentationTimeStamp.seconds, 1)
        XCTAssertEqual(part.duration.seconds, 2)
    }

    func testEmptyRangesAndRangesBeyondTheSamplesAreRejected() throws {
        for (location, length) in [(-1, 1), (0, 5), (4, 1), (0, 0), (1, Int.max)] {
            XCTAssertEqual(
                copy(try samples(), location, length).0, kCMSampleBufferError_SampleIndexOutOfRange,
                "\(location), \(length)")
        }
    }

    func testEachSampleIsPassedUntilAnError() throws {
        var bytes: [Data] = []
        let status = CMSampleBufferCallBlockForEachSample(try samples()) { sample, index in
            bytes.append((try? sample.dataBuffer?.dataBytes()) ?? Data())
            XCTAssertEqual(sample.presentationTimeStamp.seconds, Double(index))
            return index == 2 ? -5 : 0
        }
        XCTAssertEqual(status, -5)
        XCTAssertEqual(bytes, [Data([0]), Data([1, 2]), Data([3, 4, 5])])
        var count = 0
        let completeStatus = CMSampleBufferCallForEachSample(
            try samples(),
            callback: { _, _, context in
                context?.assumingMemoryBound(to: Int.self).pointee += 1
                return 0
            }, refcon: &count)
        XCTAssertEqual(completeStatus, 0)
        XCTAssertEqual(count, 4)
    }

    func testPartsOfPCMHaveTheTimesOfTheirFrames() throws {
        var stream = AudioStreamBasicDescription(
            mSampleRate: 8000, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, mBytesPerPacket: 2,
            mFramesPerPacket: 1, mBytesPerFrame: 2, mChannelsPerFrame: 1, mBitsPerChannel: 16, mReserved: 0)
        var format: CMAudioFormatDescription?
        CMAudioFormatDescriptionCreate(
            allocator: nil, asbd: &stream, layoutSize: 0, layout: nil, magicCookieSize: 0, magicCookie: nil,
            extensions: nil, formatDescriptionOut: &format)
        let description = try XCTUnwrap(format)
        let item = try XCTUnwrap(CMAudioFormatDescriptionGetRichestDecodableFormat(description))
        XCTAssertEqual(item.pointee.mASBD.mSampleRate, 8000)
        XCTAssertEqual(item.pointee.mChannelLayoutTag, kAudioChannelLayoutTag_Unknown)

        var buffer: CMSampleBuffer?
        CMAudioSampleBufferCreateWithPacketDescriptionsAndMakeDataReadyHandler(
            allocator: nil, dataBuffer: nil, dataReady: false, formatDescription: description, sampleCount: 800,
            presentationTimeStamp: CMTime(value: 8000, timescale: 8000), packetDescriptions: nil,
            sampleBufferOut: &buffer
        ) { buffer in
            CMSampleBufferSetDataBuffer(buffer, newValue: CMBlockBuffer(length: 1600))
        }
        let audioBuffer = try XCTUnwrap(buffer)
        XCTAssertEqual(copy(audioBuffer, 400, 100).0, kCMSampleBufferError_BufferNotReady)
        try audioBuffer.makeDataReady()
        let part = try XCTUnwrap(copy(audioBuffer, 400, 100).1)
        XCTAssertEqual(part.presentationTimeStamp.seconds, 1.05)
        XCTAssertEqual(part.duration.seconds, 0.0125)
        XCTAssertEqual(part.totalSampleSize, 200)
    }

    func testOutputTimesFollowTheSpeed() throws {
        let buffer = try samples()
        buffer.attachments[kCMSampleBufferAttachmentKey_SpeedMultiplier] = .shouldPropagate(2.0)
        try buffer.setOutputPresentationTimeStamp(CMTime(value: 10, timescale: 1))
        var times = [CMSampleTimingInfo](repeating: CMSampleTimingInfo(), count: 4)
        XCTAssertEqual(
            CMSampleBufferGetOutputSampleTimingInfoArray(
                buffer, entryCount: 4, arrayToFill: &times, entriesNeededOut: nil), 0)
        XCTAssertEqual(times.map(\.presentationTimeStamp.seconds), [10, 10.5, 11, 11.5])
        XCTAssertEqual(times.map(\.duration.seconds), [0.5, 0.5, 0.5, 0.5])
        XCTAssertFalse(times[0].decodeTimeStamp.isValid)
    }
}
