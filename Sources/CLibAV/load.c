#include "CLibAV.h"

#include <CLibraryLoading.h>
#include <libavutil/version.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

// The library versions are those of the headers: other versions have different structure layouts. Debian and Ubuntu name
// the packages after them.
#define CLIBAV_LIBRARY(name, version)                                                                              \
    {.file = "lib" name ".so." AV_STRINGIFY(version),                                                              \
     .possessive_name = "FFmpeg's",                                                                                \
     .package = "lib" name AV_STRINGIFY(version) ", the version that this program was built with, or build it again" \
                " with the headers of the installed FFmpeg"}
static struct clibrary avformat = CLIBAV_LIBRARY("avformat", LIBAVFORMAT_VERSION_MAJOR);
static struct clibrary avcodec = CLIBAV_LIBRARY("avcodec", LIBAVCODEC_VERSION_MAJOR);
static struct clibrary swresample = CLIBAV_LIBRARY("swresample", LIBSWRESAMPLE_VERSION_MAJOR);
static struct clibrary swscale = CLIBAV_LIBRARY("swscale", LIBSWSCALE_VERSION_MAJOR);
static struct clibrary avutil = CLIBAV_LIBRARY("avutil", LIBAVUTIL_VERSION_MAJOR);

// The addresses of the functions; written only by `load`.
static struct {
#define CLIBAV_FUNCTION(library, result, name, parameters, arguments) __typeof__(name) *name;
#define CLIBAV_COMMON_FUNCTION CLIBAV_FUNCTION
#include "functions.h"
#undef CLIBAV_FUNCTION
} functions;

static pthread_once_t loading = PTHREAD_ONCE_INIT;

static void load(void) {
#define CLIBAV_FUNCTION(library, result, name, parameters, arguments) \
    functions.name = (__typeof__(name) *)clibrary_find(&library, #name);
#include "functions.h"
#undef CLIBAV_FUNCTION
}

const char *clibav_load(void) {
    pthread_once(&loading, load);
    const struct clibrary *libraries[] = {&avformat, &avcodec, &swresample, &swscale, &avutil};
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (*libraries[i]->error_message) return libraries[i]->error_message;
    return NULL;
}

static void require(void) {
    const char *message = clibav_load();
    if (!message) return;
    fprintf(stderr, "obscura: %s\n", message);
    abort();
}

#define CLIBAV_FUNCTION(library, result, name, parameters, arguments) \
    result name parameters {                                          \
        require();                                                    \
        return functions.name arguments;                              \
    }
#undef CLIBAV_COMMON_FUNCTION
#define CLIBAV_COMMON_FUNCTION(library, result, name, parameters, arguments) \
    result clibav_##name parameters {                                        \
        require();                                                           \
        return functions.name arguments;                                     \
    }
#include "functions.h"

static void (*receive_error)(const char *text);

static void log_message(void *object, int level, const char *format, va_list arguments) {
    (void)object;
    if (level > AV_LOG_ERROR) return;
    char text[256];
    vsnprintf(text, sizeof text, format, arguments);
    receive_error(text);
}

void clibav_set_error_log(void (*receive)(const char *text)) {
    receive_error = receive;
    av_log_set_callback(log_message);
}
