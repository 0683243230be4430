/// Pixel statistics for automatic exposure, white balance and focus.
///
/// All arithmetic uses integers, so that the results are the same on all processors. This code is in C, because loops
/// over pixels in Swift are many times slower in debug builds.
#pragma once
#include <stdint.h>

/// The memory layout of an image's samples: three components, or one if the image is monochrome.
typedef struct {
    /// The first sample of Y, Cb, Cr or of R, G, B. The second and third are NULL if the image is monochrome.
    const uint8_t *samples[3];
    /// The distance between rows of a component in bytes.
    int32_t rowBytes[3];
    /// The distance between samples of a component in bytes.
    int32_t step[3];
    /// The size in pixels.
    int32_t width;
    int32_t height;
    /// The binary logarithms of the number of pixels per sample of the second and third component.
    int32_t shiftX;
    int32_t shiftY;
    /// 1 for R, G, B.
    int32_t isRGB;
    /// 1 for codes 0 … 255, 0 for luma 16 … 235 and chroma 16 … 240.
    int32_t isFullRange;
    /// -1 for bytes, or the right shift that converts a little-endian 16-bit sample to 8 bits.
    int32_t wordShift;
    /// The coefficients of Cr in R, Cb and Cr in G, and Cb in B for full-range codes, multiplied by 4,096.
    int32_t redCr;
    int32_t greenCb;
    int32_t greenCr;
    int32_t blueCb;
} threea_image;

/// The sums of an image's colors.
typedef struct {
    /// The sums of linear red, green and blue (65,535 is white) of samples that are neither clipped nor black.
    uint64_t sums[3];
    /// The number of samples in `sums`.
    uint32_t count;
    /// The number of all samples.
    uint32_t total;
    /// The sums of samples with a luma that is neither clipped nor black. Their colors may be clipped or black.
    uint64_t roughSums[3];
    uint32_t roughCount;
    /// The sums of the samples in `sums` with red and blue within half an EV of green.
    uint64_t grayishSums[3];
    uint32_t grayishCount;
} threea_color;

/// The linear light of 8-bit full-range codes by the inverse of BT.709's transfer function; 65,535 is white.
extern const uint16_t threea_light[256];

/// Measures light over a grid of `columns` x `rows` zones.
///
/// - `strideX`, `strideY`: the distance between the samples of a zone in pixels.
/// - `zones`: receives the mean linear luma of each zone, row by row.
/// - `saturated`: receives the share of samples in the brightest four codes for each zone; 65,535 is all.
/// - `histogram`: receives the histogram of full-range luma with four codes per bin.
/// - `color`: receives the colors; may be NULL.
void threea_measure(
    const threea_image *image, int32_t columns, int32_t rows, int32_t strideX, int32_t strideY, uint16_t *zones,
    uint16_t *saturated, uint32_t histogram[64], threea_color *color);

/// Sums the squared gradients (Tenengrad) in a window.
///
/// - `left` … `bottom`: the window in pixels; clipped to the image without its outermost pixels.
/// - `gradients`: receives the sum of the squared Sobel gradients.
/// - `luma`: receives the sum of the luma codes.
/// Returns the number of samples.
uint32_t threea_contrast(
    const threea_image *image, int32_t left, int32_t top, int32_t right, int32_t bottom, int32_t strideX,
    int32_t strideY, uint64_t *gradients, uint64_t *luma);
