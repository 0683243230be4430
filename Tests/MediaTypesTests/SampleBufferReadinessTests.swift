import MediaTypes
import XCTest

final class SampleBufferReadinessTests: XCTestCase {
    private func audioBuffer(
        packets: [AudioStreamPacketDescription] = [], isReady: Bool = true,
        makeReady: CMSampleBufferMakeDataReadyHandler? = nil
    ) throws -> CMSampleBuffer {
        let format = try CMFormatDescription(
            audioStreamBasicDescription: AudioStreamBasicDescription(
                mSampleRate: 48000, mFormatID: kAudioFormatMPEG4AAC, mFormatFlags: 0, mBytesPerPacket: 0,
                mFramesPerPacket: 1024, mBytesPerFrame: 0, mChannelsPerFrame: 2, mBitsPerChannel: 0, mReserved: 0))
        var block: CMBlockBuffer?
        CMBlockBufferCreateWithMemoryBlock(
            allocator: nil, memoryBlock: nil, blockLength: 30, blockAllocator: nil, customBlockSource: nil,
            offsetToData: 0, dataLength: 30, flags: 0, blockBufferOut: &block)
        var buffer: CMSampleBuffer?
        let status = CMAudioSampleBufferCreateWithPacketDescriptionsAndMakeDataReadyHandler(
            allocator: nil, dataBuffer: block, dataReady: isReady, formatDescription: format,
            sampleCount: packets.count, presentationTimeStamp: .zero, packetDescriptions: packets,
            sampleBufferOut: &buffer, makeDataReadyHandler: makeReady)
        XCTAssertEqual(status, noErr)
        return try XCTUnwrap(buffer)
    }

    private let packets = [(0, 10), (10, 20)].map {
        AudioStreamPacketDescription(mStartOffset: $0.0, mVariableFramesInPacket: 0, mDataByteSize: $0.1)
    }

    func testPacketDescriptionsAreReadThroughAStablePointer() throws {
        let buffer = try audioBuffer(packets: packets)
        var addresses: [UnsafePointer<AudioStreamPacketDescription>?] = [nil, nil]
        var size = 0
        for index in 0..<2 {
            XCTAssertEqual(
                CMSampleBufferGetAudioStreamPacketDescriptionsPtr(
                    buffer, packetDescriptionsPointerOut: &addresses[index], packetDescriptionsSizeOut: &size), noErr)
        }
        XCTAssertEqual(addresses[0], addresses[1])
        XCTAssertEqual(size, 2 * MemoryLayout<AudioStreamPacketDescription>.stride)
        let address = try XCTUnwrap(addresses[0])
        XCTAssertEqual([address[0].mDataByteSize, address[1].mDataByteSize], [10, 20])
        XCTAssertEqual(address[1].mStartOffset, 10)
        withExtendedLifetime(buffer) {}
    }

    func testOnlyAudioHasPacketDescriptions() throws {
        let video = try CMSampleBuffer(
            dataBuffer: nil, formatDescription: CMFormatDescription(videoCodecType: .h264, width: 2, height: 2),
            numSamples: 0, sampleTimings: [], sampleSizes: [])
        XCTAssertEqual(
            CMSampleBufferGetAudioStreamPacketDescriptionsPtr(
                video, packetDescriptionsPointerOut: nil, packetDescriptionsSizeOut: nil),
            kCMSampleBufferError_InvalidMediaTypeForOperation)
    }

    func testABufferTracksTheReadinessOfAnother() throws {
        let source = try audioBuffer(packets: packets, isReady: false) { _ in noErr }
        let buffers = try (0..<2).map { _ in try audioBuffer(packets: packets) }
        for buffer in buffers {
            XCTAssertEqual(CMSampleBufferTrackDataReadiness(buffer, sampleBufferToTrack: source), noErr)
        }
        XCTAssertEqual(buffers.map(CMSampleBufferDataIsReady), [false, false])
        var copy: CMSampleBuffer?
        CMSampleBufferCreateCopy(allocator: nil, sampleBuffer: buffers[0], sampleBufferOut: &copy)
        XCTAssertEqual(copy?.dataReadiness, .notReady)
        XCTAssertEqual(CMSampleBufferMakeDataReady(buffers[0]), noErr)
        XCTAssertEqual(source.dataReadiness, .ready)
        XCTAssertEqual(buffers.map(CMSampleBufferDataIsReady), [true, true])
        XCTAssertEqual(copy?.dataReadiness, .ready)
        CMSampleBufferSetDataFailed(source, status: -5)
        var status: OSStatus = 0
        XCTAssertTrue(CMSampleBufferHasDataFailed(buffers[1], statusOut: &status))
        XCTAssertEqual(status, -5)
    }

    func testBuffersDoNotTrackThemselves() throws {
        let (first, second) = try (audioBuffer(packets: packets), audioBuffer(packets: packets))
        try second.trackDataReadiness(first)
        for tracked in [first, second] {
            XCTAssertEqual(
                CMSampleBufferTrackDataReadiness(first, sampleBufferToTrack: tracked),
                kCMSampleBufferError_RequiredParameterMissing)
        }
        try second.invalidate()
        XCTAssertEqual(
            CMSampleBufferTrackDataReadiness(second, sampleBufferToTrack: first), kCMSampleBufferError_Invalidated)
    }
}
