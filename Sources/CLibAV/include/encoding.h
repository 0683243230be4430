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

// Inline functions for macros of libavcodec that Swift cannot import.

/// Returns AVERROR(EAGAIN). As a result of sending to a codec: its output must be read first. As a result of receiving
/// from it: it needs more input.
static inline int clibav_error_again(void) { return AVERROR(EAGAIN); }

/// Returns AVERROR_EOF, the end of the data. As a result of receiving from a codec: it was flushed and has no more
/// output. As a result of reading a file: there are no more bytes.
static inline int clibav_error_end(void) { return AVERROR_EOF; }
