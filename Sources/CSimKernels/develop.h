#pragma once
#include "window.h"

// Developing: from composed light to words of code and noise deviation.

// Columns are developed in blocks of this size.
enum { block = 32 };

// Rows of working memory, in 16-bit samples: composed light, levels, signals, developed rows, rows for zoom.
enum {
    lineGreen0, lineGreen1, lineRed, lineBlue, lineLevel0, lineLevel1, lineLevelRed, lineLevelGreen, lineLevelBlue, lineSignal0,
    lineSignal1, lineSignalRed, lineSignalGreen, lineSignalBlue,
    lineLuma0, lineLuma1, lineChroma, lineNoise0, lineNoise1, lineNoiseRed, lineNoiseBlue, lineSource,
    lineZoom, lineUnits = lineZoom + 6, lineCount
};

// Composed light of two rows of green and one of red and blue.
typedef struct {
    const uint16_t *green0;
    const uint16_t *green1;
    const uint16_t *red;
    const uint16_t *blue;
} light;

// Developed rows, as words of code and deviation.
typedef struct {
    int16_t *luma0;
    int16_t *luma1;
    int16_t *chroma;
} developed;

// The bits of a word that contain the deviation.
enum { deviationMask = 63 };

// Adds adjacent pairs of two vectors.
#define PAIRS(a, b) \
    (__builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30) \
     + __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31))
// The first and the last eight elements, each repeated once.
#define FIRST_TWICE(v) __builtin_shufflevector(v, v, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7)
#define LAST_TWICE(v) __builtin_shufflevector(v, v, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15)

// The maximum composed light, and the light at the sensor's saturation.
enum { brightest = (1 << 21) - 1, saturation = 1 << 16 };

// Macros, because not every processor can pass vectors of this width to functions.
// Sixteen 16-bit samples, converted to 32 bits.
#define WIDE(s) __builtin_convertvector(*(const v16u_any *)(s), v16w)
// Light, from its square roots.
#define LIGHT(s) (WIDE(s) * WIDE(s) >> 11)
// Exposure, saturation and white balance of a channel.
#define EXPOSED(light, c) MIN(MIN((light) * (c).exposure >> (c).shift, most) * (c).gain >> 11, most)
// The exposure of a channel before saturation, limited to twice the saturation, with white balance.
#define UNCLIPPED(light, c) (MIN((light) * (c).exposure >> (c).shift, most + most) * (c).gain >> 11)
// The table index of light, clamped to 0 … `saturation`.
#define LEVEL(light) \
    __builtin_convertvector( \
        __builtin_elementwise_sqrt( \
            __builtin_convertvector(MIN(MAX(light, (v16i){0}), (v16i){0} + (saturation - 1)) << 8, v16f)), \
        v16u)

// Highlights fade to white from the brightness `fadeBegin` on, and are white at `fadeEnd`; saturation is 65,536.
enum { fadeBegin = 40960, fadeEnd = fadeBegin + (1 << 15) };

// Exposure and white balance of a channel. Light is clipped at the sensor's saturation and again after the gain.
typedef struct {
    uint32_t exposure;
    uint32_t shift;
    uint32_t gain;
} channel;

// Returns the parameters of a channel, with its exposure multiplied by the square of `root` (32,768ths).
CSIM_INLINE channel channel_of(const csim_color *color, int index, uint32_t root) {
    uint32_t exposure = color->exposure[index], shift = color->exposureShift[index];
    if (root != 32768) {
        exposure = (uint32_t)((uint64_t)exposure * root * root >> 30);
        for (; exposure > 2047; exposure >>= 1) shift = shift ? shift - 1 : 0;
    }
    return (channel){exposure, shift, color->gain[index]};
}

