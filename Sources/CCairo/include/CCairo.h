#pragma once

// Declarations of the parts of cairo's interface in use. The functions are loaded on first use.
//
// The program is not linked with cairo, because cairo depends on the libraries of the X Window System, which a program
// needs only if it draws.

#include <stdint.h>

typedef struct _cairo cairo_t;
typedef struct _cairo_surface cairo_surface_t;
typedef struct _cairo_pattern cairo_pattern_t;

typedef struct {
    double xx, yx, xy, yy, x0, y0;
} cairo_matrix_t;

// The values are those of cairo's stable interface.
enum { CCAIRO_FORMAT_ARGB32 = 0, CCAIRO_FORMAT_RGB24 = 1, CCAIRO_FORMAT_A8 = 2 };
enum { CCAIRO_FILL_RULE_WINDING = 0, CCAIRO_FILL_RULE_EVEN_ODD = 1 };
enum { CCAIRO_ANTIALIAS_DEFAULT = 0, CCAIRO_ANTIALIAS_NONE = 1 };
enum { CCAIRO_FILTER_GOOD = 1, CCAIRO_FILTER_BEST = 2, CCAIRO_FILTER_NEAREST = 3, CCAIRO_FILTER_BILINEAR = 4 };
enum { CCAIRO_EXTEND_NONE = 0, CCAIRO_EXTEND_PAD = 3 };
enum { CCAIRO_STATUS_SUCCESS = 0 };

// Declares each function with the library's signature and the prefix `ccairo_`.
#define LOADED_FUNCTION(result, name, parameters, arguments) result ccairo_##name parameters;
#include "functions.h"
#undef LOADED_FUNCTION

/// Loads the library unless it is loaded; thread-safe. No other function may be called if that fails.
///
/// - Returns: An error message without a final period, which names the missing file or function; NULL on success. The
///   message remains valid until the process exits.
const char *ccairo_load(void);
