// The functions that are interposed, and their originals.
#pragma once

#define _GNU_SOURCE
#include "CWorld.h"

#include <pthread.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// Values and bits of a `dispatch_time_t`: with the sign bit only, it is a time of the monotonic clock; with the wall
// bit, too, it is the negated time of the wall clock.
#define TIME_NOW 0ull
#define TIME_FOREVER (~0ull)
#define WALL_BIT (1ull << 62)
#define SIGN_BIT (1ull << 63)
#define MONOTONIC_NOW SIGN_BIT
#define WALL_NOW (~1ull)

// libdispatch's and Core Foundation's headers are not included: this file defines their functions with plain pointers.
extern char _dispatch_main_q[];
extern const char _dispatch_source_type_timer[], _dispatch_source_type_data_add[], _dispatch_source_type_data_or[],
    _dispatch_source_type_data_replace[];
extern void *dispatch_workloop_create(const char *);
extern void *_Block_copy(const void *);
extern void _Block_release(const void *);

#define ORIGINALS(X)                                                                                                   \
    X(void, dispatch_async, (void *, const void *))                                                                    \
    X(void, dispatch_async_f, (void *, void *, void (*)(void *)))                                                      \
    X(void, dispatch_barrier_async, (void *, const void *))                                                            \
    X(void, dispatch_barrier_async_f, (void *, void *, void (*)(void *)))                                              \
    X(void, dispatch_async_and_wait_f, (void *, void *, void (*)(void *)))                                             \
    X(void, dispatch_barrier_async_and_wait_f, (void *, void *, void (*)(void *)))                                     \
    X(void, dispatch_async_and_wait, (void *, const void *))                                                           \
    X(void, dispatch_barrier_async_and_wait, (void *, const void *))                                                   \
    X(void, dispatch_group_async, (void *, void *, const void *))                                                      \
    X(void, dispatch_group_async_f, (void *, void *, void *, void (*)(void *)))                                        \
    X(void, dispatch_sync, (void *, const void *))                                                                     \
    X(void, dispatch_barrier_sync, (void *, const void *))                                                             \
    X(void, dispatch_sync_f, (void *, void *, void (*)(void *)))                                                       \
    X(void, dispatch_barrier_sync_f, (void *, void *, void (*)(void *)))                                               \
    X(void, dispatch_after, (uint64_t, void *, const void *))                                                          \
    X(void, dispatch_after_f, (uint64_t, void *, void *, void (*)(void *)))                                            \
    X(void, dispatch_apply, (size_t, void *, const void *))                                                            \
    X(void, dispatch_apply_f, (size_t, void *, void *, void (*)(void *, size_t)))                                      \
    X(void, dispatch_group_enter, (void *))                                                                            \
    X(void, dispatch_group_leave, (void *))                                                                            \
    X(void, dispatch_group_notify, (void *, void *, const void *))                                                     \
    X(void, dispatch_group_notify_f, (void *, void *, void *, void (*)(void *)))                                       \
    X(long, dispatch_group_wait, (void *, uint64_t))                                                                   \
    X(void, dispatch_block_notify, (const void *, void *, const void *))                                               \
    X(long, dispatch_block_wait, (const void *, uint64_t))                                                             \
    X(long, dispatch_semaphore_wait, (void *, uint64_t))                                                               \
    X(void *, dispatch_source_create, (const void *, uintptr_t, uintptr_t, void *))                                    \
    X(void, dispatch_source_set_timer, (void *, uint64_t, uint64_t, uint64_t))                                         \
    X(void, dispatch_source_set_event_handler, (void *, const void *))                                                 \
    X(void, dispatch_source_set_event_handler_f, (void *, void (*)(void *)))                                           \
    X(void, dispatch_source_set_cancel_handler, (void *, const void *))                                                \
    X(void, dispatch_source_set_cancel_handler_f, (void *, void (*)(void *)))                                          \
    X(void, dispatch_source_set_mandatory_cancel_handler, (void *, const void *))                                      \
    X(void, dispatch_source_set_mandatory_cancel_handler_f, (void *, void (*)(void *)))                                \
    X(void, dispatch_source_set_registration_handler, (void *, const void *))                                          \
    X(void, dispatch_source_set_registration_handler_f, (void *, void (*)(void *)))                                    \
    X(void, dispatch_source_merge_data, (void *, uintptr_t))                                                           \
    X(uintptr_t, dispatch_source_get_data, (void *))                                                                   \
    X(void, dispatch_source_cancel, (void *))                                                                          \
    X(void, dispatch_activate, (void *))                                                                               \
    X(void, dispatch_resume, (void *))                                                                                 \
    X(void, dispatch_suspend, (void *))                                                                                \
    X(void, dispatch_set_target_queue, (void *, void *))                                                               \
    X(void *, dispatch_queue_create_with_target, (const char *, void *, void *))                                       \
    X(uint64_t, dispatch_time, (uint64_t, int64_t))                                                                    \
    X(uint64_t, dispatch_walltime, (const struct timespec *, int64_t))                                                 \
    X(void *, dispatch_get_context, (void *))                                                                          \
    X(void *, dispatch_get_global_queue, (intptr_t, uintptr_t))                                                        \
    X(const char *, dispatch_queue_get_label, (void *))                                                                \
    X(void *, dispatch_queue_create, (const char *, void *))                                                           \
    X(void *, dispatch_queue_attr_make_initially_inactive, (void *))                                                   \
    X(void *, dispatch_block_create, (unsigned long, const void *))                                                    \
    X(void, dispatch_retain, (const void *))                                                                           \
    X(void, dispatch_release, (const void *))                                                                          \
    X(int, clock_gettime, (clockid_t, struct timespec *))                                                              \
    X(int, gettimeofday, (struct timeval *, void *))                                                                   \
    X(int, nanosleep, (const struct timespec *, struct timespec *))                                                    \
    X(int, usleep, (useconds_t))                                                                                       \
    X(unsigned, sleep, (unsigned))                                                                                     \
    X(int, pthread_cond_wait, (pthread_cond_t *, pthread_mutex_t *))                                                   \
    X(int, pthread_cond_timedwait, (pthread_cond_t *, pthread_mutex_t *, const struct timespec *))                     \
    X(int, pthread_cond_clockwait, (pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *))          \
    X(int, pthread_cond_signal, (pthread_cond_t *))                                                                    \
    X(int, pthread_cond_broadcast, (pthread_cond_t *))                                                                 \
    X(int, pthread_create, (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))                           \
    X(int, pthread_join, (pthread_t, void **))                                                                         \
    X(void, CFRunLoopAddTimer, (void *, void *, const void *))                                                         \
    X(void, CFRunLoopTimerSetNextFireDate, (void *, double))                                                           \
    X(double, CFRunLoopTimerGetNextFireDate, (void *))                                                                 \
    X(void, CFRunLoopTimerInvalidate, (void *))                                                                        \
    X(void, CFRunLoopPerformBlock, (void *, const void *, const void *))                                               \
    X(int32_t, CFRunLoopRunInMode, (const void *, double, unsigned char))                                              \
    X(int32_t, CFRunLoopRunSpecific, (void *, const void *, double, unsigned char))                                    \
    X(void, CFRunLoopStop, (void *))

extern struct originals {
#define X(result, name, parameters) result(*name) parameters;
    ORIGINALS(X)
#undef X
} real;

extern pthread_once_t real_once;

/// Looks up all originals.
void find_originals(void);

/// An original. All are looked up at the first use, which may precede all constructors.
#define REAL(name) (pthread_once(&real_once, find_originals), real.name)
