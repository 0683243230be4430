#include "CSimKernels.h"
#include "internal.h"

// Linear light of 8-bit full-range luma, 65,535 is white: the inverse of what csim_form computes, by bisection of it.
static int32_t linear_of(int32_t code) {
    // BT.709's transfer in 2^-24ths: x^2 is light; below x = 0.1342 code = 4.5 x^2, above the cubic of form.c.
    int64_t target = (int64_t)code * (1 << 24) / 255, low = 0, high = 1 << 16;
    while (high - low > 1) {
        int64_t x = (low + high) / 2, value;
        if (x < 8795) {
            value = x * x * 9 >> 9;
        } else {
            int64_t h = 18326 - (x * 6836 >> 16);
            h = 82542 - (x * h >> 16);
            value = ((x * h >> 16) - 5414) * 256;
        }
        if (value <= target) low = x; else high = x;
    }
    int64_t light = low * low >> 16;
    return (int32_t)(light > 65535 ? 65535 : light);
}

CSIM_CLONES void csim_measure(
    const uint8_t *luma, int32_t lumaStride, const uint8_t *chroma, int32_t chromaStride, int32_t width,
    int32_t height, int32_t fullRange, int32_t columns, int32_t rows, uint16_t *linear, int32_t sums[2]
) {
    enum { step = 8 };
    int32_t light[256];
    for (int32_t i = 0; i < 256; i++)
        light[i] = linear_of(fullRange ? i : csim_clamp((i - 16) * 255 / 219, 0, 255));
    int64_t cb = 0, cr = 0, colors = 0;
    for (int32_t row = 0; row < rows; row++) {
        int32_t top = height * row / rows, bottom = height * (row + 1) / rows;
        for (int32_t column = 0; column < columns; column++) {
            int32_t left = width * column / columns, right = width * (column + 1) / columns;
            int64_t sum = 0, count = 0;
            for (int32_t y = top; y < bottom; y += step) {
                const uint8_t *line = luma + (int64_t)y * lumaStride;
                for (int32_t x = left; x < right; x += step, count++) sum += light[line[x]];
            }
            linear[row * columns + column] = (uint16_t)(count ? sum / count : 0);
        }
    }
    for (int32_t y = 0; y < height / 2; y += step) {
        const uint8_t *line = chroma + (int64_t)y * chromaStride;
        for (int32_t x = 0; x < width / 2; x += step, colors++) {
            cb += line[2 * x] - 128;
            cr += line[2 * x + 1] - 128;
        }
    }
    sums[0] = (int32_t)(colors ? cb * 256 / colors : 0);
    sums[1] = (int32_t)(colors ? cr * 256 / colors : 0);
}
