#include "CHEIF.h"

#include <CLibraryLoading.h>

// The name contains the ABI version, which has not changed since 2017.
static struct clibrary library = {
    .file = "libheif.so.1", .possessive_name = "libheif's", .package = "its package libheif1"};

#define LOADED_PREFIX heif
#include <define_functions.h>
