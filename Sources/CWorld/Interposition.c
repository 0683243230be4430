#include "Interposition.h"

#include <dlfcn.h>
#include <stdlib.h>

__attribute__((visibility("hidden"))) cworld_handlers handlers;

static cworld_work block_work(const void *block) { return (cworld_work){.block = block}; }

static cworld_work function_work(void (*function)(void *), void *context) {
    return (cworld_work){.function = function, .context = context};
}

// MARK: Submission

/// Runs work of Swift concurrency that belongs to no world. If the work created a world, reports that it has returned.
static void run_outside(cworld_work work, bool is_main_job) {
    cworld_thread saved = thread;
    thread = (cworld_thread){.is_in_job = true, .is_main_job = is_main_job};
    work.function(work.context);
    bool is_body = thread.is_body_job;
    thread = saved;
    if (is_body) NOTIFY(handlers.body_job_ended());
}

static void run_main_job(void *context) {
    cworld_work work = *(cworld_work *)context;
    free(context);
    run_outside(work, true);
}

EXPORT void dispatch_async(void *queue, const void *block) {
    if (is_client_call(FRAME)
        && HANDLED(handlers.submit(queue, block_work(block), cworld_is_barrier(block), NULL)))
        return;
    REAL(dispatch_async)(queue, block);
}

EXPORT void dispatch_async_f(void *queue, void *context, void (*function)(void *)) {
    cworld_work work = function_work(function, context);
    // Swift concurrency submits the jobs of the main executor with this function.
    if (queue == _dispatch_main_q && is_concurrency(FRAME[1])) {
        if (is_client_call(FRAME) && HANDLED(handlers.main_job(work))) return;
        cworld_work *job = malloc(sizeof *job);
        if (!job) abort();
        *job = work;
        return REAL(dispatch_async_f)(queue, job, run_main_job);
    }
    if (is_client_call(FRAME) && HANDLED(handlers.submit(queue, work, false, NULL))) return;
    REAL(dispatch_async_f)(queue, context, function);
}

EXPORT void dispatch_barrier_async(void *queue, const void *block) {
    if (is_client_call(FRAME) && HANDLED(handlers.submit(queue, block_work(block), true, NULL))) return;
    REAL(dispatch_barrier_async)(queue, block);
}

EXPORT void dispatch_barrier_async_f(void *queue, void *context, void (*function)(void *)) {
    if (is_client_call(FRAME) && HANDLED(handlers.submit(queue, function_work(function, context), true, NULL))) return;
    REAL(dispatch_barrier_async_f)(queue, context, function);
}

EXPORT void dispatch_group_async(void *group, void *queue, const void *block) {
    if (is_client_call(FRAME)
        && HANDLED(handlers.submit(queue, block_work(block), cworld_is_barrier(block), group)))
        return;
    REAL(dispatch_group_async)(group, queue, block);
}

EXPORT void dispatch_group_async_f(void *group, void *queue, void *context, void (*function)(void *)) {
    if (is_client_call(FRAME)
        && HANDLED(handlers.submit(queue, function_work(function, context), false, group)))
        return;
    REAL(dispatch_group_async_f)(group, queue, context, function);
}

EXPORT void dispatch_after(uint64_t when, void *queue, const void *block) {
    if (is_client_call(FRAME) && HANDLED(handlers.submit_after(when, queue, block_work(block)))) return;
    REAL(dispatch_after)(when, queue, block);
}

EXPORT void dispatch_after_f(uint64_t when, void *queue, void *context, void (*function)(void *)) {
    if (is_client_call(FRAME) && HANDLED(handlers.submit_after(when, queue, function_work(function, context)))) return;
    REAL(dispatch_after_f)(when, queue, context, function);
}

/// Whether world code ran work synchronously on a queue.
static bool syncs(void *const *frame, void *queue, cworld_work work, bool is_barrier) {
    return is_client_call(frame) && HANDLED(handlers.sync(queue, work, is_barrier));
}

