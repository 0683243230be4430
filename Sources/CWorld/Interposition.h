// What the files with interposed functions share.
#pragma once

#include "Callers.h"
#include "Originals.h"

#define EXPORT __attribute__((visibility("default")))

/// The handlers of the scheduler; set by `cworld_install`.
extern __attribute__((visibility("hidden"))) cworld_handlers handlers;

/// Calls a handler and returns its result. Calls that the handler makes go to the originals.
#define CALLBACK(call)                                                                                                 \
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
