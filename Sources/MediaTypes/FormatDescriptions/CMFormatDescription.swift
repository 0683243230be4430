public import Foundation

/// The size of a video in encoded pixels.
public struct CMVideoDimensions: Sendable {
    /// In pixels.
    public var width: Int32
    /// In pixels.
    public var height: Int32

    /// Creates dimensions of 0.
    public init() { self.init(width: 0, height: 0) }

    /// Creates dimensions.
    public init(width: Int32, height: Int32) {
        self.width = width
        self.height = height
    }
}

/// A description of samples: media type, format, and the parameters that decoders and readers need.
///
/// - Important: Thread-safe, immutable. Equality is by value, as in `CMFormatDescriptionEqual`.
public final class CMFormatDescription: @unchecked Sendable {
    // SAFETY: immutable after `init`; the extensions are values.
    let rawMediaType: CMMediaType
    let rawMediaSubType: FourCharCode
    let videoDimensions: CMVideoDimensions
    /// The extensions by the text of their keys.
    let entries: [String: Any]
    /// The audio properties; nil for other media.
    let audio: AudioDescription?
    /// The parameter sets in the codec's configuration record; nil if there is none.
    let parameterSetStore: ParameterSetStore?

    /// Creates a description of any media type.
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

    /// Creates a description of compressed or uncompressed video.
    ///
    /// - Parameter extensions: Color tags, aperture, `kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms`
    ///   with the codec's configuration record (`avcC`, `hvcC`, …), and others.
    /// - Throws: `kCMFormatDescriptionError_InvalidParameter` if a side is not positive.
    public convenience init(
        videoCodecType: MediaSubType, width: Int, height: Int, extensions: Extensions = Extensions()
    ) throws {
        guard let width = Int32(exactly: width), let height = Int32(exactly: height), width > 0, height > 0 else {
            throw mediaError(
                kCMFormatDescriptionError_InvalidParameter,
                "\(width)x\(height) is not a valid video size; width and height must be positive")
        }
        self.init(video: videoCodecType.rawValue, width: width, height: height, entries: extensions.entries)
    }

    /// Creates the description of an image buffer: its dimensions, pixel format and attachments.
    public convenience init(imageBuffer: CVImageBuffer) throws {
        self.init(describing: imageBuffer)
    }

    /// Creates the description of an image buffer.
    convenience init(describing imageBuffer: CVImageBuffer) {
        self.init(
            video: imageBuffer.pixelFormat, width: Int32(imageBuffer.width), height: Int32(imageBuffer.height),
            entries: CMFormatDescription.entries(of: imageBuffer))
    }

    /// Returns the description of an image buffer.
    ///
    /// It is stored with the buffer's memory until an attachment changes, so buffers that reuse the memory share it.
    package static func shared(by imageBuffer: CVImageBuffer) -> CMFormatDescription {
        imageBuffer.memory.formatDescription { CMFormatDescription(describing: imageBuffer) }
    }

    /// Creates the description of a device's video format.
    package convenience init(deviceVideo code: OSType, dimensions: CMVideoDimensions) {
        self.init(video: code, width: dimensions.width, height: dimensions.height, entries: [:])
    }

    /// Creates the description of uncompressed audio.
    package convenience init(pcm stream: AudioStreamBasicDescription) {
        self.init(audio: AudioDescription(stream: stream, layout: nil, magicCookie: nil), entries: [:])
    }

    /// Creates a description of audio.
    ///
    /// - Parameter magicCookie: Configuration data for the decoder; for AAC, the contents of the `esds` box.
    public convenience init(
        audioStreamBasicDescription: AudioStreamBasicDescription, layout: AudioChannelLayout? = nil,
        magicCookie: Data? = nil, extensions: Extensions = Extensions()
    ) throws {
        guard audioStreamBasicDescription.mFormatID != 0 else {
            throw mediaError(
                kCMFormatDescriptionError_InvalidParameter, "the audio stream description has no format ID")
        }
        self.init(
            audio: AudioDescription(stream: audioStreamBasicDescription, layout: layout, magicCookie: magicCookie),
            entries: extensions.entries)
    }

    /// The media type.
    public var mediaType: MediaType { MediaType(rawValue: rawMediaType) }
    /// The media subtype: a codec, a pixel format or an audio format.
    public var mediaSubType: MediaSubType { MediaSubType(rawValue: rawMediaSubType) }
    /// The size of a video in encoded pixels; 0 × 0 for other media.
    public var dimensions: CMVideoDimensions { videoDimensions }
    /// The properties besides type, subtype and dimensions.
    public var extensions: Extensions { Extensions(entries: entries) }
    /// The audio format; nil for other media.
    public var audioStreamBasicDescription: AudioStreamBasicDescription? { audio?.stream }
    /// The audio channel layout; nil if unknown.
    public var audioChannelLayout: AudioChannelLayout? { audio?.layout }
    /// The configuration data for an audio decoder; nil if there is none.
    public var magicCookie: Data? { audio?.magicCookie }
    /// The codec's parameter sets without start codes or lengths; empty if there are none.
    public var parameterSets: [Data] { parameterSetStore?.sets.map { Data($0) } ?? [] }
    /// The size in bytes of a NAL unit's length field in samples; 0 for other formats.
    public var nalUnitHeaderLength: Int { parameterSetStore?.nalUnitHeaderLength ?? 0 }

