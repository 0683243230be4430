#pragma once

/// A shared library that is opened when its first function is looked up.
struct clibrary {
    /// The file name with the ABI version, for `dlopen`.
    const char *file;
    /// The possessive form of the library's name, for messages: "cairo's".
    const char *possessive_name;
    /// The package to install, for messages: "its package libcairo2".
    const char *package;
    void *handle;
    /// The message of the first error, without a final period, which names the missing file or function; empty if there
    /// was no error.
    char error_message[512];
};

/// Returns the address of a function. If the library or the function is missing, returns NULL and sets `error_message`.
///
/// - Important: Not thread-safe: call it from the routine of a `pthread_once`.
void *clibrary_find(struct clibrary *library, const char *function);
