#include "Originals.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct originals real;
pthread_once_t real_once = PTHREAD_ONCE_INIT;

// ThreadSanitizer and AddressSanitizer replace these functions, too, by definitions in the program. Theirs are called
// then, because ThreadSanitizer must see which locks a thread holds.
#define SANITIZED(X)                                                                                                   \
    X(pthread_cond_wait)                                                                                               \
    X(pthread_cond_timedwait)                                                                                          \
    X(pthread_cond_clockwait)                                                                                          \
    X(pthread_cond_signal)                                                                                             \
    X(pthread_cond_broadcast)                                                                                          \
    X(pthread_create)                                                                                                  \
    X(pthread_join)
#define X(name) extern __attribute__((weak)) char __interceptor_##name[];
SANITIZED(X)
#undef X

void find_originals(void) {
#define X(result, name, parameters) *(void **)&real.name = dlsym(RTLD_NEXT, #name);
    ORIGINALS(X)
#undef X
#define X(name)                                                                                                        \
    if (__interceptor_##name) *(void **)&real.name = __interceptor_##name;
    SANITIZED(X)
#undef X
}

typedef struct {
    void *identity;
    uintptr_t implementation;
} executor;
extern __attribute__((swiftcall)) void swift_job_run(void *job, executor executor);

extern __attribute__((swiftcall)) void *swift_task_getCurrent(void);

extern void *swift_retain(void *);
extern void swift_release(void *);
extern __attribute__((swiftcall)) void swift_task_cancel(void *task);

void *cworld_current_task(void) { return swift_task_getCurrent(); }

void cworld_retain_task(void *task) { swift_retain(task); }

void cworld_release_task(void *task) { swift_release(task); }

void cworld_cancel_task(void *task) { swift_task_cancel(task); }

void cworld_async(void *queue, bool is_barrier, void (*function)(void *), void *context) {
    if (is_barrier) {
        REAL(dispatch_barrier_async_f)(queue, context, function);
    } else {
        REAL(dispatch_async_f)(queue, context, function);
    }
}

void cworld_sync(void *queue, cworld_work work, bool is_barrier) {
    if (work.block) {
        (is_barrier ? REAL(dispatch_barrier_sync) : REAL(dispatch_sync))(queue, work.block);
    } else {
        (is_barrier ? REAL(dispatch_barrier_sync_f) : REAL(dispatch_sync_f))(queue, work.context, work.function);
    }
}

void cworld_after(int64_t nanoseconds, void *queue, void (*function)(void *), void *context) {
    REAL(dispatch_after_f)(REAL(dispatch_time)(TIME_NOW, nanoseconds), queue, context, function);
}

long cworld_try(cworld_wait_kind kind, const void *object) {
    switch (kind) {
    case CWORLD_SEMAPHORE: return REAL(dispatch_semaphore_wait)((void *)object, TIME_NOW);
    case CWORLD_GROUP: return REAL(dispatch_group_wait)((void *)object, TIME_NOW);
    case CWORLD_BLOCK: return REAL(dispatch_block_wait)(object, TIME_NOW);
    }
    abort();
}

void cworld_group_enter(void *group) { REAL(dispatch_group_enter)(group); }

void cworld_group_leave(void *group) { REAL(dispatch_group_leave)(group); }

void cworld_source_set_event_handler(void *source, const void *block) {
    REAL(dispatch_source_set_event_handler)(source, block);
}

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

int cworld_condition_wait(void *condition, void *mutex, int64_t end) {
    if (end == INT64_MAX) return REAL(pthread_cond_wait)(condition, mutex);
    struct timespec time = {end / 1000000000, end % 1000000000};
    return REAL(pthread_cond_clockwait)(condition, mutex, CLOCK_MONOTONIC, &time);
}

void cworld_condition_broadcast(void *condition) { REAL(pthread_cond_broadcast)(condition); }

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
    // A job (Swift's ABI/Task.h) begins with the two words of a heap object and two words for schedulers. Its flags
    // follow; their second byte is the priority.
    uint32_t flags;
    memcpy(&flags, (const char *)job + 4 * sizeof(void *), sizeof flags);
    void *queue = REAL(dispatch_get_global_queue)((flags >> 8) & 0xff, 0);
    return queue ? queue : REAL(dispatch_get_global_queue)(0, 0);
}

// The classes of queues that run one block at a time.
static const void *serial_class, *workloop_class;
static pthread_once_t class_once = PTHREAD_ONCE_INIT;

static const void *class_of_released(void *queue) {
    const void *class = *(const void **)queue;
    REAL(dispatch_release)(queue);
    return class;
}

static void find_serial_classes(void) {
    serial_class = class_of_released(REAL(dispatch_queue_create)("cworld", NULL));
    workloop_class = class_of_released(dispatch_workloop_create("cworld"));
}

bool cworld_queue_is_concurrent(const void *queue) {
    pthread_once(&class_once, find_serial_classes);
    const void *class = *(const void *const *)queue;
    return queue != _dispatch_main_q && class != serial_class && class != workloop_class;
}

bool cworld_queue_is_global(const void *queue) {
    return *(const void *const *)queue == *(const void *const *)REAL(dispatch_get_global_queue)(0, 0);
}

static const void *work_item_invoke;
static pthread_once_t work_item_once = PTHREAD_ONCE_INIT;

static void do_nothing(const void *block) {}

static void find_work_item_invoke(void) {
    // The literal of a block without captures: class, flags (BLOCK_IS_GLOBAL), reserved, function, descriptor.
    extern const void *_NSConcreteGlobalBlock[];
    static const struct {
        uintptr_t reserved, size;
    } descriptor = {0, 32};
    struct {
        const void *isa;
        int32_t flags, reserved;
        void (*invoke)(const void *);
        const void *descriptor;
    } literal = {_NSConcreteGlobalBlock, 1 << 28, 0, do_nothing, &descriptor};
    void *block = REAL(dispatch_block_create)(0, &literal);
    work_item_invoke = ((const void **)block)[2];
    _Block_release(block);
}

static bool is_work_item(const void *block) {
    pthread_once(&work_item_once, find_work_item_invoke);
    return block && ((const void *const *)block)[2] == work_item_invoke;
}

/// The private data of a work item, which follows the block's header of 32 bytes.
struct work_item_data {
    /// DISPATCH_BLOCK_PRIVATE_DATA_MAGIC.
    unsigned long magic;
    /// 1 is the barrier flag.
    unsigned long flags;
    unsigned int state;
    int performed_count;
    unsigned long priority;
    void *voucher;
    const void *body;
    /// The group that the work item leaves when it has run.
    void *group;
};

static const struct work_item_data *work_item_data(const void *block) {
    if (!is_work_item(block)) return NULL;
    const struct work_item_data *data = (const void *)((const char *)block + 32);
    return data->magic == 0xD159B10C ? data : NULL;
}

void *cworld_work_item_group(const void *block) {
    const struct work_item_data *data = work_item_data(block);
    return data ? data->group : NULL;
}

bool cworld_is_barrier(const void *block) {
    const struct work_item_data *data = work_item_data(block);
    return data && (data->flags & 1);
}
