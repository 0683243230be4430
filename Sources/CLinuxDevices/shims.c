#define _GNU_SOURCE
#include "CLinuxDevices.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

int clinuxdevices_ioctl(int descriptor, unsigned long request, void *argument) {
    int result = ioctl(descriptor, request, argument);
    return result < 0 ? -errno : result;
}

int clinuxdevices_share(int device, const int *events, int count) {
    int set = epoll_create1(EPOLL_CLOEXEC);
    if (set < 0) return -errno;
    struct epoll_event entry = {.events = EPOLLIN | EPOLLEXCLUSIVE};
    int result = epoll_ctl(set, EPOLL_CTL_ADD, device, &entry);
    entry.events = EPOLLIN;
    entry.data.u32 = CLINUXDEVICES_EVENT;
    for (int i = 0; i < count && !result; i++) result = epoll_ctl(set, EPOLL_CTL_ADD, events[i], &entry);
    if (!result) return set;
    result = -errno;
    close(set);
    return result;
}

int clinuxdevices_share_again(int set, int device) {
    struct epoll_event entry = {.events = EPOLLIN | EPOLLEXCLUSIVE};
    return epoll_ctl(set, EPOLL_CTL_ADD, device, &entry) < 0 ? -errno : 0;
}

int clinuxdevices_unshare(int set, int device) {
    return epoll_ctl(set, EPOLL_CTL_DEL, device, NULL) < 0 ? -errno : 0;
}

int clinuxdevices_wait_shared(int set) {
    struct epoll_event came[2];
    int count = epoll_wait(set, came, 2, -1), result = 0;
    if (count < 0) return -errno;
    for (int i = 0; i < count; i++) {
        if (came[i].data.u32) {
            result |= CLINUXDEVICES_EVENT;
            continue;
        }
        if (came[i].events & EPOLLIN) result |= CLINUXDEVICES_DEVICE_READABLE;
        if (came[i].events & (EPOLLERR | EPOLLHUP)) result |= CLINUXDEVICES_DEVICE_FAILED;
    }
    return result;
}

int clinuxdevices_set_blocking(int descriptor, int blocks) {
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0) return -errno;
    return fcntl(descriptor, F_SETFL, blocks ? flags & ~O_NONBLOCK : flags | O_NONBLOCK) < 0 ? -errno : 0;
}

static void ignore_alsa_error(const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

void clinuxdevices_silence_alsa(void) { snd_lib_error_set_handler(ignore_alsa_error); }

// Smaller than a huge page, which the kernel would clear at the first touch of a larger stack.
#define THREAD_STACK_BYTES (1 << 20)

struct thread_start {
    char name[16];
    void (*body)(void *);
    void *context;
};

static void *run_thread(void *argument) {
    struct thread_start start = *(struct thread_start *)argument;
    free(argument);
    pthread_setname_np(pthread_self(), start.name);
    start.body(start.context);
    return NULL;
}

int clinuxdevices_start_thread(const char *name, void (*body)(void *), void *context) {
    struct thread_start *start = calloc(1, sizeof *start);
    if (!start) return ENOMEM;
    strncpy(start->name, name, sizeof start->name - 1);
    start->body = body;
    start->context = context;

    pthread_attr_t attributes;
    pthread_t thread;
    int error = pthread_attr_init(&attributes);
    if (!error) {
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        pthread_attr_setstacksize(&attributes, THREAD_STACK_BYTES);
        error = pthread_create(&thread, &attributes, run_thread, start);
        pthread_attr_destroy(&attributes);
    }
    if (error) free(start);
    return error;
}
