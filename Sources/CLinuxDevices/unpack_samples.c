#include "unpack.h"

// The number of samples converted at a time.
enum { chunk = 256 };

// Limits a value to the bits of the format, because a larger one is invalid and would be used in indices and shifts.
static uint16_t limited(unsigned value, int bits) {
    unsigned maximum = (1u << bits) - 1;
    return (uint16_t)(value > maximum ? maximum : value);
}

void clinuxdevices_read_samples(
    const uint8_t *row, int first, int count, enum clinuxdevices_packing packing, int bits, uint16_t *to) {
    switch (packing) {
    case clinuxdevices_bytes:
        for (int i = 0; i < count; i++) to[i] = limited(row[first + i], bits);
        return;
    case clinuxdevices_words:
        row += 2 * (long)first;
        for (int i = 0; i < count; i++) to[i] = limited(row[2 * i] | (unsigned)row[2 * i + 1] << 8, bits);
        return;
    case clinuxdevices_swapped_words:
        row += 2 * (long)first;
        for (int i = 0; i < count; i++) to[i] = limited((unsigned)row[2 * i] << 8 | row[2 * i + 1], bits);
        return;
    case clinuxdevices_mipi: {
        // The high bytes of a group of samples, then their low bits, starting with those of the first sample.
        int low_count = bits - 8, group = bits == 12 ? 2 : 4, bytes = group * bits / 8;
        for (int i = 0; i < count; i++) {
            int x = first + i, index = x % group;
            const uint8_t *begin = row + (long)(x / group) * bytes;
            unsigned low_bits = 0;
            for (int byte = bytes - 1; byte >= group; byte--) low_bits = low_bits << 8 | begin[byte];
            unsigned low_part = low_bits >> (index * low_count) & ((1u << low_count) - 1);
            to[i] = (uint16_t)((unsigned)begin[index] << low_count | low_part);
        }
        return;
    }
    }
}

void clinuxdevices_gray_to_8(
    const uint8_t *from, long from_stride, enum clinuxdevices_packing packing, int bits, uint8_t *to, long to_stride,
    int width, int height) {
    uint16_t samples[chunk];
    for (int y = 0; y < height; y++, from += from_stride, to += to_stride)
        for (int x = 0; x < width; x += chunk) {
            int count = width - x < chunk ? width - x : chunk;
            clinuxdevices_read_samples(from, x, count, packing, bits, samples);
            for (int i = 0; i < count; i++) to[x + i] = (uint8_t)(samples[i] >> (bits - 8));
        }
}

void clinuxdevices_gray_to_16(
    const uint8_t *from, long from_stride, enum clinuxdevices_packing packing, int bits, uint8_t *to, long to_stride,
    int width, int height) {
    uint16_t samples[chunk];
    for (int y = 0; y < height; y++, from += from_stride, to += to_stride)
        for (int x = 0; x < width; x += chunk) {
            int count = width - x < chunk ? width - x : chunk;
            clinuxdevices_read_samples(from, x, count, packing, bits, samples);
            for (int i = 0; i < count; i++) {
                unsigned word = (unsigned)samples[i] << (16 - bits);
                to[2 * (x + i)] = (uint8_t)word;
                to[2 * (x + i) + 1] = (uint8_t)(word >> 8);
            }
        }
}
