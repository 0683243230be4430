#define _GNU_SOURCE
#include "CWorld.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define TIME_NOW 0ull
#define TIME_FOREVER (~0ull)
#define WALL_BIT (1ull << 62)
#define SIGN_BIT (1ull << 63)

// MARK: Originals

// libdispatch's and Core Foundation's headers are not included: this file defines their functions with plain pointers.
extern char _dispatch_main_q[];
extern const char _dispatch_source_type_timer[], _dispatch_source_type_data_add[], _dispatch_source_type_data_or[],
    _dispatch_source_type_data_replace[];
extern void *_Block_copy(const void *);
extern void _Block_release(const void *);

#define ORIGINALS(X)                                                                                                   \
    X(void, dispatch_async, (void *, const void *))                                                                    \
    X(void, dispatch_async_f, (void *, void *, void (*)(void *)))                                                      \
    X(void, dispatch_barrier_async, (void *, const void *))                                                            \
    X(void, dispatch_barrier_async_f, (void *, void *, void (*)(void *)))                                              \
    X(void, dispatch_group_async, (void *, void *, const void *))                                                      \
    X(void, dispatch_sync, (void *, const void *))                                                                     \
    X(void, dispatch_barrier_sync, (void *, const void *))                                                             \
    X(void, dispatch_after, (uint64_t, void *, const void *))                                                          \
    X(void, dispatch_after_f, (uint64_t, void *, void *, void (*)(void *)))                                            \
    X(void, dispatch_apply, (size_t, void *, const void *))                                                            \
    X(void, dispatch_group_enter, (void *))                                                                            \
    X(void, dispatch_group_leave, (void *))                                                                            \
    X(void, dispatch_group_notify, (void *, void *, const void *))                                                     \
    X(long, dispatch_group_wait, (void *, uint64_t))                                                                   \
    X(void, dispatch_block_notify, (const void *, void *, const void *))                                               \
    X(long, dispatch_block_wait, (const void *, uint64_t))                                                             \
    X(long, dispatch_semaphore_wait, (void *, uint64_t))                                                               \
    X(void *, dispatch_source_create, (const void *, uintptr_t, uintptr_t, void *))                                    \
    X(void, dispatch_source_set_timer, (void *, uint64_t, uint64_t, uint64_t))                                         \
    X(void, dispatch_source_set_event_handler, (void *, const void *))                                                 \
    X(void, dispatch_source_set_event_handler_f, (void *, void (*)(void *)))                                           \
    X(void, dispatch_source_set_cancel_handler, (void *, const void *))                                                \
    X(void, dispatch_source_merge_data, (void *, uintptr_t))                                                           \
    X(uintptr_t, dispatch_source_get_data, (void *))                                                                   \
    X(void, dispatch_source_cancel, (void *))                                                                          \
    X(long, dispatch_source_testcancel, (void *))                                                                      \
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
    X(void *, dispatch_block_create, (unsigned long, const void *))                                                    \
    X(void, dispatch_retain, (const void *))                                                                           \
    X(void, dispatch_release, (const void *))                                                                          \
    X(int, clock_gettime, (clockid_t, struct timespec *))                                                              \
    X(int, gettimeofday, (struct timeval *, void *))                                                                   \
    X(int, nanosleep, (const struct timespec *, struct timespec *))                                                    \
    X(int, usleep, (useconds_t))                                                                                       \
    X(unsigned, sleep, (unsigned))                                                                                     \
    X(void, CFRunLoopAddTimer, (void *, void *, const void *))                                                         \
    X(int32_t, CFRunLoopRunInMode, (const void *, double, unsigned char))                                              \
    X(int32_t, CFRunLoopRunSpecific, (void *, const void *, double, unsigned char))                                    \
    X(void, CFRunLoopStop, (void *))

static struct {
#define X(result, name, parameters) result(*name) parameters;
    ORIGINALS(X)
#undef X
} real;

static pthread_once_t real_once = PTHREAD_ONCE_INIT;

static void find_originals(void) {
#define X(result, name, parameters) *(void **)&real.name = dlsym(RTLD_NEXT, #name);
    ORIGINALS(X)
#undef X
}

/// Calls an original. The functions are looked up at the first call, which may come before any constructor has run.
#define REAL(name) (pthread_once(&real_once, find_originals), real.name)

