#pragma once
#include "develop.h"

// What moves before the plate.
//
// Where a mover hides all behind it, its own developed picture is shown. The rim of a sharp one, a pixel wide, is mixed in
// codes; that of a soft one is composed as light with what lies behind, and developed anew.

// Columns that are treated alike.
enum { unit = 16 };
// What a unit of a pair of rows shows: the plate alone, developed pictures over it, light that is composed anew, or, from
// `owned` on, one mover alone.
enum { still, copied, lit, owned };
// Movers from this one on own no units.
enum { owners = 256 - owned };

// The units from column `low` up to, not including, `high` show `what` as well.
CSIM_INLINE void touch(uint8_t *units, int32_t low, int32_t high, int32_t width, uint8_t what) {
    low = csim_clamp(low, 0, width);
    high = csim_clamp(high, 0, width);
    if (low >= high) return;
    for (int32_t u = low / unit; u <= (high - 1) / unit; u++)
        if (units[u] != lit) units[u] = what;
}

// The units that lie wholly between two columns, and a column more at both ends, show a mover alone.
CSIM_INLINE void own(uint8_t *units, int32_t low, int32_t high, int32_t width, int32_t mover) {
    if (mover >= owners) return;
    int32_t first = (low + 1 > 0 ? low + unit : 0) / unit;
    // The last unit may be a part of one.
    int32_t end = high > width ? (width + unit - 1) / unit : (high - 1) / unit;
    if (first < end) memset(units + first, owned + mover, (size_t)(end - first));
}

// Where the units from `first` on are others than that one, at most `count`.
CSIM_INLINE int32_t run_end(const uint8_t *units, int32_t first, int32_t count) {
    uint64_t alike = units[first] * 0x0101010101010101u, eight;
    int32_t u = first + 1;
    while (u + 8 <= count && (memcpy(&eight, units + u, 8), eight == alike)) u += 8;
    while (u < count && units[u] == units[first]) u++;
    return u;
}

