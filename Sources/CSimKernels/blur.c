#include "compose.h"

#include <stdlib.h>

// The image of a point out of focus is a uniform disc, or an octagon of the same area if the aperture is closed to eight
// blades: the shadow of the aperture (J. Goodman, "Introduction to Fourier Optics", 3rd ed., 6.4, in the limit of
// geometrical optics). The sums over the disc's rows use running sums, so that the cost is proportional to the radius,
// not to its square.

// Running sums of the rows around the current one, of 24-bit light. They may wrap around, which does not affect
// differences.
typedef struct {
    uint32_t *sums;
    // Number of rows, samples per row, and number of samples before the first column.
    int32_t rows;
    int32_t length;
    int32_t margin;
} ring;

// The chords of a disc or an octagon: half widths minus 0.5 as whole pixels and 256ths, from the top row to the bottom row.
typedef struct {
    // In 16ths of a pixel.
    int32_t radius;
    // Rows above and below the center.
    int32_t reach;
    int32_t whole[128];
    uint32_t part[128];
    // The weight of the whole pixels, in 256ths, in the middle row of a small disc; -1 for other discs, where it is 256
    // minus the part.
    int32_t innerWeight;
    // 1 over the disc's area, in units of the row sums.
    float norm;
} disc;

// Radii are in 16ths of a pixel. A disc below `smallRadius` only affects adjacent pixels. Row sums of 24-bit light lose
// their low `droppedBits` bits, so that the sum over the widest disc's row, times 256, fits in 32 bits.
enum { maximumRadius = 61 * 16, leastRadius = 4, smallRadius = 18, droppedBits = 7 };

// Returns half of the width of the shape at a distance from its center; 0 or less outside.
CSIM_INLINE float half_chord(float radius, float distance, int32_t blades) {
    if (blades == 8) {
        // The apothem of the octagon with the area of the disc; its upper and lower sides are horizontal.
        float apothem = radius * 0.9736943f, y = __builtin_fabsf(distance);
        float slanted = apothem * 1.4142135f - y;
        return y >= apothem ? 0 : slanted < apothem ? slanted : apothem;
    }
    float square = radius * radius - distance * distance;
    return square > 0 ? __builtin_sqrtf(square) : 0;
}

// `blades` is 8 for an octagon, otherwise 0; it is the same for all calls with a disc.
static void set_disc(disc *d, int32_t radius, int32_t blades) {
    if (radius > maximumRadius) radius = maximumRadius;
    if (d->radius == radius) return;
    d->radius = radius;
    // The blur is determined by the second moment of the disc, a quarter of its squared radius on each axis. Samples,
    // which represent whole pixels, add a twelfth.
    if (radius < smallRadius) {
        // The five nearest pixels, weighted so that they have the disc's second moment.
        int32_t side = radius < leastRadius ? 0 : (radius * radius + 4) / 8;
        d->reach = side ? 1 : 0;
        for (int i = 0; i < 3; i++) {
            d->whole[i] = -1;
            d->part[i] = (uint32_t)side;
        }
        if (side) {
            d->whole[1] = 0;
            d->part[1] = (uint32_t)side;
            d->innerWeight = 256 - 5 * side;
        } else {
            d->part[0] = 256;
        }
        d->norm = 1 << droppedBits;
        return;
    }
    d->innerWeight = -1;
    float r = __builtin_sqrtf((float)(radius * radius) / 256 - 1.0f / 3);
    d->reach = (int32_t)(r + 0.5f) + 1;
    float area = 0;
    for (int32_t dy = -d->reach; dy <= d->reach; dy++) {
        // The mean chord over the row's height, at eighths of it.
        float chord = 0;
        for (int k = 0; k < 8; k++) {
            chord += half_chord(r, (float)dy + ((float)k - 3.5f) / 8, blades);
        }
        chord /= 8;
        int32_t at = dy + d->reach, fixed = (int32_t)(chord * 256 + 0.5f);
        if (fixed < 128) {
            // Less than the center pixel.
            d->whole[at] = -1;
            d->part[at] = (uint32_t)fixed * 2;
        } else {
            d->whole[at] = (fixed - 128) >> 8;
            d->part[at] = (uint32_t)(fixed - 128) & 255;
        }
        area += (float)(fixed * 2) / 256;
    }
    d->norm = (float)(1 << droppedBits) / area;
}

