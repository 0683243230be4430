#pragma once
#include <stddef.h>
#include <stdint.h>

// zlib's streams in one call each, and the loops before and behind them: in C because a debug build of such loops in
// Swift is many times slower than the camera.

/// Copies rows without their padding, each byte as its difference (modulo 256) to the byte `step` before it in the row.
///
/// A step of 0 copies the bytes as they are. `row_bytes` × `rows` bytes are written.
void crecorded_take_differences(
    const uint8_t *source, size_t stride, size_t row_bytes, size_t rows, size_t step, uint8_t *destination);

/// Undoes `crecorded_take_differences`: reads contiguous rows, writes rows that are `stride` apart.
void crecorded_add_differences(
    const uint8_t *source, size_t row_bytes, size_t rows, size_t step, uint8_t *destination, size_t stride);

/// An upper bound of what `crecorded_deflate` writes.
size_t crecorded_deflate_bound(size_t count);

/// Compresses into a zlib stream (RFC 1950), fast rather than small; returns the number of bytes written, 0 on failure.
size_t crecorded_deflate(const uint8_t *source, size_t count, uint8_t *destination, size_t capacity);

/// Decompresses one zlib stream; returns 0 where it fills `capacity` bytes exactly, else zlib's error code.
int crecorded_inflate(const uint8_t *source, size_t count, uint8_t *destination, size_t capacity);
