#include "Callers.h"

#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int open_worlds;
__thread cworld_thread thread;
static __thread uintptr_t stack_low, stack_high;

// The program and its libraries. Libraries beyond the capacity have the role SYSTEM.
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
        {"libdispatch.so", DISPATCH},     {"libFoundationNetworking.so", SYSTEM}, {"libFoundation", WRAPPER},
        {"libBlocksRuntime.so", WRAPPER}, {"libswift", WRAPPER},
        {"libXCTest.so", TEST_FRAMEWORK}, {"libTesting.so", TEST_FRAMEWORK},      {"lib_Testing", TEST_FRAMEWORK},
    };
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        if (strncmp(name, roles[i].prefix, strlen(roles[i].prefix)) == 0) return roles[i].role;
    }
    bool is_system = strncmp(path, "/lib", 4) == 0 || strncmp(path, "/usr/lib", 8) == 0
        || strncmp(path, "linux-vdso", 10) == 0;
    return is_system ? SYSTEM : CLIENT;
}

/// The addresses of libswift_Concurrency.
static uintptr_t concurrency_start, concurrency_end;

bool is_concurrency(const void *address) {
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

// The bounds of the section of the function that starts threads.
extern const char __start_cworld_thread_start[], __stop_cworld_thread_start[];

static enum role role_of(uintptr_t address) {
    if (address >= (uintptr_t)__start_cworld_thread_start && address < (uintptr_t)__stop_cworld_thread_start) return SYSTEM;
    for (int i = 0; i < module_count; i++) {
        if (address >= modules[i].start && address < modules[i].end) return modules[i].role;
    }
    // A library that was loaded later, such as a codec.
    return SYSTEM;
}

enum role caller_role(void *const *frame) {
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
    if (role == DISPATCH) return SYSTEM;
    // After 24 frames of wrappers, the caller is treated as a client.
    for (int depth = 0; depth < 24 && role == WRAPPER; depth++) {
        // Swift marks the frames of async functions in bit 60 of the saved frame pointer.
        uintptr_t next = (uintptr_t)frame[0] & ~(1ull << 60);
        if (next <= (uintptr_t)frame || next + 16 > stack_high || next < stack_low || next % 8 != 0) return CLIENT;
        frame = (void *const *)next;
        role = role_of((uintptr_t)frame[1]);
    }
    if (role == DISPATCH) return thread.item ? CLIENT : SYSTEM;
    return role == WRAPPER ? CLIENT : role;
}

bool is_client_call(void *const *frame) {
    if (!has_open_worlds()) return false;
    return caller_role(frame) == CLIENT;
}

bool is_world_thread(void) {
    // A job on the main thread that is no item belongs to a task outside of all worlds, such as a test in real time.
    return thread.item || thread.is_body_job || (cworld_is_main_thread() && !thread.is_in_job);
}

bool reads_virtual_time(void *const *frame) {
    if (!has_open_worlds()) return false;
    if (!is_world_thread()) return false;
    return caller_role(frame) == CLIENT;
}

bool has_open_worlds(void) {
    return atomic_load_explicit(&open_worlds, memory_order_acquire) > 0 && thread.bypass == 0;
}

void find_modules(void) { dl_iterate_phdr(add_module, NULL); }

void cworld_set_open_worlds(int count) { atomic_store(&open_worlds, count); }

cworld_thread *cworld_current_thread(void) { return &thread; }

void cworld_name_current_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

bool cworld_is_main_thread(void) {
    static __thread int is_main;
    if (!is_main) is_main = syscall(SYS_gettid) == getpid() ? 1 : 2;
    return is_main == 1;
}

bool cworld_is_main_thread_of_code(void) { return thread.is_on_main_queue || cworld_is_main_thread(); }

/// `HostClock` calls this before it reads or waits for real time; the thread's calls then go to the originals.
void cworld_enter_real_time(void) { thread.bypass++; }

void cworld_leave_real_time(void) { thread.bypass--; }
