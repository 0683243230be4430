#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/log.h>
#include <libavutil/pixdesc.h>
#include <libavutil/sha.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

// Functions for the macros of demuxing and decoding that Swift cannot import.

/// The value of an unknown timestamp (AV_NOPTS_VALUE).
static inline int64_t clibav_no_timestamp(void) { return AV_NOPTS_VALUE; }

/// Whether a decoder needs more input before it returns output, or accepts no input until its output is read.
static inline int clibav_is_again(int result) { return result == AVERROR(EAGAIN); }

/// Whether a result indicates the end of the data.
static inline int clibav_is_end(int result) { return result == AVERROR_EOF; }

/// Returns the HTTP status code for a result; 0 if the result does not correspond to one of 401, 403 and 404.
static inline int clibav_http_status(int result) {
    switch (result) {
        case AVERROR_HTTP_UNAUTHORIZED: return 401;
        case AVERROR_HTTP_FORBIDDEN: return 403;
        case AVERROR_HTTP_NOT_FOUND: return 404;
        default: return 0;
    }
}

/// The result of an input or output error.
static inline int clibav_error_io(void) { return AVERROR(EIO); }

/// The result of a failed memory allocation.
static inline int clibav_error_out_of_memory(void) { return AVERROR(ENOMEM); }

/// Whether a result indicates that memory could not be allocated.
static inline int clibav_is_out_of_memory(int result) { return result == AVERROR(ENOMEM); }

/// Whether a decoder reports damage in a frame.
static inline int clibav_is_damaged(const AVFrame *frame) {
    return (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0 || frame->decode_error_flags != 0;
}
