import CLibAV
import Foundation
package import MediaTypes

/// The parameters that a decoder needs before the first sample, from a format description.
package struct DecoderConfiguration {
    let codec: AVCodecID
    private let extraData: Data
    private let tag: FourCharCode
    private let dimensions: CMVideoDimensions
    /// The color description of the container, for bitstreams without one.
    private let color: ColorDescription?
    private let sampleRate: Int32
    private let channelCount: Int32
    /// The bits per pixel of video and the bits per sample of audio, as the container specifies them; 0 if unknown.
    private let bitsPerCodedSample: Int32
    /// The size of a packet with a fixed size; 0 for others.
    private let blockByteCount: Int32

    /// Creates the parameters.
    ///
    /// - Returns: nil for a codec without a known decoder.
    package init?(_ description: CMFormatDescription) {
        let code = CMFormatDescriptionGetMediaSubType(description)
        dimensions = CMVideoFormatDescriptionGetDimensions(description)
        color = ColorDescription(description)
        tag = code.byteSwapped
        switch CMFormatDescriptionGetMediaType(description) {
        case kCMMediaType_Video:
            let atoms =
                CMFormatDescriptionGetExtension(
                    description, extensionKey: kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms)
                as? [String: Any] ?? [:]
            let stream = atoms["esds"] as? Data
            let depth =
                CMFormatDescriptionGetExtension(
                    description, extensionKey: kCMFormatDescriptionExtension_Depth) as? Int ?? 0
            let type = stream.flatMap(ElementaryStreamDescriptor.codecType) ?? code
            guard let codec = AVCodecID.video(type, depth: depth) else { return nil }
            self.codec = codec
            extraData = Self.videoExtraData(atoms)
            bitsPerCodedSample = Int32(clamping: depth)
            (sampleRate, channelCount, blockByteCount) = (0, 0, 0)
        case kCMMediaType_Audio:
            guard let stream = description.audioStreamBasicDescription, let codec = Self.audio(stream) else {
                return nil
            }
            self.codec = codec
            extraData = Self.extraData(description.magicCookie ?? Data(), codec)
            sampleRate = Int32(clamping: Int64(stream.mSampleRate.rounded()))
            // Sample entries of these codecs specify two channels, but they are always monaural (3GPP TS 26.244, 6.5).
            let isMonaural = [AV_CODEC_ID_AMR_NB, AV_CODEC_ID_AMR_WB, AV_CODEC_ID_QCELP, AV_CODEC_ID_EVRC].contains(
                codec)
            channelCount = isMonaural ? 1 : Int32(clamping: stream.mChannelsPerFrame)
            bitsPerCodedSample = Int32(clamping: stream.mBitsPerChannel)
            blockByteCount = Int32(clamping: max(stream.mBytesPerFrame, stream.mBytesPerPacket))
        default: return nil
        }
    }

    /// Creates the parameters of a WebP image.
    init(webP dimensions: CMVideoDimensions) {
        codec = AV_CODEC_ID_WEBP
        self.dimensions = dimensions
        (extraData, tag, color) = (Data(), 0, nil)
        (sampleRate, channelCount, bitsPerCodedSample, blockByteCount) = (0, 0, 0, 0)
    }

    /// The codec's name, such as `h264`; `unknown` if FFmpeg's libraries are missing.
    package var name: String {
        LibAV.unavailabilityReason == nil ? avcodec_get_name(codec).map { String(cString: $0) } ?? "unknown" : "unknown"
    }

    /// The number of packets to decode and discard before the requested audio.
    package var preRollCount: Int {
        switch codec {
        case AV_CODEC_ID_AAC: 2
        // A frame refers to up to 511 bytes of the frames before it (ISO/IEC 11172-3, 2.4.2.7), which have at least 60 bytes
        // at 32 kbit/s and 48 kHz.
        case AV_CODEC_ID_MP3: 10
        // Each packet overlaps the one before it.
        case AV_CODEC_ID_AC3, AV_CODEC_ID_EAC3, AV_CODEC_ID_DTS, AV_CODEC_ID_MP1, AV_CODEC_ID_MP2, AV_CODEC_ID_VORBIS: 1
        // Speech codecs predict each frame from the ones before it.
        case AV_CODEC_ID_AMR_NB, AV_CODEC_ID_AMR_WB: 4
        // RFC 7845, 4.6: at least 80 ms, which are 4 packets of 20 ms or 8 of 10 ms.
        case AV_CODEC_ID_OPUS: 8
        default: 0
        }
    }

    /// Configures a decoder; returns false if memory ran out.
    func apply(to context: UnsafeMutablePointer<AVCodecContext>) -> Bool {
        context.pointee.codec_tag = tag
        context.pointee.width = dimensions.width
        context.pointee.height = dimensions.height
        // The header of a damaged frame can contain any size. The limit is four times the track's number of pixels, but
        // at least 2^21 and at most 2^27.
        let pixelCount = Int64(dimensions.width) * Int64(dimensions.height)
        context.pointee.max_pixels = min(1 << 27, max(1 << 21, 4 * pixelCount))
        if let color {
            context.pointee.color_primaries = AVColorPrimaries(rawValue: UInt32(color.primaries))
            context.pointee.color_trc = AVColorTransferCharacteristic(rawValue: UInt32(color.transfer))
            context.pointee.colorspace = AVColorSpace(rawValue: UInt32(color.matrix))
            // Descriptions of type nclc do not contain the range.
            if color.isFullRange { context.pointee.color_range = AVCOL_RANGE_JPEG }
        }
        context.pointee.sample_rate = sampleRate
        context.pointee.bits_per_coded_sample =
            bitsPerCodedSample > 0 ? bitsPerCodedSample : av_get_bits_per_sample(codec)
        context.pointee.block_align = blockByteCount
        if channelCount > 0 { av_channel_layout_default(&context.pointee.ch_layout, channelCount) }
        guard !extraData.isEmpty else { return true }
        let padding = Int(AV_INPUT_BUFFER_PADDING_SIZE)
        guard let memory = av_mallocz(extraData.count + padding) else { return false }
        let bytes = memory.assumingMemoryBound(to: UInt8.self)
        extraData.copyBytes(to: bytes, count: extraData.count)
        context.pointee.extradata = bytes
        context.pointee.extradata_size = Int32(extraData.count)
        return true
    }

    private static func audio(_ stream: AudioStreamBasicDescription) -> AVCodecID? {
        stream.mFormatID == kAudioFormatLinearPCM ? linear(stream) : .audio(stream.mFormatID)
    }

    private static func linear(_ stream: AudioStreamBasicDescription) -> AVCodecID? {
        let flags = stream.mFormatFlags
        guard flags & kAudioFormatFlagIsNonInterleaved == 0 else { return nil }
        let isBig = flags & kAudioFormatFlagIsBigEndian != 0
        let isSigned = flags & kAudioFormatFlagIsSignedInteger != 0
        switch (stream.mBitsPerChannel, flags & kAudioFormatFlagIsFloat != 0) {
        case (8, false): return isSigned ? AV_CODEC_ID_PCM_S8 : AV_CODEC_ID_PCM_U8
        case (16, false): return isBig ? AV_CODEC_ID_PCM_S16BE : AV_CODEC_ID_PCM_S16LE
        case (24, false): return isBig ? AV_CODEC_ID_PCM_S24BE : AV_CODEC_ID_PCM_S24LE
        case (32, false): return isBig ? AV_CODEC_ID_PCM_S32BE : AV_CODEC_ID_PCM_S32LE
        case (32, true): return isBig ? AV_CODEC_ID_PCM_F32BE : AV_CODEC_ID_PCM_F32LE
        case (64, true): return isBig ? AV_CODEC_ID_PCM_F64BE : AV_CODEC_ID_PCM_F64LE
        default: return nil
        }
    }

    /// Returns the configuration in the boxes of a video sample entry; empty if there is none.
    private static func videoExtraData(_ atoms: [String: Any]) -> Data {
        if let stream = atoms["esds"] as? Data {
            return ElementaryStreamDescriptor.decoderSpecificInfo(in: stream) ?? Data()
        }
        // SMPTE RP 2025: the profile and the level precede the sequence header of VC-1.
        if let record = atoms["dvc1"] as? Data { return Data(record.dropFirst(7)) }
        let records = ["avcC", "hvcC", "vvcC", "av1C", "glbl", "SMI "].lazy.compactMap { atoms[$0] as? Data }
        return records.first ?? Data()
    }

    /// Converts a magic cookie to the form that libavcodec expects.
    private static func extraData(_ cookie: Data, _ codec: AVCodecID) -> Data {
        switch codec {
        case AV_CODEC_ID_AAC, AV_CODEC_ID_VORBIS, AV_CODEC_ID_QCELP:
            return ElementaryStreamDescriptor.decoderSpecificInfo(in: cookie) ?? cookie
        case AV_CODEC_ID_ALAC:
            // libavcodec expects the QuickTime atom: size, type, version.
            guard cookie.count == 24 else { return cookie }
            return Data([0, 0, 0, 36]) + Data("alac".utf8) + Data([0, 0, 0, 0]) + cookie
        case AV_CODEC_ID_FLAC:
            // The STREAMINFO block without its header.
            return cookie.count >= 38 ? Data(cookie.dropFirst(4).prefix(34)) : cookie
        default: return cookie
        }
    }
}
