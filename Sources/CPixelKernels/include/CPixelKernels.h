#pragma once
#include <stddef.h>
#include <stdint.h>

// Pixel loops that libyuv lacks. Integer arithmetic only, so that every processor gives the same bytes.
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
