// Interposition of libdispatch, Swift concurrency, clocks and run loops for simulated worlds. A world is the code
// under test with its virtual clock; world code is the code that runs in it.
//
// This is written in C because only a C definition with the name of a library's function replaces that function in the
// whole program, and because Swift has neither return addresses nor C's thread-local variables. There is no policy
// here: each function decides whether the call comes from code of a simulated world. If so, it passes the call to the
// handlers, otherwise to the original.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Work: a block, or a function with its argument if `block` is null.
typedef struct {
    const void *_Nullable block;
    void (*_Nullable function)(void *_Nullable);
    void *_Nullable context;
} cworld_work;

/// What a thread waits for.
typedef enum { CWORLD_SEMAPHORE, CWORLD_GROUP, CWORLD_BLOCK } cworld_wait_kind;

/// The handlers of a dispatch source.
typedef enum { CWORLD_EVENT, CWORLD_REGISTRATION, CWORLD_CANCELLATION } cworld_source_handler;

/// What a dispatch source reports.
typedef enum { CWORLD_TIMER, CWORLD_DATA_ADD, CWORLD_DATA_OR, CWORLD_DATA_REPLACE } cworld_source_kind;

/// A change of a dispatch source or queue. `CWORLD_INACTIVE`: the queue was created inactive.
typedef enum { CWORLD_ACTIVATE, CWORLD_RESUME, CWORLD_SUSPEND, CWORLD_CANCEL, CWORLD_INACTIVE } cworld_change;

/// The functions that receive calls of world code. If one returns false, the original is called.
typedef struct {
    /// Work is submitted to a queue. `group` is the dispatch group that it belongs to.
    bool (*_Nonnull submit)(void *_Nonnull queue, cworld_work work, bool is_barrier, void *_Nullable group);
    /// Work is submitted to run at `when`, a `dispatch_time_t`.
    bool (*_Nonnull submit_after)(uint64_t when, void *_Nonnull queue, cworld_work work);
    /// The caller waits until a block has run on a queue.
    bool (*_Nonnull sync)(void *_Nonnull queue, cworld_work work, bool is_barrier);
    /// Work is submitted to run when a group is empty.
    bool (*_Nonnull group_notify)(void *_Nonnull group, void *_Nonnull queue, cworld_work work);
    /// Some code has left a group, which can be empty now. Called on any thread.
    void (*_Nonnull group_left)(void *_Nonnull group);
    /// A thread waits for an object until `timeout`, a `dispatch_time_t`. `*result` is 0, or nonzero after a timeout.
    bool (*_Nonnull wait)(cworld_wait_kind kind, const void *_Nonnull object, uint64_t timeout, long *_Nonnull result);
    /// A timer or data source was created, to run its handler on a queue.
    void (*_Nonnull source_created)(void *_Nonnull source, cworld_source_kind kind, void *_Nullable queue);
    /// The timer of a source is set: `start` is a `dispatch_time_t`, `interval` in nanoseconds or UINT64_MAX.
    bool (*_Nonnull source_set_timer)(void *_Nonnull source, uint64_t start, uint64_t interval);
    /// A handler of a source is set.
    bool (*_Nonnull source_set_handler)(void *_Nonnull source, cworld_work work, cworld_source_handler kind);
    bool (*_Nonnull source_merge)(void *_Nonnull source, uintptr_t value);
    bool (*_Nonnull source_data)(void *_Nonnull source, uintptr_t *_Nonnull value);
    /// A source or queue changes; the original is called as well.
    void (*_Nonnull changed)(void *_Nonnull object, cworld_change change);
    /// A queue was created with a target queue, or the target of a queue or source was set.
    void (*_Nonnull queue_targeted)(void *_Nonnull queue, void *_Nonnull target);
    /// A Core Foundation timer is added to a run loop.
    bool (*_Nonnull add_timer)(void *_Nonnull loop, void *_Nonnull timer);
    /// The next fire date of a Core Foundation timer is set, in seconds since 2001.
    bool (*_Nonnull timer_set_fire_date)(void *_Nonnull timer, double date);
    /// `*date` is the next fire date of a Core Foundation timer, in seconds since 2001.
    bool (*_Nonnull timer_fire_date)(void *_Nonnull timer, double *_Nonnull date);
    /// A Core Foundation timer is invalidated; the original is called as well.
    void (*_Nonnull timer_invalidated)(void *_Nonnull timer);
    /// A block is submitted to the main run loop, which runs it as it runs its timers: not as work of the main queue.
    bool (*_Nonnull perform)(const void *_Nonnull block);
    /// The thread sleeps.
    bool (*_Nonnull sleep)(int64_t nanoseconds);
    /// A thread that holds a mutex waits for a condition until a time of the wall clock or of the monotonic clocks, in
    /// nanoseconds; INT64_MAX is never. `*result` is 0 or ETIMEDOUT.
    bool (*_Nonnull condition_wait)(
        void *_Nonnull condition, void *_Nonnull mutex, int64_t end, bool is_wall, int *_Nonnull result);
    /// Code signals a condition to one thread or to all; the original is called as well. Called on any thread.
    void (*_Nonnull condition_signalled)(void *_Nonnull condition, bool is_broadcast);
    /// A thread waits for the end of another one. `*error` is 0 or an `errno`.
    bool (*_Nonnull join)(unsigned long other, void *_Nullable *_Nullable result, int *_Nonnull error);
    /// World code runs its run loop for some seconds. `*result` is a `CFRunLoopRunResult`.
    bool (*_Nonnull run_loop)(double seconds, bool return_after_source, int32_t *_Nonnull result);
    /// Code stops a run loop. Returns false if no world code runs one.
    bool (*_Nonnull run_loop_stop)(void);
    /// A test framework runs the run loop of the main thread (true), or has returned from it (false).
    void (*_Nonnull set_test_waiting)(bool is_waiting);
    /// A test framework stops its run loop.
    void (*_Nonnull test_will_continue)(void);
    /// The virtual time in nanoseconds: since 1970 if `is_wall`, else that of the monotonic clocks, greater than 0.
    int64_t (*_Nonnull now)(bool is_wall);
    /// A Swift job is ready for the global executor. `is_test`: a test framework has created its task, or resumes it.
    bool (*_Nonnull job)(void *_Nonnull job, bool is_test);
    /// A Swift job is ready for the main executor. The work is a function that runs the job, its argument.
    bool (*_Nonnull main_job)(cworld_work work);
    /// The Swift job that created a world has returned: its task has ended or is suspended.
    void (*_Nonnull body_job_ended)(void);
} cworld_handlers;

