#include "CThreeA.h"
#include <stddef.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum {
    /// The lowest clipped code of a channel.
    clipped = 250,
    /// The highest luma code that counts as black.
    black = 8,
    /// The lowest clipped luma code, in the last bin of the histogram.
    white = 252,
};

INLINE int32_t clamp(int32_t value) { return value < 0 ? 0 : value > 255 ? 255 : value; }

/// Returns a sample as an 8-bit code.
INLINE int32_t code_at(const threea_image *p, int component, int32_t x, int32_t y) {
    const uint8_t *at = p->samples[component] + (ptrdiff_t)y * p->rowBytes[component]
        + (ptrdiff_t)x * p->step[component];
    if (p->wordShift < 0) return *at;
    return clamp(((at[0] | at[1] << 8) + (1 << p->wordShift >> 1)) >> p->wordShift);
}

/// Returns full-range luma.
INLINE int32_t luma_at(const threea_image *p, int32_t x, int32_t y) {
    if (p->isRGB) {
        // The weights of BT.709, multiplied by 256.
        return (54 * code_at(p, 0, x, y) + 183 * code_at(p, 1, x, y) + 19 * code_at(p, 2, x, y)) >> 8;
    }
    int32_t code = code_at(p, 0, x, y);
    return p->isFullRange ? code : clamp(((code - 16) * 298 + 128) >> 8);
}

/// Returns the binary logarithm of the number of adjacent chroma samples that are averaged for one sample of color: at
/// most 1/32 of a row and at most eight.
///
/// Without averaging, a tint is hidden in dim light, because noise changes the color of some samples to gray. Noise
/// also increases the mean light of a channel, because the transfer function is convex.
INLINE int32_t chroma_shift(const threea_image *p) {
    int32_t columns = p->width >> p->shiftX, shift = 0;
    while (!p->isRGB && shift < 3 && columns >> (shift + 6)) shift++;
    return shift;
}

/// Computes the mean codes of the 2^`shift` chroma samples of a row around a pixel.
INLINE void mean_chroma(const threea_image *p, int32_t x, int32_t y, int32_t shift, int32_t *cb, int32_t *cr) {
    int32_t count = 1 << shift, first = (x >> p->shiftX) - count / 2, last = (p->width >> p->shiftX) - count;
    first = first < 0 ? 0 : first > last && shift ? last : first;
    uint64_t blue = 0, red = 0;
    if (count >= 4 && p->wordShift < 0 && p->step[1] == 2 && p->samples[2] == p->samples[1] + 1) {
        const uint8_t *at = p->samples[1] + (ptrdiff_t)(y >> p->shiftY) * p->rowBytes[1] + (ptrdiff_t)first * 2;
        uint64_t blues = 0, reds = 0, four;
        for (int32_t i = 0; i < count; i += 4) {
            memcpy(&four, at + 2 * i, sizeof four);
            blues += four & 0x00ff00ff00ff00ff;
            reds += four >> 8 & 0x00ff00ff00ff00ff;
        }
        // The sum of the four 16-bit parts.
        blue = (blues * 0x0001000100010001) >> 48;
        red = (reds * 0x0001000100010001) >> 48;
    } else {
        for (int32_t i = first; i < first + count; i++) {
            blue += (uint32_t)code_at(p, 1, i, y >> p->shiftY);
            red += (uint32_t)code_at(p, 2, i, y >> p->shiftY);
        }
    }
    *cb = (int32_t)((blue + (uint32_t)count / 2) >> shift);
    *cr = (int32_t)((red + (uint32_t)count / 2) >> shift);
}

