#pragma once

// zbar's types as in its header; its functions are loaded on first use.
//
// zbar depends on a dozen libraries for windows and cameras that a program does not need unless it reads codes.

#if !__has_include(<zbar.h>)
#error "zbar's header is missing; install libzbar-dev"
#endif

#include <zbar.h>

// Each function with its own signature, under a name that differs from the library's.
#define LOADED_FUNCTION(result, name, parameters, arguments) result czbar_##name parameters;
#include "functions.h"
#undef LOADED_FUNCTION

/// Loads the library unless it is loaded; thread-safe. No other function may be called if that fails.
///
/// - Returns: What is missing, as a sentence without a full stop, valid forever; NULL if everything is loaded.
const char *czbar_load(void);

// The macro is an expression, which Swift cannot import: gray, one byte per pixel, rows without padding.
static const unsigned long czbar_gray = zbar_fourcc('Y', '8', '0', '0');
