#include "Interposition.h"

#include <stdatomic.h>
#include <stdlib.h>

static atomic_int condition_waiters, client_threads;

void cworld_add_condition_waiters(int count) { atomic_fetch_add(&condition_waiters, count); }

int cworld_client_thread_count(void) { return atomic_load(&client_threads); }

/// Whether a wait for a condition was handled. `end` is null to wait without a limit.
static bool waits_for_condition(
    void *const *frame, void *condition, void *mutex, clockid_t clock, const struct timespec *end, int *result) {
    if (!is_client_call(frame) || !is_world_thread()) return false;
    if (end && (end->tv_nsec < 0 || end->tv_nsec >= 1000000000)) return false;
    int64_t time = end ? nanoseconds_of(end) : INT64_MAX;
    return HANDLED(handlers.condition_wait(condition, mutex, time, clock == CLOCK_REALTIME, result));
}

EXPORT int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    int result;
    if (waits_for_condition(FRAME, condition, mutex, CLOCK_REALTIME, NULL, &result)) return result;
    return REAL(pthread_cond_wait)(condition, mutex);
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *end) {
    // glibc keeps the clock of a condition in a bit of this word (__condvar_get_private and its neighbours).
    clockid_t clock = condition->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
    int result;
    if (waits_for_condition(FRAME, condition, mutex, clock, end, &result)) return result;
    return REAL(pthread_cond_timedwait)(condition, mutex, end);
}

EXPORT int pthread_cond_clockwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *end) {
    int result;
    if (waits_for_condition(FRAME, condition, mutex, clock, end, &result)) return result;
    return REAL(pthread_cond_clockwait)(condition, mutex, clock, end);
}

/// Notifies the scheduler of a signal, which may come from any thread, also after all worlds were closed.
static void signals_condition(void *condition, bool is_broadcast) {
    if (atomic_load(&condition_waiters) > 0 && thread.bypass == 0)
        NOTIFY(handlers.condition_signalled(condition, is_broadcast));
}

EXPORT int pthread_cond_signal(pthread_cond_t *condition) {
    signals_condition(condition, false);
    return REAL(pthread_cond_signal)(condition);
}

EXPORT int pthread_cond_broadcast(pthread_cond_t *condition) {
    signals_condition(condition, true);
    return REAL(pthread_cond_broadcast)(condition);
}

/// The function of a new thread and its argument.
struct thread_start {
    void *(*function)(void *);
    void *argument;
};

static void client_thread_ended(void *unused) { atomic_fetch_sub(&client_threads, 1); }

// In a section of its own, so that its frames are those of the system: the work of a thread of Foundation, such as the one
// that manages processes, is not work of the program that contains this function.
__attribute__((section("cworld_thread_start"), noinline)) static void *run_client_thread(void *context) {
    struct thread_start start = *(struct thread_start *)context;
    free(context);
    void *result;
    pthread_cleanup_push(client_thread_ended, NULL);
    result = start.function(start.argument);
    pthread_cleanup_pop(1);
    return result;
}

EXPORT int pthread_create(
    pthread_t *created, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
    struct thread_start *start;
    if (thread.bypass > 0 || caller_role(FRAME) != CLIENT || !(start = malloc(sizeof *start)))
        return REAL(pthread_create)(created, attributes, function, argument);
    *start = (struct thread_start){function, argument};
    atomic_fetch_add(&client_threads, 1);
    int error = REAL(pthread_create)(created, attributes, run_client_thread, start);
    if (error) {
        atomic_fetch_sub(&client_threads, 1);
        free(start);
    }
    return error;
}

int cworld_try_join(unsigned long other, void **result) { return pthread_tryjoin_np(other, result); }

EXPORT int pthread_join(pthread_t other, void **result) {
    int error;
    if (is_client_call(FRAME) && is_world_thread() && HANDLED(handlers.join(other, result, &error))) return error;
    return REAL(pthread_join)(other, result);
}
