#pragma once
#include "CSimKernels.h"
#include "internal.h"

// Disable fused multiply-add: it rounds differently, and not every processor has it.
#pragma STDC FP_CONTRACT OFF

// Alpha blending of light. `s` and `under` are square roots of light; `coverage` is that of `s` in 256ths.
CSIM_INLINE uint16_t csim_over(uint16_t under, uint32_t s, uint32_t coverage) {
    // 31 bits: all processors convert signed 32-bit integers to float directly.
    uint32_t light = (((uint32_t)under * under) >> 8) * (256 - coverage) + ((s * s) >> 8) * coverage;
    return (uint16_t)__builtin_sqrtf((float)(int32_t)(light >> 1) * 2);
}

// Blends a sample into a pixel of a row. Pixels outside `part` do not change; `coverage` is in 256ths.
CSIM_INLINE void csim_blend_pixel(
    uint16_t *line, int32_t x, csim_span part, uint8_t code, uint32_t scale, int32_t coverage
) {
    if (x < part.begin || x >= part.end) return;
    line[x] = csim_over(line[x], ((uint32_t)code * scale) >> 8, (uint32_t)coverage);
}

// Returns the first column of a row of a layer.
CSIM_INLINE int32_t csim_shift(const csim_layer *l, int32_t frameRow) {
    return l->x + (int32_t)(((int64_t)l->skew * frameRow) >> 16);
}

// Returns the square root of the light on row `y` of a layer, for a plane.
CSIM_INLINE uint32_t csim_scale(const csim_layer *l, int32_t y, int plane) {
    uint32_t scale = plane == 0 ? l->greenScale : plane == 1 ? l->redScale : l->blueScale;
    return l->rowScale ? (scale * (l->rowScale[y] + 1u)) >> 16 : scale;
}

// Returns the coverage of a plane of a layer that begins in column `shift` of the frame.
CSIM_INLINE csim_outline outline_of(const csim_layer *l, int plane, int32_t shift) {
    if (plane != 0) return l->half[shift & 1];
    return (csim_outline){l->spans, l->spanStart, l->edges, l->edgeStart};
}

// Returns the code of a sample of a row of `count` samples. With `odd`, red or blue are shifted by half a block: the
// code is the mean of two samples. A sample without coverage is 0 and is ignored.
CSIM_INLINE uint8_t code_at(const uint8_t *source, int32_t x, int32_t count, int32_t odd) {
    if (!odd) return source[x];
    int32_t left = x > 0 ? source[x - 1] : 0, right = x < count ? source[x] : 0;
    return (uint8_t)(left && right ? (left + right) / 2 : left + right);
}

// Composes part of one row of a layer over `line`. `plane` is 0 for green, 1 for red, 2 for blue; red and blue have
// half the rows and columns.
//
// `cover` receives the coverage, 0 … 255, or is NULL.
CSIM_INLINE void csim_overlay(
    const csim_layer *l, int32_t row, int plane, csim_span part, uint16_t *line, uint8_t *cover
) {
    int half = plane != 0;
    int32_t frameRow = half ? row * 2 : row, y = frameRow - l->y;
    if (y < 0 || y >= l->height) return;
    // If a layer is shifted by an odd number of pixels, its colors are shifted by half a block.
    int32_t shift = csim_shift(l, frameRow), left = shift >> half, odd = half & shift, columns = l->width >> half;
    if (left >= part.end || left + columns + odd <= part.begin) return;
    const uint8_t *source = plane == 0 ? l->green + (int64_t)y * l->width
                                       : (plane == 1 ? l->red : l->blue) + (int64_t)(y >> 1) * (l->width >> 1);
    uint32_t scale = csim_scale(l, y, plane);
    csim_outline outline = outline_of(l, plane, shift);
    // Each code is the mean of two samples in 256ths: their sum times 128.
    v16u scales = ALL_U(scale), half256 = ALL_U(csim_opaque256() / 2);
    const uint8_t *in = source - left;
    y >>= half;
    for (uint32_t s = outline.spanStart[y]; s < outline.spanStart[y + 1]; s++) {
        int32_t begin = outline.spans[s].begin + left, end = outline.spans[s].end + left;
        if (begin < part.begin) begin = part.begin;
        if (end > part.end) end = part.end;
        if (cover && begin < end) memset(cover + begin, 255, (size_t)(end - begin));
#define LOAD(at) \
    ((__builtin_convertvector(*(const v16b_any *)(at), v16u) \
      + __builtin_convertvector(*(const v16b_any *)((at) - odd), v16u)) * half256)
        int32_t x = begin;
        for (; x + 16 <= end; x += 16) {
            v16u c = LOAD(in + x);
            *(v16u_any *)(line + x) = MULHI_U(c, scales);
        }
        if (x < end && end - begin >= 16) {
            // The last vector overlaps with the previous one; the result is the same.
            v16u c = LOAD(in + end - 16);
            *(v16u_any *)(line + end - 16) = MULHI_U(c, scales);
        } else {
            for (; x < end; x++) line[x] = (uint16_t)((((uint32_t)in[x] + in[x - odd]) << 7) * scale >> 16);
        }
#undef LOAD
    }
    for (uint32_t e = outline.edgeStart[y]; e < outline.edgeStart[y + 1]; e++) {
        int32_t at = outline.edges[e].x, x = at + left, coverage = outline.edges[e].coverage;
        csim_blend_pixel(line, x, part, code_at(source, at, columns, odd), scale, coverage);
        if (cover && x >= part.begin && x < part.end) cover[x] = (uint8_t)(cover[x] + (255 - cover[x]) * coverage / 255);
    }
}

