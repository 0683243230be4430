import CLibAV
import Foundation
import MediaTypes

// The configuration of libavcodec's encoders.
extension VideoEncoder {
    static func openCodec(_ settings: VideoEncoderSettings) throws(EncodingError) -> CodecContext {
        let codec =
            switch settings.codec {
            case .h264: try CodecContext(encoder: "libx264")
            case .hevc: try CodecContext(encoder: "libx265")
            case .jpeg: try CodecContext(encoder: "mjpeg")
            case .proRes422Proxy, .proRes422LT, .proRes422, .proRes422HQ, .proRes4444:
                try CodecContext(encoder: "prores_ks")
            }
        let context = codec.pointer
        context.pointee.width = settings.dimensions.width
        context.pointee.height = settings.dimensions.height
        context.pointee.sample_aspect_ratio = AVRational(
            num: Int32(clamping: settings.pixelAspectRatio?.horizontalSpacing ?? 1),
            den: Int32(clamping: settings.pixelAspectRatio?.verticalSpacing ?? 1))
        context.pointee.time_base = frameDuration(settings.expectedFrameDuration)
        context.pointee.framerate = AVRational(
            num: context.pointee.time_base.den, den: context.pointee.time_base.num)
        context.pointee.thread_count = Int32(settings.threadCount)
        context.pointee.max_b_frames = Int32(settings.reorderedFrameCount)
        context.pointee.gop_size = Int32(clamping: settings.keyFrameInterval)
        apply(settings.color, to: context)
        if let rate = settings.averageBitRate { context.pointee.bit_rate = Int64(rate) }
        switch settings.codec {
        case .h264: try configureH264(codec, settings)
        case .hevc: try configureHEVC(codec, settings)
        case .jpeg: configureJPEG(codec, settings)
        case .proRes422Proxy: try configureProRes(codec, profile: "proxy")
        case .proRes422LT: try configureProRes(codec, profile: "lt")
        case .proRes422: try configureProRes(codec, profile: "standard")
        case .proRes422HQ: try configureProRes(codec, profile: "hq")
        case .proRes4444: try configureProRes(codec, profile: "4444")
        }
        try codec.open()
        return codec
    }

    private static func configureH264(_ codec: CodecContext, _ settings: VideoEncoderSettings) throws(EncodingError) {
        codec.pointer.pointee.pix_fmt = AV_PIX_FMT_NV12
        try codec.set("preset", to: "veryfast")
        try codec.set("forced-idr", to: "1")
        try codec.set("rc-lookahead", to: "\(settings.lookahead)")
        if settings.averageBitRate == nil { try codec.set("crf", to: "\(settings.rateFactor)") }
        if let profile = settings.profile { try codec.set("profile", to: profile.rawValue) }
        if let level = settings.level { try codec.set("level", to: level) }
        if let mode = settings.entropyMode { try codec.set("coder", to: mode.rawValue) }
        // By default, x264 uses other algorithms on arm64 than on x86-64, with other results.
        var parameters = ["cpu-independent=1"]
        if settings.isLowDelay { parameters.append("sync-lookahead=0") }
        if let names = instructionSets(for: settings.dimensions) { parameters.append("asm=" + names) }
        if settings.alternatesFrames {
            // A fixed pattern: frame types independent of the content, no B-frames as references, closed groups.
            try codec.set("b_strategy", to: "0")
            try codec.set("b-pyramid", to: "none")
            try codec.set("weightp", to: "none")
            codec.pointer.pointee.keyint_min = codec.pointer.pointee.gop_size
            parameters += ["scenecut=0", "open-gop=0"]
        }
        try codec.set("x264-params", to: parameters.joined(separator: ":"))
    }

    /// Returns the instruction sets that x264 may use; nil for all that the processor supports.
    ///
    /// If the frame's width in macroblocks is not a multiple of eight, the AVX-512 macroblock tree of x264 (build 164)
    /// reads uninitialized memory past the ends of rows, so the same frames result in different bytes. Every processor
    /// with AVX-512 also supports the instruction sets below.
    private static func instructionSets(for dimensions: CMVideoDimensions) -> String? {
        guard (dimensions.width + 15) / 16 % 8 != 0, av_get_cpu_flags() & AV_CPU_FLAG_AVX512 != 0 else { return nil }
        return "MMX2,SSE2Fast,LZCNT,SSSE3,SSE4.2,AVX,FMA3,BMI2,AVX2"
    }