/// Sets the handlers.
///
/// - Returns: Null, or the name of a function that could not be found or interposed. Worlds do not work then.
const char *_Nullable cworld_install(const cworld_handlers *_Nonnull handlers);

/// Sets the number of open worlds. At 0 all calls go to the originals.
void cworld_set_open_worlds(int count);

/// The state of a thread.
typedef struct {
    /// Greater than 0 while all calls of the thread go to the originals.
    int bypass;
    /// The scheduler's work item that the thread runs, not retained; null if there is none.
    void *_Nullable item;
    /// Whether the thread runs a Swift job outside of work items.
    bool is_in_job;
    /// Whether that job is one of the main executor.
    bool is_main_job;
    /// Whether that job created a world: it is the body of a test.
    bool is_body_job;
    /// Whether the thread runs work of the main queue for a world.
    bool is_on_main_queue;
} cworld_thread;

/// The state of the calling thread.
cworld_thread *_Nonnull cworld_current_thread(void);

/// The Swift task that the calling thread runs, which is also its job; null if there is none.
void *_Nullable cworld_current_task(void);

void cworld_retain_task(void *_Nonnull task);
void cworld_release_task(void *_Nonnull task);

/// Cancels a Swift task. Its cancellation handlers run on the calling thread.
void cworld_cancel_task(void *_Nonnull task);

/// Whether the calling thread is the main thread.
bool cworld_is_main_thread(void);

/// Whether the calling thread is the main thread for the code that it runs: it is the main thread, or it runs work of the
/// main queue for a world. The main thread of Swift Testing leaves the main queue to other threads.
bool cworld_is_main_thread_of_code(void);