/// Adds a sample to the sums of colors. `luma` is its full-range luma, `shift` that of `chroma_shift`.
INLINE void add_color(
    const threea_image *p, int32_t x, int32_t y, int32_t luma, int32_t shift, threea_color *color
) {
    int32_t red, green, blue;
    color->total++;
    if (p->isRGB) {
        red = code_at(p, 0, x, y);
        green = code_at(p, 1, x, y);
        blue = code_at(p, 2, x, y);
    } else {
        int32_t cb, cr;
        mean_chroma(p, x, y, shift, &cb, &cr);
        cb -= 128;
        cr -= 128;
        if (!p->isFullRange) {
            // 255 / 224, multiplied by 256.
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
    // Half an EV is a factor of about 1.4.
    if (r * 10 > g * 14 || g * 10 > r * 14 || b * 10 > g * 14 || g * 10 > b * 14) return;
    color->grayishSums[0] += r;
    color->grayishSums[1] += g;
    color->grayishSums[2] += b;
    color->grayishCount++;
}

/// The intermediate results of `add_color`, precomputed for all luma and chroma codes.
typedef struct {
    /// Indexed by an unclamped channel code plus `channel_offset`: the light of the clamped code, and the range of red
    /// and blue light that is grayish together with this green.
    struct {
        int32_t light;
        int32_t low;
        int32_t high;
    } channel[3 * 256];
    /// Indexed by a chroma code: the differences to luma. Those of green are multiplied by 4,096.
    struct {
        int32_t red;
        int32_t blue;
        int32_t greenCb;
        int32_t greenCr;
    } chroma[256];
} color_tables;

/// The offset that is added to an unclamped channel code to get an index.
enum { channel_offset = 256 };

/// Limits a value to -`magnitude` … `magnitude`.
INLINE int32_t limited(int32_t value, int32_t magnitude) {
    if (value < -magnitude) return -magnitude;
    return value > magnitude ? magnitude : value;
}

static void compute_tables(const threea_image *p, color_tables *t) {
    for (int32_t i = 0; i < 3 * 256; i++) {
        int32_t light = threea_light[clamp(i - channel_offset)];
        t->channel[i].light = light;
        t->channel[i].low = (light * 10 + 13) / 14;
        t->channel[i].high = light * 14 / 10;
    }
    for (int32_t code = 0; code < 256; code++) {
        // 255 / 224, multiplied by 256.
        int32_t chroma = p->isFullRange ? code - 128 : (code - 128) * 291 / 256;
        int32_t red = (p->redCr * chroma + 2048) / 4096, blue = (p->blueCb * chroma + 2048) / 4096;
        // A larger difference has no effect, because the sum with luma is clamped.
        t->chroma[code].red = limited(red, channel_offset);
        t->chroma[code].blue = limited(blue, channel_offset);
        t->chroma[code].greenCb = p->greenCb * chroma;
        t->chroma[code].greenCr = p->greenCr * chroma;
    }
}

/// The sums of one zone, two in each word: red and green, blue and the number of samples.
///
/// The sets of `threea_color` are nested. Each sample is added to its innermost set: none, rough, counted or grayish.
typedef struct {
    uint64_t group[4][2];
} packed_sums;

/// Does the same as `add_color`, but without branches. The processor could not predict them, because noise determines
/// the set of a sample.
INLINE void add_packed(
    const threea_image *p, int32_t x, int32_t y, int32_t shift, const color_tables *t, packed_sums *packed
) {
    int32_t luma = luma_at(p, x, y), cb, cr;
    mean_chroma(p, x, y, shift, &cb, &cr);
    int32_t index = luma - (t->chroma[cb].greenCb + t->chroma[cr].greenCr + 2048) / 4096 + channel_offset;
    index = index < 0 ? 0 : index > 3 * 256 - 1 ? 3 * 256 - 1 : index;
    int32_t red = t->channel[luma + t->chroma[cr].red + channel_offset].light, green = t->channel[index].light;
    int32_t blue = t->channel[luma + t->chroma[cb].blue + channel_offset].light;
    int32_t low = t->channel[index].low, high = t->channel[index].high, limit = threea_light[clipped];
    // A difference a - b is negative, with its highest bit set, if a < b.
    int32_t rough = (black - luma) & (luma - clipped), counts = rough & (red - limit) & (green - limit) & (blue - limit);
    int32_t grayish = counts & ~((red - low) | (high - red) | (blue - low) | (high - blue));
    uint64_t *group = packed->group[((uint32_t)rough >> 31) + ((uint32_t)counts >> 31) + ((uint32_t)grayish >> 31)];
    group[0] += (uint32_t)red | (uint64_t)(uint32_t)green << 32;
    group[1] += (uint32_t)blue | (uint64_t)1 << 32;
}

INLINE void unpack_group(const uint64_t group[2], uint64_t sums[3], uint32_t *count) {
    sums[0] += (uint32_t)group[0];
    sums[1] += group[0] >> 32;
    sums[2] += (uint32_t)group[1];
    *count += (uint32_t)(group[1] >> 32);
}

INLINE void unpack(const packed_sums *packed, threea_color *color) {
    uint64_t none[3] = {0};
    unpack_group(packed->group[0], none, &color->total);
    for (int group = 1; group < 4; group++) {
        unpack_group(packed->group[group], none, &color->total);
        unpack_group(packed->group[group], color->roughSums, &color->roughCount);
        if (group >= 2) unpack_group(packed->group[group], color->sums, &color->count);
        if (group == 3) unpack_group(packed->group[group], color->grayishSums, &color->grayishCount);
    }
}

/// Computes the pixels of a zone. The zones of small images overlap.
INLINE void zone(int32_t length, int32_t index, int32_t count, int32_t *begin, int32_t *end) {
    *begin = (int32_t)((int64_t)length * index / count);
    *end = (int32_t)((int64_t)length * (index + 1) / count);
    if (*end <= *begin) *end = *begin + 1;
}

INLINE void measure(
    const threea_image *p, int32_t columns, int32_t rows, int32_t strideX, int32_t strideY, uint16_t *zones,
    uint16_t *saturated, uint32_t histogram[64], threea_color *color
) {
    for (int bin = 0; bin < 64; bin++) histogram[bin] = 0;
    if (color) *color = (threea_color){.count = 0};
    int32_t shift = chroma_shift(p);
    for (int32_t row = 0; row < rows; row++) {
        int32_t top, bottom;
        zone(p->height, row, rows, &top, &bottom);
        for (int32_t column = 0; column < columns; column++) {
            int32_t left, right;
            zone(p->width, column, columns, &left, &right);
            uint64_t sum = 0;
            uint32_t count = 0, clippedCount = 0;
            for (int32_t y = top; y < bottom; y += strideY) {
                for (int32_t x = left; x < right; x += strideX) {
                    int32_t luma = luma_at(p, x, y);
                    sum += threea_light[luma];
                    count++;
                    clippedCount += luma >= white;
                    histogram[luma >> 2]++;
                    if (color) add_color(p, x, y, luma, shift, color);
                }
            }
            zones[row * columns + column] = (uint16_t)(count ? sum / count : 0);
            saturated[row * columns + column] = (uint16_t)(count ? 65535 * clippedCount / count : 0);
        }
    }
}

/// Measures only the colors.
INLINE void measure_color(
    const threea_image *p, int32_t columns, int32_t rows, int32_t strideX, int32_t strideY, threea_color *color
) {
    color_tables tables;
    int32_t shift = chroma_shift(p);
    compute_tables(p, &tables);
    *color = (threea_color){.count = 0};
    for (int32_t row = 0; row < rows; row++) {
        int32_t top, bottom;
        zone(p->height, row, rows, &top, &bottom);
        for (int32_t column = 0; column < columns; column++) {
            int32_t left, right;
            zone(p->width, column, columns, &left, &right);
            packed_sums packed = {0};
            for (int32_t y = top; y < bottom; y += strideY)
                for (int32_t x = left; x < right; x += strideX) add_packed(p, x, y, shift, &tables, &packed);
            unpack(&packed, color);
        }
    }
}

/// Returns whether an image is 8-bit 4:2:0 in two planes, the most frequent format.
INLINE int is_common(const threea_image *p) {
    return p->samples[1] && p->wordShift < 0 && !p->isRGB && p->step[0] == 1 && p->step[1] == 2 && p->step[2] == 2
        && p->shiftX == 1 && p->shiftY == 1;
}

/// Returns the same image with constants, so that the compiler removes the checks of the format for each sample.
INLINE threea_image common(const threea_image *p, int32_t isFullRange) {
    threea_image known = *p;
    known.wordShift = -1;
    known.isRGB = 0;
    known.step[0] = 1;
    known.step[1] = known.step[2] = 2;
    known.shiftX = known.shiftY = 1;
    known.isFullRange = isFullRange;
    return known;
}

void threea_measure(
    const threea_image *image, int32_t columns, int32_t rows, int32_t strideX, int32_t strideY, uint16_t *zones,
    uint16_t *saturated, uint32_t histogram[64], threea_color *color
) {
    // The packed sums can hold at most 65,537 samples of a zone.
    int64_t samples = ((int64_t)image->width / columns / strideX + 2) * (image->height / rows / strideY + 2);
    if (!is_common(image) || samples > 65536) {
        measure(image, columns, rows, strideX, strideY, zones, saturated, histogram, color);
    } else if (image->isFullRange) {
        const threea_image p = common(image, 1);
        measure(&p, columns, rows, strideX, strideY, zones, saturated, histogram, 0);
        if (color) measure_color(&p, columns, rows, strideX, strideY, color);
    } else {
        const threea_image p = common(image, 0);
        measure(&p, columns, rows, strideX, strideY, zones, saturated, histogram, 0);
        if (color) measure_color(&p, columns, rows, strideX, strideY, color);
    }
}

/// Returns the code of the component with the finest detail: luma, or green.
INLINE int32_t sharp_at(const threea_image *p, int32_t x, int32_t y) { return code_at(p, p->isRGB ? 1 : 0, x, y); }

INLINE uint32_t contrast(
    const threea_image *p, int32_t left, int32_t top, int32_t right, int32_t bottom, int32_t strideX,
    int32_t strideY, uint64_t *gradients, uint64_t *luma
) {
    uint64_t gradientSum = 0, lumaSum = 0;
    uint32_t count = 0;
    if (left < 1) left = 1;
    if (top < 1) top = 1;
    if (right > p->width - 1) right = p->width - 1;
    if (bottom > p->height - 1) bottom = p->height - 1;
    for (int32_t y = top; y < bottom; y += strideY) {
        for (int32_t x = left; x < right; x += strideX, count++) {
            int32_t a = sharp_at(p, x - 1, y - 1), b = sharp_at(p, x, y - 1), c = sharp_at(p, x + 1, y - 1);
            int32_t d = sharp_at(p, x - 1, y), e = sharp_at(p, x + 1, y);
            int32_t f = sharp_at(p, x - 1, y + 1), g = sharp_at(p, x, y + 1), h = sharp_at(p, x + 1, y + 1);
            int32_t across = c + 2 * e + h - a - 2 * d - f, down = f + 2 * g + h - a - 2 * b - c;
            gradientSum += (uint64_t)(across * across + down * down);
            lumaSum += (uint64_t)sharp_at(p, x, y);
        }
    }
    *gradients = gradientSum;
    *luma = lumaSum;
    return count;
}

uint32_t threea_contrast(
    const threea_image *image, int32_t left, int32_t top, int32_t right, int32_t bottom, int32_t strideX,
    int32_t strideY, uint64_t *gradients, uint64_t *luma
) {
    if (!is_common(image)) return contrast(image, left, top, right, bottom, strideX, strideY, gradients, luma);
    // Contrast uses the codes without conversion, so the range does not matter.
    const threea_image p = common(image, 1);
    return contrast(&p, left, top, right, bottom, strideX, strideY, gradients, luma);
}
