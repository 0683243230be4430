#pragma once
#include "CSimKernels.h"
#include "internal.h"

// Two operations are not made one, which rounds once less, on processors that can.
#pragma STDC FP_CONTRACT OFF

// Puts light over light: `s` and `under` are square roots, of which `coverage` (256ths) of the first hides the second.
CSIM_INLINE uint16_t csim_over(uint16_t under, uint32_t s, uint32_t coverage) {
    // 31 bits, which every processor turns into a number at once.
    uint32_t light = (((uint32_t)under * under) >> 8) * (256 - coverage) + ((s * s) >> 8) * coverage;
    return (uint16_t)__builtin_sqrtf((float)(int32_t)(light >> 1) * 2);
}

CSIM_INLINE void csim_mix_pixel(
    uint16_t *line, int32_t x, csim_span part, uint8_t code, uint32_t scale, int32_t coverage
) {
    if (x < part.begin || x >= part.end) return;
    line[x] = csim_over(line[x], ((uint32_t)code * scale) >> 8, (uint32_t)coverage);
}

// The column at which a row of a layer begins.
CSIM_INLINE int32_t csim_shift(const csim_layer *l, int32_t frameRow) {
    return l->x + (int32_t)(((int64_t)l->skew * frameRow) >> 16);
}

CSIM_INLINE uint32_t csim_scale(const csim_layer *l, int32_t y, int plane) {
    uint32_t scale = plane == 0 ? l->greenScale : plane == 1 ? l->redScale : l->blueScale;
    return l->rowScale ? (scale * (l->rowScale[y] + 1u)) >> 16 : scale;
}

// Puts a part of one row of a layer over `line`; `plane` picks 0 green, 1 red, 2 blue; red and blue have half the rows and
// columns.
//
// `cover` receives the coverage, 0 … 255, or is NULL.
CSIM_INLINE void csim_overlay(
    const csim_layer *l, int32_t row, int plane, csim_span part, uint16_t *line, uint8_t *cover
) {
    int half = plane != 0;
    int32_t frameRow = half ? row * 2 : row, y = frameRow - l->y;
    if (y < 0 || y >= l->height) return;
    int32_t shift = csim_shift(l, frameRow), left = shift >> half;
    if (left >= part.end || left + (l->width >> half) <= part.begin) return;
    const uint8_t *source = plane == 0 ? l->green + (int64_t)y * l->width
                                       : (plane == 1 ? l->red : l->blue) + (int64_t)(y >> 1) * (l->width >> 1);
    uint32_t scale = csim_scale(l, y, plane);
    v16u scales = ALL_U(scale), byte = ALL_U(csim_opaque256() / 2);
    for (uint32_t s = l->spanStart[y]; s < l->spanStart[y + 1]; s++) {
        int32_t begin = l->spans[s].begin + shift, end = l->spans[s].end + shift;
        if (half) {
            // A block of which the span covers one column.
            if (begin & 1) csim_mix_pixel(line, begin >> 1, part, source[l->spans[s].begin >> 1], scale, 128);
            if (end & 1) csim_mix_pixel(line, end >> 1, part, source[(l->spans[s].end - 1) >> 1], scale, 128);
            begin = (begin + 1) >> 1;
            end >>= 1;
        }
        if (begin < part.begin) begin = part.begin;
        if (end > part.end) end = part.end;
        if (cover && begin < end) memset(cover + begin, 255, (size_t)(end - begin));
        const uint8_t *in = source - left;
        // A layer that is shifted by an odd number of pixels has its colours half a block aside.
        int32_t odd = half & shift;
#define LOAD(at) \
    ((__builtin_convertvector(*(const v16b_any *)(at), v16u) \
      + __builtin_convertvector(*(const v16b_any *)((at) - odd), v16u)) * byte)
        int32_t x = begin;
        for (; x + 16 <= end; x += 16) {
            v16u c = LOAD(in + x);
            *(v16u_any *)(line + x) = MULHI_U(c, scales);
        }
        if (x < end && end - begin >= 16) {
            // The last sixteen overlap the ones before: the same pixels get the same values again.
            v16u c = LOAD(in + end - 16);
            *(v16u_any *)(line + end - 16) = MULHI_U(c, scales);
        } else {
            for (; x < end; x++) line[x] = (uint16_t)((((uint32_t)in[x] + in[x - odd]) << 7) * scale >> 16);
        }
#undef LOAD
    }
    for (uint32_t e = l->edgeStart[y]; e < l->edgeStart[y + 1]; e++) {
        // A pixel is one of the two columns of a block.
        int32_t x = (l->edges[e].x + shift) >> half, coverage = l->edges[e].coverage >> half;
        csim_mix_pixel(line, x, part, source[l->edges[e].x >> half], scale, coverage);
        if (cover && x >= part.begin && x < part.end) cover[x] = (uint8_t)(cover[x] + (255 - cover[x]) * coverage / 255);
    }
}

