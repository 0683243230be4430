#include "CSimKernels.h"
#include "internal.h"

// Disable fused multiply-add: it rounds differently, and not every processor has it.
#pragma STDC FP_CONTRACT OFF

void csim_illuminate(
    const csim_canvas *canvas, const csim_surface_row *rows, const csim_lamp *lamps, int32_t lampCount, double ambient
) {
    enum { step = 4 };
    for (int32_t y = 0; y < canvas->height; y++) {
        const csim_surface_row *row = &rows[y];
        int64_t line = (int64_t)y * canvas->width;
        double before = 0;
        // Light varies slowly: compute every fourth pixel, and interpolate its square root in 65,536ths.
        for (int32_t x = 0; x <= canvas->width; x += step) {
            double light = ambient, worldX = row->left + x * row->pitch;
            for (int32_t n = 0; n < lampCount; n++) {
                double dx = worldX - lamps[n].x, dy = row->y - lamps[n].y, dz = row->z - lamps[n].z;
                light += lamps[n].strength / (dx * dx + dy * dy + dz * dz);
            }
            double root = __builtin_sqrt(light < 1 ? light : 1) * 65536;
            for (int32_t i = x ? x - step : 0; i < x && i < canvas->width; i++) {
                uint32_t factor = (uint32_t)(before + (root - before) * (i - x + step) / step);
                canvas->red[line + i] = (uint8_t)((canvas->red[line + i] * factor + 32768) >> 16);
                canvas->green[line + i] = (uint8_t)((canvas->green[line + i] * factor + 32768) >> 16);
                canvas->blue[line + i] = (uint8_t)((canvas->blue[line + i] * factor + 32768) >> 16);
            }
            before = root;
        }
        // The remaining pixels of a width that is not a multiple of the step.
        for (int32_t i = canvas->width / step * step; i < canvas->width; i++) {
            uint32_t factor = (uint32_t)before;
            canvas->red[line + i] = (uint8_t)((canvas->red[line + i] * factor + 32768) >> 16);
            canvas->green[line + i] = (uint8_t)((canvas->green[line + i] * factor + 32768) >> 16);
            canvas->blue[line + i] = (uint8_t)((canvas->blue[line + i] * factor + 32768) >> 16);
        }
    }
}
