package import Foundation
package import MediaTypes

/// The format of a track's samples, including the configuration of the decoder.
package enum MovieSampleFormat: Sendable, Hashable {
    case video(VideoSampleFormat)
    case audio(AudioSampleFormat)
    /// Timecode. The only sample is the number of frames from midnight to the first frame; QuickTime only.
    case timecode(TimecodeSampleFormat)
    /// Timed metadata.
    case metadata(TimedMetadataFormat)
    /// Chapter titles: each sample is UTF-8 text preceded by its length in two bytes.
    case text
    /// Subtitles, or other 3GPP timed text.
    case subtitle(SubtitleSampleFormat)
    /// Samples of any codec and media type that are copied from another movie.
    case stored(StoredSampleFormat)

    /// Whether the samples are video.
    package var isVideo: Bool { handler == "vide" }

    /// Whether the samples are frames of equal size and duration, as in PCM, and share runs.
    var isUncompressed: Bool {
        switch self {
        case .audio(let audio): audio.isPCM
        case .stored(let stored): stored.isUncompressed
        case .video, .timecode, .metadata, .text, .subtitle: false
        }
    }

    /// The handler type of the track (ISO/IEC 14496-12, 8.4.3; QTFF, "Handler Reference Atoms").
    var handler: String {
        switch self {
        case .video: "vide"
        case .audio: "soun"
        case .timecode: "tmcd"
        case .metadata: "meta"
        case .text: "text"
        case .subtitle(let subtitle): subtitle.handler
        case .stored(let stored): stored.handler
        }
    }
}

/// The format of compressed video.
package struct VideoSampleFormat: Sendable, Hashable {
    /// The codecs.
    package enum Codec: String, Sendable, Hashable, CaseIterable {
        case h264, hevc, jpeg, proRes422Proxy, proRes422LT, proRes422, proRes422HQ, proRes4444

        /// Whether the codec is one of Apple's ProRes family (SMPTE RDD 36).
        package var isProRes: Bool {
            switch self {
            case .h264, .hevc, .jpeg: false
            case .proRes422Proxy, .proRes422LT, .proRes422, .proRes422HQ, .proRes4444: true
            }
        }

        /// The name of the codec, for messages.
        package var name: String {
            switch self {
            case .h264: "H.264"
            case .hevc: "HEVC"
            case .jpeg: "JPEG"
            case .proRes422Proxy, .proRes422LT, .proRes422, .proRes422HQ, .proRes4444: "ProRes"
            }
        }

        /// Whether each frame is compressed independently of the others.
        package var isIntraOnly: Bool { self == .jpeg || isProRes }
    }

    /// The codec.
    package var codec: Codec
    private let size: PixelSize
    /// The encoded size in pixels, before the track's matrix.
    package var dimensions: CMVideoDimensions { size.dimensions }
    /// The body of `avcC` or `hvcC` (ISO/IEC 14496-15, 5.3.3 and 8.3.3); empty for JPEG and ProRes.
    package var configuration: Data
    /// The color space and value range; nil if unspecified.
    package var color: ColorDescription?
    /// The pixel aspect ratio; nil for square pixels.
    package var pixelAspectRatio: PixelAspectRatio?
    /// The part of the frame to display; nil for all of it.
    package var cleanAperture: CleanAperture?

    /// Creates a format.
    package init(codec: Codec, dimensions: CMVideoDimensions, configuration: Data, color: ColorDescription? = nil) {
        self.codec = codec
        size = dimensions.pixelSize
        self.configuration = configuration
        self.color = color
    }
}

/// The color space as code points of ISO/IEC 23091-2, and the value range.
package struct ColorDescription: Sendable, Hashable {
    /// The color primaries.
    package var primaries: UInt16
    /// The transfer characteristics.
    package var transfer: UInt16
    /// The matrix coefficients.
    package var matrix: UInt16
    /// Whether luma uses 0…255 instead of 16…235 (values at 8 bits).
    package var isFullRange: Bool

    /// Creates a description.
    package init(primaries: UInt16, transfer: UInt16, matrix: UInt16, isFullRange: Bool) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }

    /// The code point of an unspecified property.
    package static let unspecified: UInt16 = 2

    /// Whether the transfer function is PQ (16) or HLG (18), those of BT.2100 for high dynamic range.
    package var isHDR: Bool { transfer == 16 || transfer == 18 }

    /// Returns ITU-R BT.709 for all three code points.
    package static func bt709(isFullRange: Bool) -> ColorDescription {
        ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: isFullRange)
    }

    /// Returns BT.601 with 525 lines: SMPTE-C primaries, BT.709 transfer (which equals BT.601's), BT.601 matrix.
    package static func bt601(isFullRange: Bool) -> ColorDescription {
        ColorDescription(primaries: 6, transfer: 1, matrix: 6, isFullRange: isFullRange)
    }
}