// MARK: Callers

static cworld_handlers handlers;
static atomic_int open_worlds;
static __thread cworld_thread thread;
static __thread uintptr_t stack_low, stack_high;

/// The program and its libraries by the role that they play as callers.
enum role {
    /// World code, as far as its thread belongs to a world.
    CODE,
    /// Passes on what its caller wants: the caller's role counts.
    PLUMBING,
    /// Its calls stay real.
    SYSTEM,
    /// A test framework: its calls stay real.
    FRAMEWORK,
};

static struct {
    uintptr_t start, end;
    enum role role;
} modules[128];
static int module_count;

static enum role role_of_path(const char *path) {
    static const struct {
        const char *prefix;
        enum role role;
    } roles[] = {
        {"libdispatch.so", SYSTEM},  {"libFoundationNetworking.so", SYSTEM}, {"libFoundation", PLUMBING},
        {"libBlocksRuntime.so", PLUMBING}, {"libswift", PLUMBING},
        {"libXCTest.so", FRAMEWORK}, {"libTesting.so", FRAMEWORK},           {"lib_Testing", FRAMEWORK},
    };
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        if (strncmp(name, roles[i].prefix, strlen(roles[i].prefix)) == 0) return roles[i].role;
    }
    bool is_system = strncmp(path, "/lib", 4) == 0 || strncmp(path, "/usr/lib", 8) == 0 || strncmp(path, "linux-vdso", 10) == 0;
    return is_system ? SYSTEM : CODE;
}

/// The addresses of libswift_Concurrency.
static uintptr_t concurrency_start, concurrency_end;

static bool is_concurrency(const void *address) {
    return (uintptr_t)address >= concurrency_start && (uintptr_t)address < concurrency_end;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *data) {
    if (module_count == sizeof modules / sizeof *modules) return 1;
    uintptr_t start = UINTPTR_MAX, end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD) continue;
        uintptr_t low = info->dlpi_addr + header->p_vaddr;
        if (low < start) start = low;
        if (low + header->p_memsz > end) end = low + header->p_memsz;
    }
    if (strstr(info->dlpi_name, "/libswift_Concurrency.so")) {
        concurrency_start = start;
        concurrency_end = end;
    }
    modules[module_count].start = start;
    modules[module_count].end = end;
    // The program itself comes first and has no name.
    modules[module_count++].role = role_of_path(info->dlpi_name);
    return 0;
}

static enum role role_of(uintptr_t address) {
    for (int i = 0; i < module_count; i++) {
        if (address >= modules[i].start && address < modules[i].end) return modules[i].role;
    }
    // A library that was loaded later, as codecs are.
    return SYSTEM;
}

/// The role of the code that called the interposed function whose frame is `frame`.
///
/// It follows the saved frame pointers, which Swift's libraries keep, past plumbing.
__attribute__((noinline)) static enum role caller_role(void *const *frame) {
    if (!stack_high) {
        pthread_attr_t attributes;
        void *low = NULL;
        size_t size = 0;
        if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
            pthread_attr_getstack(&attributes, &low, &size);
            pthread_attr_destroy(&attributes);
        }
        stack_low = (uintptr_t)low;
        stack_high = (uintptr_t)low + size;
    }
    enum role role = role_of((uintptr_t)frame[1]);
    for (int depth = 0; depth < 24 && role == PLUMBING; depth++) {
        // Swift marks the frames of async functions in bit 60 of the saved frame pointer.
        uintptr_t next = (uintptr_t)frame[0] & ~(1ull << 60);
        if (next <= (uintptr_t)frame || next + 16 > stack_high || next < stack_low || next % 8 != 0) return CODE;
        frame = (void *const *)next;
        role = role_of((uintptr_t)frame[1]);
    }
    return role == PLUMBING ? CODE : role;
}

#define FRAME ((void *const *)__builtin_frame_address(0))

/// Whether a call comes from code that may belong to a world; the handlers decide by thread.
static bool is_candidate(void *const *frame) {
    if (atomic_load_explicit(&open_worlds, memory_order_relaxed) == 0 || thread.bypass > 0) return false;
    return caller_role(frame) == CODE;
}