EXPORT void dispatch_sync(void *queue, const void *block) {
    if (syncs(FRAME, queue, block_work(block), cworld_is_barrier(block))) return;
    REAL(dispatch_sync)(queue, block);
}

EXPORT void dispatch_sync_f(void *queue, void *context, void (*function)(void *)) {
    if (syncs(FRAME, queue, function_work(function, context), false)) return;
    REAL(dispatch_sync_f)(queue, context, function);
}

EXPORT void dispatch_barrier_sync(void *queue, const void *block) {
    if (syncs(FRAME, queue, block_work(block), true)) return;
    REAL(dispatch_barrier_sync)(queue, block);
}

EXPORT void dispatch_barrier_sync_f(void *queue, void *context, void (*function)(void *)) {
    if (syncs(FRAME, queue, function_work(function, context), true)) return;
    REAL(dispatch_barrier_sync_f)(queue, context, function);
}

EXPORT void dispatch_async_and_wait(void *queue, const void *block) {
    if (syncs(FRAME, queue, block_work(block), cworld_is_barrier(block))) return;
    REAL(dispatch_async_and_wait)(queue, block);
}

EXPORT void dispatch_async_and_wait_f(void *queue, void *context, void (*function)(void *)) {
    if (syncs(FRAME, queue, function_work(function, context), false)) return;
    REAL(dispatch_async_and_wait_f)(queue, context, function);
}

EXPORT void dispatch_barrier_async_and_wait(void *queue, const void *block) {
    if (syncs(FRAME, queue, block_work(block), true)) return;
    REAL(dispatch_barrier_async_and_wait)(queue, block);
}

EXPORT void dispatch_barrier_async_and_wait_f(void *queue, void *context, void (*function)(void *)) {
    if (syncs(FRAME, queue, function_work(function, context), true)) return;
    REAL(dispatch_barrier_async_and_wait_f)(queue, context, function);
}

/// The iterations of `dispatch_apply`: a block or a function with an argument and an index.
struct iterations {
    size_t count;
    const void *block;
    void (*function)(void *, size_t);
    void *context;
};

static void run_iterations(void *context) {
    const struct iterations *iterations = context;
    const void *block = iterations->block;
    void (*invoke)(const void *, size_t) = block ? ((void (*const *)(const void *, size_t))block)[2] : NULL;
    for (size_t i = 0; i < iterations->count; i++) {
        if (block) {
            invoke(block, i);
        } else {
            iterations->function(iterations->context, i);
        }
    }
}

/// Runs the iterations of world code one after another on the calling thread. As in libdispatch, those on a queue of
/// the client wait for its earlier work. Returns false if the original must be called.
static bool applies(void *const *frame, void *queue, struct iterations iterations) {
    if (!is_client_call(frame) || !is_world_thread()) return false;
    bool is_of_client = queue && !cworld_queue_is_global(queue);
    if (!is_of_client || !syncs(frame, queue, function_work(run_iterations, &iterations), false)) {
        run_iterations(&iterations);
    }
    return true;
}

EXPORT void dispatch_apply(size_t count, void *queue, const void *block) {
    if (applies(FRAME, queue, (struct iterations){.count = count, .block = block})) return;
    REAL(dispatch_apply)(count, queue, block);
}

EXPORT void dispatch_apply_f(size_t count, void *queue, void *context, void (*function)(void *, size_t)) {
    struct iterations iterations = {.count = count, .function = function, .context = context};
    if (applies(FRAME, queue, iterations)) return;
    REAL(dispatch_apply_f)(count, queue, context, function);
}

EXPORT void dispatch_group_notify(void *group, void *queue, const void *block) {
    if (is_client_call(FRAME) && HANDLED(handlers.group_notify(group, queue, block_work(block)))) return;
    REAL(dispatch_group_notify)(group, queue, block);
}

