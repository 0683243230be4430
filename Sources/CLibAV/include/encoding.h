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

// Functions for the macros of encoding that Swift cannot import.

/// The result of an encoder that accepts no more input until its output is read.
static inline int clibav_error_again(void) { return AVERROR(EAGAIN); }

/// The result at the end of the data: of an encoder without further output, or of a read.
static inline int clibav_error_end(void) { return AVERROR_EOF; }
