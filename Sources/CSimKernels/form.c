#include "CSimKernels.h"
#include "internal.h"

// Vectors are spelled out, as 16 lanes of 16 bits, so that builds without optimization stay quick too.
typedef uint16_t v16u __attribute__((vector_size(32)));
typedef int16_t v16s __attribute__((vector_size(32)));
typedef uint32_t v8u __attribute__((vector_size(32)));
typedef uint32_t v16w __attribute__((vector_size(64)));
typedef int32_t v16i __attribute__((vector_size(64)));
typedef uint8_t v16b __attribute__((vector_size(16)));
typedef int8_t v16c __attribute__((vector_size(16)));
typedef uint8_t v32b __attribute__((vector_size(32)));
typedef v16u v16u_any __attribute__((aligned(1)));
typedef v16s v16s_any __attribute__((aligned(1)));
typedef v16b v16b_any __attribute__((aligned(1)));
typedef v16c v16c_any __attribute__((aligned(1)));
typedef v32b v32b_any __attribute__((aligned(1)));

#define MULHI_U(a, b) \
    __builtin_convertvector((__builtin_convertvector(a, v16w) * __builtin_convertvector(b, v16w)) >> 16, v16u)
#define MULHI_S(a, b) \
    __builtin_convertvector((__builtin_convertvector(a, v16i) * __builtin_convertvector(b, v16i)) >> 16, v16s)
#define MIN(a, b) __builtin_elementwise_min(a, b)
#define MAX(a, b) __builtin_elementwise_max(a, b)
#define SUB_SAT(a, b) __builtin_elementwise_sub_sat(a, b)
#define ADD_SAT(a, b) __builtin_elementwise_add_sat(a, b)
#define ALL_U(x) ((v16u){0} + (uint16_t)(x))
#define ALL_S(x) ((v16s){0} + (int16_t)(x))

#define JOIN(a, b) \
    __builtin_shufflevector( \
        a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, \
        30, 31)
#define PACK(a, b) __builtin_convertvector(JOIN(a, b), v32b)

enum { noiseLength = 1 << 16, noisePadding = 1 << 13, saturation = 8191 };

// Lines of working memory: composed green (2), red, blue, then those of the zoom's source rows.
enum { lineGreen0, lineGreen1, lineRed, lineBlue, lineSource, lineZoom, lineCount = lineZoom + 6 };

CSIM_INLINE int64_t line_length(int32_t width) { return ((int64_t)width + 63) / 64 * 64 + 64; }

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

// 256, which the compiler must not know (see `channel`).
CSIM_INLINE uint16_t opaque256(void) {
    volatile uint16_t value = 256;
    return value;
}

// Lets a layer's pixel `code` cover a part (256ths) of what lies behind it at `x`.
CSIM_INLINE void mix(
    uint16_t *line, int32_t x, int32_t width, uint8_t code, uint16_t scale, int32_t coverage
) {
    if (x < 0 || x >= width) return;
    int32_t own = (int32_t)(((uint32_t)code << 8) * scale >> 16);
    line[x] = (uint16_t)(line[x] + (own - line[x]) * coverage / 256);
}

// Puts one row of all layers into `line`, in 8,192ths of the square root of saturation.
//
// `plane` picks 0 green, 1 red, 2 blue; red and blue have half the rows and half the columns.
CSIM_INLINE void compose(const csim_frame *f, int32_t row, int plane, uint16_t *line) {
    int half = plane != 0;
    int32_t width = f->width >> half;
    int32_t first = f->layerCount - 1;
    // Whatever lies behind the frontmost layer that fills the whole row stays hidden.
    for (; first > 0; first--) {
        const csim_layer *l = &f->layers[first];
        int32_t y = (half ? row * 2 : row) - l->y;
        if (y < 0 || y >= l->height) continue;
        uint32_t s = l->spanStart[y];
        int32_t x = l->x + (l->rowShift ? l->rowShift[y] : 0);
        if (l->spanStart[y + 1] == s + 1 && l->spans[s].begin + x <= 0 && l->spans[s].end + x >= f->width) break;
    }
    for (int32_t n = first; n < f->layerCount; n++) {
        const csim_layer *l = &f->layers[n];
        int32_t y = (half ? row * 2 : row) - l->y;
        if (y < 0 || y >= l->height) continue;
        int32_t shift = l->x + (l->rowShift ? l->rowShift[y] : 0), left = shift >> half;
        if (left >= width || left + (l->width >> half) <= 0) continue;
        const uint8_t *source = plane == 0 ? l->green + (int64_t)y * l->width
                                           : (plane == 1 ? l->red : l->blue) + (int64_t)(y >> 1) * (l->width >> 1);
        uint16_t scale = plane == 0 ? l->greenScale : plane == 1 ? l->redScale : l->blueScale;
        v16u scales = ALL_U(scale), byte = ALL_U(opaque256() / 2);
        for (uint32_t s = l->spanStart[y]; s < l->spanStart[y + 1]; s++) {
            int32_t begin = l->spans[s].begin + shift, end = l->spans[s].end + shift;
            if (half) {
                // A block of which the span covers one column.
                if (begin & 1) mix(line, begin >> 1, width, source[l->spans[s].begin >> 1], scale, 128);
                if (end & 1) mix(line, end >> 1, width, source[(l->spans[s].end - 1) >> 1], scale, 128);
                begin = (begin + 1) >> 1;
                end >>= 1;
            }
            if (begin < 0) begin = 0;
            if (end > width) end = width;
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
            int32_t x = (l->edges[e].x + shift) >> half;
            mix(line, x, width, source[l->edges[e].x >> half], scale, l->edges[e].coverage >> half);
        }
    }
}

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
    int half = plane != 0;
    int32_t width = f->width >> half, height = f->height >> half;
    int32_t top = (int32_t)(y >> 16), fraction = (int32_t)((y >> 1) & 0x7fff);
    int32_t bottom = top + 1 < height ? top + 1 : top;
    for (int32_t row = top; row <= bottom; row++) {
        if (rows[row & 1] == row) continue;
        compose(f, row, plane, source);
        stretch(source, f->windowX >> half, f->windowStep, width, width, cache[row & 1]);
        rows[row & 1] = row;
    }
    const uint16_t *a = cache[top & 1], *b = cache[bottom & 1];
    for (int32_t i = 0; i < width; i++) line[i] = (uint16_t)(a[i] + (((b[i] - a[i]) * fraction) >> 15));
}

