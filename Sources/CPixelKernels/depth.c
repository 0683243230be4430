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
    uint32_t magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return sign | 0x7e00;
    // From 65520 upward, the nearest half float is infinity.
    if (magnitude >= 0x477ff000) return sign | 0x7c00;
    if (magnitude < 0x38800000) {
        // Below 2^-14 half floats are spaced 2^-24 apart; adding 0.5 aligns the last bits to that spacing.
        return sign | (uint16_t)(bits_of(float_of(magnitude) + 0.5f) - bits_of(0.5f));
    }
    uint32_t odd = magnitude >> 13 & 1;
    return sign | (uint16_t)((magnitude - 0x38000000 + 0xfff + odd) >> 13);
}

INLINE float float_of_half(uint16_t half) {
    uint32_t sign = (uint32_t)(half & 0x8000) << 16;
    uint32_t magnitude = half & 0x7fff;
    if (magnitude >= 0x7c00) return float_of(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
    if (magnitude < 0x400) return float_of(sign | bits_of((float)magnitude * 0x1p-24f));
    return float_of(sign | ((magnitude << 13) + 0x38000000));
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
    const float *source, int32_t width, int32_t height, int32_t quarter_turns, int32_t mirrors, float *destination) {
    int32_t columns = quarter_turns & 1 ? height : width, rows = quarter_turns & 1 ? width : height;
    for (int32_t y = 0; y < rows; y++) {
        for (int32_t x = 0; x < columns; x++) {
            int32_t column = mirrors ? columns - 1 - x : x;
            int32_t from_x, from_y;
            switch (quarter_turns & 3) {
            case 0: from_x = column, from_y = y; break;
            case 1: from_x = y, from_y = height - 1 - column; break;
            case 2: from_x = width - 1 - column, from_y = height - 1 - y; break;
            default: from_x = width - 1 - y, from_y = column; break;
            }
            destination[(ptrdiff_t)y * columns + x] = source[(ptrdiff_t)from_y * width + from_x];
        }
    }
}

void cpixel_disparity_fill(float *values, int32_t width, int32_t height) {
    int32_t first_known_row = -1;
    for (int32_t y = 0; y < height; y++) {
        float *row = values + (ptrdiff_t)y * width;
        int32_t last_known = -1;
        for (int32_t x = 0; x < width; x++) {
            if (is_hole(row[x])) continue;
            for (int32_t hole = last_known + 1; hole < x; hole++) {
                row[hole] = last_known >= 0 && row[last_known] < row[x] ? row[last_known] : row[x];
            }
            last_known = x;
        }
        if (last_known >= 0) {
            for (int32_t hole = last_known + 1; hole < width; hole++) row[hole] = row[last_known];
            if (first_known_row < 0) first_known_row = y;
        } else if (first_known_row >= 0) {
            memcpy(row, row - width, (size_t)width * sizeof(float));
        }
    }
    // The rows above the first row with a value, or all rows.
    for (int32_t y = 0; y < (first_known_row < 0 ? height : first_known_row); y++) {
        float *row = values + (ptrdiff_t)y * width;
        if (first_known_row < 0) {
            memset(row, 0, (size_t)width * sizeof(float));
        } else {
            memcpy(row, values + (ptrdiff_t)first_known_row * width, (size_t)width * sizeof(float));
        }
    }
}

// Rows and columns on each side of a value.
enum { radius = 2 };

void cpixel_disparity_smooth(
    const float *source, int32_t width, int32_t height, float relative_tolerance, float absolute_tolerance,
    float *destination) {
    for (int32_t y = 0; y < height; y++) {
        int32_t top = y < radius ? 0 : y - radius, bottom = y + radius >= height ? height - 1 : y + radius;
        for (int32_t x = 0; x < width; x++) {
            int32_t left = x < radius ? 0 : x - radius, right = x + radius >= width ? width - 1 : x + radius;
            float center = source[(ptrdiff_t)y * width + x];
            float tolerance = relative_tolerance * center + absolute_tolerance, sum = 0, count = 0;
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

void cpixel_disparity_average(
    float *values, const float *previous, int64_t count, float relative_tolerance, float absolute_tolerance) {
    for (int64_t i = 0; i < count; i++) {
        float difference = values[i] - previous[i], tolerance = relative_tolerance * values[i] + absolute_tolerance;
        if (difference <= tolerance && -difference <= tolerance) values[i] = (values[i] + previous[i]) / 2;
    }
}
