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

/// The queue on which the caller runs, or null: Dispatch's own object, and no reference to it.
///
/// In C, as the next one, because Swift has no way from its `DispatchQueue` to Dispatch's.
void *ccapturehal_current_queue(void);

/// Calls `body` with `context` on a queue and returns when it has returned: `dispatch_sync_f`.
void ccapturehal_sync(void *queue, void *context, void (*body)(void *context));

/// Names the calling thread for the debugger; 15 bytes at most are kept.
///
/// In C because Swift does not see `pthread_setname_np`, which is GNU's.
void ccapturehal_name_thread(const char *name);