    private static func configureHEVC(_ codec: CodecContext, _ settings: VideoEncoderSettings) throws(EncodingError) {
        codec.pointer.pointee.pix_fmt = settings.pixelFormat
        try codec.set("preset", to: "ultrafast")
        try codec.set("forced-idr", to: "1")
        if settings.averageBitRate == nil { try codec.set("crf", to: "\(settings.rateFactor)") }
        // `info=0`: no processor name and no x265 version in the stream. The output depends on `pools`. The coding unit
        // tree is computed in floating point; the last bits depend on the processor.
        let lookahead = settings.isLowDelay ? 0 : max(1, settings.lookahead)
        var parameters = [
            "log-level=none", "info=0", "no-cutree=1", "pools=\(settings.threadCount)", "frame-threads=1",
            "rc-lookahead=\(lookahead)", "bframes=\(settings.reorderedFrameCount)",
        ]
        if settings.isLowDelay { parameters += ["scenecut=0", "b-adapt=0"] }
        // Without it, x265 signals the range extensions for intra frames, which HEIF's brand `heic` excludes.
        // With 10 bits, there is no profile for still pictures: a picture of the profile Main 10 is the first one of a
        // stream that could have others.
        if settings.isStillPicture {
            parameters += settings.bitsPerComponent > 8 ? ["keyint=2"] : ["total-frames=1", "keyint=1"]
        }
        if settings.alternatesFrames { parameters += ["b-adapt=0", "b-pyramid=0", "scenecut=0", "open-gop=0"] }
        try codec.set("x265-params", to: parameters.joined(separator: ":"))
    }

    /// Configures ProRes. The profile determines the bit rate.
    private static func configureProRes(_ codec: CodecContext, profile: String) throws(EncodingError) {
        codec.pointer.pointee.pix_fmt = profile == "4444" ? AV_PIX_FMT_YUV444P10LE : AV_PIX_FMT_YUV422P10LE
        try codec.set("profile", to: profile)
    }

    private static func configureJPEG(_ codec: CodecContext, _ settings: VideoEncoderSettings) {
        let context = codec.pointer
        context.pointee.pix_fmt = AV_PIX_FMT_YUVJ420P
        context.pointee.color_range = AVCOL_RANGE_JPEG
        // The default depends on the processor.
        context.pointee.dct_algo = FF_DCT_INT
        // With more threads, the output depends on their number. One is fast enough.
        context.pointee.thread_count = 1
        guard settings.averageBitRate == nil else { return }
        // The quantizer scale, from 31 (lowest quality) to 2.
        let scale = settings.quality.map { 31 - 29 * min(max($0, 0), 1) } ?? 3
        context.pointee.flags |= AV_CODEC_FLAG_QSCALE
        context.pointee.global_quality = Int32(scale.rounded()) * FF_QP2LAMBDA
        context.pointee.qmin = 1
    }

    private static func apply(_ color: ColorDescription, to context: UnsafeMutablePointer<AVCodecContext>) {
        context.pointee.color_primaries = AVColorPrimaries(rawValue: UInt32(color.primaries))
        context.pointee.color_trc = AVColorTransferCharacteristic(rawValue: UInt32(color.transfer))
        context.pointee.colorspace = AVColorSpace(rawValue: UInt32(color.matrix))
        context.pointee.color_range = color.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        context.pointee.chroma_sample_location = AVCHROMA_LOC_LEFT
    }

    /// Returns a frame duration in seconds as a fraction that fits x264's 32-bit arithmetic; 1/30 if it is invalid.
    private static func frameDuration(_ time: CMTime) -> AVRational {
        var result = AVRational()
        av_reduce(&result.num, &result.den, time.value, Int64(time.timescale), 1_000_000)
        return result.num > 0 && result.den > 0 ? result : AVRational(num: 1, den: 30)
    }
}
