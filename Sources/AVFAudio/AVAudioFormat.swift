import AssetTypes
public import Foundation
public import MediaTypes

public typealias AVAudioFrameCount = UInt32
public typealias AVAudioFramePosition = Int64
public typealias AVAudioPacketCount = UInt32
public typealias AVAudioChannelCount = UInt32

/// The sample formats of PCM audio.
public enum AVAudioCommonFormat: UInt, Hashable, Sendable {
    /// Another PCM format, or not PCM.
    case otherFormat = 0
    case pcmFormatFloat32 = 1
    case pcmFormatFloat64 = 2
    case pcmFormatInt16 = 3
    case pcmFormatInt32 = 4

    var byteCount: Int {
        switch self {
        case .otherFormat: 0
        case .pcmFormatInt16: 2
        case .pcmFormatFloat32, .pcmFormatInt32: 4
        case .pcmFormatFloat64: 8
        }
    }

    var isFloat: Bool { self == .pcmFormatFloat32 || self == .pcmFormatFloat64 }
}

/// The roles of audio channels.
public final class AVAudioChannelLayout: NSObject, @unchecked Sendable {
    // SAFETY: the memory is written only in `init`.
    public let layout: UnsafePointer<AudioChannelLayout>

    /// Creates a layout; nil for a tag without a number of channels.
    public convenience init?(layoutTag: AudioChannelLayoutTag) {
        guard AudioChannelLayoutTag_GetNumberOfChannels(layoutTag) > 0 else { return nil }
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = layoutTag
        self.init(copying: layout)
    }

    public convenience init(layout: UnsafePointer<AudioChannelLayout>) { self.init(copying: layout.pointee) }

    /// Creates a layout from the bytes of an `AudioChannelLayout`; nil if they are too few.
    convenience init?(data: Data) {
        // The tag, the bitmap and the number of descriptions.
        guard data.count >= 12 else { return nil }
        var layout = AudioChannelLayout()
        _ = withUnsafeMutableBytes(of: &layout) { data.copyBytes(to: $0, count: min(data.count, $0.count)) }
        self.init(copying: layout)
    }

    private init(copying value: AudioChannelLayout) {
        let memory = UnsafeMutablePointer<AudioChannelLayout>.allocate(capacity: 1)
        memory.initialize(to: value)
        layout = UnsafePointer(memory)
    }

    deinit { layout.deallocate() }

    public var layoutTag: AudioChannelLayoutTag { layout.pointee.mChannelLayoutTag }

    public var channelCount: AVAudioChannelCount {
        switch layoutTag {
        case kAudioChannelLayoutTag_UseChannelDescriptions: layout.pointee.mNumberChannelDescriptions
        case kAudioChannelLayoutTag_UseChannelBitmap:
            AVAudioChannelCount(layout.pointee.mChannelBitmap.rawValue.nonzeroBitCount)
        default: AudioChannelLayoutTag_GetNumberOfChannels(layoutTag)
        }
    }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? AVAudioChannelLayout)?.layout.pointee == layout.pointee
    }

    public override var hash: Int { layout.pointee.hashValue }
}

/// The format of audio in buffers.
public final class AVAudioFormat: NSObject, @unchecked Sendable {
    // SAFETY: the memory is written only in `init`; the other properties are constants.
    public let streamDescription: UnsafePointer<AudioStreamBasicDescription>
    public let channelLayout: AVAudioChannelLayout?
    public let magicCookie: Data?

    private init(_ description: AudioStreamBasicDescription, _ layout: AVAudioChannelLayout?, _ cookie: Data? = nil) {
        let memory = UnsafeMutablePointer<AudioStreamBasicDescription>.allocate(capacity: 1)
        memory.initialize(to: description)
        streamDescription = UnsafePointer(memory)
        channelLayout = layout
        magicCookie = cookie
    }

    deinit { streamDescription.deallocate() }

