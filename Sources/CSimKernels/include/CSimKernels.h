/// Image and audio kernels of the simulated devices.
///
/// Per-frame processing uses integer arithmetic, so that every processor computes the same bytes. Square roots and
/// depth use individual floating-point operations with results that IEEE 754 defines exactly.
///
/// A frame is rendered in three steps. *Composing* stacks the scene's layers as light: 16-bit square roots, with a
/// dynamic range of 96 dB. *Developing* applies sensor and tone curve: each sample becomes a 16-bit word with its code
/// and the standard deviation of its noise. The results for layers that do not move are kept as planes; only areas with
/// motion are recomputed. *Adding noise* applies random numbers and rounds to bytes. Most pixels of a frame only need
/// this last step, which is limited by memory bandwidth; hence the compact words.
#pragma once
#include <stdint.h>

/// A pixel that a layer covers in part.
typedef struct {
    int32_t x;
    /// 1 … 255.
    int32_t coverage;
} csim_edge;

/// An opaque part of a layer's row: from `begin` up to, not including, `end`.
typedef struct {
    int32_t begin;
    int32_t end;
} csim_span;

/// The coverage of a layer, row by row.
typedef struct {
    /// The spans of row y are `spans[spanStart[y]]` up to, not including, `spans[spanStart[y + 1]]`, ascending. Edges
    /// are stored in the same way.
    const csim_span *spans;
    const uint32_t *spanStart;
    const csim_edge *edges;
    const uint32_t *edgeStart;
} csim_outline;

/// A layer with defocus or motion blur: its light and its coverage. Planes are read up to 16 samples beyond their ends.
typedef struct {
    /// Square roots of reflectance in 65,535ths. A row of `green` has `width` samples, one of `red` and `blue` half as
    /// many.
    uint16_t *green;
    uint16_t *red;
    uint16_t *blue;
    /// 0 … 255, for each pixel, and for each block of 2x2 pixels.
    uint8_t *coverage;
    uint8_t *halfCoverage;
    /// In pixels; even.
    int32_t width;
    int32_t height;
    /// The spans that are opaque in both rows of row pair n: `opaqueSpans[opaqueStart[n]]` up to, not including,
    /// `opaqueSpans[opaqueStart[n + 1]]`, ascending, with even bounds. Partly covered spans are stored in the same way
    /// in `partialSpans`.
    const csim_span *opaqueSpans;
    const uint32_t *opaqueStart;
    const csim_span *partialSpans;
    const uint32_t *partialStart;
} csim_blurred;

/// Composed and developed layers. The stride of a row is `stride` samples, or half as many for `red` and `blue`.
typedef struct {
    /// In pixels; both even.
    int32_t width;
    int32_t height;
    /// A multiple of 64, at least 64 samples greater than `width`.
    int32_t stride;
    /// Composed: square roots of light.
    uint16_t *green;
    uint16_t *red;
    uint16_t *blue;
    /// Developed: 256ths of a code minus 32,768. The low six bits are the standard deviation of the noise, in units
    /// given by `csim_frame.noiseShift`. Words are dithered, so that their mean is exact. Chroma rows alternate Cb and
    /// Cr and have half the height.
    int16_t *luma;
    int16_t *chroma;
    /// For each pair of rows, the version of its developed contents; 0 for none.
    uint32_t *versions;
} csim_planes;

/// A flat part of a scene.
///
/// `green` has one byte per pixel, `red` and `blue` have one per block of 2x2 pixels. Each is the square root of the
/// reflectance in 255ths.
typedef struct {
    const uint8_t *green;
    const uint8_t *red;
    const uint8_t *blue;
    /// In pixels; both even. A row of `green` has `width` bytes, one of `red` and `blue` half as many.
    int32_t width;
    int32_t height;
    /// The spans of row y are `spans[spanStart[y]]` up to, not including, `spans[spanStart[y + 1]]`, ascending. Edges
    /// are stored in the same way.
    const csim_span *spans;
    const uint32_t *spanStart;
    const csim_edge *edges;
    const uint32_t *edgeStart;
    /// The coverage of red and blue, for moving layers, in blocks of 2x2 pixels. In `half[0]`, block n consists of
    /// columns 2n and 2n + 1. In `half[1]`, for a layer that is shifted by an odd number of pixels, it consists of
    /// columns 2n - 1 and 2n.
    csim_outline half[2];
    /// Position of the layer's top left pixel in the frame; `y` is even.
    int32_t x;
    int32_t y;
    /// Added to `x` for each row of the frame, in 65,536ths of a pixel: rolling shutter skew of moving layers.
    int32_t skew;
    /// Square root of the light for each channel. A reflectance of 1 is composed as 255/256 of it.
    uint16_t redScale;
    uint16_t greenScale;
    uint16_t blueScale;
    /// A factor on the scales for each row of the layer, in 65,535ths, or NULL. It is used for ground, because its rows
    /// have different depths.
    const uint16_t *rowScale;
    /// The blurred copy of the layer, or NULL. Its top left pixel is at `blurredX`, `blurredY` relative to the layer's.
    const csim_blurred *blurred;
    int32_t blurredX;
    int32_t blurredY;
    /// The developed planes of the layer without a background, with the same top left pixel; or those of its blurred
    /// copy, if it has one; or NULL.
    const csim_planes *developed;
} csim_layer;

