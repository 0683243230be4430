/// The four-character code of an audio format.
public typealias AudioFormatID = UInt32
/// The flags of an audio format: `kAudioFormatFlag…`, also named `kLinearPCMFormatFlag…`.
public typealias AudioFormatFlags = UInt32

/// The format of uncompressed or compressed audio.
///
/// In linear PCM, a packet is one frame: one sample of each channel. Fields that do not apply to a format are 0.
public struct AudioStreamBasicDescription: Sendable {
    /// Frames per second.
    public var mSampleRate: Double
    /// The format.
    public var mFormatID: AudioFormatID
    /// The flags of the format.
    public var mFormatFlags: AudioFormatFlags
    /// Bytes per packet; 0 if packets vary in size.
    public var mBytesPerPacket: UInt32
    /// Frames per packet: 1 in linear PCM, 1024 in AAC; 0 if packets vary.
    public var mFramesPerPacket: UInt32
    /// Bytes per frame in one buffer; 0 in compressed formats.
    public var mBytesPerFrame: UInt32
    /// Channels per frame.
    public var mChannelsPerFrame: UInt32
    /// Significant bits per sample; 0 in compressed formats.
    public var mBitsPerChannel: UInt32
    /// Always 0.
    public var mReserved: UInt32

    /// Creates a description of zeros.
    public init() {
        self.init(
            mSampleRate: 0, mFormatID: 0, mFormatFlags: 0, mBytesPerPacket: 0, mFramesPerPacket: 0, mBytesPerFrame: 0,
            mChannelsPerFrame: 0, mBitsPerChannel: 0, mReserved: 0)
    }

    /// Creates a description from its fields.
    public init(
        mSampleRate: Double, mFormatID: AudioFormatID, mFormatFlags: AudioFormatFlags, mBytesPerPacket: UInt32,
        mFramesPerPacket: UInt32, mBytesPerFrame: UInt32, mChannelsPerFrame: UInt32, mBitsPerChannel: UInt32,
        mReserved: UInt32
    ) {
        self.mSampleRate = mSampleRate
        self.mFormatID = mFormatID
        self.mFormatFlags = mFormatFlags
        self.mBytesPerPacket = mBytesPerPacket
        self.mFramesPerPacket = mFramesPerPacket
        self.mBytesPerFrame = mBytesPerFrame
        self.mChannelsPerFrame = mChannelsPerFrame
        self.mBitsPerChannel = mBitsPerChannel
        self.mReserved = mReserved
    }

    /// Returns the description of interleaved, packed, native-endian linear PCM.
    package static func linearPCM(
        sampleRate: Double, channels: Int, bitsPerChannel: Int = 16, isFloat: Bool = false
    ) -> AudioStreamBasicDescription {
        let frameByteCount = UInt32(channels * bitsPerChannel / 8)
        return AudioStreamBasicDescription(
            mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
                | kAudioFormatFlagIsPacked,
            mBytesPerPacket: frameByteCount, mFramesPerPacket: 1, mBytesPerFrame: frameByteCount,
            mChannelsPerFrame: UInt32(channels), mBitsPerChannel: UInt32(bitsPerChannel), mReserved: 0)
    }

    /// Whether all fields are equal.
    package func isEqual(to other: AudioStreamBasicDescription) -> Bool {
        mSampleRate == other.mSampleRate && mFormatID == other.mFormatID && mFormatFlags == other.mFormatFlags
            && mBytesPerPacket == other.mBytesPerPacket && mFramesPerPacket == other.mFramesPerPacket
            && mBytesPerFrame == other.mBytesPerFrame && mChannelsPerFrame == other.mChannelsPerFrame
            && mBitsPerChannel == other.mBitsPerChannel && mReserved == other.mReserved
    }

    /// Whether the format is linear PCM.
    package var isLinearPCM: Bool { mFormatID == kAudioFormatLinearPCM }
    /// Whether each channel has its own buffer.
    package var isNonInterleaved: Bool { isLinearPCM && mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0 }
}

/// The position and size of a packet in a block of data.
public struct AudioStreamPacketDescription: Hashable, Sendable {
    /// The offset from the start of the data in bytes.
    public var mStartOffset: Int64
    /// The number of frames in the packet if packets vary in frames, otherwise 0.
    public var mVariableFramesInPacket: UInt32
    /// The size of the packet in bytes.
    public var mDataByteSize: UInt32

    /// Creates a description.
    public init(mStartOffset: Int64 = 0, mVariableFramesInPacket: UInt32 = 0, mDataByteSize: UInt32 = 0) {
        self.mStartOffset = mStartOffset
        self.mVariableFramesInPacket = mVariableFramesInPacket
        self.mDataByteSize = mDataByteSize
    }
}

/// One of several formats in which a stream can be decoded, with its channel layout.
public struct AudioFormatListItem: Sendable {
    /// The format.
    public var mASBD: AudioStreamBasicDescription
    /// The layout of its channels.
    public var mChannelLayoutTag: AudioChannelLayoutTag

    /// Creates an item.
    public init(mASBD: AudioStreamBasicDescription, mChannelLayoutTag: AudioChannelLayoutTag) {
        self.mASBD = mASBD
        self.mChannelLayoutTag = mChannelLayoutTag
    }
}