// The same for a layer out of focus.
CSIM_INLINE void csim_overlay_soft(const csim_layer *l, int32_t row, int plane, csim_span part, uint16_t *line) {
    const csim_soft *soft = l->soft;
    int half = plane != 0;
    int32_t frameRow = half ? row * 2 : row, y = frameRow - l->y - l->softY;
    if (y < 0 || y >= soft->height) return;
    int32_t left = (csim_shift(l, frameRow) + l->softX) >> half, columns = soft->width >> half;
    int64_t at = (int64_t)(y >> half) * columns;
    const uint16_t *source = (plane == 0 ? soft->green : plane == 1 ? soft->red : soft->blue) + at;
    const uint8_t *coverage = (half ? soft->halfCoverage : soft->coverage) + at;
    uint32_t scale = csim_scale(l, csim_clamp(frameRow - l->y, 0, l->height - 1), plane);
    int32_t end = left + columns < part.end ? left + columns : part.end, x = left < part.begin ? part.begin : left;
    source -= left;
    coverage -= left;
    // To where the next pair of rows goes on, which a processor does not foresee.
    int64_t next = half ? columns : 2 * columns;
    for (; x < end; x += 16) {
        FORESEE(coverage + x, next, 0);
        v16b covered = *(const v16b_any *)(coverage + x);
        // What lies to the right stays as it is. Parts are short as a rule, so that it would take long to go on one by one.
        if (end - x < 16) covered &= (v16b)((v16b){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15} < (uint8_t)(end - x));
        if (!__builtin_reduce_or(covered)) continue;
        FORESEE(source + x, next * 2, 0);
        v16u behind = *(const v16u_any *)(line + x), kept = (v16u)__builtin_convertvector((v16c)(covered == 0), v16s);
        v16w s = __builtin_convertvector(*(const v16u_any *)(source + x), v16w) * scale >> 16;
        v16w under = __builtin_convertvector(behind, v16w), c = __builtin_convertvector(covered, v16w);
        // As csim_over, with a coverage of 0 and 256 for nothing and all.
        v16w share = c + MIN(c, (v16w){0} + 1);
        v16w light = (under * under >> 8) * (256 - share) + (s * s >> 8) * share;
        v16f root = __builtin_elementwise_sqrt(__builtin_convertvector((v16i)(light >> 1), v16f) * 2);
        v16u over = __builtin_convertvector(__builtin_convertvector(root, v16i), v16u);
        *(v16u_any *)(line + x) = (behind & kept) | (over & ~kept);
    }
}

// Puts a mover over a part of a line of light.
CSIM_INLINE void overlay_mover(const csim_layer *l, int32_t row, int plane, csim_span part, uint16_t *line) {
    if (l->soft) csim_overlay_soft(l, row, plane, part, line);
    else csim_overlay(l, row, plane, part, line, 0);
}

// Puts the movers over a part of a line of light.
CSIM_INLINE void overlay(const csim_frame *f, int32_t row, int plane, csim_span part, uint16_t *line) {
    for (int32_t n = 0; n < f->moverCount; n++) overlay_mover(&f->movers[n], row, plane, part, line);
}

// All of a plane's row.
CSIM_INLINE csim_span whole_row(const csim_frame *f, int plane) {
    return (csim_span){0, f->plate->width >> (plane != 0)};
}
