/// Pixel and sound kernels of the simulated devices.
///
/// All arithmetic is on integers, so that every processor gives the same bytes. Light is coded as the square root of
/// its linear amount: multiplying by an exposure stays one multiplication, and photon noise has one standard
/// deviation at every level (M. Mäkitalo, A. Foi: "Optimal inversion of the generalized Anscombe transformation for
/// Poisson-Gaussian noise", IEEE TIP 2013).
#pragma once
#include <stdint.h>

/// A pixel at the edge of a layer, which the layer covers in part.
typedef struct {
    int32_t x;
    /// 1 … 255.
    int32_t coverage;
} csim_edge;

/// A stretch of a layer's row that hides all behind it: from `begin` up to, not including, `end`.
typedef struct {
    int32_t begin;
    int32_t end;
} csim_span;

/// A flat piece of the scene at one depth.
///
/// `green` has one byte a pixel, `red` and `blue` one a block of 2x2 pixels, each the square root of the
/// reflectance in 255ths.
typedef struct {
    const uint8_t *green;
    const uint8_t *red;
    const uint8_t *blue;
    /// Pixels; both even. A row of `green` is `width` bytes, one of `red` and `blue` half as many.
    int32_t width;
    int32_t height;
    /// Spans of row y are `spans[spanStart[y]]` up to `spans[spanStart[y + 1]]`, ascending; edges likewise.
    const csim_span *spans;
    const uint32_t *spanStart;
    const csim_edge *edges;
    const uint32_t *edgeStart;
    /// Where the layer's left top pixel is in the frame; `y` is even.
    int32_t x;
    int32_t y;
    /// Added to `x` in each row of the layer, or NULL; for ground, whose depth changes with the row.
    const int32_t *rowShift;
    /// Square root of illumination times exposure for each channel: 8,224 takes a white surface to saturation.
    uint16_t redScale;
    uint16_t greenScale;
    uint16_t blueScale;
} csim_layer;

/// All that forms one picture.
typedef struct {
    /// Pixels; both even.
    int32_t width;
    int32_t height;
    /// 4:2:0, two planes; a row must hold `width` rounded up to 32 bytes.
    uint8_t *luma;
    int32_t lumaStride;
    uint8_t *chroma;
    int32_t chromaStride;
    /// From back to front; the first one should cover the frame.
    const csim_layer *layers;
    int32_t layerCount;
    /// Square roots of the white-balance gains; 16,384 is 1.
    uint16_t redGain;
    uint16_t greenGain;
    uint16_t blueGain;
    /// Standard deviation of the noise in 8,192ths of the square root of saturation, times 8.
    uint16_t greenNoise;
    uint16_t colorNoise;
    /// Below this level (in 8,192ths) read noise adds to photon noise, by `darkSlope` / 65,536 times 8 a step.
    uint16_t darkLevel;
    uint16_t darkSlope;
    /// Tells this frame's noise from any other's.
    uint64_t noiseKey;
    /// 1 for luma 0 … 255, 0 for 16 … 235.
    int32_t fullRange;
    /// The window of the picture that is shown, in 65,536ths of a pixel; a step of 65,536 is no zoom.
    int64_t windowX;
    int64_t windowY;
    int64_t windowStep;
    /// Working memory of `csim_scratch_size(width)` bytes, aligned to 64.
    void *scratch;
    /// From `csim_noise_make`.
    const int8_t *noise;
} csim_frame;

/// Bytes of working memory for a frame of `width` pixels.
int64_t csim_scratch_size(int32_t width);
/// Length of the noise table in bytes.
int64_t csim_noise_size(void);
/// Fills the noise table: a normal distribution of standard deviation 32.
void csim_noise_make(int8_t *table);
/// Forms a picture: layers by light and exposure, noise, white balance, BT.709 transfer, NV12.
void csim_form(const csim_frame *frame);

/// A picture under construction: full-size planes of square-root coded reflectance, and coverage.
typedef struct {
    int32_t width;
    int32_t height;
    uint8_t *red;
    uint8_t *green;
    uint8_t *blue;
    /// 0 nothing … 255 opaque.
    uint8_t *coverage;
} csim_canvas;

/// How the inside of a shape is painted.
typedef struct {
    /// Square-root coded colour at the shape's top and bottom.
    uint8_t top[3];
    uint8_t bottom[3];
    /// Strength of the texture, 0 none … 255, and the size of its grain in 256ths of a pixel (both axes).
    int32_t texture;
    int32_t grainX;
    int32_t grainY;
    uint32_t seed;
} csim_paint;

/// Fills a polygon (non-zero winding); points are x, y pairs in 256ths of a pixel.
void csim_fill(const csim_canvas *canvas, const int32_t *points, int32_t pointCount, const csim_paint *paint);
/// Blends white into the canvas where seeded fractal noise exceeds `threshold` (0 … 65,535): clouds.
void csim_clouds(const csim_canvas *canvas, int32_t grain, int32_t threshold, int32_t lastRow, uint32_t seed);
/// Reduces a plane to one byte a block of 2x2, averaging what is covered.
void csim_halve(const uint8_t *plane, const uint8_t *coverage, int32_t width, int32_t height, uint8_t *half);
/// Lists the opaque spans and the partly covered pixels of a row; returns the counts by `spanCount` and `edgeCount`.
///
/// `spans` and `edges` have room for `width` entries each.
void csim_row_coverage(
    const uint8_t *coverage, int32_t width, csim_span *spans, int32_t *spanCount, csim_edge *edges,
    int32_t *edgeCount);

/// Adds a tone to one channel, in 2^-31 of full scale; 2^64 is one turn of its phase.
///
/// - `stepGrowth`: is added to `phaseStep` with each sample, so that the frequency moves evenly.
/// - `sine`: 4,097 entries of one turn, 2^30 is 1.
void csim_sound_tone(
    int64_t *mix, int64_t count, uint64_t phase, uint64_t phaseStep, uint64_t stepGrowth, int64_t amplitude,
    const int32_t *sine);
/// Adds white noise, whose root mean square is `amplitude`.
///
/// - `noiseKey`, `firstSample`: name the noise; the same pair gives the same samples.
void csim_sound_noise(int64_t *mix, int64_t count, int64_t amplitude, uint64_t noiseKey, uint64_t firstSample);
/// Adds recorded sound of another rate, by straight lines between its samples; 2^31 is its full scale.
///
/// - `position`, `step`: in 2^-32 of the clip's samples; `position` is inside.
void csim_sound_clip(
    const int32_t *clip, int64_t length, uint64_t position, uint64_t step, int32_t loops, int64_t amplitude,
    int64_t *mix, int64_t count);
/// Cuts what is beyond `limit`; `out` takes every `stride`-th entry.
void csim_sound_limit(const int64_t *mix, int64_t count, int64_t limit, int32_t *out, int32_t stride);
/// Rounds 32-bit samples to 16 bits, or to floats in -1 … 1.
void csim_sound_to_int16(const int32_t *in, int64_t count, int16_t *out);
void csim_sound_to_float(const int32_t *in, int64_t count, float *out);