/// Whether the thread runs world code: an item, or the body of a test.
static bool is_world_thread(void) { return thread.item || thread.is_body_job || cworld_is_main_thread(); }

/// Whether a clock that is read in `frame` is virtual.
static bool reads_virtual_time(void *const *frame) {
    if (atomic_load_explicit(&open_worlds, memory_order_relaxed) == 0 || thread.bypass > 0) return false;
    if (!is_world_thread()) return false;
    return caller_role(frame) == CODE;
}

#define CALLBACK(call)                                                                                                 \
    ({                                                                                                                 \
        thread.bypass++;                                                                                               \
        typeof(call) outcome = call;                                                                                   \
        thread.bypass--;                                                                                               \
        outcome;                                                                                                       \
    })
#define NOTIFY(call)                                                                                                   \
    do {                                                                                                               \
        thread.bypass++;                                                                                               \
        call;                                                                                                          \
        thread.bypass--;                                                                                               \
    } while (0)

static cworld_work block_work(const void *block) { return (cworld_work){.block = block}; }

static cworld_work function_work(void (*function)(void *), void *context) {
    return (cworld_work){.function = function, .context = context};
}

// MARK: Submission

/// Runs work of Swift concurrency that belongs to no world; reports the end of work that created one.
static void run_outside(cworld_work work) {
    cworld_thread saved = thread;
    thread = (cworld_thread){.is_in_job = true};
    work.function(work.context);
    bool is_body = thread.is_body_job;
    thread = saved;
    if (is_body) NOTIFY(handlers.body_job_ended());
}

static void run_main_job(void *context) {
    cworld_work work = *(cworld_work *)context;
    free(context);
    run_outside(work);
}

EXPORT void dispatch_async(void *queue, const void *block) {
    if (is_candidate(FRAME) && CALLBACK(handlers.submit(queue, block_work(block), cworld_is_barrier(block), NULL))) return;
    REAL(dispatch_async)(queue, block);
}

EXPORT void dispatch_async_f(void *queue, void *context, void (*function)(void *)) {
    if (is_candidate(FRAME) && CALLBACK(handlers.submit(queue, function_work(function, context), false, NULL))) return;
    cworld_work *job;
    // Swift concurrency submits the jobs of the main executor so.
    if (queue == _dispatch_main_q && is_concurrency(FRAME[1]) && (job = malloc(sizeof *job))) {
        *job = function_work(function, context);
        return REAL(dispatch_async_f)(queue, job, run_main_job);
    }
    REAL(dispatch_async_f)(queue, context, function);
}

EXPORT void dispatch_barrier_async(void *queue, const void *block) {
    if (is_candidate(FRAME) && CALLBACK(handlers.submit(queue, block_work(block), true, NULL))) return;
    REAL(dispatch_barrier_async)(queue, block);
}

EXPORT void dispatch_group_async(void *group, void *queue, const void *block) {
    if (is_candidate(FRAME) && CALLBACK(handlers.submit(queue, block_work(block), cworld_is_barrier(block), group))) return;
    REAL(dispatch_group_async)(group, queue, block);
}

EXPORT void dispatch_after(uint64_t when, void *queue, const void *block) {
    if (is_candidate(FRAME) && CALLBACK(handlers.submit_after(when, queue, block_work(block)))) return;
    REAL(dispatch_after)(when, queue, block);
}

EXPORT void dispatch_after_f(uint64_t when, void *queue, void *context, void (*function)(void *)) {
    if (is_candidate(FRAME) && CALLBACK(handlers.submit_after(when, queue, function_work(function, context)))) return;
    REAL(dispatch_after_f)(when, queue, context, function);
}

EXPORT void dispatch_sync(void *queue, const void *block) {
    if (is_candidate(FRAME) && CALLBACK(handlers.sync(queue, block_work(block), cworld_is_barrier(block)))) return;
    REAL(dispatch_sync)(queue, block);
}

EXPORT void dispatch_barrier_sync(void *queue, const void *block) {
    if (is_candidate(FRAME) && CALLBACK(handlers.sync(queue, block_work(block), true))) return;
    REAL(dispatch_barrier_sync)(queue, block);
}

