#include "CSimKernels.h"
#include "internal.h"

#include <stdlib.h>

#pragma STDC FP_CONTRACT OFF

// Scan lines per row of pixels, and the maximum number of polygon sides that one scan line crosses.
enum { subRows = 4, maximumCrossings = 256 };

// Returns the pseudorandom value of a lattice point, 0 … 65,535.
CSIM_INLINE int32_t lattice(int32_t x, int32_t y, uint32_t seed) {
    uint32_t h = (uint32_t)x * 0x8da6b343u ^ (uint32_t)y * 0xd8163841u ^ seed * 0xcb1ab31fu;
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    h ^= h >> 12;
    return (int32_t)(h >> 16);
}

// Value noise along the columns of an image: the lattice cell of each column, relative to the first column's, and its
// smoothed position within the cell, 0 … 256.
typedef struct {
    int32_t first;
    int32_t cells;
    int32_t count;
    int32_t *cell;
    int32_t *weight;
    // The values of a row of lattice points, from the left one of the first cell on.
    int32_t *corners;
    // The values interpolated above and below a row of cells, for each column. `row` is that row, or INT32_MIN.
    int32_t *above;
    int32_t *below;
    int32_t row;
} value_noise;

// Returns the smoothstep curve of a weight, 0 … 256.
CSIM_INLINE int32_t smoothed(int32_t weight) { return weight * weight * (768 - 2 * weight) >> 16; }

// Creates the noise for columns at positions in 256ths of a cell, ascending. Returns 0, or -1 if memory cannot be
// allocated.
static int32_t value_noise_create(value_noise *w, const int32_t *position, int32_t count) {
    w->first = position[0] >> 8;
    w->cells = (position[count - 1] >> 8) - w->first + 2;
    w->count = count;
    w->row = INT32_MIN;
    w->cell = malloc(((size_t)count * 4 + (size_t)w->cells) * sizeof *w->cell);
    if (!w->cell) return -1;
    w->weight = w->cell + count;
    w->above = w->weight + count;
    w->below = w->above + count;
    w->corners = w->below + count;
    for (int32_t i = 0; i < count; i++) {
        w->cell[i] = (position[i] >> 8) - w->first;
        w->weight[i] = smoothed(position[i] & 255);
    }
    return 0;
}

// Interpolates a row of lattice points.
CSIM_INLINE void value_noise_corners(value_noise *w, int32_t row, uint32_t seed, int32_t *restrict line) {
    const int32_t *restrict cell = w->cell, *restrict weight = w->weight;
    int32_t *restrict corners = w->corners;
    for (int32_t i = 0; i < w->cells; i++) corners[i] = lattice(w->first + i, row, seed);
    for (int32_t i = 0; i < w->count; i++) {
        int32_t left = corners[cell[i]], right = corners[cell[i] + 1];
        line[i] = left + ((right - left) * weight[i] >> 8);
    }
}

// Interpolates the lattice rows above and below `y` (256ths of a cell).
CSIM_INLINE void value_noise_row(value_noise *w, int32_t y, uint32_t seed) {
    int32_t row = y >> 8;
    if (row == w->row) return;
    if (row == w->row + 1 && w->row != INT32_MIN) {
        int32_t *spare = w->above;
        w->above = w->below;
        w->below = spare;
    } else {
        value_noise_corners(w, row, seed, w->above);
    }
    value_noise_corners(w, row + 1, seed, w->below);
    w->row = row;
}

// Adds value noise, 0 … 65,535, times `factor` to `out`, for columns from `begin` on.
//
// - `weight`: smoothed vertical position within the cells' row.
CSIM_INLINE void value_noise_add(
    const value_noise *w, int32_t begin, int32_t end, int32_t weight, int32_t factor, int32_t *restrict out
) {
    const int32_t *restrict above = w->above, *restrict below = w->below;
    for (int32_t i = begin; i < end; i++) out[i] += (above[i] + ((below[i] - above[i]) * weight >> 8)) * factor;
}

