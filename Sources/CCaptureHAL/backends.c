#include "CCaptureHAL.h"

extern void obscura_install_backends(void) __attribute__((weak));

int ccapturehal_install_linked_backends(void) {
    if (!obscura_install_backends) return 0;
    obscura_install_backends();
    return 1;
}