/// The color conversion and exposure of a sensor: one value for each of red, green and blue, or a 3x3 matrix in
/// row-major order.
typedef struct {
    /// From the scene's colors to the sensor's, in 2,048ths. Each row sums to 2,048.
    uint16_t crosstalk[9];
    /// Exposure factor: 1,024 … 2,047, divided by 2^`exposureShift`. Its product with light, which is less than 2^21,
    /// saturates at 65,536.
    uint16_t exposure[3];
    uint8_t exposureShift[3];
    /// White balance gains in 2,048ths, at least 2,048 and less than 32,768.
    uint16_t gain[3];
    /// From the sensor's colors to BT.709, in 4,096ths. Each row sums to 4,096, and its positive entries to at most
    /// 30,000.
    int16_t matrix[9];
} csim_color;

/// The number of levels in the tables.
enum { csim_levels = 4096 };

/// The response of sensor and tone curve to 4,096 levels of the square root of light. The last level is white.
///
/// With headroom, the last level is the sensor's saturation instead.
///
/// The low 16 bits are the signal, 0 … 32,767. The next eight are the standard deviation of the noise, in quarters of
/// the unit of developed words.
typedef struct {
    uint32_t red[csim_levels];
    uint32_t green[csim_levels];
    uint32_t blue[csim_levels];
} csim_tables;

/// The noise and gain parameters of a sensor.
typedef struct {
    /// Electrons of a saturated pixel at the current sensitivity, and the standard deviation of the read noise in
    /// electrons.
    double fullWell;
    double readNoise;
    /// White balance gains.
    double redGain;
    double greenGain;
    double blueGain;
    /// Noise of red and blue after the averaging of neighbors and the color matrix, relative to the noise of the
    /// channel before them.
    double redNoise;
    double blueNoise;
    /// Saturation relative to white: 1, or more with a second, shorter exposure.
    double headroom;
    /// Number of codes from black to white.
    double codes;
    /// 1 for the transfer function HLG of Rec. ITU-R BT.2100, 0 for that of BT.709. With HLG, `headroom` is the light
    /// of its peak relative to white.
    int32_t isHLG;
} csim_sensor;

/// Computes the tables; returns the `noiseShift` of their deviations.
///
/// - `curve`: x^0.9, or the HLG signal of the light x^2, for x from 0 to 1 in `csim_levels` steps: 4,097 values.
int32_t csim_tabulate(const csim_sensor *sensor, const double *curve, csim_tables *tables);

/// A position of the window relative to `windowX` and `windowY`, in 65,536ths of a pixel.
typedef struct {
    int32_t x;
    int32_t y;
} csim_tap;

