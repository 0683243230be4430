#include "CSimKernels.h"
#include "internal.h"

static int64_t sine_at(const int32_t *sine, uint64_t phase) {
    uint32_t at = (uint32_t)(phase >> 52), fraction = (uint32_t)(phase >> 36) & 0xffff;
    return sine[at] + (((int64_t)(sine[at + 1] - sine[at]) * fraction) >> 16);
}

static int64_t scaled(int64_t value, int64_t amplitude) {
    return (int64_t)(((__int128)value * amplitude) >> 30);
}

void csim_audio_tone(
    int64_t *mix, int64_t count, uint64_t phase, uint64_t phaseStep, uint64_t stepGrowth, int64_t amplitude,
    const int32_t *sine
) {
    for (int64_t i = 0; i < count; i++, phase += phaseStep, phaseStep += stepGrowth)
        mix[i] += scaled(sine_at(sine, phase), amplitude);
}

void csim_audio_noise(int64_t *mix, int64_t count, int64_t amplitude, uint64_t noiseKey, uint64_t firstSample) {
    for (int64_t i = 0; i < count; i++) {
        // The sum of four uniform values is approximately normal, with a standard deviation of 65,536 / sqrt(3).
        uint64_t random = csim_hash(noiseKey ^ csim_hash(firstSample + (uint64_t)i));
        int64_t sum = (int64_t)(random & 0xffff) + (int64_t)((random >> 16) & 0xffff)
            + (int64_t)((random >> 32) & 0xffff) + (int64_t)(random >> 48) - 131070;
        mix[i] += sum * amplitude / 37837;
    }
}

void csim_audio_clip(
    const int32_t *clip, int64_t length, uint64_t position, uint64_t step, int32_t loops, int64_t amplitude,
    int64_t *mix, int64_t count
) {
    uint64_t end = (uint64_t)length << 32;
    for (int64_t i = 0; i < count; i++, position += step) {
        if (position >= end) {
            if (!loops) return;
            position %= end;
        }
        int64_t at = (int64_t)(position >> 32), next = at + 1 < length ? at + 1 : loops ? 0 : at;
        int64_t between = ((int64_t)clip[next] - clip[at]) >> 1;
        int64_t value = clip[at] + ((between * (int64_t)((position >> 1) & 0x7fffffff)) >> 30);
        mix[i] += (int64_t)(((__int128)value * amplitude) >> 31);
    }
}

void csim_audio_loop(
    int64_t *mix, int64_t count, const int32_t *loop, int64_t length, int64_t position, int64_t step, int64_t from,
    int64_t to, int64_t first, int64_t period
) {
    int64_t end = length << 32;
    for (int64_t i = 0; i < count; i++) {
        int64_t at = (position + step * (first + i)) % end;
        if (at < 0) at += end;
        int64_t whole = at >> 32, fraction = (at >> 16) & 0xffff;
        int64_t value = loop[whole] + ((((int64_t)loop[whole + 1] - loop[whole]) * fraction) >> 16);
        mix[i] += scaled(value, from + (to - from) * (first + i) / period);
    }
}

void csim_audio_limit(const int64_t *mix, int64_t count, int64_t limit, int32_t *out, int32_t stride) {
    if (limit > INT32_MAX) limit = INT32_MAX;
    for (int64_t i = 0; i < count; i++) {
        int64_t value = mix[i] > limit ? limit : mix[i] < -limit ? -limit : mix[i];
        out[i * stride] = (int32_t)value;
    }
}

void csim_audio_to_int16(const int32_t *in, int64_t count, int16_t *out) {
    for (int64_t i = 0; i < count; i++) {
        int64_t rounded = ((int64_t)in[i] + 32768) >> 16;
        out[i] = (int16_t)(rounded > 32767 ? 32767 : rounded);
    }
}

void csim_audio_to_float(const int32_t *in, int64_t count, float *out) {
    // Exact or rounded once by IEEE 754, so that all processors compute the same.
    for (int64_t i = 0; i < count; i++) out[i] = (float)in[i] * (1.0f / 2147483648.0f);
}