CSIM_INLINE uint32_t *ring_row(const ring *r, int32_t row) {
    return r->sums + (int64_t)((row + 4096 * r->rows) % r->rows) * r->length;
}

// Computes a row of sums of 24-bit light. The border pixels are repeated on both sides.
static void sum_row(const ring *r, int32_t row, const uint32_t *light, int32_t width) {
    uint32_t *sums = ring_row(r, row), sum = 0;
    for (int32_t i = 0; i < r->margin; i++) {
        sums[i] = sum;
        sum += light[0];
    }
    for (int32_t i = 0; i < width; i++) {
        sums[r->margin + i] = sum;
        sum += light[i];
    }
    for (int32_t i = r->margin + width; i < r->length; i++) {
        sums[i] = sum;
        sum += light[width - 1];
    }
}

// Sums light over the disc around each pixel of a row; `acc` is working memory, `out` is in 24 bits.
CSIM_INLINE void spread(const ring *r, int32_t row, int32_t lastRow, const disc *d, int32_t width, uint32_t *acc, float *out) {
    memset(acc, 0, (size_t)(width + 8) * sizeof *acc);
    for (int32_t dy = -d->reach; dy <= d->reach; dy++) {
        int32_t whole = d->whole[dy + d->reach];
        uint32_t part = d->part[dy + d->reach];
        if (whole < 0 && part == 0) continue;
        const uint32_t *sums = ring_row(r, csim_clamp(row + dy, 0, lastRow)) + r->margin;
        const uint32_t *a = sums - whole, *b = sums + whole + 1;
        v8u innerWeight = (v8u){0} + (d->innerWeight >= 0 ? (uint32_t)d->innerWeight : 256 - part);
        v8u outerWeight = (v8u){0} + part;
        if (whole < 0) {
            // `part` of the center pixel; the inner span is empty.
            a = b = sums;
            innerWeight = (v8u){0};
        }
        const uint32_t *c = whole < 0 ? sums : a - 1, *e = b + 1;
        for (int32_t x = 0; x < width; x += 8) {
            v8u inner = (*(const v8u_any *)(b + x) - *(const v8u_any *)(a + x)) >> droppedBits;
            v8u outer = (*(const v8u_any *)(e + x) - *(const v8u_any *)(c + x)) >> droppedBits;
            *(v8u_any *)(acc + x) += (inner * innerWeight + outer * outerWeight) >> 8;
        }
    }
    for (int32_t x = 0; x < width; x++) out[x] = (float)acc[x] * d->norm;
}

// Sums light over a small disc around each pixel of a row. `rows` are the rows above, at and below it, with one more
// sample at both ends.
CSIM_INLINE void spread_small(const uint32_t *const rows[3], const disc *d, int32_t width, float *out) {
    // The five nearest pixels, or only the center.
    uint32_t side = d->reach ? d->part[0] : 0, innerWeight = d->reach ? (uint32_t)d->innerWeight : 256;
    const uint32_t *above = rows[0], *here = rows[1], *below = rows[2];
    for (int32_t x = 0; x < width; x++) {
        uint32_t inner = here[x] >> droppedBits, outer = (here[x - 1] + here[x] + here[x + 1]) >> droppedBits;
        uint32_t sum = ((above[x] >> droppedBits) * side >> 8) + ((inner * innerWeight + outer * side) >> 8)
            + ((below[x] >> droppedBits) * side >> 8);
        out[x] = (float)sum * d->norm;
    }
}

