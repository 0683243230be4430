public import Foundation

/// The size of a video in encoded pixels.
public struct CMVideoDimensions: Hashable, Sendable {
    /// Columns.
    public var width: Int32
    /// Rows.
    public var height: Int32

    /// Makes dimensions of 0.
    public init() { self.init(width: 0, height: 0) }

    /// Makes dimensions.
    public init(width: Int32, height: Int32) {
        self.width = width
        self.height = height
    }
}

/// What samples are: the kind of media, its coding, and what a decoder or reader must know beforehand.
///
/// Thread-safe; never changes. Equality is by value, as that of `CMFormatDescriptionEqual`.
public final class CMFormatDescription: @unchecked Sendable {
    // SAFETY: no stored property changes after `init`; the extensions are values.
    let rawMediaType: CMMediaType
    let rawMediaSubType: FourCharCode
    let videoDimensions: CMVideoDimensions
    let entries: [String: Any]
    let audio: AudioDescription?
    /// The parameter sets that the codec's configuration record holds.
    let parameterSetStore: ParameterSetStore?

    /// Makes a description of any kind.
    init(mediaType: CMMediaType, mediaSubType: FourCharCode, entries: [String: Any]) {
        rawMediaType = mediaType
        rawMediaSubType = mediaSubType
        videoDimensions = CMVideoDimensions()
        self.entries = entries
        audio = nil
        parameterSetStore = nil
    }

    init(video codec: CMVideoCodecType, width: Int32, height: Int32, entries: [String: Any]) {
        rawMediaType = kCMMediaType_Video
        rawMediaSubType = codec
        videoDimensions = CMVideoDimensions(width: width, height: height)
        self.entries = entries
        audio = nil
        parameterSetStore = ParameterSetStore(
            codec: codec,
            atoms: entries[kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms] as? [String: Any])
    }

    init(audio: AudioDescription, entries: [String: Any]) {
        rawMediaType = kCMMediaType_Audio
        rawMediaSubType = audio.stream.mFormatID
        videoDimensions = CMVideoDimensions()
        self.entries = entries
        self.audio = audio
        parameterSetStore = nil
    }

    /// Makes a description of coded or raw video.
    ///
    /// - Parameter extensions: Colour tags, aperture, `kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms`
    ///   with the codec's configuration record (`avcC`, `hvcC`, …), and others.
    /// - Throws: `kCMFormatDescriptionError_InvalidParameter` where a side is not positive.
    public convenience init(
        videoCodecType: MediaSubType, width: Int, height: Int, extensions: Extensions = Extensions()
    ) throws {
        guard let width = Int32(exactly: width), let height = Int32(exactly: height), width > 0, height > 0 else {
            throw mediaError(kCMFormatDescriptionError_InvalidParameter, "\(width)x\(height) is not a video size")
        }
        self.init(video: videoCodecType.rawValue, width: width, height: height, entries: extensions.entries)
    }

    /// Makes the description of a picture: its size, its pixel format, and the tags that hang onto it.
    public convenience init(imageBuffer: CVImageBuffer) throws {
        self.init(describing: imageBuffer)
    }

    /// Makes the description of a picture.
    convenience init(describing imageBuffer: CVImageBuffer) {
        self.init(
            video: imageBuffer.pixelFormat, width: Int32(imageBuffer.width), height: Int32(imageBuffer.height),
            entries: CMFormatDescription.entries(of: imageBuffer))
    }

    /// The description of a picture: one object until its attachments change, reused with a pool's memory.
    package static func shared(by imageBuffer: CVImageBuffer) -> CMFormatDescription {
        imageBuffer.memory.formatDescription { CMFormatDescription(describing: imageBuffer) }
    }

    /// Makes the description of video that a device says it delivers.
    package convenience init(deviceVideo code: OSType, dimensions: CMVideoDimensions) {
        self.init(video: code, width: dimensions.width, height: dimensions.height, entries: [:])
    }

    /// Makes the description of uncompressed sound.
    package convenience init(pcm stream: AudioStreamBasicDescription) {
        self.init(audio: AudioDescription(stream: stream, layout: nil, magicCookie: nil), entries: [:])
    }

    /// Makes a description of sound.
    ///
    /// - Parameter magicCookie: What the decoder must know beforehand: for AAC the `esds` contents.
    public convenience init(
        audioStreamBasicDescription: AudioStreamBasicDescription, layout: AudioChannelLayout? = nil,
        magicCookie: Data? = nil, extensions: Extensions = Extensions()
    ) throws {
        guard audioStreamBasicDescription.mFormatID != 0 else {
            throw mediaError(kCMFormatDescriptionError_InvalidParameter, "the audio description names no coding")
        }
        self.init(
            audio: AudioDescription(stream: audioStreamBasicDescription, layout: layout, magicCookie: magicCookie),
            entries: extensions.entries)
    }

