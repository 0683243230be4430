#pragma once

#include <stddef.h>
#include <stdint.h>

// When a program that links `CaptureTesting` is loaded, this target calls `obscura_install_test_reporter`, before the
// first test starts.
//
// In C because Swift has no functions that run when a program is loaded, and because XCTest offers no way to find the
// running test later.

/// What contains a reference.
typedef enum {
    /// A global or static variable.
    CTEST_VARIABLE,
    /// An instance of a Swift class.
    CTEST_OBJECT,
    /// The captured values of a closure, or a captured variable.
    CTEST_CAPTURE,
    /// A block of C.
    CTEST_BLOCK
} ctest_reference_kind;

/// A reference in the memory of the process.
typedef struct {
    ctest_reference_kind kind;
    /// The complement of the address that is referred to.
    uintptr_t target;
    /// The address of the reference.
    uintptr_t address;
    /// The complement of the address of the allocation that contains the reference, or of the variable.
    uintptr_t holder;
    /// The first word of the allocation: for an object, its class.
    uintptr_t class;
    /// For an object, the name of its class, without the module and generic arguments.
    char class_name[128];
    /// The function in the word before the reference, as in a closure: a function and its captured values; 0 if there
    /// is none.
    uintptr_t function;
} ctest_reference;

/// Finds the references to addresses in the variables and the heap of the process.
///
/// The addresses are passed and returned as their bitwise complements, so that the caller's own copies are no references.
///
/// Any word with the value of an address counts, also in memory that was freed and not overwritten, and in references
/// that do not retain. The stacks of threads contain no references. In C, because all memory is read, which takes too
/// long in a debug build of Swift.
/// - Returns: The number of references that were stored, at most `capacity`.
size_t ctest_find_references(
    const uintptr_t *_Nonnull targets, size_t target_count, ctest_reference *_Nonnull references, size_t capacity);
