#include "compose.h"
#include "window.h"

enum { noiseLength = 1 << 16, noisePadding = 1 << 13, block = 32 };

// Lines of working memory, in 16-bit samples: composed light, levels, signals, developed rows, rows of the zoom.
enum {
    lineGreen0, lineGreen1, lineRed, lineBlue, lineLevel0, lineLevel1, lineLevelRed, lineLevelBlue, lineSignal0, lineSignal1, lineSignalRed, lineSignalBlue,
    lineLuma0, lineLuma1, lineChroma, lineNoise0, lineNoise1, lineNoiseChroma, lineNoiseRed, lineNoiseBlue, lineSource,
    lineZoom, lineDirty = lineZoom + 6, lineCount
};

int64_t csim_ring_size(int32_t width, int32_t rows) {
    return line_length(width) * (rows * 3 * (int64_t)sizeof(uint16_t) + (int64_t)sizeof(uint32_t))
        + rows * 3 * (int64_t)sizeof(int32_t);
}

int64_t csim_scratch_size(int32_t width) { return line_length(width) * lineCount * (int64_t)sizeof(uint16_t); }

int64_t csim_noise_size(void) { return noiseLength + noisePadding; }

void csim_noise_make(int8_t *table) {
    for (int i = 0; i < noiseLength / 2; i++) {
        // The sum of twelve uniform values is normal enough out to four standard deviations.
        int32_t sum = 0;
        for (int k = 0; k < 3; k++) {
            uint64_t bits = csim_mix((uint64_t)i * 3 + (uint64_t)k);
            for (int j = 0; j < 4; j++) sum += (int32_t)((bits >> (16 * j)) & 0xffff);
        }
        int32_t centred = sum - 6 * 65535;
        int32_t scaled = (centred * 32 + (centred < 0 ? -32768 : 32768)) / 65536;
        table[i] = (int8_t)csim_clamp(scaled, -127, 127);
        // Each value comes with its opposite, so that the table's mean is exactly 0.
        table[i + noiseLength / 2] = (int8_t)-table[i];
    }
    memcpy(table + noiseLength, table, noisePadding);
}

// MARK: Developing

// Composed light of two rows of pixels and one of colours.
typedef struct {
    const uint16_t *green0;
    const uint16_t *green1;
    const uint16_t *red;
    const uint16_t *blue;
} light;

// The same developed.
typedef struct {
    int16_t *luma0;
    int16_t *luma1;
    int16_t *chroma;
    uint8_t *noise0;
    uint8_t *noise1;
    uint8_t *chromaNoise;
} developed;

// A vector twice as long of pairs that are neighbours is made one of their sums.
#define PAIRS(a, b) \
    (__builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30) \
     + __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31))
// The first and the last eight, each twice.
#define FIRST_TWICE(v) __builtin_shufflevector(v, v, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7)
#define LAST_TWICE(v) __builtin_shufflevector(v, v, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15)

// The most light that is composed, and the light that saturates after the sensor.
enum { brightest = (1 << 21) - 1, saturation = 1 << 16 };

// Macros, as vectors of this width cannot be handed to functions on every processor.
#define WIDE(s) __builtin_convertvector(*(const v16u_any *)(s), v16w)
// The light of square roots.
#define LIGHT(s) (WIDE(s) * WIDE(s) >> 11)
// What a channel makes of light.
#define EXPOSED(light, c) MIN(MIN((light) * (c).exposure >> (c).shift, most) * (c).gain >> 11, most)
// The level of the tables for what may lie outside 0 … `saturation`.
#define LEVEL(light) \
    __builtin_convertvector( \
        __builtin_elementwise_sqrt( \
            __builtin_convertvector(MIN(MAX(light, (v16i){0}), (v16i){0} + (saturation - 1)) << 8, v16f)), \
        v16u)

// The exposure of a channel, and its white balance; light is cut off both at the sensor's saturation and after the gain.
typedef struct {
    uint32_t exposure;
    uint32_t shift;
    uint32_t gain;
} channel;