EXPORT void dispatch_group_notify_f(void *group, void *queue, void *context, void (*function)(void *)) {
    if (is_client_call(FRAME) && HANDLED(handlers.group_notify(group, queue, function_work(function, context)))) return;
    REAL(dispatch_group_notify_f)(group, queue, context, function);
}

EXPORT void dispatch_block_notify(const void *block, void *queue, const void *notification) {
    if (is_client_call(FRAME)) {
        // The block of a work item leaves its group when it has run.
        void *group = cworld_work_item_group(block);
        if (group && HANDLED(handlers.group_notify(group, queue, block_work(notification)))) return;
    }
    REAL(dispatch_block_notify)(block, queue, notification);
}

/// libdispatch also calls it, at the end of the block of a work item.
EXPORT void dispatch_group_leave(void *group) {
    REAL(dispatch_group_leave)(group);
    if (has_open_worlds()) NOTIFY(handlers.group_left(group));
}

// MARK: Waiting

EXPORT long dispatch_semaphore_wait(void *semaphore, uint64_t timeout) {
    long result = 0;
    if (is_client_call(FRAME) && HANDLED(handlers.wait(CWORLD_SEMAPHORE, semaphore, timeout, &result))) return result;
    return REAL(dispatch_semaphore_wait)(semaphore, timeout);
}

EXPORT long dispatch_group_wait(void *group, uint64_t timeout) {
    long result = 0;
    if (is_client_call(FRAME) && HANDLED(handlers.wait(CWORLD_GROUP, group, timeout, &result))) return result;
    return REAL(dispatch_group_wait)(group, timeout);
}

EXPORT long dispatch_block_wait(const void *block, uint64_t timeout) {
    long result = 0;
    if (is_client_call(FRAME) && HANDLED(handlers.wait(CWORLD_BLOCK, block, timeout, &result))) return result;
    return REAL(dispatch_block_wait)(block, timeout);
}

/// Whether a call was handled as a sleep in virtual time.
static bool sleeps(void *const *frame, int64_t nanoseconds) {
    return is_client_call(frame) && is_world_thread() && HANDLED(handlers.sleep(nanoseconds));
}

EXPORT int nanosleep(const struct timespec *duration, struct timespec *rest) {
    if (sleeps(FRAME, nanoseconds_of(duration))) return 0;
    return REAL(nanosleep)(duration, rest);
}

EXPORT int usleep(useconds_t microseconds) {
    if (sleeps(FRAME, microseconds * 1000ll)) return 0;
    return REAL(usleep)(microseconds);
}

EXPORT unsigned sleep(unsigned seconds) {
    if (sleeps(FRAME, seconds * 1000000000ll)) return 0;
    return REAL(sleep)(seconds);
}

// MARK: Sources and queues

EXPORT void *dispatch_source_create(const void *type, uintptr_t handle, uintptr_t mask, void *queue) {
    void *source = REAL(dispatch_source_create)(type, handle, mask, queue);
    if (!source || !is_client_call(FRAME)) return source;
    cworld_source_kind kind;
    if (type == _dispatch_source_type_timer) {
        kind = CWORLD_TIMER;
    } else if (type == _dispatch_source_type_data_add) {
        kind = CWORLD_DATA_ADD;
    } else if (type == _dispatch_source_type_data_or) {
        kind = CWORLD_DATA_OR;
    } else if (type == _dispatch_source_type_data_replace) {
        kind = CWORLD_DATA_REPLACE;
    } else {
        return source;
    }
    NOTIFY(handlers.source_created(source, kind, queue));
    return source;
}

EXPORT void dispatch_source_set_timer(void *source, uint64_t start, uint64_t interval, uint64_t leeway) {
    if (is_client_call(FRAME) && HANDLED(handlers.source_set_timer(source, start, interval))) return;
    REAL(dispatch_source_set_timer)(source, start, interval, leeway);
}

