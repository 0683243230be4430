#pragma once

// The parts of Rubber Band's C interface in use, declared here; its functions are loaded on first use.
//
// Rubber Band is under the GPL and depends on FFTW and libsamplerate. A program needs them only if it changes the speed
// of audio without changing the pitch.

typedef struct RubberBandState_ *RubberBandState;

// The values of `RubberBandOption` in Rubber Band 3.
enum {
    CRUBBERBAND_PROCESS_REAL_TIME = 0x00000001,
    CRUBBERBAND_THREADING_NEVER = 0x00010000,
    CRUBBERBAND_WINDOW_SHORT = 0x00100000,
    CRUBBERBAND_CHANNELS_TOGETHER = 0x10000000,
    CRUBBERBAND_ENGINE_FINER = 0x20000000,
};

// Each function has the library's signature, and the prefix `crubberband_` instead of `rubberband_`.
#define LOADED_FUNCTION(result, name, parameters, arguments) result crubberband_##name parameters;
#include "functions.h"
#undef LOADED_FUNCTION

/// Loads the library unless it is loaded; thread-safe. No other function may be called if that fails.
///
/// - Returns: An error message without a final period, which names the missing file or function; NULL on success. The
///   message remains valid until the process exits.
const char *crubberband_load(void);
