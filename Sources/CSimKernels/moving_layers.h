#pragma once
#include "develop.h"

// Moving layers in front of the background.
//
// Where a moving layer is opaque, its developed planes are shown. The edges of a sharp layer, one pixel wide, are
// blended as codes. The partly covered spans of a blurred layer are composed as light with the background, and then
// developed.

// Columns are processed in units of this size.
enum { unit = 16 };
// Contents of a unit of a pair of rows: the background alone, developed layers copied over it, or newly composed light.
// A unit with one moving layer alone is owned by that layer: its value is `unitOwned` plus the layer's index.
enum { unitBackground, unitCopied, unitComposed, unitOwned };
// Layers from this index on cannot own units.
enum { maximumOwners = 256 - unitOwned };

// Marks the units from column `low` up to, not including, `high`, unless they are composed.
CSIM_INLINE void mark_units(uint8_t *units, int32_t low, int32_t high, int32_t width, uint8_t contents) {
    low = csim_clamp(low, 0, width);
    high = csim_clamp(high, 0, width);
    if (low >= high) return;
    for (int32_t u = low / unit; u <= (high - 1) / unit; u++)
        if (units[u] != unitComposed) units[u] = contents;
}

// Marks the units between columns `low` and `high`, with a margin of one column on each side, as owned by a layer.
CSIM_INLINE void mark_owned(uint8_t *units, int32_t low, int32_t high, int32_t width, int32_t movingLayer) {
    if (movingLayer >= maximumOwners) return;
    int32_t first = (low + 1 > 0 ? low + unit : 0) / unit;
    // The last unit of a row may be incomplete.
    int32_t end = high > width ? (width + unit - 1) / unit : (high - 1) / unit;
    if (first < end) memset(units + first, unitOwned + movingLayer, (size_t)(end - first));
}

// Returns the end of the run of equal units that begins with unit `first`, at most `count`.
CSIM_INLINE int32_t run_end(const uint8_t *units, int32_t first, int32_t count) {
    uint64_t same = units[first] * 0x0101010101010101u, eight;
    int32_t u = first + 1;
    while (u + 8 <= count && (memcpy(&eight, units + u, 8), eight == same)) u += 8;
    while (u < count && units[u] == units[first]) u++;
    return u;
}

// Marks the units that a moving layer covers in a pair of rows; layers are marked from back to front. Returns the
// columns that the layer may affect; an empty span if it has no pixels in these rows.
CSIM_INLINE csim_span mark(const csim_frame *f, int32_t movingLayer, int32_t pair, uint8_t *units) {
    const csim_layer *l = &f->movingLayers[movingLayer];
    int32_t width = f->background->width, left = csim_shift(l, pair * 2), right = csim_shift(l, pair * 2 + 1);
    if (left > right) {
        int32_t swap = left;
        left = right;
        right = swap;
    }
    const csim_blurred *blurred = l->blurred;
    if (blurred) {
        int32_t y = pair * 2 - l->y - l->blurredY;
        if (y < 0 || y >= blurred->height) return (csim_span){0, 0};
        left += l->blurredX;
        right += l->blurredX;
        csim_span reach = {left - 1, blurred->width + right + 2};
        if (!l->developed) {
            mark_units(units, reach.begin, reach.end, width, unitComposed);
            return reach;
        }
        for (uint32_t s = blurred->opaqueStart[y / 2]; s < blurred->opaqueStart[y / 2 + 1]; s++) {
            int32_t begin = blurred->opaqueSpans[s].begin, end = blurred->opaqueSpans[s].end;
            mark_units(units, begin + left - 1, end + right + 2, width, unitCopied);
            mark_owned(units, begin + right, end + left, width, movingLayer);
        }
        for (uint32_t r = blurred->partialStart[y / 2]; r < blurred->partialStart[y / 2 + 1]; r++)
            mark_units(
                units, blurred->partialSpans[r].begin + left - 1, blurred->partialSpans[r].end + right + 2, width,
                unitComposed);
        return reach;
    }
    int32_t low = INT32_MAX, high = INT32_MIN, y = pair * 2 - l->y;
    for (int32_t row = y; row <= y + 1; row++) {
        if (row < 0 || row >= l->height) continue;
        uint32_t s = l->spanStart[row], sEnd = l->spanStart[row + 1], e = l->edgeStart[row], eEnd = l->edgeStart[row + 1];
        if (s < sEnd && l->spans[s].begin < low) low = l->spans[s].begin;
        if (s < sEnd && l->spans[sEnd - 1].end > high) high = l->spans[sEnd - 1].end;
        if (e < eEnd && l->edges[e].x < low) low = l->edges[e].x;
        if (e < eEnd && l->edges[eEnd - 1].x + 1 > high) high = l->edges[eEnd - 1].x + 1;
    }
    if (low >= high) return (csim_span){0, 0};
    // A block of 2x2 is affected if one of its pixels is.
    csim_span reach = {low + left - 1, high + right + 2};
    mark_units(units, reach.begin, reach.end, width, l->developed ? unitCopied : unitComposed);
    if (!l->developed || y < 0 || y + 1 >= l->height) return reach;
    // The intersection of the spans of both rows.
    uint32_t a = l->spanStart[y], aEnd = l->spanStart[y + 1], c = aEnd, cEnd = l->spanStart[y + 2];
    while (a < aEnd && c < cEnd) {
        csim_span above = l->spans[a], below = l->spans[c];
        mark_owned(units, (above.begin > below.begin ? above.begin : below.begin) + right,
            (above.end < below.end ? above.end : below.end) + left, width, movingLayer);
        if (above.end < below.end) a++;
        else c++;
    }
    return reach;
}

