#pragma once
#include <stdint.h>
#include <string.h>

// One binary for all processors: the dynamic loader selects a clone. Clones are disabled with the thread sanitizer,
// because the resolver would run before the sanitizer is initialized and crash.
#if defined(__x86_64__) && !__has_feature(thread_sanitizer)
#define CSIM_CLONES __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define CSIM_CLONES
#endif
#define CSIM_INLINE static inline __attribute__((always_inline))

// Explicit vectors, mostly of 16 lanes, so that unoptimized builds are fast, too. The suffix `_any` marks types for
// unaligned access.
typedef uint16_t v16u __attribute__((vector_size(32)));
typedef int16_t v16s __attribute__((vector_size(32)));
typedef uint32_t v8u __attribute__((vector_size(32)));
typedef uint32_t v16w __attribute__((vector_size(64)));
typedef int32_t v16i __attribute__((vector_size(64)));
typedef float v16f __attribute__((vector_size(64)));
typedef uint64_t v16l __attribute__((vector_size(128)));
typedef uint8_t v16b __attribute__((vector_size(16)));
typedef int8_t v16c __attribute__((vector_size(16)));
typedef uint8_t v32b __attribute__((vector_size(32)));
typedef v16u v16u_any __attribute__((aligned(1)));
typedef v16f v16f_any __attribute__((aligned(1)));
typedef v16s v16s_any __attribute__((aligned(1)));
typedef v8u v8u_any __attribute__((aligned(1)));
typedef v16b v16b_any __attribute__((aligned(1)));
typedef v16c v16c_any __attribute__((aligned(1)));
typedef v32b v32b_any __attribute__((aligned(1)));

// The upper 16 bits of 32-bit products, unsigned and signed.
#define MULHI_U(a, b) \
    __builtin_convertvector((__builtin_convertvector(a, v16w) * __builtin_convertvector(b, v16w)) >> 16, v16u)
#define MULHI_S(a, b) \
    __builtin_convertvector((__builtin_convertvector(a, v16i) * __builtin_convertvector(b, v16i)) >> 16, v16s)
#define MIN(a, b) __builtin_elementwise_min(a, b)
#define MAX(a, b) __builtin_elementwise_max(a, b)
#define SUB_SAT(a, b) __builtin_elementwise_sub_sat(a, b)
#define ADD_SAT(a, b) __builtin_elementwise_add_sat(a, b)
// Vectors with the same value in all lanes.
#define ALL_U(x) ((v16u){0} + (uint16_t)(x))
#define ALL_S(x) ((v16s){0} + (int16_t)(x))
#define ALL_B(x) ((v32b){0} + (uint8_t)(x))

// Combines two vectors of 16 elements into one of 32.
#define JOIN(a, b) \
    __builtin_shufflevector( \
        a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, \
        30, 31)
// Converts two vectors of 16 words to one of 32 bytes.
#define PACK(a, b) __builtin_convertvector(JOIN(a, b), v32b)

// Prefetches the memory `bytes` bytes after an address, for reading, or for writing if `isWritten` is 1. The address
// may be invalid.
#define PREFETCH(address, bytes, isWritten) \
    __builtin_prefetch((const void *)((uintptr_t)(address) + (uintptr_t)(bytes)), isWritten, 2)

// Dither pattern, 0 … 65,535, for sixteen columns from `x` on, and for one: M. Roberts' R2 sequence ("The unreasonable
// effectiveness of quasirandom sequences", 2018) along both axes.
#define DITHER(x, y) \
    (((v16u){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15} + (uint16_t)(x)) * (uint16_t)49471 \
     + (uint16_t)((uint32_t)(y) * 37345u))

CSIM_INLINE uint16_t csim_dither(int32_t x, int32_t y) {
    return (uint16_t)((uint32_t)x * 49471u + (uint32_t)y * 37345u);
}

// Returns 256 as a value that the compiler does not know. It would combine a constant with other factors to 32-bit
// multiplications, which take twice the time.
CSIM_INLINE uint16_t csim_opaque256(void) {
    volatile uint16_t value = 256;
    return value;
}

CSIM_INLINE uint64_t csim_hash(uint64_t x) {
    // The finalizer of SplitMix64 (G. Steele et al., "Fast splittable pseudorandom number generators", OOPSLA 2014).
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

CSIM_INLINE int32_t csim_clamp(int32_t value, int32_t low, int32_t high) {
    return value < low ? low : value > high ? high : value;
}
