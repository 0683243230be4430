// Defines the functions of one library that "functions.h" lists, and the function that loads them.
//
// One C file includes this header, after it has defined:
//
//   library        the library, a static `struct clibrary`
//   LOADED_PREFIX  the prefix of the library's functions without the underscore, for example cairo. The prefix of the
//                  functions defined here has an additional `c`: ccairo_fill calls cairo_fill, and ccairo_load loads
//                  the library.
//
// "functions.h" contains one LOADED_FUNCTION(result, name, parameters, arguments) for each function, with its name
// without the prefix.

#include <pthread.h>

#define LOADED_JOIN_EXPANDED(a, b, c) a##b##c
#define LOADED_JOIN(a, b, c) LOADED_JOIN_EXPANDED(a, b, c)
#define LOADED_STRING_EXPANDED(text) #text
#define LOADED_STRING(text) LOADED_STRING_EXPANDED(text)

// The addresses of the functions; written only by `load`.
static struct {
#define LOADED_FUNCTION(result, name, parameters, arguments) result(*name) parameters;
#include "functions.h"
#undef LOADED_FUNCTION
} functions;

static void load(void) {
#define LOADED_FUNCTION(result, name, parameters, arguments) \
    functions.name = (result(*) parameters)clibrary_find(&library, LOADED_STRING(LOADED_PREFIX) "_" #name);
#include "functions.h"
#undef LOADED_FUNCTION
}

const char *LOADED_JOIN(c, LOADED_PREFIX, _load)(void) {
    static pthread_once_t loading = PTHREAD_ONCE_INIT;
    pthread_once(&loading, load);
    return *library.error_message ? library.error_message : NULL;
}

#define LOADED_FUNCTION(result, name, parameters, arguments) \
    result LOADED_JOIN(c, LOADED_PREFIX, _##name) parameters { return functions.name arguments; }
#include "functions.h"
#undef LOADED_FUNCTION
