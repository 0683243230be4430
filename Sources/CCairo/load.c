#include "CCairo.h"

#include <CLibraryLoading.h>

// The name contains the version of the binary interface, which is the same for all releases since cairo 1.0.
static struct clibrary library = {
    .file = "libcairo.so.2", .possessive_name = "cairo's", .package = "its package libcairo2"};

#define LOADED_PREFIX cairo
#include <define_functions.h>