/// World code runs the iterations one after another.
EXPORT void dispatch_apply(size_t count, void *queue, const void *block) {
    if (!is_candidate(FRAME) || !is_world_thread()) return REAL(dispatch_apply)(count, queue, block);
    void (*invoke)(const void *, size_t) = ((void (*const *)(const void *, size_t))block)[2];
    for (size_t i = 0; i < count; i++) invoke(block, i);
}

EXPORT void dispatch_group_notify(void *group, void *queue, const void *block) {
    if (is_candidate(FRAME) && CALLBACK(handlers.group_notify(group, queue, block_work(block)))) return;
    REAL(dispatch_group_notify)(group, queue, block);
}

EXPORT void dispatch_block_notify(const void *block, void *queue, const void *notification) {
    if (is_candidate(FRAME) && CALLBACK(handlers.block_notify(block, queue, block_work(notification)))) return;
    REAL(dispatch_block_notify)(block, queue, notification);
}

// MARK: Waiting

EXPORT long dispatch_semaphore_wait(void *semaphore, uint64_t timeout) {
    long result = 0;
    if (is_candidate(FRAME) && CALLBACK(handlers.wait(CWORLD_SEMAPHORE, semaphore, timeout, &result))) return result;
    return REAL(dispatch_semaphore_wait)(semaphore, timeout);
}

EXPORT long dispatch_group_wait(void *group, uint64_t timeout) {
    long result = 0;
    if (is_candidate(FRAME) && CALLBACK(handlers.wait(CWORLD_GROUP, group, timeout, &result))) return result;
    return REAL(dispatch_group_wait)(group, timeout);
}

EXPORT long dispatch_block_wait(const void *block, uint64_t timeout) {
    long result = 0;
    if (is_candidate(FRAME) && CALLBACK(handlers.wait(CWORLD_BLOCK, block, timeout, &result))) return result;
    return REAL(dispatch_block_wait)(block, timeout);
}

static bool sleeps(void *const *frame, int64_t nanoseconds) {
    return is_candidate(frame) && is_world_thread() && CALLBACK(handlers.sleep(nanoseconds));
}

EXPORT int nanosleep(const struct timespec *duration, struct timespec *rest) {
    if (sleeps(FRAME, duration->tv_sec * 1000000000ll + duration->tv_nsec)) return 0;
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
    if (!source || !is_candidate(FRAME)) return source;
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
    if (is_candidate(FRAME) && CALLBACK(handlers.source_set_timer(source, start, interval))) return;
    REAL(dispatch_source_set_timer)(source, start, interval, leeway);
}

EXPORT void dispatch_source_set_event_handler(void *source, const void *block) {
    if (is_candidate(FRAME) && CALLBACK(handlers.source_set_handler(source, block_work(block), false))) return;
    REAL(dispatch_source_set_event_handler)(source, block);
}

EXPORT void dispatch_source_set_event_handler_f(void *source, void (*function)(void *)) {
    if (is_candidate(FRAME) && CALLBACK(handlers.source_set_handler(source, function_work(function, NULL), false)))
        return;
    REAL(dispatch_source_set_event_handler_f)(source, function);
}

EXPORT void dispatch_source_set_cancel_handler(void *source, const void *block) {
    if (is_candidate(FRAME) && CALLBACK(handlers.source_set_handler(source, block_work(block), true))) return;
    REAL(dispatch_source_set_cancel_handler)(source, block);
}

EXPORT void dispatch_source_merge_data(void *source, uintptr_t value) {
    if (is_candidate(FRAME) && CALLBACK(handlers.source_merge(source, value))) return;
    REAL(dispatch_source_merge_data)(source, value);
}

EXPORT uintptr_t dispatch_source_get_data(void *source) {
    uintptr_t value = 0;
    if (is_candidate(FRAME) && CALLBACK(handlers.source_data(source, &value))) return value;
    return REAL(dispatch_source_get_data)(source);
}

EXPORT void dispatch_source_cancel(void *source) {
    if (is_candidate(FRAME)) NOTIFY(handlers.changed(source, CWORLD_CANCEL));
    REAL(dispatch_source_cancel)(source);
}

EXPORT void dispatch_activate(void *object) {
    if (is_candidate(FRAME)) NOTIFY(handlers.changed(object, CWORLD_ACTIVATE));
    REAL(dispatch_activate)(object);
}