// Blends a color into a sample in linear light; the stored codes are its square roots. `coverage` is in 256ths.
CSIM_INLINE void blend_light(uint8_t *pixel, int32_t color, int32_t coverage) {
    int32_t own = csim_clamp(color, 0, 255), light = *pixel * *pixel * (256 - coverage) + own * own * coverage;
    *pixel = (uint8_t)(__builtin_sqrtf((float)light / 256) + 0.5f);
}

// Blends a color into a pixel. `coverage` is in 256ths.
CSIM_INLINE void blend_pixel(const csim_canvas *canvas, int64_t at, const int32_t *color, int32_t coverage) {
    uint8_t *planes[3] = {canvas->red, canvas->green, canvas->blue};
    // The previous color is weighted by its coverage.
    int32_t before = canvas->coverage[at], after = before + ((255 - before) * coverage + 128) / 256;
    int32_t weight = after > 0 ? csim_clamp(coverage * 255 / after, 0, 256) : 256;
    for (int c = 0; c < 3; c++) blend_light(planes[c] + at, color[c], weight);
    canvas->coverage[at] = (uint8_t)after;
}

// Returns the dither of gradients, 0 … 255, which prevents banding.
CSIM_INLINE int32_t dithered(int32_t x, int32_t y) { return csim_dither(x, y) >> 8; }

// Paints an opaque span of a row without texture; `color` is in 256ths.
CSIM_INLINE void paint_run(const csim_canvas *canvas, int64_t line, int32_t y, int32_t begin, int32_t end, const int32_t *color) {
    uint8_t *planes[3] = {canvas->red, canvas->green, canvas->blue};
    for (int c = 0; c < 3; c++) {
        uint8_t *at = planes[c] + line;
        uint16_t base = (uint16_t)(color[c] < 65280 ? color[c] : 65280);
        int32_t x = begin;
        // Like `dithered`. The sum of color and dither fits in 16 bits.
        for (; x + 16 <= end; x += 16) {
            v16u dither = DITHER(x, y) >> 8;
            *(v16b_any *)(at + x) = __builtin_convertvector((dither + base) >> 8, v16b);
        }
        for (; x < end; x++) at[x] = (uint8_t)((base + dithered(x, y)) >> 8);
    }
    memset(canvas->coverage + line + begin, 255, (size_t)(end - begin));
}

// The same with a texture. `shade` is the relative change of each column's light, in 65,536ths.
CSIM_INLINE void paint_textured(
    const csim_canvas *canvas, int64_t line, int32_t y, int32_t begin, int32_t end, const int32_t *color,
    const int32_t *shade
) {
    uint8_t *planes[3] = {canvas->red, canvas->green, canvas->blue};
    for (int c = 0; c < 3; c++) {
        uint8_t *at = planes[c] + line;
        int32_t base = color[c];
        // At most 32,640 times 65,280, which fits in 31 bits.
        for (int32_t x = begin; x < end; x++)
            at[x] = (uint8_t)csim_clamp((base + (shade[x] * base >> 16) + dithered(x, y)) >> 8, 0, 255);
    }
    memset(canvas->coverage + line + begin, 255, (size_t)(end - begin));
}

// Computes the texture coordinates of a shape's columns; `scratch` has room for them.
static int32_t texture_columns(value_noise *w, const csim_paint *paint, int32_t begin, int32_t end, int32_t *scratch) {
    // One division: the texture step in 2^-32 of a 256th of a cell.
    int64_t step = ((int64_t)65536 << 32) / paint->grainX, u = begin * step;
    for (int32_t x = begin; x < end; x++, u += step) scratch[x - begin] = (int32_t)(u >> 32);
    return value_noise_create(w, scratch, end - begin);
}

