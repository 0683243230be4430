#include "light.h"
#include "moving_layers.h"

// A row of noise begins at a random one of `noiseLength` values. The padding is the maximum width of a frame or depth
// map.
enum { noiseLength = 1 << 16, noisePadding = 1 << 14 };

int64_t csim_ring_size(int32_t width, int32_t rows) {
    return line_length(width) * (rows * 3 * (int64_t)sizeof(uint16_t) + (int64_t)sizeof(uint32_t))
        + rows * 3 * (int64_t)sizeof(int32_t);
}

int64_t csim_scratch_size(int32_t width) { return line_length(width) * lineCount * (int64_t)sizeof(uint16_t); }

int64_t csim_noise_size(void) { return noiseLength + noisePadding; }

void csim_noise_create(int8_t *table) {
    for (int i = 0; i < noiseLength / 2; i++) {
        // The sum of twelve uniform values approximates a normal distribution up to four standard deviations.
        int32_t sum = 0;
        for (int k = 0; k < 3; k++) {
            uint64_t bits = csim_hash((uint64_t)i * 3 + (uint64_t)k);
            for (int j = 0; j < 4; j++) sum += (int32_t)((bits >> (16 * j)) & 0xffff);
        }
        int32_t centered = sum - 6 * 65535;
        int32_t scaled = (centered * 32 + (centered < 0 ? -32768 : 32768)) / 65536;
        table[i] = (int8_t)csim_clamp(scaled, -127, 127);
        // Each value has its opposite in the table, so that the mean is exactly 0.
        table[i + noiseLength / 2] = (int8_t)-table[i];
    }
    memcpy(table + noiseLength, table, noisePadding);
}

// MARK: Developing

// Returns the non-empty columns of a pair of rows of a layer, or the opaque ones of its blurred copy, in whole blocks.
static csim_span occupied_columns(const csim_layer *l, int32_t pair) {
    csim_span all = {INT32_MAX, 0};
    if (l->blurred) {
        uint32_t s = l->blurred->opaqueStart[pair], end = l->blurred->opaqueStart[pair + 1];
        if (s < end) all = (csim_span){l->blurred->opaqueSpans[s].begin, l->blurred->opaqueSpans[end - 1].end};
    } else {
        for (int32_t y = pair * 2; y < pair * 2 + 2; y++) {
            uint32_t s = l->spanStart[y], sEnd = l->spanStart[y + 1], e = l->edgeStart[y], eEnd = l->edgeStart[y + 1];
            if (s < sEnd && l->spans[s].begin < all.begin) all.begin = l->spans[s].begin;
            if (s < sEnd && l->spans[sEnd - 1].end > all.end) all.end = l->spans[sEnd - 1].end;
            if (e < eEnd && l->edges[e].x < all.begin) all.begin = l->edges[e].x;
            if (e < eEnd && l->edges[eEnd - 1].x + 1 > all.end) all.end = l->edges[eEnd - 1].x + 1;
        }
    }
    return (csim_span){all.begin / block * block, (all.end + block - 1) / block * block};
}

CSIM_CLONES void csim_develop_layer(const csim_frame *f, const csim_layer *l) {
    uint16_t *lines[lineCount];
    line_pointers(f, lines);
    for (int32_t pair = 0; pair < f->background->height / 2; pair++) {
        csim_span part = occupied_columns(l, pair);
        if (part.begin >= part.end) continue;
        light in = background_light(f->background, pair);
        in = (light){in.green0 + part.begin, in.green1 + part.begin, in.red + part.begin / 2, in.blue + part.begin / 2};
        develop(f, pair, in, offset_rows(developed_rows(f->background, pair), part.begin), part.end - part.begin, 32768, lines);
    }
}

// MARK: Noise

// Sixteen words with noise added: codes minus 128, in 256ths.
#define NOISY(word, noise) \
    ADD_SAT( \
        word, __builtin_convertvector(*(const v16c_any *)(noise), v16s) * ((word) & deviationMask) << (int16_t)up \
                  >> (int16_t)down)

// Adds noise to a row and rounds it to bytes from `low` to `high`. `room` is the number of samples that `out` has room
// for.
//
// Rows are short and far apart, so that hardware prefetchers restart with each row. Therefore the next rows are
// prefetched, `nextWords` samples and `nextBytes` bytes ahead.
CSIM_INLINE void add_noise(
    const int16_t *words, const int8_t *noise, uint8_t *out, int32_t count, int32_t room, int32_t up, int32_t down,
    uint8_t low, uint8_t high, int64_t nextWords, int64_t nextBytes
) {
    v32b least = ALL_B(low), most = ALL_B(high);
    for (int32_t x = 0; x < count; x += 32) {
        PREFETCH(words + x, nextWords * 2, 0);
        // A cache line has 64 bytes.
        if (!(x & 32)) PREFETCH(out + x, nextBytes, 1);
        v16s a = *(const v16s_any *)(words + x), b = *(const v16s_any *)(words + x + 16);
        v16u c = (v16u)NOISY(a, noise + x) >> 8, d = (v16u)NOISY(b, noise + x + 16) >> 8;
        v32b bytes = MIN(MAX(PACK(c, d) ^ 0x80, least), most);
        if (x + 32 <= room) {
            *(v32b_any *)(out + x) = bytes;
        } else {
            // Both `x` and `room` are multiples of 16.
            *(v16b_any *)(out + x) =
                __builtin_shufflevector(bytes, bytes, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        }
    }
}

// Adds noise to a row and rounds it to 10 bits, in the upper bits of words; `low` and `high` are codes of 8 bits.
CSIM_INLINE void add_noise_to_words(
    const int16_t *words, const int8_t *noise, uint16_t *out, int32_t count, int32_t up, int32_t down, uint8_t low,
    uint8_t high
) {
    // White of 10 bits is 1,023 in the full range, and four times that of 8 bits in the video range.
    v16u least = ALL_U(low << 8), most = ALL_U(high == 255 ? 0xffc0 : high << 8);
    for (int32_t x = 0; x < count; x += 16) {
        v16s word = *(const v16s_any *)(words + x);
        // Words include half a code of 8 bits for rounding; that of 10 bits is a quarter of it.
        v16u rounded = (v16u)ADD_SAT(NOISY(word, noise + x), ALL_S(32 - 128)) ^ 0x8000;
        *(v16u_any *)(out + x) = MIN(MAX(rounded, least), most) & 0xffc0;
    }
}

// The destination and noise of a pair of rows.
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
    int32_t tenBits;
    // The width in samples, rounded up to whole vectors.
    int32_t width;
    // Distances to the next pair of rows.
    int64_t nextLuma;
    int64_t nextChroma;
} destination;