EXPORT void dispatch_resume(void *object) {
    if (is_candidate(FRAME)) NOTIFY(handlers.changed(object, CWORLD_RESUME));
    REAL(dispatch_resume)(object);
}

EXPORT void dispatch_suspend(void *object) {
    if (is_candidate(FRAME)) NOTIFY(handlers.changed(object, CWORLD_SUSPEND));
    REAL(dispatch_suspend)(object);
}

EXPORT void dispatch_set_target_queue(void *object, void *target) {
    REAL(dispatch_set_target_queue)(object, target);
    if (target && is_candidate(FRAME)) NOTIFY(handlers.queue_targeted(object, target));
}

EXPORT void *dispatch_queue_create_with_target(const char *label, void *attributes, void *target) {
    void *queue = REAL(dispatch_queue_create_with_target)(label, attributes, target);
    if (target && is_candidate(FRAME)) NOTIFY(handlers.queue_targeted(queue, target));
    return queue;
}

// MARK: Time

EXPORT uint64_t dispatch_time(uint64_t when, int64_t delta) {
    bool is_wall = (when & SIGN_BIT) && (when & WALL_BIT);
    bool is_now = when == TIME_NOW || when == SIGN_BIT || when == ~1ull;
    if (!is_now || !reads_virtual_time(FRAME)) return REAL(dispatch_time)(when, delta);
    int64_t time = CALLBACK(handlers.now(is_wall)) + delta;
    if (is_wall) return (uint64_t)-time;
    if (time < 1) time = 1;
    return when == SIGN_BIT ? SIGN_BIT | (uint64_t)time : (uint64_t)time;
}

EXPORT uint64_t dispatch_walltime(const struct timespec *when, int64_t delta) {
    if (when || !reads_virtual_time(FRAME)) return REAL(dispatch_walltime)(when, delta);
    return (uint64_t) - (CALLBACK(handlers.now(true)) + delta);
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *result) {
    bool is_wall = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
    bool is_known = is_wall || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME || clock == CLOCK_MONOTONIC_RAW
        || clock == CLOCK_MONOTONIC_COARSE;
    if (!is_known || !reads_virtual_time(FRAME)) return REAL(clock_gettime)(clock, result);
    int64_t time = CALLBACK(handlers.now(is_wall));
    result->tv_sec = time / 1000000000;
    result->tv_nsec = time % 1000000000;
    return 0;
}

EXPORT int gettimeofday(struct timeval *restrict result, void *restrict zone) {
    if (!reads_virtual_time(FRAME)) return REAL(gettimeofday)(result, zone);
    int64_t time = CALLBACK(handlers.now(true));
    result->tv_sec = time / 1000000000;
    result->tv_usec = time % 1000000000 / 1000;
    return 0;
}

// MARK: Run loops

EXPORT void CFRunLoopAddTimer(void *loop, void *timer, const void *mode) {
    if (is_candidate(FRAME) && is_world_thread() && CALLBACK(handlers.add_timer(loop, timer))) return;
    REAL(CFRunLoopAddTimer)(loop, timer, mode);
}

/// Runs the run loop of the calling thread for the caller with `frame`. Returns false if the original must run.
static bool runs_loop(void *const *frame, double seconds, bool return_after_source, int32_t *result, bool *is_test) {
    *is_test = false;
    if (atomic_load_explicit(&open_worlds, memory_order_relaxed) == 0 || thread.bypass > 0) return false;
    enum role role = caller_role(frame);
    *is_test = role == FRAMEWORK && cworld_is_main_thread() && !thread.item;
    return role == CODE && is_world_thread() && CALLBACK(handlers.run_loop(seconds, return_after_source, result));
}

/// Run loops set real timers. Items that run in them come to the handlers nevertheless.
static void begin_run_loop(bool is_test) {
    thread.bypass++;
    if (is_test) handlers.test_waits(true);
}

static void end_run_loop(bool is_test) {
    if (is_test) handlers.test_waits(false);
    thread.bypass--;
}

EXPORT int32_t CFRunLoopRunInMode(const void *mode, double seconds, unsigned char return_after_source) {
    int32_t result = 0;
    bool is_test;
    if (runs_loop(FRAME, seconds, return_after_source, &result, &is_test)) return result;
    begin_run_loop(is_test);
    result = REAL(CFRunLoopRunInMode)(mode, seconds, return_after_source);
    end_run_loop(is_test);
    return result;
}

