// Call stacks, for reports.
#define _GNU_SOURCE
#include "CWorld.h"

#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define CAPACITY 64

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uintptr_t stack[CAPACITY];
static atomic_int requested_thread, collected;

int cworld_thread_id(void) { return (int)syscall(SYS_gettid); }

/// Copies a saved frame pointer and the return address after it. Returns false if they cannot be read.
static bool read_frame(uintptr_t address, uintptr_t frame[2]) {
    struct iovec to = {frame, 16}, from = {(void *)address, 16};
    return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == 16;
}

/// Stores a program counter and the return addresses of a chain of frames, and returns their number.
///
/// It calls only functions that are async-signal-safe. The chain may end anywhere: glibc 2.41 starts threads with a
/// frame pointer register that does not point to a frame.
static int follow(uintptr_t pc, uintptr_t frame_pointer, uintptr_t *addresses, int capacity) {
    int count = 0;
    addresses[count++] = pc;
    uintptr_t frame[2];
    while (count < capacity && frame_pointer % 8 == 0 && read_frame(frame_pointer, frame) && frame[1]) {
        addresses[count++] = frame[1];
        // Swift marks the frames of async functions in bit 60. Stacks grow downwards.
        uintptr_t next = frame[0] & ~(1ull << 60);
        if (next <= frame_pointer) break;
        frame_pointer = next;
    }
    return count;
}

int cworld_own_call_stack(uintptr_t *addresses, int capacity) {
    // The call in the caller, and the caller's frame.
    uintptr_t pc = (uintptr_t)__builtin_return_address(0) - 1;
    return follow(pc, *(const uintptr_t *)__builtin_frame_address(0), addresses, capacity);
}

int cworld_unwound_call_stack(uintptr_t *addresses, int capacity) {
    return backtrace((void **)addresses, capacity);
}

/// Collects the call stack of the interrupted thread. It calls only functions that are async-signal-safe.
static void collect(int number, siginfo_t *info, void *context) {
    // Restored at the end, because the interrupted code may read `errno` next.
    int interrupted_errno = errno;
    int expected = cworld_thread_id();
    if (!atomic_compare_exchange_strong(&requested_thread, &expected, 0)) return;
    const mcontext_t *registers = &((const ucontext_t *)context)->uc_mcontext;
#if defined(__x86_64__)
    uintptr_t pc = registers->gregs[REG_RIP], frame_pointer = registers->gregs[REG_RBP];
#elif defined(__aarch64__)
    uintptr_t pc = registers->pc, frame_pointer = registers->regs[29];
#else
#error "CallStack.c does not support this architecture"
#endif
    int count = follow(pc, frame_pointer, stack, CAPACITY);
    errno = interrupted_errno;
    atomic_store(&collected, count);
}

int cworld_call_stack(int thread_id, uintptr_t *addresses, int capacity) {
    pthread_mutex_lock(&mutex);
    // The threads of libdispatch block most signals, but not SIGPROF.
    struct sigaction action = {.sa_sigaction = collect, .sa_flags = SA_SIGINFO | SA_RESTART}, previous;
    sigemptyset(&action.sa_mask);
    sigaction(SIGPROF, &action, &previous);
    atomic_store(&collected, 0);
    atomic_store(&requested_thread, thread_id);
    int count = 0;
    if (syscall(SYS_tgkill, getpid(), thread_id, SIGPROF) == 0) {
        for (int tries = 0; tries < 1000 && !(count = atomic_load(&collected)); tries++) {
            struct timespec millisecond = {0, 1000000};
            syscall(SYS_nanosleep, &millisecond, NULL);
        }
    }
    // If the thread has begun to collect, wait until it has finished.
    if (!count && atomic_exchange(&requested_thread, 0) == 0) {
        while (!(count = atomic_load(&collected))) {}
    }
    // The default action would terminate the program if the signal were delivered late.
    if (previous.sa_handler != SIG_DFL) sigaction(SIGPROF, &previous, NULL);
    if (count > capacity) count = capacity;
    for (int i = 0; i < count; i++) addresses[i] = stack[i];
    pthread_mutex_unlock(&mutex);
    return count;
}
