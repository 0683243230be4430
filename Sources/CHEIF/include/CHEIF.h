#pragma once

// The parts of libheif's C interface in use, declared here; its functions are loaded on first use.
//
// libheif depends on libraries for HEVC and AV1. A program needs them only if it decodes HEIF images.

#include <stddef.h>
#include <stdint.h>

typedef struct heif_context *CHEIFContext;
typedef struct heif_image_handle *CHEIFImageHandle;
typedef struct heif_image *CHEIFImage;

/// `struct heif_error`. The code is 0 on success; the message is always valid.
struct cheif_error {
    int code;
    int subcode;
    const char *message;
};

// The values of enumerations in libheif 1.
enum {
    CHEIF_ERROR_UNSUPPORTED_FEATURE = 4,
    CHEIF_ERROR_MEMORY_ALLOCATION = 6,
    CHEIF_COLORSPACE_RGB = 1,
    CHEIF_CHROMA_INTERLEAVED_RGBA = 11,
    CHEIF_CHANNEL_INTERLEAVED = 10,
};

// Each function has the library's signature, with `int` for enumerations, and the prefix `cheif_` instead of `heif_`.
#define LOADED_FUNCTION(result, name, parameters, arguments) result cheif_##name parameters;
#include "functions.h"
#undef LOADED_FUNCTION

/// Loads the library unless it is loaded; thread-safe. No other function may be called if that fails.
///
/// - Returns: An error message without a final period, which names the missing file or function; NULL on success. The
///   message remains valid until the process exits.
const char *cheif_load(void);