EXPORT int32_t CFRunLoopRunSpecific(void *loop, const void *mode, double seconds, unsigned char return_after_source) {
    int32_t result = 0;
    bool is_test;
    if (runs_loop(FRAME, seconds, return_after_source, &result, &is_test)) return result;
    begin_run_loop(is_test);
    result = REAL(CFRunLoopRunSpecific)(loop, mode, seconds, return_after_source);
    end_run_loop(is_test);
    return result;
}

EXPORT void CFRunLoopStop(void *loop) {
    if (atomic_load_explicit(&open_worlds, memory_order_relaxed) > 0 && thread.bypass == 0) {
        if (caller_role(FRAME) == FRAMEWORK) NOTIFY(handlers.test_wakes());
    }
    REAL(CFRunLoopStop)(loop);
}

// MARK: Swift concurrency

typedef __attribute__((swiftcall)) void (*enqueue_original)(void *job);
typedef __attribute__((swiftcall)) void (*enqueue_hook)(void *job, enqueue_original original);
typedef struct {
    void *identity;
    uintptr_t implementation;
} executor;
extern enqueue_hook swift_task_enqueueGlobal_hook;
extern __attribute__((swiftcall)) void swift_job_run(void *job, executor executor);

// Jobs outside of worlds are submitted here, too, instead of by the runtime: so the end of a job that creates a world
// is seen.
static void run_job(void *job) { cworld_run_job(job); }

static void run_global_job(void *job) { run_outside(function_work(run_job, job)); }

static __attribute__((swiftcall)) void enqueue_global(void *job, enqueue_original original) {
    if (atomic_load_explicit(&open_worlds, memory_order_relaxed) > 0 && thread.bypass == 0
        && CALLBACK(handlers.job(job)))
        return;
    REAL(dispatch_async_f)(cworld_global_queue(job), job, run_global_job);
}

__attribute__((constructor)) static void prepare(void) {
    dl_iterate_phdr(add_module, NULL);
    swift_task_enqueueGlobal_hook = enqueue_global;
}

// MARK: Interface

/// The definition of a function that other libraries of the program reach by name.
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
    return NULL;
}

void cworld_set_open_worlds(int count) { atomic_store(&open_worlds, count); }

cworld_thread *cworld_current_thread(void) { return &thread; }

bool cworld_is_main_thread(void) {
    static __thread int is_main;
    if (!is_main) is_main = syscall(SYS_gettid) == getpid() ? 1 : 2;
    return is_main == 1;
}

void cworld_async(void *queue, bool is_barrier, void (*function)(void *), void *context) {
    if (is_barrier) {
        REAL(dispatch_barrier_async_f)(queue, context, function);
    } else {
        REAL(dispatch_async_f)(queue, context, function);
    }
}

void cworld_sync(void *queue, cworld_work work, bool is_barrier) {
    if (is_barrier) {
        REAL(dispatch_barrier_sync)(queue, work.block);
    } else {
        REAL(dispatch_sync)(queue, work.block);
    }
}

static long wait_until(cworld_wait_kind kind, const void *object, uint64_t timeout) {
    switch (kind) {
    case CWORLD_SEMAPHORE: return REAL(dispatch_semaphore_wait)((void *)object, timeout);
    case CWORLD_GROUP: return REAL(dispatch_group_wait)((void *)object, timeout);
    case CWORLD_BLOCK: return REAL(dispatch_block_wait)(object, timeout);
    }
    abort();
}

long cworld_try(cworld_wait_kind kind, const void *object) { return wait_until(kind, object, TIME_NOW); }

void cworld_wait(cworld_wait_kind kind, const void *object) { wait_until(kind, object, TIME_FOREVER); }

void cworld_group_enter(void *group) { REAL(dispatch_group_enter)(group); }

void cworld_group_leave(void *group) { REAL(dispatch_group_leave)(group); }

void cworld_source_set_handler(void *source, const void *block, bool is_cancellation) {
    if (is_cancellation) {
        REAL(dispatch_source_set_cancel_handler)(source, block);
    } else {
        REAL(dispatch_source_set_event_handler)(source, block);
    }
}

bool cworld_source_is_cancelled(void *source) { return REAL(dispatch_source_testcancel)(source) != 0; }

