#pragma once

// zbar, whose types are here as its header has them, and whose functions are loaded when one is first called.
//
// It draws in a dozen others, for its windows and cameras, that a program which reads no codes does without.

#if !__has_include(<zbar.h>)
#error "zbar's header is missing; install libzbar-dev"
#endif

#include <zbar.h>

// Each function with its own signature; the library's own names stay those of the library.
#define CZBAR_FUNCTION(result, name, parameters, arguments) result czbar_##name parameters;
#include "functions.h"
#undef CZBAR_FUNCTION

/// Loads the library, unless it is there; thread-safe. No function may be called where that fails.
///
/// - Returns: What is missing, in a sentence without its full stop, valid for good; NULL where all is there.
const char *czbar_load(void);

// The name is a macro of an expression, which Swift cannot import: grey, one byte a pixel, rows without gaps.
static const unsigned long czbar_grey = zbar_fourcc('Y', '8', '0', '0');
