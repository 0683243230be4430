#pragma once
#include <stddef.h>
#include <stdint.h>

// Pixel loops that libyuv lacks. Every processor computes the same bytes: they use integer arithmetic, and for depth
// maps IEEE 754 operations that are not fused.
// Strides are in bytes and may be negative; widths and heights are in pixels and positive.

/// The byte order of 8-bit R'G'B': the number of bytes of a pixel (3 or 4) and the byte position of each component.
typedef struct {
    int32_t byte_count, red, green, blue;
} cpixel_rgb_order;

/// The factors of R', G' and B', and an offset with 0.5 added for rounding, all times 65536.
typedef struct {
    int32_t red, green, blue, offset;
} cpixel_weights;

/// Converts R'G'B' to Y'CbCr 4:2:0. Chroma is averaged over 2x2 pixels; at odd edges, over the existing pixels.
///
/// `chroma_step` is 2 if Cb and Cr are interleaved, 1 if each has its own plane.
void cpixel_rgb_to_420(
    const uint8_t *source, ptrdiff_t source_stride, cpixel_rgb_order order, int32_t width, int32_t height,
    uint8_t *y, ptrdiff_t y_stride, uint8_t *cb, uint8_t *cr, ptrdiff_t chroma_stride, int32_t chroma_step,
    cpixel_weights y_weights, cpixel_weights cb_weights, cpixel_weights cr_weights);

/// The factors (times 65536) that convert Y'CbCr to R'G'B' after `y_offset` is subtracted from Y' and 128 from Cb and
/// Cr.
typedef struct {
    int32_t y, y_offset, cr_to_red, cb_to_green, cr_to_green, cb_to_blue;
} cpixel_decoding;

/// Converts Y'CbCr with chroma at half the width to R'G'B', without chroma interpolation.
///
/// Steps are in bytes: `y_step` is 2 if luma alternates with chroma, else 1; `chroma_step` is the distance between two
/// Cb samples. `chroma_row_shift` is 1 if two rows share their chroma, else 0. A fourth byte is set to 255.
void cpixel_ycbcr_to_rgb(
    const uint8_t *y, ptrdiff_t y_stride, int32_t y_step, const uint8_t *cb, const uint8_t *cr, ptrdiff_t cb_stride,
    ptrdiff_t cr_stride, int32_t chroma_step, int32_t chroma_row_shift, int32_t width, int32_t height,
    uint8_t *destination, ptrdiff_t destination_stride, cpixel_rgb_order order, cpixel_decoding factors);

/// Converts R'G'B' to one luma component per pixel.
void cpixel_rgb_to_luma(
    const uint8_t *source, ptrdiff_t source_stride, cpixel_rgb_order order, int32_t width, int32_t height,
    uint8_t *y, ptrdiff_t y_stride, cpixel_weights weights);

/// Maps each byte x to (factor * x + offset) / 65536, clamped to 0 … 255; works in place if both pointers are equal.
void cpixel_scale_bytes(
    const uint8_t *source, ptrdiff_t source_stride, uint8_t *destination, ptrdiff_t destination_stride,
    int32_t byte_count, int32_t height, int32_t factor, int32_t offset);

/// Works like `cpixel_scale_bytes`, with separate factors for even and odd bytes.
void cpixel_scale_byte_pairs(
    const uint8_t *source, ptrdiff_t source_stride, uint8_t *destination, ptrdiff_t destination_stride,
    int32_t pair_count, int32_t height, int32_t even_factor, int32_t even_offset, int32_t odd_factor,
    int32_t odd_offset);

/// Swaps the two bytes of each pair; works in place if both pointers are equal.
void cpixel_swap_bytes(
    const uint8_t *source, ptrdiff_t source_stride, uint8_t *destination, ptrdiff_t destination_stride,
    int32_t pair_count, int32_t height);

/// Maps each 10-bit value x, stored in the upper bits of a 16-bit word, to a byte: (factor * x + offset) / 65536,
/// clamped to 0 … 255.
///
/// `rows_per_row` is the number of source rows per destination row: 1, or 2 to average pairs of rows. `count` is the
/// number of words in a row, `height` the number of rows of the destination.
void cpixel_words_to_bytes(
    const uint8_t *source, ptrdiff_t source_stride, int32_t rows_per_row, uint8_t *destination,
    ptrdiff_t destination_stride, int32_t count, int32_t height, int32_t factor, int32_t offset);

/// Maps each byte x to a 10-bit value in the upper bits of a 16-bit word: (factor * x + offset) / 65536, clamped to
/// 0 … 1023.
///
/// `rows_per_row` is the number of destination rows per source row: 1, or 2 to write each row twice. `height` is the
/// number of rows of the destination.
void cpixel_bytes_to_words(
    const uint8_t *source, ptrdiff_t source_stride, int32_t rows_per_row, uint8_t *destination,
    ptrdiff_t destination_stride, int32_t count, int32_t height, int32_t factor, int32_t offset);

/// Maps each 10-bit component x, stored in the lower bits of a 16-bit word, to (factor * x + offset) / 65536, clamped
/// to 0 … 1023, in place.
void cpixel_scale_components(
    uint16_t *components, ptrdiff_t stride, int32_t count, int32_t height, int32_t factor, int32_t offset);

/// Converts the colors of a BGRA image from BT.2020 with any transfer function to BT.709, in place.
///
/// - `light_of_code`: the linear light of each 8-bit code value; 16,384 is white, the maximum is 65,535.
/// - `code_of_light`: the 8-bit code value of linear light; the index is the light divided by 16.
void cpixel_convert_bt2020_to_bt709(
    uint8_t *pixels, ptrdiff_t stride, int32_t width, int32_t height, const uint16_t light_of_code[256],
    const uint8_t code_of_light[4096]);

