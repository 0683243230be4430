#include "CRubberBand.h"

#include <CLibraryLoading.h>

// The name contains the ABI version, which has not changed since 2012.
static struct clibrary library = {
    .file = "librubberband.so.2", .possessive_name = "Rubber Band's", .package = "its package librubberband2"};

#define LOADED_PREFIX rubberband
#include <define_functions.h>
