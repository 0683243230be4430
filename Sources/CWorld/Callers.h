// Which code calls an interposed function, and on which thread.
#pragma once

#define _GNU_SOURCE
#include "CWorld.h"

/// The program and its libraries by the role that they play as callers.
enum role {
    /// World code, as far as its thread belongs to a world.
    CODE,
    /// A wrapper, such as Foundation: the role of its caller counts.
    PLUMBING,
    /// Its calls stay real.
    SYSTEM,
    /// A test framework: its calls stay real.
    FRAMEWORK,
};

/// The state of the calling thread.
extern __thread cworld_thread thread;

/// The frame of the function in which this is written.
#define FRAME ((void *const *)__builtin_frame_address(0))

/// Finds the program's libraries. Those that are loaded later count as `SYSTEM`.
void find_modules(void);

/// Whether an address lies in libswift_Concurrency.
bool is_concurrency(const void *address);

/// The role of the code that called the interposed function whose frame is `frame`.
///
/// It follows the saved frame pointers, which Swift's libraries keep, past plumbing.
enum role caller_role(void *const *frame);

/// Whether a world is open and the thread's calls are not bypassed.
bool has_open_worlds(void);

/// Whether a call comes from code that may belong to a world; the handlers decide by thread.
bool is_candidate(void *const *frame);

/// Whether the thread runs world code: an item, or the body of a test.
bool is_world_thread(void);

/// Whether a clock that is read in `frame` is virtual.
bool reads_virtual_time(void *const *frame);
