#pragma once

// The parts of Rubber Band's C interface in use, declared here; its functions are loaded on first use.
//
// Rubber Band is under the GPL and depends on FFTW and libsamplerate, which a program does not need unless it plays
// audio faster or slower at its own pitch.

typedef struct RubberBandState_ *RubberBandState;

// The values are those of Rubber Band's stable interface, version 3.
enum {
    CRUBBERBAND_PROCESS_REAL_TIME = 0x00000001,
    CRUBBERBAND_THREADING_NEVER = 0x00010000,
    CRUBBERBAND_WINDOW_SHORT = 0x00100000,
    CRUBBERBAND_CHANNELS_TOGETHER = 0x10000000,
    CRUBBERBAND_ENGINE_FINER = 0x20000000,
};

// Each function with its own signature, under a name that differs from the library's.
#define LOADED_FUNCTION(result, name, parameters, arguments) result crubberband_##name parameters;
#include "functions.h"
#undef LOADED_FUNCTION

/// Loads the library unless it is loaded; thread-safe. No other function may be called if that fails.
///
/// - Returns: What is missing, as a sentence without a full stop, valid forever; NULL if everything is loaded.
const char *crubberband_load(void);
