#include "CSimKernels.h"
#include "internal.h"

CSIM_CLONES void csim_to_422(const csim_image *p, uint8_t *out, int32_t stride, int32_t chromaFirst) {
    for (int32_t y = 0; y < p->height; y++) {
        const uint8_t *luma = p->luma + (int64_t)y * p->lumaStride, *chroma = p->chroma + (int64_t)(y / 2) * p->chromaStride;
        uint8_t *line = out + (int64_t)y * stride;
        int32_t x = 0;
        for (; x + 16 <= p->width; x += 16) {
            v16b l = *(const v16b_any *)(luma + x), c = *(const v16b_any *)(chroma + x);
            v16b a = chromaFirst ? c : l, b = chromaFirst ? l : c;
            *(v32b_any *)(line + 2 * x) = __builtin_shufflevector(
                a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29,
                14, 30, 15, 31);
        }
        for (; x < p->width; x++) {
            line[2 * x + (chromaFirst ? 1 : 0)] = luma[x];
            line[2 * x + (chromaFirst ? 0 : 1)] = chroma[x];
        }
    }
}

// The inverse of Rec. ITU-R BT.709-6, 3, for full-range codes, in 256ths.
CSIM_CLONES void csim_to_bgra(const csim_image *p, uint8_t *out, int32_t stride) {
    for (int32_t y = 0; y < p->height; y++) {
        const uint8_t *luma = p->luma + (int64_t)y * p->lumaStride, *chroma = p->chroma + (int64_t)(y / 2) * p->chromaStride;
        uint8_t *line = out + (int64_t)y * stride;
        for (int32_t x = 0; x < p->width; x++) {
            int32_t l = luma[x] * 256 + 128, cb = chroma[x & ~1] - 128, cr = chroma[x | 1] - 128;
            line[4 * x] = (uint8_t)csim_clamp((l + 475 * cb) >> 8, 0, 255);
            line[4 * x + 1] = (uint8_t)csim_clamp((l - 48 * cb - 120 * cr) >> 8, 0, 255);
            line[4 * x + 2] = (uint8_t)csim_clamp((l + 403 * cr) >> 8, 0, 255);
            line[4 * x + 3] = 255;
        }
    }
}

CSIM_CLONES void csim_bin(const csim_frame *f) {
    for (int32_t y = 0; y + 1 < f->height; y += 2) {
        uint8_t *restrict a = f->luma + (int64_t)y * f->lumaStride, *restrict b = a + f->lumaStride;
        if (f->tenBits) {
            uint16_t *restrict above = (uint16_t *)a, *restrict below = (uint16_t *)b;
            for (int32_t x = 0; x + 1 < f->width; x += 2) {
                uint32_t sum = (uint32_t)above[x] + above[x + 1] + below[x] + below[x + 1];
                above[x] = above[x + 1] = below[x] = below[x + 1] = (uint16_t)((sum + 128) / 4 & 0xffc0);
            }
            continue;
        }
        for (int32_t x = 0; x + 1 < f->width; x += 2)
            a[x] = a[x + 1] = b[x] = b[x + 1] = (uint8_t)((a[x] + a[x + 1] + b[x] + b[x + 1] + 2) / 4);
    }
}
