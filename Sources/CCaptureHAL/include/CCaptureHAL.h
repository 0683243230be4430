#pragma once

/// Calls `obscura_install_backends` where a composition root is linked in, and says whether one was.
///
/// In C because the call must go through a weak reference: `CaptureHAL` may not import the composition root,
/// and an executable that has none must still link.
int ccapturehal_install_linked_backends(void);

/// A place of the calling thread's own for one pointer, at first null; what it means is `DeliveryHold`'s.
///
/// In C because Swift has no thread-local storage that costs only a few instructions.
extern _Thread_local void *ccapturehal_held_delivery;

static inline void *ccapturehal_held_delivery_get(void) { return ccapturehal_held_delivery; }
static inline void ccapturehal_held_delivery_set(void *place) { ccapturehal_held_delivery = place; }

/// Names the calling thread for the debugger; 15 bytes at most are kept.
///
/// In C because Swift does not see `pthread_setname_np`, which is GNU's.
void ccapturehal_name_thread(const char *name);
