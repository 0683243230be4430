#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/log.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

// Demuxing and decoding: functions for macros that Swift cannot import.

/// The value of an unknown timestamp (AV_NOPTS_VALUE).
static inline int64_t clibav_no_time(void) { return AV_NOPTS_VALUE; }

/// Whether a result requests more input, or that output is read first.
static inline int clibav_wants_more(int result) { return result == AVERROR(EAGAIN); }

/// Whether a result means the end of the data.
static inline int clibav_is_end(int result) { return result == AVERROR_EOF; }

/// The result for the end of the data.
static inline int clibav_end(void) { return AVERROR_EOF; }

/// The status of HTTP that a result means; 0 for other results, and for statuses without a result of their own.
static inline int clibav_http_status(int result) {
    switch (result) {
        case AVERROR_HTTP_UNAUTHORIZED: return 401;
        case AVERROR_HTTP_FORBIDDEN: return 403;
        case AVERROR_HTTP_NOT_FOUND: return 404;
        default: return 0;
    }
}

/// The result for an error of input or output.
static inline int clibav_input_error(void) { return AVERROR(EIO); }

/// Whether a result means that memory ran out.
static inline int clibav_is_out_of_memory(int result) { return result == AVERROR(ENOMEM); }
