#include "CPixelKernels.h"

// A sample of the mosaic minus black. Coordinates beyond the edges are mirrored, which keeps their color.
static inline int32_t sample_at(const cpixel_mosaic *m, int32_t x, int32_t y) {
    x = x < 0 ? -x : x >= m->width ? 2 * (m->width - 1) - x : x;
    y = y < 0 ? -y : y >= m->height ? 2 * (m->height - 1) - y : y;
    int32_t value = ((const uint16_t *)((const uint8_t *)m->samples + y * m->stride))[x] - m->black;
    return value;
}

static inline uint16_t bounded(int32_t value, int32_t most) {
    return (uint16_t)(value < 0 ? 0 : value > most ? most : value);
}

void cpixel_demosaic(const cpixel_mosaic *m, uint16_t *out, ptrdiff_t out_stride, int32_t step) {
    int32_t most = m->white - m->black;
    for (int32_t y = 0; y < m->height; y++) {
        uint16_t *line = (uint16_t *)((uint8_t *)out + y * out_stride);
        for (int32_t x = 0; x < m->width; x++, line += step) {
#define S(dx, dy) sample_at(m, x + (dx), y + (dy))
            int32_t c = S(0, 0), sides = S(-1, 0) + S(1, 0), ends = S(0, -1) + S(0, 1);
            int32_t far_sides = S(-2, 0) + S(2, 0), far_ends = S(0, -2) + S(0, 2);
            int32_t corners = S(-1, -1) + S(1, -1) + S(-1, 1) + S(1, 1);
#undef S
            int32_t red, green, blue;
            if ((x + y) & 1) {
                // Green: its neighbors in the row have one color, those in the column the other one.
                int32_t along = (10 * c + 8 * sides - 2 * corners - 2 * far_sides + far_ends + 8) >> 4;
                int32_t across = (10 * c + 8 * ends - 2 * corners - 2 * far_ends + far_sides + 8) >> 4;
                green = c;
                red = y & 1 ? across : along;
                blue = y & 1 ? along : across;
            } else {
                int32_t far = far_sides + far_ends;
                int32_t opposite = (12 * c + 4 * corners - 3 * far + 8) >> 4;
                green = (4 * c + 2 * (sides + ends) - far + 4) >> 3;
                red = y & 1 ? opposite : c;
                blue = y & 1 ? c : opposite;
            }
            line[0] = bounded(red, most);
            line[1] = bounded(green, most);
            line[2] = bounded(blue, most);
            if (step == 4) line[3] = 65535;
        }
    }
}