// Composes part of one row of a blurred layer over `line`; see `csim_overlay`.
CSIM_INLINE void csim_overlay_blurred(const csim_layer *l, int32_t row, int plane, csim_span part, uint16_t *line) {
    const csim_blurred *blurred = l->blurred;
    int half = plane != 0;
    int32_t frameRow = half ? row * 2 : row, y = frameRow - l->y - l->blurredY;
    if (y < 0 || y >= blurred->height) return;
    int32_t left = (csim_shift(l, frameRow) + l->blurredX) >> half, columns = blurred->width >> half;
    int64_t at = (int64_t)(y >> half) * columns;
    const uint16_t *source = (plane == 0 ? blurred->green : plane == 1 ? blurred->red : blurred->blue) + at;
    const uint8_t *coverage = (half ? blurred->halfCoverage : blurred->coverage) + at;
    uint32_t scale = csim_scale(l, csim_clamp(frameRow - l->y, 0, l->height - 1), plane);
    int32_t end = left + columns < part.end ? left + columns : part.end, x = left < part.begin ? part.begin : left;
    source -= left;
    coverage -= left;
    // Prefetch the next pair of rows, which hardware prefetchers do not predict.
    int64_t next = half ? columns : 2 * columns;
    for (; x < end; x += 16) {
        PREFETCH(coverage + x, next, 0);
        v16b covered = *(const v16b_any *)(coverage + x);
        // Preserve the pixels to the right. Spans are usually short, so that a scalar loop would be slow.
        if (end - x < 16) covered &= (v16b)((v16b){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15} < (uint8_t)(end - x));
        if (!__builtin_reduce_or(covered)) continue;
        PREFETCH(source + x, next * 2, 0);
        v16u behind = *(const v16u_any *)(line + x);
        v16u uncovered = (v16u)__builtin_convertvector((v16c)(covered == 0), v16s);
        v16w s = __builtin_convertvector(*(const v16u_any *)(source + x), v16w) * scale >> 16;
        v16w under = __builtin_convertvector(behind, v16w), c = __builtin_convertvector(covered, v16w);
        // Like `csim_over`, with coverage 0 and 255 mapped to 0 and 256.
        v16w weight = c + MIN(c, (v16w){0} + 1);
        v16w light = (under * under >> 8) * (256 - weight) + (s * s >> 8) * weight;
        v16f root = __builtin_elementwise_sqrt(__builtin_convertvector((v16i)(light >> 1), v16f) * 2);
        v16u over = __builtin_convertvector(__builtin_convertvector(root, v16i), v16u);
        *(v16u_any *)(line + x) = (behind & uncovered) | (over & ~uncovered);
    }
}

// Composes a moving layer over part of a row of light.
CSIM_INLINE void overlay_moving(const csim_layer *l, int32_t row, int plane, csim_span part, uint16_t *line) {
    if (l->blurred) csim_overlay_blurred(l, row, plane, part, line);
    else csim_overlay(l, row, plane, part, line, 0);
}

// Composes all moving layers over part of a row of light.
CSIM_INLINE void overlay(const csim_frame *f, int32_t row, int plane, csim_span part, uint16_t *line) {
    for (int32_t n = 0; n < f->movingLayerCount; n++) overlay_moving(&f->movingLayers[n], row, plane, part, line);
}

// Returns the span of a plane's whole row.
CSIM_INLINE csim_span whole_row(const csim_frame *f, int plane) {
    return (csim_span){0, f->background->width >> (plane != 0)};
}
