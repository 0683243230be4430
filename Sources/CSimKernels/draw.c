#include "CSimKernels.h"
#include "internal.h"

#include <stdlib.h>

#pragma STDC FP_CONTRACT OFF

// The area of the image that a pixel of the canvas covers along one axis, in 65,536ths of the image's pixels.
typedef struct {
    int64_t begin;
    int64_t end;
    // Coverage of the canvas pixel by the rectangle, 0 … 256.
    int32_t cover;
} footprint;

// Returns the footprint of a canvas pixel. `start` and `length` are the rectangle in 256ths of a pixel, `count` is the
// image's size along the axis.
static footprint footprint_of(int32_t pixel, int32_t start, int32_t length, int32_t count) {
    int64_t low = (int64_t)pixel * 256 - start, high = low + 256;
    footprint f = {0, 0, 0};
    int64_t inside = (high < length ? high : length) - (low > 0 ? low : 0);
    if (inside <= 0) return f;
    f.cover = (int32_t)inside;
    int64_t whole = (int64_t)count << 16;
    f.begin = low * whole / length;
    f.end = high * whole / length;
    // Enlarged images are interpolated: the area is at least one image pixel wide.
    if (f.end - f.begin < 65536) {
        f.begin = (f.begin + f.end - 65536) / 2;
        f.end = f.begin + 65536;
    }
    return f;
}

// Returns the weight of the image's pixel `at`, in 65,536ths. Border pixels are extended beyond the image.
CSIM_INLINE int64_t weight(const footprint *f, int32_t at, int32_t count) {
    int64_t low = at == 0 ? f->begin : (int64_t)at << 16, high = at == count - 1 ? f->end : ((int64_t)at + 1) << 16;
    if (low < f->begin) low = f->begin;
    if (high > f->end) high = f->end;
    return high > low ? high - low : 0;
}

CSIM_INLINE int32_t first_of(const footprint *f, int32_t count) { return csim_clamp((int32_t)(f->begin >> 16), 0, count - 1); }
CSIM_INLINE int32_t last_of(const footprint *f, int32_t count) { return csim_clamp((int32_t)((f->end - 1) >> 16), 0, count - 1); }

int32_t csim_draw(const csim_canvas *canvas, const csim_source *source, const csim_rect *target) {
    int32_t columns = source->width, rows = source->height;
    // For each column of the image: coverage, and light of blue, green and red times coverage, summed over a row's
    // footprint.
    uint64_t *sums = malloc((size_t)columns * 4 * sizeof *sums);
    if (!sums) return -1;
    for (int32_t y = 0; y < canvas->height; y++) {
        footprint vertical = footprint_of(y, target->top, target->height, rows);
        if (!vertical.cover) continue;
        memset(sums, 0, (size_t)columns * 4 * sizeof *sums);
        int64_t total = 0;
        for (int32_t row = first_of(&vertical, rows); row <= last_of(&vertical, rows); row++) {
            // 256ths keep a sum over 65,536 rows within 64 bits.
            uint64_t part = (uint64_t)weight(&vertical, row, rows) >> 8;
            total += (int64_t)part;
            const uint8_t *in = source->pixels + (int64_t)row * source->stride;
            for (int32_t x = 0; x < columns; x++, in += 4) {
                uint64_t cover = part * in[3], *sum = sums + 4 * x;
                sum[0] += cover;
                for (int32_t c = 0; c < 3; c++) sum[c + 1] += cover * source->light[in[c]];
            }
        }
        if (!total) continue;
        for (int32_t x = 0; x < canvas->width; x++) {
            footprint across = footprint_of(x, target->left, target->width, columns);
            if (!across.cover) continue;
            // Doubles, because wide images would overflow integers; the precision is sufficient.
            double sum[4] = {0, 0, 0, 0}, width = 0;
            for (int32_t at = first_of(&across, columns); at <= last_of(&across, columns); at++) {
                double part = (double)(weight(&across, at, columns) >> 8);
                width += part;
                for (int32_t c = 0; c < 4; c++) sum[c] += part * (double)sums[4 * at + c];
            }
            if (!(sum[0] > 0) || !(width > 0)) continue;
            int64_t pixel = (int64_t)y * canvas->width + x;
            uint8_t *planes[3] = {canvas->blue, canvas->green, canvas->red};
            for (int32_t c = 0; c < 3; c++) {
                double light = sum[c + 1] / sum[0] / 65535;
                planes[c][pixel] = (uint8_t)(__builtin_sqrt(light) * 255 + 0.5);
            }
            double cover = sum[0] / (width * (double)total) * vertical.cover * across.cover / 65536;
            canvas->coverage[pixel] = (uint8_t)csim_clamp((int32_t)(cover + 0.5), 0, 255);
        }
    }
    free(sums);
    return 0;
}