// Adds noise to `count` columns from `x` on, and writes them to the frame. Columns to the right, up to a whole vector,
// are overwritten. The words of the next pair of rows are `next` samples ahead.
CSIM_INLINE void finish(const destination *to, developed from, int64_t next, int32_t x, int32_t count) {
    int32_t room = to->width - x, up = to->shift < 2 ? 2 - to->shift : 0, down = to->shift < 2 ? 0 : to->shift - 2;
    int64_t nextLuma = to->nextLuma, nextChroma = to->nextChroma;
    uint8_t low = to->low, high = to->high;
    from = offset_rows(from, x);
    if (to->tenBits) {
        uint16_t *luma0 = (uint16_t *)to->luma0 + x, *luma1 = (uint16_t *)to->luma1 + x;
        add_noise_to_words(from.luma0, to->noise0 + x, luma0, count, up, down, low, high);
        add_noise_to_words(from.luma1, to->noise1 + x, luma1, count, up, down, low, high);
        add_noise_to_words(
            from.chroma, to->chromaNoise + x, (uint16_t *)to->chroma + x, count, up, down, low, to->chromaHigh);
        return;
    }
    // One of the two shifts is 0. Selecting it here keeps it out of the vector loop.
#define ROWS(up, down) \
    add_noise(from.luma0, to->noise0 + x, to->luma0 + x, count, room, up, down, low, high, next * 2, nextLuma); \
    add_noise(from.luma1, to->noise1 + x, to->luma1 + x, count, room, up, down, low, high, next * 2, nextLuma); \
    add_noise(from.chroma, to->chromaNoise + x, to->chroma + x, count, room, up, down, low, to->chromaHigh, next, nextChroma)
    if (up) {
        ROWS(up, 0);
    } else {
        ROWS(0, down);
    }
#undef ROWS
}

CSIM_CLONES void csim_render(const csim_frame *f) {
    const csim_planes *p = f->background;
    uint16_t *lines[lineCount];
    line_pointers(f, lines);
    zoom_rows rows = {{-1, -1}, {-1, -1}, {-1, -1}};
    developed fresh = {(int16_t *)lines[lineLuma0], (int16_t *)lines[lineLuma1], (int16_t *)lines[lineChroma]};
    // Without zoom, shake and flicker, developed rows of the background and the moving layers are used as they are.
    int usesDevelopedRows = f->windowStep == 65536 && !f->rowGain && !f->tapCount;
    ring_rows ring = {.length = 0};
    if (f->tapCount) ring = ring_of(f);
    int32_t padded = (f->width + block - 1) / block * block, count = (f->width + unit - 1) / unit;
    for (int32_t pair = 0; pair < f->height / 2; pair++) {
        if (f->rowPairs && !f->rowPairs[pair]) continue;
        uint64_t random = csim_hash(f->noiseKey + (uint64_t)pair);
        uint8_t *luma = f->luma + (int64_t)pair * 2 * f->lumaStride;
        destination to = {
            luma, luma + f->lumaStride, f->chroma + (int64_t)pair * f->chromaStride, f->noise + (random & 0xffff),
            f->noise + (random >> 16 & 0xffff), f->noise + (random >> 32 & 0xffff), f->noiseShift,
            f->fullRange ? 0 : 16, f->fullRange ? 255 : 235, f->fullRange ? 255 : 240, f->tenBits, padded,
            f->lumaStride * 2, f->chromaStride};
        if (!usesDevelopedRows) {
            compose_pair(f, pair, &rows, &ring, lines);
            light in = {lines[lineGreen0], lines[lineGreen1], lines[lineRed], lines[lineBlue]};
            develop(f, pair, in, fresh, padded, f->rowGain ? f->rowGain[pair] : 32768, lines);
            finish(&to, fresh, 0, 0, padded);
            continue;
        }
        // Areas without moving layers show the background.
        refresh(f, pair, padded, lines);
        developed planes = developed_rows(p, pair);
        const uint8_t *units = place_moving_layers(f, pair, fresh, lines);
        if (!units) {
            finish(&to, planes, p->stride, 0, padded);
            continue;
        }
        for (int32_t u = 0, end; u < count; u = end) {
            int32_t contents = units[u];
            end = run_end(units, u, count);
            int32_t x = u * unit, columns = (end - u) * unit;
            if (contents == unitBackground) {
                finish(&to, planes, p->stride, x, columns);
            } else if (contents < unitOwned) {
                finish(&to, fresh, 0, x, columns);
            } else {
                const csim_layer *movingLayer = &f->movingLayers[contents - unitOwned];
                finish(&to, layer_rows(movingLayer, pair), movingLayer->developed->stride, x, columns);
            }
        }
    }
}
