#pragma once

// FFmpeg's libraries, whose types and macros are here as their headers have them, and whose functions are loaded when one
// is first called.
//
// They draw in 150 others. Resolving those at every start would take many times as long as all else that a program does
// which takes pictures from a camera and compresses none.

#if !__has_include(<libavformat/avformat.h>)
#error "FFmpeg's headers are missing; install libavformat-dev, libavcodec-dev, libswresample-dev and libswscale-dev"
#endif

#include <stddef.h>

// The headers call this one themselves, so its name at the linker (see below) must come before them.
int av_strerror(int error, char *text, size_t size) __asm__("clibav_av_strerror");

#include "decoding.h"
#include "encoding.h"

// Each function by its own name and with its own signature, but linked as `clibav_…`: a program that links FFmpeg itself,
// perhaps another version, is not disturbed.
#define CLIBAV_FUNCTION(library, result, name, parameters, arguments) result name parameters __asm__("clibav_" #name);
#include "functions.h"
#undef CLIBAV_FUNCTION

/// Loads the libraries, unless they are there; thread-safe.
///
/// A function that is called where they cannot be loaded ends the process, so whoever makes the first call asks this first.
/// - Returns: What is missing, in a sentence without its full stop, valid for good; NULL where all is there.
const char *clibav_load(void);
