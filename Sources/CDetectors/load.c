#define _GNU_SOURCE
#include "CDetectors.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/// A library of detectors.
struct library {
    /// The file name with the ABI version.
    const char *file;
    void *handle;
    /// The message of the first error; empty if there was no error.
    char error_message[512];
};

static struct library faces = {.file = "libobscura-faces.so.1"}, codes = {.file = "libobscura-codes.so.1"};

// The addresses of the functions; written only while their library is loaded.
static __typeof__(&obscura_faces_create) faces_create;
static __typeof__(&obscura_faces_destroy) faces_destroy;
static __typeof__(&obscura_faces_detect) faces_detect;
static __typeof__(&obscura_codes_read) codes_read;

static void open_library(struct library *library) {
    const char *folder = getenv("OBSCURA_DETECTORS");
    if (!folder || !*folder) {
        snprintf(library->error_message, sizeof library->error_message,
                 "OBSCURA_DETECTORS does not name the folder of %s", library->file);
        return;
    }
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, library->file);
    // With RTLD_DEEPBIND, the library's own symbols take precedence over the program's, so that ZXing calls the
    // `__assert_fail` of codes.cpp. The address sanitizer does not support this flag.
#if defined(__has_feature) && __has_feature(address_sanitizer)
    library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
#else
    library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
#endif
    if (!library->handle) snprintf(library->error_message, sizeof library->error_message, "%s", dlerror());
}

static void *find(struct library *library, const char *name) {
    void *function = library->handle ? dlsym(library->handle, name) : NULL;
    if (!function && !*library->error_message)
        snprintf(library->error_message, sizeof library->error_message, "%s has no function %s", library->file, name);
    return function;
}

static void load_faces(void) {
    open_library(&faces);
    faces_create = (__typeof__(faces_create))find(&faces, "obscura_faces_create");
    faces_destroy = (__typeof__(faces_destroy))find(&faces, "obscura_faces_destroy");
    faces_detect = (__typeof__(faces_detect))find(&faces, "obscura_faces_detect");
}

static void load_codes(void) {
    open_library(&codes);
    codes_read = (__typeof__(codes_read))find(&codes, "obscura_codes_read");
}

const char *cdetectors_load_faces(void) {
    static pthread_once_t loading = PTHREAD_ONCE_INIT;
    pthread_once(&loading, load_faces);
    return *faces.error_message ? faces.error_message : NULL;
}

const char *cdetectors_load_codes(void) {
    static pthread_once_t loading = PTHREAD_ONCE_INIT;
    pthread_once(&loading, load_codes);
    return *codes.error_message ? codes.error_message : NULL;
}

obscura_face_detector *cdetectors_faces_create(void) { return faces_create(); }
void cdetectors_faces_destroy(obscura_face_detector *detector) { faces_destroy(detector); }

int cdetectors_faces_detect(
    obscura_face_detector *detector, const uint8_t *gray, int width, int height, ptrdiff_t stride, obscura_face *found,
    int capacity) {
    return faces_detect(detector, gray, width, height, stride, found, capacity);
}

int cdetectors_codes_read(
    unsigned kinds, const uint8_t *gray, int width, int height, ptrdiff_t stride, obscura_code *found, int capacity) {
    return codes_read(kinds, gray, width, height, stride, found, capacity);
}
