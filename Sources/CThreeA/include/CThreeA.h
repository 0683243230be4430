/// Pixel statistics for automatic exposure, white balance and focus.
///
/// All arithmetic is on integers, so that every processor gives the same numbers. C, as Swift's loops over pixels are
/// many times slower in debug builds.
#pragma once
#include <stdint.h>

/// How the samples of a picture lie in memory; three components, or one where the picture is grey.
typedef struct {
    /// The first sample of Y, Cb, Cr or of R, G, B; the second and third are NULL where the picture is grey.
    const uint8_t *samples[3];
    /// Bytes from one row of a component to the next.
    int32_t rowBytes[3];
    /// Bytes from one sample of a component to the next.
    int32_t step[3];
    /// Pixels.
    int32_t width;
    int32_t height;
    /// Pixels to a sample of the second and third component, as powers of two.
    int32_t shiftX;
    int32_t shiftY;
    /// 1 for R, G, B.
    int32_t isRGB;
    /// 1 for codes 0 … 255, 0 for luma 16 … 235 and chroma 16 … 240.
    int32_t isFullRange;
    /// -1 for bytes, else by how many bits a little-endian 16-bit sample is shifted down to eight bits.
    int32_t wordShift;
    /// Parts of Cr in R, Cb and Cr in G, Cb in B, in 4,096ths; for codes of full range.
    int32_t redCr;
    int32_t greenCb;
    int32_t greenCr;
    int32_t blueCb;
} threea_picture;

/// What a picture's colours come to.
typedef struct {
    /// Sums of linear red, green and blue (65,535 is white) over the samples that are neither clipped nor black.
    uint64_t sums[3];
    /// How many samples that were, and how many there were at all.
    uint32_t count;
    uint32_t total;
    /// The same over all samples whose luma is neither clipped nor black, though a colour may be.
    uint64_t roughSums[3];
    uint32_t roughCount;
    /// The first again, over those samples alone whose red and blue are within half an EV of green.
    uint64_t greyishSums[3];
    uint32_t greyishCount;
} threea_color;

/// Linear light of 8-bit full-range codes by the inverse of BT.709's transfer; 65,535 is white.
extern const uint16_t threea_light[256];

/// Measures light over a grid of `columns` x `rows` zones.
///
/// - `strideX`, `strideY`: every so many pixels of a zone are read, beginning with its first.
/// - `zones`: receives the mean of each zone's linear luma, row by row.
/// - `saturated`: receives each zone's share of samples in the brightest four codes; 65,535 is all.
/// - `histogram`: receives the number of samples of each fourth code of full-range luma.
/// - `color`: receives the colours, or is NULL.
void threea_measure(
    const threea_picture *picture, int32_t columns, int32_t rows, int32_t strideX, int32_t strideY, uint16_t *zones,
    uint16_t *saturated, uint32_t histogram[64], threea_color *color);

/// Sums the squared gradients (Tenengrad) over a window whose pixels all have neighbours.
///
/// - `left` … `bottom`: the window's pixels; clipped to the picture less its rim.
/// - `gradients`: receives the sum of the squared Sobel gradients, `luma` that of the luma codes.
/// Returns the number of samples.
uint32_t threea_contrast(
    const threea_picture *picture, int32_t left, int32_t top, int32_t right, int32_t bottom, int32_t strideX,
    int32_t strideY, uint64_t *gradients, uint64_t *luma);