/// The parameters of rendering a frame.
typedef struct {
    /// Size of the frame in pixels; both even. The background has the same size, or is larger if the window moves.
    int32_t width;
    int32_t height;
    const csim_planes *background;
    /// Version of the development. It must change with the tables, the exposure and the composed planes.
    uint32_t version;
    /// For each pair of rows of the frame, 1 to render it and 0 to skip it; NULL to render all.
    const uint8_t *rowPairs;
    /// The layers in front of the background, from back to front.
    const csim_layer *movingLayers;
    int32_t movingLayerCount;
    const csim_tables *tables;
    csim_color color;
    /// Square roots of the exposure factor of each pair of rows, in 32,768ths, or NULL; for flickering lamps.
    const uint16_t *rowGain;
    /// 4:2:0 in two planes. A row must have room for `width` samples rounded up to 32.
    uint8_t *luma;
    int32_t lumaStride;
    uint8_t *chroma;
    int32_t chromaStride;
    /// 1 for luma 0 … 255, 0 for 16 … 235.
    int32_t fullRange;
    /// 1 for samples of 10 bits in the upper bits of words, 0 for bytes.
    int32_t tenBits;
    /// 1 for the primaries of BT.2020, 0 for those of BT.709.
    int32_t wideColor;
    /// Scale of the deviations in developed words: a deviation of 1 is 128 / 2^noiseShift 256ths of a code.
    int32_t noiseShift;
    /// Key of the frame's noise.
    uint64_t noiseKey;
    /// The visible part of the background, in 65,536ths of a pixel. A step of 65,536 means no zoom.
    int64_t windowX;
    int64_t windowY;
    int64_t windowStep;
    /// Window positions during the exposure. The light at these positions is averaged. None if the window does not
    /// move.
    const csim_tap *taps;
    int32_t tapCount;
    /// Offset of the window from one row to the next, due to the rolling shutter.
    int64_t windowSkewX;
    int64_t windowSkewY;
    /// Working memory for a moving window: `csim_ring_size(background width, ringRows)` bytes, aligned to 64. The
    /// number of rows is a power of 2 and exceeds the vertical distance of the taps by at least 4.
    void *ring;
    int32_t ringRows;
    /// Working memory of `csim_scratch_size(width)` bytes, aligned to 64.
    void *scratch;
    /// From `csim_noise_create`.
    const int8_t *noise;
} csim_frame;

/// Allocates zeroed memory, aligned to 64 bytes; returns NULL on failure. Large blocks use huge pages.
void *csim_memory_allocate(int64_t byteCount);
/// Frees such memory; `byteCount` is the allocated size.
void csim_memory_free(void *memory, int64_t byteCount);

/// Rotates a plane clockwise by 0, 90, 180 or 270 degrees.
///
/// - `byteCount`: the size of a sample: 1, 2 or 4 bytes.
/// - `width`, `height`: size of `from` in samples. `stride` and `toStride` are in samples, too.
void csim_rotate(
    const void *from, int32_t byteCount, int32_t width, int32_t height, int64_t stride, int32_t degrees, void *to,
    int64_t toStride);

/// Returns the size of the working memory for a frame of `width` pixels.
int64_t csim_scratch_size(int32_t width);
/// Returns the size of the working memory for a moving window on a background of `width` pixels.
int64_t csim_ring_size(int32_t width, int32_t rows);
/// Returns the size of the noise table in bytes.
int64_t csim_noise_size(void);
/// Computes the noise table: a normal distribution with a standard deviation of 32.
void csim_noise_create(int8_t *table);
/// Composes layers, from back to front. The first one should cover the planes.
void csim_compose(const csim_planes *planes, const csim_layer *layers, int32_t count);
/// Composes layers without a background. Uncovered pixels are black; `coverage` (rows of `stride` bytes) receives the
/// coverage.
void csim_compose_group(const csim_planes *planes, const csim_layer *layers, int32_t count, uint8_t *coverage);
/// Averages the luma of each block of 2x2 pixels of a rendered frame, like pixel binning in a sensor.
void csim_bin(const csim_frame *frame);
/// Composes the blurred copy of a layer into planes of the same size.
void csim_compose_blurred(const csim_planes *planes, const csim_layer *layer);
/// Develops a layer, or its blurred copy, in the frame's background planes, which have the same size, with the frame's
/// tables and exposure.
void csim_develop_layer(const csim_frame *frame, const csim_layer *layer);
/// Renders a frame from its background and its moving layers. Visible rows of the background are developed if their
/// version is outdated.
void csim_render(const csim_frame *frame);

/// The number of entries in the table of deviations.
enum { csim_raw_levels = 4096 };

/// The samples of a sensor before white balance and tone, and the parameters of their conversion.
typedef struct {
    /// A mosaic of 16-bit words: red and green in even rows, green and blue in odd ones.
    uint16_t *samples;
    /// Samples per row.
    int64_t stride;
    /// The codes of black and of saturation.
    int32_t blackLevel;
    int32_t whiteLevel;
    /// The standard deviation of the noise in 64ths of a code, for light from black to saturation:
    /// `csim_raw_levels` entries.
    const uint32_t *deviations;
} csim_raw;

