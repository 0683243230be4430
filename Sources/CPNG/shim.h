#pragma once
#include <png.h>

// These macros are expressions, which Swift cannot import.
static const png_uint_32 cpng_format_rgb = PNG_FORMAT_RGB;
static const png_uint_32 cpng_format_bgra = PNG_FORMAT_BGRA;
static const png_uint_32 cpng_format_gray = PNG_FORMAT_GRAY;
static const png_uint_32 cpng_image_version = PNG_IMAGE_VERSION;
/// Less compression, without filters.
static const png_uint_32 cpng_image_flag_fast = PNG_IMAGE_FLAG_FAST;