// The intersection of a scan line with a side of a polygon.
typedef struct {
    // In 256ths of a pixel.
    int32_t x;
    // 1 if the side goes down, -1 if it goes up.
    int32_t direction;
} crossing;

// A side of a polygon: x and y of its ends in 256ths of a pixel.
typedef struct {
    int32_t a[2];
    int32_t b[2];
} side;

CSIM_INLINE int32_t upper_end(const side *s) { return s->a[1] < s->b[1] ? s->a[1] : s->b[1]; }

// Lists the sides of a polygon in the order of their upper ends, without horizontal ones, which cross no scan line.
// Returns their number.
CSIM_INLINE int32_t list_sides(const int32_t *points, int32_t count, side *sides) {
    int32_t n = 0;
    for (int32_t i = 0; i < count; i++) {
        const int32_t *a = points + 2 * i, *b = i + 1 < count ? a + 2 : points;
        if (a[1] == b[1]) continue;
        side s = {{a[0], a[1]}, {b[0], b[1]}};
        int32_t at = n++;
        for (; at > 0 && upper_end(&sides[at - 1]) > upper_end(&s); at--) sides[at] = sides[at - 1];
        sides[at] = s;
    }
    return n;
}

// The active sides of a scan line sweep.
typedef struct {
    // All sides by their upper ends, and those in the current row of pixels.
    const side *all;
    side *active;
    int32_t count;
    // Index in `all` of the next side.
    int32_t next;
    int32_t activeCount;
} sweep;

// Selects the sides between `top` and `bottom` (256ths of a pixel).
CSIM_INLINE void advance_sweep(sweep *w, int32_t top, int32_t bottom) {
    int32_t n = 0;
    for (int32_t i = 0; i < w->activeCount; i++) {
        w->active[n] = w->active[i];
        n += w->active[i].a[1] > top || w->active[i].b[1] > top;
    }
    for (; w->next < w->count && upper_end(&w->all[w->next]) <= bottom; w->next++) {
        w->active[n] = w->all[w->next];
        n += w->active[n].a[1] > top || w->active[n].b[1] > top;
    }
    w->activeCount = n;
}

// Finds the intersections of the sides with the scan line at `y` (256ths), from left to right; returns their number.
static int crossings(const side *sides, int32_t count, int32_t y, crossing *found) {
    int n = 0;
    for (int32_t i = 0; i < count && n < maximumCrossings; i++) {
        const int32_t *a = sides[i].a, *b = sides[i].b;
        int32_t direction = a[1] <= y && b[1] > y ? 1 : b[1] <= y && a[1] > y ? -1 : 0;
        if (!direction) continue;
        int32_t x = a[0] + (int32_t)((int64_t)(b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]));
        int at = n++;
        for (; at > 0 && found[at - 1].x > x; at--) found[at] = found[at - 1];
        found[at] = (crossing){x, direction};
    }
    return n;
}

// Adds a span from `begin` to `end` (256ths of a pixel) to the derivative of a row's coverage.
static void cover(int32_t *row, int32_t width, int32_t begin, int32_t end) {
    begin = csim_clamp(begin, 0, width * 256);
    end = csim_clamp(end, 0, width * 256);
    if (begin >= end) return;
    row[begin >> 8] += 256 - (begin & 255);
    row[(begin >> 8) + 1] += begin & 255;
    row[end >> 8] -= 256 - (end & 255);
    row[(end >> 8) + 1] -= end & 255;
}

