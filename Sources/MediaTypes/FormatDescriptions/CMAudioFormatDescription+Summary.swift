// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// Creates the description of linear PCM that can represent the decoded and mixed audio of several descriptions.
///
/// The samples are interleaved 32-bit floating-point numbers. The sample rate is the highest of all descriptions. The
/// channel count and layout are those of the description with the most channels.
/// - Returns: `kCMFormatDescriptionError_InvalidParameter` if the array is empty or an element is not an audio
///   description.
@discardableResult
public func CMAudioFormatDescriptionCreateSummary(
    allocator: CFAllocator?, formatDescriptionArray: CFArray, flags: UInt32,
    formatDescriptionOut: UnsafeMutablePointer<CMAudioFormatDescription?>
) -> OSStatus {
    let descriptions = formatDescriptionArray.compactMap { $0 as? CMFormatDescription }
    let audio = descriptions.compactMap(\.audio)
    guard !audio.isEmpty, audio.count == formatDescriptionArray.count,
        let widest = audio.max(by: { $0.stream.mChannelsPerFrame < $1.stream.mChannelsPerFrame })
    else { return kCMFormatDescriptionError_InvalidParameter }
    let channelCount = max(widest.stream.mChannelsPerFrame, 1)
    let frameSize = channelCount * UInt32(MemoryLayout<Float>.size)
    let stream = AudioStreamBasicDescription(
        mSampleRate: audio.map(\.stream.mSampleRate).max() ?? 0, mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: kAudioFormatFlagsNativeFloatPacked, mBytesPerPacket: frameSize, mFramesPerPacket: 1,
        mBytesPerFrame: frameSize, mChannelsPerFrame: channelCount, mBitsPerChannel: 32, mReserved: 0)
    formatDescriptionOut.pointee = CMFormatDescription(
        audio: AudioDescription(stream: stream, layout: widest.layout, magicCookie: nil), entries: [:])
    return noErr
}
