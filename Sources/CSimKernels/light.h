#pragma once
#include "develop.h"
#include "window.h"

// Light: the composed light of a frame's rows, with zoom, shake and moving layers.

// Stretches the window's columns of `source` to `line` by linear interpolation.
CSIM_INLINE void stretch(const uint16_t *source, int64_t x, int64_t step, int32_t limit, int32_t count, uint16_t *line) {
    for (int32_t i = 0; i < count; i++, x += step) {
        int32_t left = (int32_t)(x >> 16), fraction = (int32_t)((x >> 1) & 0x7fff);
        int32_t right = left + 1 < limit ? left + 1 : left;
        line[i] = (uint16_t)(source[left] + (((source[right] - source[left]) * fraction) >> 15));
    }
}

// Computes the row of the zoomed image at `y` (65,536ths). `cache` contains two stretched rows, `rows` their indices.
CSIM_INLINE void zoomed(
    const csim_frame *f, int64_t y, int plane, uint16_t *source, uint16_t *cache[2], int32_t rows[2], uint16_t *line
) {
    const csim_planes *p = f->background;
    int half = plane != 0;
    int32_t width = p->width >> half, height = p->height >> half, columns = f->width >> half;
    const uint16_t *planes = plane == 0 ? p->green : plane == 1 ? p->red : p->blue;
    int32_t top = (int32_t)(y >> 16), fraction = (int32_t)((y >> 1) & 0x7fff);
    int32_t bottom = top + 1 < height ? top + 1 : top;
    for (int32_t row = top; row <= bottom; row++) {
        if (rows[row & 1] == row) continue;
        memcpy(source, planes + (int64_t)row * (p->stride >> half), (size_t)width * 2);
        overlay(f, row, plane, whole_row(f, plane), source);
        stretch(source, f->windowX >> half, f->windowStep, width, columns, cache[row & 1]);
        rows[row & 1] = row;
    }
    const uint16_t *a = cache[top & 1], *b = cache[bottom & 1];
    for (int32_t i = 0; i < columns; i++) line[i] = (uint16_t)(a[i] + (((b[i] - a[i]) * fraction) >> 15));
}

// The rows of each plane with stretched copies in the cache; -1 for none.
typedef struct {
    int32_t green[2];
    int32_t red[2];
    int32_t blue[2];
} zoom_rows;

// Composes the light of a pair of rows of the frame, with zoom, shake and moving layers.
CSIM_INLINE void compose_pair(
    const csim_frame *f, int32_t pair, zoom_rows *rows, const ring_rows *ring, uint16_t *lines[lineCount]
) {
    if (f->tapCount) {
        int64_t x = f->windowX + pair * 2 * f->windowSkewX, down = f->windowStep + f->windowSkewY;
        int64_t y = f->windowY + pair * 2 * down;
        window_row(f, ring, x, y, 0, lines[lineGreen0]);
        window_row(f, ring, x + f->windowSkewX, y + down, 0, lines[lineGreen1]);
        window_row(f, ring, x >> 1, y >> 1, 1, lines[lineRed]);
        window_row(f, ring, x >> 1, y >> 1, 2, lines[lineBlue]);
        return;
    }
    if (f->windowStep != 65536) {
        int64_t y = f->windowY + pair * 2 * f->windowStep;
        zoomed(f, y, 0, lines[lineSource], lines + lineZoom, rows->green, lines[lineGreen0]);
        zoomed(f, y + f->windowStep, 0, lines[lineSource], lines + lineZoom, rows->green, lines[lineGreen1]);
        zoomed(f, y / 2, 1, lines[lineSource], lines + lineZoom + 2, rows->red, lines[lineRed]);
        zoomed(f, y / 2, 2, lines[lineSource], lines + lineZoom + 4, rows->blue, lines[lineBlue]);
        return;
    }
    light from = background_light(f->background, pair);
    size_t bytes = (size_t)f->background->width * 2;
    memcpy(lines[lineGreen0], from.green0, bytes);
    memcpy(lines[lineGreen1], from.green1, bytes);
    memcpy(lines[lineRed], from.red, bytes / 2);
    memcpy(lines[lineBlue], from.blue, bytes / 2);
    overlay(f, pair * 2, 0, whole_row(f, 0), lines[lineGreen0]);
    overlay(f, pair * 2 + 1, 0, whole_row(f, 0), lines[lineGreen1]);
    overlay(f, pair, 1, whole_row(f, 1), lines[lineRed]);
    overlay(f, pair, 2, whole_row(f, 2), lines[lineBlue]);
}