/// Whether the handler of a simulated source was set.
static bool sets_handler(void *const *frame, void *source, cworld_work work, cworld_source_handler kind) {
    return is_client_call(frame) && HANDLED(handlers.source_set_handler(source, work, kind));
}

// The context of the source is the argument of a handler that is a function.
#define SET_HANDLER(name, kind)                                                                                        \
    EXPORT void name(void *source, const void *block) {                                                                \
        if (!sets_handler(FRAME, source, block_work(block), kind)) REAL(name)(source, block);                          \
    }                                                                                                                  \
    EXPORT void name##_f(void *source, void (*function)(void *)) {                                                     \
        if (!sets_handler(FRAME, source, function_work(function, NULL), kind)) REAL(name##_f)(source, function);       \
    }

SET_HANDLER(dispatch_source_set_event_handler, CWORLD_EVENT)
SET_HANDLER(dispatch_source_set_registration_handler, CWORLD_REGISTRATION)
SET_HANDLER(dispatch_source_set_cancel_handler, CWORLD_CANCELLATION)
SET_HANDLER(dispatch_source_set_mandatory_cancel_handler, CWORLD_CANCELLATION)

EXPORT void dispatch_source_merge_data(void *source, uintptr_t value) {
    if (is_client_call(FRAME) && HANDLED(handlers.source_merge(source, value))) return;
    REAL(dispatch_source_merge_data)(source, value);
}

EXPORT uintptr_t dispatch_source_get_data(void *source) {
    uintptr_t value = 0;
    if (is_client_call(FRAME) && HANDLED(handlers.source_data(source, &value))) return value;
    return REAL(dispatch_source_get_data)(source);
}

EXPORT void dispatch_source_cancel(void *source) {
    if (is_client_call(FRAME)) NOTIFY(handlers.changed(source, CWORLD_CANCEL));
    REAL(dispatch_source_cancel)(source);
}

EXPORT void dispatch_activate(void *object) {
    if (is_client_call(FRAME)) NOTIFY(handlers.changed(object, CWORLD_ACTIVATE));
    REAL(dispatch_activate)(object);
}

EXPORT void dispatch_resume(void *object) {
    if (is_client_call(FRAME)) NOTIFY(handlers.changed(object, CWORLD_RESUME));
    REAL(dispatch_resume)(object);
}

EXPORT void dispatch_suspend(void *object) {
    if (is_client_call(FRAME)) NOTIFY(handlers.changed(object, CWORLD_SUSPEND));
    REAL(dispatch_suspend)(object);
}

EXPORT void dispatch_set_target_queue(void *object, void *target) {
    REAL(dispatch_set_target_queue)(object, target);
    if (target && is_client_call(FRAME)) NOTIFY(handlers.queue_targeted(object, target));
}

EXPORT void *dispatch_queue_create_with_target(const char *label, void *attributes, void *target) {
    void *queue = REAL(dispatch_queue_create_with_target)(label, attributes, target);
    if (!queue || !is_client_call(FRAME)) return queue;
    if (target) NOTIFY(handlers.queue_targeted(queue, target));
    // There is one object for each combination of attributes. If the inactive variant is the same object, the queue is
    // inactive.
    if (attributes && REAL(dispatch_queue_attr_make_initially_inactive)(attributes) == attributes) {
        NOTIFY(handlers.changed(queue, CWORLD_INACTIVE));
    }
    return queue;
}

// MARK: Time

EXPORT uint64_t dispatch_time(uint64_t when, int64_t delta) {
    bool is_wall = (when & SIGN_BIT) && (when & WALL_BIT);
    bool is_now = when == TIME_NOW || when == MONOTONIC_NOW || when == WALL_NOW;
    if (!is_now || !reads_virtual_time(FRAME)) return REAL(dispatch_time)(when, delta);
    int64_t time;
    if (__builtin_add_overflow(HANDLED(handlers.now(is_wall)), delta, &time)) return delta > 0 ? TIME_FOREVER : 1;
    if (is_wall) return (uint64_t)-time;
    if (time < 1) time = 1;
    return when == MONOTONIC_NOW ? SIGN_BIT | (uint64_t)time : (uint64_t)time;
}