// The channel of a row whose exposure has a factor, the square of `root` (32,768ths).
CSIM_INLINE channel channel_of(const csim_color *color, int index, uint32_t root) {
    uint32_t exposure = color->exposure[index], shift = color->exposureShift[index];
    if (root != 32768) {
        exposure = (uint32_t)((uint64_t)exposure * root * root >> 30);
        for (; exposure > 2047; exposure >>= 1) shift = shift ? shift - 1 : 0;
    }
    return (channel){exposure, shift, color->gain[index]};
}

// Finds the levels of two rows of `count` columns, a multiple of 32: the scene's colours as the sensor's filters mix them,
// exposed, balanced, and brought back to the colours of BT.709.
//
// Red and blue are known for blocks of 2x2 alone; their differences from green are taken as constant over a block, as
// demosaicing does (J. Hamilton, J. Adams, US patent 5,629,734, 1997). Rows of both matrices come to 1, so that what a pixel
// of green has more or less than its block passes through them as it is.
CSIM_INLINE void find_levels(
    const csim_frame *f, light in, int32_t count, uint32_t gain, uint16_t *const lines[lineCount]
) {
    const csim_color *color = &f->color;
    channel red = channel_of(color, 0, gain), green = channel_of(color, 1, gain), blue = channel_of(color, 2, gain);
    v16w mix[9], most = (v16w){0} + saturation, all = (v16w){0} + brightest;
    v16i matrix[9];
    for (int i = 0; i < 9; i++) {
        mix[i] = (v16w){0} + color->mix[i];
        matrix[i] = (v16i){0} + color->matrix[i];
    }
    for (int32_t x = 0; x < count; x += 32) {
        v16w a = LIGHT(in.green0 + x), b = LIGHT(in.green0 + x + 16);
        v16w c = LIGHT(in.green1 + x), d = LIGHT(in.green1 + x + 16);
        v16w r = LIGHT(in.red + x / 2), bl = LIGHT(in.blue + x / 2), g = PAIRS(a + c, b + d) >> 2;
        v16w seenRed = (mix[0] * r + mix[1] * g + mix[2] * bl) >> 11;
        v16w seenGreen = (mix[3] * r + mix[4] * g + mix[5] * bl) >> 11;
        v16w seenBlue = (mix[6] * r + mix[7] * g + mix[8] * bl) >> 11;
        v16i more = (v16i)(seenGreen - g), moreFirst = FIRST_TWICE(more), moreLast = LAST_TWICE(more);
#define SEEN(light, more) EXPOSED((v16w)MIN(MAX((v16i)(light) + (more), (v16i){0}), (v16i)all), green)
        a = SEEN(a, moreFirst);
        b = SEEN(b, moreLast);
        c = SEEN(c, moreFirst);
        d = SEEN(d, moreLast);
#undef SEEN
        v16i er = (v16i)EXPOSED(seenRed, red), eb = (v16i)EXPOSED(seenBlue, blue);
        v16i eg = (v16i)(PAIRS(a + c, b + d) >> 2);
        v16i outRed = (matrix[0] * er + matrix[1] * eg + matrix[2] * eb) >> 12;
        v16i outGreen = (matrix[3] * er + matrix[4] * eg + matrix[5] * eb) >> 12;
        v16i outBlue = (matrix[6] * er + matrix[7] * eg + matrix[8] * eb) >> 12;
        more = outGreen - eg;
        moreFirst = FIRST_TWICE(more);
        moreLast = LAST_TWICE(more);
        *(v16u_any *)(lines[lineLevel0] + x) = LEVEL((v16i)a + moreFirst);
        *(v16u_any *)(lines[lineLevel0] + x + 16) = LEVEL((v16i)b + moreLast);
        *(v16u_any *)(lines[lineLevel1] + x) = LEVEL((v16i)c + moreFirst);
        *(v16u_any *)(lines[lineLevel1] + x + 16) = LEVEL((v16i)d + moreLast);
        *(v16u_any *)(lines[lineLevelRed] + x / 2) = LEVEL(outRed);
        *(v16u_any *)(lines[lineLevelBlue] + x / 2) = LEVEL(outBlue);
    }
}

