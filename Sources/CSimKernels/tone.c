#include "CSimKernels.h"
#include "internal.h"

#pragma STDC FP_CONTRACT OFF

typedef struct {
    // 0 … 1.
    double signal;
    // The slope of the signal with respect to light; from `respond`, the standard deviation of the noise in codes.
    double deviation;
} response;

// The transfer function of Rec. ITU-R BT.709-6, 1.2, of the square root x of light, and its slope with respect to
// light: 4.5 x² below x = 0.1342, 1.099 x^0.9 - 0.099 above.
static response transfer(double x, const double *power) {
    if (x >= 1) return (response){1, 0};
    if (x < 0.134164) return (response){4.5 * x * x, 4.5};
    double position = x * csim_levels;
    int32_t index = (int32_t)position;
    double p = power[index] + (power[index + 1] - power[index]) * (position - index);
    // The derivative of x^0.9 is 0.9 x^0.9 / x, and that of x with respect to light is 1 / 2x.
    return (response){1.099 * p - 0.099, 1.099 * 0.45 * p / (x * x)};
}

// The start of the highlight compression, as light and as its square root.
#define kneeLight 0.4
#define kneeRoot 0.632455532033676

// The transfer function with headroom; x is the square root of light, `most` that of the maximum. Up to the knee it is
// BT.709's. Above it is a hyperbola in x with the same slope at the knee, which reaches white at the maximum.
static response compressed(double x, double most, const double *power) {
    response knee = transfer(kneeRoot, power);
    if (x <= kneeRoot) return transfer(x, power);
    if (x >= most) return (response){1, 0};
    double width = most - kneeRoot, u = (x - kneeRoot) / width, rest = 1 - knee.signal;
    // The slope over u at u = 0, relative to the rest: dL/du = 2 x dx/du.
    double steep = knee.deviation * 2 * kneeRoot * width / rest, base = 1 + (steep - 1) * u;
    return (response){knee.signal + rest * steep * u / base, rest * steep / (base * base) / (2 * x * width)};
}

// The transfer function HLG of the square root x of light relative to its peak (Rec. ITU-R BT.2100-2, table 5), and its
// slope with respect to that light. Near black, the slope is limited to BT.709's: the square root has no finite one.
static response hlg(double x, double headroom, const double *signal) {
    if (x >= 1) return (response){1, 0};
    double position = x * csim_levels, light = x * x;
    int32_t index = (int32_t)position;
    double value = signal[index] + (signal[index + 1] - signal[index]) * (position - index);
    double slope = light <= 1.0 / 12 ? 0.866025403784439 / x : 0.17883277 * 12 / (12 * light - 0.28466892);
    return (response){value, slope < 4.5 * headroom ? slope : 4.5 * headroom};
}

// Returns the response to a level. Photon noise of n electrons has the deviation √n, to which read noise is added: EMVA
// 1288 release 4.0, 2.2.
//
// Levels are proportional to the electrons after the gain.
static response respond(
    const csim_sensor *sensor, double gain, double relativeNoise, int32_t level, const double *curve
) {
    double most = __builtin_sqrt(sensor->headroom), x = (level + 0.5) / csim_levels * most, light = x * x / gain;
    if (level >= csim_levels - 1) return (response){1, 0};
    // Above the saturation of the long exposure, light is measured by the short one, with proportionally fewer
    // electrons.
    double fullWell = light > 1 ? sensor->fullWell / sensor->headroom : sensor->fullWell;
    double electrons = light * fullWell + sensor->readNoise * sensor->readNoise;
    response r;
    if (sensor->isHLG) {
        r = hlg(x / most, sensor->headroom, curve);
        r.deviation /= sensor->headroom;
    } else {
        r = most > 1 ? compressed(x, most, curve) : transfer(x, curve);
    }
    r.deviation *= gain * relativeNoise * __builtin_sqrt(electrons) / fullWell * sensor->codes;
    return r;
}

int32_t csim_tabulate(const csim_sensor *sensor, const double *curve, csim_tables *tables) {
    uint32_t *table[3] = {tables->red, tables->green, tables->blue};
    double gain[3] = {sensor->redGain, sensor->greenGain, sensor->blueGain};
    double relativeNoise[3] = {sensor->redNoise, 1, sensor->blueNoise}, most = 0;
    for (int c = 0; c < 3; c++) {
        // Slope and noise change slowly with light: every 16th level is sufficient to find the maximum.
        for (int32_t level = 0; level < csim_levels; level += 16) {
            double deviation = respond(sensor, gain[c], relativeNoise[c], level, curve).deviation;
            if (deviation > most) most = deviation;
        }
    }
    int32_t shift = 0;
    while (shift < 6 && most * 16 * (double)(1 << shift) * 1.02 < 255) shift++;
    double scale = 8 * (double)(1 << shift);
    for (int c = 0; c < 3; c++) {
        for (int32_t level = 0; level < csim_levels; level++) {
            response r = respond(sensor, gain[c], relativeNoise[c], level, curve);
            double deviation = r.deviation * scale + 0.5;
            uint32_t noise = deviation < 255 ? (uint32_t)deviation : 255;
            table[c][level] = (uint32_t)(r.signal * 32767 + 0.5) | noise << 16;
        }
    }
    return shift;
}
