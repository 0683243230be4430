#include "CCaptureHAL.h"

// Dispatch's headers are not on the path of C targets; these two have been the same since its beginning.
extern void *dispatch_get_current_queue(void);
extern void dispatch_sync_f(void *queue, void *context, void (*work)(void *));

void *ccapturehal_current_queue(void) { return dispatch_get_current_queue(); }

void ccapturehal_sync(void *queue, void *context, void (*body)(void *)) { dispatch_sync_f(queue, context, body); }
