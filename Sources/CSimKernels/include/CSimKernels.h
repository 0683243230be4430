/// Pixel and sound kernels of the simulated devices.
///
/// What runs for each frame is integer arithmetic, so that every processor gives the same bytes; the few square roots of
/// the rest and the arithmetic of depth are single operations that IEEE 754 fixes to the last bit.
///
/// A picture is formed in three steps. *Composing* puts the scene's layers over each other, as light: the square root of
/// it in 16 bits, which keeps 96 dB. *Developing* tells what the sensor and the tone curve make of it: for each sample the
/// code and the deviation of its noise, in one word. Both are kept for what stands still, as a plate, and done anew where
/// something moves. *Grain* adds noise and rounds to bytes; it is all that most pixels of a frame need, and takes as long as
/// memory does to give and take them: so a word has 16 bits.
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

/// A layer out of focus: its light, where there is any, and how much of what lies behind it hides. Planes are read up to 16
/// samples beyond their ends.
typedef struct {
    /// Square roots of reflectance in 65,535ths; a row of `green` is `width` long, one of `red` and `blue` half.
    uint16_t *green;
    uint16_t *red;
    uint16_t *blue;
    /// 0 … 255, for each pixel, and for each block of 2x2.
    uint8_t *coverage;
    uint8_t *halfCoverage;
    /// Pixels; even.
    int32_t width;
    int32_t height;
    /// Stretches of pair n of its rows that hide all behind them in both rows: `solid[solidStart[n]]` up to
    /// `solid[solidStart[n + 1]]`, ascending, from even columns to even ones; and those that hide some of it, likewise.
    const csim_span *solid;
    const uint32_t *solidStart;
    const csim_span *rim;
    const uint32_t *rimStart;
} csim_soft;

/// What stands still, composed and developed. All rows are `stride` samples apart, those of `red` and `blue` half.
typedef struct {
    /// Pixels; both even.
    int32_t width;
    int32_t height;
    /// A multiple of 64 that leaves at least 64 samples after `width`.
    int32_t stride;
    /// Composed: square roots of light.
    uint16_t *green;
    uint16_t *red;
    uint16_t *blue;
    /// Developed: 256ths of a code less 32,768, of which the low six bits are the deviation of the noise, in steps that
    /// `csim_frame.noiseShift` tells; the words are so spread over the pixels that their mean is the code's. Cb and Cr in
    /// turn, half the rows.
    int16_t *luma;
    int16_t *chroma;
    /// For each pair of rows which development it holds, 0 for none.
    uint32_t *versions;
} csim_plate;

/// A flat piece of the scene.
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
    /// Added to `x` in each row of the frame, in 65,536ths of a pixel: what moves is skewed by a rolling readout.
    int32_t skew;
    /// Square root of the light for each channel: a reflectance of 1 comes to 255/256 of it.
    uint16_t redScale;
    uint16_t greenScale;
    uint16_t blueScale;
    /// A factor on the scales for each row of the layer, in 65,535ths, or NULL; for ground, whose depth changes.
    const uint16_t *rowScale;
    /// The same layer out of focus, whose left top pixel is at `softX` and `softY` from the layer's, or NULL.
    const csim_soft *soft;
    int32_t softX;
    int32_t softY;
    /// The layer alone, or its soft twin, developed, or NULL; it begins at the left top pixel of that.
    const csim_plate *developed;
} csim_layer;

/// How a sensor sees the light's colours, and what is made of them: numbers for red, green and blue, or rows of three for
/// each.
typedef struct {
    /// What each of the sensor's colours sees of the scene's, in 2,048ths: rows come to 2,048.
    uint16_t mix[9];
    /// The exposure, 1,024 … 2,047, over 2^`exposureShift`: a light of 2^21 times it is saturation where it comes to 65,536.
    uint16_t exposure[3];
    uint8_t exposureShift[3];
    /// Of white balance, in 2,048ths, at least 2,048 and less than 32,768.
    uint16_t gain[3];
    /// What brings the sensor's colours back to those of BT.709, in 4,096ths: rows come to 4,096, none of their positive
    /// entries to more than 30,000.
    int16_t matrix[9];
} csim_color;

