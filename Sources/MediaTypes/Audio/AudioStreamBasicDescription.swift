/// A four-character code that names an audio coding.
public typealias AudioFormatID = UInt32
/// Bits that describe an audio coding: `kAudioFormatFlag…`, of which `kLinearPCMFormatFlag…` are other names.
public typealias AudioFormatFlags = UInt32

/// How sound is laid out in memory, or coded.
///
/// For linear PCM a packet is one frame: a sample of every channel. Fields that a coding leaves open are 0.
public struct AudioStreamBasicDescription: Hashable, Sendable {
    /// Frames per second.
    public var mSampleRate: Double
    /// The coding.
    public var mFormatID: AudioFormatID
    /// The coding's flags.
    public var mFormatFlags: AudioFormatFlags
    /// Bytes in a packet; 0 where packets differ in size.
    public var mBytesPerPacket: UInt32
    /// Frames in a packet: 1 in linear PCM, 1024 in AAC; 0 where packets differ.
    public var mFramesPerPacket: UInt32
    /// Bytes in a frame of one buffer; 0 in compressed codings.
    public var mBytesPerFrame: UInt32
    /// Channels in a frame.
    public var mChannelsPerFrame: UInt32
    /// Bits of a sample that count; 0 in compressed codings.
    public var mBitsPerChannel: UInt32
    /// Always 0.
    public var mReserved: UInt32

    /// Makes a description of all zeros.
    public init() {
        self.init(
            mSampleRate: 0, mFormatID: 0, mFormatFlags: 0, mBytesPerPacket: 0, mFramesPerPacket: 0, mBytesPerFrame: 0,
            mChannelsPerFrame: 0, mBitsPerChannel: 0, mReserved: 0)
    }

    /// Makes a description from its fields.
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

    /// Describes interleaved, packed, native-endian linear PCM.
    package static func linearPCM(
        sampleRate: Double, channels: Int, bitsPerChannel: Int = 16, isFloat: Bool = false
    ) -> AudioStreamBasicDescription {
        let frame = UInt32(channels * bitsPerChannel / 8)
        return AudioStreamBasicDescription(
            mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
                | kAudioFormatFlagIsPacked,
            mBytesPerPacket: frame, mFramesPerPacket: 1, mBytesPerFrame: frame, mChannelsPerFrame: UInt32(channels),
            mBitsPerChannel: UInt32(bitsPerChannel), mReserved: 0)
    }

    /// Whether the sound is linear PCM.
    package var isLinearPCM: Bool { mFormatID == kAudioFormatLinearPCM }
    /// Whether every channel lies in a buffer of its own.
    package var isNonInterleaved: Bool { isLinearPCM && mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0 }
}

/// The place and length of one packet in its bytes.
public struct AudioStreamPacketDescription: Hashable, Sendable {
    /// From the start of the bytes, in bytes.
    public var mStartOffset: Int64
    /// Frames in the packet where packets differ in it, else 0.
    public var mVariableFramesInPacket: UInt32
    /// Bytes in the packet.
    public var mDataByteSize: UInt32

    /// Makes a description.
    public init(mStartOffset: Int64 = 0, mVariableFramesInPacket: UInt32 = 0, mDataByteSize: UInt32 = 0) {
        self.mStartOffset = mStartOffset
        self.mVariableFramesInPacket = mVariableFramesInPacket
        self.mDataByteSize = mDataByteSize
    }
}

/// One coding of a stream that can be read as several, and its channels.
public struct AudioFormatListItem: Hashable, Sendable {
    /// The coding.
    public var mASBD: AudioStreamBasicDescription
    /// What its channels are.
    public var mChannelLayoutTag: AudioChannelLayoutTag

    /// Makes an item.
    public init(mASBD: AudioStreamBasicDescription, mChannelLayoutTag: AudioChannelLayoutTag) {
        self.mASBD = mASBD
        self.mChannelLayoutTag = mChannelLayoutTag
    }
}