// A plane to be blurred.
typedef struct {
    const uint16_t *s;
    const uint8_t *coverage;
    int64_t stride;
    int64_t coverageStride;
    // Columns and rows per coverage sample, 1 or 2.
    int32_t coverageStep;
    int32_t width;
    int32_t height;
    // Whether each sample is the mean light of a block of 2x2.
    int isHalved;
} source;

// Computes the light of a row, weighted by its coverage, or the coverage alone; 24 bits.
CSIM_INLINE void light_row(const source *in, int32_t row, int isCoverage, uint32_t *restrict light) {
    const uint16_t *s = in->s + row * in->stride;
    const uint8_t *cover = in->coverage ? in->coverage + row * in->coverageStep * in->coverageStride : 0;
    if (in->isHalved) {
        s += row * in->stride;
        const uint16_t *below = s + in->stride;
        for (int32_t x = 0; x < 2 * in->width; x += 2) {
            uint32_t a = ((uint32_t)s[x] * s[x]) >> 8, b = ((uint32_t)s[x + 1] * s[x + 1]) >> 8;
            uint32_t c = ((uint32_t)below[x] * below[x]) >> 8, d = ((uint32_t)below[x + 1] * below[x + 1]) >> 8;
            if (cover) {
                const uint8_t *under = cover + in->coverageStride;
                a = a * cover[x] / 255;
                b = b * cover[x + 1] / 255;
                c = c * under[x] / 255;
                d = d * under[x + 1] / 255;
            }
            light[x / 2] = (a + b + c + d) / 4;
        }
        return;
    }
    if (!cover && !isCoverage) {
        for (int32_t x = 0; x < in->width; x++) light[x] = ((uint32_t)s[x] * s[x]) >> 8;
        return;
    }
    // No special cases for full and no coverage are needed: 24 bits times 255 fit in 32.
    if (cover && in->coverageStep == 2) {
        const uint8_t *below = cover + in->coverageStride;
        for (int32_t x = 0; x < in->width; x++)
            light[x] = (cover[2 * x] + cover[2 * x + 1] + below[2 * x] + below[2 * x + 1] + 2u) / 4;
    } else {
        for (int32_t x = 0; x < in->width; x++) light[x] = cover ? cover[x] : 255;
    }
    for (int32_t x = 0; x < in->width; x++) {
        uint32_t value = isCoverage ? 65535u << 8 : ((uint32_t)s[x] * s[x]) >> 8;
        light[x] = value * light[x] / 255;
    }
}

// The planes of red and blue have a quarter of the samples. Discs of so few samples have another shape than those of
// green, so that gray edges would be colored. The difference between green blurred at full size and green blurred at
// their size is therefore added to red and blue.
typedef struct {
    // The means of blocks of 2x2 of the blurred green light; after `reference`, the differences.
    float *green;
    // The means of the blurred coverage; NULL without coverage.
    float *coverage;
    int64_t stride;
} blocks;

// Green at full size; green at the size of red and blue; red or blue. They are blurred in this order.
typedef enum { green, reference, color } role;

// The destination of a blurred row.
typedef struct {
    // Receives square roots of light.
    uint16_t *s;
    int64_t stride;
    // Receives the coverage of a layer alone, 0 … 255; NULL if light is composed over a background.
    uint8_t *coverage;
    const blocks *blocks;
    role role;
} sink;

