#pragma once

// FFmpeg's types and macros as in their headers; its functions are loaded on first use.
//
// FFmpeg depends on about 150 other libraries. A program that captures frames without compressing them does not need
// FFmpeg, and linking it would make each launch many times slower.

#if !__has_include(<libavformat/avformat.h>)
#error "FFmpeg's headers are missing; install libavformat-dev, libavcodec-dev, libswresample-dev and libswscale-dev"
#endif

#include <stddef.h>

// FFmpeg's headers call this function themselves, so its symbol name (see below) must be declared before them.
int av_strerror(int error, char *text, size_t size) __asm__("clibav_av_strerror");

#include "decoding.h"
#include "encoding.h"

// The display matrix and other side data of a track, since FFmpeg 6.1.
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
#define CLIBAV_HAS_CODED_SIDE_DATA
#endif

// Each function keeps its name and signature but is linked as `clibav_…`, so that a program can also link FFmpeg
// itself, even another version.
#define CLIBAV_FUNCTION(library, result, name, parameters, arguments) result name parameters __asm__("clibav_" #name);
#define CLIBAV_COMMON_FUNCTION(library, result, name, parameters, arguments) result clibav_##name parameters;
#include "functions.h"
#undef CLIBAV_FUNCTION
#undef CLIBAV_COMMON_FUNCTION

#include "versions.h"

/// Sets the function that receives the messages of level error or worse that the libraries log; others are discarded.
///
/// Swift cannot implement FFmpeg's own callback: on arm64, its compiler crashes for a function with a `va_list`.
/// - Parameter receive: A function that is called on the thread that logs. The text is valid until it returns.
void clibav_set_error_log(void (*receive)(const char *text));

/// Loads the libraries unless they are loaded; thread-safe.
///
/// Calling a function of a library that cannot be loaded aborts the process, so call this function first.
/// - Returns: An error message without a final period, which names the missing file or function; NULL on success. The
///   message remains valid until the process exits.
const char *clibav_load(void);