    /// Nil for more than two channels without a layout.
    public convenience init?(streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>) {
        self.init(streamDescription: asbd, channelLayout: nil)
    }

    /// Nil for more than two channels without a layout.
    public convenience init?(
        streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>, channelLayout layout: AVAudioChannelLayout?
    ) {
        guard layout != nil || asbd.pointee.mChannelsPerFrame <= 2 else { return nil }
        self.init(asbd.pointee, layout)
    }

    /// 32-bit floating point, not interleaved; nil for more than two channels.
    public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
        self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
    }

    /// 32-bit floating point, not interleaved.
    public convenience init(standardFormatWithSampleRate sampleRate: Double, channelLayout layout: AVAudioChannelLayout)
    {
        self.init(
            commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, interleaved: false, channelLayout: layout)
    }

    /// Nil for `otherFormat`, no channels, or more than two.
    public convenience init?(
        commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount, interleaved: Bool
    ) {
        guard format != .otherFormat, (1...2).contains(channels) else { return nil }
        self.init(Self.description(format, sampleRate, channels, interleaved), nil)
    }

    public convenience init(
        commonFormat format: AVAudioCommonFormat, sampleRate: Double, interleaved: Bool,
        channelLayout layout: AVAudioChannelLayout
    ) {
        self.init(Self.description(format, sampleRate, layout.channelCount, interleaved), layout)
    }

    /// Creates a format from output settings with `AVFormatIDKey`, `AVSampleRateKey` and `AVNumberOfChannelsKey`.
    ///
    /// Nil if one of them is missing, if a value has the wrong type, if more than two channels have no matching
    /// `AVChannelLayoutKey`, or if linear PCM has other than 8, 16, 24 or 32 bits, or 32 bits in floating point. Other
    /// keys are ignored.
    public convenience init?(settings: [String: Any]) {
        /// Returns a number, or `missing` without the key; nil for a value of another type.
        func number(_ key: String, or missing: Double? = nil) -> Double? {
            switch settings[key] {
            case nil: missing
            case let integer as any BinaryInteger: Double(integer)
            case let real as any BinaryFloatingPoint: Double(real)
            case let boxed as NSNumber: boxed.doubleValue
            case .some: nil
            }
        }
        func flag(_ key: String) -> Bool? { settings[key] as? Bool ?? number(key, or: 0).map { $0 != 0 } }
        guard let id = number(AVFormatIDKey).flatMap(AudioFormatID.init(exactly:)),
            let sampleRate = number(AVSampleRateKey), sampleRate > 0, sampleRate.isFinite,
            let channels = number(AVNumberOfChannelsKey).flatMap(UInt32.init(exactly:)), channels > 0
        else { return nil }
        var layout: AVAudioChannelLayout?
        if let value = settings[AVChannelLayoutKey] {
            layout = (value as? Data).flatMap { AVAudioChannelLayout(data: $0) }
            guard layout?.channelCount == channels else { return nil }
        }
        guard channels <= 2 || layout != nil else { return nil }
        guard id == kAudioFormatLinearPCM else {
            var description = AudioStreamBasicDescription()
            description.mFormatID = id
            description.mSampleRate = sampleRate
            description.mChannelsPerFrame = channels
            if id == kAudioFormatMPEG4AAC { description.mFramesPerPacket = 1024 }
            self.init(description, layout)
            return
        }
        guard let isFloat = flag(AVLinearPCMIsFloatKey), let isPlanar = flag(AVLinearPCMIsNonInterleaved),
            let isBigEndian = flag(AVLinearPCMIsBigEndianKey),
            let bits = number(AVLinearPCMBitDepthKey, or: isFloat ? 32 : 16),
            (isFloat ? [32] : [8, 16, 24, 32]).contains(bits)
        else { return nil }
        var description = AudioStreamBasicDescription.linearPCM(
            sampleRate: sampleRate, channels: isPlanar ? 1 : Int(channels), bitsPerChannel: Int(bits), isFloat: isFloat)
        description.mChannelsPerFrame = channels
        if isPlanar { description.mFormatFlags |= kAudioFormatFlagIsNonInterleaved }
        if isBigEndian { description.mFormatFlags |= kAudioFormatFlagIsBigEndian }
        self.init(description, layout)
    }

    /// Creates the format of sample buffers.
    public convenience init(cmAudioFormatDescription formatDescription: CMAudioFormatDescription) {
        self.init(formatDescription.audioStreamBasicDescription ?? AudioStreamBasicDescription(), nil)
    }

    private static func description(
        _ format: AVAudioCommonFormat, _ sampleRate: Double, _ channels: AVAudioChannelCount, _ isInterleaved: Bool
    ) -> AudioStreamBasicDescription {
        var description = AudioStreamBasicDescription.linearPCM(
            sampleRate: sampleRate, channels: isInterleaved ? Int(channels) : 1, bitsPerChannel: format.byteCount * 8,
            isFloat: format.isFloat)
        description.mChannelsPerFrame = channels
        if !isInterleaved { description.mFormatFlags |= kAudioFormatFlagIsNonInterleaved }
        return description
    }

    /// 32-bit floating point, not interleaved.
    public var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }

    public var commonFormat: AVAudioCommonFormat {
        let description = streamDescription.pointee
        guard description.isLinearPCM, description.mFormatFlags & kAudioFormatFlagIsBigEndian == 0 else {
            return .otherFormat
        }
        let isFloat = description.mFormatFlags & kAudioFormatFlagIsFloat != 0
        return switch (isFloat, description.mBitsPerChannel) {
        case (true, 32): .pcmFormatFloat32
        case (true, 64): .pcmFormatFloat64
        case (false, 16): .pcmFormatInt16
        case (false, 32): .pcmFormatInt32
        default: .otherFormat
        }
    }

    public var channelCount: AVAudioChannelCount { streamDescription.pointee.mChannelsPerFrame }
    public var sampleRate: Double { streamDescription.pointee.mSampleRate }
    public var isInterleaved: Bool { !streamDescription.pointee.isNonInterleaved }

    /// The format as output settings.
    public var settings: [String: Any] {
        let description = streamDescription.pointee
        var settings: [String: Any] = [
            AVFormatIDKey: description.mFormatID, AVSampleRateKey: sampleRate, AVNumberOfChannelsKey: Int(channelCount),
        ]
        if description.isLinearPCM {
            settings[AVLinearPCMBitDepthKey] = Int(description.mBitsPerChannel)
            settings[AVLinearPCMIsFloatKey] = description.mFormatFlags & kAudioFormatFlagIsFloat != 0
            settings[AVLinearPCMIsBigEndianKey] = description.mFormatFlags & kAudioFormatFlagIsBigEndian != 0
            settings[AVLinearPCMIsNonInterleaved] = !isInterleaved
        }
        if let channelLayout {
            settings[AVChannelLayoutKey] = Data(
                bytes: channelLayout.layout, count: MemoryLayout<AudioChannelLayout>.size)
        }
        return settings
    }

    /// The description of sample buffers with this format.
    public var formatDescription: CMAudioFormatDescription {
        var result: CMAudioFormatDescription?
        CMAudioFormatDescriptionCreate(
            allocator: nil, asbd: streamDescription, layoutSize: 0, layout: nil, magicCookieSize: 0, magicCookie: nil,
            extensions: nil, formatDescriptionOut: &result)
        guard let result else { fatalError("a format without format ID has no description") }
        return result
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioFormat else { return false }
        return other.streamDescription.pointee.isEqual(to: streamDescription.pointee)
            && other.channelLayout == channelLayout
    }

    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(sampleRate)
        hasher.combine(channelCount)
        hasher.combine(commonFormat)
        return hasher.finalize()
    }
}
