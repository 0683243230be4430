// Every FFmpeg function in use: its library, and its declaration, which the compiler compares with the one in the
// library's header. Linking fails for a function that is called but not listed.
//
// A function with parameters that differ between versions of FFmpeg is a CLIBAV_COMMON_FUNCTION. It is called with the
// prefix clibav_ and with the parameters listed here, which are the same for all versions; `arguments` converts them.
//
// Included more than once, each time with different definitions of CLIBAV_FUNCTION(library, result, name, parameters,
// arguments) and CLIBAV_COMMON_FUNCTION, which has the same parameters.

CLIBAV_FUNCTION(avformat, enum AVCodecID, av_codec_get_id,
    (const struct AVCodecTag *const *tables, unsigned int tag), (tables, tag))
CLIBAV_FUNCTION(avformat, const AVInputFormat *, av_find_input_format, (const char *name), (name))
CLIBAV_FUNCTION(avformat, int, av_read_frame, (AVFormatContext *context, AVPacket *packet), (context, packet))
#ifndef CLIBAV_HAS_CODED_SIDE_DATA
CLIBAV_FUNCTION(avformat, uint8_t *, av_stream_get_side_data,
    (const AVStream *stream, enum AVPacketSideDataType type, size_t *size), (stream, type, size))
#endif
CLIBAV_FUNCTION(avformat, AVFormatContext *, avformat_alloc_context, (void), ())
CLIBAV_FUNCTION(avformat, void, avformat_close_input, (AVFormatContext **context), (context))
CLIBAV_FUNCTION(avformat, int, avformat_find_stream_info, (AVFormatContext *context, AVDictionary **options),
    (context, options))
CLIBAV_FUNCTION(avformat, const struct AVCodecTag *, avformat_get_mov_audio_tags, (void), ())
CLIBAV_FUNCTION(avformat, const struct AVCodecTag *, avformat_get_mov_video_tags, (void), ())
CLIBAV_FUNCTION(avformat, const struct AVCodecTag *, avformat_get_riff_audio_tags, (void), ())
CLIBAV_FUNCTION(avformat, const struct AVCodecTag *, avformat_get_riff_video_tags, (void), ())
CLIBAV_FUNCTION(avformat, int, avformat_open_input,
    (AVFormatContext **context, const char *url, const AVInputFormat *format, AVDictionary **options),
    (context, url, format, options))
// FFmpeg 7 changed the type of the function that writes; this one is for reading.
CLIBAV_COMMON_FUNCTION(avformat, AVIOContext *, avio_alloc_context,
    (unsigned char *buffer, int size, void *owner, int (*read)(void *owner, uint8_t *bytes, int count),
        int64_t (*seek)(void *owner, int64_t offset, int origin)),
    (buffer, size, 0, owner, read, NULL, seek))
CLIBAV_FUNCTION(avformat, int, avio_closep, (AVIOContext **input), (input))
CLIBAV_FUNCTION(avformat, void, avio_context_free, (AVIOContext **input), (input))
CLIBAV_FUNCTION(avformat, int, avio_read, (AVIOContext *input, unsigned char *bytes, int count), (input, bytes, count))
CLIBAV_FUNCTION(avformat, int64_t, avio_size, (AVIOContext *input), (input))
CLIBAV_FUNCTION(avformat, int, avio_open2,
    (AVIOContext **input, const char *url, int flags, const AVIOInterruptCB *interrupt, AVDictionary **options),
    (input, url, flags, interrupt, options))

CLIBAV_FUNCTION(avcodec, int, av_get_bits_per_sample, (enum AVCodecID codec), (codec))
CLIBAV_FUNCTION(avcodec, int, av_new_packet, (AVPacket *packet, int size), (packet, size))
CLIBAV_FUNCTION(avcodec, AVPacket *, av_packet_alloc, (void), ())
CLIBAV_FUNCTION(avcodec, void, av_packet_free, (AVPacket **packet), (packet))
CLIBAV_FUNCTION(avcodec, void, av_packet_unref, (AVPacket *packet), (packet))
CLIBAV_FUNCTION(avcodec, void, av_parser_close, (AVCodecParserContext *parser), (parser))
CLIBAV_COMMON_FUNCTION(avcodec, AVCodecParserContext *, av_parser_init, (enum AVCodecID codec), (codec))
CLIBAV_FUNCTION(avcodec, int, av_parser_parse2,
    (AVCodecParserContext *parser, AVCodecContext *context, uint8_t **frame, int *frameSize, const uint8_t *bytes,
        int count, int64_t presentation, int64_t decode, int64_t position),
    (parser, context, frame, frameSize, bytes, count, presentation, decode, position))
