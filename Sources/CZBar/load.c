#include "CZBar.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

// The name contains the version of the interface, unchanged since 2009.
#define CZBAR_FILE "libzbar.so.0"

// The addresses of the functions; written only by `load`.
static struct {
#define CZBAR_FUNCTION(result, name, parameters, arguments) result(*name) parameters;
#include "functions.h"
#undef CZBAR_FUNCTION
} functions;

static pthread_once_t loading = PTHREAD_ONCE_INIT;
static char missing[512];

static void *find(void *library, const char *name) {
    void *function = library ? dlsym(library, name) : NULL;
    if (!function && !*missing) {
        const char *error = dlerror();
        snprintf(missing, sizeof missing, "zbar's %s cannot be loaded (%s); install its package", CZBAR_FILE,
                 error ? error : name);
    }
    return function;
}

static void load(void) {
    void *library = dlopen(CZBAR_FILE, RTLD_NOW | RTLD_LOCAL);
#define CZBAR_FUNCTION(result, name, parameters, arguments) functions.name = (__typeof__(&zbar_##name))find(library, "zbar_" #name);
#include "functions.h"
#undef CZBAR_FUNCTION
}

const char *czbar_load(void) {
    pthread_once(&loading, load);
    return *missing ? missing : NULL;
}

#define CZBAR_FUNCTION(result, name, parameters, arguments) \
    result czbar_##name parameters { return functions.name arguments; }
#include "functions.h"