CSIM_INLINE void write_row(const sink *to, int32_t row, int32_t width, const float *light, const float *coverage) {
    uint16_t *s = to->s + row * to->stride;
    if (coverage && to->coverage) {
        for (int32_t x = 0; x < width; x++) {
            float part = coverage[x] / 16776960.0f;
            to->coverage[row * to->stride + x] = (uint8_t)(part * 255 + 0.5f);
            float value = part > 0.001f ? light[x] / part : 0, root = __builtin_sqrtf(value * 256) + 0.5f;
            s[x] = root > 65535 ? 65535 : (uint16_t)root;
        }
        return;
    }
    // Rows of light have padding for whole vectors.
    for (int32_t x = 0; x < width; x += 16) {
        v16f value = *(const v16f_any *)(light + x);
        if (coverage) {
            v16w root = __builtin_convertvector(*(const v16u_any *)(s + x), v16w);
            v16f under = __builtin_convertvector(root * root, v16f) / 256, part = *(const v16f_any *)(coverage + x) / 16776960.0f;
            value += under * (1 - part);
        }
        v16f root = __builtin_elementwise_sqrt(value * 256) + 0.5f;
        root = __builtin_elementwise_min(root, (v16f){0} + 65535);
        v16u out = __builtin_convertvector(__builtin_convertvector(root, v16w), v16u);
        if (x + 16 <= width) *(v16u_any *)(s + x) = out;
        else memcpy(s + x, &out, (size_t)(width - x) * 2);
    }
}

// Adds a quarter of the values to those of the blocks.
CSIM_INLINE void add_to_blocks(float *restrict block, const float *restrict row, int32_t width) {
    for (int32_t x = 0; x < width / 2; x++) block[x] += (row[2 * x] + row[2 * x + 1]) / 4;
}

// Writes a blurred row of green, red or blue, or stores the differences of green.
CSIM_INLINE void finish_row(const sink *to, int32_t row, int32_t width, float *light, const float *coverage) {
    const blocks *blocks = to->blocks;
    int64_t at = (to->role == green ? row / 2 : row) * blocks->stride;
    float *block = blocks->green + at;
    switch (to->role) {
        case green:
            add_to_blocks(block, light, width);
            if (coverage) add_to_blocks(blocks->coverage + at, coverage, width);
            break;
        case reference:
            for (int32_t x = 0; x < width; x++) block[x] -= light[x];
            return;
        case color:
            for (int32_t x = 0; x < width; x++) light[x] = light[x] + block[x] > 0 ? light[x] + block[x] : 0;
            coverage = blocks->coverage ? blocks->coverage + at : 0;
    }
    write_row(to, row, width, light, coverage);
}

// Computes a row of light, or of coverage alone, with one sample before and after it.
CSIM_INLINE void padded_row(const source *in, int32_t row, int isCoverage, uint32_t *light) {
    light_row(in, row, isCoverage, light);
    light[-1] = light[0];
    light[in->width] = light[in->width - 1];
}

// Returns whether a row of a plane has a sample with coverage.
static int covers(const source *in, int32_t row) {
    const uint8_t *cover = in->coverage + row * in->coverageStep * in->coverageStride;
    uint64_t any = 0;
    for (int32_t y = 0; y < in->coverageStep; y++, cover += in->coverageStride) {
        int32_t x = 0, count = in->width * in->coverageStep;
        for (uint64_t eight; x + 8 <= count && !any; x += 8) {
            memcpy(&eight, cover + x, 8);
            any |= eight;
        }
        for (; x < count; x++) any |= cover[x];
    }
    return any != 0;
}

