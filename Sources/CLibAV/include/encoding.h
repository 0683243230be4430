#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/cpu.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>

// Encoding: macros that the importer cannot read, as functions.

/// The encoder wants its output taken before more input.
static inline int clibav_error_again(void) { return AVERROR(EAGAIN); }

/// There is no more output.
static inline int clibav_error_end(void) { return AVERROR_EOF; }

/// Memory ran out.
static inline int clibav_error_memory(void) { return AVERROR(ENOMEM); }