typedef struct {
    v16u gain, noise, darkLevel, darkSlope;
    // 4, 8 and 256, which the compiler must not know: it would fold these factors into the multiplications around them,
    // which then need 32 bits and twice the time.
    v16u four, eight;
    v16s byte;
} channel;

// One vector of a channel: noise, saturation, white balance, transfer; the result is in 32,768ths.
CSIM_INLINE void expose(const uint16_t *line, const int8_t *noise, const channel *c, int unity, v16s *out) {
    v16u v = MIN(*(const v16u_any *)line, ALL_U(16383));
    v16u sigma = c->noise + MULHI_U(SUB_SAT(c->darkLevel, v), c->darkSlope);
    v16s n = __builtin_convertvector(*(const v16c_any *)noise, v16s) * c->byte;
    v = (v16u)MAX((v16s)v + MULHI_S(n, (v16s)sigma), ALL_S(0));
    v16u x;
    if (unity) {
        x = MIN(v, ALL_U(saturation)) * c->eight;
    } else {
        x = MIN(MULHI_U(MIN(v, ALL_U(saturation)) * c->eight, c->gain), ALL_U(16383)) * c->four;
    }
    // ITU-R BT.709-6, 1.2, as a function of the square root x of light: 4.5 x² below x = 0.1342, above it
    // 1.099 x^0.9 - 0.099 by the cubic that is nearest to it in relative error.
    v16u toe = MULHI_U(x, x);
    toe = (toe * 9) >> 2;
    v16u h = ALL_U(9163) - MULHI_U(x, ALL_U(3418));
    h = ALL_U(41271) - MULHI_U(x, h);
    v16u body = SUB_SAT(MULHI_U(x, h), ALL_U(2707));
    v16u dark = (v16u)(x < ALL_U(8795));
    *out = (v16s)MIN((toe & dark) | (body & ~dark), ALL_U(32767));
}

