#pragma once

// The detectors' functions, loaded on first use from the folder that the environment variable OBSCURA_DETECTORS names.
//
// Without that variable, loading fails. In C because the functions are looked up by name (`dlsym`).

#include "obscura_detectors.h"

/// Loads the face detector unless it is loaded; thread-safe. `cdetectors_faces_…` may only be called if that succeeds.
///
/// - Returns: An error message without a final period, which names the missing file or function; NULL on success. The
///   message remains valid until the process exits.
const char *cdetectors_load_faces(void);
obscura_face_detector *cdetectors_faces_create(void);
void cdetectors_faces_destroy(obscura_face_detector *detector);
int cdetectors_faces_detect(
    obscura_face_detector *detector, const uint8_t *gray, int width, int height, ptrdiff_t stride, obscura_face *faces,
    int capacity);

/// Loads the reader of matrix codes unless it is loaded; thread-safe. `cdetectors_codes_read` may only be called if
/// that succeeds.
///
/// - Returns: As `cdetectors_load_faces`.
const char *cdetectors_load_codes(void);
int cdetectors_codes_read(
    unsigned kinds, const uint8_t *gray, int width, int height, ptrdiff_t stride, obscura_code *codes, int capacity);
