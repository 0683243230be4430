public import Foundation
public import MediaTypes

/// A buffer of audio.
open class AVAudioBuffer: NSObject {
    public final let format: AVAudioFormat
    /// The buffers with the valid bytes, the same memory as `mutableAudioBufferList`.
    public final var audioBufferList: UnsafePointer<AudioBufferList> { UnsafePointer(mutableAudioBufferList) }
    public final var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> { list.unsafeMutablePointer }
    final let list: UnsafeMutableAudioBufferListPointer

    init(_ format: AVAudioFormat, bufferCount: Int) {
        self.format = format
        list = AudioBufferList.allocate(maximumBuffers: bufferCount)
    }

    deinit { free(list.unsafeMutablePointer) }
}

/// A buffer of PCM samples.
///
/// - Important: Confined to one thread at a time.
public final class AVAudioPCMBuffer: AVAudioBuffer {
    /// In frames.
    public let frameCapacity: AVAudioFrameCount
    private let channels: UnsafeMutablePointer<UnsafeMutableRawPointer>
    private let release: () -> Void

    /// Creates a silent buffer with no valid frames; nil if the format is not PCM.
    public convenience init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
        let description = format.streamDescription.pointee
        guard description.isLinearPCM, description.mBytesPerFrame > 0 else { return nil }
        let byteCount = Int(description.mBytesPerFrame) * Int(frameCapacity)
        let count = format.isInterleaved ? 1 : Int(format.channelCount)
        // At least one byte, so that each channel has an address.
        let memory = (0..<count).compactMap { _ in calloc(max(byteCount, 1), 1) }
        guard memory.count == count else {
            for part in memory { free(part) }
            return nil
        }
        self.init(format, memory, frameCapacity) { for part in memory { free(part) } }
    }

    /// Creates a buffer over memory of the client; nil if the format is not PCM or the list does not match it.
    ///
    /// - Parameter deallocator: Called when the buffer is deallocated.
    public convenience init?(
        pcmFormat format: AVAudioFormat, bufferListNoCopy bufferList: UnsafePointer<AudioBufferList>,
        deallocator: ((UnsafePointer<AudioBufferList>) -> Void)? = nil
    ) {
        let description = format.streamDescription.pointee
        let source = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
        let memory = source.compactMap(\.mData)
        guard description.isLinearPCM, description.mBytesPerFrame > 0,
            memory.count == (format.isInterleaved ? 1 : Int(format.channelCount))
        else { return nil }
        let frames = source[0].mDataByteSize / description.mBytesPerFrame
        self.init(format, memory, frames) { deallocator?(bufferList) }
        frameLength = frames
    }

    private init(
        _ format: AVAudioFormat, _ memory: [UnsafeMutableRawPointer], _ capacity: AVAudioFrameCount,
        release: @escaping () -> Void
    ) {
        frameCapacity = capacity
        self.release = release
        let channelCount = Int(format.channelCount)
        channels = .allocate(capacity: max(channelCount, 1))
        for channel in 0..<channelCount {
            (channels + channel).initialize(
                to: format.isInterleaved
                    ? memory[0] + channel * Int(format.streamDescription.pointee.mBitsPerChannel / 8) : memory[channel])
        }
        super.init(format, bufferCount: memory.count)
        for (index, part) in memory.enumerated() {
            list[index] = AudioBuffer(
                mNumberChannels: format.isInterleaved ? format.channelCount : 1, mDataByteSize: 0, mData: part)
        }
    }

    deinit {
        release()
        channels.deallocate()
    }

    /// The number of valid frames, at most `frameCapacity`; larger values are limited.
    public var frameLength: AVAudioFrameCount = 0 {
        didSet {
            frameLength = min(frameLength, frameCapacity)
            for index in list.indices {
                list[index].mDataByteSize = frameLength * format.streamDescription.pointee.mBytesPerFrame
            }
        }
    }

    /// The distance between consecutive samples of a channel, in samples: 1, or the number of channels if they are
    /// interleaved.
    public var stride: Int { format.isInterleaved ? Int(format.channelCount) : 1 }

    /// The first sample of each channel; nil if the samples are of another type.
    public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? {
        channelData(.pcmFormatFloat32)
    }

    public var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? { channelData(.pcmFormatInt16) }
    public var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? { channelData(.pcmFormatInt32) }

    private func channelData<Sample>(
        _ type: AVAudioCommonFormat
    ) -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
        guard format.commonFormat == type else { return nil }
        return UnsafeRawPointer(channels).assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self)
    }

    /// The address of the first sample of a channel.
    func samples(of channel: Int) -> UnsafeMutableRawPointer { channels[channel] }
}