    /// The kind of media.
    public var mediaType: MediaType { MediaType(rawValue: rawMediaType) }
    /// The coding: a codec, a pixel format, or an audio coding.
    public var mediaSubType: MediaSubType { MediaSubType(rawValue: rawMediaSubType) }
    /// The size of a video in encoded pixels; 0 × 0 for other media.
    public var dimensions: CMVideoDimensions { videoDimensions }
    /// What else is known.
    public var extensions: Extensions { Extensions(entries: entries) }
    /// How sound is laid out or coded; nil for other media.
    public var audioStreamBasicDescription: AudioStreamBasicDescription? { audio?.stream }
    /// What the channels of sound are, where that is known.
    public var audioChannelLayout: AudioChannelLayout? { audio?.layout }
    /// What a sound's decoder must know beforehand, where there is such a thing.
    public var magicCookie: Data? { audio?.magicCookie }
    /// The codec's parameter sets without start codes or lengths; empty where there are none.
    public var parameterSets: [Data] { parameterSetStore?.sets.map { Data($0) } ?? [] }
    /// How many bytes tell a NAL unit's length in the samples; 0 where there are no such units.
    public var nalUnitHeaderLength: Int { parameterSetStore?.nalUnitHeaderLength ?? 0 }

    /// The size to show in, in square pixels.
    public func presentationDimensions(usePixelAspectRatio: Bool = true, useCleanAperture: Bool = true) -> CGSize {
        var size = CGSize(width: Double(videoDimensions.width), height: Double(videoDimensions.height))
        if useCleanAperture { size = cleanAperture().size }
        if usePixelAspectRatio {
            size.width *= pixelAspectRatio(entries[kCMFormatDescriptionExtension_PixelAspectRatio] as? [String: Any])
        }
        return size
    }

    /// The part of the picture that is to be shown, in pixels.
    public func cleanAperture(originIsAtTopLeft: Bool = true) -> CGRect {
        var rect = cleanRect(
            entries[kCMFormatDescriptionExtension_CleanAperture] as? [String: Any], width: Int(videoDimensions.width),
            height: Int(videoDimensions.height))
        if !originIsAtTopLeft { rect.origin.y = Double(videoDimensions.height) - rect.maxY }
        return rect
    }

    /// Whether the descriptions say the same, save for some extensions.
    func isEqual(
        _ other: CMFormatDescription, ignoring keys: Set<String> = [], ignoringAtoms atoms: Set<String> = []
    ) -> Bool {
        if self === other { return true }
        guard rawMediaType == other.rawMediaType, rawMediaSubType == other.rawMediaSubType,
            videoDimensions == other.videoDimensions, audio == other.audio
        else { return false }
        func kept(_ entries: [String: Any]) -> [String: Any] {
            var entries = entries.filter { !keys.contains($0.key) }
            let key = kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms
            if !atoms.isEmpty, let all = entries[key] as? [String: Any] {
                entries[key] = all.filter { !atoms.contains($0.key) }
            }
            return entries
        }
        return areEqual(kept(entries), kept(other.entries))
    }
}

/// What a description of sound holds, at an address that does not move.
final class AudioDescription: @unchecked Sendable, Equatable {
    // SAFETY: written in `init` only.
    let streamAddress: UnsafeMutablePointer<AudioStreamBasicDescription>
    let layoutAddress: UnsafeMutablePointer<AudioChannelLayout>?
    let cookieBytes: UnsafeMutableRawBufferPointer?

    init(stream: AudioStreamBasicDescription, layout: AudioChannelLayout?, magicCookie: Data?) {
        streamAddress = .allocate(capacity: 1)
        streamAddress.initialize(to: stream)
        layoutAddress = layout.map {
            let address = UnsafeMutablePointer<AudioChannelLayout>.allocate(capacity: 1)
            address.initialize(to: $0)
            return address
        }
        cookieBytes = magicCookie.map {
            let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: $0.count, alignment: 16)
            bytes.copyBytes(from: $0)
            return bytes
        }
    }

    deinit {
        streamAddress.deallocate()
        layoutAddress?.deallocate()
        cookieBytes?.deallocate()
    }

    var stream: AudioStreamBasicDescription { streamAddress.pointee }
    var layout: AudioChannelLayout? { layoutAddress?.pointee }
    var magicCookie: Data? { cookieBytes.map { Data($0) } }

    static func == (lhs: AudioDescription, rhs: AudioDescription) -> Bool {
        lhs.stream == rhs.stream && lhs.layout == rhs.layout && lhs.magicCookie == rhs.magicCookie
    }
}

extension CMFormatDescription: Hashable {
    /// Whether both say the same.
    public static func == (lhs: CMFormatDescription, rhs: CMFormatDescription) -> Bool { lhs.isEqual(rhs) }

    /// Feeds kind, coding and size.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rawMediaType)
        hasher.combine(rawMediaSubType)
        hasher.combine(videoDimensions)
        hasher.combine(audio?.stream)
    }
}

extension CMFormatDescription: CustomStringConvertible {
    /// Kind, coding and size or rate as text.
    public var description: String {
        var text = "<CMFormatDescription \(fourCharacterText(rawMediaType)) \(fourCharacterText(rawMediaSubType))"
        if rawMediaType == kCMMediaType_Video { text += " \(videoDimensions.width)x\(videoDimensions.height)" }
        if let stream = audio?.stream { text += " \(stream.mSampleRate) Hz, \(stream.mChannelsPerFrame) ch" }
        return text + ">"
    }
}

/// A description of video; here the same class.
public typealias CMVideoFormatDescription = CMFormatDescription
/// A description of sound; here the same class.
public typealias CMAudioFormatDescription = CMFormatDescription
/// A description of coded or raw media of several kinds together; here the same class.
public typealias CMMuxedFormatDescription = CMFormatDescription
/// A description of timed metadata; here the same class.
public typealias CMMetadataFormatDescription = CMFormatDescription
