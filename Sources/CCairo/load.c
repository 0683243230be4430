#include "CCairo.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

// The name contains the version of the interface, unchanged since 2002.
#define CCAIRO_FILE "libcairo.so.2"

// The addresses of the functions; written only by `load`.
static struct {
#define CCAIRO_FUNCTION(result, name, parameters, arguments) result(*name) parameters;
#include "functions.h"
#undef CCAIRO_FUNCTION
} functions;

static pthread_once_t loading = PTHREAD_ONCE_INIT;
static char missing[512];

static void *find(void *library, const char *name) {
    void *function = library ? dlsym(library, name) : NULL;
    if (!function && !*missing) {
        const char *error = dlerror();
        snprintf(missing, sizeof missing, "cairo's %s cannot be loaded (%s); install its package libcairo2",
                 CCAIRO_FILE, error ? error : name);
    }
    return function;
}

static void load(void) {
    void *library = dlopen(CCAIRO_FILE, RTLD_NOW | RTLD_LOCAL);
#define CCAIRO_FUNCTION(result, name, parameters, arguments) \
    functions.name = (result(*) parameters)find(library, "cairo_" #name);
#include "functions.h"
#undef CCAIRO_FUNCTION
}

const char *ccairo_load(void) {
    pthread_once(&loading, load);
    return *missing ? missing : NULL;
}

#define CCAIRO_FUNCTION(result, name, parameters, arguments) \
    result ccairo_##name parameters { return functions.name arguments; }
#include "functions.h"
