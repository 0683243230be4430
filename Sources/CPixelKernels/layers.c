#include "CPixelKernels.h"

#if defined(__x86_64__) && !__has_feature(thread_sanitizer)
#define KERNEL __attribute__((target_clones("avx2", "default")))
#else
#define KERNEL
#endif
#define INLINE static inline __attribute__((always_inline))

// Weights are from 0 to 65536, which is 1.
enum { ONE = 1 << 16 };

INLINE int64_t clamp(int64_t value, int64_t low, int64_t high) {
    return value < low ? low : value > high ? high : value;
}

INLINE uint8_t blend(uint32_t above, uint32_t below, uint32_t weight) {
    return (uint8_t)((above * weight + below * (ONE - weight) + ONE / 2) >> 16);
}

KERNEL void cpixel_blend(
    const uint8_t *source, ptrdiff_t source_stride, int32_t width, int32_t height, uint32_t opacity,
    uint8_t *destination, ptrdiff_t destination_stride) {
    for (int32_t row = 0; row < height; row++) {
        const uint8_t *p = source + row * source_stride;
        uint8_t *q = destination + row * destination_stride;
        if (opacity == ONE) {
            __builtin_memcpy(q, p, 4 * (size_t)width);
            continue;
        }
        for (ptrdiff_t x = 0; x < 4 * (ptrdiff_t)width; x++) q[x] = blend(p[x], q[x], opacity);
    }
}

// Returns the part of a destination pixel, 0 to 65536, that lies between two edges. The position of its center and the
// edges are in source pixels times 65536; `scale` is the number of destination pixels per source pixel, times 65536.
INLINE int64_t coverage(int64_t position, int64_t low, int64_t high, int64_t scale) {
    int64_t limit = (int64_t)1 << 31;
    int64_t after = clamp(((clamp(position - low, -limit, limit) * scale) >> 16) + ONE / 2, 0, ONE);
    int64_t before = clamp(((clamp(high - position, -limit, limit) * scale) >> 16) + ONE / 2, 0, ONE);
    int64_t both = after + before - ONE;
    return both < 0 ? 0 : both;
}

// Interpolates bilinearly between four components; the fractions `fx` and `fy` are times 256.
INLINE uint32_t interpolate(
    const uint8_t *top, const uint8_t *bottom, int64_t left, int64_t right, uint32_t fx, uint32_t fy) {
    uint32_t upper = top[left] * (256 - fx) + top[right] * fx;
    uint32_t lower = bottom[left] * (256 - fx) + bottom[right] * fx;
    return (upper * (256 - fy) + lower * fy + ONE / 2) >> 16;
}

KERNEL void cpixel_draw_layer(
    const uint8_t *source, ptrdiff_t source_stride, cpixel_layer layer, uint32_t opacity, uint8_t *destination,
    ptrdiff_t destination_stride, int32_t first_column, int32_t first_row, int32_t end_column, int32_t end_row) {
    // The source pixels that the visible part covers, completely or partly; interpolation uses only these.
    int64_t left = layer.left >> 16, top = layer.top >> 16;
    int64_t right = ((layer.right + ONE - 1) >> 16) - 1, bottom = ((layer.bottom + ONE - 1) >> 16) - 1;
    for (int32_t row = first_row; row < end_row; row++) {
        uint8_t *q = destination + row * destination_stride;
        // The position in the source of the center of the first pixel, times 2^32.
        int64_t u = layer.x + layer.x_per_column / 2 + layer.x_per_row / 2 + layer.x_per_row * row
            + layer.x_per_column * first_column;
        int64_t v = layer.y + layer.y_per_column / 2 + layer.y_per_row / 2 + layer.y_per_row * row
            + layer.y_per_column * first_column;
        for (int32_t column = first_column; column < end_column;
             column++, u += layer.x_per_column, v += layer.y_per_column) {
            int64_t x = u >> 16, y = v >> 16;
            int64_t covered = (coverage(x, layer.left, layer.right, layer.x_scale)
                * coverage(y, layer.top, layer.bottom, layer.y_scale)) >> 16;
            uint32_t weight = (uint32_t)((covered * opacity) >> 16);
            if (weight == 0) continue;
            x -= ONE / 2;
            y -= ONE / 2;
            uint32_t fx = (uint32_t)(x >> 8) & 255, fy = (uint32_t)(y >> 8) & 255;
            int64_t x0 = 4 * clamp(x >> 16, left, right), x1 = 4 * clamp((x >> 16) + 1, left, right);
            const uint8_t *upper = source + clamp(y >> 16, top, bottom) * source_stride;
            const uint8_t *lower = source + clamp((y >> 16) + 1, top, bottom) * source_stride;
            uint8_t *pixel = q + 4 * (ptrdiff_t)column;
            for (int component = 0; component < 4; component++) {
                uint32_t above = interpolate(upper + component, lower + component, x0, x1, fx, fy);
                pixel[component] = blend(above, pixel[component], weight);
            }
        }
    }
}
