import Foundation
import XCTest

@testable import MediaTypes

final class AudioSampleBufferTests: XCTestCase {
    private func makeAudio(
        _ stream: AudioStreamBasicDescription, _ bytes: [UInt8], frames: Int
    ) throws -> CMSampleBuffer {
        try makeAudio(stream, CMBlockBuffer(copying: bytes), frames: frames)
    }

    private func makeAudio(
        _ stream: AudioStreamBasicDescription, _ data: CMBlockBuffer, frames: Int
    ) throws -> CMSampleBuffer {
        var sample: CMSampleBuffer?
        let status = CMAudioSampleBufferCreateReadyWithPacketDescriptions(
            allocator: nil, dataBuffer: data,
            formatDescription: try CMFormatDescription(audioStreamBasicDescription: stream), sampleCount: frames,
            presentationTimeStamp: CMTime(value: 48000, timescale: 48000), packetDescriptions: nil,
            sampleBufferOut: &sample)
        XCTAssertEqual(status, noErr)
        return try XCTUnwrap(sample)
    }

    private var planar: AudioStreamBasicDescription {
        var stream = AudioStreamBasicDescription.linearPCM(sampleRate: 48000, channels: 2)
        stream.mFormatFlags |= kAudioFormatFlagIsNonInterleaved
        stream.mBytesPerFrame = 2
        stream.mBytesPerPacket = 2
        return stream
    }

    func testInterleavedAudioIsOneBuffer() throws {
        let stream = AudioStreamBasicDescription.linearPCM(sampleRate: 48000, channels: 2)
        let sample = try makeAudio(stream, [1, 2, 3, 4, 5, 6, 7, 8], frames: 2)
        XCTAssertEqual(sample.duration, CMTime(value: 2, timescale: 48000))
        XCTAssertEqual(sample.totalSampleSize, 8)
        try sample.withAudioBufferList { list, _ in
            XCTAssertEqual(list.count, 1)
            XCTAssertEqual(list[0].mNumberChannels, 2)
            XCTAssertEqual(list[0].mDataByteSize, 8)
            XCTAssertEqual(list[0].mData?.load(fromByteOffset: 4, as: UInt8.self), 5)
        }
    }

