#pragma once

/// A shared library that is opened when its first function is looked up.
struct clibrary {
    /// The file's name with the version of the interface, for `dlopen`.
    const char *file;
    /// The name in messages, in the genitive: "cairo's".
    const char *owner;
    /// What to install, in messages: "its package libcairo2".
    const char *package;
    void *handle;
    /// A sentence without a full stop that names the first file or function that is missing; empty if none is.
    char missing[512];
};

/// Returns the address of a function. If the library or the function is missing, returns NULL and sets `missing`.
///
/// - Important: Not thread-safe: call it in `pthread_once`.
void *clibrary_find(struct clibrary *library, const char *function);