enum { csim_levels = 4096 };

/// What the tone curve makes of light: 4,096 square roots of it, of which the last is white.
///
/// Where the sensor has headroom, the levels go up to its saturation all the same.
///
/// The low 16 bits are the signal, 0 … 32,767; the next eight the deviation of its noise, in quarters of a word's steps.
typedef struct {
    uint32_t red[csim_levels];
    uint32_t green[csim_levels];
    uint32_t blue[csim_levels];
} csim_tables;

/// What a sensor and its amplifiers make of light.
typedef struct {
    /// Electrons of a saturated pixel at the sensitivity in force, and the deviation of the read noise in electrons.
    double fullWell;
    double readNoise;
    /// Factors on the signals.
    double redGain;
    double greenGain;
    double blueGain;
    /// The noise of red and blue in proportion to that of the channel alone: neighbours were averaged, and the colour matrix
    /// adds the other channels' noise.
    double redNoise;
    double blueNoise;
    /// How many times the light of white saturates: 1, or more where a second, shorter exposure takes over from there.
    double headroom;
    /// Codes from black to white.
    double codes;
} csim_sensor;

/// Fills the tables; returns the `noiseShift` that they count deviations by.
///
/// - `power`: x^0.9 for x from 0 to 1 in `csim_levels` steps, with the ends 4,097 numbers.
int32_t csim_tabulate(const csim_sensor *sensor, const double *power, csim_tables *tables);

/// A place of the window, from where it is said to be, in 65,536ths of a pixel.
typedef struct {
    int32_t x;
    int32_t y;
} csim_tap;

/// All that forms one picture.
typedef struct {
    /// Pixels of the picture; both even. The plate is as large, or larger where the window moves.
    int32_t width;
    int32_t height;
    const csim_plate *plate;
    /// Which development the plate is to hold; another number where tables, exposure or composed planes are others.
    uint32_t version;
    /// For each pair of rows 1 where it is to be formed, or NULL where all are.
    const uint8_t *wanted;
    /// From back to front; what moves before the plate.
    const csim_layer *movers;
    int32_t moverCount;
    const csim_tables *tables;
    csim_color color;
    /// Square roots of factors on each pair of rows' exposure, in 32,768ths, or NULL; for lamps that flicker.
    const uint16_t *rowGain;
    /// 4:2:0, two planes; a row must hold `width` rounded up to 32 bytes.
    uint8_t *luma;
    int32_t lumaStride;
    uint8_t *chroma;
    int32_t chromaStride;
    /// 1 for luma 0 … 255, 0 for 16 … 235.
    int32_t fullRange;
    /// A word's deviation of 1 is 128 / 2^noiseShift 256ths of a code.
    int32_t noiseShift;
    /// Tells this frame's noise from any other's.
    uint64_t noiseKey;
    /// The window of the picture that is shown, in 65,536ths of a pixel; a step of 65,536 is no zoom.
    int64_t windowX;
    int64_t windowY;
    int64_t windowStep;
    /// Where the window stands during the exposure, whose light is the mean of all; none where it does not move.
    const csim_tap *taps;
    int32_t tapCount;
    /// Added to the window's place in each row, as the sensor is read out while the camera turns.
    int64_t windowSkewX;
    int64_t windowSkewY;
    /// Working memory where the window moves: `csim_ring_size(plate width, ringRows)` bytes, aligned to 64. The rows are a
    /// power of 2, and more by 4 than the taps are apart.
    void *ring;
    int32_t ringRows;
    /// Working memory of `csim_scratch_size(width)` bytes, aligned to 64.
    void *scratch;
    /// From `csim_noise_make`.
    const int8_t *noise;
} csim_frame;

