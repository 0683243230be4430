#include "compose.h"

// Composes one row of all layers into `line`.
CSIM_INLINE void compose(
    const csim_layer *layers, int32_t count, int32_t row, int plane, int32_t frameWidth, uint16_t *line, uint8_t *cover
) {
    int half = plane != 0;
    int32_t first = count - 1, frameRow = half ? row * 2 : row;
    // Skip the layers behind the frontmost one that covers the whole row.
    for (; first > 0; first--) {
        const csim_layer *l = &layers[first];
        int32_t y = frameRow - l->y;
        if (y < 0 || y >= l->height) continue;
        uint32_t s = l->spanStart[y];
        int32_t x = csim_shift(l, frameRow);
        if (l->spanStart[y + 1] == s + 1 && l->spans[s].begin + x <= 0 && l->spans[s].end + x >= frameWidth) break;
    }
    for (int32_t n = first < 0 ? 0 : first; n < count; n++)
        csim_overlay(&layers[n], row, plane, (csim_span){0, frameWidth >> half}, line, cover);
}

CSIM_CLONES void csim_compose(const csim_planes *p, const csim_layer *layers, int32_t count) {
    for (int32_t row = 0; row < p->height; row++)
        compose(layers, count, row, 0, p->width, p->green + (int64_t)row * p->stride, 0);
    for (int32_t row = 0; row < p->height / 2; row++) {
        compose(layers, count, row, 1, p->width, p->red + (int64_t)row * (p->stride / 2), 0);
        compose(layers, count, row, 2, p->width, p->blue + (int64_t)row * (p->stride / 2), 0);
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
        // Edges are composed over black, and weighted by their coverage again when they are blurred. Therefore the
        // color beneath them is set to their own.
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
                int32_t shift = csim_shift(l, row * 2);
                uint32_t scale = csim_scale(l, y, plane);
                const uint8_t *source = (plane == 1 ? l->red : l->blue) + (int64_t)(y >> 1) * (l->width >> 1);
                for (uint32_t e = l->edgeStart[y]; e < l->edgeStart[y + 1]; e++) {
                    int32_t x = (l->edges[e].x + shift) >> 1;
                    if (x < 0 || x >= p->width / 2 || line[x]) continue;
                    line[x] = (uint16_t)(((uint32_t)source[l->edges[e].x >> 1] * scale) >> 8);
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
