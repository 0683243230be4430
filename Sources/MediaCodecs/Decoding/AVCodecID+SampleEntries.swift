import CLibAV
import MediaTypes

extension AVCodecID {
    /// Returns the codec of a video sample entry.
    ///
    /// - Parameters:
    ///   - type: The code of the entry, or the codec type of its elementary stream.
    ///   - depth: The bits per pixel that the entry specifies.
    /// - Returns: nil for a codec without a decoder, and if FFmpeg's libraries are missing.
    static func video(_ type: CMVideoCodecType, depth: Int) -> AVCodecID? {
        switch type.fourCharacters {
        case "avc1", "avc2", "avc3", "avc4": AV_CODEC_ID_H264
        case "hvc1", "hev1", "hvc2", "hev2": AV_CODEC_ID_HEVC
        case "jpeg", "mjpa", "dmb1", "mjpg": AV_CODEC_ID_MJPEG
        case "apch", "apcn", "apcs", "apco", "ap4h", "ap4x": AV_CODEC_ID_PRORES
        case "mp4v": AV_CODEC_ID_MPEG4
        case "mp2v": AV_CODEC_ID_MPEG2VIDEO
        case "mp1v": AV_CODEC_ID_MPEG1VIDEO
        case "vp09": AV_CODEC_ID_VP9
        case "av01": AV_CODEC_ID_AV1
        case "png ": AV_CODEC_ID_PNG
        // Decoders do not receive the palettes of QuickTime's indexed formats.
        default:
            (1...8).contains(depth)
                ? nil : decodable(type, in: [avformat_get_mov_video_tags, avformat_get_riff_video_tags])
        }
    }

    /// Returns the codec of compressed audio.
    ///
    /// - Parameter format: The audio format; for formats without a constant, the code of the sample entry.
    /// - Returns: nil for a codec without a decoder, and if FFmpeg's libraries are missing.
    static func audio(_ format: AudioFormatID) -> AVCodecID? {
        switch format {
        case kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2: return AV_CODEC_ID_AAC
        case kAudioFormatAppleLossless: return AV_CODEC_ID_ALAC
        case kAudioFormatOpus: return AV_CODEC_ID_OPUS
        case kAudioFormatMPEGLayer3: return AV_CODEC_ID_MP3
        case kAudioFormatFLAC: return AV_CODEC_ID_FLAC
        case kAudioFormatAC3: return AV_CODEC_ID_AC3
        case kAudioFormatEnhancedAC3: return AV_CODEC_ID_EAC3
        case kAudioFormatAMR: return AV_CODEC_ID_AMR_NB
        case kAudioFormatAMR_WB: return AV_CODEC_ID_AMR_WB
        case kAudioFormatULaw: return AV_CODEC_ID_PCM_MULAW
        case kAudioFormatALaw: return AV_CODEC_ID_PCM_ALAW
        case ElementaryStreamDescriptor.vorbis: return AV_CODEC_ID_VORBIS
        default: break
        }
        if let codec = decodable(format, in: [avformat_get_mov_audio_tags]) { return codec }
        // QTFF, "Sound Sample Descriptions": `ms` and the two bytes of a format in Microsoft's registry.
        guard format >> 16 == 0x6d73 else { return nil }
        return decodable(AudioFormatID(format & 0xffff).byteSwapped, in: [avformat_get_riff_audio_tags])
    }

    /// Returns the codec of a code in the tables of libavformat, by which it reads QuickTime and MPEG-4 files; nil
    /// without a decoder.
    private static func decodable(_ code: FourCharCode, in tables: [() -> OpaquePointer?]) -> AVCodecID? {
        guard LibAV.unavailabilityReason == nil else { return nil }
        let codecs = tables.lazy.compactMap { table -> AVCodecID? in
            let list = [table(), nil]
            let codec = list.withUnsafeBufferPointer { av_codec_get_id($0.baseAddress, code.byteSwapped) }
            return codec == AV_CODEC_ID_NONE || avcodec_find_decoder(codec) == nil ? nil : codec
        }
        return codecs.first
    }
}