void *cworld_get_context(void *object) { return REAL(dispatch_get_context)(object); }

void cworld_run(cworld_work work) {
    if (!work.block) return work.function(work.context);
    void (*invoke)(const void *) = ((void (*const *)(const void *))work.block)[2];
    invoke(work.block);
}

void cworld_run_job(void *job) { swift_job_run(job, (executor){NULL, 0}); }

cworld_work cworld_retain_work(cworld_work work) {
    if (work.block) work.block = _Block_copy(work.block);
    return work;
}

void cworld_release_work(cworld_work work) {
    if (work.block) _Block_release(work.block);
}

void cworld_retain(const void *object) { REAL(dispatch_retain)(object); }

void cworld_release(const void *object) { REAL(dispatch_release)(object); }

int64_t cworld_real_time(void) {
    struct timespec time;
    REAL(clock_gettime)(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

const char *cworld_queue_label(void *queue) { return REAL(dispatch_queue_get_label)(queue); }

void *cworld_main_queue(void) { return _dispatch_main_q; }

void *cworld_default_queue(void) { return REAL(dispatch_get_global_queue)(0, 0); }

void *cworld_timer_info(void *timer) {
    struct {
        long version;
        void *info;
        const void *retain, *release, *copy_description;
    } context = {0};
    static void (*get_context)(void *, void *);
    if (!get_context) *(void **)&get_context = dlsym(RTLD_DEFAULT, "CFRunLoopTimerGetContext");
    if (get_context) get_context(timer, &context);
    return context.info;
}

bool cworld_is_main_loop(const void *loop) {
    static void *(*get_main)(void);
    if (!get_main) *(void **)&get_main = dlsym(RTLD_DEFAULT, "CFRunLoopGetMain");
    return get_main && get_main() == loop;
}

void *cworld_global_queue(const void *job) {
    // A job begins with a heap object and two words of the scheduler; the second byte of its flags is the priority.
    uint32_t flags;
    memcpy(&flags, (const char *)job + 4 * sizeof(void *), sizeof flags);
    void *queue = REAL(dispatch_get_global_queue)((flags >> 8) & 0xff, 0);
    return queue ? queue : REAL(dispatch_get_global_queue)(0, 0);
}

static const void *serial_class;
static pthread_once_t class_once = PTHREAD_ONCE_INIT;

static void find_serial_class(void) {
    void *queue = REAL(dispatch_queue_create)("cworld", NULL);
    serial_class = *(const void **)queue;
    REAL(dispatch_release)(queue);
}

bool cworld_queue_is_concurrent(const void *queue) {
    pthread_once(&class_once, find_serial_class);
    return queue != _dispatch_main_q && *(const void *const *)queue != serial_class;
}

static const void *work_item_invoke;
static pthread_once_t work_item_once = PTHREAD_ONCE_INIT;

static void run_nothing(const void *block) {}

static void find_work_item_invoke(void) {
    // The literal of a block without captures: class, flags (global, no copy), reserved, function, descriptor.
    extern const void *_NSConcreteGlobalBlock[];
    static const struct {
        uintptr_t reserved, size;
    } descriptor = {0, 32};
    struct {
        const void *isa;
        int32_t flags, reserved;
        void (*invoke)(const void *);
        const void *descriptor;
    } literal = {_NSConcreteGlobalBlock, 1 << 28, 0, run_nothing, &descriptor};
    void *block = REAL(dispatch_block_create)(0, &literal);
    work_item_invoke = ((const void **)block)[2];
    _Block_release(block);
}

bool cworld_is_work_item(const void *block) {
    pthread_once(&work_item_once, find_work_item_invoke);
    return block && ((const void *const *)block)[2] == work_item_invoke;
}

bool cworld_is_barrier(const void *block) {
    // The private data of a work item follows the block's header: a magic number, then the flags; 1 is the barrier flag.
    if (!cworld_is_work_item(block)) return false;
    const unsigned long *data = (const unsigned long *)((const char *)block + 32);
    return data[0] == 0xD159B10C && (data[1] & 1);
}

/// Called by `HostClock`, of which all calls stay real.
void cworld_enter_real_time(void) { thread.bypass++; }

void cworld_leave_real_time(void) { thread.bypass--; }
