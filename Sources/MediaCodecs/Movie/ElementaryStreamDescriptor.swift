package import Foundation
package import MediaTypes

/// The `ES_Descriptor` of AAC (ISO/IEC 14496-1, 7.2.6.5) for `esds` boxes and magic cookies.
package struct ElementaryStreamDescriptor {
    // The tags of the descriptors (ISO/IEC 14496-1, 7.2.2.1).
    private static let streamTag: UInt8 = 3
    private static let decoderConfigurationTag: UInt8 = 4
    private static let decoderSpecificInfoTag: UInt8 = 5
    private static let synchronizationLayerTag: UInt8 = 6

    package let bytes: [UInt8]

    /// Creates a descriptor.
    ///
    /// - Parameters:
    ///   - configuration: The `AudioSpecificConfig`.
    ///   - bitRate: In bit/s; 0 if unknown.
    package init(configuration: Data, bitRate: Int) {
        var decoder = BoxBuilder()
        decoder.unsigned8(0x40)  // MPEG-4 audio
        decoder.unsigned8(5 << 2 | 1)  // audio stream, reserved bit
        decoder.zeros(3)
        decoder.unsigned32(UInt32(clamping: bitRate))
        decoder.unsigned32(UInt32(clamping: bitRate))
        decoder.data(Self.descriptor(Self.decoderSpecificInfoTag, Array(configuration)))
        var stream = BoxBuilder()
        stream.unsigned16(0)
        stream.unsigned8(0)
        stream.data(Self.descriptor(Self.decoderConfigurationTag, decoder.bytes))
        stream.data(Self.descriptor(Self.synchronizationLayerTag, [2]))  // 2: predefined for MP4 files
        bytes = Self.descriptor(Self.streamTag, stream.bytes)
    }

    /// Returns the decoder configuration in an `ES_Descriptor`; nil if there is none.
    ///
    /// - Parameter data: The descriptor, with or without the preceding version field of `esds`.
    package static func decoderSpecificInfo(in data: Data) -> Data? {
        guard var decoder = decoderConfiguration(in: data)?.dropFirst(13) else { return nil }
        return body(of: decoderSpecificInfoTag, in: &decoder).map { Data($0) }
    }

    /// Returns the `objectTypeIndication` (ISO/IEC 14496-1, 7.2.6.6) in an `ES_Descriptor`; nil if there is none.
    ///
    /// - Parameter data: The descriptor, with or without the preceding version field of `esds`.
    private static func objectType(in data: Data) -> UInt8? { decoderConfiguration(in: data)?.first }

    /// The audio format of Vorbis, for which Core Audio has no constant.
    static let vorbis: AudioFormatID = 0x766f_7262

    /// Returns the video codec type or audio format of an `ES_Descriptor` by its object type (registry of the MP4
    /// Registration Authority); nil for unknown ones.
    ///
    /// - Parameter data: The descriptor, with or without the preceding version field of `esds`.
    package static func codecType(in data: Data) -> FourCharCode? {
        switch objectType(in: data) {
        case 0x20: kCMVideoCodecType_MPEG4Video
        case 0x21: kCMVideoCodecType_H264
        case 0x23: kCMVideoCodecType_HEVC
        case 0x60, 0x61, 0x62, 0x63, 0x64, 0x65: kCMVideoCodecType_MPEG2Video
        case 0x6a: kCMVideoCodecType_MPEG1Video
        case 0x6c: kCMVideoCodecType_JPEG
        case 0x6d: FourCharCode(fourCharacters: "png ")
        case 0x6e: FourCharCode(fourCharacters: "mjp2")
        case 0xa3: FourCharCode(fourCharacters: "vc-1")
        case 0xb1: kCMVideoCodecType_VP9
        case 0x40, 0x66, 0x67, 0x68: kAudioFormatMPEG4AAC
        // MPEG-2 and MPEG-1 audio.
        case 0x69, 0x6b: kAudioFormatMPEGLayer3
        case 0xa5: kAudioFormatAC3
        case 0xa6: kAudioFormatEnhancedAC3
        case 0xa9: FourCharCode(fourCharacters: "dtsc")
        case 0xd1: FourCharCode(fourCharacters: "sevc")
        case 0xdd: vorbis
        case 0xe1: kAudioFormatQUALCOMM
        default: nil
        }
    }

    /// Returns the body of the `DecoderConfigDescriptor` in an `ES_Descriptor`: 13 bytes, which begin with the object
    /// type, and further descriptors.
    private static func decoderConfiguration(in data: Data) -> ArraySlice<UInt8>? {
        var bytes = ArraySlice(data)
        if bytes.starts(with: [0, 0, 0, 0]) { bytes = bytes.dropFirst(4) }
        guard var stream = body(of: streamTag, in: &bytes), stream.count >= 3 else { return nil }
        let flags = stream[stream.startIndex + 2]
        stream = stream.dropFirst(3)
        // Optional fields: the ID of another stream, a URL, the ID of the clock stream.
        if flags & 0x80 != 0 { stream = stream.dropFirst(2) }
        if flags & 0x40 != 0, let count = stream.first { stream = stream.dropFirst(Int(count) + 1) }
        if flags & 0x20 != 0 { stream = stream.dropFirst(2) }
        return body(of: decoderConfigurationTag, in: &stream)
    }

    /// Returns a descriptor whose size is stored in four bytes of seven bits, the most widely supported form.
    private static func descriptor(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] {
        let size = body.count
        let bytes = [21, 14, 7].map { UInt8(size >> $0 & 0x7f | 0x80) } + [UInt8(size & 0x7f)]
        return [tag] + bytes + body
    }

    private static func body(of tag: UInt8, in bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.popFirst() == tag else { return nil }
        var size = 0
        for _ in 0..<4 {
            guard let byte = bytes.popFirst() else { return nil }
            size = size << 7 | Int(byte & 0x7f)
            if byte & 0x80 == 0 { break }
        }
        guard size <= bytes.count else { return nil }
        return bytes.prefix(size)
    }
}
