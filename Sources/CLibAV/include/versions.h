#pragma once

// Functions that are the same for all versions of FFmpeg from 5.1 on, for types that differ between them.

/// Returns the version of the headers with which this program was built: "libavcodec 59.37".
static inline const char *clibav_built_with(void) {
    return "libavcodec " AV_STRINGIFY(LIBAVCODEC_VERSION_MAJOR) "." AV_STRINGIFY(LIBAVCODEC_VERSION_MINOR);
}

/// Returns the display matrix of a stream: nine numbers, as in a track of a movie file. NULL if it has none.
static inline const int32_t *clibav_display_matrix(const AVStream *stream) {
    const size_t byte_count = 9 * sizeof(int32_t);
#ifdef CLIBAV_HAS_CODED_SIDE_DATA
    const AVCodecParameters *parameters = stream->codecpar;
    const AVPacketSideData *data = av_packet_side_data_get(
        parameters->coded_side_data, parameters->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
    return data && data->size >= byte_count ? (const int32_t *)data->data : NULL;
#else
    size_t size = 0;
    const uint8_t *data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    return data && size >= byte_count ? (const int32_t *)data : NULL;
#endif
}

/// Returns the duration of a decoded frame in the time base of its stream; 0 if it is unknown.
static inline int64_t clibav_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame->duration;
#else
    return frame->pkt_duration;
#endif
}

/// A converter of pixel formats. Swift imports FFmpeg's own type differently since FFmpeg 8, which defines its members.
typedef struct clibav_scaler clibav_scaler;

/// Creates a converter between two pixel formats of the same matrix and range; NULL if there is none.
static inline clibav_scaler *clibav_scaler_create(
    int width, int height, enum AVPixelFormat source, enum AVPixelFormat target, int is_full_range) {
    int flags = SWS_BILINEAR | SWS_ACCURATE_RND | SWS_BITEXACT | SWS_FULL_CHR_H_INT;
    struct SwsContext *context = sws_getContext(width, height, source, width, height, target, flags, NULL, NULL, NULL);
    if (!context) return NULL;
    // The same matrix and range on both sides, so that only the layout changes. Brightness 0; contrast and saturation 1
    // in 16.16 fixed point.
    const int *table = sws_getCoefficients(SWS_CS_DEFAULT);
    sws_setColorspaceDetails(context, table, is_full_range, table, is_full_range, 0, 1 << 16, 1 << 16);
    return (clibav_scaler *)context;
}

/// Frees a converter, which can be NULL.
static inline void clibav_scaler_free(clibav_scaler *scaler) { sws_freeContext((struct SwsContext *)scaler); }

/// Converts the planes of an image; returns the number of rows that were written.
static inline int clibav_scaler_convert(
    clibav_scaler *scaler, const uint8_t *const source[], const int source_strides[], int row_count,
    uint8_t *const destination[], const int strides[]) {
    return sws_scale((struct SwsContext *)scaler, source, source_strides, 0, row_count, destination, strides);
}
