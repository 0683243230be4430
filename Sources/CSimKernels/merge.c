#include "CSimKernels.h"
#include "internal.h"

#include <math.h>
#include <stdlib.h>

#pragma STDC FP_CONTRACT OFF

// Frames are compared in blocks of 4x4 pixels. A block's statistics are sums over it and its eight neighbors, which
// average the noise. Noise depends on the brightness, so limits are measured for 16 ranges of luma.
enum { side = 4, levels = 16, codes = 1024, sums = 8192, full_weight = 64 };

typedef struct {
    int32_t columns;
    int32_t rows;
    // The luma of the first frame, the difference of the other frame, and its absolute value: sums over each block.
    int32_t *luma;
    int32_t *difference;
    int32_t *absolute;
    // The same three sums over the block and its neighbors.
    int32_t *wide[3];
} block_grid;

// Limits of the sums over a block and its neighbors, for one range of luma.
typedef struct {
    double difference;
    double absolute;
} block_limits;

CSIM_INLINE int32_t sample(const uint8_t *row, int32_t x, int32_t tenBits) {
    return tenBits ? ((const uint16_t *)row)[x] >> 6 : row[x];
}

CSIM_INLINE int32_t level_of(int32_t luma, int32_t tenBits) { return tenBits ? luma >> 6 : luma >> 4; }

// Returns the median of a histogram, interpolated within its bin; -1 if it has too few entries.
static double median_of(const uint32_t *histogram, int32_t count) {
    uint64_t total = 0, below = 0;
    for (int32_t bin = 0; bin < count; bin++) total += histogram[bin];
    if (total < 32) return -1;
    for (int32_t bin = 0; bin < count; bin++) {
        if ((below + histogram[bin]) * 2 >= total) {
            return bin + ((double)total / 2 - (double)below) / (double)histogram[bin];
        }
        below += histogram[bin];
    }
    return count;
}

// Sums a grid over each block and its neighbors.
static void widen(const block_grid *grid, const int32_t *from, int32_t *to) {
    for (int32_t y = 0; y < grid->rows; y++) {
        for (int32_t x = 0; x < grid->columns; x++) {
            int32_t sum = 0;
            for (int32_t dy = -1; dy <= 1; dy++) {
                for (int32_t dx = -1; dx <= 1; dx++) {
                    int32_t row = csim_clamp(y + dy, 0, grid->rows - 1), column = csim_clamp(x + dx, 0, grid->columns - 1);
                    sum += from[row * grid->columns + column];
                }
            }
            to[y * grid->columns + x] = sum;
        }
    }
}

// Measures the noise of one pixel for each range of luma: the standard deviation of the difference of two frames. It is
// the smaller one of the difference between the frames, which motion increases, and that of adjacent pixels of the
// first frame, which texture increases.
static void measure_noise(
    const csim_merge_frame *first, const csim_merge_frame *other, int32_t width, int32_t height, int32_t tenBits,
    uint32_t *histogram, double *noise
) {
    for (int32_t pass = 0; pass < 2; pass++) {
        memset(histogram, 0, sizeof *histogram * levels * codes);
        for (int32_t y = 0; y < height; y++) {
            const uint8_t *a = first->luma + (int64_t)y * first->lumaStride;
            const uint8_t *b = other->luma + (int64_t)y * other->lumaStride;
            for (int32_t x = 0; x + 2 < width; x++) {
                int32_t luma = sample(a, x, tenBits);
                // Low-light boost bins pixels in pairs, so the next independent one is two columns away.
                int32_t reference = pass == 0 ? sample(b, x, tenBits) : sample(a, x + 2, tenBits);
                histogram[level_of(luma, tenBits) * codes + abs(luma - reference)]++;
            }
        }
        for (int32_t level = 0; level < levels; level++) {
            double median = median_of(histogram + level * codes, codes);
            // 1.4826 times the median of absolute values is the standard deviation of a normal distribution.
            double deviation = median < 0 ? 1e9 : 1.4826 * median;
            if (pass == 0 || deviation < noise[level]) noise[level] = deviation;
        }
    }
    for (int32_t level = 0; level < levels; level++) {
        double least = tenBits ? 4 : 1;
        if (noise[level] < least || noise[level] > 1e8) noise[level] = least;
    }
}

// Measures the limits of blocks without motion.
static void measure_limits(
    const block_grid *grid, const double *noise, int32_t tenBits, uint32_t *histogram, block_limits *limits
) {
    int32_t count = grid->columns * grid->rows;
    double pixels = 9.0 * side * side;
    for (int32_t part = 1; part <= 2; part++) {
        memset(histogram, 0, sizeof *histogram * levels * sums);
        for (int32_t block = 0; block < count; block++) {
            int32_t level = level_of(grid->wide[0][block] / (9 * side * side), tenBits);
            int32_t bin = abs(grid->wide[part][block]) >> (tenBits ? 4 : 2);
            histogram[level * sums + (bin < sums ? bin : sums - 1)]++;
        }
        for (int32_t level = 0; level < levels; level++) {
            double median = median_of(histogram + level * sums, sums) * (tenBits ? 16 : 4);
            // The sum of correlated pixels, as after binning, deviates by at most twice as much.
            double independent = noise[level] * sqrt(pixels);
            if (part == 1) {
                double deviation = 1.4826 * median;
                if (median < 0 || deviation > 2 * independent) deviation = 2 * independent;
                limits[level].difference = deviation < independent ? independent : deviation;
            } else {
                // The mean of the absolute values of a normal distribution is 0.798 standard deviations.
                double expected = 0.798 * noise[level] * pixels;
                limits[level].absolute = median < 0 || median > 1.3 * expected ? 1.3 * expected : median;
                if (limits[level].absolute < expected) limits[level].absolute = expected;
            }
        }
    }
}

