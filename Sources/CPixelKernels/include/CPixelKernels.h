#pragma once
#include <stddef.h>
#include <stdint.h>

// Pixel loops that libyuv lacks. Integer arithmetic, and for depth maps single operations of IEEE 754, so that every
// processor gives the same bytes.
// Strides are in bytes and may be negative; widths and heights are in pixels and positive.

/// How 8-bit R'G'B' is stored: the bytes of a pixel (3 or 4) and where each component lies in them.
typedef struct {
    int32_t byte_count, red, green, blue;
} cpixel_rgb_order;

/// Factors of R', G', B' and a summand that holds the offset and the rounding, all times 65536.
typedef struct {
    int32_t red, green, blue, offset;
} cpixel_weights;

/// Converts to Y'CbCr 4:2:0, chroma averaged over 2x2 pixels; at odd edges over those that exist.
///
/// `chroma_step` is 2 where Cb and Cr are interleaved, 1 where each has its plane.
void cpixel_rgb_to_420(
    const uint8_t *source, ptrdiff_t source_stride, cpixel_rgb_order order, int32_t width, int32_t height,
    uint8_t *y, ptrdiff_t y_stride, uint8_t *cb, uint8_t *cr, ptrdiff_t chroma_stride, int32_t chroma_step,
    cpixel_weights y_weights, cpixel_weights cb_weights, cpixel_weights cr_weights);

/// Factors (times 65536) that make R'G'B' of Y'CbCr, after `y_offset` and 128 are taken off.
typedef struct {
    int32_t y, y_offset, cr_to_red, cb_to_green, cr_to_green, cb_to_blue;
} cpixel_decoding;

/// Converts Y'CbCr with chroma at half the width to R'G'B', each chroma sample for all its pixels.
///
/// `y_step` is 2 where luma alternates with chroma, else 1; `chroma_step` is the distance of two Cb samples;
/// `chroma_row_shift` is 1 where two rows share their chroma, else 0. A fourth byte becomes 255.
void cpixel_ycbcr_to_rgb(
    const uint8_t *y, ptrdiff_t y_stride, int32_t y_step, const uint8_t *cb, const uint8_t *cr, ptrdiff_t cb_stride,
    ptrdiff_t cr_stride, int32_t chroma_step, int32_t chroma_row_shift, int32_t width, int32_t height,
    uint8_t *destination, ptrdiff_t destination_stride, cpixel_rgb_order order, cpixel_decoding factors);

/// Converts to one component a pixel.
void cpixel_rgb_to_luma(
    const uint8_t *source, ptrdiff_t source_stride, cpixel_rgb_order order, int32_t width, int32_t height,
    uint8_t *y, ptrdiff_t y_stride, cpixel_weights weights);

/// Maps each byte x to (factor * x + offset) / 65536, clamped to 0 … 255; in place where both pointers are equal.
void cpixel_scale_bytes(
    const uint8_t *source, ptrdiff_t source_stride, uint8_t *destination, ptrdiff_t destination_stride,
    int32_t byte_count, int32_t height, int32_t factor, int32_t offset);

/// As `cpixel_scale_bytes`, with one pair of numbers for even bytes (luma first) and one for odd ones.
void cpixel_scale_byte_pairs(
    const uint8_t *source, ptrdiff_t source_stride, uint8_t *destination, ptrdiff_t destination_stride,
    int32_t pair_count, int32_t height, int32_t even_factor, int32_t even_offset, int32_t odd_factor,
    int32_t odd_offset);

/// Exchanges the two bytes of each pair; in place where both pointers are equal.
void cpixel_swap_bytes(
    const uint8_t *source, ptrdiff_t source_stride, uint8_t *destination, ptrdiff_t destination_stride,
    int32_t pair_count, int32_t height);

/// Writes a pattern of four bytes `count` times into each row.
void cpixel_fill(uint8_t *destination, ptrdiff_t stride, int32_t count, int32_t height, const uint8_t pattern[4]);

/// Reads a map of half or single floats (IEEE 754), each as it is or as its reciprocal; `values` has no gaps.
void cpixel_depth_read(
    const uint8_t *source, ptrdiff_t stride, int32_t is_half, int32_t inverts, int32_t width, int32_t height,
    float *values);
/// Writes a map of half or single floats; the reverse of `cpixel_depth_read`.
void cpixel_depth_write(
    const float *values, int32_t width, int32_t height, uint8_t *destination, ptrdiff_t stride, int32_t is_half,
    int32_t inverts);
/// Turns a map clockwise by quarters of a turn, 0 to 3, and then exchanges left and right where `mirrors` is 1.
void cpixel_depth_turn(
    const float *source, int32_t width, int32_t height, int32_t quarters, int32_t mirrors, float *destination);
/// Fills the holes (not a number) of a disparity map with the smaller, farther one of their neighbours in the row.
///
/// Rows without a number take the row above, or below; a map without any becomes 0.
void cpixel_disparity_fill(float *values, int32_t width, int32_t height);
/// Averages each value of a map without holes with those within two rows and columns that are like it.
///
/// Alike is what differs by no more than `share` of the value plus `floor`.
void cpixel_disparity_smooth(
    const float *source, int32_t width, int32_t height, float share, float floor, float *destination);
/// Averages each value with the one before it in time, where they are alike.
void cpixel_disparity_settle(float *values, const float *before, int64_t count, float share, float floor);

/// A running XXH64 (seed 0): https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
typedef struct {
    uint64_t lanes[4];
    uint64_t byte_count;
    uint8_t pending[32];
    uint32_t pending_count;
} cpixel_hash;

void cpixel_hash_begin(cpixel_hash *hash);
void cpixel_hash_add(cpixel_hash *hash, const uint8_t *bytes, size_t count);
uint64_t cpixel_hash_end(const cpixel_hash *hash);
