#include "CSimKernels.h"
#include "internal.h"

#include <stdlib.h>

#pragma STDC FP_CONTRACT OFF

enum { subRows = 4, maximumCrossings = 256 };

// The corner value of a lattice cell, 0 … 65,535.
CSIM_INLINE int32_t lattice(int32_t x, int32_t y, uint32_t seed) {
    uint32_t h = (uint32_t)x * 0x8da6b343u ^ (uint32_t)y * 0xd8163841u ^ seed * 0xcb1ab31fu;
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    h ^= h >> 12;
    return (int32_t)(h >> 16);
}

// The corners of the cell that was looked up last: neighbours share it.
typedef struct {
    int32_t x, y, a, b, c, d;
    uint32_t seed;
} cell;

// Value noise: lattice values joined smoothly; 0 … 65,535. Coordinates are in 256ths of a cell.
CSIM_INLINE int32_t value_noise(int32_t x, int32_t y, uint32_t seed, cell *last) {
    int32_t cx = x >> 8, cy = y >> 8, fx = x & 255, fy = y & 255;
    if (cx != last->x || cy != last->y || seed != last->seed) {
        *last = (cell){cx, cy, lattice(cx, cy, seed), lattice(cx + 1, cy, seed), lattice(cx, cy + 1, seed),
                       lattice(cx + 1, cy + 1, seed), seed};
    }
    fx = fx * fx * (768 - 2 * fx) >> 16;
    fy = fy * fy * (768 - 2 * fy) >> 16;
    int32_t a = last->a + ((last->b - last->a) * fx >> 8), c = last->c + ((last->d - last->c) * fx >> 8);
    return a + ((c - a) * fy >> 8);
}

// Mixes light, of which codes are the square roots.
CSIM_INLINE void blend_light(uint8_t *pixel, int32_t color, int32_t coverage) {
    int32_t own = csim_clamp(color, 0, 255), light = *pixel * *pixel * (256 - coverage) + own * own * coverage;
    *pixel = (uint8_t)(__builtin_sqrtf((float)light / 256) + 0.5f);
}

CSIM_INLINE void blend(uint8_t *pixel, int32_t color, int32_t coverage) {
    *pixel = (uint8_t)(*pixel + (csim_clamp(color, 0, 255) - *pixel) * coverage / 256);
}

// What spreads gradients below one step over the pixels, 0 … 255, as they would show bands otherwise: M. Roberts' R2
// sequence ("The unreasonable effectiveness of quasirandom sequences", 2018) along both axes.
CSIM_INLINE int32_t dithered(int32_t x, int32_t y) { return (int32_t)(((uint32_t)x * 49471u + (uint32_t)y * 37345u) >> 8 & 255); }

// Paints a stretch of a row that is covered whole and has no texture; `color` is in 256ths.
CSIM_INLINE void paint_run(const csim_canvas *canvas, int64_t line, int32_t y, int32_t begin, int32_t end, const int32_t *color) {
    uint8_t *planes[3] = {canvas->red, canvas->green, canvas->blue};
    for (int c = 0; c < 3; c++) {
        uint8_t *at = planes[c] + line;
        int32_t base = color[c] < 65280 ? color[c] : 65280;
        for (int32_t x = begin; x < end; x++) at[x] = (uint8_t)((base + dithered(x, y)) >> 8);
    }
    memset(canvas->coverage + line + begin, 255, (size_t)(end - begin));
}

typedef struct {
    int32_t x;
    int32_t direction;
} crossing;

// Finds where the outline crosses the line at `y` (256ths), from left to right; returns how often.
static int crossings(const int32_t *points, int32_t count, int32_t y, crossing *found) {
    int n = 0;
    for (int32_t i = 0; i < count && n < maximumCrossings; i++) {
        const int32_t *a = points + 2 * i, *b = points + 2 * ((i + 1) % count);
        int32_t direction = a[1] <= y && b[1] > y ? 1 : b[1] <= y && a[1] > y ? -1 : 0;
        if (!direction) continue;
        int32_t x = a[0] + (int32_t)((int64_t)(b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]));
        int at = n++;
        for (; at > 0 && found[at - 1].x > x; at--) found[at] = found[at - 1];
        found[at] = (crossing){x, direction};
    }
    return n;
}