// Computes the levels of two rows of `count` columns, a multiple of 32: sensor crosstalk, exposure, white balance, and
// color matrix to BT.709.
//
// There is one sample of red and blue per block of 2x2 pixels. Their differences from green are assumed to be constant
// within a block, as in demosaicing (J. Hamilton, J. Adams, US patent 5,629,734, 1997). They are relative to the green
// of the block, which is clipped and converted in the same way; differences from the mean of possibly clipped pixels
// would tint gray areas. Rows of both matrices sum to 1, so that differences of green within a block do not change.
//
// Highlights fade to white, like those of film and of cameras. If channels saturated one after the other, the hue would
// shift to the nearest pure color. Above `fadeBegin` the channels approach the greatest of them along a smoothstep
// curve; gray stays as it is. The brightness is the mean of the greatest unclipped channel and of the weighted mean of
// all, so that a red lamp fades later than a white one.
CSIM_INLINE void compute_levels(
    const csim_frame *f, light in, int32_t count, uint32_t gain, uint16_t *const lines[lineCount]
) {
    const csim_color *color = &f->color;
    channel red = channel_of(color, 0, gain), green = channel_of(color, 1, gain), blue = channel_of(color, 2, gain);
    v16w crosstalk[9], most = (v16w){0} + saturation, all = (v16w){0} + brightest;
    v16i matrix[9];
    for (int i = 0; i < 9; i++) {
        crosstalk[i] = (v16w){0} + color->crosstalk[i];
        matrix[i] = (v16i){0} + color->matrix[i];
    }
    for (int32_t x = 0; x < count; x += 32) {
        v16w a = LIGHT(in.green0 + x), b = LIGHT(in.green0 + x + 16);
        v16w c = LIGHT(in.green1 + x), d = LIGHT(in.green1 + x + 16);
        v16w r = LIGHT(in.red + x / 2), bl = LIGHT(in.blue + x / 2), g = PAIRS(a + c, b + d) >> 2;
        v16w sensorRed = (crosstalk[0] * r + crosstalk[1] * g + crosstalk[2] * bl) >> 11;
        v16w sensorGreen = (crosstalk[3] * r + crosstalk[4] * g + crosstalk[5] * bl) >> 11;
        v16w sensorBlue = (crosstalk[6] * r + crosstalk[7] * g + crosstalk[8] * bl) >> 11;
        v16i difference = (v16i)(sensorGreen - g);
        v16i differenceFirst = FIRST_TWICE(difference), differenceLast = LAST_TWICE(difference);
#define SENSOR_GREEN(light, difference) \
    EXPOSED((v16w)MIN(MAX((v16i)(light) + (difference), (v16i){0}), (v16i)all), green)
        a = SENSOR_GREEN(a, differenceFirst);
        b = SENSOR_GREEN(b, differenceLast);
        c = SENSOR_GREEN(c, differenceFirst);
        d = SENSOR_GREEN(d, differenceLast);
#undef SENSOR_GREEN
        v16i er = (v16i)EXPOSED(sensorRed, red), eg = (v16i)EXPOSED(sensorGreen, green);
        v16i eb = (v16i)EXPOSED(sensorBlue, blue);
        v16i outRed = (matrix[0] * er + matrix[1] * eg + matrix[2] * eb) >> 12;
        v16i outGreen = (matrix[3] * er + matrix[4] * eg + matrix[5] * eb) >> 12;
        v16i outBlue = (matrix[6] * er + matrix[7] * eg + matrix[8] * eb) >> 12;
        v16w unclippedRed = UNCLIPPED(sensorRed, red), unclippedGreen = UNCLIPPED(sensorGreen, green);
        v16w unclippedBlue = UNCLIPPED(sensorBlue, blue);
        v16w brightness = MAX(MAX(unclippedRed, unclippedGreen), unclippedBlue) / 2
            + (unclippedRed + 2 * unclippedGreen + unclippedBlue) / 8;
        v16i t = (v16i)(MIN(MAX(brightness, (v16w){0} + fadeBegin), (v16w){0} + (fadeEnd - 1)) - fadeBegin) >> 3;
        v16i fade = (t * t >> 12) * (3 * 4096 - 2 * t) >> 12;
        outRed = MIN(MAX(outRed, (v16i){0}), (v16i)most);
        outGreen = MIN(MAX(outGreen, (v16i){0}), (v16i)most);
        outBlue = MIN(MAX(outBlue, (v16i){0}), (v16i)most);
        v16i greatest = MAX(MAX(outRed, outGreen), outBlue);
        outRed += (greatest - outRed) * fade >> 12;
        outGreen += (greatest - outGreen) * fade >> 12;
        outBlue += (greatest - outBlue) * fade >> 12;
        difference = outGreen - eg;
        differenceFirst = FIRST_TWICE(difference);
        differenceLast = LAST_TWICE(difference);
        *(v16u_any *)(lines[lineLevel0] + x) = LEVEL((v16i)a + differenceFirst);
        *(v16u_any *)(lines[lineLevel0] + x + 16) = LEVEL((v16i)b + differenceLast);
        *(v16u_any *)(lines[lineLevel1] + x) = LEVEL((v16i)c + differenceFirst);
        *(v16u_any *)(lines[lineLevel1] + x + 16) = LEVEL((v16i)d + differenceLast);
        *(v16u_any *)(lines[lineLevelRed] + x / 2) = LEVEL(outRed);
        *(v16u_any *)(lines[lineLevelGreen] + x / 2) = LEVEL(outGreen);
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

// Combines codes and deviations (in quarters of a word's unit) into words. Both are dithered, so that their means are
// exact.
#define WORD(code, deviation, dither) \
    ({ \
        v16s part = (v16s)MIN(((deviation) + ((dither) >> 4 & 3)) >> 2, ALL_U(deviationMask)); \
        (ADD_SAT(code, (v16s)((dither) >> 10) - part) & ~deviationMask) | part; \
    })

// Develops `count` columns, a multiple of 32, of a pair of rows. `gain` is the square root of an exposure factor in
// 32,768ths.
CSIM_INLINE void develop(
    const csim_frame *f, int32_t pair, light in, developed out, int32_t count, uint32_t gain,
    uint16_t *const lines[lineCount]
) {
    int16_t *s0 = (int16_t *)lines[lineSignal0], *s1 = (int16_t *)lines[lineSignal1];
    int16_t *sr = (int16_t *)lines[lineSignalRed], *sg = (int16_t *)lines[lineSignalGreen];
    int16_t *sb = (int16_t *)lines[lineSignalBlue];
    uint8_t *n0 = (uint8_t *)lines[lineNoise0], *n1 = (uint8_t *)lines[lineNoise1];
    uint8_t *nr = (uint8_t *)lines[lineNoiseRed], *nb = (uint8_t *)lines[lineNoiseBlue];
    compute_levels(f, in, count, gain, lines);
    look_up(lines[lineLevel0], count, f->tables->green, s0, n0);
    look_up(lines[lineLevel1], count, f->tables->green, s1, n1);
    look_up(lines[lineLevelRed], count / 2, f->tables->red, sr, nr);
    look_up(lines[lineLevelBlue], count / 2, f->tables->blue, sb, nb);
    for (int32_t x = 0; x < count / 2; x++) sg[x] = (int16_t)f->tables->green[lines[lineLevelGreen][x]];
    // A signal of 32,767 is 219 or 255 codes: 256ths of a code are twice the signal times this factor in 65,536ths.
    uint16_t lumaScale = f->fullRange ? 65280 : 56064, lumaBase = f->fullRange ? 128 : 16 * 256 + 128;
    // Cb = (B' - Y') / 1.8556, Cr = (R' - Y') / 1.5748 (Rec. ITU-R BT.709-6, 3), times 224 or 255, divided by 4. With
    // the primaries of BT.2020, the divisors are 1.8814 and 1.4746 (Rec. ITU-R BT.2020-2, table 4).
    int wide = f->wideColor;
    v16s cbScale = ALL_S(wide ? f->fullRange ? 17349 : 15240 : f->fullRange ? 17590 : 15452);
    v16s crScale = ALL_S(wide ? f->fullRange ? 22135 : 19444 : f->fullRange ? 20725 : 18205);
    // The weights of red and blue in luma: 0.2126 and 0.0722 in BT.709, 0.2627 and 0.0593 in BT.2020.
    v16s redWeight = ALL_S(wide ? 17216 : 13933), blueWeight = ALL_S(wide ? 3886 : 4732);
    for (int32_t x = 0; x < count; x += 32) {
        v16s ga = *(v16s_any *)(s0 + x), gb = *(v16s_any *)(s0 + x + 16);
        v16s gc = *(v16s_any *)(s1 + x), gd = *(v16s_any *)(s1 + x + 16);
        v16s tr = *(v16s_any *)(sr + x / 2), tg = *(v16s_any *)(sg + x / 2), tb = *(v16s_any *)(sb + x / 2);
        // Color differences are constant within a block.
        v16s rg = tr - tg, bg = tb - tg;
        v16s d = MULHI_S(rg, redWeight) + MULHI_S(bg, blueWeight);
        v16s cb = MULHI_S(bg - d, cbScale) * 4 + ALL_S(128), cr = MULHI_S(rg - d, crScale) * 4 + ALL_S(128);
        // The deviation of a sum of independent terms, dominated by B' or R'.
        v16u ng = __builtin_convertvector(
            __builtin_shufflevector(
                *(const v32b_any *)(n0 + x), *(const v32b_any *)(n0 + x), 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24,
                26, 28, 30),
            v16u);
        v16u nbx = __builtin_convertvector(*(const v16b_any *)(nb + x / 2), v16u);
        v16u nrx = __builtin_convertvector(*(const v16b_any *)(nr + x / 2), v16u);
        v16u sides = ng * 12, ncb = (nbx * 131 + sides + 128) >> 8, ncr = (nrx * 131 + sides + 128) >> 8;
        v16u even = DITHER(x, pair * 2), odd = DITHER(x, pair * 2 + 1), step = ALL_U(16 * 49471u & 0xffff);
        // Cb and Cr use different dither patterns.
        cb = WORD(cb, ncb, even);
        cr = WORD(cr, ncr, odd);
        *(v16s_any *)(out.chroma + x) =
            __builtin_shufflevector(cb, cr, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        *(v16s_any *)(out.chroma + x + 16) =
            __builtin_shufflevector(cb, cr, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
#define DEVIATION(n) __builtin_convertvector(*(const v16b_any *)(n), v16u)
        v8u dl = __builtin_convertvector(__builtin_shufflevector((v16u)d, (v16u)d, 0, 1, 2, 3, 4, 5, 6, 7), v8u);
        v8u dh = __builtin_convertvector(__builtin_shufflevector((v16u)d, (v16u)d, 8, 9, 10, 11, 12, 13, 14, 15), v8u);
        v16s da = (v16s)(dl | (dl << 16)), db = (v16s)(dh | (dh << 16));
#define LUMA(t, d) \
    (v16s)(MULHI_U((v16u)MAX(ADD_SAT(t, d), ALL_S(0)) << 1, ALL_U(lumaScale)) + ALL_U(lumaBase) + ALL_U(32768))
        *(v16s_any *)(out.luma0 + x) = WORD(LUMA(ga, da), DEVIATION(n0 + x), even);
        *(v16s_any *)(out.luma0 + x + 16) = WORD(LUMA(gb, db), DEVIATION(n0 + x + 16), even + step);
        *(v16s_any *)(out.luma1 + x) = WORD(LUMA(gc, da), DEVIATION(n1 + x), odd);
        *(v16s_any *)(out.luma1 + x + 16) = WORD(LUMA(gd, db), DEVIATION(n1 + x + 16), odd + step);
#undef LUMA
#undef DEVIATION
    }
}

// Sets the pointers to the rows of working memory.
CSIM_INLINE void line_pointers(const csim_frame *f, uint16_t *lines[lineCount]) {
    int64_t length = line_length(f->background->width);
    for (int i = 0; i < lineCount; i++) lines[i] = (uint16_t *)f->scratch + length * i;
}

// Returns the composed light of a pair of rows.
CSIM_INLINE light background_light(const csim_planes *p, int32_t pair) {
    int64_t at = (int64_t)pair * 2 * p->stride, half = (int64_t)pair * (p->stride / 2);
    return (light){p->green + at, p->green + at + p->stride, p->red + half, p->blue + half};
}

// Returns the developed rows of a pair of rows.
CSIM_INLINE developed developed_rows(const csim_planes *p, int32_t pair) {
    int64_t at = (int64_t)pair * 2 * p->stride, half = (int64_t)pair * p->stride;
    return (developed){p->luma + at, p->luma + at + p->stride, p->chroma + half};
}

// Develops a pair of rows of the background if its version is outdated.
CSIM_INLINE void refresh(const csim_frame *f, int32_t pair, int32_t count, uint16_t *const lines[lineCount]) {
    const csim_planes *p = f->background;
    if (p->versions[pair] == f->version) return;
    develop(f, pair, background_light(p, pair), developed_rows(p, pair), count, 32768, lines);
    p->versions[pair] = f->version;
}