/// Returns the size of the working memory for the samples of a frame of `width` pixels; see `csim_frame.scratch`.
int64_t csim_raw_scratch_size(int32_t width);
/// Renders the samples of a frame. Gains, the color matrix, the tables and the planes of luma and chroma are not used;
/// the working memory has `csim_raw_scratch_size(background width)` bytes.
void csim_render_raw(const csim_frame *frame, const csim_raw *raw);

/// A frame of `csim_merge`: 4:2:0 in two planes.
typedef struct {
    uint8_t *luma;
    uint8_t *chroma;
    /// In bytes.
    int32_t lumaStride;
    int32_t chromaStride;
} csim_merge_frame;

/// The maximum number of frames that are merged with the first one.
enum { csim_merge_limit = 8 };

/// Merges frames of the same exposure into the first one, to reduce its noise.
///
/// Where another frame differs from the first one by more than its noise, because something moved, it is not used.
///
/// - `others`: `count` frames of the same size.
/// - `width`, `height`: in pixels; both even.
/// - `tenBits`: 1 for samples of 10 bits in the upper bits of words, 0 for bytes.
/// Returns 0, or -1 if memory cannot be allocated.
int32_t csim_merge(
    const csim_merge_frame *first, const csim_merge_frame *others, int32_t count, int32_t width, int32_t height,
    int32_t tenBits);

/// Applies defocus blur to light, and composes the result over the target.
///
/// - `group`: composed planes, square roots of light.
/// - `coverage`: coverage of the group, or NULL if it is opaque.
/// - `radius`: radius of the circle of confusion for each row, in 16ths of a pixel. Below 4 there is no blur; the
///   maximum is 976.
/// - `blades`: 8 if the image of a point is an octagon of the disc's area, 0 if it is the disc. Smaller ones are discs.
/// - `target`: receives the composed planes. If `coverage` is not NULL, it contains the background.
/// Returns 0, or -1 if memory cannot be allocated.
int32_t csim_defocus(
    const csim_planes *group, const uint8_t *coverage, const uint16_t *radius, int32_t blades, const csim_planes *target);
/// Returns the margin in pixels that a circle of confusion of `radius` 16ths of a pixel adds to a layer; even.
int32_t csim_blur_margin(int32_t radius);
/// Creates a layer's blurred copy. Its size includes a margin on each side; the caller allocates its planes. `blades` is
/// that of `csim_defocus`.
///
/// Returns 0, or -1 if memory cannot be allocated.
int32_t csim_blur_layer(const csim_layer *layer, int32_t radius, int32_t blades, const csim_blurred *blurred);

/// Lists the opaque spans of a pair of rows of a blurred copy in `opaqueSpans`, and the partly covered ones in
/// `partialSpans`; returns their numbers in `opaqueCount` and `partialCount`.
///
/// `opaqueSpans` and `partialSpans` must have room for `width / 2` entries each.
void csim_blurred_outline(
    const csim_blurred *blurred, int32_t pair, csim_span *opaqueSpans, int32_t *opaqueCount, csim_span *partialSpans,
    int32_t *partialCount);
/// Applies horizontal motion blur to a blurred copy.
///
/// - `length`: motion during the exposure in 16ths of a pixel, negative to the left. The margins must be large enough.
/// Returns 0, or -1 if memory cannot be allocated.
int32_t csim_motion_blur(const csim_blurred *blurred, int32_t length);

/// The part of a view that a depth map covers, in 65,536ths of the view's pixels.
typedef struct {
    int64_t x;
    int64_t y;
    /// Distance between adjacent samples of the map.
    int64_t stepX;
    int64_t stepY;
} csim_depth_window;

/// Writes the depth of a layer, in meters, to the samples that it covers. Layers are drawn from back to front.
///
/// - `rowMeters`: depth of each row of the layer, or NULL if `meters` applies to all.
/// - `plane`: `width` times `height` values.
void csim_depth_cover(
    const csim_layer *layer, float meters, const float *rowMeters, const csim_depth_window *window, int32_t width,
    int32_t height, float *plane);

