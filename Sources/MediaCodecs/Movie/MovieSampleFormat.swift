package import Foundation
package import MediaTypes

/// What a track's samples are, in all that a decoder must know before the first one.
package enum MovieSampleFormat: Sendable, Hashable {
    case video(VideoSampleFormat)
    case audio(AudioSampleFormat)
    /// One sample that counts frames from midnight to the first; QuickTime only.
    case timecode(TimecodeSampleFormat)
    /// Values that change while the movie plays.
    case metadata(TimedMetadataFormat)
    /// Titles of chapters: each sample a UTF-8 text behind its length in two bytes.
    case text

    package var isVideo: Bool {
        if case .video = self { true } else { false }
    }

    /// The handler type of the track (ISO/IEC 14496-12, 8.4.3; QTFF, "Handler Reference Atoms").
    var handler: String {
        switch self {
        case .video: "vide"
        case .audio: "soun"
        case .timecode: "tmcd"
        case .metadata: "meta"
        case .text: "text"
        }
    }
}

/// The format of a compressed picture.
package struct VideoSampleFormat: Sendable, Hashable {
    package enum Codec: String, Sendable, Hashable, CaseIterable {
        case h264, hevc, jpeg
    }

    package var codec: Codec
    /// The size in pixels as coded, before the track's matrix.
    package var dimensions: CMVideoDimensions
    /// The body of `avcC` or `hvcC` (ISO/IEC 14496-15, 5.3.3 and 8.3.3); empty for JPEG.
    package var configuration: Data
    package var color: ColorDescription?
    /// The width of a pixel over its height, where that is not one.
    package var pixelAspectRatio: PixelAspectRatio?
    /// The part of the picture that is to be shown, where that is not all.
    package var cleanAperture: CleanAperture?

    package init(codec: Codec, dimensions: CMVideoDimensions, configuration: Data, color: ColorDescription? = nil) {
        self.codec = codec
        self.dimensions = dimensions
        self.configuration = configuration
        self.color = color
    }
}

/// The code points of ISO/IEC 23091-2 that tell how numbers become colours.
package struct ColorDescription: Sendable, Hashable {
    package var primaries: UInt16
    package var transfer: UInt16
    package var matrix: UInt16
    /// Whether luma uses 0…255 instead of 16…235.
    package var isFullRange: Bool

    package init(primaries: UInt16, transfer: UInt16, matrix: UInt16, isFullRange: Bool) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }

    /// ITU-R BT.709 in all three.
    package static func bt709(isFullRange: Bool) -> ColorDescription {
        ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: isFullRange)
    }

    /// BT.601 with 525 lines: SMPTE-C primaries, BT.709 transfer (which BT.601 shares), BT.601 matrix.
    package static func bt601(isFullRange: Bool) -> ColorDescription {
        ColorDescription(primaries: 6, transfer: 1, matrix: 6, isFullRange: isFullRange)
    }
}

extension VideoSampleFormat {
    /// Width and height on the screen before the track's matrix: of the clean aperture, with square pixels.
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

/// The shape of a pixel: `pasp` (ISO/IEC 14496-12, 12.1.4).
package struct PixelAspectRatio: Sendable, Hashable {
    package var horizontalSpacing: UInt32
    package var verticalSpacing: UInt32

    package init(horizontalSpacing: UInt32, verticalSpacing: UInt32) {
        self.horizontalSpacing = horizontalSpacing
        self.verticalSpacing = verticalSpacing
    }
}

/// A rectangle in the picture, its centre told from the picture's: `clap` (ISO/IEC 14496-12, 12.1.4).
package struct CleanAperture: Sendable, Hashable {
    package struct Fraction: Sendable, Hashable {
        package var numerator: Int32
        package var denominator: Int32

        package init(_ numerator: Int32, _ denominator: Int32 = 1) {
            self.numerator = numerator
            self.denominator = denominator
        }
    }

    package var width: Fraction
    package var height: Fraction
    /// How far the centre lies right of the picture's.
    package var horizontalOffset: Fraction
    /// How far the centre lies below the picture's.
    package var verticalOffset: Fraction

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

/// The format of a track's sound.
package struct AudioSampleFormat: Sendable, Hashable {
    package enum Codec: Sendable, Hashable {
        /// MPEG-4 AAC with its `AudioSpecificConfig` (ISO/IEC 14496-3, 1.6.2.1).
        case aac(configuration: Data)
        /// Interleaved.
        case pcm(PCMFormat)
        /// Apple Lossless with its `ALACSpecificConfig` of 24 bytes.
        case alac(configuration: Data)
        /// Opus with the body of its `dOps`.
        case opus(configuration: Data)
    }

    package var codec: Codec
    /// Frames a second; a whole number.
    package var sampleRate: Int32
    package var channelCount: Int
    /// The coded bit rate, 0 where unknown.
    package var bitRate: Int

    package init(codec: Codec, sampleRate: Int32, channelCount: Int, bitRate: Int = 0) {
        self.codec = codec
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.bitRate = bitRate
    }

    /// Frames in one packet: 1024 for AAC-LC (ISO/IEC 14496-3, 4.5.2.1), 1 for PCM, 20 ms for Opus as encoded here.
    package var framesPerPacket: Int {
        switch codec {
        case .aac: 1024
        case .pcm: 1
        case .alac(let configuration): configuration.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        case .opus: 960
        }
    }

    /// Whether a packet is a frame, and all have one size.
    package var isPCM: Bool {
        if case .pcm = codec { true } else { false }
    }
}
