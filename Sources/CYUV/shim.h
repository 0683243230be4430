#pragma once
#include <libyuv.h>

// libyuv passes a matrix as a pointer to a structure that Swift sees as complete or not depending on how the module is
// built; these take its number instead.

/// The decoding table of a matrix: 601, 709 or 2020; null for others.
static inline const struct YuvConstants *cyuv_constants(int matrix, int is_full_range) {
    switch (matrix) {
    case 601: return is_full_range ? &kYuvJPEGConstants : &kYuvI601Constants;
    case 709: return is_full_range ? &kYuvF709Constants : &kYuvH709Constants;
    case 2020: return is_full_range ? &kYuvV2020Constants : &kYuv2020Constants;
    default: return 0;
    }
}

/// NV12ToARGBMatrix with the matrix by its number.
static inline int cyuv_nv12_to_argb(const uint8_t *y, int y_stride, const uint8_t *uv, int uv_stride, uint8_t *argb,
                                    int argb_stride, int matrix, int is_full_range, int width, int height) {
    return NV12ToARGBMatrix(y, y_stride, uv, uv_stride, argb, argb_stride, cyuv_constants(matrix, is_full_range), width,
                            height);
}

/// I420ToARGBMatrix with the matrix by its number.
static inline int cyuv_i420_to_argb(const uint8_t *y, int y_stride, const uint8_t *u, int u_stride, const uint8_t *v,
                                    int v_stride, uint8_t *argb, int argb_stride, int matrix, int is_full_range,
                                    int width, int height) {
    return I420ToARGBMatrix(y, y_stride, u, u_stride, v, v_stride, argb, argb_stride,
                            cyuv_constants(matrix, is_full_range), width, height);
}

/// I422ToARGBMatrix with the matrix by its number.
static inline int cyuv_i422_to_argb(const uint8_t *y, int y_stride, const uint8_t *u, int u_stride, const uint8_t *v,
                                    int v_stride, uint8_t *argb, int argb_stride, int matrix, int is_full_range,
                                    int width, int height) {
    return I422ToARGBMatrix(y, y_stride, u, u_stride, v, v_stride, argb, argb_stride,
                            cyuv_constants(matrix, is_full_range), width, height);
}