// Blends a word `own` of a layer with the word `under` of the background; `coverage` is in 256ths.
CSIM_INLINE int16_t blend(int32_t under, int32_t own, int32_t coverage) {
    int32_t below = under & deviationMask, deviation = below + (((own & deviationMask) - below) * coverage >> 8);
    int32_t code = under + ((own - under) * coverage >> 8);
    return (int16_t)(((code - deviation + (deviationMask + 1) / 2) & ~deviationMask) | deviation);
}

// Blends a block's chroma of a layer with copied units. `at` is the block's column in the frame, `from` that in the
// layer, and `row` the offset of the layer's row.
CSIM_INLINE void blend_chroma(
    developed out, const uint8_t *units, int32_t at, int32_t width, const csim_planes *p, int64_t row, int32_t from,
    int32_t coverage
) {
    if (at < 0 || at >= width / 2 || from < 0 || from >= p->width / 2 || units[2 * at / unit] != unitCopied) return;
    for (int32_t c = 0; c < 2; c++) {
        int32_t x = 2 * at + c;
        int64_t own = row + 2 * from + c;
        out.chroma[x] = blend(out.chroma[x], p->chroma[own], coverage);
    }
}

// Advances `x` to the next copied unit; returns the end of its run. `side` is the length of a unit in samples.
CSIM_INLINE int32_t copied_run(const uint8_t *units, int32_t side, int32_t *x, int32_t end) {
    while (*x < end && units[*x / side] != unitCopied) *x = run_end(units, *x / side, (end + side - 1) / side) * side;
    if (*x >= end) return end;
    int32_t stop = run_end(units, *x / side, (end + side - 1) / side) * side;
    return stop < end ? stop : end;
}

// Copies samples and prefetches those of the next pair of rows, `next` samples ahead. Spans are short, so that `memcpy`
// calls would be slower.
CSIM_INLINE void copy_samples(const void *from, void *to, int32_t count, int64_t next) {
    const uint16_t *in = from;
    uint16_t *out = to;
    int32_t i = 0;
    for (; i + 16 <= count; i += 16) {
        PREFETCH(in + i, next * 2, 0);
        *(v16u_any *)(out + i) = *(const v16u_any *)(in + i);
    }
    if (i < count && count >= 16) {
        // The last vector overlaps with the previous one.
        *(v16u_any *)(out + count - 16) = *(const v16u_any *)(in + count - 16);
    } else {
        PREFETCH(in + i, next * 2, 0);
        for (; i < count; i++) out[i] = in[i];
    }
}

// Copies a span of a layer's row. `y` is the row of its developed planes, `shift` their first column in the frame.
CSIM_INLINE void copy_luma(
    developed out, const uint8_t *units, int32_t row, int32_t width, const csim_planes *p, int32_t y, csim_span span,
    int32_t shift
) {
    int16_t *luma = row & 1 ? out.luma1 : out.luma0;
    int32_t end = csim_clamp(span.end + shift, 0, width);
    for (int32_t x = csim_clamp(span.begin + shift, 0, width); x < end;) {
        int32_t stop = copied_run(units, unit, &x, end);
        if (x >= end) return;
        int64_t from = (int64_t)y * p->stride + x - shift;
        copy_samples(p->luma + from, luma + x, stop - x, p->stride * 2);
        x = stop;
    }
}

// Copies a span of blocks of 2x2 pixels of a layer's chroma.
CSIM_INLINE void copy_chroma(
    developed out, const uint8_t *units, int32_t width, const csim_planes *p, int32_t y, csim_span span, int32_t shift
) {
    int32_t half = shift >> 1, begin = csim_clamp(span.begin + half, half > 0 ? half : 0, width / 2);
    int32_t limit = half + p->width / 2 < width / 2 ? half + p->width / 2 : width / 2, end = span.end + half;
    if (end > limit) end = limit;
    for (int32_t x = begin; x < end;) {
        int32_t stop = copied_run(units, unit / 2, &x, end);
        if (x >= end) return;
        int64_t from = (int64_t)(y / 2) * p->stride + 2 * (x - half);
        copy_samples(p->chroma + from, out.chroma + 2 * x, (stop - x) * 2, p->stride);
        x = stop;
    }
}