// Blurs a plane with small discs.
CSIM_INLINE int32_t spread_plane_small(
    const source *in, const sink *to, const uint16_t *radius, int32_t radiusStep, int32_t divisor
) {
    int64_t length = in->width + 32;
    // Three rows of light and of coverage, and one blurred row of each.
    uint32_t *memory = calloc((size_t)length * 8, sizeof *memory);
    if (!memory) return -1;
    float *sum = (float *)(memory + 6 * length), *coverSum = sum + length;
    disc d = {.radius = -1};
    int32_t filled = 0, lastCovered = -2, hasCoverage = in->coverage && to->role == green;
    for (int32_t row = 0; row < in->height; row++) {
        if (in->coverage && !to->coverage) {
            // Most layers cover few rows; the others stay unchanged.
            if (row == 0 && covers(in, 0)) lastCovered = 0;
            if (row + 1 < in->height && covers(in, row + 1)) lastCovered = row + 1;
            if (lastCovered < row - 1) continue;
            if (filled < row - 1) filled = row - 1;
        }
        for (; filled < in->height && filled <= row + 1; filled++) {
            padded_row(in, filled, 0, memory + filled % 3 * length + 16);
            if (hasCoverage) padded_row(in, filled, 1, memory + (3 + filled % 3) * length + 16);
        }
        set_disc(&d, radius[row * radiusStep] / divisor, 0);
        const uint32_t *light[3], *cover[3];
        for (int32_t i = 0; i < 3; i++) {
            int32_t slot = csim_clamp(row + i - 1, 0, in->height - 1) % 3;
            light[i] = memory + slot * length + 16;
            cover[i] = memory + (3 + slot) * length + 16;
        }
        spread_small(light, &d, in->width, sum);
        if (hasCoverage) spread_small(cover, &d, in->width, coverSum);
        finish_row(to, row, in->width, sum, hasCoverage ? coverSum : 0);
    }
    free(memory);
    return 0;
}

// Blurs a plane. The radius of row n is entry n * `radiusStep` of `radius`, divided by `divisor`.
CSIM_INLINE int32_t spread_plane(
    const source *in, const sink *to, const uint16_t *radius, int32_t radiusStep, int32_t divisor, int32_t blades
) {
    int32_t most = 0;
    for (int32_t row = 0; row < in->height; row++) {
        int32_t r = radius[row * radiusStep] / divisor;
        if (r > most) most = r;
    }
    if (most > maximumRadius) most = maximumRadius;
    if (most < smallRadius) return spread_plane_small(in, to, radius, radiusStep, divisor);
    int32_t reach = (most + 8 + 15) / 16 + 1;
    ring light = {0, 2 * reach + 1, in->width + 2 * reach + 32, reach + 4}, cover = light;
    size_t ringBytes = (size_t)light.rows * (size_t)light.length * sizeof(uint32_t);
    size_t rowBytes = ((size_t)in->width + 16) * sizeof(uint32_t);
    light.sums = malloc(ringBytes);
    int hasCoverage = in->coverage && to->role == green;
    cover.sums = hasCoverage ? malloc(ringBytes) : 0;
    uint32_t *row24 = malloc(rowBytes), *acc = malloc(rowBytes);
    float *sum = malloc(rowBytes), *coverSum = malloc(rowBytes);
    int32_t result = -1;
    if (light.sums && (cover.sums || !hasCoverage) && row24 && acc && sum && coverSum) {
        disc d = {.radius = -1};
        int32_t filled = 0;
        for (int32_t row = 0; row < in->height; row++) {
            for (; filled < in->height && filled <= row + reach; filled++) {
                light_row(in, filled, 0, row24);
                sum_row(&light, filled, row24, in->width);
                if (!hasCoverage) continue;
                light_row(in, filled, 1, row24);
                sum_row(&cover, filled, row24, in->width);
            }
            set_disc(&d, radius[row * radiusStep] / divisor, blades);
            spread(&light, row, in->height - 1, &d, in->width, acc, sum);
            if (hasCoverage) spread(&cover, row, in->height - 1, &d, in->width, acc, coverSum);
            finish_row(to, row, in->width, sum, hasCoverage ? coverSum : 0);
        }
        result = 0;
    }
    free(light.sums);
    free(cover.sums);
    free(row24);
    free(acc);
    free(sum);
    free(coverSum);
    return result;
}

// Allocates the blocks of a plane of `width` by `height` pixels; returns 0, or -1 if memory cannot be allocated.
static int32_t allocate_blocks(blocks *b, int32_t width, int32_t height, int hasCoverage) {
    // Rows of coverage have padding for whole vectors.
    b->stride = width / 2 + 16;
    size_t count = (size_t)b->stride * (size_t)(height / 2);
    b->green = calloc(count * (hasCoverage ? 2 : 1), sizeof *b->green);
    b->coverage = hasCoverage && b->green ? b->green + count : 0;
    return b->green ? 0 : -1;
}

