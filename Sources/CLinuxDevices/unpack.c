#include "CLinuxDevices.h"

#include <stddef.h>

void clinuxdevices_swap_pairs(
    const uint8_t *from, long from_stride, uint8_t *to, long to_stride, int pair_count, int row_count) {
    for (int row = 0; row < row_count; row++, from += from_stride, to += to_stride)
        for (int pair = 0; pair < pair_count; pair++) {
            uint8_t first = from[2 * pair];
            to[2 * pair] = from[2 * pair + 1];
            to[2 * pair + 1] = first;
        }
}

void clinuxdevices_rgb565_to_bgra(
    const uint8_t *from, long from_stride, uint8_t *to, long to_stride, int width, int height) {
    for (int y = 0; y < height; y++, from += from_stride, to += to_stride)
        for (int x = 0; x < width; x++) {
            unsigned pixel = from[2 * x] | from[2 * x + 1] << 8;
            unsigned red = pixel >> 11, green = pixel >> 5 & 0x3f, blue = pixel & 0x1f;
            // The high bits fill the low ones, so that white stays white.
            to[4 * x] = (uint8_t)(blue << 3 | blue >> 2);
            to[4 * x + 1] = (uint8_t)(green << 2 | green >> 4);
            to[4 * x + 2] = (uint8_t)(red << 3 | red >> 2);
            to[4 * x + 3] = 255;
        }
}

void clinuxdevices_bayer8_to_bgra(
    const uint8_t *from, long from_stride, uint8_t *to, long to_stride, int width, int height, int red_x, int red_y) {
    for (int y = 0; y < height; y++, to += to_stride) {
        // Neighbours beyond an edge are those on the other side: they have the same colour.
        const uint8_t *row = from + (ptrdiff_t)y * from_stride;
        const uint8_t *above = y > 0 ? row - from_stride : row + from_stride;
        const uint8_t *below = y + 1 < height ? row + from_stride : row - from_stride;
        int has_red = (y & 1) == red_y;
        for (int x = 0; x < width; x++) {
            int left = x > 0 ? x - 1 : 1, right = x + 1 < width ? x + 1 : x - 1;
            unsigned here = row[x], green, of_row, of_other;
            if (((x & 1) == red_x) == has_red) {
                // A red or a blue sample.
                green = (above[x] + below[x] + row[left] + row[right] + 2u) >> 2;
                of_row = here;
                of_other = (above[left] + above[right] + below[left] + below[right] + 2u) >> 2;
            } else {
                green = here;
                of_row = (row[left] + row[right] + 1u) >> 1;
                of_other = (above[x] + below[x] + 1u) >> 1;
            }
            to[4 * x] = (uint8_t)(has_red ? of_other : of_row);
            to[4 * x + 1] = (uint8_t)green;
            to[4 * x + 2] = (uint8_t)(has_red ? of_row : of_other);
            to[4 * x + 3] = 255;
        }
    }
}