/// Memory full of zeros, aligned to 64 bytes, quick to come by where it is large; NULL where there is none.
void *csim_memory_take(int64_t byteCount);
/// Gives such memory back; `byteCount` is what was asked for.
void csim_memory_give(void *memory, int64_t byteCount);

/// Bytes of working memory for a frame of `width` pixels.
int64_t csim_scratch_size(int32_t width);
/// Bytes of working memory for a plate of `width` pixels before which the window moves.
int64_t csim_ring_size(int32_t width, int32_t rows);
/// Length of the noise table in bytes.
int64_t csim_noise_size(void);
/// Fills the noise table: a normal distribution of standard deviation 32.
void csim_noise_make(int8_t *table);
/// Puts layers over each other, from back to front, into the plate's composed planes; the first should cover it.
void csim_compose(const csim_plate *plate, const csim_layer *layers, int32_t count);
/// The same where nothing lies behind: what no layer covers is black, and `coverage` (rows of `stride` bytes) tells.
void csim_compose_group(const csim_plate *plate, const csim_layer *layers, int32_t count, uint8_t *coverage);
/// Averages the luma of each block of 2x2 of a finished picture, as a sensor does whose pixels are read by fours.
void csim_bin(uint8_t *luma, int32_t stride, int32_t width, int32_t height);
/// Puts a layer's soft twin alone on a plate as large as that.
void csim_compose_soft(const csim_plate *plate, const csim_layer *layer);
/// Develops a layer, or its soft twin, alone on the frame's plate, as large as that, by the frame's tables and exposure.
void csim_develop_layer(const csim_frame *frame, const csim_layer *layer);
/// Forms a picture from the frame's plate, which it develops as far as it shows it, and movers.
void csim_form(const csim_frame *frame);

/// Spreads light over discs of confusion, and puts the result over what lies behind.
///
/// - `group`: composed planes, square roots of light; `coverage` is theirs, or NULL where they hide everything.
/// - `radius`: for each row, in 16ths of a pixel; less than 4 changes nothing, and more than 976 is not there.
/// - `target`: receives the composed planes; where there is a coverage, it holds what lies behind.
/// Returns 0, or -1 where there is no memory.
int32_t csim_defocus(
    const csim_plate *group, const uint8_t *coverage, const uint16_t *radius, const csim_plate *target);
/// The margin in pixels by which a disc of `radius` 16ths of a pixel reaches beyond a layer; even.
int32_t csim_soft_margin(int32_t radius);
/// Makes a layer's soft twin, whose sides are longer by two margins; its planes are the caller's.
///
/// Returns 0, or -1 where there is no memory.
int32_t csim_soften(const csim_layer *layer, int32_t radius, const csim_soft *soft);

/// Lists the stretches of a pair of rows of a soft twin that hide all behind them, and those that hide some; returns their
/// numbers by `solidCount` and `rimCount`.
///
/// `solid` and `rim` have room for `width / 2` entries each.
void csim_soft_outline(
    const csim_soft *soft, int32_t pair, csim_span *solid, int32_t *solidCount, csim_span *rim, int32_t *rimCount);
/// Spreads a soft twin along a row, as far as it moves while light falls in.
///
/// - `length`: in 16ths of a pixel, negative to the left; the twin's margins hold it.
/// Returns 0, or -1 where there is no memory.
int32_t csim_smear(const csim_soft *soft, int32_t length);

/// The part of a picture over which a depth map lies, in 65,536ths of the picture's pixels.
typedef struct {
    int64_t x;
    int64_t y;
    /// From one place of the map to the next.
    int64_t stepX;
    int64_t stepY;
} csim_depth_window;

/// Notes how far away a layer is, in metres, over what lies behind it; layers come from back to front.
///
/// - `rowMetres`: for each row of the layer, or NULL where `metres` holds for all.
/// - `plane`: `width` times `height` numbers.
void csim_depth_cover(
    const csim_layer *layer, float metres, const float *rowMetres, const csim_depth_window *window, int32_t width,
    int32_t height, float *plane);

