#pragma once
#include <stddef.h>
#include <stdint.h>

// Pixel loops that libyuv lacks. They use integer arithmetic, and for depth maps single IEEE 754 operations, so that
// every processor computes the same bytes.
// Strides are in bytes and may be negative; widths and heights are in pixels and positive.

/// The byte order of 8-bit R'G'B': the bytes of a pixel (3 or 4) and the position of each component.
typedef struct {
    int32_t byte_count, red, green, blue;
} cpixel_rgb_order;

/// Factors of R', G' and B', and an offset that includes rounding, all times 65536.
typedef struct {
    int32_t red, green, blue, offset;
} cpixel_weights;

/// Converts to Y'CbCr 4:2:0. Chroma is averaged over 2x2 pixels; at odd edges over those that exist.
///
/// `chroma_step` is 2 if Cb and Cr are interleaved, 1 if each has its own plane.
void cpixel_rgb_to_420(
    const uint8_t *source, ptrdiff_t source_stride, cpixel_rgb_order order, int32_t width, int32_t height,
    uint8_t *y, ptrdiff_t y_stride, uint8_t *cb, uint8_t *cr, ptrdiff_t chroma_stride, int32_t chroma_step,
    cpixel_weights y_weights, cpixel_weights cb_weights, cpixel_weights cr_weights);

/// Factors (times 65536) that convert Y'CbCr to R'G'B' after subtracting `y_offset` and 128.
typedef struct {
    int32_t y, y_offset, cr_to_red, cb_to_green, cr_to_green, cb_to_blue;
} cpixel_decoding;

/// Converts Y'CbCr with chroma at half the width to R'G'B', without chroma interpolation.
///
/// `y_step` is 2 if luma alternates with chroma, else 1; `chroma_step` is the distance between two Cb samples;
/// `chroma_row_shift` is 1 if two rows share their chroma, else 0. A fourth byte is set to 255.
void cpixel_ycbcr_to_rgb(
    const uint8_t *y, ptrdiff_t y_stride, int32_t y_step, const uint8_t *cb, const uint8_t *cr, ptrdiff_t cb_stride,
    ptrdiff_t cr_stride, int32_t chroma_step, int32_t chroma_row_shift, int32_t width, int32_t height,
    uint8_t *destination, ptrdiff_t destination_stride, cpixel_rgb_order order, cpixel_decoding factors);

/// Converts to one luma component per pixel.
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

/// Converts words with 10 bits in their upper bits to bytes: (factor * x + offset) / 65536, clamped, of the 10 bits x.
///
/// `rows_per_row`: 1, or 2 to average pairs of rows. `count` is the number of words in a row.
void cpixel_words_to_bytes(
    const uint8_t *source, ptrdiff_t source_stride, int32_t rows_per_row, uint8_t *destination,
    ptrdiff_t destination_stride, int32_t count, int32_t height, int32_t factor, int32_t offset);

/// The opposite of `cpixel_words_to_bytes`; `rows_per_row` is 1, or 2 to write each row twice. `height` is that of the
/// destination.
void cpixel_bytes_to_words(
    const uint8_t *source, ptrdiff_t source_stride, int32_t rows_per_row, uint8_t *destination,
    ptrdiff_t destination_stride, int32_t count, int32_t height, int32_t factor, int32_t offset);

/// Maps each component x of 10 bits, in the lower bits of a word, to (factor * x + offset) / 65536, clamped.
void cpixel_scale_components(
    uint16_t *components, ptrdiff_t stride, int32_t count, int32_t height, int32_t factor, int32_t offset);

/// Converts the colors of a BGRA image from BT.2020 with any transfer function to BT.709, in place.
///
/// - `light`: the light of each code; 16,384 is white, the maximum is 65,535.
/// - `codes`: the code of each light divided by 16; 4,096 entries.
void cpixel_narrow_colors(
    uint8_t *pixels, ptrdiff_t stride, int32_t width, int32_t height, const uint16_t light[256],
    const uint8_t codes[4096]);

/// Writes a pattern of four bytes `count` times into each row.
void cpixel_fill(uint8_t *destination, ptrdiff_t stride, int32_t count, int32_t height, const uint8_t pattern[4]);

/// Draws an image with 4 bytes per pixel over another one; an opacity of 65536 copies it.
void cpixel_blend(
    const uint8_t *source, ptrdiff_t source_stride, int32_t width, int32_t height, uint32_t opacity,
    uint8_t *destination, ptrdiff_t destination_stride);

/// Where the pixels of a destination lie in a source, and the visible part of the source.
typedef struct {
    /// The position of the destination's top left corner, less than 2^28, and its change per column and row, less than
    /// 2^14; in pixels times 2^32.
    int64_t x, x_per_column, x_per_row, y, y_per_column, y_per_row;
    /// The visible part, not empty, within the source; in pixels times 65536.
    int64_t left, top, right, bottom;
    /// The size of a source pixel in the destination, along each axis of the source, times 65536; at most 2^30.
    int64_t x_reach, y_reach;
} cpixel_layer;

/// Draws an image with 4 bytes per pixel over a part of another one, with bilinear interpolation and smooth edges.
///
/// An opacity of 65536 is opaque.
void cpixel_draw_layer(
    const uint8_t *source, ptrdiff_t source_stride, cpixel_layer layer, uint32_t opacity, uint8_t *destination,
    ptrdiff_t destination_stride, int32_t first_column, int32_t first_row, int32_t end_column, int32_t end_row);

/// Reads a map of half or single floats (IEEE 754), optionally as reciprocals; `values` has no padding.
void cpixel_depth_read(
    const uint8_t *source, ptrdiff_t stride, int32_t is_half, int32_t inverts, int32_t width, int32_t height,
    float *values);
/// Writes a map of half or single floats; the reverse of `cpixel_depth_read`.
void cpixel_depth_write(
    const float *values, int32_t width, int32_t height, uint8_t *destination, ptrdiff_t stride, int32_t is_half,
    int32_t inverts);
/// Rotates a map clockwise by 0 to 3 quarter turns, then mirrors it left to right if `mirrors` is 1.
void cpixel_depth_rotate(
    const float *source, int32_t width, int32_t height, int32_t quarters, int32_t mirrors, float *destination);
/// Fills the holes (NaN) of a disparity map with the smaller (farther) of their neighbors in the row.
///
/// Rows without a value copy the row above, or below; a map without any value becomes 0.
void cpixel_disparity_fill(float *values, int32_t width, int32_t height);
/// Averages each value of a map without holes with the similar ones within two rows and columns.
///
/// Values are similar if they differ by at most `share` times the value plus `floor`.
void cpixel_disparity_smooth(
    const float *source, int32_t width, int32_t height, float share, float floor, float *destination);
/// Averages each value with the one of the previous map if they are similar.
void cpixel_disparity_average(float *values, const float *previous, int64_t count, float share, float floor);

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
