#include "CLibAV.h"

#include <dlfcn.h>
#include <libavutil/version.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

// The versions of the compiled headers: other versions have different structures.
#define CLIBAV_FILE(name, version) "lib" #name ".so." AV_STRINGIFY(version)

static struct {
    const char *file;
    void *handle;
} avformat = {CLIBAV_FILE(avformat, LIBAVFORMAT_VERSION_MAJOR), 0},
  avcodec = {CLIBAV_FILE(avcodec, LIBAVCODEC_VERSION_MAJOR), 0},
  swresample = {CLIBAV_FILE(swresample, LIBSWRESAMPLE_VERSION_MAJOR), 0},
  swscale = {CLIBAV_FILE(swscale, LIBSWSCALE_VERSION_MAJOR), 0},
  avutil = {CLIBAV_FILE(avutil, LIBAVUTIL_VERSION_MAJOR), 0};

// The addresses of the functions; written only by `load`.
static struct {
#define CLIBAV_FUNCTION(library, result, name, parameters, arguments) result(*name) parameters;
#include "functions.h"
#undef CLIBAV_FUNCTION
} functions;

static pthread_once_t loading = PTHREAD_ONCE_INIT;
static char missing[512];

static void *find(const char *file, void **handle, const char *name) {
    if (!*handle) *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    void *function = *handle ? dlsym(*handle, name) : NULL;
    if (!function && !*missing) {
        const char *error = dlerror();
        snprintf(missing, sizeof missing, "FFmpeg's %s cannot be loaded (%s); install its package", file,
                 error ? error : name);
    }
    return function;
}

static void load(void) {
#define CLIBAV_FUNCTION(library, result, name, parameters, arguments) \
    functions.name = (result(*) parameters)find(library.file, &library.handle, #name);
#include "functions.h"
#undef CLIBAV_FUNCTION
}

const char *clibav_load(void) {
    pthread_once(&loading, load);
    return *missing ? missing : NULL;
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
#include "functions.h"
