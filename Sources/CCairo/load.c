#include "CCairo.h"

#include <CLibraryLoading.h>

// The name contains the version of the interface, unchanged since 2002.
static struct clibrary library = {.file = "libcairo.so.2", .owner = "cairo's", .package = "its package libcairo2"};

#define LOADED_PREFIX cairo
#include <define_functions.h>
