#include "CPixelKernels.h"

// Components of 10 bits in the upper bits of 16-bit words.

static inline int32_t limit(int32_t value, int32_t most) { return value < 0 ? 0 : value > most ? most : value; }

void cpixel_words_to_bytes(
    const uint8_t *source, ptrdiff_t source_stride, int32_t rows_per_row, uint8_t *destination,
    ptrdiff_t destination_stride, int32_t count, int32_t height, int32_t factor, int32_t offset) {
    for (int32_t row = 0; row < height; row++) {
        const uint16_t *a = (const uint16_t *)(source + row * rows_per_row * source_stride);
        const uint16_t *b = (const uint16_t *)((const uint8_t *)a + (rows_per_row - 1) * source_stride);
        uint8_t *out = destination + row * destination_stride;
        for (int32_t x = 0; x < count; x++)
            out[x] = (uint8_t)limit((((a[x] >> 6) + (b[x] >> 6)) * factor / 2 + offset) >> 16, 255);
    }
}

void cpixel_bytes_to_words(
    const uint8_t *source, ptrdiff_t source_stride, int32_t rows_per_row, uint8_t *destination,
    ptrdiff_t destination_stride, int32_t count, int32_t height, int32_t factor, int32_t offset) {
    for (int32_t row = 0; row < height; row++) {
        const uint8_t *in = source + row / rows_per_row * source_stride;
        uint16_t *out = (uint16_t *)(destination + row * destination_stride);
        for (int32_t x = 0; x < count; x++) out[x] = (uint16_t)(limit((in[x] * factor + offset) >> 16, 1023) << 6);
    }
}

void cpixel_scale_components(
    uint16_t *components, ptrdiff_t stride, int32_t count, int32_t height, int32_t factor, int32_t offset) {
    for (int32_t row = 0; row < height; row++) {
        uint16_t *line = (uint16_t *)((uint8_t *)components + row * stride);
        for (int32_t x = 0; x < count; x++) line[x] = (uint16_t)limit((line[x] * factor + offset) >> 16, 1023);
    }
}

// The inverse of the matrix from BT.709 to BT.2020 in Report ITU-R BT.2087-0, 2.2, times 4,096.
void cpixel_narrow_colors(
    uint8_t *pixels, ptrdiff_t stride, int32_t width, int32_t height, const uint16_t light[256],
    const uint8_t codes[4096]) {
    for (int32_t row = 0; row < height; row++) {
        uint8_t *pixel = pixels + row * stride;
        for (int32_t x = 0; x < width; x++, pixel += 4) {
            int32_t blue = light[pixel[0]], green = light[pixel[1]], red = light[pixel[2]];
            // Sums of each row are 4,096, so that gray stays gray. 65,535 * 6,801 fits into 31 bits.
            int32_t r = (6801 * red - 2407 * green - 298 * blue) >> 12;
            int32_t g = (-510 * red + 4640 * green - 34 * blue) >> 12;
            int32_t b = (-74 * red - 412 * green + 4582 * blue) >> 12;
            pixel[0] = codes[limit(b, 65535) >> 4];
            pixel[1] = codes[limit(g, 65535) >> 4];
            pixel[2] = codes[limit(r, 65535) >> 4];
        }
    }
}