/// The parameters of a depth sensor.
typedef struct {
    /// 1 for triangulation between two cameras, 0 for time of flight.
    int32_t triangulates;
    /// 1 for disparity in 1/meters, 0 for depth in meters.
    int32_t isDisparity;
    /// Measurable range in meters.
    float nearest;
    float farthest;
    /// Standard deviation of the noise at 1 m, in meters.
    float noiseAt1m;
    /// Disparity of an object at 1 m, in samples of the map, for a second camera to the right of this one.
    float disparityAt1m;
    /// Key of the map's noise.
    uint64_t noiseKey;
    /// From `csim_noise_create`.
    const int8_t *noise;
} csim_depth_sensor;

/// Simulates the measurement of a plane of distances in meters; samples that cannot be measured become NaN.
///
/// The noise of triangulation is a constant deviation of the disparity; that of time of flight is proportional to the
/// distance. Triangulation cannot measure points that are visible in only one camera. The maximum `width` is 8,192.
void csim_depth_measure(
    const csim_depth_sensor *sensor, int32_t width, int32_t height, const float *plane, float *out);

/// A rendered frame, 4:2:0 in two planes.
typedef struct {
    /// In pixels; both even.
    int32_t width;
    int32_t height;
    const uint8_t *luma;
    int32_t lumaStride;
    const uint8_t *chroma;
    int32_t chromaStride;
} csim_image;

/// Converts to 4:2:2 without changing the range: Y Cb Y Cr, or Cb Y Cr Y if `chromaFirst` is 1.
void csim_to_422(const csim_image *image, uint8_t *out, int32_t stride, int32_t chromaFirst);
/// Converts a full-range frame to BGRA with opaque alpha.
void csim_to_bgra(const csim_image *image, uint8_t *out, int32_t stride);
/// Returns the maximum size of a JPEG in bytes.
int64_t csim_jpeg_capacity(int32_t width, int32_t height);
/// Encodes a full-range frame as a JPEG; returns its length in bytes.
///
/// - `quality`: 1 … 100 as defined by the Independent JPEG Group.
/// - `out`: room for `csim_jpeg_capacity` bytes.
int64_t csim_to_jpeg(const csim_image *image, int32_t quality, uint8_t *out);

/// A drawing surface: full-size planes of square roots of reflectance, and coverage.
typedef struct {
    int32_t width;
    int32_t height;
    uint8_t *red;
    uint8_t *green;
    uint8_t *blue;
    /// 0 transparent … 255 opaque.
    uint8_t *coverage;
} csim_canvas;

/// The fill of a shape.
typedef struct {
    /// Square roots of the reflectances at the shape's top and bottom, in 255ths.
    uint8_t top[3];
    uint8_t bottom[3];
    /// Strength of the texture, 0 none … 255, and its grain size in 256ths of a pixel on both axes.
    int32_t texture;
    int32_t grainX;
    int32_t grainY;
    uint32_t seed;
} csim_paint;

/// Fills a polygon (non-zero winding rule). Points are x, y pairs in 256ths of a pixel.
void csim_fill(const csim_canvas *canvas, const int32_t *points, int32_t pointCount, const csim_paint *paint);
/// The coverage of pixels by a shape, at a position of a canvas: 0 … 255, row by row without padding.
typedef struct {
    const uint8_t *coverage;
    int32_t left;
    int32_t top;
    int32_t width;
    int32_t height;
} csim_mask;

/// Fills a mask with a color: red, green and blue.
void csim_fill_mask(const csim_canvas *canvas, const csim_mask *mask, const uint8_t *color);
/// Draws clouds: blends white into the rows above `lastRow` where seeded fractal noise exceeds `threshold`,
/// 0 … 65,535.
///
/// - `grain`: the size of the largest structures, in 256ths of a pixel.
void csim_clouds(const csim_canvas *canvas, int32_t grain, int32_t threshold, int32_t lastRow, uint32_t seed);
/// A BGRA image to be drawn, not premultiplied.
typedef struct {
    const uint8_t *pixels;
    int32_t width;
    int32_t height;
    /// Bytes per row.
    int32_t stride;
    /// Linear light of each value in 65,535ths: 256 entries.
    const uint16_t *light;
} csim_source;

/// A rectangle in 256ths of a canvas's pixels; it may extend beyond the canvas.
typedef struct {
    int32_t left;
    int32_t top;
    int32_t width;
    int32_t height;
} csim_rect;

/// Draws an image on an empty canvas. Each pixel is the mean of the light on its area; enlarged images are
/// interpolated.
///
/// Returns 0, or -1 if memory cannot be allocated.
int32_t csim_draw(const csim_canvas *canvas, const csim_source *source, const csim_rect *target);
/// A point light: position in meters to the right, up and away from the camera, and its light at 1 m.
typedef struct {
    double x;
    double y;
    double z;
    double strength;
} csim_lamp;