CSIM_CLONES int32_t csim_defocus(
    const csim_planes *group, const uint8_t *coverage, const uint16_t *radius, int32_t blades, const csim_planes *target
) {
    int32_t width = group->width, height = group->height;
    const uint16_t *from[4] = {group->green, group->green, group->red, group->blue};
    uint16_t *to[4] = {target->green, 0, target->red, target->blue};
    const role roles[4] = {green, reference, color, color};
    blocks blocks;
    if (allocate_blocks(&blocks, width, height, coverage != 0)) return -1;
    int32_t result = 0;
    for (int i = 0; i < 4 && !result; i++) {
        int32_t step = roles[i] == green ? 1 : 2, isHalved = roles[i] == reference;
        source in = {
            from[i], coverage, isHalved ? group->stride : group->stride / step, group->stride, step, width / step,
            height / step, isHalved};
        sink out = {to[i], target->stride / step, 0, &blocks, roles[i]};
        result = spread_plane(&in, &out, radius, step, step, blades);
    }
    free(blocks.green);
    return result;
}

int32_t csim_blur_margin(int32_t radius) { return ((radius + 15) / 16 + 2) & ~1; }

// Creates the copy of a sharp layer, before motion blur.
static void copy_sharp_layer(const csim_layer *layer, const csim_blurred *blurred) {
    int32_t width = blurred->width, height = blurred->height;
    int32_t margin = (width - layer->width) / 2, top = (height - layer->height) / 2;
    memset(blurred->green, 0, (size_t)width * (size_t)height * 2);
    memset(blurred->red, 0, (size_t)width * (size_t)height / 2);
    memset(blurred->blue, 0, (size_t)width * (size_t)height / 2);
    memset(blurred->coverage, 0, (size_t)width * (size_t)height);
    for (int32_t y = 0; y < layer->height; y++) {
        int64_t from = (int64_t)y * layer->width, to = (int64_t)(y + top) * width + margin;
        uint8_t *line = blurred->coverage + to;
        for (uint32_t s = layer->spanStart[y]; s < layer->spanStart[y + 1]; s++)
            memset(line + layer->spans[s].begin, 255, (size_t)(layer->spans[s].end - layer->spans[s].begin));
        for (uint32_t e = layer->edgeStart[y]; e < layer->edgeStart[y + 1]; e++)
            line[layer->edges[e].x] = (uint8_t)layer->edges[e].coverage;
        for (int32_t x = 0; x < layer->width; x++) blurred->green[to + x] = (uint16_t)(layer->green[from + x] * 257);
        if (y & 1) continue;
        from = (int64_t)(y / 2) * (layer->width / 2);
        to = (int64_t)((y + top) / 2) * (width / 2) + margin / 2;
        for (int32_t x = 0; x < layer->width / 2; x++) {
            blurred->red[to + x] = (uint16_t)(layer->red[from + x] * 257);
            blurred->blue[to + x] = (uint16_t)(layer->blue[from + x] * 257);
        }
    }
    for (int32_t y = 0; y < height / 2; y++) {
        const uint8_t *above = blurred->coverage + (int64_t)y * 2 * width, *below = above + width;
        uint8_t *half = blurred->halfCoverage + (int64_t)y * (width / 2);
        for (int32_t x = 0; x < width / 2; x++)
            half[x] = (uint8_t)((above[2 * x] + above[2 * x + 1] + below[2 * x] + below[2 * x + 1] + 2) / 4);
    }
}

