// What the files with interposed functions share.
#pragma once

#include "Callers.h"
#include "Originals.h"

#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

/// The handlers of the scheduler; set by `cworld_install`.
extern __attribute__((visibility("hidden"))) cworld_handlers handlers;

/// Calls a handler and returns its result. Calls that the handler makes go to the originals.
#define HANDLED(call)                                                                                                  \
    ({                                                                                                                 \
        thread.bypass++;                                                                                               \
        typeof(call) outcome = call;                                                                                   \
        thread.bypass--;                                                                                               \
        outcome;                                                                                                       \
    })
/// Calls a handler without a result. Calls that the handler makes go to the originals.
#define NOTIFY(call)                                                                                                   \
    do {                                                                                                               \
        thread.bypass++;                                                                                               \
        call;                                                                                                          \
        thread.bypass--;                                                                                               \
    } while (0)

/// Returns a duration or time in nanoseconds; INT64_MAX if it is greater.
static inline int64_t nanoseconds_of(const struct timespec *time) {
    int64_t nanoseconds;
    if (__builtin_mul_overflow(time->tv_sec, 1000000000ll, &nanoseconds)
        || __builtin_add_overflow(nanoseconds, time->tv_nsec, &nanoseconds))
        return INT64_MAX;
    return nanoseconds;
}
