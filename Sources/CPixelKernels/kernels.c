#include "CPixelKernels.h"

// The dynamic loader selects a clone during relocation. A selection function that is instrumented by the thread
// sanitizer would crash, because the sanitizer is not initialized yet.
#if defined(__x86_64__) && !__has_feature(thread_sanitizer)
#define KERNEL __attribute__((target_clones("avx2", "default")))
#else
#define KERNEL
#endif
#define INLINE static inline __attribute__((always_inline))

INLINE uint8_t clamp(int32_t value) { return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value; }

INLINE void luma_row(const uint8_t *p, int size, int r, int g, int b, int32_t width, uint8_t *y, cpixel_weights w) {
    for (int32_t x = 0; x < width; x++) {
        const uint8_t *q = p + (ptrdiff_t)x * size;
        y[x] = clamp((w.red * q[r] + w.green * q[g] + w.blue * q[b] + w.offset) >> 16);
    }
}

// `p` and `q` are two rows, identical at an odd bottom edge. Each sum has four pixels, so results are shifted by 18
// bits instead of 16.
INLINE void chroma_row(
    const uint8_t *p, const uint8_t *q, int size, int r, int g, int b, int32_t width, uint8_t *cb, uint8_t *cr,
    int step, cpixel_weights wb, cpixel_weights wr) {
    int64_t cb_offset = (int64_t)wb.offset * 4, cr_offset = (int64_t)wr.offset * 4;
    int32_t pairs = width / 2;
    for (int32_t x = 0; x < pairs; x++) {
        ptrdiff_t i = (ptrdiff_t)x * 2 * size, j = i + size;
        int32_t red = p[i + r] + p[j + r] + q[i + r] + q[j + r];
        int32_t green = p[i + g] + p[j + g] + q[i + g] + q[j + g];
        int32_t blue = p[i + b] + p[j + b] + q[i + b] + q[j + b];
        cb[x * step] = clamp((wb.red * red + wb.green * green + wb.blue * blue + (int32_t)cb_offset) >> 18);
        cr[x * step] = clamp((wr.red * red + wr.green * green + wr.blue * blue + (int32_t)cr_offset) >> 18);
    }
    if (width & 1) {
        ptrdiff_t i = (ptrdiff_t)pairs * 2 * size;
        int32_t red = 2 * (p[i + r] + q[i + r]), green = 2 * (p[i + g] + q[i + g]), blue = 2 * (p[i + b] + q[i + b]);
        cb[pairs * step] = clamp((wb.red * red + wb.green * green + wb.blue * blue + (int32_t)cb_offset) >> 18);
        cr[pairs * step] = clamp((wr.red * red + wr.green * green + wr.blue * blue + (int32_t)cr_offset) >> 18);
    }
}

// Constant byte positions let the compiler vectorize; the last branch handles all other orders.
#define WITH_ORDER(order, CALL)                                                         \
    if (order.byte_count == 4 && order.red == 2 && order.green == 1) { CALL(4, 2, 1, 0) }      \
    else if (order.byte_count == 4 && order.red == 0 && order.green == 1) { CALL(4, 0, 1, 2) } \
    else if (order.byte_count == 4 && order.red == 1 && order.green == 2) { CALL(4, 1, 2, 3) } \
    else if (order.byte_count == 3 && order.red == 0) { CALL(3, 0, 1, 2) }                     \
    else if (order.byte_count == 3 && order.red == 2) { CALL(3, 2, 1, 0) }                     \
    else { CALL(order.byte_count, order.red, order.green, order.blue) }

KERNEL void cpixel_rgb_to_420(
    const uint8_t *source, ptrdiff_t source_stride, cpixel_rgb_order order, int32_t width, int32_t height,
    uint8_t *y, ptrdiff_t y_stride, uint8_t *cb, uint8_t *cr, ptrdiff_t chroma_stride, int32_t chroma_step,
    cpixel_weights wy, cpixel_weights wb, cpixel_weights wr) {
    for (int32_t row = 0; row < height; row += 2) {
        const uint8_t *p = source + row * source_stride;
        const uint8_t *q = row + 1 < height ? p + source_stride : p;
        uint8_t *y0 = y + row * y_stride;
        uint8_t *b0 = cb + (row / 2) * chroma_stride, *r0 = cr + (row / 2) * chroma_stride;
#define CALL(size, r, g, b)                                                     \
    luma_row(p, size, r, g, b, width, y0, wy);                                  \
    if (row + 1 < height) luma_row(q, size, r, g, b, width, y0 + y_stride, wy); \
    if (chroma_step == 2) chroma_row(p, q, size, r, g, b, width, b0, r0, 2, wb, wr); \
    else chroma_row(p, q, size, r, g, b, width, b0, r0, 1, wb, wr);
        WITH_ORDER(order, CALL)
#undef CALL
    }
}

// Pixels are processed in runs of up to 256. Within a run, each component has its own array.
enum { RUN = 256 };

typedef struct {
    int32_t red[RUN], green[RUN], blue[RUN];
} chroma_terms;

INLINE void chroma_run(
    const uint8_t *cb, const uint8_t *cr, int step, int32_t pairs, cpixel_decoding f, chroma_terms *terms) {
    for (int32_t x = 0; x < pairs; x++) {
        int32_t u = cb[x * step] - 128, v = cr[x * step] - 128;
        int32_t red = f.cr_to_red * v, green = f.cb_to_green * u + f.cr_to_green * v, blue = f.cb_to_blue * u;
        terms->red[2 * x] = terms->red[2 * x + 1] = red;
        terms->green[2 * x] = terms->green[2 * x + 1] = green;
        terms->blue[2 * x] = terms->blue[2 * x + 1] = blue;
    }
}

