#include "CThreeA.h"
#include <stddef.h>

#define INLINE static inline __attribute__((always_inline))

enum {
    /// Codes from which on a channel counts as clipped, and up to which luma counts as black.
    clipped = 250,
    black = 8,
    /// The same for luma alone: the last bin of the histogram.
    white = 252,
};

INLINE int32_t clamp(int32_t value) { return value < 0 ? 0 : value > 255 ? 255 : value; }

/// A sample's code of eight bits.
INLINE int32_t code_at(const threea_picture *p, int component, int32_t x, int32_t y) {
    const uint8_t *at = p->samples[component] + (ptrdiff_t)y * p->rowBytes[component]
        + (ptrdiff_t)x * p->step[component];
    if (p->wordShift < 0) return *at;
    return clamp(((at[0] | at[1] << 8) + (1 << p->wordShift >> 1)) >> p->wordShift);
}

/// Luma of full range.
INLINE int32_t luma_at(const threea_picture *p, int32_t x, int32_t y) {
    if (p->isRGB) {
        // BT.709's weights in 256ths.
        return (54 * code_at(p, 0, x, y) + 183 * code_at(p, 1, x, y) + 19 * code_at(p, 2, x, y)) >> 8;
    }
    int32_t code = code_at(p, 0, x, y);
    return p->isFullRange ? code : clamp(((code - 16) * 298 + 128) >> 8);
}

INLINE void add_color(const threea_picture *p, int32_t x, int32_t y, int32_t luma, threea_color *color) {
    int32_t red, green, blue;
    color->total++;
    if (p->isRGB) {
        red = code_at(p, 0, x, y);
        green = code_at(p, 1, x, y);
        blue = code_at(p, 2, x, y);
    } else {
        int32_t cb = code_at(p, 1, x >> p->shiftX, y >> p->shiftY) - 128;
        int32_t cr = code_at(p, 2, x >> p->shiftX, y >> p->shiftY) - 128;
        if (!p->isFullRange) {
            // 255 / 224 in 256ths.
            cb = cb * 291 / 256;
            cr = cr * 291 / 256;
        }
        red = clamp(luma + (p->redCr * cr + 2048) / 4096);
        green = clamp(luma - (p->greenCb * cb + p->greenCr * cr + 2048) / 4096);
        blue = clamp(luma + (p->blueCb * cb + 2048) / 4096);
    }
    if (luma <= black || luma >= clipped) return;
    color->roughSums[0] += threea_light[red];
    color->roughSums[1] += threea_light[green];
    color->roughSums[2] += threea_light[blue];
    color->roughCount++;
    if (red >= clipped || green >= clipped || blue >= clipped) return;
    color->sums[0] += threea_light[red];
    color->sums[1] += threea_light[green];
    color->sums[2] += threea_light[blue];
    color->count++;
    uint32_t r = threea_light[red], g = threea_light[green], b = threea_light[blue];
    if (r * 10 > g * 14 || g * 10 > r * 14 || b * 10 > g * 14 || g * 10 > b * 14) return;
    color->greyishSums[0] += r;
    color->greyishSums[1] += g;
    color->greyishSums[2] += b;
    color->greyishCount++;
}

/// The pixels of a zone; in small pictures zones share them.
INLINE void zone(int32_t length, int32_t index, int32_t count, int32_t *begin, int32_t *end) {
    *begin = (int32_t)((int64_t)length * index / count);
    *end = (int32_t)((int64_t)length * (index + 1) / count);
    if (*end <= *begin) *end = *begin + 1;
}

void threea_measure(
    const threea_picture *picture, int32_t columns, int32_t rows, int32_t strideX, int32_t strideY, uint16_t *zones,
    uint16_t *saturated, uint32_t histogram[64], threea_color *color
) {
    const threea_picture p = *picture;
    for (int bin = 0; bin < 64; bin++) histogram[bin] = 0;
    if (color) *color = (threea_color){.count = 0};
    for (int32_t row = 0; row < rows; row++) {
        int32_t top, bottom;
        zone(p.height, row, rows, &top, &bottom);
        for (int32_t column = 0; column < columns; column++) {
            int32_t left, right;
            zone(p.width, column, columns, &left, &right);
            uint64_t sum = 0;
            uint32_t count = 0, clippedCount = 0;
            for (int32_t y = top; y < bottom; y += strideY) {
                for (int32_t x = left; x < right; x += strideX) {
                    int32_t luma = luma_at(&p, x, y);
                    sum += threea_light[luma];
                    count++;
                    clippedCount += luma >= white;
                    histogram[luma >> 2]++;
                    if (color) add_color(&p, x, y, luma, color);
                }
            }
            zones[row * columns + column] = (uint16_t)(count ? sum / count : 0);
            saturated[row * columns + column] = (uint16_t)(count ? 65535 * clippedCount / count : 0);
        }
    }
}

/// The code that carries most of the sharpness: luma, or green.
INLINE int32_t sharp_at(const threea_picture *p, int32_t x, int32_t y) { return code_at(p, p->isRGB ? 1 : 0, x, y); }

uint32_t threea_contrast(
    const threea_picture *picture, int32_t left, int32_t top, int32_t right, int32_t bottom, int32_t strideX,
    int32_t strideY, uint64_t *gradients, uint64_t *luma
) {
    const threea_picture p = *picture;
    uint64_t gradientSum = 0, lumaSum = 0;
    uint32_t count = 0;
    if (left < 1) left = 1;
    if (top < 1) top = 1;
    if (right > p.width - 1) right = p.width - 1;
    if (bottom > p.height - 1) bottom = p.height - 1;
    for (int32_t y = top; y < bottom; y += strideY) {
        for (int32_t x = left; x < right; x += strideX, count++) {
            int32_t a = sharp_at(&p, x - 1, y - 1), b = sharp_at(&p, x, y - 1), c = sharp_at(&p, x + 1, y - 1);
            int32_t d = sharp_at(&p, x - 1, y), e = sharp_at(&p, x + 1, y);
            int32_t f = sharp_at(&p, x - 1, y + 1), g = sharp_at(&p, x, y + 1), h = sharp_at(&p, x + 1, y + 1);
            int32_t across = c + 2 * e + h - a - 2 * d - f, down = f + 2 * g + h - a - 2 * b - c;
            gradientSum += (uint64_t)(across * across + down * down);
            lumaSum += (uint64_t)sharp_at(&p, x, y);
        }
    }
    *gradients = gradientSum;
    *luma = lumaSum;
    return count;
}