// Two rows of pixels and one of colours from composed lines.
CSIM_INLINE void develop(
    const csim_frame *f, const uint16_t *g0, const uint16_t *g1, const uint16_t *r, const uint16_t *b,
    int32_t pair, const channel *green, const channel *red, const channel *blue, int unity
) {
    uint8_t *y0 = f->luma + (int64_t)pair * 2 * f->lumaStride, *y1 = y0 + f->lumaStride;
    uint8_t *uv = f->chroma + (int64_t)pair * f->chromaStride;
    uint64_t dice = csim_mix(f->noiseKey + (uint64_t)pair);
    const int8_t *ng0 = f->noise + (dice & 0xffff), *ng1 = f->noise + ((dice >> 16) & 0xffff);
    const int8_t *nr = f->noise + ((dice >> 32) & 0xffff), *nb = f->noise + (dice >> 48);
    // Output steps of 65,536ths a step of 32,768ths, and the value that rounds to the nearest.
    uint16_t lumaScale = f->fullRange ? 510 : 438, lumaBase = f->fullRange ? 64 : 2394 + 75;
    // Cb = (B' - Y') / 1.8556, Cr = (R' - Y') / 1.5748, times 224 or 255.
    int16_t cbScale = f->fullRange ? 275 : 241, crScale = f->fullRange ? 324 : 284;
    int16_t cbHalf = (int16_t)(32768 / cbScale), crHalf = (int16_t)(32768 / crScale);
    int16_t chromaLow = f->fullRange ? 0 : 16, chromaHigh = f->fullRange ? 255 : 240;
    for (int32_t x = 0; x < f->width; x += 32) {
        v16s ga, gb, gc, gd, tr, tb;
        expose(g0 + x, ng0 + x, green, unity, &ga);
        expose(g0 + x + 16, ng0 + x + 16, green, unity, &gb);
        expose(g1 + x, ng1 + x, green, unity, &gc);
        expose(g1 + x + 16, ng1 + x + 16, green, unity, &gd);
        expose(r + x / 2, nr + x / 2, red, 0, &tr);
        expose(b + x / 2, nb + x / 2, blue, 0, &tb);
        // The mean of green over each block of 2x2.
        v8u lo = (v8u)((((v16u)ga + (v16u)gc) >> 1)), hi = (v8u)((((v16u)gb + (v16u)gd) >> 1));
        lo = ((lo & 0xffff) + (lo >> 16)) >> 1;
        hi = ((hi & 0xffff) + (hi >> 16)) >> 1;
        v16s tg = (v16s)__builtin_convertvector(
            __builtin_shufflevector(lo, hi, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), v16u);
        // Luma by BT.709's weights 0.2126 and 0.0722: colour differences are taken as constant over a block, as
        // demosaicing does (J. Hamilton, J. Adams, US patent 5,629,734, 1997).
        v16s rg = tr - tg, bg = tb - tg;
        v16s d = MULHI_S(rg, ALL_S(13933)) + MULHI_S(bg, ALL_S(4732));
        v16s cb = MULHI_S(ADD_SAT(bg - d, ALL_S(cbHalf)), ALL_S(cbScale)) + ALL_S(128);
        v16s cr = MULHI_S(ADD_SAT(rg - d, ALL_S(crHalf)), ALL_S(crScale)) + ALL_S(128);
        cb = MAX(MIN(cb, ALL_S(chromaHigh)), ALL_S(chromaLow));
        cr = MAX(MIN(cr, ALL_S(chromaHigh)), ALL_S(chromaLow));
        *(v16s_any *)(uv + x) = cb | (cr << 8);
        v8u dl = __builtin_convertvector(__builtin_shufflevector((v16u)d, (v16u)d, 0, 1, 2, 3, 4, 5, 6, 7), v8u);
        v8u dh = __builtin_convertvector(__builtin_shufflevector((v16u)d, (v16u)d, 8, 9, 10, 11, 12, 13, 14, 15), v8u);
        v16s da = (v16s)(dl | (dl << 16)), db = (v16s)(dh | (dh << 16));
#define LUMA(t, d) MULHI_U((v16u)MAX(ADD_SAT(t, d), ALL_S(0)) + ALL_U(lumaBase), ALL_U(lumaScale))
        v16u la = LUMA(ga, da), lb = LUMA(gb, db), lc = LUMA(gc, da), ld = LUMA(gd, db);
        *(v32b_any *)(y0 + x) = PACK(la, lb);
        *(v32b_any *)(y1 + x) = PACK(lc, ld);
#undef LUMA
    }
}

CSIM_CLONES void csim_form(const csim_frame *f) {
    int64_t length = line_length(f->width);
    uint16_t *lines[lineCount];
    for (int i = 0; i < lineCount; i++) lines[i] = (uint16_t *)f->scratch + length * i;
    v16s byte = ALL_S(opaque256());
    v16u eight = (v16u)byte >> 5, four = (v16u)byte >> 6;
    channel green = {ALL_U(f->greenGain), ALL_U(f->greenNoise), ALL_U(f->darkLevel), ALL_U(f->darkSlope), four, eight, byte};
    channel red = {ALL_U(f->redGain), ALL_U(f->colorNoise), ALL_U(f->darkLevel), ALL_U(f->darkSlope), four, eight, byte};
    channel blue = {ALL_U(f->blueGain), ALL_U(f->colorNoise), ALL_U(f->darkLevel), ALL_U(f->darkSlope), four, eight, byte};
    int zoom = f->windowStep != 65536;
    int32_t greenRows[2] = {-1, -1}, redRows[2] = {-1, -1}, blueRows[2] = {-1, -1};
    for (int32_t pair = 0; pair < f->height / 2; pair++) {
        if (zoom) {
            int64_t y = f->windowY + pair * 2 * f->windowStep;
            zoomed(f, y, 0, lines[lineSource], lines + lineZoom, greenRows, lines[lineGreen0]);
            zoomed(f, y + f->windowStep, 0, lines[lineSource], lines + lineZoom, greenRows, lines[lineGreen1]);
            zoomed(f, y / 2, 1, lines[lineSource], lines + lineZoom + 2, redRows, lines[lineRed]);
            zoomed(f, y / 2, 2, lines[lineSource], lines + lineZoom + 4, blueRows, lines[lineBlue]);
        } else {
            compose(f, pair * 2, 0, lines[lineGreen0]);
            compose(f, pair * 2 + 1, 0, lines[lineGreen1]);
            compose(f, pair, 1, lines[lineRed]);
            compose(f, pair, 2, lines[lineBlue]);
        }
        const uint16_t *g0 = lines[lineGreen0], *g1 = lines[lineGreen1];
        if (f->greenGain == 16384) {
            develop(f, g0, g1, lines[lineRed], lines[lineBlue], pair, &green, &red, &blue, 1);
        } else {
            develop(f, g0, g1, lines[lineRed], lines[lineBlue], pair, &green, &red, &blue, 0);
        }
    }
}