// Returns the next column from `x` on where the coverage changes, or `end`.
CSIM_INLINE int32_t next_change(const int32_t *row, int32_t x, int32_t end) {
    for (; x + 8 <= end; x += 8) {
        uint64_t four[4];
        memcpy(four, row + x, sizeof four);
        if (four[0] | four[1] | four[2] | four[3]) break;
    }
    while (x < end && !row[x]) x++;
    return x;
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
    // Coverage, and the texture's light.
    int32_t *row = calloc(2 * (size_t)canvas->width + 2, sizeof *row);
    side *sides = malloc(((size_t)pointCount + 1) * 2 * sizeof *sides);
    if (!row || !sides) {
        free(row);
        free(sides);
        return;
    }
    int32_t span = high - low > 0 ? high - low : 1;
    crossing found[maximumCrossings];
    value_noise texture = {0};
    int32_t *shade = row + canvas->width + 2;
    if (paint->texture && texture_columns(&texture, paint, firstColumn, lastColumn, shade)) {
        free(row);
        free(sides);
        return;
    }
    sweep sweep = {.all = sides, .active = sides + pointCount + 1, .count = list_sides(points, pointCount, sides)};
    for (int32_t y = firstRow; y < lastRow; y++) {
        memset(row + firstColumn, 0, (size_t)(lastColumn - firstColumn + 2) * sizeof *row);
        advance_sweep(&sweep, y * 256, y * 256 + 256);
        for (int32_t sub = 0; sub < subRows; sub++) {
            int n = crossings(sweep.active, sweep.activeCount, y * 256 + (2 * sub + 1) * 128 / subRows, found);
            int32_t winding = 0;
            for (int i = 0; i + 1 < n; i++) {
                winding += found[i].direction;
                if (winding) cover(row, canvas->width, found[i].x, found[i + 1].x);
            }
        }
        int32_t gradient = csim_clamp((int32_t)((int64_t)(y * 256 + 128 - low) * 256 / span), 0, 256), color[3];
        for (int c = 0; c < 3; c++)
            color[c] = paint->top[c] * 256 + (paint->bottom[c] - paint->top[c]) * gradient;
        int64_t line = (int64_t)y * canvas->width;
        int32_t sum = 0, down = 0;
        if (paint->texture) {
            int32_t v = (int32_t)((int64_t)y * 65536 / paint->grainY);
            value_noise_row(&texture, v, paint->seed);
            down = smoothed(v & 255);
        }
        for (int32_t x = firstColumn; x < lastColumn; x++) {
            sum += row[x];
            if (!sum) {
                x = next_change(row, x + 1, lastColumn) - 1;
                continue;
            }
            int32_t end = x + 1;
            if (sum == 256 * subRows) {
                end = next_change(row, end, lastColumn);
            }
            if (paint->texture) {
                memset(shade + x, 0, (size_t)(end - x) * sizeof *shade);
                value_noise_add(&texture, x - firstColumn, end - firstColumn, down, 1, shade + firstColumn);
                for (int32_t i = x; i < end; i++) shade[i] = (shade[i] - 32768) * paint->texture >> 8;
            }
            if (sum == 256 * subRows) {
                if (paint->texture) paint_textured(canvas, line, y, x, end, color, shade);
                else paint_run(canvas, line, y, x, end, color);
                x = end - 1;
                continue;
            }
            int32_t coverage = sum / subRows, dither = dithered(x, y), value[3];
            for (int c = 0; c < 3; c++)
                value[c] = (color[c] + (paint->texture ? shade[x] * color[c] >> 16 : 0) + dither) >> 8;
            if (coverage == 256) {
                // Covered except for less than 1/256.
                canvas->red[line + x] = (uint8_t)csim_clamp(value[0], 0, 255);
                canvas->green[line + x] = (uint8_t)csim_clamp(value[1], 0, 255);
                canvas->blue[line + x] = (uint8_t)csim_clamp(value[2], 0, 255);
                canvas->coverage[line + x] = 255;
                continue;
            }
            blend_pixel(canvas, line + x, value, coverage);
        }
    }
    free(texture.cell);
    free(row);
    free(sides);
}