CSIM_CLONES int32_t csim_blur_layer(
    const csim_layer *layer, int32_t radius, int32_t blades, const csim_blurred *blurred
) {
    if (radius < leastRadius) {
        copy_sharp_layer(layer, blurred);
        return 0;
    }
    int32_t width = blurred->width, height = blurred->height;
    int32_t margin = (width - layer->width) / 2, top = (height - layer->height) / 2;
    size_t count = (size_t)width * (size_t)height;
    uint16_t *sharp = calloc(count, 3), *radii = malloc((size_t)height * sizeof *radii);
    uint8_t *cover = (uint8_t *)(sharp ? sharp + count : 0);
    int32_t result = -1;
    blocks blocks = {0};
    if (sharp && radii && !allocate_blocks(&blocks, width, height, 1)) {
        for (int32_t row = 0; row < height; row++) radii[row] = (uint16_t)radius;
        for (int32_t y = 0; y < layer->height; y++) {
            uint8_t *line = cover + (int64_t)(y + top) * width + margin;
            for (uint32_t s = layer->spanStart[y]; s < layer->spanStart[y + 1]; s++)
                memset(line + layer->spans[s].begin, 255, (size_t)(layer->spans[s].end - layer->spans[s].begin));
            for (uint32_t e = layer->edgeStart[y]; e < layer->edgeStart[y + 1]; e++)
                line[layer->edges[e].x] = (uint8_t)layer->edges[e].coverage;
        }
        result = 0;
        const uint8_t *from[4] = {layer->green, 0, layer->red, layer->blue};
        uint16_t *to[4] = {blurred->green, 0, blurred->red, blurred->blue};
        const role roles[4] = {green, reference, color, color};
        for (int i = 0; i < 4 && !result; i++) {
            int32_t step = roles[i] == green ? 1 : 2, w = width / step, h = height / step;
            // The reference is the same green.
            if (from[i]) memset(sharp, 0, (size_t)w * (size_t)h * 2);
            for (int32_t y = 0; from[i] && y < layer->height / step; y++)
                for (int32_t x = 0; x < layer->width / step; x++)
                    sharp[(y + top / step) * w + x + margin / step] =
                        (uint16_t)(from[i][(int64_t)y * (layer->width / step) + x] * 257);
            source in = {sharp, cover, from[i] ? w : width, width, step, w, h, !from[i]};
            sink out = {to[i], w, step == 1 ? blurred->coverage : blurred->halfCoverage, &blocks, roles[i]};
            result = spread_plane(&in, &out, radii, step, step, blades);
        }
    }
    free(blocks.green);
    free(sharp);
    free(radii);
    return result;
}

// Coverage of a block of 2x2 pixels of a blurred copy.
enum { empty, partial, opaque };

CSIM_INLINE int block_coverage(const uint8_t *above, const uint8_t *below, const uint8_t *half, int32_t x) {
    int32_t all = above[x] & above[x + 1] & below[x] & below[x + 1] & half[x / 2];
    int32_t any = above[x] | above[x + 1] | below[x] | below[x + 1] | half[x / 2];
    return all == 255 ? opaque : any ? partial : empty;
}

void csim_blurred_outline(
    const csim_blurred *blurred, int32_t pair, csim_span *opaqueSpans, int32_t *opaqueCount, csim_span *partialSpans,
    int32_t *partialCount
) {
    int32_t width = blurred->width;
    const uint8_t *above = blurred->coverage + (int64_t)pair * 2 * width, *below = above + width;
    const uint8_t *half = blurred->halfCoverage + (int64_t)pair * (width / 2);
    *opaqueCount = *partialCount = 0;
    for (int32_t x = 0; x < width;) {
        int kind = block_coverage(above, below, half, x);
        int32_t begin = x;
        for (x += 2; x < width && block_coverage(above, below, half, x) == kind;) x += 2;
        if (kind == opaque) opaqueSpans[(*opaqueCount)++] = (csim_span){begin, x};
        if (kind == partial) partialSpans[(*partialCount)++] = (csim_span){begin, x};
    }
}