/// What measures depth.
typedef struct {
    /// 1 where it compares what two eyes see, 0 where it takes the time of light.
    int32_t triangulates;
    /// 1 for 1/metres, 0 for metres.
    int32_t givesDisparity;
    /// Metres; nothing is measured outside.
    float nearest;
    float farthest;
    /// Deviation of the noise at 1 m, in metres.
    float noise1;
    /// By how many places of the map the second eye, which is to the right, sees something at 1 m more to the left.
    float shift;
    /// Tells this map's noise from any other's.
    uint64_t noiseKey;
    /// From `csim_noise_make`.
    const int8_t *noise;
} csim_depth_sensor;

/// Measures a plane of distances in metres; not a number stands for what cannot be measured.
///
/// The noise of triangulation is that of disparity, the same at all distances; that of the time of light grows with the
/// distance. What one eye alone sees cannot be triangulated. `width` is 8,192 at most.
void csim_depth_measure(
    const csim_depth_sensor *sensor, int32_t width, int32_t height, const float *plane, float *out);

/// A finished picture, 4:2:0 in two planes.
typedef struct {
    /// Pixels; both even.
    int32_t width;
    int32_t height;
    const uint8_t *luma;
    int32_t lumaStride;
    const uint8_t *chroma;
    int32_t chromaStride;
} csim_picture;

/// Packs a picture as 4:2:2, the range as it is: Y Cb Y Cr, or Cb Y Cr Y where `chromaFirst` is 1.
void csim_to_422(const csim_picture *picture, uint8_t *out, int32_t stride, int32_t chromaFirst);
/// Turns a picture of full range into blue, green, red, 255.
void csim_to_bgra(const csim_picture *picture, uint8_t *out, int32_t stride);
/// The most bytes that a JPEG takes.
int64_t csim_jpeg_capacity(int32_t width, int32_t height);
/// Turns a picture of full range into a JPEG; returns its length in bytes.
///
/// - `quality`: 1 … 100 as the Independent JPEG Group counts it.
/// - `out`: room for `csim_jpeg_capacity` bytes.
int64_t csim_to_jpeg(const csim_picture *picture, int32_t quality, uint8_t *out);

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
/// A picture to be drawn: blue, green, red, coverage.
typedef struct {
    const uint8_t *pixels;
    int32_t width;
    int32_t height;
    /// Bytes of a row.
    int32_t stride;
    /// The light that each value stands for, in 65,535ths: 256 entries.
    const uint16_t *light;
} csim_source;

/// A rectangle in 256ths of a canvas' pixels; it may reach beyond the canvas.
typedef struct {
    int32_t left;
    int32_t top;
    int32_t width;
    int32_t height;
} csim_rect;

/// Draws a picture on an empty canvas: each pixel is the mean of the light that falls on it, or, where the picture is
/// enlarged, lies between its neighbours.
///
/// Returns 0, or -1 where there is no memory.
int32_t csim_draw(const csim_canvas *canvas, const csim_source *source, const csim_rect *target);
/// A small lamp: metres to the right, up and away from the eye, and its light at 1 m.
typedef struct {
    double x;
    double y;
    double z;
    double strength;
} csim_lamp;

/// Where a row of a canvas is in the scene: metres of its first pixel to the right, of all up and away, and from pixel to
/// pixel.
typedef struct {
    double left;
    double pitch;
    double y;
    double z;
} csim_surface_row;

/// Weakens what is painted to the light of lamps, which falls with the square of distance, at most to what it is.
void csim_illuminate(
    const csim_canvas *canvas, const csim_surface_row *rows, const csim_lamp *lamps, int32_t lampCount, double ambient);
/// Reduces a plane, whose rows are `stride` bytes apart, to one byte a block of 2x2: the mean light of what is covered.
void csim_halve(
    const uint8_t *plane, const uint8_t *coverage, int32_t stride, int32_t width, int32_t height, uint8_t *half);
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