EXPORT uint64_t dispatch_walltime(const struct timespec *when, int64_t delta) {
    if (when || !reads_virtual_time(FRAME)) return REAL(dispatch_walltime)(when, delta);
    int64_t time;
    if (__builtin_add_overflow(HANDLED(handlers.now(true)), delta, &time)) return delta > 0 ? TIME_FOREVER : 1;
    return (uint64_t)-time;
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *result) {
    bool is_wall = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
    bool is_known = is_wall || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME || clock == CLOCK_MONOTONIC_RAW
        || clock == CLOCK_MONOTONIC_COARSE;
    if (!is_known || !reads_virtual_time(FRAME)) return REAL(clock_gettime)(clock, result);
    int64_t time = HANDLED(handlers.now(is_wall));
    result->tv_sec = time / 1000000000;
    result->tv_nsec = time % 1000000000;
    return 0;
}

EXPORT int gettimeofday(struct timeval *restrict result, void *restrict zone) {
    if (!reads_virtual_time(FRAME)) return REAL(gettimeofday)(result, zone);
    int64_t time = HANDLED(handlers.now(true));
    result->tv_sec = time / 1000000000;
    result->tv_usec = time % 1000000000 / 1000;
    return 0;
}

// MARK: Run loops

EXPORT void CFRunLoopAddTimer(void *loop, void *timer, const void *mode) {
    if (is_client_call(FRAME) && is_world_thread() && HANDLED(handlers.add_timer(loop, timer))) return;
    REAL(CFRunLoopAddTimer)(loop, timer, mode);
}

EXPORT void CFRunLoopTimerSetNextFireDate(void *timer, double date) {
    if (is_client_call(FRAME) && HANDLED(handlers.timer_set_fire_date(timer, date))) return;
    REAL(CFRunLoopTimerSetNextFireDate)(timer, date);
}

EXPORT double CFRunLoopTimerGetNextFireDate(void *timer) {
    double date = 0;
    if (is_client_call(FRAME) && HANDLED(handlers.timer_fire_date(timer, &date))) return date;
    return REAL(CFRunLoopTimerGetNextFireDate)(timer);
}

EXPORT void CFRunLoopTimerInvalidate(void *timer) {
    if (has_open_worlds()) NOTIFY(handlers.timer_invalidated(timer));
    REAL(CFRunLoopTimerInvalidate)(timer);
}

/// `Thread.isMainThread` and `OperationQueue.current` of Foundation. While the main queue runs a block, an observer of
/// notifications on `OperationQueue.main` is called by the thread that posts; otherwise the post would wait for the queue
/// that it blocks.
EXPORT unsigned char _CFIsMainThread(void) { return cworld_is_main_thread_of_code(); }

EXPORT void CFRunLoopPerformBlock(void *loop, const void *mode, const void *block) {
    if (is_client_call(FRAME) && cworld_is_main_loop(loop) && HANDLED(handlers.perform(block))) return;
    REAL(CFRunLoopPerformBlock)(loop, mode, block);
}

/// Runs the run loop of the calling thread for the caller with `frame`.
///
/// `*is_test` is set to whether a test framework runs the run loop of the main thread. Returns false if the original
/// must be called.
static bool runs_loop(void *const *frame, double seconds, bool return_after_source, int32_t *result, bool *is_test) {
    *is_test = false;
    if (!has_open_worlds()) return false;
    enum role role = caller_role(frame);
    *is_test = role == TEST_FRAMEWORK && cworld_is_main_thread() && !thread.item;
    return role == CLIENT && is_world_thread() && HANDLED(handlers.run_loop(seconds, return_after_source, result));
}