#ifdef CLIBAV_HAS_CODED_SIDE_DATA
CLIBAV_FUNCTION(avcodec, const AVPacketSideData *, av_packet_side_data_get,
    (const AVPacketSideData *data, int count, enum AVPacketSideDataType type), (data, count, type))
#endif
CLIBAV_FUNCTION(avcodec, AVCodecContext *, avcodec_alloc_context3, (const AVCodec *codec), (codec))
CLIBAV_FUNCTION(avcodec, const AVCodecDescriptor *, avcodec_descriptor_get, (enum AVCodecID codec), (codec))
CLIBAV_FUNCTION(avcodec, const AVCodec *, avcodec_find_decoder, (enum AVCodecID codec), (codec))
CLIBAV_FUNCTION(avcodec, const AVCodec *, avcodec_find_encoder_by_name, (const char *name), (name))
CLIBAV_FUNCTION(avcodec, void, avcodec_flush_buffers, (AVCodecContext *context), (context))
CLIBAV_FUNCTION(avcodec, void, avcodec_free_context, (AVCodecContext **context), (context))
CLIBAV_FUNCTION(avcodec, const char *, avcodec_get_name, (enum AVCodecID codec), (codec))
CLIBAV_FUNCTION(avcodec, int, avcodec_open2, (AVCodecContext *context, const AVCodec *codec, AVDictionary **options),
    (context, codec, options))
CLIBAV_FUNCTION(avcodec, int, avcodec_parameters_to_context,
    (AVCodecContext *context, const AVCodecParameters *parameters), (context, parameters))
CLIBAV_FUNCTION(avcodec, int, avcodec_receive_frame, (AVCodecContext *context, AVFrame *frame), (context, frame))
CLIBAV_FUNCTION(avcodec, int, avcodec_receive_packet, (AVCodecContext *context, AVPacket *packet), (context, packet))
CLIBAV_FUNCTION(avcodec, int, avcodec_send_frame, (AVCodecContext *context, const AVFrame *frame), (context, frame))
CLIBAV_FUNCTION(avcodec, int, avcodec_send_packet, (AVCodecContext *context, const AVPacket *packet), (context, packet))

// Later versions declare more of these parameters as constant.
CLIBAV_COMMON_FUNCTION(swresample, int, swr_alloc_set_opts2,
    (SwrContext **context, const AVChannelLayout *outputLayout, enum AVSampleFormat outputFormat, int outputRate,
        const AVChannelLayout *inputLayout, enum AVSampleFormat inputFormat, int inputRate),
    (context, (void *)outputLayout, outputFormat, outputRate, (void *)inputLayout, inputFormat, inputRate, 0, NULL))
CLIBAV_COMMON_FUNCTION(swresample, int, swr_convert,
    (SwrContext *context, uint8_t *const *output, int outputCount, const uint8_t *const *input, int inputCount),
    (context, (void *)output, outputCount, (void *)input, inputCount))
CLIBAV_FUNCTION(swresample, void, swr_free, (SwrContext **context), (context))
CLIBAV_FUNCTION(swresample, int, swr_get_out_samples, (SwrContext *context, int inputCount), (context, inputCount))
CLIBAV_FUNCTION(swresample, int, swr_init, (SwrContext *context), (context))
CLIBAV_FUNCTION(swresample, int, swr_set_matrix, (SwrContext *context, const double *matrix, int stride),
    (context, matrix, stride))

CLIBAV_FUNCTION(swscale, void, sws_freeContext, (struct SwsContext *context), (context))
CLIBAV_FUNCTION(swscale, const int *, sws_getCoefficients, (int colorspace), (colorspace))
CLIBAV_FUNCTION(swscale, struct SwsContext *, sws_getContext,
    (int sourceWidth, int sourceHeight, enum AVPixelFormat sourceFormat, int width, int height,
        enum AVPixelFormat format, int flags, SwsFilter *sourceFilter, SwsFilter *filter, const double *parameters),
    (sourceWidth, sourceHeight, sourceFormat, width, height, format, flags, sourceFilter, filter, parameters))
