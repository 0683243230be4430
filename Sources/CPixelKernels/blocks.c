#include "CPixelKernels.h"

enum { SIDE = 8 };

void cpixel_block_sums(
    const uint8_t *bytes, ptrdiff_t stride, int32_t width, int32_t height, uint16_t *sums) {
    const int32_t columns = (width + SIDE - 1) / SIDE;
    for (int32_t top = 0; top < height; top += SIDE) {
        const int32_t rows = height - top < SIDE ? height - top : SIDE;
        for (int32_t column = 0; column < columns; column++) {
            const int32_t left = column * SIDE;
            const int32_t count = width - left < SIDE ? width - left : SIDE;
            uint32_t sum = 0;
            for (int32_t row = 0; row < rows; row++) {
                const uint8_t *p = bytes + (top + row) * stride + left;
                for (int32_t x = 0; x < count; x++) sum += p[x];
            }
            *sums++ = (uint16_t)sum;
        }
    }
}

int32_t cpixel_sums_differ(const uint16_t *a, const uint16_t *b, int64_t count, int32_t tolerance) {
    for (int64_t i = 0; i < count; i++) {
        const int32_t difference = a[i] - b[i];
        if (difference > tolerance || difference < -tolerance) return 1;
    }
    return 0;
}
