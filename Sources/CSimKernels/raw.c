#include "light.h"

// The samples of a sensor before white balance, tone and demosaicing.

// Sixteen samples of a channel: exposure and saturation without gain.
#define UNBALANCED(light, c) MIN((light) * (c).exposure >> (c).shift, most)

// Converts `count` exposed samples, 0 … `saturation`, to codes with noise.
CSIM_INLINE void digitize(
    const csim_raw *raw, const uint32_t *exposed, const int8_t *noise, int32_t count, uint16_t *out
) {
    int32_t range = raw->whiteLevel - raw->blackLevel;
    for (int32_t x = 0; x < count; x++) {
        uint32_t level = exposed[x];
        uint32_t index = level >> 4 < csim_raw_levels ? level >> 4 : csim_raw_levels - 1;
        // In 2,048ths of a code: the table of noise has a deviation of 32, that of deviations has 64ths of a code.
        int64_t code = ((int64_t)level * range >> 5) + noise[x] * (int64_t)raw->deviations[index];
        code = raw->blackLevel + ((code + 1024) >> 11);
        out[x] = (uint16_t)(code < 0 ? 0 : code > raw->whiteLevel ? raw->whiteLevel : code);
    }
}

// Exposes a pair of rows: `colors` receives red, green and blue of both rows for each pixel.
//
// As in `compute_levels`, red and blue differ from green by the same amount in all pixels of a block of 2x2.
CSIM_INLINE void expose(const csim_frame *f, light in, int32_t count, uint32_t gain, uint32_t *const colors[2][3]) {
    const csim_color *color = &f->color;
    channel channels[3] = {channel_of(color, 0, gain), channel_of(color, 1, gain), channel_of(color, 2, gain)};
    v16w crosstalk[9], most = (v16w){0} + saturation, all = (v16w){0} + brightest;
    for (int i = 0; i < 9; i++) crosstalk[i] = (v16w){0} + color->crosstalk[i];
    for (int32_t x = 0; x < count; x += 32) {
        v16w a = LIGHT(in.green0 + x), b = LIGHT(in.green0 + x + 16);
        v16w c = LIGHT(in.green1 + x), d = LIGHT(in.green1 + x + 16);
        v16w r = LIGHT(in.red + x / 2), bl = LIGHT(in.blue + x / 2), g = PAIRS(a + c, b + d) >> 2;
        for (int i = 0; i < 3; i++) {
            const v16w *row = crosstalk + 3 * i;
            v16i difference = (v16i)((row[0] * r + row[1] * g + row[2] * bl) >> 11) - (v16i)g;
            v16i first = FIRST_TWICE(difference), last = LAST_TWICE(difference);
#define SENSOR(light, difference) \
    UNBALANCED((v16w)MIN(MAX((v16i)(light) + (difference), (v16i){0}), (v16i)all), channels[i])
            v16w out[4] = {SENSOR(a, first), SENSOR(b, last), SENSOR(c, first), SENSOR(d, last)};
#undef SENSOR
            memcpy(colors[0][i] + x, out, 2 * sizeof *out);
            memcpy(colors[1][i] + x, out + 2, 2 * sizeof *out);
        }
    }
}

int64_t csim_raw_scratch_size(int32_t width) {
    return csim_scratch_size(width) + line_length(width) * 7 * (int64_t)sizeof(uint32_t);
}

CSIM_CLONES void csim_render_raw(const csim_frame *f, const csim_raw *raw) {
    uint16_t *lines[lineCount];
    line_pointers(f, lines);
    int64_t length = line_length(f->background->width);
    uint32_t *samples = (uint32_t *)((uint8_t *)f->scratch + csim_scratch_size(f->background->width));
    uint32_t *colors[2][3], *mosaic = samples + 6 * length;
    for (int i = 0; i < 6; i++) colors[i / 3][i % 3] = samples + i * length;
    zoom_rows rows = {{-1, -1}, {-1, -1}, {-1, -1}};
    ring_rows ring = {.length = 0};
    if (f->tapCount) ring = ring_of(f);
    int32_t padded = (f->width + block - 1) / block * block;
    for (int32_t pair = 0; pair < f->height / 2; pair++) {
        compose_pair(f, pair, &rows, &ring, lines);
        light in = {lines[lineGreen0], lines[lineGreen1], lines[lineRed], lines[lineBlue]};
        expose(f, in, padded, f->rowGain ? f->rowGain[pair] : 32768, colors);
        for (int row = 0; row < 2; row++) {
            uint64_t random = csim_hash(f->noiseKey + (uint64_t)pair * 2 + (uint64_t)row);
            uint16_t *out = raw->samples + ((int64_t)pair * 2 + row) * raw->stride;
            // Red and green in even rows, green and blue in odd ones.
            for (int32_t x = 0; x < f->width; x++) mosaic[x] = colors[row][row + (x & 1)][x];
            digitize(raw, mosaic, f->noise + (random & 0xffff), f->width, out);
        }
    }
}
