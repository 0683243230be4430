#include "unpack.h"

// The number of columns processed at a time, so that the lines fit on the stack and in the cache.
enum { tile = 512 };

// Replaces an index beyond an edge by its mirror image inside the edge, which has the same color.
static int mirrored(int index, int count) {
    if (index < 0) index = 1;
    if (index >= count) index = count - 2;
    return index < 0 || index >= count ? 0 : index;
}

// Reads a part of a row with one more sample at each end.
static void read_line(
    const uint8_t *row, int first, int count, int width, enum clinuxdevices_packing packing, int bits, uint16_t *to) {
    clinuxdevices_read_samples(row, mirrored(first - 1, width), 1, packing, bits, to);
    clinuxdevices_read_samples(row, first, count, packing, bits, to + 1);
    clinuxdevices_read_samples(row, mirrored(first + count, width), 1, packing, bits, to + 1 + count);
}

void clinuxdevices_bayer_to_bgra(
    const uint8_t *from, long from_stride, enum clinuxdevices_packing packing, int bits, uint8_t *to, long to_stride,
    int width, int height, int red_x, int red_y) {
    uint16_t lines[3][tile + 2];
    int shift = bits - 8;
    for (int begin = 0; begin < width; begin += tile) {
        int count = width - begin < tile ? width - begin : tile;
        uint16_t *above = lines[0], *row = lines[1], *below = lines[2];
        read_line(from + mirrored(-1, height) * from_stride, begin, count, width, packing, bits, above);
        read_line(from, begin, count, width, packing, bits, row);
        for (int y = 0; y < height; y++) {
            read_line(from + mirrored(y + 1, height) * from_stride, begin, count, width, packing, bits, below);
            int has_red = (y & 1) == red_y;
            uint8_t *out = to + y * to_stride + 4 * (long)begin;
            for (int i = 1; i <= count; i++, out += 4) {
                unsigned sample = row[i], green;
                // The color, red or blue, of the filters in this row, and that of the filters in the adjacent rows.
                unsigned row_color, other_color;
                if ((((begin + i - 1) & 1) == red_x) == has_red) {
                    // A red or a blue sample.
                    green = (above[i] + below[i] + row[i - 1] + row[i + 1] + 2u) >> 2;
                    row_color = sample;
                    other_color = (above[i - 1] + above[i + 1] + below[i - 1] + below[i + 1] + 2u) >> 2;
                } else {
                    green = sample;
                    row_color = (row[i - 1] + row[i + 1] + 1u) >> 1;
                    other_color = (above[i] + below[i] + 1u) >> 1;
                }
                out[0] = (uint8_t)((has_red ? other_color : row_color) >> shift);
                out[1] = (uint8_t)(green >> shift);
                out[2] = (uint8_t)((has_red ? row_color : other_color) >> shift);
                out[3] = 255;
            }
            uint16_t *free_line = above;
            above = row;
            row = below;
            below = free_line;
        }
    }
}