// Tells what the units that a mover touches in a pair of rows show; movers come from back to front. Returns the columns that
// it may reach, none where it has no such rows.
CSIM_INLINE csim_span mark(const csim_frame *f, int32_t mover, int32_t pair, uint8_t *units) {
    const csim_layer *l = &f->movers[mover];
    int32_t width = f->plate->width, left = csim_shift(l, pair * 2), right = csim_shift(l, pair * 2 + 1);
    if (left > right) {
        int32_t swap = left;
        left = right;
        right = swap;
    }
    const csim_soft *soft = l->soft;
    if (soft) {
        int32_t y = pair * 2 - l->y - l->softY;
        if (y < 0 || y >= soft->height) return (csim_span){0, 0};
        left += l->softX;
        right += l->softX;
        csim_span reach = {left - 1, soft->width + right + 2};
        if (!l->developed) {
            touch(units, reach.begin, reach.end, width, lit);
            return reach;
        }
        for (uint32_t s = soft->solidStart[y / 2]; s < soft->solidStart[y / 2 + 1]; s++) {
            int32_t begin = soft->solid[s].begin, end = soft->solid[s].end;
            touch(units, begin + left - 1, end + right + 2, width, copied);
            own(units, begin + right, end + left, width, mover);
        }
        for (uint32_t r = soft->rimStart[y / 2]; r < soft->rimStart[y / 2 + 1]; r++)
            touch(units, soft->rim[r].begin + left - 1, soft->rim[r].end + right + 2, width, lit);
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
    // A block of 2x2 is touched where one of its pixels is.
    csim_span reach = {low + left - 1, high + right + 2};
    touch(units, reach.begin, reach.end, width, l->developed ? copied : lit);
    if (!l->developed || y < 0 || y + 1 >= l->height) return reach;
    // Where spans of both rows overlap.
    uint32_t a = l->spanStart[y], aEnd = l->spanStart[y + 1], c = aEnd, cEnd = l->spanStart[y + 2];
    while (a < aEnd && c < cEnd) {
        csim_span above = l->spans[a], below = l->spans[c];
        own(units, (above.begin > below.begin ? above.begin : below.begin) + right,
            (above.end < below.end ? above.end : below.end) + left, width, mover);
        if (above.end < below.end) a++;
        else c++;
    }
    return reach;
}

// Blends a word of a developed row with what lies behind.
CSIM_INLINE int16_t blend(int32_t under, int32_t own, int32_t coverage) {
    int32_t below = under & deviationMask, deviation = below + (((own & deviationMask) - below) * coverage >> 8);
    int32_t code = under + ((own - under) * coverage >> 8);
    return (int16_t)(((code - deviation + (deviationMask + 1) / 2) & ~deviationMask) | deviation);
}

CSIM_INLINE void blend_chroma(
    developed out, const uint8_t *units, int32_t at, int32_t width, const csim_plate *p, int64_t row, int32_t from,
    int32_t coverage
) {
    if (at < 0 || at >= width / 2 || from < 0 || from >= p->width / 2 || units[2 * at / unit] != copied) return;
    for (int32_t c = 0; c < 2; c++) {
        int32_t x = 2 * at + c;
        int64_t own = row + 2 * from + c;
        out.chroma[x] = blend(out.chroma[x], p->chroma[own], coverage);
    }
}

// Goes on to the next place from `x` on where units show copies; returns where they end. `side` is what a unit is long.
CSIM_INLINE int32_t copied_run(const uint8_t *units, int32_t side, int32_t *x, int32_t end) {
    while (*x < end && units[*x / side] != copied) *x = run_end(units, *x / side, (end + side - 1) / side) * side;
    if (*x >= end) return end;
    int32_t stop = run_end(units, *x / side, (end + side - 1) / side) * side;
    return stop < end ? stop : end;
}

// Copies samples; those of the next pair of rows, `next` samples farther on, are asked for. Stretches are short: a call for
// each would take longer than to copy it.
CSIM_INLINE void copy_samples(const void *from, void *to, int32_t count, int64_t next) {
    const uint16_t *in = from;
    uint16_t *out = to;
    int32_t i = 0;
    for (; i + 16 <= count; i += 16) {
        FORESEE(in + i, next * 2, 0);
        *(v16u_any *)(out + i) = *(const v16u_any *)(in + i);
    }
    if (i < count && count >= 16) {
        // The last sixteen overlap the ones before.
        *(v16u_any *)(out + count - 16) = *(const v16u_any *)(in + count - 16);
    } else {
        FORESEE(in + i, next * 2, 0);
        for (; i < count; i++) out[i] = in[i];
    }
}

// Copies a stretch of a mover's row; `y` is the row of its developed picture, `shift` that picture's first column.
CSIM_INLINE void copy_luma(
    developed out, const uint8_t *units, int32_t row, int32_t width, const csim_plate *p, int32_t y, csim_span span,
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

// The same with the blocks of 2x2 that lie wholly in the stretch.
CSIM_INLINE void copy_chroma(
    developed out, const uint8_t *units, int32_t width, const csim_plate *p, int32_t y, csim_span span, int32_t shift
) {
    int32_t half = shift >> 1, begin = csim_clamp((span.begin + shift + 1) >> 1, half > 0 ? half : 0, width / 2);
    int32_t limit = half + p->width / 2 < width / 2 ? half + p->width / 2 : width / 2, end = (span.end + shift) >> 1;
    if (end > limit) end = limit;
    for (int32_t x = begin; x < end;) {
        int32_t stop = copied_run(units, unit / 2, &x, end);
        if (x >= end) return;
        int64_t from = (int64_t)(y / 2) * p->stride + 2 * (x - half);
        copy_samples(p->chroma + from, out.chroma + 2 * x, (stop - x) * 2, p->stride);
        x = stop;
    }
}

// Puts a developed mover over developed rows.
CSIM_INLINE void copy_sharp(
    const csim_layer *l, int32_t pair, int32_t width, developed out, const uint8_t *units
) {
    const csim_plate *p = l->developed;
    for (int32_t row = pair * 2; row < pair * 2 + 2; row++) {
        int32_t y = row - l->y, shift = csim_shift(l, row);
        if (y < 0 || y >= l->height) continue;
        for (uint32_t s = l->spanStart[y]; s < l->spanStart[y + 1]; s++)
            copy_luma(out, units, row, width, p, y, l->spans[s], shift);
        int16_t *luma = row & 1 ? out.luma1 : out.luma0;
        const int16_t *own = p->luma + (int64_t)y * p->stride;
        for (uint32_t e = l->edgeStart[y]; e < l->edgeStart[y + 1]; e++) {
            int32_t from = l->edges[e].x, x = from + shift, coverage = l->edges[e].coverage;
            if (x < 0 || x >= width || units[x / unit] != copied) continue;
            luma[x] = blend(luma[x], own[from], coverage);
        }
    }
    int32_t y = pair * 2 - l->y, shift = csim_shift(l, pair * 2);
    if (y < 0 || y >= l->height) return;
    int64_t row = (int64_t)(y / 2) * p->stride;
    for (uint32_t s = l->spanStart[y]; s < l->spanStart[y + 1]; s++) {
        csim_span span = l->spans[s];
        int32_t first = span.begin + shift, last = span.end + shift;
        // A block of which the span covers one column.
        if (first & 1) blend_chroma(out, units, first >> 1, width, p, row, span.begin >> 1, 128);
        if (last & 1) blend_chroma(out, units, last >> 1, width, p, row, (span.end - 1) >> 1, 128);
        copy_chroma(out, units, width, p, y, span, shift);
    }
    for (uint32_t e = l->edgeStart[y]; e < l->edgeStart[y + 1]; e++) {
        int32_t from = l->edges[e].x;
        blend_chroma(out, units, (from + shift) >> 1, width, p, row, from >> 1, l->edges[e].coverage >> 1);
    }
}

// Puts what a developed mover out of focus hides wholly over developed rows.
CSIM_INLINE void copy_solid(
    const csim_layer *l, int32_t pair, int32_t width, developed out, const uint8_t *units
) {
    const csim_soft *soft = l->soft;
    int32_t y = pair * 2 - l->y - l->softY;
    if (y < 0 || y >= soft->height) return;
    for (uint32_t s = soft->solidStart[y / 2]; s < soft->solidStart[y / 2 + 1]; s++) {
        int32_t shift = csim_shift(l, pair * 2) + l->softX;
        copy_luma(out, units, pair * 2, width, l->developed, y, soft->solid[s], shift);
        copy_luma(
            out, units, pair * 2 + 1, width, l->developed, y + 1, soft->solid[s], csim_shift(l, pair * 2 + 1) + l->softX);
        copy_chroma(out, units, width, l->developed, y, soft->solid[s], shift);
    }
}

CSIM_INLINE developed moved(developed d, int32_t x) {
    return (developed){d.luma0 + x, d.luma1 + x, d.chroma + x};
}

// The movers that have something in a pair of rows, from back to front, and the columns they reach; from the one called
// `rest` on they are not sorted out.
enum { nearby = 128 };
typedef struct {
    int32_t count;
    int32_t rest;
    int32_t movers[nearby];
    csim_span reach[nearby];
} near_movers;

// Composes and develops a stretch of a pair of rows; what lies to the right of it up to whole blocks is lost.
CSIM_INLINE void light_run(
    const csim_frame *f, int32_t pair, const near_movers *near, developed out, int32_t begin, int32_t end,
    uint16_t *const lines[lineCount]
) {
    light from = plate_light(f->plate, pair);
    int32_t count = (end - begin + block - 1) / block * block;
    int64_t next = f->plate->stride;
    copy_samples(from.green0 + begin, lines[lineGreen0] + begin, count, next * 2);
    copy_samples(from.green1 + begin, lines[lineGreen1] + begin, count, next * 2);
    copy_samples(from.red + begin / 2, lines[lineRed] + begin / 2, count / 2, next / 2);
    copy_samples(from.blue + begin / 2, lines[lineBlue] + begin / 2, count / 2, next / 2);
    csim_span all = {begin, end < f->plate->width ? end : f->plate->width}, half = {all.begin / 2, all.end / 2};
    for (int32_t n = 0; n < near->count + f->moverCount - near->rest; n++) {
        if (n < near->count && (near->reach[n].begin >= end || near->reach[n].end <= begin)) continue;
        const csim_layer *l = &f->movers[n < near->count ? near->movers[n] : near->rest + n - near->count];
        overlay_mover(l, pair * 2, 0, all, lines[lineGreen0]);
        overlay_mover(l, pair * 2 + 1, 0, all, lines[lineGreen1]);
        overlay_mover(l, pair, 1, half, lines[lineRed]);
        overlay_mover(l, pair, 2, half, lines[lineBlue]);
    }
    light part = {lines[lineGreen0] + begin, lines[lineGreen1] + begin, lines[lineRed] + begin / 2, lines[lineBlue] + begin / 2};
    develop(f, pair, part, moved(out, begin), count, 32768, lines);
}

// A mover's developed picture, so that its column of the picture is that of the frame.
CSIM_INLINE developed own_picture(const csim_layer *l, int32_t pair) {
    const csim_plate *p = l->developed;
    int32_t left = l->soft ? l->softX : 0, y = pair * 2 - l->y - (l->soft ? l->softY : 0);
    int32_t above = csim_shift(l, pair * 2) + left, below = csim_shift(l, pair * 2 + 1) + left;
    int64_t first = (int64_t)y * p->stride - above, second = (int64_t)(y + 1) * p->stride - below;
    int64_t half = (int64_t)(y / 2) * p->stride - 2 * (above >> 1);
    return (developed){p->luma + first, p->luma + second, p->chroma + half};
}

// Tells what the units of a pair of rows show, and fills those that show copies and light in `out`; NULL where all show the
// plate.
CSIM_INLINE const uint8_t *place_movers(const csim_frame *f, int32_t pair, developed out, uint16_t *const lines[lineCount]) {
    const csim_plate *p = f->plate;
    int32_t count = (p->width + unit - 1) / unit;
    uint8_t *units = (uint8_t *)lines[lineUnits];
    memset(units, still, (size_t)count);
    near_movers near;
    near.count = 0;
    near.rest = f->moverCount;
    for (int32_t n = 0; n < f->moverCount; n++) {
        csim_span reach = mark(f, n, pair, units);
        if (reach.begin >= reach.end) continue;
        if (near.count == nearby) {
            if (n < near.rest) near.rest = n;
            continue;
        }
        near.movers[near.count] = n;
        near.reach[near.count++] = reach;
    }
    developed plate = plate_developed(p, pair);
    int isCopied = 0;
    int32_t u = 0, end = run_end(units, 0, count);
    if (units[0] == still && end == count) return 0;
    for (; u < count; u = end) {
        end = run_end(units, u, count);
        isCopied |= units[u] == copied;
        if (units[u] == lit) light_run(f, pair, &near, out, u * unit, end * unit, lines);
    }
    if (!isCopied) return units;
    for (u = 0; u < count; u = end) {
        end = run_end(units, u, count);
        if (units[u] != copied) continue;
        int32_t x = u * unit, columns = (end - u) * unit;
        copy_samples(plate.luma0 + x, out.luma0 + x, columns, p->stride * 2);
        copy_samples(plate.luma1 + x, out.luma1 + x, columns, p->stride * 2);
        copy_samples(plate.chroma + x, out.chroma + x, columns, p->stride);
    }
    for (int32_t n = 0; n < f->moverCount; n++) {
        const csim_layer *l = &f->movers[n];
        if (!l->developed) continue;
        if (l->soft) copy_solid(l, pair, p->width, out, units);
        else copy_sharp(l, pair, p->width, out, units);
    }
    return units;
}
