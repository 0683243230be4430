#include "compose.h"

#include <stdlib.h>

// Prefix sums of a row: of its coverage, and of its light times coverage.
typedef struct {
    uint64_t *cover;
    uint64_t *light;
} row_sums;

// Returns the sum up to a position in 32nds of a pixel. The row is empty outside the columns from `left` up to `right`.
CSIM_INLINE uint64_t sum_to(const uint64_t *sums, int32_t position, int32_t left, int32_t right) {
    position = csim_clamp(position, left * 32, right * 32);
    int32_t whole = position >> 5, part = position & 31;
    return sums[whole] * 32 + (part ? (sums[whole + 1] - sums[whole]) * (uint64_t)part : 0);
}

// Applies motion blur to a row of one plane. `before` is its coverage, `after` receives the new coverage.
static void motion_blur_row(
    uint16_t *s, const uint8_t *before, uint8_t *after, int32_t width, int32_t length, const row_sums *sums
) {
    // Skip the empty parts of the row.
    int32_t first = 0, last = width, reach = 2 * (length < 0 ? -length : length), columns = reach / 32 + 2;
    while (first < last && !before[first]) first++;
    while (last > first && !before[last - 1]) last--;
    if (first == last) first = last = width;
    int32_t left = csim_clamp(first - columns, 0, width), right = csim_clamp(last + columns, left, width);
    memset(after, 0, (size_t)width);
    memset(s, 0, (size_t)left * sizeof *s);
    memset(s + right, 0, (size_t)(width - right) * sizeof *s);
    sums->cover[left] = sums->light[left] = 0;
    for (int32_t x = left; x < right; x++) {
        sums->cover[x + 1] = sums->cover[x] + before[x];
        sums->light[x + 1] = sums->light[x] + (uint64_t)before[x] * ((uint32_t)s[x] * s[x]);
    }
    for (int32_t x = left; x < right; x++) {
        // Motion to the right: the light comes from the left.
        int32_t end = 32 * x + 16 + (length < 0 ? reach : 0);
        uint64_t cover = sum_to(sums->cover, end, left, right) - sum_to(sums->cover, end - reach, left, right);
        if (!cover) {
            s[x] = 0;
            continue;
        }
        uint64_t light = sum_to(sums->light, end, left, right) - sum_to(sums->light, end - reach, left, right);
        after[x] = (uint8_t)((cover + (uint64_t)reach / 2) / (uint64_t)reach);
        s[x] = (uint16_t)__builtin_sqrtf((float)(light / cover));
    }
}

int32_t csim_motion_blur(const csim_blurred *blurred, int32_t length) {
    int32_t width = blurred->width;
    row_sums sums = {malloc(((size_t)width + 2) * 8), malloc(((size_t)width + 2) * 8)};
    uint8_t *after = malloc((size_t)width);
    int32_t result = -1;
    if (sums.cover && sums.light && after) {
        result = 0;
        if (length > -16 && length < 16) length = 0;
        for (int32_t y = 0; length && y < blurred->height; y++) {
            uint8_t *cover = blurred->coverage + (int64_t)y * width;
            motion_blur_row(blurred->green + (int64_t)y * width, cover, after, width, length, &sums);
            memcpy(cover, after, (size_t)width);
        }
        for (int32_t y = 0; length && y < blurred->height / 2; y++) {
            int64_t at = (int64_t)y * (width / 2);
            motion_blur_row(blurred->red + at, blurred->halfCoverage + at, after, width / 2, length / 2, &sums);
            motion_blur_row(blurred->blue + at, blurred->halfCoverage + at, after, width / 2, length / 2, &sums);
            memcpy(blurred->halfCoverage + at, after, (size_t)width / 2);
        }
    }
    free(sums.cover);
    free(sums.light);
    free(after);
    return result;
}
