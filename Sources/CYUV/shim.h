#pragma once
#include <libyuv.h>

// The tables are declared with an incomplete type, which Swift cannot import.

/// The decoding table of a matrix: 601, 709 or 2020; null for others.
static inline const struct YuvConstants *cyuv_constants(int matrix, int is_full_range) {
    switch (matrix) {
    case 601: return is_full_range ? &kYuvJPEGConstants : &kYuvI601Constants;
    case 709: return is_full_range ? &kYuvF709Constants : &kYuvH709Constants;
    case 2020: return is_full_range ? &kYuvV2020Constants : &kYuv2020Constants;
    default: return 0;
    }
}
