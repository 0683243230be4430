#include "CRubberBand.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

// The name contains the version of the interface, unchanged since 2012.
#define CRUBBERBAND_FILE "librubberband.so.2"

// The addresses of the functions; written only by `load`.
static struct {
#define CRUBBERBAND_FUNCTION(result, name, parameters, arguments) result(*name) parameters;
#include "functions.h"
#undef CRUBBERBAND_FUNCTION
} functions;

static pthread_once_t loading = PTHREAD_ONCE_INIT;
static char missing[512];

static void *find(void *library, const char *name) {
    void *function = library ? dlsym(library, name) : NULL;
    if (!function && !*missing) {
        const char *error = dlerror();
        snprintf(missing, sizeof missing, "Rubber Band's %s cannot be loaded (%s); install its package librubberband2",
                 CRUBBERBAND_FILE, error ? error : name);
    }
    return function;
}

static void load(void) {
    void *library = dlopen(CRUBBERBAND_FILE, RTLD_NOW | RTLD_LOCAL);
#define CRUBBERBAND_FUNCTION(result, name, parameters, arguments) \
    functions.name = (result(*) parameters)find(library, "rubberband_" #name);
#include "functions.h"
#undef CRUBBERBAND_FUNCTION
}

const char *crubberband_load(void) {
    pthread_once(&loading, load);
    return *missing ? missing : NULL;
}

#define CRUBBERBAND_FUNCTION(result, name, parameters, arguments) \
    result crubberband_##name parameters { return functions.name arguments; }
#include "functions.h"