void csim_fill_mask(const csim_canvas *canvas, const csim_mask *mask, const uint8_t *color) {
    int32_t top = mask->top > 0 ? mask->top : 0, left = mask->left > 0 ? mask->left : 0;
    int32_t bottom = mask->top + mask->height, right = mask->left + mask->width;
    if (bottom > canvas->height) bottom = canvas->height;
    if (right > canvas->width) right = canvas->width;
    int32_t value[3] = {color[0], color[1], color[2]};
    for (int32_t y = top; y < bottom; y++) {
        const uint8_t *row = mask->coverage + (int64_t)(y - mask->top) * mask->width - mask->left;
        for (int32_t x = left; x < right; x++)
            if (row[x]) blend_pixel(canvas, (int64_t)y * canvas->width + x, value, row[x] + (row[x] >> 7));
    }
}

// Blends a row with the code `color` according to `coverage` (256ths), which has one entry for two columns, because
// clouds have no sharp edges.
CSIM_INLINE void blend_row(uint8_t *restrict pixels, int32_t color, const int32_t *restrict coverage, int32_t width) {
    for (int32_t x = 0; x < width; x++) pixels[x] = (uint8_t)(pixels[x] + (color - pixels[x]) * coverage[x >> 1] / 256);
}

CSIM_CLONES void csim_clouds(const csim_canvas *canvas, int32_t grain, int32_t threshold, int32_t lastRow, uint32_t seed) {
    enum { octaves = 4 };
    static const int32_t frequency[octaves] = {1, 2, 4, 9};
    if (lastRow > canvas->height) lastRow = canvas->height;
    int32_t count = (canvas->width + 1) / 2;
    value_noise noises[octaves] = {{0}};
    int32_t *coverage = malloc((size_t)count * sizeof *coverage), result = coverage ? 0 : -1;
    for (int k = 0; k < octaves && !result; k++) {
        for (int32_t i = 0; i < count; i++) coverage[i] = (int32_t)((int64_t)i * 2 * 65536 / grain) * frequency[k];
        result = value_noise_create(&noises[k], coverage, count);
    }
    for (int32_t y = 0; y < lastRow && !result; y++) {
        // Clouds are three times as wide as high. Toward the horizon, they become fainter.
        int32_t v = (int32_t)((int64_t)y * 65536 * 3 / grain), weight[octaves];
        int32_t fade = 256 - 256 * y / lastRow;
        for (int k = 0; k < octaves; k++) {
            value_noise_row(&noises[k], v * frequency[k], seed + (uint32_t)k);
            weight[k] = smoothed(v * frequency[k] & 255);
        }
        memset(coverage, 0, (size_t)count * sizeof *coverage);
        for (int k = 0; k < octaves; k++) value_noise_add(&noises[k], 0, count, weight[k], 8 >> k, coverage);
        for (int32_t i = 0; i < count; i++) {
            int32_t density = coverage[i] / 15 - threshold;
            coverage[i] = density <= 0 ? 0 : csim_clamp(density / 48, 0, 230) * fade >> 8;
        }
        int64_t line = (int64_t)y * canvas->width;
        blend_row(canvas->red + line, 250, coverage, canvas->width);
        blend_row(canvas->green + line, 250, coverage, canvas->width);
        blend_row(canvas->blue + line, 252, coverage, canvas->width);
    }
    for (int k = 0; k < octaves; k++) free(noises[k].cell);
    free(coverage);
}

// Returns 255 or 0 if all of 32 bytes have this value, or else -1.
CSIM_INLINE int32_t uniform_byte(const uint8_t *bytes) {
    uint64_t four[4];
    memcpy(four, bytes, sizeof four);
    if ((four[0] & four[1] & four[2] & four[3]) == UINT64_MAX) return 255;
    return (four[0] | four[1] | four[2] | four[3]) ? -1 : 0;
}

// Squares of the even or odd elements.
#define SQUARES(v, first) \
    ({ \
        v16w s = __builtin_convertvector( \
            __builtin_shufflevector( \
                v, v, first, first + 2, first + 4, first + 6, first + 8, first + 10, first + 12, first + 14, first + 16, \
                first + 18, first + 20, first + 22, first + 24, first + 26, first + 28, first + 30), \
            v16w); \
        s *s; \
    })

