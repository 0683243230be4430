#include "CSimKernels.h"

// Blocks of this size fit into the first-level cache, although one of the two images is accessed by columns.
enum { side = 32 };

// Rotates clockwise. The pixel at x, y of the rotated image is read from `origin + x * stepX + y * stepY`.
#define ROTATE(sample) \
    do { \
        const sample *origin = from; \
        sample *target = to; \
        int64_t stepX, stepY; \
        if (degrees == 90) { \
            origin += (int64_t)(height - 1) * stride; \
            stepX = -stride; \
            stepY = 1; \
        } else if (degrees == 180) { \
            origin += (int64_t)(height - 1) * stride + width - 1; \
            stepX = -1; \
            stepY = -stride; \
        } else if (degrees == 270) { \
            origin += width - 1; \
            stepX = stride; \
            stepY = -1; \
        } else { \
            stepX = 1; \
            stepY = stride; \
        } \
        for (int32_t top = 0; top < rows; top += side) { \
            int32_t bottom = top + side < rows ? top + side : rows; \
            for (int32_t left = 0; left < columns; left += side) { \
                int32_t right = left + side < columns ? left + side : columns; \
                for (int32_t y = top; y < bottom; y++) { \
                    for (int32_t x = left; x < right; x++) \
                        target[y * toStride + x] = origin[x * stepX + y * stepY]; \
                } \
            } \
        } \
    } while (0)

void csim_rotate(
    const void *from, int32_t byteCount, int32_t width, int32_t height, int64_t stride, int32_t degrees, void *to,
    int64_t toStride
) {
    int32_t columns = degrees % 180 ? height : width, rows = degrees % 180 ? width : height;
    if (byteCount == 1) ROTATE(uint8_t);
    else if (byteCount == 2) ROTATE(uint16_t);
    else ROTATE(uint32_t);
}