/// Position of a canvas's row in the scene, in meters: x of its first pixel and pixel pitch, y and z.
typedef struct {
    double left;
    double pitch;
    double y;
    double z;
} csim_surface_row;

/// Darkens a canvas according to point lights, which decrease with the square of the distance, and ambient
/// light. Factors are limited to 1.
void csim_illuminate(
    const csim_canvas *canvas, const csim_surface_row *rows, const csim_lamp *lamps, int32_t lampCount, double ambient);
/// Downsamples a plane with rows of `stride` bytes by 2x2: the mean light of the covered pixels.
void csim_halve(
    const uint8_t *plane, const uint8_t *coverage, int32_t stride, int32_t width, int32_t height, uint8_t *half);
/// The minimum coverage of an opaque pixel.
enum { csim_opaque = 248 };
/// Computes the mean coverage of the blocks of 2x2 pixels of a pair of rows of `stride` bytes; 255 is opaque, other
/// values are in 256ths.
///
/// - `odd`: 0 if block n consists of columns 2n and 2n + 1, 1 if it consists of columns 2n - 1 and 2n.
/// - `half`: receives `width / 2 + odd` values. Columns outside the rows are not covered.
void csim_halve_coverage(const uint8_t *coverage, int32_t stride, int32_t width, int32_t odd, uint8_t *half);
/// Lists the opaque spans and the partly covered samples of a row; returns their numbers in `spanCount` and
/// `edgeCount`.
///
/// - `least`: the minimum coverage of an opaque sample: `csim_opaque`, or 255 for blocks of 2x2. Samples with a
///   coverage below 256 minus `least` are empty.
/// `spans` and `edges` must have room for `width` entries each.
void csim_row_coverage(
    const uint8_t *coverage, int32_t width, int32_t least, csim_span *spans, int32_t *spanCount, csim_edge *edges,
    int32_t *edgeCount);

/// Adds a tone to one channel. Amplitudes are in units of 2^-31 of full scale, phases in 2^-64 of a turn.
///
/// - `stepGrowth`: added to `phaseStep` with each sample, for a linear sweep.
/// - `sine`: one period in 4,097 entries, in units of 2^-30.
void csim_audio_tone(
    int64_t *mix, int64_t count, uint64_t phase, uint64_t phaseStep, uint64_t stepGrowth, int64_t amplitude,
    const int32_t *sine);
/// Adds white noise with a root mean square of `amplitude`.
///
/// - `noiseKey`, `firstSample`: determine the noise; equal values result in equal samples.
void csim_audio_noise(int64_t *mix, int64_t count, int64_t amplitude, uint64_t noiseKey, uint64_t firstSample);
/// Adds recorded audio with another sample rate, linearly interpolated; its full scale is 2^31.
///
/// - `position`, `step`: position of the first sample in the clip, and its increment per sample of `mix`, in units of
///   2^-32 of the clip's samples; `position` must be within the clip.
void csim_audio_clip(
    const int32_t *clip, int64_t length, uint64_t position, uint64_t step, int32_t loops, int64_t amplitude,
    int64_t *mix, int64_t count);
/// Adds part of a period of a sound source that plays a loop. The amplitude changes linearly over the period.
///
/// - `loop`: `length` + 1 samples in units of 2^-30; the last sample repeats the first one.
/// - `position`, `step`: position in the loop at the start of the period, and its increment per sample, in units of
///   2^-32 of a sample of the loop.
/// - `from`, `to`: amplitude at the start and at the end of the period, in units of 2^-31 of full scale.
/// - `first`, `period`: index of the first sample in the period, and the period's length in samples.
void csim_audio_loop(
    int64_t *mix, int64_t count, const int32_t *loop, int64_t length, int64_t position, int64_t step, int64_t from,
    int64_t to, int64_t first, int64_t period);
/// Clips samples to `limit`; writes every `stride`-th entry of `out`.
void csim_audio_limit(const int64_t *mix, int64_t count, int64_t limit, int32_t *out, int32_t stride);
/// Converts 32-bit samples to 16 bits, or to floats in -1 … 1.
void csim_audio_to_int16(const int32_t *in, int64_t count, int16_t *out);
void csim_audio_to_float(const int32_t *in, int64_t count, float *out);
