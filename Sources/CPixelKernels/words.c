#include "CPixelKernels.h"

// Kernels for 10-bit components in 16-bit words.

static inline int32_t clamp(int32_t value, int32_t maximum) {
    return value < 0 ? 0 : value > maximum ? maximum : value;
}

void cpixel_words_to_bytes(
    const uint8_t *source, ptrdiff_t source_stride, int32_t rows_per_row, uint8_t *destination,
    ptrdiff_t destination_stride, int32_t count, int32_t height, int32_t factor, int32_t offset) {
    for (int32_t row = 0; row < height; row++) {
        const uint16_t *a = (const uint16_t *)(source + row * rows_per_row * source_stride);
        const uint16_t *b = (const uint16_t *)((const uint8_t *)a + (rows_per_row - 1) * source_stride);
        uint8_t *out = destination + row * destination_stride;
        for (int32_t x = 0; x < count; x++)
            out[x] = (uint8_t)clamp((((a[x] >> 6) + (b[x] >> 6)) * factor / 2 + offset) >> 16, 255);
    }
}

void cpixel_bytes_to_words(
    const uint8_t *source, ptrdiff_t source_stride, int32_t rows_per_row, uint8_t *destination,
    ptrdiff_t destination_stride, int32_t count, int32_t height, int32_t factor, int32_t offset) {
    for (int32_t row = 0; row < height; row++) {
        const uint8_t *in = source + row / rows_per_row * source_stride;
        uint16_t *out = (uint16_t *)(destination + row * destination_stride);
        for (int32_t x = 0; x < count; x++) out[x] = (uint16_t)(clamp((in[x] * factor + offset) >> 16, 1023) << 6);
    }
}

void cpixel_scale_components(
    uint16_t *components, ptrdiff_t stride, int32_t count, int32_t height, int32_t factor, int32_t offset) {
    for (int32_t row = 0; row < height; row++) {
        uint16_t *line = (uint16_t *)((uint8_t *)components + row * stride);
        for (int32_t x = 0; x < count; x++) line[x] = (uint16_t)clamp((line[x] * factor + offset) >> 16, 1023);
    }
}

// Multiplies the linear light of each pixel of a BGRA image by a matrix of 4,096ths, in place.
static inline void convert_colors(
    uint8_t *pixels, ptrdiff_t stride, int32_t width, int32_t height, const int32_t matrix[9],
    const uint16_t light_of_code[256], const uint8_t code_of_light[4096]) {
    for (int32_t row = 0; row < height; row++) {
        uint8_t *pixel = pixels + row * stride;
        for (int32_t x = 0; x < width; x++, pixel += 4) {
            int32_t blue = light_of_code[pixel[0]], green = light_of_code[pixel[1]], red = light_of_code[pixel[2]];
            // The factors of each row add up to 4,096, so that gray is preserved. 65,535 * 6,801 fits into 31 bits.
            int32_t r = (matrix[0] * red + matrix[1] * green + matrix[2] * blue) >> 12;
            int32_t g = (matrix[3] * red + matrix[4] * green + matrix[5] * blue) >> 12;
            int32_t b = (matrix[6] * red + matrix[7] * green + matrix[8] * blue) >> 12;
            pixel[0] = code_of_light[clamp(b, 65535) >> 4];
            pixel[1] = code_of_light[clamp(g, 65535) >> 4];
            pixel[2] = code_of_light[clamp(r, 65535) >> 4];
        }
    }
}

void cpixel_convert_bt2020_to_bt709(
    uint8_t *pixels, ptrdiff_t stride, int32_t width, int32_t height, const uint16_t light_of_code[256],
    const uint8_t code_of_light[4096]) {
    // The inverse of the matrix from BT.709 to BT.2020 in Recommendation ITU-R BT.2087-0, 2.2.
    static const int32_t matrix[9] = {6801, -2407, -298, -510, 4640, -34, -74, -412, 4582};
    convert_colors(pixels, stride, width, height, matrix, light_of_code, code_of_light);
}

void cpixel_convert_p3_to_bt709(
    uint8_t *pixels, ptrdiff_t stride, int32_t width, int32_t height, const uint16_t light_of_code[256],
    const uint8_t code_of_light[4096]) {
    // From the primaries of SMPTE RP 431-2 with the white point D65.
    static const int32_t matrix[9] = {5017, -921, 0, -172, 4268, 0, -80, -322, 4498};
    convert_colors(pixels, stride, width, height, matrix, light_of_code, code_of_light);
}
