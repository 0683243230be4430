// Which code calls an interposed function, and on which thread.
#pragma once

#define _GNU_SOURCE
#include "CWorld.h"

/// The role of the program or of a library as a caller of interposed functions.
enum role {
    /// Code under test: world code if its thread belongs to a world.
    CLIENT,
    /// A library that wraps interposed functions, such as Foundation: the role of its caller applies.
    WRAPPER,
    /// A library of the system: its calls go to the originals.
    SYSTEM,
    /// A test framework: its calls go to the originals.
    TEST_FRAMEWORK,
    /// libdispatch: its own calls go to the originals. Wrappers that it calls run their own work.
    DISPATCH,
};

/// The state of the calling thread.
extern __thread cworld_thread thread;

/// The stack frame of the function that contains this macro.
#define FRAME ((void *const *)__builtin_frame_address(0))

/// Finds the program's libraries. Libraries that are loaded later have the role `SYSTEM`.
void find_modules(void);

/// Whether an address is in libswift_Concurrency.
bool is_concurrency(const void *address);

/// The role of the code that called the interposed function whose frame is `frame`.
///
/// Wrappers are skipped: the function follows the saved frame pointers, which Swift's libraries preserve. Work of a
/// wrapper that libdispatch calls has the role of the work item: `CLIENT` in a world, otherwise `SYSTEM`. An
/// `OperationQueue` submits its next operation in this way.
enum role caller_role(void *const *frame);

/// Whether a world is open and the thread's calls are not bypassed.
bool has_open_worlds(void);

/// Whether a call comes from client code while a world is open. The handlers determine the world from the thread.
bool is_client_call(void *const *frame);

/// Whether the thread can run world code: it runs a work item of the scheduler or the body of an asynchronous test, or
/// it is the main thread outside of Swift jobs.
bool is_world_thread(void);

/// Whether a clock that is read in `frame` is virtual.
bool reads_virtual_time(void *const *frame);
