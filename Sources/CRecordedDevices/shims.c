#include "CRecordedDevices.h"

#include <string.h>
#include <zlib.h>

void crecorded_delta_encode(
    const uint8_t *source, size_t stride, size_t row_bytes, size_t rows, size_t step, uint8_t *destination)
{
    for (size_t row = 0; row < rows; row++) {
        const uint8_t *from = source + row * stride;
        uint8_t *to = destination + row * row_bytes;
        size_t first = step == 0 || step > row_bytes ? row_bytes : step;
        memcpy(to, from, first);
        for (size_t i = first; i < row_bytes; i++) to[i] = (uint8_t)(from[i] - from[i - step]);
    }
}

void crecorded_delta_decode(
    const uint8_t *source, size_t row_bytes, size_t rows, size_t step, uint8_t *destination, size_t stride)
{
    for (size_t row = 0; row < rows; row++) {
        const uint8_t *from = source + row * row_bytes;
        uint8_t *to = destination + row * stride;
        size_t first = step == 0 || step > row_bytes ? row_bytes : step;
        memcpy(to, from, first);
        for (size_t i = first; i < row_bytes; i++) to[i] = (uint8_t)(from[i] + to[i - step]);
    }
}

size_t crecorded_deflate_bound(size_t count)
{
    return compressBound(count);
}

size_t crecorded_deflate(const uint8_t *source, size_t count, uint8_t *destination, size_t capacity)
{
    // avail_in and avail_out are 32 bits wide, far more than a frame or an audio chunk needs.
    if (count > UINT32_MAX || capacity > UINT32_MAX) return 0;
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    // Differences compress mostly by their Huffman code. A search for matches other than runs costs more time than it
    // gains.
    int level = 1, window_bits = 15, memory_level = 9;
    if (deflateInit2(&stream, level, Z_DEFLATED, window_bits, memory_level, Z_RLE) != Z_OK) return 0;
    stream.next_in = (Bytef *)source;
    stream.avail_in = (uInt)count;
    stream.next_out = destination;
    stream.avail_out = (uInt)capacity;
    int result = deflate(&stream, Z_FINISH);
    size_t written = stream.total_out;
    deflateEnd(&stream);
    return result == Z_STREAM_END ? written : 0;
}

int crecorded_inflate(const uint8_t *source, size_t count, uint8_t *destination, size_t capacity)
{
    if (count > UINT32_MAX || capacity > UINT32_MAX) return Z_BUF_ERROR;
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    int result = inflateInit(&stream);
    if (result != Z_OK) return result;
    stream.next_in = (Bytef *)source;
    stream.avail_in = (uInt)count;
    stream.next_out = destination;
    stream.avail_out = (uInt)capacity;
    result = inflate(&stream, Z_FINISH);
    int is_complete = result == Z_STREAM_END && stream.total_out == capacity && stream.avail_in == 0;
    inflateEnd(&stream);
    if (is_complete) return 0;
    return result < 0 ? result : Z_DATA_ERROR;
}