extension VideoSampleFormat {
    /// The display size before the track's matrix: the clean aperture with square pixels.
    var presentationSize: (width: Double, height: Double) {
        var (width, height) = (Double(dimensions.width), Double(dimensions.height))
        if let cleanAperture {
            width = Double(cleanAperture.width.numerator) / Double(max(1, cleanAperture.width.denominator))
            height = Double(cleanAperture.height.numerator) / Double(max(1, cleanAperture.height.denominator))
        }
        if let ratio = pixelAspectRatio, ratio.verticalSpacing > 0 {
            width = width * Double(ratio.horizontalSpacing) / Double(ratio.verticalSpacing)
        }
        return (width, height)
    }
}

/// The pixel aspect ratio: `pasp` (ISO/IEC 14496-12, 12.1.4).
package struct PixelAspectRatio: Sendable, Hashable {
    /// The relative width of a pixel.
    package var horizontalSpacing: UInt32
    /// The relative height of a pixel.
    package var verticalSpacing: UInt32

    /// Creates a ratio.
    package init(horizontalSpacing: UInt32, verticalSpacing: UInt32) {
        self.horizontalSpacing = horizontalSpacing
        self.verticalSpacing = verticalSpacing
    }
}

/// A rectangle in the frame, positioned by the offset of its center from the frame's: `clap` (ISO/IEC 14496-12,
/// 12.1.4).
package struct CleanAperture: Sendable, Hashable {
    /// A fraction of 32-bit integers.
    package struct Fraction: Sendable, Hashable {
        package var numerator: Int32
        package var denominator: Int32

        /// Creates a fraction.
        package init(_ numerator: Int32, _ denominator: Int32 = 1) {
            self.numerator = numerator
            self.denominator = denominator
        }
    }

    /// In pixels.
    package var width: Fraction
    /// In pixels.
    package var height: Fraction
    /// The horizontal offset of the center in pixels, positive to the right.
    package var horizontalOffset: Fraction
    /// The vertical offset of the center in pixels, positive downward.
    package var verticalOffset: Fraction

    /// Creates a clean aperture.
    package init(
        width: Fraction, height: Fraction, horizontalOffset: Fraction = Fraction(0),
        verticalOffset: Fraction = Fraction(0)
    ) {
        self.width = width
        self.height = height
        self.horizontalOffset = horizontalOffset
        self.verticalOffset = verticalOffset
    }
}

/// The format of compressed or linear PCM audio.
package struct AudioSampleFormat: Sendable, Hashable {
    /// The codecs with their decoder configuration.
    package enum Codec: Sendable, Hashable {
        /// MPEG-4 AAC with its `AudioSpecificConfig` (ISO/IEC 14496-3, 1.6.2.1).
        case aac(configuration: Data)
        /// Interleaved linear PCM.
        case pcm(PCMFormat)
        /// Apple Lossless with its `ALACSpecificConfig` of 24 bytes.
        case alac(configuration: Data)
        /// Opus with the body of its `dOps`.
        case opus(configuration: Data)
    }

    /// The codec.
    package var codec: Codec
    /// The sample rate in hertz.
    package var sampleRate: Int32
    /// The number of channels.
    package var channelCount: Int
    /// The bit rate in bit/s; 0 if unknown.
    package var bitRate: Int

    /// Creates a format.
    package init(codec: Codec, sampleRate: Int32, channelCount: Int, bitRate: Int = 0) {
        self.codec = codec
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.bitRate = bitRate
    }

    /// The number of frames in a packet: 1024 for AAC-LC (ISO/IEC 14496-3, 4.5.2.1), 1 for PCM, and 960 (20 ms) for
    /// Opus as encoded by `AudioEncoder`.
    package var framesPerPacket: Int {
        switch codec {
        case .aac: 1024
        case .pcm: 1
        case .alac(let configuration): configuration.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        case .opus: 960
        }
    }

    /// Whether the samples are linear PCM frames.
    package var isPCM: Bool {
        if case .pcm = codec { true } else { false }
    }
}
