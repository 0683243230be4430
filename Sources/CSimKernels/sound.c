#include "CSimKernels.h"
#include "internal.h"

void csim_sound(
    int32_t *out, int32_t count, int32_t stride, uint64_t phase, uint64_t phaseStep, int32_t toneAmplitude,
    int32_t noiseAmplitude, uint64_t noiseKey, uint64_t firstSample, const int32_t *sine
) {
    for (int32_t i = 0; i < count; i++, phase += phaseStep) {
        int64_t value = 0;
        if (toneAmplitude) {
            uint32_t at = (uint32_t)(phase >> 52), fraction = (uint32_t)(phase >> 36) & 0xffff;
            int64_t s = sine[at] + (((int64_t)(sine[at + 1] - sine[at]) * fraction) >> 16);
            value = (s * toneAmplitude) >> 30;
        }
        if (noiseAmplitude) {
            // The sum of four uniform values, whose standard deviation is 65,536 / sqrt(3), is nearly normal.
            uint64_t dice = csim_mix(noiseKey ^ csim_mix(firstSample + (uint64_t)i));
            int64_t sum = (int64_t)(dice & 0xffff) + (int64_t)((dice >> 16) & 0xffff)
                + (int64_t)((dice >> 32) & 0xffff) + (int64_t)(dice >> 48) - 131070;
            value += sum * noiseAmplitude / 37837;
        }
        if (value > INT32_MAX) value = INT32_MAX;
        if (value < -INT32_MAX) value = -INT32_MAX;
        out[(int64_t)i * stride] = (int32_t)value;
    }
}

void csim_sound_to_int16(const int32_t *in, int64_t count, int16_t *out) {
    for (int64_t i = 0; i < count; i++) {
        int64_t rounded = ((int64_t)in[i] + 32768) >> 16;
        out[i] = (int16_t)(rounded > 32767 ? 32767 : rounded);
    }
}

void csim_sound_to_float(const int32_t *in, int64_t count, float *out) {
    // Both steps are exact or rounded once by IEEE 754, so that all processors agree.
    for (int64_t i = 0; i < count; i++) out[i] = (float)in[i] * (1.0f / 2147483648.0f);
}
