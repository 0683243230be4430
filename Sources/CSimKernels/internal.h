#pragma once
#include <stdint.h>
#include <string.h>

// One binary runs on every processor of its kind: the loader picks the clone.
// The loader chooses while it links, before the thread sanitizer can count calls: the choosing function would crash.
#if defined(__x86_64__) && !__has_feature(thread_sanitizer)
#define CSIM_CLONES __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define CSIM_CLONES
#endif
#define CSIM_INLINE static inline __attribute__((always_inline))

CSIM_INLINE uint64_t csim_mix(uint64_t x) {
    // SplitMix64's finalizer (G. Steele et al.: "Fast splittable pseudorandom number generators", OOPSLA 2014).
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

CSIM_INLINE int32_t csim_clamp(int32_t value, int32_t low, int32_t high) {
    return value < low ? low : value > high ? high : value;
}
