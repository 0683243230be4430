#pragma once

// The interface of the detectors: libraries that a program loads at run time if they are installed.
// Sources/Detectors/build builds them.
//
// Every function is reentrant; one detector must not be used by two threads at a time.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A face in an image.
typedef struct {
    /// The bounding box in pixels; it can extend beyond the image.
    double left, top, width, height;
    /// The clockwise tilt of the face in degrees, from 0 to 330 in steps of 30.
    double roll;
    /// The rotation of the face toward the right side of the image in degrees, from 0 to 315 in steps of 45.
    double yaw;
} obscura_face;

typedef struct obscura_face_detector obscura_face_detector;

/// Creates a detector; returns NULL if memory cannot be allocated.
obscura_face_detector *obscura_faces_create(void);
void obscura_faces_destroy(obscura_face_detector *detector);
/// Detects faces of at least 80x80 pixels, ordered by position: top to bottom, then left to right.
///
/// - Parameters:
///   - gray: One byte per pixel; rows begin every `stride` bytes.
///   - faces: The output: the first `capacity` faces.
/// - Returns: The number of faces written to `faces`; -1 if memory cannot be allocated.
int obscura_faces_detect(
    obscura_face_detector *detector, const uint8_t *gray, int width, int height, ptrdiff_t stride, obscura_face *faces,
    int capacity);

/// The symbologies of matrix codes.
typedef enum {
    /// ISO/IEC 24778.
    OBSCURA_CODE_AZTEC,
    /// ISO/IEC 16022.
    OBSCURA_CODE_DATA_MATRIX,
    /// ISO/IEC 15438.
    OBSCURA_CODE_PDF417,
} obscura_code_kind;

/// A code in an image.
typedef struct {
    obscura_code_kind kind;
    /// The contents as UTF-8 with a zero at the end; NULL for bytes that are not text.
    char *text;
    /// x and y in pixels of the top left, bottom left, bottom right and top right corner of the upright code.
    double corners[8];
} obscura_code;

/// Reads matrix codes, ordered by position: top to bottom, then left to right.
///
/// - Parameters:
///   - kinds: The symbologies to read: bit `kind` is set for each.
///   - gray: One byte per pixel; rows begin every `stride` bytes.
///   - codes: The output: the first `capacity` codes. The caller releases each `text` with `free`.
/// - Returns: The number of codes written to `codes`; -1 if reading failed.
int obscura_codes_read(
    unsigned kinds, const uint8_t *gray, int width, int height, ptrdiff_t stride, obscura_code *codes, int capacity);

#ifdef __cplusplus
}
#endif
