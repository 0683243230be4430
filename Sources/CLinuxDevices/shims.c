#define _GNU_SOURCE
#include "CLinuxDevices.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

int clinuxdevices_ioctl(int descriptor, unsigned long request, void *argument) {
    int result = ioctl(descriptor, request, argument);
    return result < 0 ? -errno : result;
}

static void ignore_alsa_error(const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

void clinuxdevices_silence_alsa(void) { snd_lib_error_set_handler(ignore_alsa_error); }

// Smaller than a huge page, because the kernel would clear a complete huge page at the first access to a larger stack.
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
