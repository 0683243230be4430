#include "compose.h"

typedef uint16_t v8h __attribute__((vector_size(16)));

// The first eight elements, each repeated once.
#define REPEAT_EACH(v) __builtin_shufflevector(v, v, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7)

// Returns the frontmost layer that covers a whole row; the layers behind it are hidden.
static int32_t frontmost(const csim_layer *layers, int32_t count, int32_t row, int32_t width) {
    int32_t first = count - 1;
    for (; first > 0; first--) {
        const csim_layer *l = &layers[first];
        int32_t y = row - l->y;
        if (y < 0 || y >= l->height) continue;
        uint32_t s = l->spanStart[y];
        int32_t x = csim_shift(l, row);
        if (l->spanStart[y + 1] == s + 1 && l->spans[s].begin + x <= 0 && l->spans[s].end + x >= width) break;
    }
    return first < 0 ? 0 : first;
}

// Composes one row of green of all layers into `line`.
CSIM_INLINE void compose(const csim_layer *layers, int32_t count, int32_t row, int32_t width, uint16_t *line) {
    for (int32_t n = frontmost(layers, count, row, width); n < count; n++)
        csim_overlay(&layers[n], row, 0, (csim_span){0, width}, line, 0);
}

// Composes one row of red or blue of a layer over `line`, with a sample for each pixel.
CSIM_INLINE void overlay_pixels(const csim_layer *l, int32_t row, int plane, int32_t width, uint16_t *line) {
    int32_t y = row - l->y;
    if (y < 0 || y >= l->height) return;
    int32_t shift = csim_shift(l, row);
    const uint8_t *source = (plane == 1 ? l->red : l->blue) + (int64_t)(y >> 1) * (l->width >> 1);
    uint32_t scale = csim_scale(l, y, plane);
    for (uint32_t s = l->spanStart[y]; s < l->spanStart[y + 1]; s++) {
        int32_t begin = csim_clamp(l->spans[s].begin + shift, 0, width);
        int32_t end = csim_clamp(l->spans[s].end + shift, 0, width);
        int32_t x = begin;
#define FILL(stop) for (; x < stop; x++) line[x] = (uint16_t)(((uint32_t)source[(x - shift) >> 1] * scale) >> 8)
        // Vectors begin with a whole block.
        int32_t first = begin + ((begin - shift) & 1);
        FILL((first < end ? first : end));
        for (; x + 16 <= end; x += 16) {
            v16u codes = __builtin_convertvector(*(const v16b_any *)(source + ((x - shift) >> 1)), v16u) << 8;
            *(v16u_any *)(line + x) = MULHI_U(REPEAT_EACH(codes), ALL_U(scale));
        }
        FILL(end);
#undef FILL
    }
    for (uint32_t e = l->edgeStart[y]; e < l->edgeStart[y + 1]; e++) {
        int32_t at = l->edges[e].x, x = at + shift;
        if (x < 0 || x >= width) continue;
        csim_blend_pixel(line, x, (csim_span){0, width}, source[at >> 1], scale, l->edges[e].coverage);
    }
}

