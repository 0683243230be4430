#pragma once
#include "compose.h"

// A window of the background that moves during the exposure.

// Returns the samples of a row of working memory.
CSIM_INLINE int64_t line_length(int32_t width) { return ((int64_t)width + 63) / 64 * 64 + 64; }

// A ring buffer of the most recent rows of each plane of the background, composed with moving layers.
typedef struct {
    uint16_t *rows[3];
    // For each plane, the row in each slot; -1 for none.
    int32_t *numbers[3];
    // Sums of light over the positions of the window, for one row.
    uint32_t *sums;
    // Samples per row.
    int64_t length;
} ring_rows;

// Returns an empty ring buffer in the working memory of a frame.
CSIM_INLINE ring_rows ring_of(const csim_frame *f) {
    ring_rows r = {.length = line_length(f->background->width)};
    uint16_t *next = f->ring;
    for (int plane = 0; plane < 3; plane++, next += r.length * f->ringRows) r.rows[plane] = next;
    r.sums = (uint32_t *)next;
    int32_t *number = (int32_t *)(r.sums + r.length);
    for (int plane = 0; plane < 3; plane++, number += f->ringRows) r.numbers[plane] = number;
    memset(r.numbers[0], 0xff, (size_t)f->ringRows * 3 * sizeof(int32_t));
    return r;
}

// Returns a row of a plane; composes it if it is not in the ring buffer.
CSIM_INLINE const uint16_t *ring_row(const csim_frame *f, const ring_rows *r, int32_t row, int plane) {
    const csim_planes *p = f->background;
    int32_t slot = row & (f->ringRows - 1);
    uint16_t *line = r->rows[plane] + r->length * slot;
    if (r->numbers[plane][slot] == row) return line;
    const uint16_t *planes = plane == 0 ? p->green : plane == 1 ? p->red : p->blue;
    int half = plane != 0;
    memcpy(line, planes + (int64_t)row * (p->stride >> half), (size_t)(p->width >> half) * 2);
    overlay(f, row, plane, whole_row(f, plane), line);
    r->numbers[plane][slot] = row;
    return line;
}

CSIM_INLINE int64_t bounded(int64_t value, int64_t most) { return value < 0 ? 0 : value > most ? most : value; }

// Bilinear interpolation between columns `left` and `right` of rows `a` and `b`; `across` and `down` are in 32,768ths.
#define BETWEEN(a, b, left, right, across, down) \
    ({ \
        int32_t above = (a)[left] + ((((a)[right] - (a)[left]) * (across)) >> 15); \
        int32_t below = (b)[left] + ((((b)[right] - (b)[left]) * (across)) >> 15); \
        (uint32_t)(above + (((below - above) * (down)) >> 15)); \
    })

// Computes a row of the window at `x`, `y` (65,536ths of the plane's samples).
CSIM_INLINE void window_row(const csim_frame *f, const ring_rows *r, int64_t x, int64_t y, int plane, uint16_t *line) {
    const csim_planes *p = f->background;
    int half = plane != 0;
    int32_t width = p->width >> half, height = p->height >> half, columns = f->width >> half;
    int64_t step = f->windowStep, mostX = ((int64_t)(width - 1) << 16) - step * (columns - 1);
    int isMean = f->tapCount > 1;
    if (isMean) memset(r->sums, 0, (size_t)columns * sizeof *r->sums);
    for (int32_t tap = 0; tap < f->tapCount; tap++) {
        int64_t top = bounded(y + (f->taps[tap].y >> half), (int64_t)(height - 1) << 16);
        int64_t left = bounded(x + (f->taps[tap].x >> half), mostX > 0 ? mostX : 0);
        int32_t row = (int32_t)(top >> 16), down = (int32_t)((top >> 1) & 0x7fff);
        const uint16_t *a = ring_row(f, r, row, plane), *b = ring_row(f, r, row + 1 < height ? row + 1 : row, plane);
        if (step == 65536) {
            int32_t first = (int32_t)(left >> 16), across = (int32_t)((left >> 1) & 0x7fff);
            // The last column has no right neighbor; it is used twice.
            int32_t next = first + columns < width ? 1 : 0;
            a += first;
            b += first;
            if (isMean) {
                for (int32_t i = 0; i < columns; i++) {
                    uint32_t s = BETWEEN(a, b, i, i + next, across, down);
                    r->sums[i] += (s * s) >> 6;
                }
            } else {
                for (int32_t i = 0; i < columns; i++) line[i] = (uint16_t)BETWEEN(a, b, i, i + next, across, down);
            }
            continue;
        }
        for (int32_t i = 0; i < columns; i++, left += step) {
            int32_t at = (int32_t)(left >> 16), across = (int32_t)((left >> 1) & 0x7fff), next = at + 1 < width ? at + 1 : at;
            uint32_t s = BETWEEN(a, b, at, next, across, down);
            if (isMean) r->sums[i] += (s * s) >> 6;
            else line[i] = (uint16_t)s;
        }
    }
    if (!isMean) return;
    for (int32_t i = 0; i < columns; i++) {
        uint64_t light = ((uint64_t)r->sums[i] << 6) / (uint32_t)f->tapCount;
        line[i] = (uint16_t)__builtin_sqrtf((float)light);
    }
}
