#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/log.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

// Demuxing and decoding: macros that the importer cannot read, as functions.

/// The time that means that there is none.
static inline int64_t clibav_no_time(void) { return AV_NOPTS_VALUE; }

/// Whether a result asks for more input, or for output to be taken first.
static inline int clibav_wants_more(int result) { return result == AVERROR(EAGAIN); }

/// Whether a result says that there is no more.
static inline int clibav_is_end(int result) { return result == AVERROR_EOF; }

/// Whether a result says that memory ran out.
static inline int clibav_is_out_of_memory(int result) { return result == AVERROR(ENOMEM); }
