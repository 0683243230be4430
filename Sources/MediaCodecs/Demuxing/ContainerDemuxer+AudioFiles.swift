import CLibAV
import Foundation
import MediaTypes

extension ContainerDemuxer {
    /// Returns the sample description of a track of an audio file; nil for a codec that movies cannot contain.
    package func sampleEntry(ofAudio track: MediaTrack) -> SampleEntry? {
        parameters(ofTrack: track.index).flatMap { SampleEntry($0.pointee, track) }
    }
}

extension SampleEntry {
    /// Creates an entry for audio from another file format; nil for a codec that movies cannot contain.
    init?(_ parameters: AVCodecParameters, _ track: MediaTrack) {
        guard case .audio(let source) = track.content else { return nil }
        var audio = Audio(
            channelCount: source.channelCount, bitsPerChannel: Int(parameters.bits_per_coded_sample),
            sampleRate: Double(source.sampleRate), linearFlags: nil, framesPerPacket: Int(parameters.frame_size))
        let extra =
            parameters.extradata.map { Data(bytes: $0, count: Int(parameters.extradata_size)) } ?? Data()
        var atoms: [String: Data] = [:]
        let code: String
        switch parameters.codec_id {
        case AV_CODEC_ID_AAC:
            code = "mp4a"
            if !extra.isEmpty {
                atoms["esds"] =
                    Data([0, 0, 0, 0])
                    + ElementaryStreamDescriptor(configuration: extra, bitRate: Int(parameters.bit_rate)).bytes
            }
        case AV_CODEC_ID_ALAC:
            code = "alac"
            // libavcodec stores the whole `alac` atom; the 8 bytes of its header are removed.
            atoms["alac"] = extra.count == 36 ? Data(extra.dropFirst(8)) : Data([0, 0, 0, 0]) + extra
        case AV_CODEC_ID_OPUS:
            code = "Opus"
            if let configuration = OpusConfiguration(header: Array(extra)) {
                atoms["dOps"] = Data(configuration.specificBox)
            }
        case AV_CODEC_ID_MP3: code = ".mp3"
        case AV_CODEC_ID_FLAC:
            code = "fLaC"
            // Version and flags, then the header of the last metadata block: STREAMINFO of 34 bytes.
            atoms["dfLa"] = Data([0, 0, 0, 0, 0x80, 0, 0, 34]) + extra
        case AV_CODEC_ID_PCM_MULAW: code = "ulaw"
        case AV_CODEC_ID_PCM_ALAW: code = "alaw"
        default:
            code = "lpcm"
            guard let flags = Self.linearFlags(parameters.codec_id) else { return nil }
            audio.linearFlags = flags
            audio.framesPerPacket = 1
            audio.bitsPerChannel = Int(av_get_bits_per_sample(parameters.codec_id))
        }
        self.init(code: code, content: .audio(audio), atoms: atoms)
    }

    private static func linearFlags(_ codec: AVCodecID) -> UInt32? {
        let (float, big, signed) = (
            kAudioFormatFlagIsFloat, kAudioFormatFlagIsBigEndian, kAudioFormatFlagIsSignedInteger
        )
        let flags: UInt32
        switch codec {
        case AV_CODEC_ID_PCM_U8: flags = 0
        case AV_CODEC_ID_PCM_S8, AV_CODEC_ID_PCM_S16LE, AV_CODEC_ID_PCM_S24LE, AV_CODEC_ID_PCM_S32LE: flags = signed
        case AV_CODEC_ID_PCM_S16BE, AV_CODEC_ID_PCM_S24BE, AV_CODEC_ID_PCM_S32BE: flags = signed | big
        case AV_CODEC_ID_PCM_F32LE, AV_CODEC_ID_PCM_F64LE: flags = float
        case AV_CODEC_ID_PCM_F32BE, AV_CODEC_ID_PCM_F64BE: flags = float | big
        default: return nil
        }
        return flags | kAudioFormatFlagIsPacked
    }
}