// Looks up `count` levels.
CSIM_INLINE void look_up(
    const uint16_t *levels, int32_t count, const uint32_t *table, int16_t *signal, uint8_t *noise
) {
    for (int32_t x = 0; x < count; x++) {
        uint32_t entry = table[levels[x]];
        signal[x] = (int16_t)entry;
        noise[x] = (uint8_t)(entry >> 16);
    }
}

// Develops `count` columns, a multiple of 32; `gain` is the square root of a factor on the exposure in 32,768ths.
CSIM_INLINE void develop(
    const csim_frame *f, light in, developed out, int32_t count, uint32_t gain, uint16_t *const lines[lineCount]
) {
    int16_t *s0 = (int16_t *)lines[lineSignal0], *s1 = (int16_t *)lines[lineSignal1];
    int16_t *sr = (int16_t *)lines[lineSignalRed], *sb = (int16_t *)lines[lineSignalBlue];
    uint8_t *nr = (uint8_t *)lines[lineNoiseRed], *nb = (uint8_t *)lines[lineNoiseBlue];
    find_levels(f, in, count, gain, lines);
    look_up(lines[lineLevel0], count, f->tables->green, s0, out.noise0);
    look_up(lines[lineLevel1], count, f->tables->green, s1, out.noise1);
    look_up(lines[lineLevelRed], count / 2, f->tables->red, sr, nr);
    look_up(lines[lineLevelBlue], count / 2, f->tables->blue, sb, nb);
    // A signal of 32,767 is 219 or 255 codes; 256ths of them are twice it times this, in 65,536ths.
    uint16_t lumaScale = f->fullRange ? 65280 : 56064, lumaBase = f->fullRange ? 128 : 16 * 256 + 128;
    // Cb = (B' - Y') / 1.8556, Cr = (R' - Y') / 1.5748 (Rec. ITU-R BT.709-6, 3), times 224 or 255, and a quarter.
    v16s cbScale = ALL_S(f->fullRange ? 17590 : 15452), crScale = ALL_S(f->fullRange ? 20725 : 18205);
    for (int32_t x = 0; x < count; x += 32) {
        v16s ga = *(v16s_any *)(s0 + x), gb = *(v16s_any *)(s0 + x + 16);
        v16s gc = *(v16s_any *)(s1 + x), gd = *(v16s_any *)(s1 + x + 16);
        v16s tr = *(v16s_any *)(sr + x / 2), tb = *(v16s_any *)(sb + x / 2);
        // The mean of green over each block of 2x2.
        v8u lo = (v8u)((((v16u)ga + (v16u)gc) >> 1)), hi = (v8u)((((v16u)gb + (v16u)gd) >> 1));
        lo = ((lo & 0xffff) + (lo >> 16)) >> 1;
        hi = ((hi & 0xffff) + (hi >> 16)) >> 1;
        v16s tg = (v16s)__builtin_convertvector(
            __builtin_shufflevector(lo, hi, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), v16u);
        // Luma by BT.709's weights 0.2126 and 0.0722; colour differences are constant over a block.
        v16s rg = tr - tg, bg = tb - tg;
        v16s d = MULHI_S(rg, ALL_S(13933)) + MULHI_S(bg, ALL_S(4732));
        v16s cb = MULHI_S(bg - d, cbScale) * 4 + ALL_S(128), cr = MULHI_S(rg - d, crScale) * 4 + ALL_S(128);
        *(v16s_any *)(out.chroma + x) =
            __builtin_shufflevector(cb, cr, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        *(v16s_any *)(out.chroma + x + 16) =
            __builtin_shufflevector(cb, cr, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        // The deviation of a sum of independent parts, of which B' or R' is by far the greatest.
        v16u ng = __builtin_convertvector(
            __builtin_shufflevector(
                *(const v32b_any *)(out.noise0 + x), *(const v32b_any *)(out.noise0 + x), 0, 2, 4, 6, 8, 10, 12, 14, 16,
                18, 20, 22, 24, 26, 28, 30),
            v16u);
        v16u nbx = __builtin_convertvector(*(const v16b_any *)(nb + x / 2), v16u);
        v16u nrx = __builtin_convertvector(*(const v16b_any *)(nr + x / 2), v16u);
        v16u sides = ng * 12, ncb = (nbx * 131 + sides + 128) >> 8, ncr = (nrx * 131 + sides + 128) >> 8;
        *(v16u_any *)(out.chromaNoise + x) = ncb | (ncr << 8);
        v8u dl = __builtin_convertvector(__builtin_shufflevector((v16u)d, (v16u)d, 0, 1, 2, 3, 4, 5, 6, 7), v8u);
        v8u dh = __builtin_convertvector(__builtin_shufflevector((v16u)d, (v16u)d, 8, 9, 10, 11, 12, 13, 14, 15), v8u);
        v16s da = (v16s)(dl | (dl << 16)), db = (v16s)(dh | (dh << 16));
#define LUMA(t, d) \
    (v16s)(MULHI_U((v16u)MAX(ADD_SAT(t, d), ALL_S(0)) << 1, ALL_U(lumaScale)) + ALL_U(lumaBase) + ALL_U(32768))
        *(v16s_any *)(out.luma0 + x) = LUMA(ga, da);
        *(v16s_any *)(out.luma0 + x + 16) = LUMA(gb, db);
        *(v16s_any *)(out.luma1 + x) = LUMA(gc, da);
        *(v16s_any *)(out.luma1 + x + 16) = LUMA(gd, db);
#undef LUMA
    }
}

CSIM_INLINE void find_lines(const csim_frame *f, uint16_t *lines[lineCount]) {
    int64_t length = line_length(f->plate->width);
    for (int i = 0; i < lineCount; i++) lines[i] = (uint16_t *)f->scratch + length * i;
}

CSIM_INLINE light plate_light(const csim_plate *p, int32_t pair) {
    int64_t at = (int64_t)pair * 2 * p->stride, half = (int64_t)pair * (p->stride / 2);
    return (light){p->green + at, p->green + at + p->stride, p->red + half, p->blue + half};
}

CSIM_INLINE developed plate_developed(const csim_plate *p, int32_t pair) {
    int64_t at = (int64_t)pair * 2 * p->stride, half = (int64_t)pair * p->stride;
    return (developed){p->luma + at, p->luma + at + p->stride, p->chroma + half,
                       p->lumaNoise + at, p->lumaNoise + at + p->stride, p->chromaNoise + half};
}

CSIM_CLONES void csim_develop(const csim_frame *f) {
    uint16_t *lines[lineCount];
    find_lines(f, lines);
    int32_t count = (f->plate->width + block - 1) / block * block;
    for (int32_t pair = 0; pair < f->plate->height / 2; pair++)
        develop(f, plate_light(f->plate, pair), plate_developed(f->plate, pair), count, 32768, lines);
}

// MARK: What moves

// Marks the blocks of 32 columns that a mover touches in a pair of rows.
CSIM_INLINE void mark(const csim_layer *l, int32_t pair, int32_t width, uint8_t *dirty) {
    int32_t low = INT32_MAX, high = INT32_MIN;
    if (l->soft) {
        int32_t y = pair * 2 - l->y - l->softY;
        if (y < -1 || y >= l->soft->height) return;
        low = l->softX;
        high = l->softX + l->soft->width;
    } else {
        for (int32_t y = pair * 2 - l->y; y <= pair * 2 + 1 - l->y; y++) {
            if (y < 0 || y >= l->height) continue;
            uint32_t s = l->spanStart[y], sEnd = l->spanStart[y + 1], e = l->edgeStart[y], eEnd = l->edgeStart[y + 1];
            if (s < sEnd && l->spans[s].begin < low) low = l->spans[s].begin;
            if (s < sEnd && l->spans[sEnd - 1].end > high) high = l->spans[sEnd - 1].end;
            if (e < eEnd && l->edges[e].x < low) low = l->edges[e].x;
            if (e < eEnd && l->edges[eEnd - 1].x + 1 > high) high = l->edges[eEnd - 1].x + 1;
        }
        if (low > high) return;
    }
    // A block of 2x2 is touched where one of its pixels is.
    int32_t begin = csim_clamp(low + csim_shift(l, pair * 2) - 1, 0, width);
    int32_t end = csim_clamp(high + csim_shift(l, pair * 2 + 1) + 2, 0, width);
    if (begin < end) memset(dirty + begin / block, 1, (size_t)((end + block - 1) / block - begin / block));
}

// Blends a value of a developed row with what lies behind.
#define BLEND(under, own, coverage) ((under) + ((((own) - (under)) * (coverage)) >> 8))

CSIM_INLINE void blend_chroma(developed out, int32_t at, int32_t width, const csim_plate *p, int64_t row, int32_t from, int32_t coverage) {
    if (at < 0 || at >= width / 2 || from < 0 || from >= p->width / 2) return;
    for (int32_t c = 0; c < 2; c++) {
        int32_t x = 2 * at + c;
        int64_t own = row + 2 * from + c;
        out.chroma[x] = (int16_t)BLEND(out.chroma[x], p->chroma[own], coverage);
        out.chromaNoise[x] = (uint8_t)BLEND(out.chromaNoise[x], p->chromaNoise[own], coverage);
    }
}

// Puts a developed mover over developed rows; its rim, a pixel wide, is mixed in codes.
CSIM_INLINE void overlay_developed(const csim_layer *l, int32_t pair, int32_t width, developed out) {
    const csim_plate *p = l->developed;
    for (int32_t row = pair * 2; row < pair * 2 + 2; row++) {
        int32_t y = row - l->y, shift = csim_shift(l, row);
        if (y < 0 || y >= l->height) continue;
        int16_t *luma = row & 1 ? out.luma1 : out.luma0;
        uint8_t *noise = row & 1 ? out.noise1 : out.noise0;
        const int16_t *own = p->luma + (int64_t)y * p->stride;
        const uint8_t *ownNoise = p->lumaNoise + (int64_t)y * p->stride;
        for (uint32_t s = l->spanStart[y]; s < l->spanStart[y + 1]; s++) {
            int32_t begin = csim_clamp(l->spans[s].begin + shift, 0, width);
            int32_t end = csim_clamp(l->spans[s].end + shift, 0, width);
            if (begin >= end) continue;
            memcpy(luma + begin, own + begin - shift, (size_t)(end - begin) * 2);
            memcpy(noise + begin, ownNoise + begin - shift, (size_t)(end - begin));
        }
        for (uint32_t e = l->edgeStart[y]; e < l->edgeStart[y + 1]; e++) {
            int32_t from = l->edges[e].x, x = from + shift, coverage = l->edges[e].coverage;
            if (x < 0 || x >= width) continue;
            luma[x] = (int16_t)BLEND(luma[x], own[from], coverage);
            noise[x] = (uint8_t)BLEND(noise[x], ownNoise[from], coverage);
        }
    }
    int32_t y = pair * 2 - l->y, shift = csim_shift(l, pair * 2), half = shift >> 1;
    if (y < 0 || y >= l->height) return;
    int64_t row = (int64_t)(y / 2) * p->stride;
    for (uint32_t s = l->spanStart[y]; s < l->spanStart[y + 1]; s++) {
        int32_t first = l->spans[s].begin + shift, last = l->spans[s].end + shift;
        // A block of which the span covers one column.
        if (first & 1) blend_chroma(out, first >> 1, width, p, row, l->spans[s].begin >> 1, 128);
        if (last & 1) blend_chroma(out, last >> 1, width, p, row, (l->spans[s].end - 1) >> 1, 128);
        int32_t begin = csim_clamp((first + 1) >> 1, half > 0 ? half : 0, width / 2);
        int32_t limit = half + p->width / 2 < width / 2 ? half + p->width / 2 : width / 2;
        int32_t end = last >> 1 < limit ? last >> 1 : limit;
        if (begin >= end) continue;
        memcpy(out.chroma + 2 * begin, p->chroma + row + 2 * (begin - half), (size_t)(end - begin) * 4);
        memcpy(out.chromaNoise + 2 * begin, p->chromaNoise + row + 2 * (begin - half), (size_t)(end - begin) * 2);
    }
    for (uint32_t e = l->edgeStart[y]; e < l->edgeStart[y + 1]; e++) {
        int32_t from = l->edges[e].x;
        blend_chroma(out, (from + shift) >> 1, width, p, row, from >> 1, l->edges[e].coverage >> 1);
    }
}

CSIM_INLINE developed moved(developed d, int32_t x) {
    return (developed){d.luma0 + x, d.luma1 + x, d.chroma + x, d.noise0 + x, d.noise1 + x, d.chromaNoise + x};
}

// Composes and develops anew what movers out of focus touch, from column `x` on.
CSIM_INLINE void develop_run(const csim_frame *f, light in, developed out, int32_t x, int32_t count, uint16_t *const lines[lineCount]) {
    light part = {in.green0 + x, in.green1 + x, in.red + x / 2, in.blue + x / 2};
    develop(f, part, moved(out, x), count, 32768, lines);
}

// Fills the dirty blocks of a pair of rows in `out`; false where no mover touches it.
CSIM_INLINE int place_movers(const csim_frame *f, int32_t pair, developed out, uint16_t *const lines[lineCount]) {
    const csim_plate *p = f->plate;
    int32_t blocks = (p->width + block - 1) / block, isSoft = 0;
    uint8_t *dirty = (uint8_t *)lines[lineDirty];
    memset(dirty, 0, (size_t)blocks + 1);
    for (int32_t n = 0; n < f->moverCount; n++) {
        mark(&f->movers[n], pair, p->width, dirty);
        isSoft |= !f->movers[n].developed;
    }
    if (!memchr(dirty, 1, (size_t)blocks)) return 0;
    light from = plate_light(p, pair);
    light fresh = {lines[lineGreen0], lines[lineGreen1], lines[lineRed], lines[lineBlue]};
    developed still = plate_developed(p, pair);
    for (int32_t b = 0; b < blocks; b++) {
        if (!dirty[b]) continue;
        int32_t x = b * block;
        if (isSoft) {
            memcpy(lines[lineGreen0] + x, from.green0 + x, block * 2);
            memcpy(lines[lineGreen1] + x, from.green1 + x, block * 2);
            memcpy(lines[lineRed] + x / 2, from.red + x / 2, block);
            memcpy(lines[lineBlue] + x / 2, from.blue + x / 2, block);
        } else {
            memcpy(out.luma0 + x, still.luma0 + x, block * 2);
            memcpy(out.luma1 + x, still.luma1 + x, block * 2);
            memcpy(out.chroma + x, still.chroma + x, block * 2);
            memcpy(out.noise0 + x, still.noise0 + x, block);
            memcpy(out.noise1 + x, still.noise1 + x, block);
            memcpy(out.chromaNoise + x, still.chromaNoise + x, block);
        }
    }
    if (!isSoft) {
        for (int32_t n = 0; n < f->moverCount; n++) overlay_developed(&f->movers[n], pair, p->width, out);
        return 1;
    }
    overlay(f, pair * 2, 0, lines[lineGreen0]);
    overlay(f, pair * 2 + 1, 0, lines[lineGreen1]);
    overlay(f, pair, 1, lines[lineRed]);
    overlay(f, pair, 2, lines[lineBlue]);
    for (int32_t b = 0; b < blocks; b++) {
        if (!dirty[b]) continue;
        int32_t first = b;
        while (b + 1 < blocks && dirty[b + 1]) b++;
        develop_run(f, fresh, out, first * block, (b + 1 - first) * block, lines);
    }
    return 1;
}

// MARK: Zoom

// Stretches the window's columns of `source` over `line`, by linear interpolation.
CSIM_INLINE void stretch(const uint16_t *source, int64_t x, int64_t step, int32_t limit, int32_t count, uint16_t *line) {
    for (int32_t i = 0; i < count; i++, x += step) {
        int32_t left = (int32_t)(x >> 16), fraction = (int32_t)((x >> 1) & 0x7fff);
        int32_t right = left + 1 < limit ? left + 1 : left;
        line[i] = (uint16_t)(source[left] + (((source[right] - source[left]) * fraction) >> 15));
    }
}

// The row of the zoomed picture at `y` (65,536ths) in `line`; `cache` holds two stretched rows, `rows` their numbers.
CSIM_INLINE void zoomed(
    const csim_frame *f, int64_t y, int plane, uint16_t *source, uint16_t *cache[2], int32_t rows[2], uint16_t *line
) {
    const csim_plate *p = f->plate;
    int half = plane != 0;
    int32_t width = p->width >> half, height = p->height >> half, columns = f->width >> half;
    const uint16_t *plate = plane == 0 ? p->green : plane == 1 ? p->red : p->blue;
    int32_t top = (int32_t)(y >> 16), fraction = (int32_t)((y >> 1) & 0x7fff);
    int32_t bottom = top + 1 < height ? top + 1 : top;
    for (int32_t row = top; row <= bottom; row++) {
        if (rows[row & 1] == row) continue;
        memcpy(source, plate + (int64_t)row * (p->stride >> half), (size_t)width * 2);
        overlay(f, row, plane, source);
        stretch(source, f->windowX >> half, f->windowStep, width, columns, cache[row & 1]);
        rows[row & 1] = row;
    }
    const uint16_t *a = cache[top & 1], *b = cache[bottom & 1];
    for (int32_t i = 0; i < columns; i++) line[i] = (uint16_t)(a[i] + (((b[i] - a[i]) * fraction) >> 15));
}

typedef struct {
    int32_t green[2];
    int32_t red[2];
    int32_t blue[2];
} zoom_rows;

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
    light from = plate_light(f->plate, pair);
    size_t bytes = (size_t)f->plate->width * 2;
    memcpy(lines[lineGreen0], from.green0, bytes);
    memcpy(lines[lineGreen1], from.green1, bytes);
    memcpy(lines[lineRed], from.red, bytes / 2);
    memcpy(lines[lineBlue], from.blue, bytes / 2);
    overlay(f, pair * 2, 0, lines[lineGreen0]);
    overlay(f, pair * 2 + 1, 0, lines[lineGreen1]);
    overlay(f, pair, 1, lines[lineRed]);
    overlay(f, pair, 2, lines[lineBlue]);
}

// MARK: Grain

// Adds noise to a row and rounds it to bytes from `low` to `high`; whole vectors of 32 are written.
CSIM_INLINE void grain(
    const int16_t *value, const uint8_t *deviation, const int8_t *noise, uint8_t *out, int32_t count, int32_t shift,
    uint8_t low, uint8_t high
) {
    v32b least = ALL_B(low), most = ALL_B(high);
    for (int32_t x = 0; x < count; x += 32) {
        v16s na = __builtin_convertvector(*(const v16c_any *)(noise + x), v16s);
        v16s nb = __builtin_convertvector(*(const v16c_any *)(noise + x + 16), v16s);
        v16s da = __builtin_convertvector(*(const v16b_any *)(deviation + x), v16s);
        v16s db = __builtin_convertvector(*(const v16b_any *)(deviation + x + 16), v16s);
        v16s a = ADD_SAT(*(const v16s_any *)(value + x), (na * da) >> (int16_t)shift);
        v16s b = ADD_SAT(*(const v16s_any *)(value + x + 16), (nb * db) >> (int16_t)shift);
        v16u ua = ((v16u)a ^ 0x8000) >> 8, ub = ((v16u)b ^ 0x8000) >> 8;
        *(v32b_any *)(out + x) = MIN(MAX(PACK(ua, ub), least), most);
    }
}

// The bytes of a pair of rows.
typedef struct {
    uint8_t *luma0;
    uint8_t *luma1;
    uint8_t *chroma;
    const int8_t *noise0;
    const int8_t *noise1;
    const int8_t *chromaNoise;
    int32_t shift;
    uint8_t low;
    uint8_t high;
    uint8_t chromaHigh;
} bytes;

CSIM_INLINE void finish(const bytes *to, developed from, int32_t x, int32_t count) {
    from = moved(from, x);
    grain(from.luma0, from.noise0, to->noise0 + x, to->luma0 + x, count, to->shift, to->low, to->high);
    grain(from.luma1, from.noise1, to->noise1 + x, to->luma1 + x, count, to->shift, to->low, to->high);
    grain(from.chroma, from.chromaNoise, to->chromaNoise + x, to->chroma + x, count, to->shift, to->low, to->chromaHigh);
}

CSIM_CLONES void csim_form(const csim_frame *f) {
    const csim_plate *p = f->plate;
    uint16_t *lines[lineCount];
    find_lines(f, lines);
    zoom_rows rows = {{-1, -1}, {-1, -1}, {-1, -1}};
    developed fresh = {
        (int16_t *)lines[lineLuma0], (int16_t *)lines[lineLuma1], (int16_t *)lines[lineChroma],
        (uint8_t *)lines[lineNoise0], (uint8_t *)lines[lineNoise1], (uint8_t *)lines[lineNoiseChroma]};
    int isPlain = f->windowStep == 65536 && !f->rowGain && !f->tapCount;
    ring_rows ring = {.length = 0};
    if (f->tapCount) ring = find_ring(f);
    int32_t blocks = (f->width + block - 1) / block, padded = blocks * block;
    const uint8_t *dirty = (const uint8_t *)lines[lineDirty];
    for (int32_t pair = 0; pair < f->height / 2; pair++) {
        uint64_t dice = csim_mix(f->noiseKey + (uint64_t)pair);
        uint8_t *luma = f->luma + (int64_t)pair * 2 * f->lumaStride;
        bytes to = {luma, luma + f->lumaStride, f->chroma + (int64_t)pair * f->chromaStride, f->noise + (dice & 0xffff),
                    f->noise + (dice >> 16 & 0xffff), f->noise + (dice >> 32 & 0xffff), f->noiseShift,
                    f->fullRange ? 0 : 16, f->fullRange ? 255 : 235, f->fullRange ? 255 : 240};
        if (!isPlain) {
            compose_pair(f, pair, &rows, &ring, lines);
            light in = {lines[lineGreen0], lines[lineGreen1], lines[lineRed], lines[lineBlue]};
            develop(f, in, fresh, padded, f->rowGain ? f->rowGain[pair] : 32768, lines);
            finish(&to, fresh, 0, padded);
            continue;
        }
        developed still = plate_developed(p, pair);
        if (!place_movers(f, pair, fresh, lines)) {
            finish(&to, still, 0, padded);
            continue;
        }
        for (int32_t b = 0; b < blocks; b++) {
            int32_t first = b;
            while (b + 1 < blocks && dirty[b + 1] == dirty[first]) b++;
            finish(&to, dirty[first] ? fresh : still, first * block, (b + 1 - first) * block);
        }
    }
}
