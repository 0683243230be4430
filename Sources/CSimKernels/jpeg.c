#include "CSimKernels.h"
#include "internal.h"

// A baseline JPEG encoder (Rec. ITU-T T.81) for cameras that deliver JPEG: 4:2:0, with the tables of annex K.

// Annex K.1 and K.2 in row-major order.
static const uint8_t quantizers[2][64] = {
    {16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62,
     18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99},
    {17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99, 99, 99, 99,
     99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99}};

static const uint8_t zigzag[64] = {
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

// Annex K.3: number of codes of each length, and their symbols; DC then AC, luma then chroma.
static const uint8_t lengths[4][16] = {
    {0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0}, {0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125},
    {0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0}, {0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119}};
static const uint8_t dcSymbols[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const uint8_t acSymbols[2][162] = {
    {0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22, 0x71, 0x14, 0x32, 0x81,
     0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52, 0xd1, 0xf0, 0x24, 0x33, 0x62, 0x72, 0x82, 0x09, 0x0a, 0x16, 0x17, 0x18,
     0x19, 0x1a, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48,
     0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75,
     0x76, 0x77, 0x78, 0x79, 0x7a, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99,
     0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3,
     0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5,
     0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa},
    {0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61, 0x71, 0x13, 0x22, 0x32, 0x81, 0x08,
     0x14, 0x42, 0x91, 0xa1, 0xb1, 0xc1, 0x09, 0x23, 0x33, 0x52, 0xf0, 0x15, 0x62, 0x72, 0xd1, 0x0a, 0x16, 0x24, 0x34, 0xe1, 0x25,
     0xf1, 0x17, 0x18, 0x19, 0x1a, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45, 0x46, 0x47,
     0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74,
     0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97,
     0x98, 0x99, 0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba,
     0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe2, 0xe3, 0xe4,
     0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa}};

typedef struct {
    uint16_t code[256];
    uint8_t length[256];
} huffman;

typedef struct {
    uint8_t *out;
    // The low `count` bits, fewer than eight, are not written yet.
    uint64_t bits;
    int32_t count;
    huffman tables[4];
    uint16_t quantizers[2][64];
} writer;

static void put_byte(writer *w, int32_t byte) { *w->out++ = (uint8_t)byte; }

static void put_word(writer *w, int32_t word) {
    put_byte(w, word >> 8);
    put_byte(w, word);
}

CSIM_INLINE void put_bits(writer *w, uint32_t bits, int32_t count) {
    w->bits = (w->bits << count) | bits;
    w->count += count;
    while (w->count >= 8) {
        w->count -= 8;
        uint8_t byte = (uint8_t)(w->bits >> w->count);
        *w->out++ = byte;
        if (byte == 0xff) *w->out++ = 0;
    }
}

// Annex C: codes in order of their lengths.
static void build_table(huffman *table, const uint8_t *lengthCounts, const uint8_t *symbols) {
    uint32_t code = 0;
    for (int length = 1; length <= 16; length++) {
        for (int i = 0; i < lengthCounts[length - 1]; i++, code++, symbols++) {
            table->code[*symbols] = (uint16_t)code;
            table->length[*symbols] = (uint8_t)length;
        }
        code <<= 1;
    }
}

// cos(kπ/16) in 8,192ths.
enum { c1 = 8035, c2 = 7568, c3 = 6811, c4 = 5793, c5 = 4551, c6 = 3135, c7 = 1598 };

// Computes twice the orthonormal discrete cosine transform of eight samples with stride `step` (annex A.3.3), shifted
// right.
CSIM_INLINE void transform(int32_t *v, int32_t step, int32_t shift) {
    int32_t s0 = v[0] + v[7 * step], s1 = v[step] + v[6 * step], s2 = v[2 * step] + v[5 * step], s3 = v[3 * step] + v[4 * step];
    int32_t d0 = v[0] - v[7 * step], d1 = v[step] - v[6 * step], d2 = v[2 * step] - v[5 * step], d3 = v[3 * step] - v[4 * step];
    int32_t half = 1 << (shift - 1);
    v[0] = ((s0 + s1 + s2 + s3) * c4 + half) >> shift;
    v[4 * step] = ((s0 - s1 - s2 + s3) * c4 + half) >> shift;
    v[2 * step] = ((s0 - s3) * c2 + (s1 - s2) * c6 + half) >> shift;
    v[6 * step] = ((s0 - s3) * c6 - (s1 - s2) * c2 + half) >> shift;
    v[step] = (c1 * d0 + c3 * d1 + c5 * d2 + c7 * d3 + half) >> shift;
    v[3 * step] = (c3 * d0 - c7 * d1 - c1 * d2 - c5 * d3 + half) >> shift;
    v[5 * step] = (c5 * d0 - c1 * d1 + c7 * d2 + c3 * d3 + half) >> shift;
    v[7 * step] = (c7 * d0 - c5 * d1 + c3 * d2 - c1 * d3 + half) >> shift;
}

CSIM_INLINE int32_t magnitude(int32_t value) { return value ? 32 - __builtin_clz((uint32_t)(value < 0 ? -value : value)) : 0; }

CSIM_INLINE void put_value(writer *w, int32_t value, int32_t size) {
    put_bits(w, (uint32_t)(value < 0 ? value + (1 << size) - 1 : value), size);
}

// Encodes a block of samples centered at 0. `kind` is 0 for luma, 1 for chroma.
static void put_block(writer *w, int32_t *samples, int kind, int32_t *lastDC) {
    for (int i = 0; i < 8; i++) transform(samples + 8 * i, 1, 10);
    for (int i = 0; i < 8; i++) transform(samples + i, 8, 18);
    const huffman *dc = &w->tables[kind * 2], *ac = &w->tables[kind * 2 + 1];
    int32_t run = 0;
    for (int i = 0; i < 64; i++) {
        int32_t q = w->quantizers[kind][i], v = samples[zigzag[i]];
        v = v < 0 ? -((-v + q / 2) / q) : (v + q / 2) / q;
        if (i == 0) {
            int32_t difference = v - *lastDC, size = magnitude(difference);
            *lastDC = v;
            put_bits(w, dc->code[size], dc->length[size]);
            if (size) put_value(w, difference, size);
        } else if (v == 0) {
            run++;
        } else {
            for (; run > 15; run -= 16) put_bits(w, ac->code[0xf0], ac->length[0xf0]);
            int32_t size = magnitude(v), symbol = run << 4 | size;
            put_bits(w, ac->code[symbol], ac->length[symbol]);
            put_value(w, v, size);
            run = 0;
        }
    }
    if (run) put_bits(w, ac->code[0], ac->length[0]);
}

static void put_header(writer *w, const csim_image *p) {
    put_word(w, 0xffd8);
    // JFIF 1.01, no density.
    static const uint8_t app0[] = {0xff, 0xe0, 0, 16, 'J', 'F', 'I', 'F', 0, 1, 1, 0, 0, 1, 0, 1, 0, 0};
    memcpy(w->out, app0, sizeof app0);
    w->out += sizeof app0;
    for (int kind = 0; kind < 2; kind++) {
        put_word(w, 0xffdb);
        put_word(w, 67);
        put_byte(w, kind);
        for (int i = 0; i < 64; i++) put_byte(w, w->quantizers[kind][i]);
    }
    put_word(w, 0xffc0);
    put_word(w, 17);
    put_byte(w, 8);
    put_word(w, p->height);
    put_word(w, p->width);
    static const uint8_t components[] = {3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1};
    memcpy(w->out, components, sizeof components);
    w->out += sizeof components;
    for (int table = 0; table < 4; table++) {
        int32_t isAC = table & 1, kind = table >> 1, count = isAC ? 162 : 12;
        put_word(w, 0xffc4);
        put_word(w, 19 + count);
        put_byte(w, isAC << 4 | kind);
        memcpy(w->out, lengths[table], 16);
        memcpy(w->out + 16, isAC ? acSymbols[kind] : dcSymbols, (size_t)count);
        w->out += 16 + count;
    }
    static const uint8_t scan[] = {0xff, 0xda, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0};
    memcpy(w->out, scan, sizeof scan);
    w->out += sizeof scan;
}

int64_t csim_jpeg_capacity(int32_t width, int32_t height) {
    // A coefficient takes at most 26 bits; the rest of four bytes is for stuffed bytes. 1,024 bytes are for the header.
    int64_t blocks = (int64_t)((width + 15) / 16) * ((height + 15) / 16) * 6;
    return 1024 + blocks * 64 * 4;
}

int64_t csim_to_jpeg(const csim_image *p, int32_t quality, uint8_t *out) {
    writer w = {.out = out};
    int32_t scale = quality < 50 ? 5000 / (quality < 1 ? 1 : quality) : 200 - 2 * quality;
    for (int kind = 0; kind < 2; kind++) {
        for (int i = 0; i < 64; i++)
            w.quantizers[kind][i] = (uint16_t)csim_clamp((quantizers[kind][zigzag[i]] * scale + 50) / 100, 1, 255);
    }
    for (int table = 0; table < 4; table++)
        build_table(&w.tables[table], lengths[table], table & 1 ? acSymbols[table >> 1] : dcSymbols);
    put_header(&w, p);
    int32_t last[3] = {0, 0, 0};
    for (int32_t top = 0; top < p->height; top += 16) {
        for (int32_t left = 0; left < p->width; left += 16) {
            // JFIF uses BT.601's weights: convert from BT.709 with factors in 4,096ths.
            int32_t blocks[6][64];
            for (int32_t y = 0; y < 8; y++) {
                int32_t row = csim_clamp(top / 2 + y, 0, p->height / 2 - 1);
                const uint8_t *chroma = p->chroma + (int64_t)row * p->chromaStride;
                for (int32_t x = 0; x < 8; x++) {
                    int32_t column = csim_clamp(left / 2 + x, 0, p->width / 2 - 1);
                    int32_t cb = chroma[2 * column] - 128, cr = chroma[2 * column + 1] - 128;
                    int32_t shift = (416 * cb + 803 * cr + 2048) >> 12;
                    blocks[4][y * 8 + x] = csim_clamp((4055 * cb - 453 * cr + 2048) >> 12, -128, 127);
                    blocks[5][y * 8 + x] = csim_clamp((4028 * cr - 297 * cb + 2048) >> 12, -128, 127);
                    for (int32_t i = 0; i < 4; i++) {
                        int32_t px = 2 * x + (i & 1), py = 2 * y + (i >> 1);
                        const uint8_t *luma = p->luma + (int64_t)csim_clamp(top + py, 0, p->height - 1) * p->lumaStride;
                        int32_t value = luma[csim_clamp(left + px, 0, p->width - 1)] + shift;
                        blocks[(py >> 3) * 2 + (px >> 3)][(py & 7) * 8 + (px & 7)] = csim_clamp(value, 0, 255) - 128;
                    }
                }
            }
            for (int i = 0; i < 4; i++) put_block(&w, blocks[i], 0, &last[0]);
            put_block(&w, blocks[4], 1, &last[1]);
            put_block(&w, blocks[5], 1, &last[2]);
        }
    }
    if (w.count) put_bits(&w, (1u << (8 - w.count)) - 1, 8 - w.count);
    put_word(&w, 0xffd9);
    return w.out - out;
}
