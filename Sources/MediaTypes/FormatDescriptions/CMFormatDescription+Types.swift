// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

extension CMFormatDescription {
    /// A media type.
    public struct MediaType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The four-character code.
        public let rawValue: CMMediaType
        /// Creates a media type from its code.
        public init(rawValue: CMMediaType) { self.rawValue = rawValue }
        /// The code as text.
        public var description: String { fourCharacterText(rawValue) }

        /// Video.
        public static let video = MediaType(rawValue: kCMMediaType_Video)
        /// Audio.
        public static let audio = MediaType(rawValue: kCMMediaType_Audio)
        /// Several media types combined.
        public static let muxed = MediaType(rawValue: kCMMediaType_Muxed)
        /// Text.
        public static let text = MediaType(rawValue: kCMMediaType_Text)
        /// Closed captions.
        public static let closedCaption = MediaType(rawValue: kCMMediaType_ClosedCaption)
        /// Subtitles.
        public static let subtitle = MediaType(rawValue: kCMMediaType_Subtitle)
        /// Time code.
        public static let timeCode = MediaType(rawValue: kCMMediaType_TimeCode)
        /// Timed metadata.
        public static let metadata = MediaType(rawValue: kCMMediaType_Metadata)
    }

    /// A media subtype: a codec, a pixel format or an audio format.
    public struct MediaSubType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The four-character code.
        public let rawValue: FourCharCode
        /// Creates a subtype from its code.
        public init(rawValue: FourCharCode) { self.rawValue = rawValue }
        /// The code as text.
        public var description: String { fourCharacterText(rawValue) }

        /// H.264.
        public static let h264 = MediaSubType(rawValue: kCMVideoCodecType_H264)
        /// HEVC.
        public static let hevc = MediaSubType(rawValue: kCMVideoCodecType_HEVC)
        /// HEVC with alpha.
        public static let hevcWithAlpha = MediaSubType(rawValue: kCMVideoCodecType_HEVCWithAlpha)
        /// JPEG.
        public static let jpeg = MediaSubType(rawValue: kCMVideoCodecType_JPEG)
        /// Apple ProRes 422.
        public static let proRes422 = MediaSubType(rawValue: kCMVideoCodecType_AppleProRes422)
        /// MPEG-4 part 2.
        public static let mpeg4Video = MediaSubType(rawValue: kCMVideoCodecType_MPEG4Video)
        /// Raw BGRA.
        public static let pixelFormat_32BGRA = MediaSubType(rawValue: kCVPixelFormatType_32BGRA)
        /// Raw ARGB.
        public static let pixelFormat_32ARGB = MediaSubType(rawValue: kCVPixelFormatType_32ARGB)
        /// Raw RGB.
        public static let pixelFormat_24RGB = MediaSubType(rawValue: kCVPixelFormatType_24RGB)
        /// Raw UYVY.
        public static let pixelFormat_422YpCbCr8 = MediaSubType(rawValue: kCVPixelFormatType_422YpCbCr8)
        /// Raw YUYV.
        public static let pixelFormat_422YpCbCr8_yuvs = MediaSubType(rawValue: kCVPixelFormatType_422YpCbCr8_yuvs)
        /// Linear PCM.
        public static let linearPCM = MediaSubType(rawValue: kAudioFormatLinearPCM)
        /// AAC, low complexity.
        public static let mpeg4AAC = MediaSubType(rawValue: kAudioFormatMPEG4AAC)
        /// AAC, high efficiency.
        public static let mpeg4AAC_HE = MediaSubType(rawValue: kAudioFormatMPEG4AAC_HE)
        /// MP3.
        public static let mpegLayer3 = MediaSubType(rawValue: kAudioFormatMPEGLayer3)
        /// Apple Lossless.
        public static let appleLossless = MediaSubType(rawValue: kAudioFormatAppleLossless)
        /// FLAC.
        public static let flac = MediaSubType(rawValue: kAudioFormatFLAC)
        /// Opus.
        public static let opus = MediaSubType(rawValue: kAudioFormatOpus)
    }

    /// The properties of a description besides type, subtype and dimensions, by key.
    public struct Extensions: @unchecked Sendable {
        // SAFETY: the entries are property list values and are never modified.

        /// The key of a property.
        public struct Key: RawRepresentable, Hashable, Sendable {
            /// The value of a `kCMFormatDescriptionExtension_…` constant.
            public let rawValue: CFString
            /// Creates a key from its text.
            public init(rawValue: CFString) { self.rawValue = rawValue }

            /// The boxes of the sample description, by four-character code.
            public static let sampleDescriptionExtensionAtoms = Key(
                rawValue: kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms)
            /// The localized name of the format.
            public static let formatName = Key(rawValue: kCMFormatDescriptionExtension_FormatName)
            /// Bits per pixel.
            public static let depth = Key(rawValue: kCMFormatDescriptionExtension_Depth)
            /// The visible part of the image.
            public static let cleanAperture = Key(rawValue: kCMFormatDescriptionExtension_CleanAperture)
            /// The pixel aspect ratio.
            public static let pixelAspectRatio = Key(rawValue: kCMFormatDescriptionExtension_PixelAspectRatio)
            /// The color primaries.
            public static let colorPrimaries = Key(rawValue: kCMFormatDescriptionExtension_ColorPrimaries)
            /// The transfer function.
            public static let transferFunction = Key(rawValue: kCMFormatDescriptionExtension_TransferFunction)
            /// The YCbCr matrix.
            public static let yCbCrMatrix = Key(rawValue: kCMFormatDescriptionExtension_YCbCrMatrix)
            /// Whether values are full range.
            public static let fullRangeVideo = Key(rawValue: kCMFormatDescriptionExtension_FullRangeVideo)
            /// Bytes per row.
            public static let bytesPerRow = Key(rawValue: kCMFormatDescriptionExtension_BytesPerRow)
            /// The position of chroma samples in the first field.
            public static let chromaLocationTopField = Key(
                rawValue: kCMFormatDescriptionExtension_ChromaLocationTopField)
        }

        /// The value of a property.
        public struct Value: @unchecked Sendable {
            // SAFETY: the value is a property list value and is never modified.
            /// A string, number, data, array or dictionary.
            public let propertyListRepresentation: Any

            /// Creates a value.
            public init(_ propertyListRepresentation: Any) {
                self.propertyListRepresentation = propertyListRepresentation
            }
        }

        /// The properties by the text of their keys.
        let entries: [String: Any]

        init(entries: [String: Any]) { self.entries = entries }

        /// Creates an empty collection.
        public init() { self.init(entries: [:]) }

        /// Creates a collection from a dictionary as used by the C functions.
        public init(base: CFDictionary) { self.init(entries: base) }

        /// Creates a collection from keys and values.
        public init(_ values: [Key: Value]) {
            self.init(
                entries: Dictionary(
                    uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value.propertyListRepresentation) }))
        }

        /// Returns the value for a key; nil if there is none.
        public subscript(key: Key) -> Value? { entries[key.rawValue].map { Value($0) } }

        /// The properties as a dictionary for the C functions.
        public var base: CFDictionary { entries }
        /// Whether there are no properties.
        public var isEmpty: Bool { entries.isEmpty }
        /// The number of properties.
        public var count: Int { entries.count }
    }

    /// The keys of image buffer attachments that are also description properties.
    static let sharedKeys: [String] = [
        kCMFormatDescriptionExtension_CleanAperture, kCMFormatDescriptionExtension_FieldCount,
        kCMFormatDescriptionExtension_FieldDetail, kCMFormatDescriptionExtension_PixelAspectRatio,
        kCMFormatDescriptionExtension_ColorPrimaries, kCMFormatDescriptionExtension_TransferFunction,
        kCMFormatDescriptionExtension_GammaLevel, kCMFormatDescriptionExtension_YCbCrMatrix,
        kCMFormatDescriptionExtension_ICCProfile, kCMFormatDescriptionExtension_ChromaLocationTopField,
        kCMFormatDescriptionExtension_ChromaLocationBottomField,
        kCMFormatDescriptionExtension_MasteringDisplayColorVolume,
        kCMFormatDescriptionExtension_ContentLightLevelInfo, kCMFormatDescriptionExtension_AlphaChannelMode,
    ]

    /// Returns the properties of an image buffer's description besides type, pixel format and dimensions.
    static func entries(of imageBuffer: CVImageBuffer) -> [String: Any] {
        let attachments = imageBuffer.attachments
        var entries: [String: Any] = [:]
        for key in sharedKeys {
            if let attachment = attachments[key] { entries[key] = attachment.value }
        }
        if imageBuffer.format.range == .full { entries[kCMFormatDescriptionExtension_FullRangeVideo] = true }
        return entries
    }
}