    func testNonInterleavedAudioIsOneBufferPerChannel() throws {
        let sample = try makeAudio(planar, [1, 2, 3, 4, 5, 6, 7, 8], frames: 2)
        var (needed, block): (Int, CMBlockBuffer?) = (0, nil)
        XCTAssertEqual(
            CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
                sample, bufferListSizeNeededOut: &needed, bufferListOut: nil, bufferListSize: 0,
                blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0, blockBufferOut: nil), noErr)
        XCTAssertEqual(needed, 40, "the layout is that of Apple's C struct")
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        defer { free(list.unsafeMutablePointer) }
        XCTAssertEqual(
            CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
                sample, bufferListSizeNeededOut: nil, bufferListOut: list.unsafeMutablePointer, bufferListSize: 24,
                blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0, blockBufferOut: &block),
            kCMSampleBufferError_ArrayTooSmall)
        XCTAssertEqual(
            CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
                sample, bufferListSizeNeededOut: nil, bufferListOut: list.unsafeMutablePointer, bufferListSize: needed,
                blockBufferAllocator: nil, blockBufferMemoryAllocator: nil,
                flags: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment, blockBufferOut: &block), noErr)
        withExtendedLifetime(block) {
            XCTAssertEqual(list.map { $0.mData?.load(as: UInt8.self) }, [1, 5])
            XCTAssertEqual(list.map { UInt(bitPattern: $0.mData) % 16 }, [0, 0])
        }
    }

    func testUnalignedAudioIsCopiedIfAlignmentIsRequested() throws {
        for stream in [planar, AudioStreamBasicDescription.linearPCM(sampleRate: 48000, channels: 2)] {
            let frames = 16
            let bytes = [UInt8](repeating: 0, count: 3) + (0..<frames * 4).map { UInt8($0) }
            let source = CMBlockBuffer(copying: bytes)
            let data = CMBlockBuffer()
            XCTAssertEqual(
                CMBlockBufferAppendBufferReference(
                    data, targetBBuf: source, offsetToData: 3, dataLength: frames * 4, flags: 0), kCMBlockBufferNoErr)
            let sample = try makeAudio(stream, data, frames: frames)
            let list = AudioBufferList.allocate(maximumBuffers: 2)
            defer { free(list.unsafeMutablePointer) }
            var block: CMBlockBuffer?
            XCTAssertEqual(
                CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
                    sample, bufferListSizeNeededOut: nil, bufferListOut: list.unsafeMutablePointer, bufferListSize: 40,
                    blockBufferAllocator: nil, blockBufferMemoryAllocator: nil,
                    flags: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment, blockBufferOut: &block), noErr)
            withExtendedLifetime(block) {
                let addresses = list.map { UInt(bitPattern: $0.mData) % 16 }
                XCTAssertEqual(addresses, [UInt](repeating: 0, count: list.count))
                let copiedBytes = list.flatMap { buffer in
                    UnsafeRawBufferPointer(start: buffer.mData, count: Int(buffer.mDataByteSize)).map { $0 }
                }
                XCTAssertEqual(copiedBytes, Array(bytes[3...]))
            }
        }
    }

    func testPCMIsCopiedFromAnOffset() throws {
        let sample = try makeAudio(planar, [1, 2, 3, 4, 5, 6, 7, 8], frames: 2)
        var (left, right) = (UInt16(0), UInt16(0))
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        defer { free(list.unsafeMutablePointer) }
        withUnsafeMutablePointer(to: &left) { left in
            withUnsafeMutablePointer(to: &right) { right in
                list[0] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 2, mData: left)
                list[1] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 2, mData: right)
                XCTAssertEqual(
                    CMSampleBufferCopyPCMDataIntoAudioBufferList(
                        sample, at: 1, frameCount: 1, into: list.unsafeMutablePointer), noErr)
                XCTAssertEqual(
                    CMSampleBufferCopyPCMDataIntoAudioBufferList(
                        sample, at: 1, frameCount: 2, into: list.unsafeMutablePointer),
                    kCMSampleBufferError_SampleIndexOutOfRange)
            }
        }
        XCTAssertEqual([left, right], [0x0403, 0x0807])
    }

    func testABufferListIsCopiedToTheSampleBuffer() throws {
        var sample: CMSampleBuffer?
        XCTAssertEqual(
            CMAudioSampleBufferCreateWithPacketDescriptions(
                allocator: nil, dataBuffer: nil, dataReady: false, makeDataReadyCallback: nil, refcon: nil,
                formatDescription: try CMFormatDescription(audioStreamBasicDescription: planar), sampleCount: 1,
                presentationTimeStamp: .zero, packetDescriptions: nil, sampleBufferOut: &sample), noErr)
        let sampleBuffer = try XCTUnwrap(sample)
        let list = AudioBufferList.allocate(maximumBuffers: 2)
        defer { free(list.unsafeMutablePointer) }
        var bytes: [UInt8] = [1, 2, 3, 4]
        bytes.withUnsafeMutableBytes { memory in
            list[0] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 2, mData: memory.baseAddress)
            list[1] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 2, mData: memory.baseAddress.map { $0 + 2 })
            XCTAssertEqual(
                CMSampleBufferSetDataBufferFromAudioBufferList(
                    sampleBuffer, blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0,
                    bufferList: list.unsafeMutablePointer), noErr)
        }
        XCTAssertTrue(CMSampleBufferDataIsReady(sampleBuffer))
        XCTAssertEqual(try sampleBuffer.dataBuffer?.dataBytes(), Data(bytes))
    }

    func testPacketsDetermineSizesAndTiming() throws {
        let stream = AudioStreamBasicDescription(
            mSampleRate: 44100, mFormatID: kAudioFormatMPEG4AAC, mFormatFlags: 0, mBytesPerPacket: 0,
            mFramesPerPacket: 1024, mBytesPerFrame: 0, mChannelsPerFrame: 2, mBitsPerChannel: 0, mReserved: 0)
        let packets = [
            AudioStreamPacketDescription(mStartOffset: 0, mDataByteSize: 3),
            AudioStreamPacketDescription(mStartOffset: 3, mDataByteSize: 5),
        ]
        var sample: CMSampleBuffer?
        let format = try CMFormatDescription(audioStreamBasicDescription: stream)
        func make(_ byteCount: Int) -> OSStatus {
            CMAudioSampleBufferCreateReadyWithPacketDescriptions(
                allocator: nil, dataBuffer: CMBlockBuffer(length: byteCount), formatDescription: format,
                sampleCount: 2, presentationTimeStamp: .zero, packetDescriptions: packets, sampleBufferOut: &sample)
        }
        XCTAssertEqual(make(7), kCMSampleBufferError_InvalidSampleData)
        XCTAssertEqual(make(8), noErr)
        let sampleBuffer = try XCTUnwrap(sample)
        XCTAssertEqual(sampleBuffer.duration, CMTime(value: 2048, timescale: 44100))
        XCTAssertEqual(sampleBuffer.sampleSizes, [3, 5])
        var copied = [AudioStreamPacketDescription](repeating: AudioStreamPacketDescription(), count: 2)
        XCTAssertEqual(
            CMSampleBufferGetAudioStreamPacketDescriptions(
                sampleBuffer, packetDescriptionsSize: 32, packetDescriptionsOut: &copied,
                packetDescriptionsSizeNeededOut: nil), noErr)
        XCTAssertEqual(copied, packets)
    }

    func testAnImageHasNoAudioBuffers() throws {
        let pixelBuffer = try XCTUnwrap(CVPixelBuffer(width: 2, height: 2, pixelFormat: kCVPixelFormatType_32BGRA))
        let sample = CMSampleBuffer(
            imageBuffer: pixelBuffer, formatDescription: CMFormatDescription(describing: pixelBuffer), timing: .invalid)
        XCTAssertThrowsError(try sample.withAudioBufferList { _, _ in })
    }
}