CSIM_CLONES void csim_halve(
    const uint8_t *plane, const uint8_t *coverage, int32_t stride, int32_t width, int32_t height, uint8_t *restrict half
) {
    for (int32_t y = 0; y + 1 < height; y += 2, half += width / 2) {
        const uint8_t *a = plane + (int64_t)y * stride, *b = a + stride;
        const uint8_t *c = coverage + (int64_t)y * stride, *d = c + stride;
        for (int32_t x = 0; x + 1 < width; x += 2) {
            // Most of a canvas is opaque or empty.
            int32_t even = x + 32 <= width ? uniform_byte(c + x) : -1;
            if (even >= 0 && uniform_byte(d + x) == even) {
                if (even) {
                    v32b above = *(const v32b_any *)(a + x), below = *(const v32b_any *)(b + x);
                    v16w sum = SQUARES(above, 0) + SQUARES(above, 1) + SQUARES(below, 0) + SQUARES(below, 1);
                    v16f root = __builtin_elementwise_sqrt(__builtin_convertvector(sum, v16f) / 4) + 0.5f;
                    *(v16b_any *)(half + x / 2) = __builtin_convertvector(__builtin_convertvector(root, v16w), v16b);
                } else {
                    memset(half + x / 2, 0, 16);
                }
                x += 30;
                continue;
            }
            int32_t weight = c[x] + c[x + 1] + d[x] + d[x + 1];
            int32_t sum = a[x] * a[x] * c[x] + a[x + 1] * a[x + 1] * c[x + 1] + b[x] * b[x] * d[x] + b[x + 1] * b[x + 1] * d[x + 1];
            half[x / 2] = weight ? (uint8_t)(__builtin_sqrtf((float)sum / (float)weight) + 0.5f) : 0;
        }
    }
}

// Returns the coverage of a pixel in 256ths, as `csim_row_coverage` lists it.
static int32_t listed_coverage(uint8_t coverage) {
    return coverage >= csim_opaque ? 256 : coverage < 256 - csim_opaque ? 0 : coverage;
}

void csim_halve_coverage(const uint8_t *coverage, int32_t stride, int32_t width, int32_t odd, uint8_t *half) {
    const uint8_t *above = coverage, *below = coverage + stride;
    for (int32_t n = 0; n < width / 2 + odd; n++) {
        int32_t sum = 2;
        for (int32_t x = 2 * n - odd; x < 2 * n - odd + 2; x++)
            if (x >= 0 && x < width) sum += listed_coverage(above[x]) + listed_coverage(below[x]);
        half[n] = (uint8_t)(sum < 1024 ? sum / 4 : 255);
    }
}

void csim_row_coverage(
    const uint8_t *coverage, int32_t width, int32_t least, csim_span *spans, int32_t *spanCount, csim_edge *edges,
    int32_t *edgeCount
) {
    int32_t nSpans = 0, nEdges = 0;
    for (int32_t x = 0; x < width;) {
        if (coverage[x] >= least) {
            int32_t begin = x;
            uint64_t eight;
            while (x + 8 <= width && (memcpy(&eight, coverage + x, 8), eight == UINT64_MAX)) x += 8;
            while (x < width && coverage[x] >= least) x++;
            spans[nSpans++] = (csim_span){begin, x};
            continue;
        }
        if (!coverage[x]) {
            // Most of a row is empty.
            uint64_t eight;
            while (x + 8 <= width && (memcpy(&eight, coverage + x, 8), !eight)) x += 8;
            while (x < width && !coverage[x]) x++;
            continue;
        }
        if (coverage[x] >= 256 - least) edges[nEdges++] = (csim_edge){x, coverage[x]};
        x++;
    }
    *spanCount = nSpans;
    *edgeCount = nEdges;
}
