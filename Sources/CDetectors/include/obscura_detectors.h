#pragma once

// The interface of the detectors: libraries that a program loads at run time if they are installed. Sources/Detectors/build
// builds them.
//
// Every function is reentrant; one detector must not be used by two threads at a time.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A face in an image.
typedef struct {
    /// The bounding box in pixels, which can extend beyond the image.
    double left, top, width, height;
    /// Clockwise degrees by which the face is tilted, in steps of 30.
    double roll;
    /// Degrees by which the face is turned toward the right side of the image, in steps of 45.
    double yaw;
} obscura_face;

typedef struct obscura_face_detector obscura_face_detector;

/// Creates a detector; NULL if memory ran out.
obscura_face_detector *obscura_faces_create(void);
void obscura_faces_destroy(obscura_face_detector *detector);
/// Detects faces of at least 80 pixels, ordered by position: top to bottom, then left to right.
///
/// - Parameters:
///   - gray: One byte per pixel; rows begin every `stride` bytes.
///   - faces: Receives the first `capacity` faces.
/// - Returns: The number of faces received; -1 if memory ran out.
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
    /// x and y in pixels of the top left, bottom left, bottom right and top right corner in reading direction.
    double corners[8];
} obscura_code;

/// Reads matrix codes, ordered by position: top to bottom, then left to right.
///
/// - Parameters:
///   - kinds: The kinds to read: the sum of 1 << kind.
///   - gray: One byte per pixel; rows begin every `stride` bytes.
///   - codes: Receives the first `capacity` codes. Each `text` must be released with `free`.
/// - Returns: The number of codes received; -1 if reading failed.
int obscura_codes_read(
    unsigned kinds, const uint8_t *gray, int width, int height, ptrdiff_t stride, obscura_code *codes, int capacity);

#ifdef __cplusplus
}
#endif