// Adds a stretch from `begin` to `end` (256ths of a pixel) to the differences of a row's coverage.
static void cover(int32_t *row, int32_t width, int32_t begin, int32_t end) {
    begin = csim_clamp(begin, 0, width * 256);
    end = csim_clamp(end, 0, width * 256);
    if (begin >= end) return;
    row[begin >> 8] += 256 - (begin & 255);
    row[(begin >> 8) + 1] += begin & 255;
    row[end >> 8] -= 256 - (end & 255);
    row[(end >> 8) + 1] -= end & 255;
}

CSIM_CLONES void csim_fill(const csim_canvas *canvas, const int32_t *points, int32_t pointCount, const csim_paint *paint) {
    if (pointCount < 3) return;
    int32_t low = points[1], high = points[1], left = points[0], right = points[0];
    for (int32_t i = 1; i < pointCount; i++) {
        if (points[2 * i] < left) left = points[2 * i];
        if (points[2 * i] > right) right = points[2 * i];
        if (points[2 * i + 1] < low) low = points[2 * i + 1];
        if (points[2 * i + 1] > high) high = points[2 * i + 1];
    }
    int32_t firstRow = csim_clamp(low >> 8, 0, canvas->height), lastRow = csim_clamp((high >> 8) + 1, 0, canvas->height);
    int32_t firstColumn = csim_clamp(left >> 8, 0, canvas->width);
    int32_t lastColumn = csim_clamp((right >> 8) + 1, 0, canvas->width);
    if (firstRow >= lastRow || firstColumn >= lastColumn) return;
    int32_t *row = calloc((size_t)canvas->width + 2, sizeof *row);
    if (!row) return;
    int32_t span = high - low > 0 ? high - low : 1;
    crossing found[maximumCrossings];
    cell last = {INT32_MIN, 0, 0, 0, 0, 0, 0};
    for (int32_t y = firstRow; y < lastRow; y++) {
        memset(row + firstColumn, 0, (size_t)(lastColumn - firstColumn + 2) * sizeof *row);
        for (int32_t sub = 0; sub < subRows; sub++) {
            int n = crossings(points, pointCount, y * 256 + (2 * sub + 1) * 128 / subRows, found);
            int32_t winding = 0;
            for (int i = 0; i + 1 < n; i++) {
                winding += found[i].direction;
                if (winding) cover(row, canvas->width, found[i].x, found[i + 1].x);
            }
        }
        int32_t blendDown = csim_clamp((int32_t)((int64_t)(y * 256 + 128 - low) * 256 / span), 0, 256), color[3];
        for (int c = 0; c < 3; c++)
            color[c] = paint->top[c] * 256 + (paint->bottom[c] - paint->top[c]) * blendDown;
        int64_t line = (int64_t)y * canvas->width;
        int32_t sum = 0, v = paint->texture ? (int32_t)((int64_t)y * 65536 / paint->grainY) : 0;
        // Divided once: a step of the texture in 2^-32 of a cell's 256th.
        int64_t step = paint->texture ? ((int64_t)65536 << 32) / paint->grainX : 0, u = firstColumn * step;
        for (int32_t x = firstColumn; x < lastColumn; x++, u += step) {
            sum += row[x];
            if (!sum) continue;
            if (sum == 256 * subRows && !paint->texture) {
                int32_t end = x + 1;
                while (end < lastColumn && !row[end]) end++;
                paint_run(canvas, line, y, x, end, color);
                u += step * (end - 1 - x);
                x = end - 1;
                continue;
            }
            int32_t coverage = sum / subRows, shade = 0;
            if (paint->texture)
                shade = (value_noise((int32_t)(u >> 32), v, paint->seed, &last) - 32768) * paint->texture >> 8;
            int32_t dither = dithered(x, y), value[3];
            for (int c = 0; c < 3; c++)
                value[c] = (color[c] + (int32_t)((int64_t)shade * color[c] >> 16) + dither) >> 8;
            uint8_t *known = canvas->coverage + line + x;
            if (coverage == 256) {
                canvas->red[line + x] = (uint8_t)csim_clamp(value[0], 0, 255);
                canvas->green[line + x] = (uint8_t)csim_clamp(value[1], 0, 255);
                canvas->blue[line + x] = (uint8_t)csim_clamp(value[2], 0, 255);
                *known = 255;
                continue;
            }
            // What was there counts only as far as it covered the pixel.
            int32_t both = *known + ((255 - *known) * coverage + 128) / 256;
            int32_t weight = both > 0 ? csim_clamp(coverage * 255 / both, 0, 256) : 256;
            for (int c = 0; c < 3; c++) {
                uint8_t *plane = c == 0 ? canvas->red : c == 1 ? canvas->green : canvas->blue;
                blend_light(plane + line + x, value[c], weight);
            }
            *known = (uint8_t)both;
        }
    }
    free(row);
}