    /// Returns the display size in square pixels.
    public func presentationDimensions(usePixelAspectRatio: Bool = true, useCleanAperture: Bool = true) -> CGSize {
        var size = CGSize(width: Double(videoDimensions.width), height: Double(videoDimensions.height))
        if useCleanAperture { size = cleanAperture().size }
        if usePixelAspectRatio {
            size.width *= pixelAspectRatio(entries[kCMFormatDescriptionExtension_PixelAspectRatio] as? [String: Any])
        }
        return size
    }

    /// Returns the visible part of the image in pixels.
    public func cleanAperture(originIsAtTopLeft: Bool = true) -> CGRect {
        var rect = cleanRect(
            entries[kCMFormatDescriptionExtension_CleanAperture] as? [String: Any], width: Int(videoDimensions.width),
            height: Int(videoDimensions.height))
        if !originIsAtTopLeft { rect.origin.y = Double(videoDimensions.height) - rect.maxY }
        return rect
    }

    /// Whether two descriptions are equal except for some extensions.
    func isEqual(
        _ other: CMFormatDescription, ignoring keys: Set<String> = [], ignoringAtoms atoms: Set<String> = []
    ) -> Bool {
        if self === other { return true }
        guard rawMediaType == other.rawMediaType, rawMediaSubType == other.rawMediaSubType,
            videoDimensions.pixelSize == other.videoDimensions.pixelSize, audio == other.audio
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

/// The audio properties of a description, at a stable address.
final class AudioDescription: @unchecked Sendable, Equatable {
    // SAFETY: immutable after `init`.
    let streamAddress: UnsafeMutablePointer<AudioStreamBasicDescription>
    let layoutAddress: UnsafeMutablePointer<AudioChannelLayout>?
    let cookieBytes: UnsafeMutableRawBufferPointer?
    /// The format in which the audio can be decoded, with the tag of its layout.
    let formatAddress: UnsafeMutablePointer<AudioFormatListItem>

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
        formatAddress = .allocate(capacity: 1)
        formatAddress.initialize(
            to: AudioFormatListItem(
                mASBD: stream, mChannelLayoutTag: layout?.mChannelLayoutTag ?? kAudioChannelLayoutTag_Unknown))
    }

    deinit {
        formatAddress.deallocate()
        streamAddress.deallocate()
        layoutAddress?.deallocate()
        cookieBytes?.deallocate()
    }

    var stream: AudioStreamBasicDescription { streamAddress.pointee }
    var layout: AudioChannelLayout? { layoutAddress?.pointee }
    var magicCookie: Data? { cookieBytes.map { Data($0) } }

    static func == (lhs: AudioDescription, rhs: AudioDescription) -> Bool {
        lhs.stream.isEqual(to: rhs.stream) && lhs.layout == rhs.layout && lhs.magicCookie == rhs.magicCookie
    }
}

extension CMFormatDescription: Hashable {
    /// Whether both descriptions are equal.
    public static func == (lhs: CMFormatDescription, rhs: CMFormatDescription) -> Bool { lhs.isEqual(rhs) }

    /// Hashes the type, subtype, dimensions, sample rate and number of channels.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rawMediaType)
        hasher.combine(rawMediaSubType)
        hasher.combine(videoDimensions.pixelSize)
        hasher.combine(audio?.stream.mSampleRate)
        hasher.combine(audio?.stream.mChannelsPerFrame)
    }
}

extension CMFormatDescription: CustomStringConvertible {
    /// The type, subtype and dimensions or sample rate as text.
    public var description: String {
        var text = "<CMFormatDescription \(fourCharacterText(rawMediaType)) \(fourCharacterText(rawMediaSubType))"
        if rawMediaType == kCMMediaType_Video { text += " \(videoDimensions.width)x\(videoDimensions.height)" }
        if let stream = audio?.stream { text += " \(stream.mSampleRate) Hz, \(stream.mChannelsPerFrame) ch" }
        return text + ">"
    }
}

/// A description of video.
public typealias CMVideoFormatDescription = CMFormatDescription
/// A description of audio.
public typealias CMAudioFormatDescription = CMFormatDescription
/// A description of muxed media.
public typealias CMMuxedFormatDescription = CMFormatDescription
/// A description of timed metadata.
public typealias CMMetadataFormatDescription = CMFormatDescription