// Copies a sharp developed layer over developed rows.
CSIM_INLINE void copy_sharp(
    const csim_layer *l, int32_t pair, int32_t width, developed out, const uint8_t *units
) {
    const csim_planes *p = l->developed;
    for (int32_t row = pair * 2; row < pair * 2 + 2; row++) {
        int32_t y = row - l->y, shift = csim_shift(l, row);
        if (y < 0 || y >= l->height) continue;
        for (uint32_t s = l->spanStart[y]; s < l->spanStart[y + 1]; s++)
            copy_luma(out, units, row, width, p, y, l->spans[s], shift);
        int16_t *luma = row & 1 ? out.luma1 : out.luma0;
        const int16_t *own = p->luma + (int64_t)y * p->stride;
        for (uint32_t e = l->edgeStart[y]; e < l->edgeStart[y + 1]; e++) {
            int32_t from = l->edges[e].x, x = from + shift, coverage = l->edges[e].coverage;
            if (x < 0 || x >= width || units[x / unit] != unitCopied) continue;
            luma[x] = blend(luma[x], own[from], coverage);
        }
    }
    int32_t y = pair * 2 - l->y, shift = csim_shift(l, pair * 2);
    if (y < 0 || y >= l->height) return;
    int64_t row = (int64_t)(y / 2) * p->stride;
    int32_t columns = l->width / 2;
    csim_outline outline = outline_of(l, 1, shift);
    const uint8_t *red = l->red + (int64_t)(y / 2) * columns, *blue = l->blue + (int64_t)(y / 2) * columns;
    for (uint32_t s = outline.spanStart[y / 2]; s < outline.spanStart[y / 2 + 1]; s++)
        copy_chroma(out, units, width, p, y, outline.spans[s], shift);
    for (uint32_t e = outline.edgeStart[y / 2]; e < outline.edgeStart[y / 2 + 1]; e++) {
        int32_t at = outline.edges[e].x, from = at;
        // With an odd shift, a block lies between two blocks of the layer. An uncovered one has no color.
        if (shift & 1 && (from >= columns || !(red[from] | blue[from]))) from--;
        blend_chroma(out, units, at + (shift >> 1), width, p, row, from, outline.edges[e].coverage);
    }
}

// Copies the opaque part of a blurred developed layer over developed rows.
CSIM_INLINE void copy_opaque(
    const csim_layer *l, int32_t pair, int32_t width, developed out, const uint8_t *units
) {
    const csim_blurred *blurred = l->blurred;
    int32_t y = pair * 2 - l->y - l->blurredY;
    if (y < 0 || y >= blurred->height) return;
    for (uint32_t s = blurred->opaqueStart[y / 2]; s < blurred->opaqueStart[y / 2 + 1]; s++) {
        int32_t shift = csim_shift(l, pair * 2) + l->blurredX;
        copy_luma(out, units, pair * 2, width, l->developed, y, blurred->opaqueSpans[s], shift);
        copy_luma(
            out, units, pair * 2 + 1, width, l->developed, y + 1, blurred->opaqueSpans[s],
            csim_shift(l, pair * 2 + 1) + l->blurredX);
        // Only the blocks that are completely inside the span.
        csim_span span = blurred->opaqueSpans[s];
        span = (csim_span){(span.begin + (shift & 1) + 1) >> 1, (span.end + (shift & 1)) >> 1};
        copy_chroma(out, units, width, l->developed, y, span, shift);
    }
}

// Returns the rows from column `x` on.
CSIM_INLINE developed offset_rows(developed d, int32_t x) {
    return (developed){d.luma0 + x, d.luma1 + x, d.chroma + x};
}

// The moving layers in a pair of rows, from back to front, and the columns they reach. Layers from index `rest` on are
// not filtered.
enum { maximumRowLayers = 128 };
typedef struct {
    int32_t count;
    int32_t rest;
    int32_t movingLayers[maximumRowLayers];
    csim_span reach[maximumRowLayers];
} row_layers;