void csim_clouds(const csim_canvas *canvas, int32_t grain, int32_t threshold, int32_t lastRow, uint32_t seed) {
    if (lastRow > canvas->height) lastRow = canvas->height;
    cell last[4] = {{.x = INT32_MIN}, {.x = INT32_MIN}, {.x = INT32_MIN}, {.x = INT32_MIN}};
    for (int32_t y = 0; y < lastRow; y++) {
        // Clouds lie flatter and thinner toward the horizon.
        int32_t v = (int32_t)((int64_t)y * 65536 * 3 / grain);
        int32_t fade = 256 - 256 * y / lastRow;
        for (int32_t x = 0; x < canvas->width; x += 2) {
            // Two columns of one value: clouds have no edges.
            int32_t u = (int32_t)((int64_t)x * 65536 / grain);
            int32_t density = value_noise(u, v, seed, &last[0]) * 8 + value_noise(u * 2, v * 2, seed + 1, &last[1]) * 4
                + value_noise(u * 4, v * 4, seed + 2, &last[2]) * 2 + value_noise(u * 9, v * 9, seed + 3, &last[3]);
            density = density / 15 - threshold;
            if (density <= 0) continue;
            int32_t coverage = csim_clamp(density / 48, 0, 230) * fade >> 8;
            int64_t at = (int64_t)y * canvas->width + x;
            for (int64_t i = at; i < at + 2; i++) {
                blend(canvas->red + i, 250, coverage);
                blend(canvas->green + i, 250, coverage);
                blend(canvas->blue + i, 252, coverage);
            }
        }
    }
}

void csim_halve(const uint8_t *plane, const uint8_t *coverage, int32_t width, int32_t height, uint8_t *half) {
    for (int32_t y = 0; y + 1 < height; y += 2) {
        const uint8_t *a = plane + (int64_t)y * width, *b = a + width;
        const uint8_t *c = coverage + (int64_t)y * width, *d = c + width;
        for (int32_t x = 0; x + 1 < width; x += 2) {
            uint16_t above, below;
            memcpy(&above, c + x, 2);
            memcpy(&below, d + x, 2);
            if (above == 0xffff && below == 0xffff) {
                *half++ = (uint8_t)((a[x] + a[x + 1] + b[x] + b[x + 1] + 2) / 4);
                continue;
            }
            int32_t weight = c[x] + c[x + 1] + d[x] + d[x + 1];
            int32_t sum = a[x] * c[x] + a[x + 1] * c[x + 1] + b[x] * d[x] + b[x + 1] * d[x + 1];
            *half++ = (uint8_t)(weight ? (sum + weight / 2) / weight : 0);
        }
    }
}

void csim_row_coverage(
    const uint8_t *coverage, int32_t width, csim_span *spans, int32_t *spanCount, csim_edge *edges,
    int32_t *edgeCount
) {
    int32_t nSpans = 0, nEdges = 0;
    for (int32_t x = 0; x < width;) {
        if (coverage[x] >= 248) {
            int32_t begin = x;
            uint64_t eight;
            while (x + 8 <= width && (memcpy(&eight, coverage + x, 8), eight == UINT64_MAX)) x += 8;
            while (x < width && coverage[x] >= 248) x++;
            spans[nSpans++] = (csim_span){begin, x};
            continue;
        }
        if (!coverage[x]) {
            // Most of a row is empty as a rule.
            uint64_t eight;
            while (x + 8 <= width && (memcpy(&eight, coverage + x, 8), !eight)) x += 8;
            while (x < width && !coverage[x]) x++;
            continue;
        }
        if (coverage[x] >= 8) edges[nEdges++] = (csim_edge){x, coverage[x]};
        x++;
    }
    *spanCount = nSpans;
    *edgeCount = nEdges;
}
