#include "CSimKernels.h"
#include "internal.h"

#include <math.h>

// Single operations of IEEE 754 without fused multiply-add, so that every processor computes the same bytes.
#pragma STDC FP_CONTRACT OFF

// Returns the first sample with its center at or to the right of `x`, a column of pixels of the frame.
static int64_t first_column(const csim_depth_window *window, int64_t x) {
    int64_t distance = x * 65536 - window->x - window->stepX / 2;
    if (distance <= 0) return 0;
    return (distance + window->stepX - 1) / window->stepX;
}

// Writes a depth to the samples of a row with centers from pixel `begin` up to, not including, pixel `end`.
static void fill_span(
    float *row, int32_t width, const csim_depth_window *window, int64_t begin, int64_t end, float meters
) {
    int64_t last = first_column(window, end);
    if (last > width) last = width;
    for (int64_t x = first_column(window, begin); x < last; x++) row[x] = meters;
}

void csim_depth_cover(
    const csim_layer *layer, float meters, const float *rowMeters, const csim_depth_window *window, int32_t width,
    int32_t height, float *plane) {
    for (int32_t y = 0; y < height; y++) {
        int64_t frameRow = (window->y + y * window->stepY + window->stepY / 2) >> 16;
        int64_t row = frameRow - layer->y;
        if (row < 0 || row >= layer->height) continue;
        int64_t x = layer->x + ((layer->skew * frameRow) >> 16);
        float *target = plane + (int64_t)y * width;
        float depth = rowMeters ? rowMeters[row] : meters;
        for (uint32_t i = layer->spanStart[row]; i < layer->spanStart[row + 1]; i++) {
            fill_span(target, width, window, x + layer->spans[i].begin, x + layer->spans[i].end, depth);
        }
        // A pixel that is at least half covered has the depth of the layer.
        for (uint32_t i = layer->edgeStart[row]; i < layer->edgeStart[row + 1]; i++) {
            if (layer->edges[i].coverage < 128) continue;
            fill_span(target, width, window, x + layer->edges[i].x, x + layer->edges[i].x + 1, depth);
        }
    }
}

void csim_depth_measure(
    const csim_depth_sensor *sensor, int32_t width, int32_t height, const float *plane, float *out) {
    for (int32_t y = 0; y < height; y++, plane += width, out += width) {
        uint32_t start = (uint32_t)(csim_hash(sensor->noiseKey + (uint64_t)y) & 0xffff);
        const int8_t *noise = sensor->noise + start;
        // The leftmost position in the second camera of the objects to the right. Points to the right of it are hidden.
        float occluder = INFINITY;
        for (int32_t x = width - 1; x >= 0; x--) {
            float meters = plane[x], deviation = (float)noise[x] / 32 * sensor->noiseAt1m;
            float shifted = (float)x - sensor->disparityAt1m / meters;
            int isHole = !(meters >= sensor->nearest && meters <= sensor->farthest);
            if (sensor->triangulates) {
                if (shifted > occluder) isHole = 1;
                if (shifted < occluder) occluder = shifted;
                float disparity = 1 / meters + deviation;
                if (disparity <= 0) isHole = 1;
                out[x] = sensor->isDisparity ? disparity : 1 / disparity;
            } else {
                float measured = meters + deviation * meters;
                if (measured <= 0) isHole = 1;
                out[x] = sensor->isDisparity ? 1 / measured : measured;
            }
            if (isHole) out[x] = NAN;
        }
    }
}
