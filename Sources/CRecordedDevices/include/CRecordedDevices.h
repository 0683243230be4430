#pragma once
#include <stddef.h>
#include <stdint.h>

// Compression and decompression with zlib in a single call, and the conversion of bytes before and after it. They are
// in C because a debug build of such loops in Swift is too slow for a camera's frames.

/// Copies rows without their padding and replaces each byte by its difference (modulo 256) to the byte `step` before
/// it.
///
/// A step of 0 copies the bytes unchanged. Writes `row_bytes` × `rows` bytes.
void crecorded_delta_encode(
    const uint8_t *source, size_t stride, size_t row_bytes, size_t rows, size_t step, uint8_t *destination);

/// Reverses `crecorded_delta_encode`: reads contiguous rows and writes rows that are `stride` bytes apart.
void crecorded_delta_decode(
    const uint8_t *source, size_t row_bytes, size_t rows, size_t step, uint8_t *destination, size_t stride);

/// Returns an upper bound of the number of bytes that `crecorded_deflate` writes.
size_t crecorded_deflate_bound(size_t count);

/// Compresses into a zlib stream (RFC 1950), optimized for speed. Returns the number of bytes written, 0 on failure.
size_t crecorded_deflate(const uint8_t *source, size_t count, uint8_t *destination, size_t capacity);

/// Decompresses a zlib stream. Returns 0 if it fills exactly `capacity` bytes, or zlib's error code.
int crecorded_inflate(const uint8_t *source, size_t count, uint8_t *destination, size_t capacity);