// Returns the weight of a block: full up to 3 deviations, none from 4.5 on, and for the sum of absolute values full up to
// 1.2 and none from 1.5 times its usual value.
static uint8_t weight_of(const block_grid *grid, int32_t block, const block_limits *limits, int32_t tenBits) {
    const block_limits *limit = limits + level_of(grid->wide[0][block] / (9 * side * side), tenBits);
    double byMean = (4.5 - abs(grid->wide[1][block]) / limit->difference) / 1.5;
    double byAmount = (1.5 - grid->wide[2][block] / limit->absolute) / 0.3;
    double least = byMean < byAmount ? byMean : byAmount;
    return (uint8_t)(least <= 0 ? 0 : least >= 1 ? full_weight : (int32_t)(least * full_weight));
}

static void sum_blocks(
    const csim_merge_frame *first, const csim_merge_frame *other, int32_t width, int32_t height, int32_t tenBits,
    const block_grid *grid
) {
    for (int32_t block = 0; block < grid->columns * grid->rows; block++) {
        int32_t left = block % grid->columns * side, top = block / grid->columns * side;
        int32_t luma = 0, difference = 0, absolute = 0;
        for (int32_t dy = 0; dy < side; dy++) {
            // Blocks at the right and lower border repeat the last pixels.
            int32_t y = top + dy < height ? top + dy : height - 1;
            const uint8_t *a = first->luma + (int64_t)y * first->lumaStride;
            const uint8_t *b = other->luma + (int64_t)y * other->lumaStride;
            for (int32_t dx = 0; dx < side; dx++) {
                int32_t x = left + dx < width ? left + dx : width - 1;
                int32_t value = sample(a, x, tenBits), delta = sample(b, x, tenBits) - value;
                luma += value;
                difference += delta;
                absolute += abs(delta);
            }
        }
        grid->luma[block] = luma;
        grid->difference[block] = difference;
        grid->absolute[block] = absolute;
    }
}

// Replaces the samples of a row with weighted means.
static void average_row(
    uint8_t *target, const uint8_t *const *others, const uint8_t *const *weights, int32_t count, int32_t samples,
    int32_t samplesPerBlock, int32_t tenBits
) {
    for (int32_t x = 0; x < samples; x++) {
        int32_t sum = full_weight * sample(target, x, tenBits), total = full_weight;
        for (int32_t frame = 0; frame < count; frame++) {
            int32_t weight = weights[frame][x / samplesPerBlock];
            sum += weight * sample(others[frame], x, tenBits);
            total += weight;
        }
        int32_t mean = (sum + total / 2) / total;
        if (tenBits) ((uint16_t *)target)[x] = (uint16_t)(mean << 6);
        else target[x] = (uint8_t)mean;
    }
}

int32_t csim_merge(
    const csim_merge_frame *first, const csim_merge_frame *others, int32_t count, int32_t width, int32_t height,
    int32_t tenBits
) {
    if (count < 1 || count > csim_merge_limit) return count == 0 ? 0 : -1;
    block_grid grid = {(width + side - 1) / side, (height + side - 1) / side, 0, 0, 0, {0, 0, 0}};
    size_t blocks = (size_t)grid.columns * (size_t)grid.rows;
    int32_t *memory = malloc(blocks * 6 * sizeof *memory);
    uint32_t *histogram = malloc(sizeof *histogram * levels * sums);
    uint8_t *weights = malloc(blocks * (size_t)count);
    int32_t result = memory && histogram && weights ? 0 : -1;
    if (result == 0) {
        grid.luma = memory;
        grid.difference = memory + blocks;
        grid.absolute = memory + 2 * blocks;
        for (int32_t part = 0; part < 3; part++) grid.wide[part] = memory + (size_t)(3 + part) * blocks;
        for (int32_t frame = 0; frame < count; frame++) {
            double noise[levels];
            block_limits limits[levels];
            sum_blocks(first, others + frame, width, height, tenBits, &grid);
            widen(&grid, grid.luma, grid.wide[0]);
            widen(&grid, grid.difference, grid.wide[1]);
            widen(&grid, grid.absolute, grid.wide[2]);
            measure_noise(first, others + frame, width, height, tenBits, histogram, noise);
            measure_limits(&grid, noise, tenBits, histogram, limits);
            for (size_t block = 0; block < blocks; block++) {
                weights[(size_t)frame * blocks + block] = weight_of(&grid, (int32_t)block, limits, tenBits);
            }
        }
        for (int32_t y = 0; y < height; y++) {
            const uint8_t *rows[csim_merge_limit], *factors[csim_merge_limit];
            for (int32_t frame = 0; frame < count; frame++) {
                rows[frame] = others[frame].luma + (int64_t)y * others[frame].lumaStride;
                factors[frame] = weights + (size_t)frame * blocks + (size_t)(y / side) * (size_t)grid.columns;
            }
            average_row(first->luma + (int64_t)y * first->lumaStride, rows, factors, count, width, side, tenBits);
            if (y % 2) continue;
            for (int32_t frame = 0; frame < count; frame++) {
                rows[frame] = others[frame].chroma + (int64_t)(y / 2) * others[frame].chromaStride;
            }
            // A block has two pairs of Cb and Cr in each row.
            average_row(
                first->chroma + (int64_t)(y / 2) * first->chromaStride, rows, factors, count, width, side, tenBits);
        }
    }
    free(memory);
    free(histogram);
    free(weights);
    return result;
}