/// Converts the colors of a BGRA image from P3 with the white point D65 and any transfer function to BT.709, in place.
///
/// - `light_of_code`: the linear light of each 8-bit code value; 65,535 is the maximum.
/// - `code_of_light`: the 8-bit code value of linear light; the index is the light divided by 16.
void cpixel_convert_p3_to_bt709(
    uint8_t *pixels, ptrdiff_t stride, int32_t width, int32_t height, const uint16_t light_of_code[256],
    const uint8_t code_of_light[4096]);

/// Fills each row with `count` copies of a pattern of four bytes.
void cpixel_fill(uint8_t *destination, ptrdiff_t stride, int32_t count, int32_t height, const uint8_t pattern[4]);

/// Draws an image with 4 bytes per pixel over another one. The opacity is 0 … 65536; 65536 copies the image.
void cpixel_blend(
    const uint8_t *source, ptrdiff_t source_stride, int32_t width, int32_t height, uint32_t opacity,
    uint8_t *destination, ptrdiff_t destination_stride);

/// The affine mapping from destination pixels to source pixels, and the visible part of the source.
typedef struct {
    /// The source position of the destination's top left corner, less than 2^28 pixels, and the change of the source
    /// position per destination column and row, less than 2^14 pixels. All are stored times 2^32.
    int64_t x, x_per_column, x_per_row, y, y_per_column, y_per_row;
    /// The edges of the visible part in pixels, stored times 65536. The part is not empty and lies within the source.
    int64_t left, top, right, bottom;
    /// The size of a source pixel in destination pixels, along each axis of the source, at most 16384; stored times
    /// 65536.
    int64_t x_scale, y_scale;
} cpixel_layer;

/// Draws an image with 4 bytes per pixel over a part of another one, with bilinear interpolation and antialiased edges.
///
/// The opacity is 0 … 65536 (opaque). `end_column` and `end_row` are excluded from the part of the destination.
void cpixel_draw_layer(
    const uint8_t *source, ptrdiff_t source_stride, cpixel_layer layer, uint32_t opacity, uint8_t *destination,
    ptrdiff_t destination_stride, int32_t first_column, int32_t first_row, int32_t end_column, int32_t end_row);

/// Reads a map of IEEE 754 half floats (`is_half` is 1) or single floats (0); `values` has no padding.
///
/// If `inverts` is 1, the values are replaced by their reciprocals.
void cpixel_depth_read(
    const uint8_t *source, ptrdiff_t stride, int32_t is_half, int32_t inverts, int32_t width, int32_t height,
    float *values);
/// Writes a map of half or single floats; the inverse of `cpixel_depth_read`.
void cpixel_depth_write(
    const float *values, int32_t width, int32_t height, uint8_t *destination, ptrdiff_t stride, int32_t is_half,
    int32_t inverts);
/// Rotates a map clockwise by 0 to 3 quarter turns, then mirrors it left to right if `mirrors` is 1.
void cpixel_depth_rotate(
    const float *source, int32_t width, int32_t height, int32_t quarter_turns, int32_t mirrors, float *destination);
/// Fills each hole (NaN) of a disparity map with the smaller (farther) of the nearest values to its left and right.
///
/// A row without values is a copy of the nearest row above with values, or of the first row with values below. A map
/// without values is filled with 0.
void cpixel_disparity_fill(float *values, int32_t width, int32_t height);
/// Averages each value of a map without holes with the similar values within two rows and columns.
///
/// Another value is similar if it differs by at most `relative_tolerance` times the value plus `absolute_tolerance`.
void cpixel_disparity_smooth(
    const float *source, int32_t width, int32_t height, float relative_tolerance, float absolute_tolerance,
    float *destination);
/// Averages each value with the value at the same position in the previous map if they are similar.
void cpixel_disparity_average(
    float *values, const float *previous, int64_t count, float relative_tolerance, float absolute_tolerance);

/// Sums the bytes of each block of 8x8 pixels, row by row; blocks at the right and bottom edges may be smaller.
///
/// `sums` has one element for each block.
void cpixel_block_sums(
    const uint8_t *bytes, ptrdiff_t stride, int32_t width, int32_t height, uint16_t *sums);
/// Returns whether any element of `a` differs from that of `b` by more than `tolerance`.
int32_t cpixel_sums_differ(const uint16_t *a, const uint16_t *b, int64_t count, int32_t tolerance);

/// A mosaic of 16-bit samples: red and green in even rows, green and blue in odd ones. Width and height are at least 4.
typedef struct {
    const uint16_t *samples;
    ptrdiff_t stride;
    int32_t width, height;
    /// The samples of black and of saturation.
    int32_t black, white;
} cpixel_mosaic;

/// Interpolates red, green and blue of each pixel of a mosaic, from 0 for black to `white` - `black`: H. Malvar, L. He,
/// R. Cutler, "High-quality linear interpolation for demosaicing of Bayer-patterned color images", ICASSP 2004.
///
/// `step` is 3, or 4 with a fourth sample of 65535.
void cpixel_demosaic(const cpixel_mosaic *mosaic, uint16_t *destination, ptrdiff_t destination_stride, int32_t step);

/// The state of an XXH64 computation (seed 0): https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
typedef struct {
    uint64_t lanes[4];
    uint64_t byte_count;
    uint8_t pending[32];
    uint32_t pending_count;
} cpixel_hash;

/// Starts a computation.
void cpixel_hash_begin(cpixel_hash *hash);
/// Adds bytes.
void cpixel_hash_add(cpixel_hash *hash, const uint8_t *bytes, size_t count);
/// Returns the hash of all bytes added so far.
uint64_t cpixel_hash_end(const cpixel_hash *hash);