// Averages the light of blocks of 2x2 pixels of two rows.
CSIM_INLINE void halve_rows(const uint16_t *above, const uint16_t *below, int32_t width, uint16_t *half) {
    for (int32_t x = 0; x < width; x += 2) {
        if (x + 16 <= width) {
            // In most blocks all pixels are the same.
            v16u first = *(const v16u_any *)(above + x), second = *(const v16u_any *)(below + x);
            v16u swapped = __builtin_shufflevector(first, first, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
            if (!__builtin_reduce_or((first ^ second) | (first ^ swapped))) {
                v8h once = __builtin_shufflevector(first, first, 0, 2, 4, 6, 8, 10, 12, 14);
                memcpy(half + x / 2, &once, sizeof once);
                x += 14;
                continue;
            }
        }
        uint32_t a = above[x], b = above[x + 1], c = below[x], d = below[x + 1];
        if (a == b && a == c && a == d) {
            half[x / 2] = (uint16_t)a;
            continue;
        }
        uint64_t sum = (uint64_t)a * a + (uint64_t)b * b + (uint64_t)c * c + (uint64_t)d * d;
        // 31 bits, as in `csim_over`.
        half[x / 2] = (uint16_t)__builtin_sqrtf((float)(int32_t)(sum / 4 >> 1) * 2);
    }
}

// Red and blue are composed for each pixel and then averaged: if the layers of a block were blended by their mean
// coverage, the layer behind two adjacent ones would show between them.
CSIM_CLONES void csim_compose(const csim_planes *p, const csim_layer *layers, int32_t count) {
    uint16_t rows[2][p->width];
    for (int32_t row = 0; row < p->height; row++)
        compose(layers, count, row, p->width, p->green + (int64_t)row * p->stride);
    for (int32_t pair = 0; pair < p->height / 2; pair++) {
        for (int plane = 1; plane < 3; plane++) {
            uint16_t *half = (plane == 1 ? p->red : p->blue) + (int64_t)pair * (p->stride / 2);
            for (int32_t i = 0; i < 2; i++) {
                int32_t row = 2 * pair + i;
                // Layers may be composed over others that are already in the planes.
                for (int32_t x = 0; x < p->width; x++) rows[i][x] = half[x / 2];
                for (int32_t n = frontmost(layers, count, row, p->width); n < count; n++)
                    overlay_pixels(&layers[n], row, plane, p->width, rows[i]);
            }
            halve_rows(rows[0], rows[1], p->width, half);
        }
    }
}

CSIM_CLONES void csim_compose_group(
    const csim_planes *p, const csim_layer *layers, int32_t count, uint8_t *coverage
) {
    for (int32_t row = 0; row < p->height; row++) {
        uint16_t *line = p->green + (int64_t)row * p->stride;
        uint8_t *cover = coverage + (int64_t)row * p->stride;
        memset(line, 0, (size_t)p->width * 2);
        memset(cover, 0, (size_t)p->width);
        // Blurring weights light by coverage. Edges blended with black would be weighted twice; therefore they are
        // blended with their own color.
        for (int32_t n = 0; n < count; n++) {
            const csim_layer *l = &layers[n];
            int32_t y = row - l->y;
            if (y < 0 || y >= l->height) continue;
            int32_t shift = csim_shift(l, row);
            uint32_t scale = csim_scale(l, y, 0);
            for (uint32_t e = l->edgeStart[y]; e < l->edgeStart[y + 1]; e++) {
                int32_t x = l->edges[e].x + shift;
                if (x < 0 || x >= p->width || cover[x]) continue;
                line[x] = (uint16_t)(((uint32_t)l->green[(int64_t)y * l->width + l->edges[e].x] * scale) >> 8);
            }
            csim_overlay(l, row, 0, (csim_span){0, p->width}, line, cover);
        }
    }
    for (int32_t row = 0; row < p->height / 2; row++) {
        for (int plane = 1; plane < 3; plane++) {
            uint16_t *line = (plane == 1 ? p->red : p->blue) + (int64_t)row * (p->stride / 2);
            memset(line, 0, (size_t)p->width);
            for (int32_t n = 0; n < count; n++) {
                const csim_layer *l = &layers[n];
                int32_t y = row * 2 - l->y;
                if (y < 0 || y >= l->height) continue;
                int32_t shift = csim_shift(l, row * 2), columns = l->width >> 1;
                uint32_t scale = csim_scale(l, y, plane);
                const uint8_t *source = (plane == 1 ? l->red : l->blue) + (int64_t)(y >> 1) * columns;
                csim_outline outline = outline_of(l, plane, shift);
                for (uint32_t e = outline.edgeStart[y >> 1]; e < outline.edgeStart[(y >> 1) + 1]; e++) {
                    int32_t at = outline.edges[e].x, x = at + (shift >> 1);
                    if (x < 0 || x >= p->width / 2 || line[x]) continue;
                    line[x] = (uint16_t)(((uint32_t)code_at(source, at, columns, shift & 1) * scale) >> 8);
                }
                csim_overlay(l, row, plane, (csim_span){0, p->width / 2}, line, 0);
            }
        }
    }
}

// Composes one plane of a blurred layer.
CSIM_INLINE void compose_blurred(const csim_layer *l, int plane, const uint16_t *from, uint16_t *to, int64_t stride) {
    int half = plane != 0;
    int32_t width = l->blurred->width >> half;
    for (int32_t row = 0; row < l->blurred->height >> half; row++) {
        const uint16_t *source = from + (int64_t)row * width;
        uint16_t *line = to + row * stride;
        uint32_t scale = csim_scale(l, csim_clamp((row << half) + l->blurredY, 0, l->height - 1), plane);
        for (int32_t x = 0; x < width; x++) line[x] = (uint16_t)((uint32_t)source[x] * scale >> 16);
    }
}

CSIM_CLONES void csim_compose_blurred(const csim_planes *p, const csim_layer *l) {
    compose_blurred(l, 0, l->blurred->green, p->green, p->stride);
    compose_blurred(l, 1, l->blurred->red, p->red, p->stride / 2);
    compose_blurred(l, 2, l->blurred->blue, p->blue, p->stride / 2);
}