/// The number of running threads that client code has created. The scheduler does not run their work.
int cworld_client_thread_count(void);

/// Adds to the number of threads of worlds that wait for a condition. At 0 the scheduler receives no signals.
void cworld_add_condition_waiters(int count);

/// Joins a thread if it has ended; otherwise returns EBUSY.
int cworld_try_join(unsigned long other, void *_Nullable *_Nullable result);

/// Sets the name of the calling thread in the kernel, at most 15 bytes. pthread_setname_np is not visible to Swift's
/// importer without _GNU_SOURCE.
void cworld_name_current_thread(const char *_Nonnull name);

// The originals, for the scheduler.
void cworld_async(
    void *_Nonnull queue, bool is_barrier, void (*_Nonnull function)(void *_Nullable), void *_Nullable context);
void cworld_sync(void *_Nonnull queue, cworld_work work, bool is_barrier);
void cworld_after(
    int64_t nanoseconds, void *_Nonnull queue, void (*_Nonnull function)(void *_Nullable), void *_Nullable context);
/// Waits, in real time, until a time of `CLOCK_MONOTONIC` in nanoseconds; INT64_MAX is never. Returns 0 or an `errno`.
int cworld_condition_wait(void *_Nonnull condition, void *_Nonnull mutex, int64_t end);
void cworld_condition_broadcast(void *_Nonnull condition);
/// Polls an object without blocking; returns 0 if the wait succeeded.
long cworld_try(cworld_wait_kind kind, const void *_Nonnull object);
void cworld_group_enter(void *_Nonnull group);
void cworld_group_leave(void *_Nonnull group);
void cworld_source_set_event_handler(void *_Nonnull source, const void *_Nonnull block);
void *_Nullable cworld_get_context(void *_Nonnull object);

/// Runs work on the calling thread.
void cworld_run(cworld_work work);
/// Runs a Swift job of the global executor on the calling thread.
void cworld_run_job(void *_Nonnull job);
/// Returns work with a retained copy of its block, if it has one.
cworld_work cworld_retain_work(cworld_work work);
void cworld_release_work(cworld_work work);
void cworld_retain(const void *_Nonnull object);
void cworld_release(const void *_Nonnull object);

/// The real time of `CLOCK_MONOTONIC`, in nanoseconds.
int64_t cworld_real_time(void);
const char *_Nullable cworld_queue_label(void *_Nonnull queue);
void *_Nonnull cworld_main_queue(void);
void *_Nonnull cworld_default_queue(void);
/// The info pointer of a Core Foundation timer; for a timer of Foundation, its `Timer`.
void *_Nullable cworld_timer_info(void *_Nonnull timer);
bool cworld_is_main_loop(const void *_Nonnull loop);
/// The global queue for the priority of a Swift job.
void *_Nonnull cworld_global_queue(const void *_Nonnull job);
/// Whether a queue can run several blocks at the same time.
bool cworld_queue_is_concurrent(const void *_Nonnull queue);
/// The group that the block of a `DispatchWorkItem` leaves when it has run; null for other blocks.
void *_Nullable cworld_work_item_group(const void *_Nonnull block);
/// Whether a queue is one of the global queues.
bool cworld_queue_is_global(const void *_Nonnull queue);
/// Whether a block was created by `dispatch_block_create` with the barrier flag.
bool cworld_is_barrier(const void *_Nullable block);
/// The kernel's identifier of the calling thread.
int cworld_thread_id(void);
/// Collects the call stack of another thread, innermost call first: the program counter, then return addresses.
///
/// It interrupts the thread with a signal, and follows the saved frame pointers.
/// - Returns: The number of addresses; 0 if the thread does not exist or does not respond within a second.
int cworld_call_stack(int thread_id, uintptr_t *_Nonnull addresses, int capacity);
/// Collects the call stack of the calling thread in the same form, beginning with the caller.
int cworld_own_call_stack(uintptr_t *_Nonnull addresses, int capacity);
/// Collects the call stack of the calling thread with unwind tables, beginning with this function.
int cworld_unwound_call_stack(uintptr_t *_Nonnull addresses, int capacity);