CLIBAV_FUNCTION(swscale, int, sws_isSupportedInput, (enum AVPixelFormat format), (format))
CLIBAV_FUNCTION(swscale, int, sws_scale,
    (struct SwsContext *context, const uint8_t *const source[], const int sourceStride[], int sourceRow, int rowCount,
        uint8_t *const destination[], const int stride[]),
    (context, source, sourceStride, sourceRow, rowCount, destination, stride))
CLIBAV_FUNCTION(swscale, int, sws_setColorspaceDetails,
    (struct SwsContext *context, const int sourceTable[4], int sourceRange, const int table[4], int range,
        int brightness, int contrast, int saturation),
    (context, sourceTable, sourceRange, table, range, brightness, contrast, saturation))

CLIBAV_FUNCTION(avutil, AVBufferRef *, av_buffer_create,
    (uint8_t *data, size_t size, void (*release)(void *opaque, uint8_t *data), void *opaque, int flags),
    (data, size, release, opaque, flags))
CLIBAV_FUNCTION(avutil, int, av_channel_layout_copy, (AVChannelLayout *layout, const AVChannelLayout *source),
    (layout, source))
CLIBAV_FUNCTION(avutil, void, av_channel_layout_default, (AVChannelLayout *layout, int channelCount),
    (layout, channelCount))
CLIBAV_FUNCTION(avutil, void, av_channel_layout_uninit, (AVChannelLayout *layout), (layout))
CLIBAV_FUNCTION(avutil, void, av_dict_free, (AVDictionary **dictionary), (dictionary))
CLIBAV_FUNCTION(avutil, AVDictionaryEntry *, av_dict_get,
    (const AVDictionary *dictionary, const char *key, const AVDictionaryEntry *previous, int flags),
    (dictionary, key, previous, flags))
CLIBAV_FUNCTION(avutil, int, av_dict_set, (AVDictionary **dictionary, const char *key, const char *value, int flags),
    (dictionary, key, value, flags))
CLIBAV_FUNCTION(avutil, double, av_display_rotation_get, (const int32_t matrix[9]), (matrix))
CLIBAV_FUNCTION(avutil, AVFrame *, av_frame_alloc, (void), ())
CLIBAV_FUNCTION(avutil, void, av_frame_free, (AVFrame **frame), (frame))
CLIBAV_FUNCTION(avutil, int, av_frame_get_buffer, (AVFrame *frame, int alignment), (frame, alignment))
CLIBAV_FUNCTION(avutil, int, av_frame_is_writable, (AVFrame *frame), (frame))
CLIBAV_FUNCTION(avutil, void, av_frame_unref, (AVFrame *frame), (frame))
CLIBAV_FUNCTION(avutil, void, av_freep, (void *pointer), (pointer))
CLIBAV_FUNCTION(avutil, int, av_get_cpu_flags, (void), ())
CLIBAV_FUNCTION(avutil, void, av_log_set_callback,
    (void (*callback)(void *object, int level, const char *format, va_list arguments)), (callback))
CLIBAV_FUNCTION(avutil, void, av_log_set_level, (int level), (level))
CLIBAV_FUNCTION(avutil, void *, av_mallocz, (size_t size), (size))
CLIBAV_FUNCTION(avutil, int, av_opt_set, (void *object, const char *name, const char *value, int searchFlags),
    (object, name, value, searchFlags))
CLIBAV_FUNCTION(avutil, const AVPixFmtDescriptor *, av_pix_fmt_desc_get, (enum AVPixelFormat format), (format))
CLIBAV_FUNCTION(avutil, int, av_reduce, (int *numerator, int *denominator, int64_t from, int64_t by, int64_t limit),
    (numerator, denominator, from, by, limit))
CLIBAV_FUNCTION(avutil, struct AVSHA *, av_sha_alloc, (void), ())
CLIBAV_FUNCTION(avutil, void, av_sha_final, (struct AVSHA *context, uint8_t *digest), (context, digest))
CLIBAV_FUNCTION(avutil, int, av_sha_init, (struct AVSHA *context, int bits), (context, bits))
CLIBAV_FUNCTION(avutil, void, av_sha_update, (struct AVSHA *context, const uint8_t *data, size_t count),
    (context, data, count))
CLIBAV_FUNCTION(avutil, const char *, av_version_info, (void), ())
CLIBAV_FUNCTION(avutil, int, av_strerror, (int error, char *text, size_t size), (error, text, size))