// Composes and develops a span of a pair of rows. Samples to the right of it, up to a multiple of the block size, are
// overwritten.
CSIM_INLINE void compose_run(
    const csim_frame *f, int32_t pair, const row_layers *rowLayers, developed out, int32_t begin, int32_t end,
    uint16_t *const lines[lineCount]
) {
    light from = background_light(f->background, pair);
    int32_t count = (end - begin + block - 1) / block * block;
    int64_t next = f->background->stride;
    copy_samples(from.green0 + begin, lines[lineGreen0] + begin, count, next * 2);
    copy_samples(from.green1 + begin, lines[lineGreen1] + begin, count, next * 2);
    copy_samples(from.red + begin / 2, lines[lineRed] + begin / 2, count / 2, next / 2);
    copy_samples(from.blue + begin / 2, lines[lineBlue] + begin / 2, count / 2, next / 2);
    csim_span all = {begin, end < f->background->width ? end : f->background->width}, half = {all.begin / 2, all.end / 2};
    for (int32_t n = 0; n < rowLayers->count + f->movingLayerCount - rowLayers->rest; n++) {
        if (n < rowLayers->count && (rowLayers->reach[n].begin >= end || rowLayers->reach[n].end <= begin)) continue;
        int32_t index = n < rowLayers->count ? rowLayers->movingLayers[n] : rowLayers->rest + n - rowLayers->count;
        const csim_layer *l = &f->movingLayers[index];
        overlay_moving(l, pair * 2, 0, all, lines[lineGreen0]);
        overlay_moving(l, pair * 2 + 1, 0, all, lines[lineGreen1]);
        overlay_moving(l, pair, 1, half, lines[lineRed]);
        overlay_moving(l, pair, 2, half, lines[lineBlue]);
    }
    light part = {lines[lineGreen0] + begin, lines[lineGreen1] + begin, lines[lineRed] + begin / 2, lines[lineBlue] + begin / 2};
    develop(f, pair, part, offset_rows(out, begin), count, 32768, lines);
}

// Returns a layer's developed rows, offset so that columns are those of the frame.
CSIM_INLINE developed layer_rows(const csim_layer *l, int32_t pair) {
    const csim_planes *p = l->developed;
    int32_t left = l->blurred ? l->blurredX : 0, y = pair * 2 - l->y - (l->blurred ? l->blurredY : 0);
    int32_t above = csim_shift(l, pair * 2) + left, below = csim_shift(l, pair * 2 + 1) + left;
    int64_t first = (int64_t)y * p->stride - above, second = (int64_t)(y + 1) * p->stride - below;
    int64_t half = (int64_t)(y / 2) * p->stride - 2 * (above >> 1);
    return (developed){p->luma + first, p->luma + second, p->chroma + half};
}

// Determines the contents of the units of a pair of rows, and writes copied and composed units to `out`; returns NULL
// if all units show the background.
CSIM_INLINE const uint8_t *place_moving_layers(const csim_frame *f, int32_t pair, developed out, uint16_t *const lines[lineCount]) {
    const csim_planes *p = f->background;
    int32_t count = (p->width + unit - 1) / unit;
    uint8_t *units = (uint8_t *)lines[lineUnits];
    memset(units, unitBackground, (size_t)count);
    row_layers rowLayers;
    rowLayers.count = 0;
    rowLayers.rest = f->movingLayerCount;
    for (int32_t n = 0; n < f->movingLayerCount; n++) {
        csim_span reach = mark(f, n, pair, units);
        if (reach.begin >= reach.end) continue;
        if (rowLayers.count == maximumRowLayers) {
            if (n < rowLayers.rest) rowLayers.rest = n;
            continue;
        }
        rowLayers.movingLayers[rowLayers.count] = n;
        rowLayers.reach[rowLayers.count++] = reach;
    }
    developed planes = developed_rows(p, pair);
    int isCopied = 0;
    int32_t u = 0, end = run_end(units, 0, count);
    if (units[0] == unitBackground && end == count) return 0;
    for (; u < count; u = end) {
        end = run_end(units, u, count);
        isCopied |= units[u] == unitCopied;
        if (units[u] == unitComposed) compose_run(f, pair, &rowLayers, out, u * unit, end * unit, lines);
    }
    if (!isCopied) return units;
    for (u = 0; u < count; u = end) {
        end = run_end(units, u, count);
        if (units[u] != unitCopied) continue;
        int32_t x = u * unit, columns = (end - u) * unit;
        copy_samples(planes.luma0 + x, out.luma0 + x, columns, p->stride * 2);
        copy_samples(planes.luma1 + x, out.luma1 + x, columns, p->stride * 2);
        copy_samples(planes.chroma + x, out.chroma + x, columns, p->stride);
    }
    for (int32_t n = 0; n < f->movingLayerCount; n++) {
        const csim_layer *l = &f->movingLayers[n];
        if (!l->developed) continue;
        if (l->blurred) copy_opaque(l, pair, p->width, out, units);
        else copy_sharp(l, pair, p->width, out, units);
    }
    return units;
}
