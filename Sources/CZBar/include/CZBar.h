#pragma once

// zbar's types as in its header; its functions are loaded on first use.
//
// zbar depends on a dozen libraries for windows and cameras. A program needs them only if it reads codes.

#if !__has_include(<zbar.h>)
#error "zbar's header is missing; install libzbar-dev"
#endif

#include <zbar.h>

// Each function has the library's signature, and the prefix `czbar_` instead of `zbar_`.
#define LOADED_FUNCTION(result, name, parameters, arguments) result czbar_##name parameters;
#include "functions.h"
#undef LOADED_FUNCTION

/// Loads the library unless it is loaded; thread-safe. No other function may be called if that fails.
///
/// - Returns: An error message without a final period, which names the missing file or function; NULL on success. The
///   message remains valid until the process exits.
const char *czbar_load(void);

/// The format of gray images: one byte per pixel, rows without padding. Swift cannot import `zbar_fourcc`.
static const unsigned long czbar_gray = zbar_fourcc('Y', '8', '0', '0');
