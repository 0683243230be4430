#include "unpack.h"

void clinuxdevices_swap_pairs(
    const uint8_t *from, long from_stride, uint8_t *to, long to_stride, int pair_count, int row_count) {
    for (int row = 0; row < row_count; row++, from += from_stride, to += to_stride)
        for (int pair = 0; pair < pair_count; pair++) {
            uint8_t first = from[2 * pair];
            to[2 * pair] = from[2 * pair + 1];
            to[2 * pair + 1] = first;
        }
}

void clinuxdevices_ycbcr_to_yuvs(
    struct clinuxdevices_component y, struct clinuxdevices_component cb, struct clinuxdevices_component cr,
    int pixels_per_chroma, uint8_t *to, long to_stride, int width, int height) {
    for (int row = 0; row < height; row++) {
        for (int x = 0; x < width; x += 2, to += 4) {
            // A last column without a neighbor is used twice.
            int next = x + 1 < width ? x + 1 : x;
            long left = x / pixels_per_chroma, right = next / pixels_per_chroma;
            to[0] = y.base[x * (long)y.step];
            to[1] = (uint8_t)((cb.base[left * cb.step] + cb.base[right * cb.step] + 1u) >> 1);
            to[2] = y.base[next * (long)y.step];
            to[3] = (uint8_t)((cr.base[left * cr.step] + cr.base[right * cr.step] + 1u) >> 1);
        }
        to += to_stride - (width + 1) / 2 * 4L;
        y.base += y.stride;
        cb.base += cb.stride;
        cr.base += cr.stride;
    }
}

// Replicates the high bits into the low ones, so that white remains white.
static uint8_t widened(unsigned word, int shift, int bits) {
    unsigned value = word >> shift & ((1u << bits) - 1);
    return (uint8_t)(value << (8 - bits) | value >> (2 * bits - 8));
}

void clinuxdevices_rgb16_to_bgra(
    const uint8_t *from, long from_stride, struct clinuxdevices_rgb16 format, uint8_t *to, long to_stride, int width,
    int height) {
    int low = format.is_big_endian ? 1 : 0;
    for (int y = 0; y < height; y++, from += from_stride, to += to_stride)
        for (int x = 0; x < width; x++) {
            unsigned word = from[2 * x + low] | (unsigned)from[2 * x + 1 - low] << 8;
            to[4 * x] = widened(word, format.blue_shift, format.blue_bits);
            to[4 * x + 1] = widened(word, format.green_shift, format.green_bits);
            to[4 * x + 2] = widened(word, format.red_shift, format.red_bits);
            to[4 * x + 3] = 255;
        }
}

void clinuxdevices_rgb32_to_bgra(
    const uint8_t *from, long from_stride, int red, int green, int blue, uint8_t *to, long to_stride, int width,
    int height) {
    for (int y = 0; y < height; y++, from += from_stride, to += to_stride)
        for (int x = 0; x < width; x++) {
            to[4 * x] = from[4 * x + blue];
            to[4 * x + 1] = from[4 * x + green];
            to[4 * x + 2] = from[4 * x + red];
            to[4 * x + 3] = 255;
        }
}
