#include "CZBar.h"

#include <CLibraryLoading.h>

// The name contains the ABI version, which has not changed since 2009.
static struct clibrary library = {
    .file = "libzbar.so.0", .possessive_name = "zbar's", .package = "its package libzbar0"};

// The declarations in functions.h are those of the library's header.
#define LOADED_FUNCTION(result, name, parameters, arguments) \
    _Static_assert(__builtin_types_compatible_p(__typeof__(zbar_##name), result parameters), "zbar_" #name);
#include "functions.h"
#undef LOADED_FUNCTION

#define LOADED_PREFIX zbar
#include <define_functions.h>
