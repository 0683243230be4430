#include "CLibraryLoading.h"

#include <dlfcn.h>
#include <stdio.h>

void *clibrary_find(struct clibrary *library, const char *function) {
    if (!library->handle) library->handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
    void *address = library->handle ? dlsym(library->handle, function) : NULL;
    if (!address && !*library->error_message) {
        const char *error = dlerror();
        snprintf(library->error_message, sizeof library->error_message, "%s %s cannot be loaded (%s); install %s",
                 library->possessive_name, library->file, error ? error : function, library->package);
    }
    return address;
}
