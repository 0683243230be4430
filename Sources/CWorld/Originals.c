#include "Originals.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct originals real;
pthread_once_t real_once = PTHREAD_ONCE_INIT;

void find_originals(void) {
#define X(result, name, parameters) *(void **)&real.name = dlsym(RTLD_NEXT, #name);
    ORIGINALS(X)
#undef X
}

typedef struct {
    void *identity;
    uintptr_t implementation;
} executor;
extern __attribute__((swiftcall)) void swift_job_run(void *job, executor executor);

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

void cworld_source_set_handler(void *source, const void *block, bool is_cancellation) {
    if (is_cancellation) {
        REAL(dispatch_source_set_cancel_handler)(source, block);
    } else {
        REAL(dispatch_source_set_event_handler)(source, block);
    }
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

bool cworld_is_work_item(const void *block) {
    pthread_once(&work_item_once, find_work_item_invoke);
    return block && ((const void *const *)block)[2] == work_item_invoke;
}

bool cworld_has_one_reference(const void *block) {
    // The flags follow the class. The bits 0xfffe (BLOCK_REFCOUNT_MASK) count the references in steps of 2.
    return (((const int32_t *)block)[2] & 0xfffe) == 2;
}

bool cworld_is_barrier(const void *block) {
    // The private data of a work item follows the block's header of 32 bytes: a magic number
    // (DISPATCH_BLOCK_PRIVATE_DATA_MAGIC), then the flags; 1 is the barrier flag.
    if (!cworld_is_work_item(block)) return false;
    const unsigned long *data = (const unsigned long *)((const char *)block + 32);
    return data[0] == 0xD159B10C && (data[1] & 1);
}