INLINE void color_run(
    const uint8_t *y, int step, int32_t width, cpixel_decoding f, const chroma_terms *terms, uint8_t *q, int size,
    int r, int g, int b) {
    uint8_t red[RUN], green[RUN], blue[RUN];
    for (int32_t x = 0; x < width; x++) {
        int32_t luma = (y[x * step] - f.y_offset) * f.y + 32768;
        red[x] = clamp((luma + terms->red[x]) >> 16);
        green[x] = clamp((luma + terms->green[x]) >> 16);
        blue[x] = clamp((luma + terms->blue[x]) >> 16);
    }
    for (int32_t x = 0; x < width; x++) {
        uint8_t *pixel = q + (ptrdiff_t)x * size;
        pixel[r] = red[x];
        pixel[g] = green[x];
        pixel[b] = blue[x];
        // Alpha has the remaining position: the four positions add up to 6.
        if (size == 4) pixel[6 - r - g - b] = 255;
    }
}

KERNEL void cpixel_ycbcr_to_rgb(
    const uint8_t *y, ptrdiff_t y_stride, int32_t y_step, const uint8_t *cb, const uint8_t *cr, ptrdiff_t cb_stride,
    ptrdiff_t cr_stride, int32_t chroma_step, int32_t chroma_row_shift, int32_t width, int32_t height,
    uint8_t *destination, ptrdiff_t destination_stride, cpixel_rgb_order order, cpixel_decoding f) {
    chroma_terms terms;
    for (int32_t begin = 0; begin < width; begin += RUN) {
        int32_t count = width - begin < RUN ? width - begin : RUN, pairs = (count + 1) / 2;
        for (int32_t row = 0; row < height; row++) {
            int32_t chroma_row = row >> chroma_row_shift;
            // Rows 2n and 2n + 1 share their chroma, which is computed once.
            if (!chroma_row_shift || !(row & 1)) {
                const uint8_t *u = cb + chroma_row * cb_stride + (ptrdiff_t)begin / 2 * chroma_step;
                const uint8_t *v = cr + chroma_row * cr_stride + (ptrdiff_t)begin / 2 * chroma_step;
                if (chroma_step == 1) chroma_run(u, v, 1, pairs, f, &terms);
                else if (chroma_step == 2) chroma_run(u, v, 2, pairs, f, &terms);
                else chroma_run(u, v, chroma_step, pairs, f, &terms);
            }
            const uint8_t *p = y + row * y_stride + (ptrdiff_t)begin * y_step;
            uint8_t *q = destination + row * destination_stride + (ptrdiff_t)begin * order.byte_count;
#define CALL(size, r, g, b)                                                         \
    if (y_step == 1) color_run(p, 1, count, f, &terms, q, size, r, g, b);           \
    else color_run(p, y_step, count, f, &terms, q, size, r, g, b);
            WITH_ORDER(order, CALL)
#undef CALL
        }
    }
}

KERNEL void cpixel_rgb_to_luma(
    const uint8_t *source, ptrdiff_t source_stride, cpixel_rgb_order order, int32_t width, int32_t height,
    uint8_t *y, ptrdiff_t y_stride, cpixel_weights w) {
    for (int32_t row = 0; row < height; row++) {
        const uint8_t *p = source + row * source_stride;
        uint8_t *y0 = y + row * y_stride;
#define CALL(size, r, g, b) luma_row(p, size, r, g, b, width, y0, w);
        WITH_ORDER(order, CALL)
#undef CALL
    }
}

KERNEL void cpixel_scale_bytes(
    const uint8_t *source, ptrdiff_t source_stride, uint8_t *destination, ptrdiff_t destination_stride,
    int32_t byte_count, int32_t height, int32_t factor, int32_t offset) {
    for (int32_t row = 0; row < height; row++) {
        const uint8_t *p = source + row * source_stride;
        uint8_t *q = destination + row * destination_stride;
        for (int32_t x = 0; x < byte_count; x++) q[x] = clamp((p[x] * factor + offset) >> 16);
    }
}

KERNEL void cpixel_scale_byte_pairs(
    const uint8_t *source, ptrdiff_t source_stride, uint8_t *destination, ptrdiff_t destination_stride,
    int32_t pair_count, int32_t height, int32_t even_factor, int32_t even_offset, int32_t odd_factor,
    int32_t odd_offset) {
    for (int32_t row = 0; row < height; row++) {
        const uint8_t *p = source + row * source_stride;
        uint8_t *q = destination + row * destination_stride;
        for (int32_t x = 0; x < pair_count; x++) {
            q[2 * x] = clamp((p[2 * x] * even_factor + even_offset) >> 16);
            q[2 * x + 1] = clamp((p[2 * x + 1] * odd_factor + odd_offset) >> 16);
        }
    }
}

KERNEL void cpixel_swap_bytes(
    const uint8_t *source, ptrdiff_t source_stride, uint8_t *destination, ptrdiff_t destination_stride,
    int32_t pair_count, int32_t height) {
    for (int32_t row = 0; row < height; row++) {
        const uint8_t *p = source + row * source_stride;
        uint8_t *q = destination + row * destination_stride;
        for (int32_t x = 0; x < pair_count; x++) {
            uint8_t first = p[2 * x], second = p[2 * x + 1];
            q[2 * x] = second;
            q[2 * x + 1] = first;
        }
    }
}

void cpixel_fill(uint8_t *destination, ptrdiff_t stride, int32_t count, int32_t height, const uint8_t pattern[4]) {
    for (int32_t row = 0; row < height; row++) {
        uint8_t *q = destination + row * stride;
        for (int32_t x = 0; x < count; x++) __builtin_memcpy(q + 4 * (ptrdiff_t)x, pattern, 4);
    }
}
