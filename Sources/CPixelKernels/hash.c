#include "CPixelKernels.h"
#include <string.h>

// Names and steps follow the XXH64 specification.
static const uint64_t P1 = 0x9E3779B185EBCA87u, P2 = 0xC2B2AE3D27D4EB4Fu, P3 = 0x165667B19E3779F9u;
static const uint64_t P4 = 0x85EBCA77C2B2AE63u, P5 = 0x27D4EB2F165667C5u;

static inline uint64_t rotate(uint64_t x, int bits) { return (x << bits) | (x >> (64 - bits)); }

static inline uint64_t word64(const uint8_t *p) {
    uint64_t value;
    memcpy(&value, p, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

static inline uint32_t word32(const uint8_t *p) {
    uint32_t value;
    memcpy(&value, p, 4);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap32(value);
#endif
    return value;
}

static inline uint64_t mix(uint64_t lane, uint64_t word) { return rotate(lane + word * P2, 31) * P1; }

static inline void stripe(uint64_t lanes[4], const uint8_t *p) {
    for (int i = 0; i < 4; i++) lanes[i] = mix(lanes[i], word64(p + 8 * i));
}

void cpixel_hash_begin(cpixel_hash *hash) {
    memset(hash, 0, sizeof *hash);
    hash->lanes[0] = P1 + P2;
    hash->lanes[1] = P2;
    hash->lanes[3] = 0 - P1;
}

void cpixel_hash_add(cpixel_hash *hash, const uint8_t *bytes, size_t count) {
    hash->byte_count += count;
    if (hash->pending_count > 0) {
        size_t room = 32 - hash->pending_count, part = count < room ? count : room;
        memcpy(hash->pending + hash->pending_count, bytes, part);
        hash->pending_count += (uint32_t)part;
        bytes += part;
        count -= part;
        if (hash->pending_count < 32) return;
        stripe(hash->lanes, hash->pending);
        hash->pending_count = 0;
    }
    uint64_t lanes[4];
    memcpy(lanes, hash->lanes, sizeof lanes);
    for (; count >= 32; bytes += 32, count -= 32) stripe(lanes, bytes);
    memcpy(hash->lanes, lanes, sizeof lanes);
    memcpy(hash->pending, bytes, count);
    hash->pending_count = (uint32_t)count;
}

uint64_t cpixel_hash_end(const cpixel_hash *hash) {
    uint64_t result = P5;
    if (hash->byte_count >= 32) {
        const uint64_t *v = hash->lanes;
        result = rotate(v[0], 1) + rotate(v[1], 7) + rotate(v[2], 12) + rotate(v[3], 18);
        for (int i = 0; i < 4; i++) result = (result ^ mix(0, v[i])) * P1 + P4;
    }
    result += hash->byte_count;
    const uint8_t *p = hash->pending;
    uint32_t left = hash->pending_count;
    for (; left >= 8; p += 8, left -= 8) result = rotate(result ^ mix(0, word64(p)), 27) * P1 + P4;
    if (left >= 4) {
        result = rotate(result ^ (word32(p) * P1), 23) * P2 + P3;
        p += 4;
        left -= 4;
    }
    for (; left > 0; p++, left--) result = rotate(result ^ (*p * P5), 11) * P1;
    result = (result ^ (result >> 33)) * P2;
    result = (result ^ (result >> 29)) * P3;
    return result ^ (result >> 32);
}