/// Begins a call of the original run loop. On a thread of a world, its own calls go to the originals.
///
/// Work items that it runs reset `bypass`, so that their calls go to the handlers. On a thread of no world, such as
/// Foundation's for processes, the scheduler must receive the signals for conditions on which a world waits.
///
/// - Returns: The value for `end_run_loop`.
static bool begin_run_loop(bool is_test) {
    bool is_bypassed = is_world_thread();
    if (is_bypassed) thread.bypass++;
    if (is_test) handlers.set_test_waiting(true);
    return is_bypassed;
}

static void end_run_loop(bool is_test, bool is_bypassed) {
    if (is_test) handlers.set_test_waiting(false);
    if (is_bypassed) thread.bypass--;
}

EXPORT int32_t CFRunLoopRunInMode(const void *mode, double seconds, unsigned char return_after_source) {
    int32_t result = 0;
    bool is_test;
    if (runs_loop(FRAME, seconds, return_after_source, &result, &is_test)) return result;
    bool is_bypassed = begin_run_loop(is_test);
    result = REAL(CFRunLoopRunInMode)(mode, seconds, return_after_source);
    end_run_loop(is_test, is_bypassed);
    return result;
}

EXPORT int32_t CFRunLoopRunSpecific(void *loop, const void *mode, double seconds, unsigned char return_after_source) {
    int32_t result = 0;
    bool is_test;
    if (runs_loop(FRAME, seconds, return_after_source, &result, &is_test)) return result;
    bool is_bypassed = begin_run_loop(is_test);
    result = REAL(CFRunLoopRunSpecific)(loop, mode, seconds, return_after_source);
    end_run_loop(is_test, is_bypassed);
    return result;
}

EXPORT void CFRunLoopStop(void *loop) {
    if (has_open_worlds()) {
        if (caller_role(FRAME) == TEST_FRAMEWORK) NOTIFY(handlers.test_will_continue());
        if (is_client_call(FRAME) && HANDLED(handlers.run_loop_stop())) return;
    }
    REAL(CFRunLoopStop)(loop);
}

// MARK: Swift concurrency

typedef __attribute__((swiftcall)) void (*enqueue_original)(void *job);
typedef __attribute__((swiftcall)) void (*enqueue_hook)(void *job, enqueue_original original);
extern enqueue_hook swift_task_enqueueGlobal_hook;

// Jobs outside of worlds are submitted here, too, instead of by the runtime, so that the scheduler is notified when the
// job that created a world returns.
static void run_job(void *job) { cworld_run_job(job); }

static void run_global_job(void *job) { run_outside(function_work(run_job, job), false); }

static __attribute__((swiftcall)) void enqueue_global(void *job, enqueue_original original) {
    if (has_open_worlds()) {
        bool is_test = caller_role(FRAME) == TEST_FRAMEWORK;
        if (HANDLED(handlers.job(job, is_test))) return;
    }
    REAL(dispatch_async_f)(cworld_global_queue(job), job, run_global_job);
}

__attribute__((constructor)) static void prepare(void) {
    find_modules();
    swift_task_enqueueGlobal_hook = enqueue_global;
}

// MARK: Interface

/// Whether the libraries of the program resolve a name to `function`.
static bool is_interposed(const char *name, const void *function) { return dlsym(RTLD_DEFAULT, name) == function; }

const char *cworld_install(const cworld_handlers *table) {
    handlers = *table;
    pthread_once(&real_once, find_originals);
#define X(result, name, parameters)                                                                                    \
    if (!real.name) return #name;
    ORIGINALS(X)
#undef X
    if (!is_interposed("dispatch_async", dispatch_async)) return "dispatch_async";
    if (!is_interposed("clock_gettime", clock_gettime)) return "clock_gettime";
    if (!is_interposed("pthread_cond_wait", pthread_cond_wait)) return "pthread_cond_wait";
    return NULL;
}
