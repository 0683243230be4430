#include "CCaptureHAL.h"

extern void obscura_install_backends(void) __attribute__((weak));

int ccapturehal_install_linked_backends(void) {
    if (!obscura_install_backends) return 0;
    obscura_install_backends();
    return 1;
}

extern void cworld_enter_real_time(void) __attribute__((weak));
extern void cworld_leave_real_time(void) __attribute__((weak));

void ccapturehal_enter_real_time(void) {
    if (cworld_enter_real_time) cworld_enter_real_time();
}

void ccapturehal_leave_real_time(void) {
    if (cworld_leave_real_time) cworld_leave_real_time();
}
