#include "CPixelKernels.h"

#include <string.h>

// Only single IEEE 754 operations, never fused, so that every processor computes the same bytes.
#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))

INLINE uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return bits;
}

INLINE float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

INLINE int is_hole(float value) { return value != value; }

// IEEE 754-2008, binary16 from binary32: round to nearest, ties to even.
INLINE uint16_t half_of(float value) {
    uint32_t bits = bits_of(value);
    uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    uint32_t rest = bits & 0x7fffffff;
    if (rest > 0x7f800000) return sign | 0x7e00;
    // From 65520 on the nearest half float is infinity.
    if (rest >= 0x477ff000) return sign | 0x7c00;
    if (rest < 0x38800000) {
        // Below 2^-14 half floats are spaced 2^-24 apart; adding 0.5 aligns the last bits to that spacing.
        return sign | (uint16_t)(bits_of(float_of(rest) + 0.5f) - bits_of(0.5f));
    }
    uint32_t odd = rest >> 13 & 1;
    return sign | (uint16_t)((rest - 0x38000000 + 0xfff + odd) >> 13);
}

INLINE float float_of_half(uint16_t half) {
    uint32_t sign = (uint32_t)(half & 0x8000) << 16;
    uint32_t rest = half & 0x7fff;
    if (rest >= 0x7c00) return float_of(sign | 0x7f800000 | (rest & 0x3ff) << 13);
    if (rest < 0x400) return float_of(sign | bits_of((float)rest * 0x1p-24f));
    return float_of(sign | ((rest << 13) + 0x38000000));
}

void cpixel_depth_read(
    const uint8_t *source, ptrdiff_t stride, int32_t is_half, int32_t inverts, int32_t width, int32_t height,
    float *values) {
    for (int32_t y = 0; y < height; y++, source += stride, values += width) {
        for (int32_t x = 0; x < width; x++) {
            float value = is_half ? float_of_half(((const uint16_t *)(const void *)source)[x])
                                  : ((const float *)(const void *)source)[x];
            values[x] = inverts ? 1 / value : value;
        }
    }
}

void cpixel_depth_write(
    const float *values, int32_t width, int32_t height, uint8_t *destination, ptrdiff_t stride, int32_t is_half,
    int32_t inverts) {
    for (int32_t y = 0; y < height; y++, destination += stride, values += width) {
        for (int32_t x = 0; x < width; x++) {
            float value = inverts ? 1 / values[x] : values[x];
            if (is_half) {
                ((uint16_t *)(void *)destination)[x] = half_of(value);
            } else {
                ((float *)(void *)destination)[x] = value;
            }
        }
    }
}

void cpixel_depth_rotate(
    const float *source, int32_t width, int32_t height, int32_t quarters, int32_t mirrors, float *destination) {
    int32_t columns = quarters & 1 ? height : width, rows = quarters & 1 ? width : height;
    for (int32_t y = 0; y < rows; y++) {
        for (int32_t x = 0; x < columns; x++) {
            int32_t column = mirrors ? columns - 1 - x : x;
            int32_t fromX, fromY;
            switch (quarters & 3) {
            case 0: fromX = column, fromY = y; break;
            case 1: fromX = y, fromY = height - 1 - column; break;
            case 2: fromX = width - 1 - column, fromY = height - 1 - y; break;
            default: fromX = width - 1 - y, fromY = column; break;
            }
            destination[(ptrdiff_t)y * columns + x] = source[(ptrdiff_t)fromY * width + fromX];
        }
    }
}

void cpixel_disparity_fill(float *values, int32_t width, int32_t height) {
    int32_t firstFull = -1;
    for (int32_t y = 0; y < height; y++) {
        float *row = values + (ptrdiff_t)y * width;
        int32_t known = -1;
        for (int32_t x = 0; x < width; x++) {
            if (is_hole(row[x])) continue;
            for (int32_t hole = known + 1; hole < x; hole++) {
                row[hole] = known >= 0 && row[known] < row[x] ? row[known] : row[x];
            }
            known = x;
        }
        if (known >= 0) {
            for (int32_t hole = known + 1; hole < width; hole++) row[hole] = row[known];
            if (firstFull < 0) firstFull = y;
        } else if (firstFull >= 0) {
            memcpy(row, row - width, (size_t)width * sizeof(float));
        }
    }
    // The rows above the first one with a value, or all rows.
    for (int32_t y = 0; y < (firstFull < 0 ? height : firstFull); y++) {
        float *row = values + (ptrdiff_t)y * width;
        if (firstFull < 0) {
            memset(row, 0, (size_t)width * sizeof(float));
        } else {
            memcpy(row, values + (ptrdiff_t)firstFull * width, (size_t)width * sizeof(float));
        }
    }
}

enum { reach = 2 };

void cpixel_disparity_smooth(
    const float *source, int32_t width, int32_t height, float share, float floor, float *destination) {
    for (int32_t y = 0; y < height; y++) {
        int32_t top = y < reach ? 0 : y - reach, bottom = y + reach >= height ? height - 1 : y + reach;
        for (int32_t x = 0; x < width; x++) {
            int32_t left = x < reach ? 0 : x - reach, right = x + reach >= width ? width - 1 : x + reach;
            float center = source[(ptrdiff_t)y * width + x];
            float tolerance = share * center + floor, sum = 0, count = 0;
            for (int32_t j = top; j <= bottom; j++) {
                const float *row = source + (ptrdiff_t)j * width;
                for (int32_t i = left; i <= right; i++) {
                    float difference = row[i] - center;
                    int is_similar = difference <= tolerance && -difference <= tolerance;
                    sum += is_similar ? row[i] : 0;
                    count += is_similar ? 1 : 0;
                }
            }
            // An infinite value is not similar to itself.
            destination[(ptrdiff_t)y * width + x] = count > 0 ? sum / count : center;
        }
    }
}

void cpixel_disparity_average(float *values, const float *previous, int64_t count, float share, float floor) {
    for (int64_t i = 0; i < count; i++) {
        float difference = values[i] - previous[i], tolerance = share * values[i] + floor;
        if (difference <= tolerance && -difference <= tolerance) values[i] = (values[i] + previous[i]) / 2;
    }
}
